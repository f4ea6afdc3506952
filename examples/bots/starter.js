// A bot in the full form of the protocol (docs/protocol.md). Plays every game.
//
// Try it:  papan match othello "exec:node examples/bots/starter.js" random

const readline = require("node:readline");

let position = "";
let moves = [];

// Your idea goes here: give back one of `moves`.
function choose() {
  return moves[Math.floor(Math.random() * moves.length)];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  switch (word) {
    case "hello":
      console.log("hello papan 1 games * name JavaScript starter");
      break;
    case "position":
      position = rest.slice(3).join(" ");
      break;
    case "moves":
      moves = rest;
      break;
    case "go":
      console.log(`info thinking about ${position}`);
      console.log(`bestmove ${rest[0]} ${choose()}`);
      break;
    case "quit":
      process.exit(0);
  }
});

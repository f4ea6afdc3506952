//! A bot in the full form of the protocol (docs/protocol.md). Plays every game.
//!
//! Try it:  rustc -O -o examples/bots/starter-rs examples/bots/starter.rs
//!          papan match othello exec:examples/bots/starter-rs random

use std::io::{self, BufRead, Write};

/// A small generator of random numbers: the standard library has none.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Your idea goes here: give back one of the moves.
fn choose<'a>(_position: &str, moves: &'a [String], random: &mut Random) -> &'a str {
    &moves[random.below(moves.len())]
}

fn main() -> io::Result<()> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut position, mut moves) = (String::new(), Vec::new());
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["hello", ..] => writeln!(output, "hello papan 1 games * name Rust starter")?,
            ["newgame", .., seed] => random.0 ^= seed.parse::<u64>().unwrap_or(1) << 1,
            ["position", _game, _side, _ply, rest @ ..] => position = rest.join(" "),
            ["moves", rest @ ..] => moves = rest.iter().map(ToString::to_string).collect(),
            ["go", number, ..] => {
                writeln!(output, "bestmove {number} {}", choose(&position, &moves, &mut random))?;
            }
            ["quit", ..] => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

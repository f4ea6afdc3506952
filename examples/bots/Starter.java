// A bot in the full form of the protocol (docs/protocol.md). Plays every game.
//
// Try it:  javac -d examples/bots examples/bots/Starter.java
//          papan match othello "exec:java -cp examples/bots Starter" random

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

public class Starter {
    static final Random random = new Random();

    // Your idea goes here: give back one of the moves.
    static String choose(String position, String[] moves) {
        return moves[random.nextInt(moves.length)];
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        String position = "";
        String[] moves = {};
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" ", 2);
            String rest = words.length > 1 ? words[1] : "";
            switch (words[0]) {
                case "hello" -> say("hello papan 1 games * name Java starter");
                case "position" -> position = rest.split(" ", 4)[3];
                case "moves" -> moves = rest.split(" ");
                case "go" -> say("bestmove " + rest.split(" ")[0] + " " + choose(position, moves));
                case "quit" -> System.exit(0);
                default -> { }
            }
        }
    }
}

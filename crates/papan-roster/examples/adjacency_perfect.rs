//! Is every move of the Adjacency engine in the 8-round game a best move?
//!
//! ```text
//! cargo run --release -p papan-roster --example adjacency_perfect -- GAMES MILLISECONDS LEAST MOST [BOT …]
//! cargo run --release -p papan-roster --example adjacency_perfect -- 200 5000 0 4 mcts
//! cargo run --release -p papan-roster --example adjacency_perfect -- 200 5000 3 4 mcts:time=200ms
//! ```
//!
//! plays so many games against each bot (against every other bot if none is named), half of them
//! as first player, from LEAST to MOST random first plies in turn (none is the start). Afterwards the
//! exact solver, or the book for the first plies, values the position before and after each of the
//! engine's moves, which takes some seconds a game; a move that lost value is printed. Ends with code 1
//! if there was one.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use papan_core::{Budget, Game as _, MoveSet as _, Player, Position as _, Random};
use papan_engines::Deadline;
use papan_engines::adjacency::book::Book;
use papan_engines::adjacency::solver::{Detail, Solver, Task};
use papan_games::adjacency::{Adjacency, AdjacencyPosition};
use papan_roster::{bot_entries, build_bot};

/// MiB of the checking solver.
const TABLE: usize = 1024;

/// The final margin under best play for the side to move.
fn value(solver: &mut Solver, position: &AdjacencyPosition) -> i32 {
    let [first, second] = position.marks();
    let (own, opp) = if position.to_move() == Player::First { (first, second) } else { (second, first) };
    let plies = position.plies_left();
    if let Some(known) = Book::built_in().find(own, opp, plies) {
        return known.value;
    }
    let stop = AtomicBool::new(false);
    let task = Task { own, opp, plies, detail: Detail::Value, deadline: Deadline::until_stopped(&stop) };
    solver.solve(&task, &mut |_| {}).value().expect("nothing stops the solver")
}

/// A game's opening and the positions in which the engine chose, each with the position after.
type Decisions = Vec<(AdjacencyPosition, AdjacencyPosition)>;

fn play(
    game: &Adjacency,
    opponent: &str,
    number: u64,
    random_plies: &RangeInclusive<u64>,
    budget: &Budget,
) -> (Decisions, i32) {
    let mut random = Random::new(number);
    let mut position = game.start();
    let choices = random_plies.end() - random_plies.start() + 1;
    for _ in 0..random_plies.start() + number / 2 % choices {
        position = position.after(position.legal_moves().pick(random.bits()).expect("the game has just begun"));
    }
    let chair = if number.is_multiple_of(2) { Player::First } else { Player::Second };
    let mut engine = build_bot(game, "engine").expect("the engine is on the roster");
    let mut other = build_bot(game, opponent).expect("the bot is on the roster");
    engine.new_game(number);
    other.new_game(number);
    let mut decisions = Vec::new();
    while !position.is_over() {
        let own_turn = position.to_move() == chair;
        let bot = if own_turn { &mut engine } else { &mut other };
        let next = position.after(bot.choose(&position, budget).mv);
        if own_turn {
            decisions.push((position, next));
        }
        position = next;
    }
    let [first, second] = position.points();
    (decisions, if chair == Player::First { first - second } else { second - first })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(200);
    let limit = arguments.get(1).and_then(|word| word.parse().ok()).unwrap_or(5000);
    let budget = Budget::time(Duration::from_millis(limit));
    let number = |index: usize, default: u64| arguments.get(index).map_or(Some(default), |word| word.parse().ok());
    let (Some(least), Some(most)) = (number(2, 0), number(3, 4)) else {
        eprintln!("LEAST and MOST are numbers of random first plies");
        return ExitCode::from(2);
    };
    let random_plies = least..=most.max(least);
    let mut opponents: Vec<String> = arguments.into_iter().skip(4).collect();
    let game = Adjacency::new(8);
    if opponents.is_empty() {
        let every = bot_entries(&game);
        opponents = every.iter().map(|entry| entry.info.name.to_string()).filter(|name| name != "engine").collect();
    }
    let mut solver = Solver::new(false, std::thread::available_parallelism().map_or(1, Into::into), TABLE);
    let mut all_lost = 0;
    for opponent in &opponents {
        let (mut moves, mut lost, mut results) = (0, 0, [0; 3]);
        for number in 0..games {
            let (decisions, margin) = play(&game, opponent, number, &random_plies, &budget);
            results[(1 - margin.signum()) as usize] += 1;
            for (before, after) in &decisions {
                moves += 1;
                let (best, reached) = (value(&mut solver, before), -value(&mut solver, after));
                if reached < best {
                    lost += 1;
                    println!("game {number}: {best:+} before and {reached:+} after in {}", game.write_position(before));
                }
            }
        }
        let [won, drawn, defeats] = results;
        println!("{opponent}: {games} games, {won} won {drawn} drawn {defeats} lost; {moves} moves, {lost} lost value");
        all_lost += lost;
    }
    ExitCode::from(u8::from(all_lost > 0))
}

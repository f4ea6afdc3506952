//! What do two bots lose, by exact values, in the later part of the 28-round Adjacency game?
//!
//! ```text
//! cargo run --release -p papan-roster --example adjacency_losses -- PAIRS MILLISECONDS CELLS BOT OTHER
//! cargo run --release -p papan-roster --example adjacency_losses -- 5 1000 30 engine mcts
//! ```
//!
//! plays so many pairs of games from four random plies, each opening from both sides. When CELLS cells are
//! empty, every position that can still follow is valued, which takes as many bytes as there are subsets of
//! the cells: 1 GiB for 30, 16 GiB for 34. From there on each move is compared with the best one.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use papan_core::{Budget, Game as _, MoveSet as _, Player, Position as _, Random};
use papan_engines::Deadline;
use papan_engines::adjacency::filling::values::Values;
use papan_engines::adjacency::rule::Four;
use papan_games::adjacency::{Adjacency, AdjacencyPosition};
use papan_roster::build_bot;

const RANDOM_PLIES: u32 = 4;
/// 64 GiB of values.
const MOST_CELLS: u32 = 36;

/// A bot's games on one chair.
#[derive(Default)]
struct Chair {
    games: u32,
    /// The final margins that best play of both would have given from CELLS empty cells on, added up.
    deserved: i32,
    /// The final margins, added up.
    reached: i32,
    moves: u32,
    mistakes: u32,
    marks_lost: i32,
}

fn empty(position: &AdjacencyPosition) -> u64 {
    let [first, second] = position.marks();
    !(first | second)
}

fn sweep(position: &AdjacencyPosition) -> Values {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let stop = AtomicBool::new(false);
    Values::sweep::<Four>(empty(position), Deadline::until_stopped(&stop), threads).expect("nothing stops the sweep")
}

/// Plays one game; `chairs` are those of the first and of the second player.
fn play(game: &Adjacency, opening: u64, bots: [&str; 2], cells: u32, budget: &Budget, chairs: &mut [&mut Chair; 2]) {
    let mut random = Random::new(opening);
    let mut position = game.start();
    for _ in 0..RANDOM_PLIES {
        position = position.after(position.legal_moves().pick(random.bits()).expect("the game has just begun"));
    }
    let mut players = bots.map(|bot| build_bot(game, bot).expect("the names were tried out before"));
    players.iter_mut().for_each(|player| player.new_game(opening));
    let mut values: Option<Values> = None;
    let mut lost = [0; 2];
    while !position.is_over() {
        let seat = usize::from(position.to_move() == Player::Second);
        let left = empty(&position);
        if left.count_ones() == cells {
            values = Some(sweep(&position));
        }
        let mv = players[seat].choose(&position, budget).mv;
        if let Some(values) = &values {
            let loss = values.of(left) - values.after::<Four>(left, u32::from(mv.0));
            lost[seat] += loss;
            chairs[seat].moves += 1;
            chairs[seat].mistakes += u32::from(loss > 0);
        }
        position = position.after(mv);
    }
    let [first, second] = position.points();
    let margin = first - second;
    // What was lost on the way is what best play would have kept.
    let deserved = margin + lost[0] - lost[1];
    for (seat, sign) in [(0, 1), (1, -1)] {
        chairs[seat].games += 1;
        chairs[seat].reached += sign * margin;
        chairs[seat].deserved += sign * deserved;
        chairs[seat].marks_lost += lost[seat];
    }
    let [one, other] = bots;
    println!("opening {opening}: {one} {margin:+} {other}; {deserved:+} by best play from {cells} cells on");
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|word| word.parse::<u32>().ok());
    let (Some(pairs), Some(limit), Some(cells @ 1..=MOST_CELLS), [one, other]) =
        (number(0), number(1), number(2), arguments.get(3..).unwrap_or_default())
    else {
        eprintln!("adjacency_losses PAIRS MILLISECONDS CELLS BOT OTHER; CELLS from 1 to {MOST_CELLS}");
        return ExitCode::from(2);
    };
    let game = Adjacency::new(28);
    for bot in [one, other] {
        if let Err(error) = build_bot(&game, bot) {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    let budget = Budget::time(Duration::from_millis(u64::from(limit)));
    // By bot, then by seat.
    let mut table: [[Chair; 2]; 2] = Default::default();
    for opening in 0..u64::from(pairs) {
        let [[one_first, one_second], [other_first, other_second]] = &mut table;
        play(&game, opening, [one, other], cells, &budget, &mut [one_first, other_second]);
        play(&game, opening, [other, one], cells, &budget, &mut [other_first, one_second]);
    }
    for (bot, chairs) in [one, other].into_iter().zip(&table) {
        for (seat, chair) in ["first", "second"].into_iter().zip(chairs) {
            let games = f64::from(chair.games.max(1));
            println!(
                "{bot} as {seat}: {:+.2} marks a game deserved at {cells} cells, {:+.2} reached; \
                 {} moves, {} mistakes, {:.3} marks lost a move",
                f64::from(chair.deserved) / games,
                f64::from(chair.reached) / games,
                chair.moves,
                chair.mistakes,
                f64::from(chair.marks_lost) / f64::from(chair.moves.max(1)),
            );
        }
    }
    ExitCode::SUCCESS
}

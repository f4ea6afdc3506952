//! Whoever thinks for long says how far it is: every bot of every game.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use papan_core::Budget;
use papan_core::observer::Progress;

/// How often the search is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How long each bot may think.
const TIME: Duration = Duration::from_millis(700);
/// Measured, no bot is silent for 30 ms; five times a second would be enough. The rest is for machines that are busy
/// with other things.
const LONGEST_SILENCE: Duration = Duration::from_millis(400);
/// A busy machine may hold a search up now and then, but not each time.
const ATTEMPTS: usize = 4;

/// The longest time in which a search showed no change at all.
fn longest_silence(game: &str, position: Option<&str>, bot: &str, every_move: bool) -> Duration {
    let table = papan_roster::table(game, position).unwrap();
    let mut bot = papan_roster::bot(game, bot).unwrap();
    let progress = Progress::watched();
    let budget = Budget { progress: progress.clone(), every_move, ..Budget::time(TIME) };
    let (bests, is_done) = (Mutex::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let (mut seen, mut since, mut longest) = (None, Instant::now(), Duration::ZERO);
            while !is_done.load(Relaxed) {
                let now = Some((progress.nodes(), progress.depth(), *bests.lock().unwrap()));
                if now != seen {
                    (seen, since) = (now, Instant::now());
                }
                longest = longest.max(since.elapsed());
                thread::sleep(LOOK_EVERY);
            }
            longest
        });
        bot.choose_watched(&*table, &budget, &mut |_| *bests.lock().unwrap() += 1);
        is_done.store(true, Relaxed);
        watcher.join().unwrap()
    })
}

fn speaks(game: &str, position: Option<&str>, bot: &str, every_move: bool) {
    let silences: Vec<_> = (0..ATTEMPTS)
        .map(|_| longest_silence(game, position, bot, every_move))
        .take_while(|&silence| silence > LONGEST_SILENCE)
        .collect();
    assert!(silences.len() < ATTEMPTS, "{bot} on {game} was silent for {silences:?}");
}

/// A game on whose first position a bot can think for long.
const LARGE: [&str; 4] =
    ["tic-tac-toe:rows=15,cols=15,k=5", "adjacency:rounds=28", "dots-and-boxes:rows=5,cols=5", "othello"];

fn every_bot_speaks(game: &str) {
    for bot in papan_roster::bots(game).unwrap() {
        speaks(game, None, bot.name, false);
    }
}

#[test]
fn every_bot_of_tic_tac_toe_says_how_far_it_is() {
    every_bot_speaks(LARGE[0]);
}

#[test]
fn every_bot_of_adjacency_says_how_far_it_is() {
    every_bot_speaks(LARGE[1]);
}

#[test]
fn every_bot_of_dots_and_boxes_says_how_far_it_is() {
    every_bot_speaks(LARGE[2]);
}

#[test]
fn every_bot_of_othello_says_how_far_it_is() {
    every_bot_speaks(LARGE[3]);
}

/// Positions that an engine tries to solve, and large boards.
#[test]
fn engines_speak_while_they_prove_and_on_large_boards() {
    let othello = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let middle = "--XXXXX---OOOX-O-OOXXOXX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- O";
    for (game, position) in [
        ("othello", Some(othello)),
        ("othello", Some(middle)),
        ("othello:size=6", None),
        ("tic-tac-toe:rows=6,cols=6,k=4", None),
        ("tic-tac-toe:rows=5,cols=5,k=5", None),
        ("dots-and-boxes:rows=4,cols=4", None),
        ("dots-and-boxes:rows=10,cols=10", None),
        ("adjacency", None),
        ("adjacency:rounds=14", None),
        ("adjacency:rounds=20,neighbours=8", None),
        ("adjacency:rounds=28,neighbours=8", None),
    ] {
        speaks(game, position, "engine", false);
    }
}

/// What is told on the way is what is counted in the end: numbers on a page must not jump, nor stand still until the
/// one has caught up with the other.
#[test]
fn what_is_told_agrees_with_what_is_counted() {
    for game in LARGE {
        for name in ["engine", "alpha-beta", "mcts", "annealing"] {
            let table = papan_roster::table(game, None).unwrap();
            let mut bot = papan_roster::bot(game, name).unwrap();
            let progress = Progress::watched();
            let budget = Budget { progress: progress.clone(), ..Budget::time(TIME) };
            let counted = bot.choose(&*table, &budget).nodes;
            // Each thread tells of some thousands at once.
            let told = progress.nodes() + 50_000;
            assert!(told >= counted / 100 * 97, "{name} on {game} told of {told} positions and counted {counted}");
        }
    }
}

#[test]
fn engines_speak_while_they_value_every_move() {
    for game in LARGE {
        speaks(game, None, "engine", true);
    }
}

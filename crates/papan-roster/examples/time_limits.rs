//! How far bots overshoot a time limit.
//!
//! `cargo run --release -p papan-roster --example time_limits -- 100 1000`
//! asks every bot of every game for 1,000 moves of 100 ms in positions of
//! random games, and prints the longest time over the limit. A bot that is
//! always done earlier shows 0. A third argument names one game, a fourth one
//! bot.

use std::time::{Duration, Instant};

use papan_core::{Budget, MoveSet as _, Position as _, Random};
use papan_roster::{GameVisitor, Rostered, bot_entries, build_bot, with_game};

const GAMES: &[&str] = &[
    "tic-tac-toe",
    "tic-tac-toe:rows=15,cols=15,k=5",
    "adjacency:rounds=28",
    "dots-and-boxes",
    "dots-and-boxes:rows=10,cols=10",
    "othello",
];

struct Trial<'a> {
    limit: Duration,
    moves: usize,
    /// Only this bot.
    bot: Option<&'a str>,
}

impl GameVisitor for Trial<'_> {
    type Output = ();

    fn visit<G: Rostered>(self, game: G) {
        let wanted = |name: &str| self.bot.is_none_or(|bot| bot == name);
        for entry in bot_entries(&game).into_iter().filter(|entry| wanted(entry.info.name)) {
            let mut bot = build_bot(&game, entry.info.name).expect("a bot needs no options");
            let mut random = Random::new(1);
            let mut worst = Duration::ZERO;
            let mut position = game.start();
            for _ in 0..self.moves {
                let Some(mv) = position.legal_moves().pick(random.bits()) else {
                    position = game.start();
                    continue;
                };
                let started = Instant::now();
                bot.choose(&position, &Budget::time(self.limit));
                worst = worst.max(started.elapsed().saturating_sub(self.limit));
                position = position.after(mv);
            }
            println!("{:<34} {:<20} {:>8.1} ms over", game.spec(), entry.info.name, worst.as_secs_f64() * 1000.0);
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual| arguments.get(index).map_or(usual, |text| text.parse().expect("a whole number"));
    let limit = Duration::from_millis(number(0, 100));
    let moves = number(1, 1000) as usize;
    let games = arguments.get(2).map_or(GAMES.to_vec(), |game| vec![game.as_str()]);
    let bot = arguments.get(3).map(String::as_str);
    for spec in games {
        with_game(spec, None, Trial { limit, moves, bot }).expect("the game is on the roster");
    }
}

//! Matches between two bots: each opening is played twice, sides swapped.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use papan_core::table::{Table, TableBot};
use papan_core::{Player, Random, StopToken, mix};
use serde::Serialize;

use crate::game::{GameRecord, Limits, play_game};
use crate::openings::{Openings, random_opening};
use crate::statistics::{PairCounts, WinCounts};

/// Makes a fresh bot.
pub type BotMaker<'a> = &'a (dyn Fn() -> Box<dyn TableBot> + Sync);

/// A match to be played.
pub struct Contest<'a> {
    /// A table at the position that games start from.
    pub table: &'a dyn Table,
    /// The two bots' names.
    pub names: [String; 2],
    /// What makes each bot.
    pub bots: [BotMaker<'a>; 2],
    /// How many games; an odd last one has no partner.
    pub games: usize,
    /// What each pair starts from.
    pub openings: Openings,
    /// What openings and bots draw from.
    pub seed: u64,
    /// What each bot may spend on a move.
    pub limits: Limits,
    /// Games at the same time.
    pub jobs: usize,
    /// Ends the match after the games under way.
    pub stop: StopToken,
}

/// One game of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchGame {
    /// The name of the bot that moved first.
    pub first: String,
    /// The name of the bot that moved second.
    pub second: String,
    /// The moves that were made for them.
    pub opening: Vec<String>,
    /// What happened.
    #[serde(flatten)]
    pub record: GameRecord,
    /// Which of the two bots of the match (0 or 1) moved first.
    #[serde(skip)]
    pub first_bot: usize,
}

impl MatchGame {
    /// The first bot's points in halves: 0 lost, 1 drawn, 2 won.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.record.winner {
            None => 1,
            Some(winner) if (winner == Player::First) == (self.first_bot == 0) => 2,
            Some(_) => 0,
        }
    }
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games played.
    pub played: usize,
    /// Games in all.
    pub games: usize,
    /// The result so far.
    pub counts: WinCounts,
}

/// What came of a match, from the first bot's side.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchReport {
    /// Every game, in order.
    pub games: Vec<MatchGame>,
    /// Wins, draws and losses.
    pub counts: WinCounts,
    /// The same by pairs.
    pub pairs: PairCounts,
    /// How many of the games differ from all others.
    pub distinct_games: usize,
    /// Games won by whoever moved first, drawn, and lost.
    pub first_mover: WinCounts,
}

/// Plays a match. Games come out in the same order and the same way whatever
/// the number of jobs: each pair has its own opening and bots of its own,
/// both drawn from the seed and the pair's number.
pub fn play_match(contest: &Contest<'_>, progress: &(dyn Fn(Progress) + Sync)) -> MatchReport {
    let pairs = contest.games.div_ceil(2);
    let next = AtomicUsize::new(0);
    let done = Mutex::new((vec![Vec::new(); pairs], WinCounts::default()));
    let work = || {
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= pairs || contest.stop.is_stopped() {
                return;
            }
            let seed = mix(contest.seed ^ mix(pair as u64 + 1));
            let opening = random_opening(contest.table, contest.openings.plies(pair), &mut Random::new(seed));
            let mut bots = contest.bots.map(|make| make());
            for first_bot in 0..2.min(contest.games - 2 * pair) {
                let game = play_one(contest, &opening, &mut bots, first_bot, seed ^ first_bot as u64);
                let mut done = done.lock().expect("no job panics");
                count(&mut done.1, game.half_points());
                done.0[pair].push(game);
                progress(Progress { played: done.1.games() as usize, games: contest.games, counts: done.1 });
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..contest.jobs.max(1) {
            scope.spawn(work);
        }
    });
    let (by_pair, counts) = done.into_inner().expect("no job panics");
    report(by_pair, counts)
}

fn play_one(
    contest: &Contest<'_>,
    opening: &[String],
    bots: &mut [Box<dyn TableBot>; 2],
    first_bot: usize,
    seed: u64,
) -> MatchGame {
    let mut table = contest.table.fork();
    for mv in opening {
        table.play(mv).expect("openings are legal");
    }
    let [a, b] = bots;
    let (first, second) = if first_bot == 0 { (a, b) } else { (b, a) };
    first.new_game(seed);
    second.new_game(seed);
    MatchGame {
        first: contest.names[first_bot].clone(),
        second: contest.names[1 - first_bot].clone(),
        opening: opening.to_vec(),
        record: play_game(&mut *table, [&mut **first, &mut **second], &contest.limits),
        first_bot,
    }
}

fn count(counts: &mut WinCounts, half_points: usize) {
    match half_points {
        0 => counts.losses += 1,
        1 => counts.draws += 1,
        _ => counts.wins += 1,
    }
}

fn report(by_pair: Vec<Vec<MatchGame>>, counts: WinCounts) -> MatchReport {
    let mut pairs = PairCounts::default();
    let mut first_mover = WinCounts::default();
    let mut distinct = BTreeSet::new();
    for games in &by_pair {
        if let [a, b] = games.as_slice() {
            pairs.add(a.half_points() + b.half_points());
        }
        for game in games {
            distinct.insert([&game.opening[..], &game.record.moves[..]].concat());
            count(
                &mut first_mover,
                match game.record.winner {
                    None => 1,
                    Some(Player::First) => 2,
                    Some(Player::Second) => 0,
                },
            );
        }
    }
    MatchReport {
        games: by_pair.into_iter().flatten().collect(),
        counts,
        pairs,
        distinct_games: distinct.len(),
        first_mover,
    }
}

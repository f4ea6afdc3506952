//! Matches between two bots: each opening is played twice, sides swapped.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use papan_core::table::Table;
use papan_core::{ParseError, Player as Side, Random, StopToken, mix};
use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

use crate::cores;
use crate::openings::Openings;
use crate::player::Player;
use crate::referee::{self, GameRecord, Rules, Verdict};
use crate::statistics::{PairCounts, Sprt, SprtVerdict, WinCounts};

/// Makes a fresh player.
pub type PlayerMaker<'a> = &'a (dyn Fn() -> Player + Sync);

/// A match to be played.
pub struct Contest<'a> {
    /// A table at the position that games start from.
    pub table: &'a dyn Table,
    /// The two bots' names.
    pub names: [String; 2],
    /// What makes each player.
    pub players: [PlayerMaker<'a>; 2],
    /// How many games; an odd last one has no partner.
    pub games: usize,
    /// What each pair starts from.
    pub openings: Openings,
    /// What openings and bots draw from.
    pub seed: u64,
    /// What every game is played under; seed and label are set for each.
    pub rules: Rules,
    /// Games at the same time.
    pub jobs: usize,
    /// Ends the match as soon as its result is clear.
    pub sprt: Option<Sprt>,
    /// Ends the match: games under way are left, those that are over are kept.
    pub stop: StopToken,
}

/// What a pair of games starts from.
pub struct Opening {
    /// The moves that were made for the players, as text.
    pub moves: Vec<String>,
    /// A table at the position after them.
    pub table: Box<dyn Table>,
    numbers: Vec<u16>,
}

impl Opening {
    /// Makes `moves`, which must be legal, at a copy of `table`.
    ///
    /// # Panics
    /// If one of them is not.
    #[must_use]
    pub fn new(table: &dyn Table, moves: &[String]) -> Self {
        Self::read(table, moves).expect("openings are legal")
    }

    /// Makes `moves` at a copy of `table`, if they are legal; keeps them in
    /// canonical spelling.
    pub fn read(table: &dyn Table, moves: &[String]) -> Result<Self, ParseError> {
        let mut table = table.fork();
        let before = table.ply();
        let mut numbers = Vec::new();
        for mv in moves {
            table.play(mv)?;
            numbers.extend(table.last_index().and_then(|number| u16::try_from(number).ok()));
        }
        let moves = table.moves().split_off(before);
        Ok(Self { moves, table, numbers })
    }
}

/// One game of a match.
#[derive(Clone)]
pub struct MatchGame {
    /// The names of the two bots of the match.
    pub names: Arc<[String; 2]>,
    /// Which of them (0 or 1) moved first.
    pub first_bot: usize,
    /// What it started from.
    pub opening: Arc<Opening>,
    /// What happened.
    pub record: GameRecord,
}

impl MatchGame {
    /// The name of the bot that moved first.
    #[must_use]
    pub fn first(&self) -> &str {
        &self.names[self.first_bot]
    }

    /// The name of the bot that moved second.
    #[must_use]
    pub fn second(&self) -> &str {
        &self.names[1 - self.first_bot]
    }

    /// The moves after the opening.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.record.moves_text(&*self.opening.table)
    }

    /// The first bot's points in halves: 0 lost, 1 drawn, 2 won; `None` if the
    /// game does not count.
    #[must_use]
    pub fn half_points(&self) -> Option<usize> {
        self.record.counts.then(|| match self.record.winner {
            None => 1,
            Some(winner) if (winner == Side::First) == (self.first_bot == 0) => 2,
            Some(_) => 0,
        })
    }
}

impl Serialize for MatchGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = &self.record;
        let mut game = serializer.serialize_struct("MatchGame", 12)?;
        game.serialize_field("first", self.first())?;
        game.serialize_field("second", self.second())?;
        game.serialize_field("opening", &self.opening.moves)?;
        game.serialize_field("moves", &self.moves())?;
        game.serialize_field("times_us", &record.times)?;
        game.serialize_field("verdict", &record.verdict)?;
        game.serialize_field("counts", &record.counts)?;
        game.serialize_field("winner", &record.winner)?;
        game.serialize_field("score", &record.score)?;
        game.serialize_field("longest_move", &record.longest_move)?;
        game.serialize_field("faults", &record.faults)?;
        game.serialize_field("stderr", &record.stderr)?;
        game.end()
    }
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Games played.
    pub played: usize,
    /// Games in all.
    pub games: usize,
    /// The result so far.
    pub counts: WinCounts,
    /// The log-likelihood ratio so far, if there is a test.
    pub llr: Option<f64>,
}

/// What came of a match, from the first bot's side.
#[derive(Clone)]
pub struct MatchReport {
    /// Every game, in order.
    pub games: Vec<MatchGame>,
    /// How many there were to be: as many, unless the match was stopped.
    pub expected: usize,
    /// Wins, draws and losses.
    pub counts: WinCounts,
    /// The same by pairs.
    pub pairs: PairCounts,
    /// How many of the games differ from all others.
    pub distinct_games: usize,
    /// Games won by whoever moved first, drawn, and lost.
    pub first_mover: WinCounts,
    /// What the test says, if there was one.
    pub sprt: Option<SprtReport>,
}

impl MatchReport {
    /// Was it stopped before its end?
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.games.len() < self.expected
    }
}

/// What a sequential test says at the end of a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where the lower hypothesis is taken.
    pub llr_low: f64,
    /// Where the upper one is.
    pub llr_high: f64,
    /// Which it is.
    pub verdict: SprtVerdict,
}

impl SprtReport {
    fn new(test: Sprt, pairs: &PairCounts) -> Self {
        let llr = test.log_likelihood_ratio(&pairs.outcomes());
        let (llr_low, llr_high) = test.bounds();
        Self { test, llr, llr_low, llr_high, verdict: test.verdict(llr) }
    }
}

/// Plays a match. Games come out in the same order and the same way whatever
/// the number of jobs: each pair has its own opening and players of its own,
/// both drawn from the seed and the pair's number. A test looks at the pairs in
/// that order, and what was played beyond the pair that decides it is dropped:
/// it ends at the same game too.
pub fn play_match(contest: &Contest<'_>, progress: &(dyn Fn(Progress) + Sync)) -> MatchReport {
    let pairs = contest.games.div_ceil(2);
    let names = Arc::new(contest.names.clone());
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Done::new(pairs, contest.sprt));
    let cores = if contest.jobs > 1 && contest.rules.is_timed() { cores::allowed() } else { Vec::new() };
    let slots = AtomicUsize::new(0);
    let work = || {
        let slot = slots.fetch_add(1, Ordering::Relaxed);
        let core = (!cores.is_empty()).then(|| cores[slot % cores.len()]);
        if let Some(core) = core {
            cores::bind_this_thread(&[core]);
        }
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            let decided = done.lock().expect("no job panics").decided.is_some();
            if pair >= pairs || decided || contest.stop.is_stopped() {
                return;
            }
            let seed = mix(contest.seed ^ mix(pair as u64 + 1));
            let moves = contest.openings.of_pair(pair, contest.table, &mut Random::new(seed));
            let opening = Arc::new(Opening::new(contest.table, &moves));
            let mut players = contest.players.map(|make| make());
            for first_bot in 0..2.min(contest.games - 2 * pair) {
                let mut rules = contest.rules.clone();
                rules.seed = seed ^ first_bot as u64;
                rules.core = core;
                rules.label = format!("game-{}", 2 * pair + first_bot + 1);
                let record = play_one(&opening, &mut players, first_bot, &rules, &contest.stop);
                if record.verdict == Verdict::GivenUp {
                    return;
                }
                let game = MatchGame { names: names.clone(), first_bot, opening: opening.clone(), record };
                let mut done = done.lock().expect("no job panics");
                done.add(pair, game);
                let Done { played, counts, llr, .. } = *done;
                progress(Progress { played, games: contest.games, counts, llr });
            }
        }
    };
    thread::scope(|scope| {
        // More threads than pairs would have nothing to do.
        for _ in 0..contest.jobs.min(pairs).max(1) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no job panics");
    done.by_pair.truncate(done.decided.unwrap_or(pairs));
    let expected = done.decided.map_or(contest.games, |pairs| (2 * pairs).min(contest.games));
    report(done.by_pair, expected, contest.sprt)
}

/// The games that are over.
struct Done {
    by_pair: Vec<Vec<MatchGame>>,
    played: usize,
    counts: WinCounts,
    sprt: Option<Sprt>,
    /// How many pairs from the first on are whole, and how they ended.
    whole: usize,
    whole_pairs: PairCounts,
    llr: Option<f64>,
    /// How many pairs it took to decide the test.
    decided: Option<usize>,
}

impl Done {
    fn new(pairs: usize, sprt: Option<Sprt>) -> Self {
        Self {
            by_pair: vec![Vec::new(); pairs],
            played: 0,
            counts: WinCounts::default(),
            sprt,
            whole: 0,
            whole_pairs: PairCounts::default(),
            llr: None,
            decided: None,
        }
    }

    fn add(&mut self, pair: usize, game: MatchGame) {
        self.played += 1;
        if let Some(half_points) = game.half_points() {
            count(&mut self.counts, half_points);
        }
        self.by_pair[pair].push(game);
        while let Some([a, b]) = self.by_pair.get(self.whole).map(Vec::as_slice)
            && self.decided.is_none()
        {
            self.whole_pairs.add_games(a, b);
            self.whole += 1;
            if let Some(sprt) = self.sprt {
                let report = SprtReport::new(sprt, &self.whole_pairs);
                self.llr = Some(report.llr);
                self.decided = (report.verdict != SprtVerdict::Undecided).then_some(self.whole);
            }
        }
    }
}

impl PairCounts {
    /// Counts two games of one opening, if both count.
    fn add_games(&mut self, a: &MatchGame, b: &MatchGame) {
        if let (Some(a), Some(b)) = (a.half_points(), b.half_points()) {
            self.add(a + b);
        }
    }
}

fn play_one(
    opening: &Opening,
    players: &mut [Player; 2],
    first_bot: usize,
    rules: &Rules,
    stop: &StopToken,
) -> GameRecord {
    let mut table = opening.table.fork();
    let [a, b] = players;
    let (first, second) = if first_bot == 0 { (a, b) } else { (b, a) };
    referee::play_watched(&mut *table, [first, second], rules, stop, |_| {})
}

fn count(counts: &mut WinCounts, half_points: usize) {
    match half_points {
        0 => counts.losses += 1,
        1 => counts.draws += 1,
        _ => counts.wins += 1,
    }
}

fn report(by_pair: Vec<Vec<MatchGame>>, expected: usize, sprt: Option<Sprt>) -> MatchReport {
    let mut counts = WinCounts::default();
    let mut pairs = PairCounts::default();
    let mut first_mover = WinCounts::default();
    let mut distinct = HashSet::new();
    for games in &by_pair {
        if let [a, b] = games.as_slice() {
            pairs.add_games(a, b);
        }
        for game in games {
            distinct.insert([&game.opening.numbers[..], &game.record.moves[..]].concat());
            if let Some(points) = game.half_points() {
                count(&mut counts, points);
                count(&mut first_mover, if game.first_bot == 0 { points } else { 2 - points });
            }
        }
    }
    MatchReport {
        games: by_pair.into_iter().flatten().collect(),
        expected,
        counts,
        pairs,
        distinct_games: distinct.len(),
        first_mover,
        sprt: sprt.map(|sprt| SprtReport::new(sprt, &pairs)),
    }
}

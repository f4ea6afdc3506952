//! The referee: alone decides what is legal, measures the time, and gives
//! each fault its verdict and its penalty.

mod record;
mod rules;

use std::time::Instant;

use papan_core::error::redacted;
use papan_core::table::Table;
use papan_core::{Budget, Player as Side, Random, StopToken};

pub use record::{Fault, GameRecord, Verdict};
pub use rules::{Clock, Limits, Penalty, Policies, Rules};
pub(crate) use rules::{Clocks, Turn};

use crate::player::{Chosen, Misstep, Player};

/// Plays from the table's position to the end; `players` sit as first and
/// second. Whatever a player does, the game ends with a record: a player that
/// dies, hangs or cheats is stopped and judged by the rules' policies. Outside
/// programs are started for this game and ended with it, with everything that
/// they started.
pub fn play(table: &mut dyn Table, players: [&mut Player; 2], rules: &Rules) -> GameRecord {
    play_watched(table, players, rules, &StopToken::new(), |_| {})
}

/// As [`play`]; `watch` sees the table at the start and after each move, and
/// `stop` ends the game at once, inside a search or a program's time too: it is
/// then [`Verdict::GivenUp`], and does not count.
pub fn play_watched(
    table: &mut dyn Table,
    players: [&mut Player; 2],
    rules: &Rules,
    stop: &StopToken,
    mut watch: impl FnMut(&dyn Table),
) -> GameRecord {
    let [first, second] = players;
    first.seat().begin(table, Side::First, rules, stop);
    second.seat().begin(table, Side::Second, rules, stop);
    let stderr = [first.seat().stderr_file(), second.seat().stderr_file()];
    let mut game = Course {
        moves: Vec::with_capacity(16),
        times: Vec::with_capacity(16),
        longest: [0; 2],
        faults: Vec::new(),
        random: None,
        clocks: rules.clock.map(Clocks::new),
        budget: rules.budget(stop),
    };
    let mut ending = None;
    watch(table);
    let mut started = Instant::now();
    while ending.is_none() && !table.is_over() {
        let side = table.to_move();
        let player = if side == Side::First { &mut *first } else { &mut *second };
        ending = game.step(table, player, side, rules, &mut started);
        if stop.is_stopped() && !table.is_over() {
            // Whatever was chosen just now was chosen in haste.
            ending = Some((Verdict::GivenUp, Penalty::Skip));
        }
        watch(table);
    }
    first.seat().end();
    second.seat().end();
    let longest_move = game.longest.map(|micros| f64::from(micros) / 1e6);
    let Course { moves, times, faults, .. } = game;
    let score = table.points();
    let (verdict, counts, winner) = match ending {
        None => (Verdict::Finished, true, table.margin().leader()),
        Some((verdict, Penalty::Skip)) => (verdict, false, None),
        Some((verdict, _)) => (verdict, true, Some(table.to_move().other())),
    };
    GameRecord { moves, times, verdict, counts, winner, score, longest_move, faults, stderr }
}

/// A game under way.
struct Course {
    moves: Vec<u16>,
    times: Vec<u32>,
    longest: [u32; 2],
    faults: Vec<Fault>,
    random: Option<Random>,
    clocks: Option<Clocks>,
    budget: Budget,
}

impl Course {
    /// One move, or the fault that ends the game. `started` is when the turn
    /// began and is set to when the next one does: not before everything of
    /// this player has stopped.
    fn step(
        &mut self,
        table: &mut dyn Table,
        player: &mut Player,
        side: Side,
        rules: &Rules,
        started: &mut Instant,
    ) -> Option<(Verdict, Penalty)> {
        let turn = Turn { side: side.index(), rules, clocks: self.clocks.as_ref(), budget: &self.budget };
        let answer = player.seat().choose(table, &turn, started);
        let used = started.elapsed();
        let limit = turn.hard_limit();
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(side.index(), used);
        }
        // A bot in this process cannot be interrupted: lateness is found here.
        let answer = match (answer, limit) {
            (Ok(Chosen::Index(_)), Some(limit)) if used > limit + rules.margin => Err(Misstep::late(used, limit)),
            (answer, _) => answer,
        };
        let played = answer.and_then(|chosen| make(table, player, chosen));
        let ending = match played {
            Ok(()) => None,
            Err(misstep) => self.judge(table, side, rules, misstep),
        };
        player.seat().rest();
        *started = Instant::now();
        if ending.is_none() {
            let mv = table.last_index().expect("a move was made");
            self.moves.push(u16::try_from(mv).expect("moves are small numbers"));
            let micros = u32::try_from(used.as_micros()).unwrap_or(u32::MAX);
            self.times.push(micros);
            self.longest[side.index()] = self.longest[side.index()].max(micros);
        }
        ending
    }

    /// Notes a fault; makes the random move if that is its penalty.
    fn judge(
        &mut self,
        table: &mut dyn Table,
        side: Side,
        rules: &Rules,
        misstep: Misstep,
    ) -> Option<(Verdict, Penalty)> {
        let Misstep { verdict, detail } = misstep;
        let penalty = rules.policies.penalty(verdict);
        let detail = redacted(&detail);
        self.faults.push(Fault { ply: self.moves.len(), side, verdict, penalty, detail });
        if penalty != Penalty::Random {
            return Some((verdict, penalty));
        }
        let random = self.random.get_or_insert_with(|| Random::new(rules.seed));
        let legal = table.legal_moves();
        table.play(&legal[random.below(legal.len())]).expect("a listed move is legal");
        None
    }
}

/// Makes the chosen move, if it is legal.
fn make(table: &mut dyn Table, player: &mut Player, chosen: Chosen) -> Result<(), Misstep> {
    match chosen {
        Chosen::Index(index) if table.play_index(index) => Ok(()),
        Chosen::Index(index) => {
            Err(Misstep { verdict: Verdict::Illegal, detail: format!("move number {index} is not legal") })
        }
        Chosen::Text(text) => table.play(&text).map_err(|error| {
            player.seat().tell_illegal(error.message());
            Misstep { verdict: Verdict::Illegal, detail: error.message().to_owned() }
        }),
    }
}

//! Who plays: a bot in this process, or a program outside it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use papan_core::table::{Table, TableBot};
use papan_core::{Player as Side, StopToken};

use crate::outside::{OutsideProgram, Seat};
use crate::referee::{Rules, Turn, Verdict};

/// A player of a game: a bot in this process, or an outside program. It may
/// play many games, one after another, in any of the two chairs.
pub struct Player {
    name: String,
    kind: Kind,
}

enum Kind {
    InProcess(Box<dyn TableBot>),
    Outside(Box<Seat>),
}

/// A player's answer, not yet checked.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// A move by number.
    Index(usize),
    /// A move as text.
    Text(String),
}

/// What a player did wrong, not yet judged.
#[derive(Clone, Debug)]
pub(crate) struct Misstep {
    pub(crate) verdict: Verdict,
    pub(crate) detail: String,
}

impl Misstep {
    pub(crate) fn new(verdict: Verdict, detail: impl Into<String>) -> Self {
        Self { verdict, detail: detail.into() }
    }

    pub(crate) fn late(used: Duration, limit: Duration) -> Self {
        let words = format!("{} ms used, {} ms allowed", used.as_millis(), limit.as_millis());
        Self::new(Verdict::Timeout, words)
    }
}

impl Player {
    /// A bot in this process.
    #[must_use]
    pub fn in_process(name: impl Into<String>, bot: Box<dyn TableBot>) -> Self {
        Self { name: name.into(), kind: Kind::InProcess(bot) }
    }

    /// A program outside this process; it is started anew for each game.
    #[must_use]
    pub fn outside(name: impl Into<String>, program: OutsideProgram) -> Self {
        Self { name: name.into(), kind: Kind::Outside(Box::new(Seat::new(program))) }
    }

    /// The player's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gets ready for a game. A program that cannot be started is found out
    /// when it is first asked.
    pub(crate) fn begin(&mut self, table: &dyn Table, side: Side, rules: &Rules, stop: &StopToken) {
        match &mut self.kind {
            Kind::InProcess(bot) => bot.new_game(rules.seed),
            Kind::Outside(seat) => seat.begin(table, side, rules, stop),
        }
    }

    /// Asks for a move. `started` is moved to the moment at which the player's
    /// own time begins: after a program's start-up.
    pub(crate) fn choose(
        &mut self,
        table: &dyn Table,
        turn: &Turn<'_>,
        started: &mut Instant,
    ) -> Result<Chosen, Misstep> {
        match &mut self.kind {
            Kind::InProcess(bot) => {
                let budget = turn.budget();
                catch_unwind(AssertUnwindSafe(|| Chosen::Index(bot.choose_index(table, &budget))))
                    .map_err(|_| Misstep::new(Verdict::Crash, "the bot panicked"))
            }
            Kind::Outside(seat) => seat.choose(table, turn, started).map(Chosen::Text),
        }
    }

    /// It is not the player's turn: a program is stopped until it is asked.
    pub(crate) fn rest(&mut self) {
        if let Kind::Outside(seat) = &mut self.kind {
            seat.rest();
        }
    }

    /// Tells a program why its move was refused.
    pub(crate) fn tell_illegal(&mut self, reason: &str) {
        if let Kind::Outside(seat) = &mut self.kind {
            seat.tell_illegal(reason);
        }
    }

    /// The game is over.
    pub(crate) fn end(&mut self) {
        if let Kind::Outside(seat) = &mut self.kind {
            seat.end();
        }
    }

    /// Where the program's standard error of this game goes.
    pub(crate) fn stderr_file(&self) -> Option<PathBuf> {
        match &self.kind {
            Kind::InProcess(_) => None,
            Kind::Outside(seat) => seat.stderr_file(),
        }
    }
}

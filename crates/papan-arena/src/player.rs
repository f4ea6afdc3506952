//! Who plays: a bot in this process, or a program outside it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use papan_core::table::{Table, TableBot};
use papan_core::{Player as Side, StopToken};

use crate::referee::{Rules, Turn, Verdict};

/// A player of a game: a bot in this process, or an outside program. It may
/// play many games, one after another, in any of the two chairs.
pub struct Player {
    name: String,
    seat: Box<dyn Seat>,
}

/// What the referee asks of whoever sits there.
pub(crate) trait Seat: Send {
    /// Gets ready for a game. What cannot be started is found out when it is
    /// first asked.
    fn begin(&mut self, table: &dyn Table, side: Side, rules: &Rules, stop: &StopToken);

    /// Asks for a move. `started` is moved to the moment at which the player's
    /// own time begins: after a program's start-up.
    fn choose(&mut self, table: &dyn Table, turn: &Turn<'_>, started: &mut Instant) -> Result<Chosen, Misstep>;

    /// It is not the player's turn: a program is stopped until it is asked.
    fn rest(&mut self) {}

    /// Tells a program why its move was refused.
    fn tell_illegal(&mut self, _reason: &str) {}

    /// The game is over.
    fn end(&mut self) {}

    /// Where the program's standard error of this game goes.
    fn stderr_file(&self) -> Option<PathBuf> {
        None
    }
}

/// A player's answer, not yet checked.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// A move by number.
    Index(usize),
    /// A move as text.
    #[cfg_attr(not(feature = "processes"), expect(dead_code, reason = "only programs answer in words"))]
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

impl Seat for Box<dyn TableBot> {
    fn begin(&mut self, _table: &dyn Table, _side: Side, rules: &Rules, _stop: &StopToken) {
        self.new_game(rules.seed);
    }

    fn choose(&mut self, table: &dyn Table, turn: &Turn<'_>, _started: &mut Instant) -> Result<Chosen, Misstep> {
        let budget = turn.budget();
        catch_unwind(AssertUnwindSafe(|| Chosen::Index(self.choose_index(table, &budget))))
            .map_err(|_| Misstep::new(Verdict::Crash, "the bot panicked"))
    }
}

impl Player {
    /// A bot in this process.
    #[must_use]
    pub fn in_process(name: impl Into<String>, bot: Box<dyn TableBot>) -> Self {
        Self { name: name.into(), seat: Box::new(bot) }
    }

    /// A program outside this process; it is started anew for each game.
    #[cfg(feature = "processes")]
    #[must_use]
    pub fn outside(name: impl Into<String>, program: crate::OutsideProgram) -> Self {
        Self { name: name.into(), seat: Box::new(crate::outside::ProgramSeat::new(program)) }
    }

    /// The player's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the player sits.
    pub(crate) fn seat(&mut self) -> &mut dyn Seat {
        &mut *self.seat
    }
}

//! Where there is no sandbox there are no outside programs.

use std::time::Instant;

use papan_core::table::Table;
use papan_core::{Player as Side, StopToken};

use super::OutsideProgram;
use crate::player::{Chosen, Misstep, Seat};
use crate::referee::{Rules, Turn, Verdict};

/// A chair that stays empty.
pub(crate) struct ProgramSeat;

impl ProgramSeat {
    pub(crate) fn new(_program: OutsideProgram) -> Self {
        Self
    }
}

impl Seat for ProgramSeat {
    fn begin(&mut self, _table: &dyn Table, _side: Side, _rules: &Rules, _stop: &StopToken) {}

    fn choose(&mut self, _table: &dyn Table, _turn: &Turn<'_>, _started: &mut Instant) -> Result<Chosen, Misstep> {
        Err(Misstep::new(Verdict::Crash, "outside programs need Linux"))
    }
}

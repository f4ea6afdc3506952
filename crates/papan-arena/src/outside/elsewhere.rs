//! Where there is no sandbox there are no outside programs.

use std::path::PathBuf;
use std::time::Instant;

use papan_core::table::Table;
use papan_core::{Player as Side, StopToken};

use super::OutsideProgram;
use crate::player::Misstep;
use crate::referee::{Rules, Turn, Verdict};

/// A chair that stays empty.
pub(crate) struct Seat;

impl Seat {
    pub(crate) fn new(_program: OutsideProgram) -> Self {
        Self
    }

    pub(crate) fn begin(&mut self, _table: &dyn Table, _side: Side, _rules: &Rules, _stop: &StopToken) {}

    pub(crate) fn choose(
        &mut self,
        _table: &dyn Table,
        _turn: &Turn<'_>,
        _started: &mut Instant,
    ) -> Result<String, Misstep> {
        Err(Misstep::new(Verdict::Crash, "outside programs need Linux"))
    }

    pub(crate) fn rest(&mut self) {}

    pub(crate) fn tell_illegal(&mut self, _reason: &str) {}

    pub(crate) fn end(&mut self) {}

    pub(crate) fn stderr_file(&self) -> Option<PathBuf> {
        None
    }
}

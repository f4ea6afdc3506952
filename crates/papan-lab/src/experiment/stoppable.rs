//! A bot that can be stopped from outside in the middle of a game.

use papan_core::observer::{Recorder, Tally};
use papan_core::table::{Choice, Table, TableBot, Thought};
use papan_core::{Budget, StopToken};

/// A bot whose searches end at once when `stop` says so. A match gives its bots
/// no token of its own; a game in which both are stopped ends in no time, since
/// every bot has a legal move ready.
pub(super) struct Stoppable {
    bot: Box<dyn TableBot>,
    stop: StopToken,
}

impl Stoppable {
    pub(super) fn new(bot: Box<dyn TableBot>, stop: &StopToken) -> Self {
        Self { bot, stop: stop.clone() }
    }

    fn stoppable(&self, budget: &Budget) -> Budget {
        Budget { stop: self.stop.clone(), ..budget.clone() }
    }
}

impl TableBot for Stoppable {
    fn choose_watched(&mut self, table: &dyn Table, budget: &Budget, watch: &mut dyn FnMut(Thought)) -> Choice {
        self.bot.choose_watched(table, &self.stoppable(budget), watch)
    }

    fn choose_tallied(&mut self, table: &dyn Table, budget: &Budget) -> (Choice, Tally) {
        self.bot.choose_tallied(table, &self.stoppable(budget))
    }

    fn choose_recorded(&mut self, table: &dyn Table, budget: &Budget, limit: usize) -> (Choice, Recorder) {
        self.bot.choose_recorded(table, &self.stoppable(budget), limit)
    }

    fn choose_index(&mut self, table: &dyn Table, budget: &Budget) -> usize {
        self.bot.choose_index(table, &self.stoppable(budget))
    }

    fn new_game(&mut self, number: u64) {
        self.bot.new_game(number);
    }
}

//! The counts of a search.

use papan_core::Text;
use papan_core::observer::PlyCount;
use papan_roster::advice::Readable;
use serde::Serialize;

use super::{PSEUDOCODE, PseudocodeLine, SearchTrace};

/// A search in numbers: the same numbers as `analyse` prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The game with its options.
    pub game: String,
    /// The position searched.
    pub position: String,
    /// The bot.
    pub bot: String,
    /// The move chosen.
    pub best: String,
    /// Its value for the player to move, as `analyse` has it.
    #[serde(flatten)]
    pub readable: Readable,
    /// Was the search stopped before its end?
    pub partial: bool,
    /// The expected line.
    pub pv: Vec<String>,
    /// The chosen move, its value in the tree and the expected line, in words.
    pub conclusion: Text,
    /// Plies of look-ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Leaves among them.
    pub leaves: u64,
    /// Positions whose remaining moves were skipped.
    pub cuts: u64,
    /// Positions kept: those that can be looked at.
    pub kept: u32,
    /// Steps that can be walked through.
    pub steps: u64,
    /// Positions, leaves and cuts by ply.
    pub by_ply: Vec<PlyCount>,
    /// The algorithm.
    pub pseudocode: Vec<PseudocodeLine>,
}

impl SearchTrace {
    /// Was the search stopped inside the position that it began from last?
    pub(super) fn was_stopped(&self) -> bool {
        self.record.roots().last().is_none_or(|root| self.known(root).is_none())
    }

    /// The search in numbers.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let tally = &self.record.tally;
        Summary {
            game: self.table.spec(),
            position: self.table.position(),
            bot: self.bot.clone(),
            best: self.choice.mv.clone(),
            readable: if self.choice.is_valued() {
                Readable::new(&*self.table, &self.bot, self.choice.score, self.choice.exactness)
            } else {
                Readable::UNKNOWN
            },
            partial: self.was_stopped(),
            pv: self.choice.pv.clone(),
            conclusion: self.conclusion(),
            depth: self.choice.depth,
            nodes: tally.nodes,
            leaves: tally.leaves(),
            cuts: tally.cuts,
            kept: self.kept(),
            steps: self.steps(),
            by_ply: self.record.by_ply.clone(),
            pseudocode: PSEUDOCODE.to_vec(),
        }
    }
}

//! A recorded tree search: its positions, its steps, its cuts in words.

mod explain;
mod line;
mod node;
mod steps;
mod summary;

pub use explain::{PSEUDOCODE, PseudocodeLine};
pub use node::{CutView, Layer, NodeView};
pub use steps::{Standing, StepKind, StepView};
pub use summary::Summary;

use papan_core::observer::{NodeRecord, Recorder};
use papan_core::scene::Scene;
use papan_core::table::{Choice, Table, TableBot};
use papan_core::{Bound, Budget, Player, Score, Window, seen_by};

/// What a search found out about a position, as MAX sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The number that the search came back with.
    pub score: Score,
    /// What the number says of the value.
    pub bound: Bound,
}

/// A search that was run and kept. MAX is whoever is to move at its root, and
/// all values and windows are shown from MAX's chair.
pub struct SearchTrace {
    /// Where the search began; moves on it lead where the search saw them lead.
    table: Box<dyn Table>,
    bot: String,
    choice: Choice,
    record: Recorder,
    /// The board at the root, which knows what moves are called.
    scene: Scene,
    /// The positions of best play, the root first.
    line: Vec<u32>,
}

impl SearchTrace {
    /// Runs `bot`, called `name`, on the table's position and keeps the first
    /// `limit` positions of its tree. The game must not be over.
    #[must_use]
    pub fn run(table: &dyn Table, name: &str, bot: &mut dyn TableBot, budget: &Budget, limit: usize) -> Self {
        let (choice, record) = bot.choose_recorded(table, budget, limit);
        let line = line::of_best_play(table, &choice, &record);
        let table = bot.foresight(table);
        let scene = table.scene();
        Self { table, bot: name.to_owned(), choice, record, scene, line }
    }

    /// Did the bot search a tree of minimax values? A Monte Carlo search enters
    /// its positions again and again, and other bots report none.
    #[must_use]
    pub fn is_tree(&self) -> bool {
        !self.record.nodes.is_empty() && self.record.visits.is_empty()
    }

    /// The bot's name with its options.
    #[must_use]
    pub fn bot(&self) -> &str {
        &self.bot
    }

    /// What was recorded.
    #[must_use]
    pub fn record(&self) -> &Recorder {
        &self.record
    }

    /// What the bot answered.
    #[must_use]
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// What the search found out about a kept position; `None` if it was
    /// stopped inside. Whatever is shown of a position's value comes from here.
    #[must_use]
    pub fn known(&self, node: u32) -> Option<Known> {
        let node = self.node_record(node);
        let (score, bound) = node.score.zip(node.bound())?;
        Some(Known { score: self.for_max(score, node.to_move), bound: seen_by(bound, node.to_move, self.max()) })
    }

    /// The kept positions of best play as the search sees it, from its root on:
    /// those that its chosen move and its expected line lead through. Empty if
    /// the search was stopped before it finished a move.
    #[must_use]
    pub fn best_line(&self) -> &[u32] {
        &self.line
    }

    /// How many positions were kept.
    #[must_use]
    pub fn kept(&self) -> u32 {
        self.record.nodes.len() as u32
    }

    /// The table at a kept position.
    #[must_use]
    pub fn table_at(&self, node: u32) -> Box<dyn Table> {
        let mut table = self.table.fork();
        for mv in self.line_to(node) {
            let is_legal = table.play_index(usize::from(mv));
            assert!(is_legal, "a search plays only legal moves");
        }
        table
    }

    /// The kept positions from a root down to `node`.
    #[must_use]
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        let mut path: Vec<u32> = std::iter::successors(Some(node), |&node| self.node_record(node).parent).collect();
        path.reverse();
        path
    }

    fn line_to(&self, node: u32) -> Vec<u16> {
        self.path_to(node).into_iter().filter_map(|node| self.node_record(node).mv).collect()
    }

    fn node_record(&self, node: u32) -> &NodeRecord {
        &self.record.nodes[node as usize]
    }

    fn max(&self) -> Player {
        self.table.to_move()
    }

    /// A value of `chair` as MAX sees it.
    fn for_max(&self, score: Score, chair: Player) -> Score {
        seen_by(score, chair, self.max())
    }

    fn window_for_max(&self, window: Window, chair: Player) -> Window {
        seen_by(window, chair, self.max())
    }
}

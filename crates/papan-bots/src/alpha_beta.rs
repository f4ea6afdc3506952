//! Alpha-beta: minimax that skips what cannot matter.

mod ordering;
mod search;
mod table;

use papan_core::{
    Bot, BotInfo, Budget, Decision, Evaluation, Game, MoveOf, MoveSet as _, Observer, Position as _, Settings,
    StopToken, Text,
};

use self::ordering::{Order, Sorter};
use self::search::{Node, Search};
use crate::GeneralBot;
use crate::common::{GameRandom, Horizon, Limits, choice, chosen_evaluation, eval_option, integer, shared_options};
use crate::tree::{Root, RootWindow, Tree};

/// The depth where nothing else says how deep to look.
const UNLIMITED_DEPTH: u32 = 4;

/// Plays the move that minimax would, with fewer positions visited.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Game> {
    eval: Evaluation<G::Position>,
    horizon: Horizon,
    limits: Limits,
    root_window: RootWindow,
    search: Search<G>,
}

impl<G: Game> GeneralBot<G> for AlphaBeta<G> {
    fn info() -> BotInfo {
        let mut options = Horizon::options(UNLIMITED_DEPTH);
        options.push(eval_option::<G>());
        options.extend(own_options());
        options.extend(shared_options());
        BotInfo {
            name: "alpha-beta",
            title: Text::new("Alpha-beta", "Alpha-beta"),
            about: Text::new(
                "Plays as minimax does, but skips every line that a better one elsewhere makes irrelevant, and deepens step by step under a time limit.",
                "Bermain seperti minimax, tetapi melewati setiap jalur yang tidak lagi berpengaruh karena ada yang lebih baik, dan memperdalam bertahap bila waktu dibatasi.",
            ),
            options,
            searches_tree: true,
        }
    }

    fn from_settings(game: &G, settings: &Settings) -> Self {
        let all_values = settings.choice("values") == "all";
        Self {
            eval: chosen_evaluation::<G>(settings),
            horizon: Horizon::from_settings(game, settings, UNLIMITED_DEPTH),
            limits: Limits::from_settings(settings),
            root_window: if all_values { RootWindow::Full } else { RootWindow::Running },
            search: Search {
                sorter: Sorter::new(game, Order::named(settings.choice("order")), GameRandom::from_settings(settings)),
                megabytes: settings.integer("table") as usize,
                table: None,
            },
        }
    }
}

fn own_options() -> [papan_core::OptionSpec; 3] {
    [
        choice(
            "order",
            Order::NAMES,
            Text::new(
                "Which moves are tried first: natural (as the game lists them), preference (by place, such as the centre), evaluation (by the evaluation after the move), random.",
                "Langkah mana yang dicoba dahulu: natural (urutan permainan), preference (menurut tempat, misalnya tengah), evaluation (menurut nilai setelah langkah), random (acak).",
            ),
        ),
        integer(
            "table",
            0..=4096,
            Some(0),
            Text::new(
                "Megabytes for positions already searched, 0 for none.",
                "Megabita untuk posisi yang sudah dicari, 0 tanpa tabel.",
            ),
        ),
        choice(
            "values",
            &["best", "all"],
            Text::new(
                "best: moves that are no better than the best get only an upper bound; all: every move gets its own value, at the price of fewer cuts.",
                "best: langkah yang tidak lebih baik hanya mendapat batas atas; all: setiap langkah mendapat nilainya sendiri, dengan lebih sedikit pemangkasan.",
            ),
        ),
    ]
}

impl<G: Game> AlphaBeta<G> {
    /// The bot that `settings` describe, with an evaluation that the game does
    /// not list.
    #[must_use]
    pub fn with_evaluation(self, eval: Evaluation<G::Position>) -> Self {
        Self { eval, ..self }
    }
}

impl<G: Game> Bot<G::Position> for AlphaBeta<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<MoveOf<G>> {
        let budget = self.limits.cap(budget);
        let meter = budget.start();
        let depths = self.horizon.depths(&budget);
        let root_window = if budget.every_move { RootWindow::Full } else { self.root_window };
        let filler = position.legal_moves().nth(0);
        let mut tree = Tree::new(&self.eval, position, meter, observer, *depths.end(), filler);
        let order = self.search.sorter.root_order(position, &self.eval);
        let mut root = Root::new(order).with_whole_depths(budget.every_move);
        let search = &mut self.search;
        search.sorter.reset();
        search.lay_out_table(&budget.stop);
        if let Some(table) = &mut search.table {
            table.new_position();
        }
        for depth in depths {
            if let Some(table) = &mut search.table {
                table.new_search();
            }
            root.search(&mut tree, position, depth, root_window, |tree, after, mv, window| {
                search.value(tree, after, mv, Node { ply: 1, depth: depth - 1, window })
            });
            if root.is_complete || tree.meter.stopped() {
                break;
            }
        }
        root.decision(&tree)
    }

    fn new_game(&mut self, number: u64) {
        self.search.sorter.new_game(number);
        // Before the clock runs, if it can be had.
        self.search.lay_out_table(&StopToken::new());
    }
}

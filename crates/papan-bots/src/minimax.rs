//! Plain minimax: every line, no cut. Slow, obvious, and the reference that
//! every other search is checked against.

use papan_core::{
    Bot, BotInfo, Budget, Decision, Evaluation, Game, MoveSet as _, Observer, Position, Score, Settings, Text, Window,
    seen_by,
};

use crate::GeneralBot;
use crate::common::{Horizon, Limits, chosen_evaluation, eval_option, shared_options};
use crate::tree::{Root, RootWindow, Tree};

/// The depth where nothing else says how deep to look.
const UNLIMITED_DEPTH: u32 = 3;

/// Plays the best move of the whole tree to its horizon.
#[derive(Clone, Debug)]
pub struct Minimax<G: Game> {
    eval: Evaluation<G::Position>,
    horizon: Horizon,
    limits: Limits,
}

impl<G: Game> GeneralBot<G> for Minimax<G> {
    fn info() -> BotInfo {
        let mut options = Horizon::options(UNLIMITED_DEPTH);
        options.push(eval_option::<G>());
        options.extend(shared_options());
        BotInfo {
            name: "minimax",
            title: Text::new("Minimax", "Minimax"),
            about: Text::new(
                "Looks at every line to the end of the game or to a depth, assumes that both play their best, and takes the first best move.",
                "Memeriksa semua jalur sampai akhir permainan atau sampai kedalaman tertentu, menganggap keduanya bermain sebaik mungkin, lalu memilih langkah terbaik yang pertama.",
            ),
            options,
            searches_tree: true,
        }
    }

    fn from_settings(game: &G, settings: &Settings) -> Self {
        Self {
            eval: chosen_evaluation::<G>(settings),
            horizon: Horizon::from_settings(game, settings, UNLIMITED_DEPTH),
            limits: Limits::from_settings(settings),
        }
    }
}

impl<G: Game> Minimax<G> {
    /// Minimax to `depth` with an evaluation that the game does not list.
    #[must_use]
    pub fn with_evaluation(game: &G, eval: Evaluation<G::Position>, depth: u32) -> Self {
        Self { eval, horizon: Horizon::fixed(game, depth), limits: Limits::default() }
    }
}

impl<G: Game> Bot<G::Position> for Minimax<G> {
    fn choose_observed<O: Observer<G::Position>>(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<<G::Position as Position>::Move> {
        let budget = self.limits.cap(budget);
        let depths = self.horizon.depths(&budget);
        let moves = position.legal_moves();
        let mut tree = Tree::new(&self.eval, position, budget.start(), observer, *depths.end(), moves.nth(0));
        let mut root = Root::new(moves).with_whole_depths(budget.every_move);
        for depth in depths {
            root.search(&mut tree, position, depth, RootWindow::Full, |tree, after, mv, _| {
                value(tree, after, mv, 1, depth - 1)
            });
            if root.is_complete || tree.meter.stopped() {
                break;
            }
        }
        root.decision(&tree)
    }
}

/// The value of `position` for its player to move, `depth` plies deep.
fn value<P: Position, O: Observer<P>>(
    tree: &mut Tree<'_, P, O>,
    position: &P,
    mv: P::Move,
    ply: u32,
    depth: u32,
) -> Score {
    if tree.enter(position, Some(mv), ply, Window::FULL) {
        return Score(0);
    }
    let score = if depth == 0 { tree.at_horizon(position, ply) } else { best_reply(tree, position, ply, depth) };
    tree.exit(position, score)
}

fn best_reply<P: Position, O: Observer<P>>(tree: &mut Tree<'_, P, O>, position: &P, ply: u32, depth: u32) -> Score {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return tree.finished(position, ply);
    }
    let mut best = Score::MIN;
    for mv in moves {
        let after = position.after(mv);
        let score = seen_by(value(tree, &after, mv, ply + 1, depth - 1), after.to_move(), position.to_move());
        if tree.meter.stopped() {
            break;
        }
        if score > best {
            best = score;
            tree.line.extend(ply, mv);
        }
    }
    best
}

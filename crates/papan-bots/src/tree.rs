//! What tree searches share: counting and reporting nodes, valuing leaves, and
//! the loop over the moves at the root.

use papan_core::observer::{BestSoFar, LeafReason, Visit};
use papan_core::{
    AtEnd, Decision, Evaluation, Exactness, Meter, MoveValue, Observer, Player, Position, Score, Window, seen_by,
};

use crate::principal::PrincipalLine;

/// The state of one running tree search.
pub(crate) struct Tree<'a, P: Position, O> {
    pub(crate) eval: &'a Evaluation<P>,
    /// The player to move at the root. Evaluations are always asked from this
    /// chair, since some are not the same from both.
    pub(crate) chair: Player,
    pub(crate) meter: Meter,
    pub(crate) observer: &'a mut O,
    pub(crate) line: PrincipalLine<P::Move>,
    /// Set when a value rests on an estimate at the horizon; whoever needs to
    /// know clears it first.
    pub(crate) saw_horizon: bool,
    /// A finished game was worth something else than its outcome, so that no
    /// value of this search can be called exact.
    saw_other_units: bool,
}

impl<'a, P: Position, O: Observer<P>> Tree<'a, P, O> {
    pub(crate) fn new(
        eval: &'a Evaluation<P>,
        root: &P,
        meter: Meter,
        observer: &'a mut O,
        depth: u32,
        filler: P::Move,
    ) -> Self {
        let line = PrincipalLine::new(depth, filler);
        Self { eval, chair: root.to_move(), meter, observer, line, saw_horizon: false, saw_other_units: false }
    }

    /// Counts and reports a node. True when the budget is spent: the search
    /// must return at once with any value.
    #[inline(always)]
    pub(crate) fn enter(&mut self, position: &P, mv: Option<P::Move>, ply: u32, window: Window) -> bool {
        if self.meter.visit() {
            return true;
        }
        self.line.clear(ply);
        self.observer.enter(&Visit { position, mv, ply, window });
        false
    }

    /// Reports that a node is done. A node that the search was stopped in never
    /// is: what it has by then is no value and no bound.
    #[inline(always)]
    pub(crate) fn exit(&mut self, position: &P, score: Score) -> Score {
        if !self.meter.stopped() {
            self.observer.exit(position.to_move(), score);
        }
        score
    }

    /// The value of a finished game for its player to move.
    #[inline(always)]
    pub(crate) fn finished(&mut self, position: &P, ply: u32) -> Score {
        let score = self.eval.finished(position, self.chair, ply);
        if self.eval.at_end == AtEnd::SameFormula && score != position.margin().for_player(self.chair) {
            self.saw_other_units = true;
        }
        self.leaf(position, score, LeafReason::Over)
    }

    /// The value at the depth limit for the player to move.
    #[inline(always)]
    pub(crate) fn at_horizon(&mut self, position: &P, ply: u32) -> Score {
        if position.is_over() {
            return self.finished(position, ply);
        }
        self.saw_horizon = true;
        let score = self.eval.estimate(position, self.chair, ply);
        self.leaf(position, score, LeafReason::Horizon)
    }

    #[inline(always)]
    fn leaf(&mut self, position: &P, score: Score, reason: LeafReason) -> Score {
        let score = seen_by(score, self.chair, position.to_move());
        self.observer.leaf(score, reason);
        score
    }
}

/// A move at the root with what the search knows of it.
#[derive(Clone, Copy, Debug)]
struct RootMove<M> {
    mv: M,
    score: Score,
    /// The value is at most `score`: the move was searched only to see that
    /// it is no better than another.
    is_bound: bool,
    /// The depth behind the value, 0 before the first.
    depth: u32,
}

/// Which window each root move gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RootWindow {
    /// From the best value so far: moves that are no better get a bound.
    Running,
    /// Full: every move gets its value.
    Full,
}

/// The moves at the root, the best so far first after each search.
#[derive(Clone, Debug)]
pub(crate) struct Root<M> {
    moves: Vec<RootMove<M>>,
    line: Vec<M>,
    /// The last depth that was finished.
    depth: u32,
    /// No value of the last finished depth rests on an estimate.
    pub(crate) is_complete: bool,
    /// A depth that was not finished for every move counts for none.
    whole_depths: bool,
}

impl<M: papan_core::Move> Root<M> {
    /// `moves` in the order in which they are to be tried.
    pub(crate) fn new(moves: impl IntoIterator<Item = M>) -> Self {
        let moves: Vec<_> =
            moves.into_iter().map(|mv| RootMove { mv, score: Score(0), is_bound: false, depth: 0 }).collect();
        Self { line: vec![moves[0].mv], moves, depth: 0, is_complete: false, whole_depths: false }
    }

    /// For analysis, whoever asks for every move's value gets those of one
    /// depth, and the move that is best by them.
    pub(crate) fn with_whole_depths(self, whole_depths: bool) -> Self {
        Self { whole_depths, ..self }
    }

    /// Searches every move `depth` plies deep with `child`, which gets the
    /// position after the move and its window, and returns its value for its
    /// player to move. The first of equally good moves wins. When the budget
    /// runs out, the moves finished so far count if there are any, unless only
    /// whole depths do.
    pub(crate) fn search<P, O>(
        &mut self,
        tree: &mut Tree<'_, P, O>,
        position: &P,
        depth: u32,
        windows: RootWindow,
        mut child: impl FnMut(&mut Tree<'_, P, O>, &P, M, Window) -> Score,
    ) where
        P: Position<Move = M>,
        O: Observer<P>,
    {
        tree.meter.set_depth(depth);
        if tree.enter(position, None, 0, Window::FULL) {
            return;
        }
        tree.saw_horizon = false;
        let before = (self.whole_depths && self.depth > 0).then(|| (self.moves.clone(), self.line.clone()));
        let mut best: Option<usize> = None;
        for index in 0..self.moves.len() {
            let best_score = best.map_or(Score::MIN, |best| self.moves[best].score);
            let alpha = if windows == RootWindow::Running { best_score } else { Score::MIN };
            let mv = self.moves[index].mv;
            let after = position.after(mv);
            let window = seen_by(Window { alpha, beta: Score::MAX }, tree.chair, after.to_move());
            let score = seen_by(child(tree, &after, mv, window), after.to_move(), tree.chair);
            if tree.meter.stopped() {
                break;
            }
            self.moves[index] = RootMove { mv, score, is_bound: score <= alpha, depth };
            if score > best_score {
                best = Some(index);
                self.remember_line(tree, mv);
                tree.observer.best(&BestSoFar { mv, score, depth, nodes: tree.meter.nodes() });
            }
        }
        if let Some(best) = best {
            self.moves[..=best].rotate_right(1);
        }
        if tree.meter.stopped() {
            if let Some(before) = before {
                (self.moves, self.line) = before;
            }
        } else {
            // Stable: the best stays first among equals and bounds.
            self.moves.sort_by_key(|root| std::cmp::Reverse(root.score));
            self.depth = depth;
            self.is_complete = !tree.saw_horizon;
            tree.exit(position, self.moves[0].score);
        }
    }

    fn remember_line<P: Position<Move = M>, O>(&mut self, tree: &Tree<'_, P, O>, mv: M) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend_from_slice(tree.line.line(1));
    }

    /// The answer: exact only if the whole tree was searched to the end of
    /// every game and the evaluation valued each by its outcome. Only values
    /// of the depth at which the best move was found stand beside its own.
    pub(crate) fn decision<P: Position<Move = M>, O>(&self, tree: &Tree<'_, P, O>) -> Decision<M> {
        let is_exact = self.is_complete && !tree.saw_other_units;
        let shown = |score: Score| if is_exact { score.decided_margin().unwrap_or(score) } else { score };
        let value_kind = if is_exact { Exactness::Exact } else { Exactness::Estimate };
        let best = &self.moves[0];
        Decision {
            mv: best.mv,
            score: shown(best.score),
            exactness: value_kind,
            depth: best.depth,
            nodes: tree.meter.nodes(),
            pv: self.line.clone(),
            per_move: self
                .moves
                .iter()
                .filter(|root| root.depth > 0 && root.depth == best.depth)
                .map(|root| MoveValue {
                    mv: root.mv,
                    score: shown(root.score),
                    exactness: if root.is_bound { Exactness::AtMost } else { value_kind },
                })
                .collect(),
        }
    }
}

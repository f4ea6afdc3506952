//! The order in which alpha-beta tries moves.

use std::cmp::Reverse;

use papan_core::{Evaluation, Game, Move as _, MoveOf, Player, Position, Window, seen_by};

use super::search::Node;
use crate::common::{GameRandom, value_of};

/// How moves are put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// As the game lists them.
    Natural,
    /// By place: [`Game::preference`].
    Preference,
    /// By the evaluation after the move.
    Evaluation,
    /// Shuffled.
    Random,
}

impl Order {
    /// The words of the `order` option, the default first.
    pub(super) const NAMES: &'static [&'static str] = &["natural", "preference", "evaluation", "random"];

    /// The order with this name.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "preference" => Self::Preference,
            "evaluation" => Self::Evaluation,
            "random" => Self::Random,
            _ => Self::Natural,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Ranked<M> {
    rank: i32,
    /// Its place in natural order, which decides between equal ranks.
    natural: u16,
    mv: M,
}

/// What values positions, and for whom.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a, P: Position> {
    pub(super) eval: &'a Evaluation<P>,
    pub(super) chair: Player,
}

/// The moves still to be tried at one node.
pub(super) enum Picker<I> {
    /// Straight from the position.
    Natural(I),
    /// From the sorter's stack.
    Sorted {
        /// The stack's height before this node.
        base: usize,
        next: usize,
        end: usize,
    },
}

/// Puts moves in order on one stack that all nodes of a search share.
#[derive(Clone, Debug)]
pub(super) struct Sorter<G: Game> {
    game: G,
    order: Order,
    random: GameRandom,
    stack: Vec<Ranked<MoveOf<G>>>,
}

type MovesOf<G> = <<G as Game>::Position as Position>::Moves;
pub(super) type MoveIter<G> = <MovesOf<G> as IntoIterator>::IntoIter;

impl<G: Game> Sorter<G> {
    pub(super) fn new(game: &G, order: Order, random: GameRandom) -> Self {
        Self { game: game.clone(), order, random, stack: Vec::with_capacity(4 * MoveOf::<G>::LIMIT) }
    }

    /// The moves of `position` in order, `first` (if legal) before all others.
    /// Where the children are leaves, ordering by evaluation would do their work
    /// twice, so it is left out there.
    #[inline(always)]
    pub(super) fn pick(
        &mut self,
        position: &G::Position,
        moves: MovesOf<G>,
        first: Option<MoveOf<G>>,
        node: Node,
        judge: Judge<'_, G::Position>,
    ) -> Picker<MoveIter<G>> {
        let order = if self.order == Order::Evaluation && node.depth == 1 { Order::Natural } else { self.order };
        if order == Order::Natural && first.is_none() {
            return Picker::Natural(moves.into_iter());
        }
        let base = self.stack.len();
        for (natural, mv) in moves.into_iter().enumerate() {
            let rank = if Some(mv) == first { i32::MAX } else { self.rank(order, position, mv, node.ply, judge) };
            self.stack.push(Ranked { rank, natural: natural as u16, mv });
        }
        // Unstable, for the stable sort allocates; the natural place in the
        // key makes it stable all the same.
        self.stack[base..].sort_unstable_by_key(|ranked| (Reverse(ranked.rank), ranked.natural));
        Picker::Sorted { base, next: base, end: self.stack.len() }
    }

    fn rank(
        &mut self,
        order: Order,
        position: &G::Position,
        mv: MoveOf<G>,
        ply: u32,
        judge: Judge<'_, G::Position>,
    ) -> i32 {
        match order {
            Order::Natural => 0,
            Order::Preference => self.game.preference(mv),
            Order::Evaluation => {
                let score = value_of(judge.eval, &position.after(mv), judge.chair, ply + 1);
                seen_by(score, judge.chair, position.to_move()).0
            }
            Order::Random => (self.random.bits() >> 33) as i32,
        }
    }

    /// The next move to try.
    #[inline(always)]
    pub(super) fn next(&self, picker: &mut Picker<MoveIter<G>>) -> Option<MoveOf<G>> {
        match picker {
            Picker::Natural(moves) => moves.next(),
            Picker::Sorted { next, end, .. } => {
                if next == end {
                    return None;
                }
                *next += 1;
                Some(self.stack[*next - 1].mv)
            }
        }
    }

    /// All moves not tried yet; none is left after it.
    pub(super) fn rest(&self, picker: &mut Picker<MoveIter<G>>) -> Vec<MoveOf<G>> {
        std::iter::from_fn(|| self.next(picker)).collect()
    }

    /// Gives a node's part of the stack back.
    #[inline(always)]
    pub(super) fn release(&mut self, picker: &Picker<MoveIter<G>>) {
        if let Picker::Sorted { base, .. } = picker {
            self.stack.truncate(*base);
        }
    }

    /// Forgets what a stopped search left on the stack.
    pub(super) fn reset(&mut self) {
        self.stack.clear();
    }

    /// Goes to the random numbers of game `number`.
    pub(super) fn new_game(&mut self, number: u64) {
        self.random.new_game(number);
    }

    /// All moves of the root in order.
    pub(super) fn root_order(&mut self, position: &G::Position, eval: &Evaluation<G::Position>) -> Vec<MoveOf<G>> {
        let node = Node { ply: 0, depth: u32::MAX, window: Window::FULL };
        let judge = Judge { eval, chair: position.to_move() };
        let mut picker = self.pick(position, position.legal_moves(), None, node, judge);
        let list = self.rest(&mut picker);
        self.release(&picker);
        list
    }
}

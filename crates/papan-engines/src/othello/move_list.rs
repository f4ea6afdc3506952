//! The moves of one node with their order.

use arrayvec::ArrayVec;

/// No position has more legal moves than this.
pub(super) const MAX_MOVES: usize = 33;

/// One move: its square, the discs it turns and its place in the order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderedMove {
    /// Where.
    pub square: u8,
    /// The discs it turns.
    pub flips: u64,
    /// Higher is tried earlier.
    pub order: i32,
}

/// A list on the stack from which the best remaining move is taken each time: most nodes are cut before the list
/// would have been sorted.
#[derive(Default)]
pub(super) struct MoveList {
    moves: ArrayVec<OrderedMove, MAX_MOVES>,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    #[must_use]
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a move. There is room for all moves of any position.
    #[inline(always)]
    pub(super) fn push(&mut self, square: u8, flips: u64, order: i32) {
        // Unlike `push` this has no path that panics and is always inlined.
        let _ = self.moves.try_push(OrderedMove { square, flips, order });
    }

    /// Takes out the move with the highest order.
    #[inline(always)]
    pub(super) fn next_best(&mut self) -> Option<(u8, u64)> {
        let (mut best, mut order) = (0, self.moves.first()?.order);
        for (place, one) in self.moves.iter().enumerate().skip(1) {
            if one.order > order {
                (best, order) = (place, one.order);
            }
        }
        let last = self.moves.pop()?;
        let found = if best < self.moves.len() { std::mem::replace(&mut self.moves[best], last) } else { last };
        Some((found.square, found.flips))
    }

    /// How many moves are left.
    #[inline(always)]
    #[must_use]
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves that are left, in no order, for changing their order.
    #[inline(always)]
    pub(super) fn rest_mut(&mut self) -> &mut [OrderedMove] {
        &mut self.moves
    }
}

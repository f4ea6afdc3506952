//! Counting leaves: the test that every rule set must pass before any bot.

use serde::Serialize;

use crate::{Margin, MoveSet as _, Player, Position};

/// The leaves of the game tree at exactly `depth` plies; a game that ended
/// earlier is one leaf.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 0 || moves.is_empty() {
        return 1;
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum()
}

/// What [`perft`] cannot see. Where every free place is legal, wrong rules can
/// have the right leaf count; these sums tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Digest {
    /// Leaves at the depth, and games that ended earlier.
    pub leaves: u64,
    /// Leaves with the first player to move.
    pub first_to_move: u64,
    /// The sum of the leaves' margins.
    pub margin_sum: i64,
    /// The sum of the margins' absolute values.
    pub margin_abs_sum: u64,
}

impl std::ops::AddAssign for Digest {
    fn add_assign(&mut self, other: Self) {
        self.leaves += other.leaves;
        self.first_to_move += other.first_to_move;
        self.margin_sum += other.margin_sum;
        self.margin_abs_sum += other.margin_abs_sum;
    }
}

impl Digest {
    /// The digest of the game tree at `depth` plies.
    #[must_use]
    pub fn of<P: Position>(position: &P, depth: u32) -> Self {
        let mut digest = Self::default();
        digest.add(position, depth);
        digest
    }

    fn add<P: Position>(&mut self, position: &P, depth: u32) {
        let moves = position.legal_moves();
        if depth == 0 || moves.is_empty() {
            self.add_leaf(position);
        } else if depth == 1 {
            *self += position.digest_of_moves();
        } else {
            moves.into_iter().for_each(|mv| self.add(&position.after(mv), depth - 1));
        }
    }

    /// The digest of the positions one move on, each of them made.
    #[inline]
    #[must_use]
    pub fn by_moving<P: Position>(position: &P) -> Self {
        let mut digest = Self::default();
        position.legal_moves().into_iter().for_each(|mv| digest.add_leaf(&position.after(mv)));
        digest
    }

    /// Counts a position as a leaf.
    #[inline(always)]
    pub fn add_leaf<P: Position>(&mut self, position: &P) {
        self.add_leaf_of(position.to_move(), position.margin());
    }

    /// Counts a leaf with this player to move and this margin.
    #[inline(always)]
    pub fn add_leaf_of(&mut self, to_move: Player, Margin(margin): Margin) {
        self.leaves += 1;
        self.first_to_move += u64::from(to_move == Player::First);
        self.margin_sum += i64::from(margin);
        self.margin_abs_sum += u64::from(margin.unsigned_abs());
    }
}

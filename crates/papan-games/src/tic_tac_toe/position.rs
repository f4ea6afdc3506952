//! Tic-tac-toe positions.

use papan_core::{Bits, Move as _, Place, Places, Player, Position};

use super::geometry::Geometry;

/// A position: the marks of both players and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TicTacToePosition<B: Bits> {
    /// The marks of the player to move, then the opponent's: seen from the
    /// mover, a move needs no lookup by player.
    marks: [B; 2],
    to_move: Player,
    /// Who has `k` in a row. At most one player has: it ends the game.
    row_owner: Option<Player>,
    geometry: &'static Geometry<B>,
}

impl<B: Bits> TicTacToePosition<B> {
    pub(super) fn empty(geometry: &'static Geometry<B>) -> Self {
        Self { marks: [B::EMPTY; 2], to_move: Player::First, row_owner: None, geometry }
    }

    /// A position from the marks of First and Second, `None` if both have a row.
    pub(super) fn with_marks(geometry: &'static Geometry<B>, marks: [B; 2], to_move: Player) -> Option<Self> {
        let row_owner = match marks.map(|own| geometry.has_row(own)) {
            [true, true] => return None,
            [true, false] => Some(Player::First),
            [false, true] => Some(Player::Second),
            [false, false] => None,
        };
        let marks = [to_move, to_move.other()].map(|player| marks[player.index()]);
        Some(Self { marks, to_move, row_owner, geometry })
    }

    /// The cells that `player` has marked, as bits of [`Place`]s.
    #[inline(always)]
    #[must_use]
    pub fn marks(&self, player: Player) -> B {
        let [own, other] = self.marks;
        if player == self.to_move { own } else { other }
    }

    /// Who has marked the cell that `place` stands for.
    #[must_use]
    pub fn mark_at(&self, place: Place) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.marks(player).has(place.index()))
    }

    /// Who has won: the player with a row, or in misère the other.
    #[inline(always)]
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.row_owner.map(|owner| if self.geometry.misere { owner.other() } else { owner })
    }

    #[inline(always)]
    pub(super) fn geometry(&self) -> &'static Geometry<B> {
        self.geometry
    }

    pub(super) fn turned(&self, symmetry: usize) -> Self {
        let turn = |marks: B| {
            Places(marks)
                .into_iter()
                .fold(B::EMPTY, |set, place| set | B::bit(self.geometry.turned(symmetry, place).index()))
        };
        Self { marks: self.marks.map(turn), ..*self }
    }
}

impl<B: Bits> Position for TicTacToePosition<B> {
    type Move = Place;
    type Moves = Places<B>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn legal_moves(&self) -> Places<B> {
        if self.row_owner.is_some() {
            return Places(B::EMPTY);
        }
        let [own, other] = self.marks;
        Places(self.geometry.cells & !(own | other))
    }

    #[inline(always)]
    fn after(&self, mv: Place) -> Self {
        let [own, other] = self.marks;
        let own = own | B::bit(mv.index());
        Self {
            marks: [other, own],
            to_move: self.to_move.other(),
            row_owner: self.geometry.completes_row(own, mv).then_some(self.to_move),
            geometry: self.geometry,
        }
    }

    #[inline(always)]
    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.winner() == Some(player)))
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        let [own, other] = self.marks.map(Bits::hash_word);
        let side = (self.to_move as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        own ^ other.rotate_left(29) ^ side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(geometry: &'static Geometry<u64>, cells: &[(usize, usize)]) -> TicTacToePosition<u64> {
        cells.iter().fold(TicTacToePosition::empty(geometry), |position, &(row, col)| {
            position.play(geometry.place(row, col)).expect("the move is legal")
        })
    }

    const TOP_ROW: [(usize, usize); 5] = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];

    #[test]
    fn a_row_ends_the_game_and_wins() {
        let position = play(Geometry::interned(3, 3, 3, false), &TOP_ROW);
        assert!(position.is_over());
        assert_eq!(position.points(), [1, 0]);
    }

    #[test]
    fn a_row_loses_in_misere() {
        let position = play(Geometry::interned(3, 3, 3, true), &TOP_ROW);
        assert!(position.is_over());
        assert_eq!(position.points(), [0, 1]);
    }

    #[test]
    fn a_longer_row_than_asked_for_counts() {
        let cells = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 3), (2, 1), (0, 4), (2, 2), (0, 2)];
        assert_eq!(play(Geometry::interned(3, 5, 4, false), &cells).points(), [1, 0]);
    }

    #[test]
    fn one_mark_decides_when_one_is_enough() {
        assert_eq!(play(Geometry::interned(3, 3, 1, false), &[(2, 2)]).points(), [1, 0]);
        assert_eq!(play(Geometry::interned(3, 3, 1, true), &[(2, 2)]).points(), [0, 1]);
    }

    #[test]
    fn a_row_longer_than_the_board_is_always_a_draw() {
        let mut position = TicTacToePosition::empty(Geometry::<u64>::interned(3, 4, 5, false));
        for plies in 0..12 {
            assert_eq!((position.is_over(), position.points()), (false, [0, 0]), "after {plies}");
            let next = position.legal_moves().into_iter().next().expect("the game goes on");
            position = position.after(next);
        }
        assert_eq!((position.is_over(), position.points()), (true, [0, 0]));
    }
}

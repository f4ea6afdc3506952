//! The position: two words of discs, and the moves that follow from them.

use papan_core::{Digest, Margin, Player, Position, mix};

use super::geometry;
use super::moves::{OthelloMove, OthelloMoves};

/// What the options settle for a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Rows and columns: 4, 6 or 8.
    pub size: u8,
    /// Does a player who cannot move pass? If not, the game ends there.
    pub passing: bool,
}

impl Rules {
    /// The 8×8 board, with passing.
    pub const STANDARD: Self = Self { size: 8, passing: true };

    /// The squares of the board.
    #[inline(always)]
    #[must_use]
    pub const fn board(self) -> u64 {
        geometry::board(self.size as usize)
    }
}

/// A position of Othello.
///
/// Kept from the mover's side, so that a move is the same few operations for
/// both players. The mover's squares are found when the position is made:
/// whether the game goes on depends on them, and everything that looks at a
/// position asks that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OthelloPosition {
    own: u64,
    other: u64,
    squares: u64,
    to_move: Player,
    /// Must the mover pass? Only where `squares` is empty.
    pass: bool,
    rules: Rules,
}

impl OthelloPosition {
    /// The start of a game in which black, the first player, moves first.
    #[must_use]
    pub fn start(rules: Rules) -> Self {
        let top_left = 9 * (usize::from(rules.size) / 2 - 1);
        let [white, black] = [0x201, 0x102].map(|discs: u64| discs << top_left);
        Self::new([black, white], Player::First, rules)
    }

    /// The position with the discs of First and Second, which must lie on the
    /// board and must not overlap.
    #[must_use]
    pub fn new(discs: [u64; 2], to_move: Player, rules: Rules) -> Self {
        debug_assert_eq!(discs[0] & discs[1] | (discs[0] | discs[1]) & !rules.board(), 0);
        let [own, other] = by_mover(discs, to_move);
        Self::with_moves(own, other, to_move, rules)
    }

    #[inline(always)]
    fn with_moves(own: u64, other: u64, to_move: Player, rules: Rules) -> Self {
        let squares = geometry::moves(own, other, rules.board());
        let pass = squares == 0 && must_pass(own, other, rules);
        Self { own, other, squares, to_move, pass, rules }
    }

    /// The discs of First and Second, one bit a square.
    #[inline(always)]
    #[must_use]
    pub fn discs(&self) -> [u64; 2] {
        by_mover([self.own, self.other], self.to_move)
    }

    /// The mover's discs and the other player's.
    #[inline(always)]
    #[must_use]
    pub fn own_and_other(&self) -> [u64; 2] {
        [self.own, self.other]
    }

    /// The squares without a disc.
    #[inline(always)]
    #[must_use]
    pub fn empties(&self) -> u64 {
        self.rules.board() & !(self.own | self.other)
    }

    /// The rules of this game.
    #[inline(always)]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The position with both players' discs moved to other squares by a
    /// symmetry of the board.
    #[must_use]
    pub(super) fn mapped(&self, map: impl Fn(u64) -> u64) -> Self {
        Self { own: map(self.own), other: map(self.other), squares: map(self.squares), ..*self }
    }

    /// The squares where `player` could move if it were their turn.
    #[inline(always)]
    #[must_use]
    pub fn squares_of(&self, player: Player) -> u64 {
        if player == self.to_move { self.squares } else { geometry::moves(self.other, self.own, self.rules.board()) }
    }
}

/// No mover has more squares to choose from: each needs a disc of the other player beside it and an own disc behind,
/// and 33 is the most that anyone has found on 64 squares.
const MOST_SQUARES: usize = 60;

/// Turns `[First's, Second's]` into `[mover's, other's]`, and back.
#[inline(always)]
fn by_mover([a, b]: [u64; 2], to_move: Player) -> [u64; 2] {
    if to_move == Player::First { [a, b] } else { [b, a] }
}

/// Must a mover without a square pass, or is it over? Out of line, because it
/// is rarely asked.
#[cold]
#[inline(never)]
fn must_pass(own: u64, other: u64, rules: Rules) -> bool {
    rules.passing && geometry::moves(other, own, rules.board()) != 0
}

/// The points once the game is over: the empty squares go to the winner, and
/// are shared after a draw.
fn final_points([first, second]: [i32; 2], empties: i32) -> [i32; 2] {
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => [first + empties, second],
        std::cmp::Ordering::Less => [first, second + empties],
        std::cmp::Ordering::Equal => [first + empties / 2, second + empties / 2],
    }
}

impl Position for OthelloPosition {
    type Move = OthelloMove;
    type Moves = OthelloMoves;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn legal_moves(&self) -> OthelloMoves {
        OthelloMoves::new(self.squares, self.pass)
    }

    #[inline(always)]
    fn after(&self, mv: OthelloMove) -> Self {
        let (own, other) = match mv.as_square() {
            Some(square) => {
                let turned = geometry::turned(self.own, self.other, square);
                (self.other ^ turned, self.own | turned | 1 << square)
            }
            None => (self.other, self.own),
        };
        Self::with_moves(own, other, self.to_move.other(), self.rules)
    }

    #[inline(always)]
    fn points(&self) -> [i32; 2] {
        let discs = self.discs().map(|discs| discs.count_ones() as i32);
        if self.is_over() { final_points(discs, self.empties().count_ones() as i32) } else { discs }
    }

    /// Counts the moves' margins without making them, wherever it is plain that the game goes on.
    fn digest_of_moves(&self) -> Digest {
        if !self.rules.passing || self.squares.count_ones() < 2 {
            return Digest::by_moving(self);
        }
        // Step 1: the discs that each square turns.
        let mut turned = [0; MOST_SQUARES];
        let mut count = 0;
        for mv in self.legal_moves() {
            turned[count] = mv.as_square().map_or(0, |square| geometry::turned(self.own, self.other, square));
            count += 1;
        }
        // Step 2: the margins. A square whose discs a move leaves alone is still there for the mover after it.
        let mut digest = Digest::default();
        let ahead = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        let sign = if self.to_move == Player::First { 1 } else { -1 };
        for (mv, &discs) in self.legal_moves().into_iter().zip(&turned[..count]) {
            if turned[..count].iter().any(|&rest| discs & rest == 0) {
                digest.add_leaf_of(self.to_move.other(), Margin(sign * (ahead + 1 + 2 * discs.count_ones() as i32)));
            } else {
                digest.add_leaf(&self.after(mv));
            }
        }
        digest
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        mix(self.own ^ mix(self.other ^ mix(self.to_move as u64 + 1)))
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.squares == 0 && !self.pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a1 own, b1 other: Second cannot move, First could go to c1.
    fn blocked(passing: bool) -> OthelloPosition {
        OthelloPosition::new([1, 2], Player::Second, Rules { passing, ..Rules::STANDARD })
    }

    #[test]
    fn a_player_who_cannot_move_passes_and_the_other_goes_on() {
        let position = blocked(true);
        assert!(position.legal_moves().into_iter().eq([OthelloMove::PASS]));
        let passed = position.after(OthelloMove::PASS);
        assert_eq!(passed.to_move(), Player::First);
        assert_eq!(passed.discs(), position.discs());
        assert_ne!(passed.key(), position.key());
        assert!(passed.legal_moves().into_iter().eq([OthelloMove::square(2)]));
    }

    #[test]
    fn without_passing_the_game_ends_where_a_player_cannot_move() {
        let position = blocked(false);
        assert!(position.is_over());
        assert_eq!(position.points(), [32, 32]);
    }

    #[test]
    fn empty_squares_go_to_the_winner_only_at_the_end() {
        assert_eq!(blocked(true).points(), [1, 1]);
        let over = blocked(true).after(OthelloMove::PASS).after(OthelloMove::square(2));
        assert!(over.is_over());
        assert_eq!((over.points(), over.margin().0), ([64, 0], 64));
    }
}

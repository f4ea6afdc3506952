//! Dots and Boxes positions.

use papan_core::{Bits, Move as _, Place, Places, Player, Position, mix};

use super::geometry::Geometry;

/// A position: the lines drawn, the boxes of both players, whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DotsAndBoxesPosition<B: Bits> {
    lines: B,
    /// The boxes of the player to move, then the opponent's, for display: a
    /// position that was read may not know whose a box is.
    owned: [B; 2],
    /// In the same order: seen from the mover, a move needs no lookup by player.
    points: [u8; 2],
    to_move: Player,
    geometry: &'static Geometry<B>,
}

impl<B: Bits> DotsAndBoxesPosition<B> {
    pub(super) fn start(geometry: &'static Geometry<B>) -> Self {
        Self::from_parts(geometry, geometry.drawn_at_start, Player::First, [0; 2], [B::EMPTY; 2])
    }

    /// A position whose parts, in the order of First and Second, the caller has
    /// checked against each other.
    pub(super) fn from_parts(
        geometry: &'static Geometry<B>,
        lines: B,
        to_move: Player,
        points: [u8; 2],
        owned: [B; 2],
    ) -> Self {
        let order = [to_move, to_move.other()].map(Player::index);
        Self { lines, owned: order.map(|n| owned[n]), points: order.map(|n| points[n]), to_move, geometry }
    }

    /// The lines drawn, as bits of [`Place`]s.
    #[inline(always)]
    #[must_use]
    pub fn lines(&self) -> B {
        self.lines
    }

    /// The lines not drawn.
    #[inline(always)]
    #[must_use]
    pub fn open_lines(&self) -> B {
        self.geometry.all_lines & !self.lines
    }

    /// The completed boxes, numbered row by row.
    #[must_use]
    pub fn complete_boxes(&self) -> B {
        self.geometry.complete_boxes(self.lines)
    }

    /// The boxes that `player` is known to own.
    #[must_use]
    pub fn owned(&self, player: Player) -> B {
        self.owned[usize::from(player != self.to_move)]
    }

    /// Who owns box `number`, if anyone and if known.
    #[must_use]
    pub fn owner(&self, number: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.owned(player).has(number))
    }

    #[inline(always)]
    pub(super) fn geometry(&self) -> &'static Geometry<B> {
        self.geometry
    }

    pub(super) fn turned(&self, symmetry: usize) -> Self {
        let geometry = self.geometry;
        let turn = |set: B, to: &dyn Fn(usize) -> usize| set.iter().fold(B::EMPTY, |turned, n| turned | B::bit(to(n)));
        Self {
            lines: turn(self.lines, &|line| geometry.turned_line(symmetry, line)),
            owned: self.owned.map(|boxes| turn(boxes, &|number| geometry.turned_box(symmetry, number))),
            ..*self
        }
    }
}

impl<B: Bits> Position for DotsAndBoxesPosition<B> {
    type Move = Place;
    type Moves = Places<B>;

    #[inline(always)]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline(always)]
    fn legal_moves(&self) -> Places<B> {
        Places(self.open_lines())
    }

    #[inline(always)]
    fn after(&self, mv: Place) -> Self {
        let lines = self.lines | B::bit(mv.index());
        let completion = &self.geometry.completions[mv.index()];
        let mut completed = B::EMPTY;
        let mut count = 0;
        for side in 0..2 {
            if lines & completion.lines[side] == completion.lines[side] {
                completed = completed | completion.boxes[side];
                count += 1;
            }
        }
        let ([own, other], [own_points, other_points]) = (self.owned, self.points);
        let (owned, points) = ([own | completed, other], [own_points + count, other_points]);
        // Whoever completes a box goes on; otherwise mover and opponent change
        // places.
        if count > 0 {
            return Self { lines, owned, points, ..*self };
        }
        Self { lines, owned: [other, own], points: [other_points, own_points], to_move: self.to_move.other(), ..*self }
    }

    #[inline(always)]
    fn points(&self) -> [i32; 2] {
        let [own, other] = self.points.map(i32::from);
        if self.to_move == Player::First { [own, other] } else { [other, own] }
    }

    /// Covers the lines, the mover and the difference of the points, but not
    /// who owns which box.
    #[inline(always)]
    fn key(&self) -> u64 {
        let rest = (self.margin().0 as u64) << 1 | self.to_move as u64;
        self.lines.hash_word() ^ mix(rest.wrapping_add(0x9e37_79b9_7f4a_7c15))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::geometry::Border;

    fn play(geometry: &'static Geometry<u64>, lines: &[u8]) -> DotsAndBoxesPosition<u64> {
        lines.iter().fold(DotsAndBoxesPosition::start(geometry), |position, &line| {
            position.play(Place(line)).expect("the line is not drawn yet")
        })
    }

    #[test]
    fn the_mover_goes_on_after_completing_a_box() {
        let position = play(Geometry::interned(1, 2, Border::None), &[0, 2, 4]);
        assert_eq!((position.to_move(), position.points()), (Player::Second, [0, 0]));
        let position = position.after(Place(5));
        assert_eq!((position.to_move(), position.points()), (Player::Second, [0, 1]));
        assert_eq!((position.owner(0), position.owner(1)), (Some(Player::Second), None));
    }

    #[test]
    fn one_line_can_complete_two_boxes() {
        let position = play(Geometry::interned(1, 2, Border::None), &[0, 1, 2, 3, 4, 6, 5]);
        assert_eq!((position.to_move(), position.points()), (Player::First, [2, 0]));
        assert!(position.is_over());
    }

    #[test]
    fn a_line_that_completes_nothing_passes_the_turn() {
        let position = play(Geometry::interned(3, 3, Border::None), &[0]);
        assert_eq!((position.to_move(), position.points()), (Player::Second, [0, 0]));
    }

    #[test]
    fn boxes_that_the_border_completes_belong_to_nobody() {
        let position = DotsAndBoxesPosition::start(Geometry::<u64>::interned(1, 1, Border::Swedish));
        assert!(position.is_over());
        assert_eq!((position.points(), position.owner(0), position.complete_boxes()), ([0, 0], None, 1));
    }

    #[test]
    fn the_key_forgets_who_owns_which_box() {
        let geometry = Geometry::<u64>::interned(1, 2, Border::None);
        let with = |points, owned| DotsAndBoxesPosition::from_parts(geometry, 0x35, Player::First, points, owned);
        assert_eq!(with([1, 0], [1, 0]).key(), with([1, 0], [0, 0]).key());
        assert_ne!(with([1, 0], [1, 0]).key(), with([0, 1], [0, 1]).key());
    }
}

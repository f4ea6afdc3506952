//! Chains and loops: the boxes that fall one after another.
//!
//! A box with two open sides is a link; links joined by their open sides form
//! a chain or a loop. Whoever draws a line in one gives it all away. A box with
//! one open side can be taken now, and with it the chain that it ends.

use papan_core::Bits;

use super::geometry::{Geometry, MOST_BOXES, OUTSIDE};
use super::position::DotsAndBoxesPosition;

/// How a region of boxes with one or two open sides ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RegionKind {
    /// Both ends lead outside or to a box with three or four open sides: it
    /// would be given away.
    Open,
    /// One end is a box with one open side: it can be taken now, and the last
    /// two boxes can be declined with one line.
    HalfOpen,
    /// Both ends are boxes with one open side: it can be taken now, and the
    /// last four boxes can be declined with one line.
    Closed,
    /// A ring: it would be given away.
    Loop,
}

/// A maximal chain or loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Region {
    /// How it ends.
    pub kind: RegionKind,
    /// How many boxes it has.
    pub boxes: u32,
}

/// The lines of a position to draw on in thought, without players or points.
/// Nothing is allocated; each operation takes time linear in the board.
#[derive(Clone, Copy, Debug)]
pub struct Draft<B: Bits> {
    lines: B,
    /// By box: how many of its lines are not drawn.
    open_sides: [u8; MOST_BOXES],
    geometry: &'static Geometry<B>,
}

impl<B: Bits> Draft<B> {
    /// The lines of `position`.
    #[must_use]
    pub fn of(position: &DotsAndBoxesPosition<B>) -> Self {
        let (geometry, lines) = (position.geometry(), position.lines());
        let mut open_sides = [0; MOST_BOXES];
        for (open, &sides) in open_sides.iter_mut().zip(&geometry.side_sets) {
            *open = (sides & !lines).count() as u8;
        }
        Self { lines, open_sides, geometry }
    }

    /// The lines drawn.
    #[must_use]
    pub fn lines(&self) -> B {
        self.lines
    }

    /// How many lines of box `number` are not drawn.
    #[inline(always)]
    #[must_use]
    pub fn open_sides(&self, number: usize) -> u8 {
        self.open_sides[number]
    }

    /// The boxes beside `line`: one or two.
    #[inline(always)]
    pub fn boxes_beside(&self, line: usize) -> impl Iterator<Item = usize> + use<B> {
        self.geometry.beside[line].into_iter().filter(|&number| number != OUTSIDE).map(usize::from)
    }

    /// Draws a line that is not drawn yet; says how many boxes it completes.
    pub fn draw(&mut self, line: usize) -> u32 {
        debug_assert!(!self.lines.has(line));
        self.lines = self.lines | B::bit(line);
        let mut completed = 0;
        for number in self.boxes_beside(line) {
            self.open_sides[number] -= 1;
            completed += u32::from(self.open_sides[number] == 0);
        }
        completed
    }

    /// Does drawing `line` neither complete a box nor leave one to take?
    #[must_use]
    pub fn is_safe(&self, line: usize) -> bool {
        self.boxes_beside(line).all(|number| self.open_sides[number] > 2)
    }

    /// Takes every box that can be had in one turn; says how many.
    pub fn take_everything(&mut self) -> u32 {
        let mut taken = 0;
        for number in 0..self.geometry.box_count() {
            // Only the box across the drawn line can become takeable, so
            // following it leaves nothing behind.
            let mut next = Some(number);
            while let Some(current) = next.filter(|&current| self.open_sides[current] == 1) {
                let line = self.open_line(current, None).expect("the box has an open side");
                next = self.across(line, current);
                taken += self.draw(line);
            }
        }
        taken
    }

    /// Draws safe lines, the smallest number first, until none is left; says
    /// how many. Another order may give another number.
    pub fn draw_safe_lines(&mut self) -> u32 {
        let mut drawn = 0;
        for line in (self.geometry.all_lines & !self.lines).iter() {
            if self.is_safe(line) {
                self.draw(line);
                drawn += 1;
            }
        }
        drawn
    }

    /// Gives every region to `visit`, those that can be taken now first.
    pub fn for_each_region(&self, mut visit: impl FnMut(Region)) {
        let boxes = 0..self.geometry.box_count();
        let mut seen = B::EMPTY;
        for number in boxes.clone().filter(|&number| self.open_sides[number] == 1) {
            if !seen.has(number) {
                visit(self.takeable_region(number, &mut seen));
            }
        }
        for number in boxes.filter(|&number| self.open_sides[number] == 2) {
            if !seen.has(number) {
                visit(self.quiet_region(number, &mut seen));
            }
        }
    }

    /// The region of a box with one open side.
    fn takeable_region(&self, number: usize, seen: &mut B) -> Region {
        let line = self.open_line(number, None).expect("the box has an open side");
        *seen = *seen | B::bit(number);
        let walk = self.walk(number, line, seen);
        let kind = if walk.ended_in_box { RegionKind::Closed } else { RegionKind::HalfOpen };
        Region { kind, boxes: 1 + walk.boxes }
    }

    /// The region of a link that no walk from a takeable box has met.
    fn quiet_region(&self, number: usize, seen: &mut B) -> Region {
        let one = self.open_line(number, None).expect("the box has two open sides");
        let other = self.open_line(number, Some(one)).expect("the box has two open sides");
        *seen = *seen | B::bit(number);
        let there = self.walk(number, one, seen);
        // A ring comes back to where it began, and so has seen all of itself.
        if there.last_line == other {
            return Region { kind: RegionKind::Loop, boxes: 1 + there.boxes };
        }
        Region { kind: RegionKind::Open, boxes: 1 + there.boxes + self.walk(number, other, seen).boxes }
    }

    /// Follows links from `number` across `line` until the chain ends.
    fn walk(&self, number: usize, line: usize, seen: &mut B) -> Walk {
        let mut walk = Walk { boxes: 0, last_line: line, ended_in_box: false };
        let mut from = number;
        while let Some(to) = self.across(walk.last_line, from) {
            if seen.has(to) || self.open_sides[to] > 2 {
                break;
            }
            *seen = *seen | B::bit(to);
            walk.boxes += 1;
            let Some(next) = self.open_line(to, Some(walk.last_line)) else {
                walk.ended_in_box = true;
                break;
            };
            (from, walk.last_line) = (to, next);
        }
        walk
    }

    /// The box on the other side of `line`.
    #[inline(always)]
    fn across(&self, line: usize, number: usize) -> Option<usize> {
        let [a, b] = self.geometry.beside[line].map(usize::from);
        let other = if a == number { b } else { a };
        (other != usize::from(OUTSIDE)).then_some(other)
    }

    /// An open side of a box, other than `but`.
    #[inline(always)]
    fn open_line(&self, number: usize, but: Option<usize>) -> Option<usize> {
        let mut sides = self.geometry.sides[number].into_iter().map(usize::from);
        sides.find(|&line| !self.lines.has(line) && Some(line) != but)
    }
}

/// What following links has met.
struct Walk {
    boxes: u32,
    last_line: usize,
    /// Did it end in a box with no further open side?
    ended_in_box: bool,
}

#[cfg(test)]
mod tests {
    use papan_core::{Bits256, MoveSet as _, Place, Position as _, Random};

    use super::*;
    use crate::dots_and_boxes::geometry::Border;

    /// The open sides of a box from the set of lines alone.
    fn open_lines<B: Bits>(geometry: &Geometry<B>, lines: B, number: usize) -> Vec<u8> {
        geometry.sides[number].into_iter().filter(|&line| !lines.has(line.into())).collect()
    }

    /// Regions by flooding: boxes with one or two open sides that share one.
    fn slow_regions<B: Bits>(geometry: &Geometry<B>, lines: B) -> Vec<Region> {
        let count = geometry.box_count();
        let open: Vec<_> = (0..count).map(|number| open_lines(geometry, lines, number)).collect();
        let is_link = |number: usize| (1..=2).contains(&open[number].len());
        let mut colour: Vec<usize> = (0..count).collect();
        for _ in 0..count {
            for a in (0..count).filter(|&a| is_link(a)) {
                for b in (0..count).filter(|&b| is_link(b)) {
                    if open[a].iter().any(|line| open[b].contains(line)) {
                        (colour[a], colour[b]) = (colour[a].min(colour[b]), colour[a].min(colour[b]));
                    }
                }
            }
        }
        let mut regions = Vec::new();
        for id in 0..count {
            let members: Vec<_> = (0..count).filter(|&number| is_link(number) && colour[number] == id).collect();
            let ends = members.iter().filter(|&&number| open[number].len() == 1).count();
            let mut sides: Vec<_> = members.iter().flat_map(|&number| open[number].clone()).collect();
            let total = sides.len();
            sides.sort_unstable();
            sides.dedup();
            // In a ring every open side is shared by two members.
            let kind = match ends {
                0 if total == 2 * sides.len() => RegionKind::Loop,
                0 => RegionKind::Open,
                1 => RegionKind::HalfOpen,
                _ => RegionKind::Closed,
            };
            if !members.is_empty() {
                regions.push(Region { kind, boxes: members.len() as u32 });
            }
        }
        regions.sort_unstable();
        regions
    }

    /// Takes boxes in any order until none can be taken.
    fn slow_takeable<B: Bits>(geometry: &Geometry<B>, mut lines: B) -> u32 {
        let before = geometry.complete_boxes(lines).count();
        while let Some(number) = (0..geometry.box_count()).find(|&n| open_lines(geometry, lines, n).len() == 1) {
            lines = lines | B::bit(open_lines(geometry, lines, number)[0].into());
        }
        geometry.complete_boxes(lines).count() - before
    }

    fn compare<B: Bits>(rows: u8, cols: u8, games: usize) {
        let geometry = Geometry::<B>::interned(rows, cols, Border::None);
        let mut random = Random::new(u64::from(rows * 16 + cols));
        for _ in 0..games {
            let mut position = DotsAndBoxesPosition::start(geometry);
            while let Some(mv) = position.legal_moves().pick(random.bits()) {
                position = position.after(mv);
                let draft = Draft::of(&position);
                let mut regions = Vec::new();
                draft.for_each_region(|region| regions.push(region));
                regions.sort_unstable();
                assert_eq!(regions, slow_regions(geometry, position.lines()), "{position:?}");
                let mut taken = draft;
                assert_eq!(taken.take_everything(), slow_takeable(geometry, position.lines()), "{position:?}");
                assert!((0..geometry.box_count()).all(|number| taken.open_sides(number) != 1));
                check_safe_lines(&position, taken);
            }
        }
    }

    /// After all safe lines none is left, and none has made a box takeable.
    fn check_safe_lines<B: Bits>(position: &DotsAndBoxesPosition<B>, mut draft: Draft<B>) {
        let before = draft.lines().count();
        let drawn = draft.draw_safe_lines();
        assert_eq!(draft.lines().count(), before + drawn);
        assert!((0..position.geometry().box_count()).all(|number| draft.open_sides(number) != 1));
        assert!((position.geometry().all_lines & !draft.lines()).iter().all(|line| !draft.is_safe(line)));
    }

    #[test]
    fn walking_finds_the_regions_that_flooding_finds() {
        compare::<u64>(1, 1, 5);
        compare::<u64>(2, 2, 200);
        compare::<u64>(3, 3, 200);
        compare::<u64>(4, 5, 50);
        compare::<u64>(5, 5, 30);
        compare::<Bits256>(6, 4, 20);
        compare::<Bits256>(10, 10, 1);
    }

    #[test]
    fn a_ring_is_a_loop_until_it_is_opened() {
        let geometry = Geometry::<u64>::interned(2, 2, Border::Swedish);
        let start = DotsAndBoxesPosition::start(geometry);
        let only = |position: &DotsAndBoxesPosition<u64>| {
            let mut regions = Vec::new();
            Draft::of(position).for_each_region(|region| regions.push(region));
            regions
        };
        assert_eq!(only(&start), [Region { kind: RegionKind::Loop, boxes: 4 }]);
        assert_eq!(only(&start.after(Place(2))), [Region { kind: RegionKind::Closed, boxes: 4 }]);
    }
}

//! Parity: who plays last in a region gains by it, so moves into quadrants with an odd number of empties go first.

use crate::common::bits::SetBits;
use crate::othello::board::Shape;

/// The quadrants of a shape, ready for the solver.
#[derive(Clone, Debug)]
pub(crate) struct Quadrants {
    sets: [u64; 4],
    of_square: [u8; 64],
}

impl Quadrants {
    /// The quadrants of a shape.
    #[must_use]
    pub(crate) fn new(shape: Shape) -> Self {
        let sets = shape.quadrants();
        let mut of_square = [0; 64];
        for (quadrant, set) in (0_u8..).zip(sets) {
            for square in SetBits(set) {
                of_square[square as usize] = quadrant;
            }
        }
        Self { sets, of_square }
    }

    /// The squares of the quadrants that have an odd number of empties.
    #[inline(always)]
    #[must_use]
    pub(crate) fn odd(&self, empties: u64) -> u64 {
        let mut odd = 0;
        for set in self.sets {
            let parity = u64::from((empties & set).count_ones() & 1);
            odd |= set & parity.wrapping_neg();
        }
        odd
    }

    #[inline(always)]
    fn of(&self, square: u32) -> u8 {
        self.of_square[square as usize & 63]
    }

    /// Four empties with those of odd quadrants in front; a square alone in its quadrant before three in one.
    #[inline(always)]
    #[must_use]
    pub(crate) fn four_by_parity(&self, empties: u64) -> [u32; 4] {
        let odd = self.odd(empties);
        let first = empties & odd;
        let mut x = [0; 4];
        let mut place = 0;
        for set in [first, empties & !odd] {
            for square in SetBits(set) {
                x[place & 3] = square;
                place += 1;
            }
        }
        if first == empties {
            let alone = |square: u32| (self.sets[self.of(square) as usize & 3] & empties).is_power_of_two();
            if let Some(place) = x.iter().position(|&square| alone(square)) {
                x.swap(0, place);
            }
        }
        x
    }

    /// Three empties with one that is alone in its quadrant in front, if there is one.
    #[inline(always)]
    #[must_use]
    pub(crate) fn three_by_parity(&self, [a, b, c]: [u32; 3]) -> [u32; 3] {
        let (qa, qb, qc) = (self.of(a), self.of(b), self.of(c));
        if qa == qb && qa != qc {
            [c, a, b]
        } else if qa == qc && qa != qb {
            [b, a, c]
        } else {
            [a, b, c]
        }
    }
}

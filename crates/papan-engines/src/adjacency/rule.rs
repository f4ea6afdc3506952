//! Neighbourhoods as 64-bit words.
//!
//! ```text
//! bit = 8 * row + column, a1 is the top left cell and bit 0
//!
//!      a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7
//!  2   8  9 10 11 12 13 14 15
//!  …
//!  8  56 57 58 59 60 61 62 63
//! ```

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

#[inline(always)]
const fn west(b: u64) -> u64 {
    (b & NOT_A) >> 1
}

#[inline(always)]
const fn east(b: u64) -> u64 {
    (b & NOT_H) << 1
}

const fn four_neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let b = 1u64 << cell;
        table[cell] = west(b) | east(b) | (b << 8) | (b >> 8);
        cell += 1;
    }
    table
}

const fn eight_neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let b = 1u64 << cell;
        let row = b | west(b) | east(b);
        table[cell] = (row | (row << 8) | (row >> 8)) & !b;
        cell += 1;
    }
    table
}

static FOUR: [u64; 64] = four_neighbours();
static EIGHT: [u64; 64] = eight_neighbours();

/// For each `k`, the cells that have at least `k` neighbours in a given set.
pub trait Levels: Copy {
    /// The cells with at least `k` neighbours in the set; all cells if `k <= 0`.
    fn at_least(&self, k: i32) -> u64;
}

/// Which cells a move touches: the one difference between the two variants of the game.
pub trait Rule: Copy + Send + Sync + 'static {
    /// The most marks that one move can flip.
    const MAX: i32;
    /// The level sets of this rule.
    type Levels: Levels;
    /// The neighbours of one cell.
    fn neighbours(cell: u32) -> u64;
    /// All cells that have a neighbour in `set`.
    fn spread(set: u64) -> u64;
    /// Counts for all 64 cells at once how many neighbours they have in `set`.
    fn levels(set: u64) -> Self::Levels;
}

/// The four orthogonal neighbours: the rule of the game as it is played today.
#[derive(Clone, Copy, Debug)]
pub struct Four;

/// All eight neighbours: the rule of the early versions.
#[derive(Clone, Copy, Debug)]
pub struct Eight;

/// Level sets 1 to 4.
#[derive(Clone, Copy)]
pub struct FourLevels([u64; 6]);

impl Levels for FourLevels {
    #[inline(always)]
    fn at_least(&self, k: i32) -> u64 {
        self.0[k.clamp(0, 5) as usize]
    }
}

impl Rule for Four {
    const MAX: i32 = 4;
    type Levels = FourLevels;

    #[inline(always)]
    fn neighbours(cell: u32) -> u64 {
        FOUR[(cell & 63) as usize]
    }

    #[inline(always)]
    fn spread(set: u64) -> u64 {
        west(set) | east(set) | (set << 8) | (set >> 8)
    }

    #[inline(always)]
    fn levels(set: u64) -> FourLevels {
        let (n, s, w, e) = (set << 8, set >> 8, west(set), east(set));
        let (vertical, both_v) = (n | s, n & s);
        let (horizontal, both_h) = (w | e, w & e);
        FourLevels([
            !0,
            vertical | horizontal,
            both_v | both_h | (vertical & horizontal),
            (both_v & horizontal) | (vertical & both_h),
            both_v & both_h,
            0,
        ])
    }
}

/// Level sets 1 to 8.
#[derive(Clone, Copy)]
pub struct EightLevels([u64; 10]);

impl Levels for EightLevels {
    #[inline(always)]
    fn at_least(&self, k: i32) -> u64 {
        self.0[k.clamp(0, 9) as usize]
    }
}

impl Rule for Eight {
    const MAX: i32 = 8;
    type Levels = EightLevels;

    #[inline(always)]
    fn neighbours(cell: u32) -> u64 {
        EIGHT[(cell & 63) as usize]
    }

    #[inline(always)]
    fn spread(set: u64) -> u64 {
        let row = set | west(set) | east(set);
        west(set) | east(set) | (row << 8) | (row >> 8)
    }

    fn levels(set: u64) -> EightLevels {
        let (w, e) = (west(set), east(set));
        let sides = [set << 8, set >> 8, w, e, w << 8, w >> 8, e << 8, e >> 8];
        // A bit-sliced counter: `ones`, `twos`, `fours`, `eights` hold one binary digit per cell.
        let (mut ones, mut twos, mut fours, mut eights) = (0u64, 0u64, 0u64, 0u64);
        for side in sides {
            let carry_1 = ones & side;
            ones ^= side;
            let carry_2 = twos & carry_1;
            twos ^= carry_1;
            let carry_4 = fours & carry_2;
            fours ^= carry_2;
            eights |= carry_4;
        }
        let high = fours | eights;
        EightLevels([
            !0,
            ones | twos | high,
            twos | high,
            (twos & ones) | high,
            high,
            (fours & (ones | twos)) | eights,
            (fours & twos) | eights,
            (fours & twos & ones) | eights,
            eights,
            0,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<R: Rule>(steps: &[(i32, i32)]) {
        let mut state = 1u64;
        for _ in 0..2_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            let set = state ^ (state >> 29);
            let levels = R::levels(set);
            for cell in 0..64u32 {
                let (row, column) = ((cell / 8) as i32, (cell % 8) as i32);
                let mut count = 0;
                let mut near = 0u64;
                for (dr, dc) in steps {
                    let (r, c) = (row + dr, column + dc);
                    if (0..8).contains(&r) && (0..8).contains(&c) {
                        near |= 1 << (8 * r + c);
                        count += (set >> (8 * r + c) & 1) as i32;
                    }
                }
                assert_eq!(R::neighbours(cell), near);
                assert_eq!(R::spread(set) >> cell & 1 == 1, count > 0);
                for k in -1..=R::MAX + 2 {
                    assert_eq!(levels.at_least(k) >> cell & 1 == 1, count >= k);
                }
            }
        }
    }

    #[test]
    fn levels_count_the_neighbours() {
        let four = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        check::<Four>(&four);
        check::<Eight>(&[four, diagonal].concat());
    }
}

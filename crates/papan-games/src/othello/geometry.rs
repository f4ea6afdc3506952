//! Lines of the board: where a move is possible and what it turns.
//!
//! Every board lies in the top left corner of an 8×8 word:
//!
//! ```text
//!      a  b  c  d  e  f  g  h        bit = 8 * row + column
//!  1   0  1  2  3  4  5  6  7        a1 is the top left square
//!  2   8  9 10 11 12 13 14 15
//!  …                                 on 6×6, columns g h and rows 7 8
//!  8  56 57 58 59 60 61 62 63        never hold a disc
//! ```
//!
//! Squares beyond a small board stay empty, so every line of discs ends there
//! as it does at an edge; only the moves found must be cut to the board.

/// Columns b to g. A disc in column a or h can be the end of a line of turned
/// discs but not inside it, unless the line is vertical: masking the inside
/// keeps shifts from running over the edge into the next row.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares of a board of this size.
#[inline(always)]
#[must_use]
pub(super) const fn board(size: usize) -> u64 {
    BOARDS[size % 16]
}

const BOARDS: [u64; 16] = {
    let mut boards = [0; 16];
    boards[4] = 0x0000_0000_0f0f_0f0f;
    boards[6] = 0x0000_3f3f_3f3f_3f3f;
    boards[8] = u64::MAX;
    boards
};

/// The squares, empty or not, at the end of an unbroken line of `other` that
/// starts beside an `own` disc, in both directions of one axis.
#[inline(always)]
const fn line_ends(own: u64, inside: u64, shift: u32) -> u64 {
    // A line grows by one square, then by two, then by two again: six in all.
    let mut up = inside & (own << shift);
    let mut down = inside & (own >> shift);
    up |= inside & (up << shift);
    down |= inside & (down >> shift);
    let pairs_up = inside & (inside << shift);
    let pairs_down = pairs_up >> shift;
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    (up << shift) | (down >> shift)
}

/// The squares of `board` where `own` may move.
#[inline(always)]
#[must_use]
pub(super) const fn moves(own: u64, other: u64, board: u64) -> u64 {
    let inner = other & INNER_COLUMNS;
    let ends =
        line_ends(own, inner, 1) | line_ends(own, other, 8) | line_ends(own, inner, 7) | line_ends(own, inner, 9);
    ends & board & !(own | other)
}

/// The rays from one square, without the square itself.
#[derive(Clone, Copy)]
struct Rays {
    /// To larger bit numbers: east, south-west, south, south-east.
    up: [u64; 4],
    /// To smaller bit numbers: west, north-east, north, north-west.
    down: [u64; 4],
}

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut table = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let (rows, columns) = DIRECTIONS[axis];
            table[square].up[axis] = ray(square as i32, rows, columns);
            table[square].down[axis] = ray(square as i32, -rows, -columns);
            axis += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: i32, rows: i32, columns: i32) -> u64 {
    let mut squares = 0;
    let (mut row, mut column) = (square / 8 + rows, square % 8 + columns);
    while 0 <= row && row < 8 && 0 <= column && column < 8 {
        squares |= 1 << (8 * row + column);
        row += rows;
        column += columns;
    }
    squares
}

/// The discs of `other` that a disc of `own` on the empty `square` turns.
#[inline(always)]
#[must_use]
pub(super) fn turned(own: u64, other: u64, square: usize) -> u64 {
    let rays = &RAYS[square % 64];
    let mut turned = 0;
    for ray in rays.up {
        // Everything but the ray is filled, so that a one added at the bottom
        // is carried to the first square of the ray without an `other` disc.
        let end = (other | !ray).wrapping_add(1) & ray & own;
        turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
    }
    for ray in rays.down {
        // The highest square of the ray without an `other` disc. A ray full of
        // them gives bit 0, which is then no `own` disc on the ray.
        let end = (1 << 63) >> ((ray & !other) | 1).leading_zeros() & ray & own;
        turned |= end.wrapping_neg() << 1 & ray;
    }
    turned
}

/// The squares in their mirror image, left and right exchanged.
#[must_use]
pub(super) const fn mirrored(squares: u64, size: usize) -> u64 {
    squares.reverse_bits().swap_bytes() >> (8 - size)
}

/// The squares with top and bottom exchanged.
#[must_use]
pub(super) const fn upside_down(squares: u64, size: usize) -> u64 {
    squares.swap_bytes() >> (8 * (8 - size))
}

/// The squares with rows and columns exchanged: ever smaller blocks are
/// swapped across the diagonal from a1.
#[must_use]
pub(super) const fn transposed(squares: u64) -> u64 {
    const STEPS: [(u32, u64); 3] =
        [(28, 0x0000_0000_f0f0_f0f0), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)];
    let mut squares = squares;
    let mut step = 0;
    while step < 3 {
        let (distance, block) = STEPS[step];
        let difference = (squares ^ (squares >> distance)) & block;
        squares ^= difference ^ (difference << distance);
        step += 1;
    }
    squares
}

#[cfg(test)]
mod tests {
    use papan_core::Random;

    use super::*;

    /// Square by square: the discs that a move turns.
    fn slow_turned(own: u64, other: u64, square: usize) -> u64 {
        let mut turned = 0;
        for (rows, columns) in [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)] {
            let (mut row, mut column) = ((square / 8) as i32, (square % 8) as i32);
            let mut line = 0;
            loop {
                (row, column) = (row + rows, column + columns);
                if !(0..8).contains(&row) || !(0..8).contains(&column) {
                    break;
                }
                let disc = 1u64 << (8 * row + column);
                if own & disc != 0 {
                    turned |= line;
                }
                if other & disc == 0 {
                    break;
                }
                line |= disc;
            }
        }
        turned
    }

    #[test]
    fn moves_and_turned_discs_agree_with_walking_the_lines() {
        let mut random = Random::new(2);
        for round in 0..30_000 {
            let size = [4, 6, 8][round % 3];
            // Every third board is crowded, so that long and full lines occur.
            let taken = if round % 9 < 3 { random.bits() | random.bits() | random.bits() } else { random.bits() };
            let colour = if round % 2 == 0 { random.bits() } else { random.bits() & random.bits() };
            let (own, other) = (taken & colour & board(size), taken & !colour & board(size));
            let mut expected = 0;
            for square in (0..64).filter(|square| (board(size) & !(own | other)) >> square & 1 == 1) {
                let slow = slow_turned(own, other, square);
                assert_eq!(turned(own, other, square), slow, "{own:x} {other:x} {square}");
                expected |= u64::from(slow != 0) << square;
            }
            assert_eq!(moves(own, other, board(size)), expected, "{own:x} {other:x} {size}");
        }
    }

    #[test]
    fn symmetries_move_each_square_where_they_say() {
        for size in [4, 6, 8] {
            for (row, column) in (0..size * size).map(|n| (n / size, n % size)) {
                let bit = |row: usize, column: usize| 1u64 << (8 * row + column);
                assert_eq!(mirrored(bit(row, column), size), bit(row, size - 1 - column));
                assert_eq!(upside_down(bit(row, column), size), bit(size - 1 - row, column));
                assert_eq!(transposed(bit(row, column)), bit(column, row));
            }
        }
    }
}

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

/// The squares, taken or not, at the end of an unbroken line of `inside` that
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

/// The same within rows; some squares of `inside` itself are among the result.
#[inline(always)]
const fn row_ends(own: u64, inside: u64) -> u64 {
    // To the right, where a line's discs are neighbouring bits, adding its
    // first disc carries to the square after its last.
    let right = inside.wrapping_add(inside & (own << 1));
    let line = inside & (own >> 1);
    let line = line | inside & (line >> 1);
    let pairs = inside & (inside >> 1);
    let line = line | pairs & (line >> 2);
    let line = line | pairs & (line >> 2);
    right | line >> 1
}

/// The squares of `board` where `own` may move.
#[inline(always)]
#[must_use]
pub(super) const fn moves(own: u64, other: u64, board: u64) -> u64 {
    let inner = other & INNER_COLUMNS;
    let ends = row_ends(own, inner) | line_ends(own, other, 8) | line_ends(own, inner, 7) | line_ends(own, inner, 9);
    ends & board & !(own | other)
}

/// The rays from one square to larger bit numbers, without the square itself:
/// south-west, south, south-east, east.
static RAYS: [[u64; 4]; 64] = rays();

/// The ray to the left of each square.
static LEFT: [u64; 64] = left();

const fn rays() -> [[u64; 4]; 64] {
    const DIRECTIONS: [(i32, i32); 4] = [(1, -1), (1, 0), (1, 1), (0, 1)];
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (rows, columns) = DIRECTIONS[direction];
            table[square][direction] = ray(square as i32, rows, columns);
            direction += 1;
        }
        square += 1;
    }
    table
}

const fn left() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square as i32, 0, -1);
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

/// The discs of a ray to larger bit numbers that are turned from its start.
#[inline(always)]
const fn turned_upwards(own: u64, not_other: u64, ray: u64) -> u64 {
    // The first square of the ray without an `other` disc must be `own`.
    let stop = ray & not_other;
    let end = stop & stop.wrapping_neg() & own;
    end.wrapping_sub((end != 0) as u64) & ray
}

/// The discs of `other` that a disc of `own` on the empty `square` turns.
#[inline(always)]
#[must_use]
pub(super) fn turned(own: u64, other: u64, square: usize) -> u64 {
    let square = square % 64;
    let not_other = !other;
    // 1. Down the board and to the right.
    let [a, b, c, d] = RAYS[square];
    let mut turned = turned_upwards(own, not_other, a)
        | turned_upwards(own, not_other, b)
        | turned_upwards(own, not_other, c)
        | turned_upwards(own, not_other, d);
    // 2. Up the board, which is down the board turned upside down.
    let (own_flipped, not_other_flipped) = (own.swap_bytes(), not_other.swap_bytes());
    let [a, b, c, _] = RAYS[square ^ 56];
    let flipped = turned_upwards(own_flipped, not_other_flipped, a)
        | turned_upwards(own_flipped, not_other_flipped, b)
        | turned_upwards(own_flipped, not_other_flipped, c);
    turned |= flipped.swap_bytes();
    // 3. To the left. A ray full of `other` gives bit 0 for its last square,
    // which is then no `own` disc on the ray.
    let left = LEFT[square];
    let end = 1 << (left & not_other | 1).ilog2() & left & own;
    turned | end.wrapping_neg() << 1 & left
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

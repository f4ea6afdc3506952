//! Discs that can never be turned again: their number bounds the final score.

use super::board::{Board, Shape};
use super::move_generation::rays::AXES;
use std::sync::LazyLock;

/// Squares whose neighbours all exist on the 8×8 board: shifting onto them never wraps around.
const INTERIOR: u64 = 0x007E_7E7E_7E7E_7E00;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const FIRST_ROW: u64 = 0xFF;

/// The least score of the side to move that its opponent's stable discs allow: an upper bound of the score of
/// the side to move. It is never wrong, only loose.
#[inline]
#[must_use]
pub(super) fn upper_bound(board: Board, shape: Shape) -> i32 {
    let stable = if shape.is_standard() {
        stable_discs(board.opponent, board.player)
    } else {
        stable_discs_on(board.opponent, board.player, shape)
    };
    shape.playable().count_ones() as i32 - 2 * stable.count_ones() as i32
}

/// Makes the table of edges, which the first use would make otherwise.
pub(super) fn prepare() {
    LazyLock::force(&EDGES);
}

/// A set of discs of `own` that cannot be turned whatever is played, on the 8×8 board. Not every such disc is found.
#[inline]
#[must_use]
pub(super) fn stable_discs(own: u64, other: u64) -> u64 {
    let full = full_lines(own | other);
    let mut stable = stable_edges(own, other) | (own & full[0] & full[1] & full[2] & full[3]);
    let inner = own & INTERIOR;
    loop {
        let safe_on = |axis: usize| (stable << AXES[axis]) | (stable >> AXES[axis]) | full[axis];
        let grown = stable | (inner & safe_on(0) & safe_on(1) & safe_on(2) & safe_on(3));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The same on any shape, from full lines and borders alone.
#[must_use]
pub(super) fn stable_discs_on(own: u64, other: u64, shape: Shape) -> u64 {
    let full = full_lines(own | other | !shape.playable());
    let last = shape.size() - 1;
    let columns = FIRST_COLUMN | FIRST_COLUMN << last;
    let rows = FIRST_ROW | FIRST_ROW << (8 * last);
    let walls = [columns, columns | rows, rows, columns | rows];
    let mut stable = 0;
    loop {
        // Shifts may wrap around, but only from a border column, whose squares have a wall on that axis anyway,
        // or from squares outside, which hold no discs.
        let safe_on = |axis: usize| (stable << AXES[axis]) | (stable >> AXES[axis]) | full[axis] | walls[axis];
        let grown = own & safe_on(0) & safe_on(1) & safe_on(2) & safe_on(3);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// For each axis the squares whose whole line is occupied.
#[inline(always)]
fn full_lines(occupied: u64) -> [u64; 4] {
    let mut row = occupied & (occupied >> 4);
    row &= row >> 2;
    row = (row & (row >> 1) & FIRST_COLUMN) * 0xFF;
    let mut column = occupied & occupied.rotate_left(32);
    column &= column.rotate_left(16);
    column &= column.rotate_left(8);
    [row, full_diagonals::<7>(occupied, &BORDER_7), column, full_diagonals::<9>(occupied, &BORDER_9)]
}

/// `BORDER[up][i]`: squares with fewer than 1, 2 or 4 squares behind them on the diagonal, towards higher bits
/// (`up` = 0) or lower (`up` = 1).
type Border = [[u64; 3]; 2];
const BORDER_7: Border = border(-1);
const BORDER_9: Border = border(1);

const fn border(column_step: i32) -> Border {
    let mut table = [[0; 3]; 2];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let right = if column_step > 0 { 7 - column } else { column };
        let up = if 7 - row < right { 7 - row } else { right };
        let left = 7 - right;
        let down = if row < left { row } else { left };
        let mut step = 0;
        while step < 3 {
            if up < 1 << step {
                table[0][step] |= 1 << square;
            }
            if down < 1 << step {
                table[1][step] |= 1 << square;
            }
            step += 1;
        }
        square += 1;
    }
    table
}

#[inline(always)]
fn full_diagonals<const SHIFT: u32>(occupied: u64, border: &Border) -> u64 {
    let mut up = occupied;
    let mut down = occupied;
    for (step, (behind, before)) in border[0].iter().zip(&border[1]).enumerate() {
        up &= behind | (up >> (SHIFT << step));
        down &= before | (down << (SHIFT << step));
    }
    up & down
}

#[inline(always)]
fn stable_edges(own: u64, other: u64) -> u64 {
    let table = &**EDGES;
    let look = |own: u64, other: u64| u64::from(table[((own & 0xFF) << 8 | (other & 0xFF)) as usize]);
    let top = look(own, other);
    let bottom = look(own >> 56, other >> 56) << 56;
    let left = spread_column(look(gather_column(own), gather_column(other)));
    let right = spread_column(look(gather_column(own >> 7), gather_column(other >> 7))) << 7;
    top | bottom | left | right
}

/// The first column as a byte, row 1 in bit 0.
#[inline(always)]
const fn gather_column(squares: u64) -> u64 {
    (squares & FIRST_COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte as the first column: the inverse of [`gather_column`].
#[inline(always)]
const fn spread_column(byte: u64) -> u64 {
    // Copies of the byte, seven bits apart, put bit i at 8i; other bits are masked away.
    let low = (byte & 0x0F).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = (byte >> 4).wrapping_mul(0x0020_4081) & 0x0101_0101;
    low | high << 32
}

/// `EDGES[own << 8 | other]`: discs of `own` on an edge that no sequence of moves on that edge turns.
static EDGES: LazyLock<Box<[u8; 65536]>> = LazyLock::new(|| {
    let mut table = Box::new([0; 65536]);
    let mut by_empties: Vec<(u8, u8)> = (0..=255_u8)
        .flat_map(|own| (0..=255_u8).map(move |other| (own, other)))
        .filter(|(own, other)| own & other == 0)
        .collect();
    by_empties.sort_by_key(|(own, other)| std::cmp::Reverse((own | other).count_ones()));
    for (own, other) in by_empties {
        let mut stable = own;
        for place in (0..8).filter(|place| (own | other) >> place & 1 == 0) {
            let turned = edge_flips(own, other, place);
            stable &= table[index(own | turned | 1 << place, other & !turned)];
            let lost = edge_flips(other, own, place);
            stable &= table[index(own & !lost, other | lost | 1 << place)];
        }
        table[index(own, other)] = stable;
    }
    table
});

fn index(own: u8, other: u8) -> usize {
    usize::from(own) << 8 | usize::from(other)
}

fn edge_flips(own: u8, other: u8, place: i32) -> u8 {
    let mut flips = 0;
    for step in [-1, 1] {
        let mut run = 0_u8;
        let mut at = place + step;
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 == 1 {
            flips |= run;
        }
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::testing::{random_boards, random_playout};

    #[test]
    fn columns_gather_and_spread() {
        for byte in 0..256 {
            assert_eq!(gather_column(spread_column(byte)), byte);
        }
    }

    #[test]
    fn diagonals_are_full_where_every_square_of_the_line_is_occupied() {
        for board in random_boards(2_000, 5, Shape::STANDARD) {
            let occupied = board.occupied();
            let full = full_lines(occupied);
            for square in 0..64 {
                for (axis, lines) in full.iter().enumerate() {
                    let line = crate::othello::move_generation::rays::LINES[square][axis];
                    assert_eq!(lines >> square & 1 == 1, occupied & line == line);
                }
            }
        }
    }

    #[test]
    fn stable_discs_survive_random_play_to_the_end() {
        for size in [4, 6, 8] {
            let shape = Shape::square(size);
            for (seed, board) in (0..).zip(random_boards(3_000, 11, shape)) {
                let found = if shape.is_standard() {
                    stable_discs(board.player, board.opponent)
                } else {
                    stable_discs_on(board.player, board.opponent, shape)
                };
                random_playout(board, shape, seed, |now, same_side| {
                    let own = if same_side { now.player } else { now.opponent };
                    assert_eq!(found & !own, 0, "{board:?}");
                });
            }
        }
    }
}

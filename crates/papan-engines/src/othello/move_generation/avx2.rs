//! The board operations with AVX2 (four axes in one register) and BMI2 (bits of a line gathered by one `pext`).

#![allow(unsafe_code)]

use super::rays::{LINES, RAYS_DOWN, RAYS_UP, TURNED_ON_LINE};
use super::{Cpu, Task};
use crate::common::cpu::Avx2;
use std::arch::x86_64::*;

impl Cpu for Avx2 {
    #[inline(always)]
    fn flips(self, square: u32, player: u64, opponent: u64) -> u64 {
        // SAFETY: a value of this type exists only if the CPU has the instructions.
        unsafe { flips(square, player, opponent) }
    }

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        // SAFETY: as above.
        unsafe { moves(player, opponent) }
    }

    #[inline(always)]
    fn last_flips(self, square: u32, player: u64) -> u32 {
        // SAFETY: as above.
        unsafe { last_flips(square, player) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: as above.
        unsafe { run(self, task) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(cpu: Avx2, task: T) -> T::Output {
    task.work(cpu)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips(square: u32, player: u64, opponent: u64) -> u64 {
    let own = _mm256_set1_epi64x(player as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    // SAFETY: both tables have four words for each of the 64 squares, and `square & 63` is one of them.
    let (up, down) = unsafe {
        (
            _mm256_loadu_si256(RAYS_UP.get_unchecked((square & 63) as usize).as_ptr().cast()),
            _mm256_loadu_si256(RAYS_DOWN.get_unchecked((square & 63) as usize).as_ptr().cast()),
        )
    };
    let shift = _mm256_set_epi64x(9, 8, 7, 1);
    // Upwards: subtracting −1 carries through the opponent's run to the square behind it (see `Portable`).
    let ones = _mm256_set1_epi64x(-1);
    let not_ray_or_other = _mm256_or_si256(other, _mm256_xor_si256(up, ones));
    let carried = _mm256_sub_epi64(not_ray_or_other, ones);
    let closing_up = _mm256_and_si256(_mm256_and_si256(carried, own), up);
    let none = _mm256_cmpeq_epi64(closing_up, _mm256_setzero_si256());
    let below_closing = _mm256_andnot_si256(none, _mm256_add_epi64(closing_up, ones));
    let flips_up = _mm256_and_si256(below_closing, up);
    // Downwards: smear every stop towards lower bits; the first stop is the one that no other stop smears onto.
    let stop = _mm256_andnot_si256(other, down);
    let stop2 = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, shift));
    let two_shifts = _mm256_add_epi64(shift, shift);
    let stop4 = _mm256_or_si256(stop2, _mm256_srlv_epi64(stop2, two_shifts));
    let stop7 = _mm256_or_si256(stop4, _mm256_srlv_epi64(stop4, _mm256_add_epi64(two_shifts, shift)));
    let beyond = _mm256_srlv_epi64(stop7, shift);
    let closing_down = _mm256_andnot_si256(beyond, _mm256_and_si256(own, down));
    let above_closing = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(closing_down, closing_down));
    let flips_down = _mm256_and_si256(above_closing, down);
    or_of_lanes(_mm256_or_si256(flips_up, flips_down))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn moves(player: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7E7E_7E7E_7E7E_7E7E;
    let shift = _mm256_set_epi64x(9, 8, 7, 1);
    let two_shifts = _mm256_add_epi64(shift, shift);
    let own = _mm256_set1_epi64x(player as i64);
    let run = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), _mm256_set_epi64x(INNER, -1, INNER, INNER));
    let mut up = _mm256_and_si256(run, _mm256_sllv_epi64(own, shift));
    let mut down = _mm256_and_si256(run, _mm256_srlv_epi64(own, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(run, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(down, _mm256_and_si256(run, _mm256_srlv_epi64(down, shift)));
    let pair_up = _mm256_and_si256(run, _mm256_sllv_epi64(run, shift));
    let pair_down = _mm256_srlv_epi64(pair_up, shift);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, two_shifts)));
        down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, two_shifts)));
    }
    let landing = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    or_of_lanes(landing) & !(player | opponent)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or_of_lanes(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let word = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    _mm_cvtsi128_si64(word) as u64
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn last_flips(square: u32, player: u64) -> u32 {
    let square = (square & 63) as usize;
    let (row, column) = (square / 8, square % 8);
    let lines = &LINES[square];
    // The bits of a diagonal come out in the order of rows; those below its first row are counted to find the
    // place of the square on it.
    let own_row = (player >> (8 * row)) as u8 as usize;
    let own_column = _pext_u64(player, lines[2]) as u8 as usize;
    let own_diagonal = _pext_u64(player, lines[3]) as u8 as usize;
    let own_anti = _pext_u64(player, lines[1]) as u8 as usize;
    let place_on_diagonal = row.min(column);
    let place_on_anti = row.min(7 - column);
    u32::from(TURNED_ON_LINE[column][own_row])
        + u32::from(TURNED_ON_LINE[row][own_column])
        + u32::from(TURNED_ON_LINE[place_on_diagonal][own_diagonal])
        + u32::from(TURNED_ON_LINE[place_on_anti][own_anti])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::bits::SetBits;
    use crate::othello::board::Shape;
    use crate::othello::move_generation::Portable;
    use crate::othello::testing::random_boards;

    /// Four million flips, a hundred thousand sets of moves: the same as without special instructions.
    #[test]
    fn agrees_with_the_portable_code() {
        let Some(cpu) = Avx2::detect() else { return };
        for board in random_boards(130_000, 17, Shape::STANDARD) {
            let (player, opponent) = (board.player, board.opponent);
            assert_eq!(cpu.moves(player, opponent), Portable.moves(player, opponent), "{board:?}");
            for square in SetBits(!board.occupied()) {
                let flips = Portable.flips(square, player, opponent);
                assert_eq!(cpu.flips(square, player, opponent), flips, "{board:?} {square}");
                let filled = player & !(1 << square);
                assert_eq!(cpu.last_flips(square, filled), Portable.last_flips(square, filled), "{board:?} {square}");
            }
        }
    }
}

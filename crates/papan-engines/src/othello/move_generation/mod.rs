//! Move generation: the board operations that every node pays for, behind a trait, so that a search is compiled once for plain
//! machine code and once for CPUs with AVX2 and BMI2; the choice is made once, by [`dispatch`], at run time.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(super) mod rays;

use rays::{RAYS_DOWN, RAYS_UP};

/// A set of instructions to run the search with. Values are proofs: one of `Avx2` exists only on a
/// CPU that has the instructions.
pub(super) trait Cpu: Copy + Send + Sync + 'static {
    /// The discs of `opponent` that are turned when the side with `player` plays on `square`; empty if the move is
    /// not legal. The square must be empty.
    fn flips(self, square: u32, player: u64, opponent: u64) -> u64;

    /// The empty squares on which the side with `player` may play, squares outside a smaller board included.
    fn moves(self, player: u64, opponent: u64) -> u64;

    /// How many discs are turned by playing on `square` when it is the only empty square of the board, so that
    /// every disc that is not `player`'s is the opponent's.
    fn last_flips(self, square: u32, player: u64) -> u32;

    /// Runs `task` compiled for this CPU: what is inlined into it may use all instructions of the CPU.
    fn run<T: Task>(self, task: T) -> T::Output;
}

/// A piece of work that a [`Cpu`] compiles for itself. Recursive hot functions pass through a task at each level:
/// the body is inlined into a function that has the instructions switched on.
pub(super) trait Task {
    /// What the work gives.
    type Output;
    /// Does the work. Implementations are `#[inline(always)]`.
    fn work<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Works on every CPU, without special instructions: the reference that the fast versions are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Cpu for Portable {
    #[inline]
    fn flips(self, square: u32, player: u64, opponent: u64) -> u64 {
        let mut flips = 0;
        for &mask in &RAYS_UP[square as usize] {
            // Adding one carries through everything that is not on the ray and through the opponent's run, and
            // stops on the first square of the ray that is not the opponent's.
            let closing = (opponent | !mask).wrapping_add(1) & player & mask;
            flips |= closing.saturating_sub(1) & mask;
        }
        for &mask in &RAYS_DOWN[square as usize] {
            let stop = mask & !opponent;
            let closing = (0x8000_0000_0000_0000_u64.checked_shr(stop.leading_zeros()).unwrap_or(0)) & player;
            flips |= closing.wrapping_shl(1).wrapping_neg() & mask;
        }
        flips
    }

    #[inline]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
        let inner = opponent & INNER_COLUMNS;
        let landing = ray_ends(player, inner, 1)
            | ray_ends(player, inner, 7)
            | ray_ends(player, opponent, 8)
            | ray_ends(player, inner, 9);
        landing & !(player | opponent)
    }

    #[inline]
    fn last_flips(self, square: u32, player: u64) -> u32 {
        self.flips(square, player, !(player | 1 << square)).count_ones()
    }

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.work(self)
    }
}

/// Squares just behind a run of `run` discs that starts next to a disc of `player`, both ways along one axis.
#[inline(always)]
fn ray_ends(player: u64, run: u64, shift: u32) -> u64 {
    let mut up = run & (player << shift);
    let mut down = run & (player >> shift);
    for _ in 0..5 {
        up |= run & (up << shift);
        down |= run & (down >> shift);
    }
    (up << shift) | (down >> shift)
}

/// Runs a task with the best instructions that this CPU has.
pub(super) fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = crate::common::cpu::Avx2::detect() {
        return cpu.run(task);
    }
    Portable.run(task)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::bits::SetBits;
    use crate::othello::board::{Board, Shape};
    use crate::othello::testing::{random_boards, start};

    /// Walks from the square in all eight directions: the rule itself.
    fn flips_by_walking(square: u32, board: Board) -> u64 {
        let (row, column) = (square as i32 / 8, square as i32 % 8);
        let mut flips = 0;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let (mut r, mut c, mut run) = (row + down, column + right, 0_u64);
            while (0..8).contains(&r) && (0..8).contains(&c) {
                let bit = 1_u64 << (8 * r + c);
                if board.opponent & bit != 0 {
                    run |= bit;
                } else {
                    if board.player & bit != 0 {
                        flips |= run;
                    }
                    break;
                }
                (r, c) = (r + down, c + right);
            }
        }
        flips
    }

    #[test]
    fn flips_and_moves_follow_the_rule() {
        for board in random_boards(5_000, 23, Shape::STANDARD) {
            let moves = Portable.moves(board.player, board.opponent);
            for square in SetBits(!board.occupied()) {
                let flips = flips_by_walking(square, board);
                assert_eq!(Portable.flips(square, board.player, board.opponent), flips, "{board:?} {square}");
                assert_eq!(moves >> square & 1 == 1, flips != 0, "{board:?} {square}");
            }
        }
    }

    /// Leaves at `depth` plies; a pass is a ply and a finished game is a leaf.
    fn perft<C: Cpu>(cpu: C, board: Board, depth: u32) -> u64 {
        let moves = cpu.moves(board.player, board.opponent);
        match depth {
            0 => 1,
            1 if moves != 0 => u64::from(moves.count_ones()),
            _ if moves == 0 && cpu.moves(board.opponent, board.player) == 0 => 1,
            _ if moves == 0 => perft(cpu, board.passed(), depth - 1),
            _ => {
                let after = |square| board.after(square, cpu.flips(square, board.player, board.opponent));
                SetBits(moves).map(|square| perft(cpu, after(square), depth - 1)).sum()
            }
        }
    }

    #[test]
    fn counts_from_the_start_are_the_published_ones() {
        let published = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
        for (depth, expected) in (1..).zip(published) {
            assert_eq!(perft(Portable, start(Shape::STANDARD), depth), expected);
        }
    }
}

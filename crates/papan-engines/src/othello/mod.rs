//! The Othello engine: exact endgame solver, pattern evaluation, selective middle game search.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
pub mod board;
pub mod bot;
pub mod cpu;
pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod formats;
mod insights;
pub mod leaf_cache;
pub mod levels;
pub mod limits;
pub mod moves;
pub mod openings;
pub mod perft;
pub mod protocols;
pub mod rays;
pub mod search;
pub mod stability;
pub mod transposition;
#[cfg(test)]
mod testing;
pub mod think;
pub mod training;

pub use insights::insights;

use cpu::{Portable, Task};

/// Runs a task with the best instructions that this CPU has.
pub fn door<T: Task>(task: T) -> T::Output {
    use cpu::Cpu;
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = avx2::Avx2::detect() {
        return cpu.run(task);
    }
    Portable.run(task)
}

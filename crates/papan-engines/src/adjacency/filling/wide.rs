//! Work compiled for CPUs with AVX2; the choice is made at run time.

#![allow(unsafe_code)]

/// A piece of work that is compiled for the CPU that runs it.
pub(super) trait Work {
    /// What the work gives.
    type Output;
    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled with the instructions of
    /// the function that they are inlined into.
    fn work<const WIDE: bool>(self) -> Self::Output;
}

/// Does the work with the best instructions that this CPU has; `WIDE` says whether registers hold 32 bytes.
pub(super) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the CPU has all of the instructions that the function is compiled for.
        return unsafe { run_wide(work) };
    }
    work.work::<false>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_wide<W: Work>(work: W) -> W::Output {
    work.work::<true>()
}

//! The one choice of instructions: plain machine code, or AVX2 with the bit instructions that every CPU with AVX2
//! has had since 2013. It is made at run time, so that one binary runs everywhere.

/// Proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT: [`Avx2::detect`] is the only way to get one. Functions
/// with `#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]` may be called by whoever holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Asks the CPU; the standard library remembers what it said.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Self(()))
    }
}

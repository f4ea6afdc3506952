//! Random numbers of engines: SplitMix64 (Steele, Lea, Flood 2014). One word of state, and any seed will do.

use papan_core::mix;

/// What a step adds to the state: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A small generator; the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The numbers that belong to `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `sides`, which is not 0.
    #[inline]
    pub fn roll(&mut self, sides: usize) -> usize {
        self.next() as usize % sides
    }

    /// A number below `bound`, by multiplying instead of dividing.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }
}

/// The first number of the generator with this seed: a well-mixed constant.
#[must_use]
pub(crate) const fn scrambled(seed: u64) -> u64 {
    SplitMix::new(seed).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 1234567, as the authors' program prints them.
    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = SplitMix::new(1_234_567);
        let first = [(); 3].map(|()| random.next());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert_eq!(scrambled(1_234_567), first[0]);
    }
}

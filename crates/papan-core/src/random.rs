//! Randomness: always seeded, so that the same seed gives the same game.

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator that everything random in Papan draws from.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of numbers that belongs to `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, by multiplying instead of dividing; the bias is
    /// at most `bound / 2^32`. `bound` must not be 0.
    #[inline(always)]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0 && bound <= u32::MAX as usize);
        scale(self.bits(), bound)
    }

    /// A number in [0, 1).
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Puts `items` in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Maps 64 random bits to a number below `bound`.
#[inline(always)]
#[must_use]
pub(crate) const fn scale(random: u64, bound: usize) -> usize {
    (((random >> 32) * bound as u64) >> 32) as usize
}

/// Mixes a word so that every input bit affects every output bit: the base of
/// position keys (the finaliser of the splitmix generator).
#[inline(always)]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let a = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ (b >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        assert!((0..100).all(|_| a.bits() == b.bits()));
        assert_ne!(Random::new(7).bits(), Random::new(8).bits());
    }

    #[test]
    fn below_reaches_every_number_and_no_other() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 7];
        for _ in 0..7000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}

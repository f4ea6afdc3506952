//! Sets of up to 64 or 256 places as machine words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::random::{mix, scale};

/// A set of small numbers in one or more machine words.
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many numbers fit, from 0 up.
    const CAPACITY: usize;
    /// No number.
    const EMPTY: Self;

    /// Only `index`.
    fn bit(index: usize) -> Self;
    /// Is `index` in the set?
    fn has(self, index: usize) -> bool;
    /// How many numbers are in the set.
    fn count(self) -> u32;
    /// The smallest number in the set, which must not be empty.
    fn lowest(self) -> usize;
    /// The set without its smallest number.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// The `n`-th smallest number (from 0); the set must have more than `n`.
    fn nth(self, n: usize) -> usize;
    /// A number of the set drawn with 64 random bits, `None` if it is empty.
    fn pick(self, random: u64) -> Option<usize>;
    /// Every number made smaller by `by`; those below `by` drop out.
    #[must_use]
    fn shifted_down(self, by: usize) -> Self;
    /// A hash of the set.
    fn hash_word(self) -> u64;

    /// Is nothing in the set?
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The numbers below `count`.
    fn first(count: usize) -> Self {
        (0..count).fold(Self::EMPTY, |set, index| set | Self::bit(index))
    }

    /// The numbers of the set from the smallest up.
    #[inline(always)]
    fn iter(self) -> BitIter<Self> {
        BitIter(self)
    }
}

/// The numbers of a set from the smallest up.
#[derive(Clone, Copy, Debug)]
pub struct BitIter<B>(B);

impl<B: Bits> Iterator for BitIter<B> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let lowest = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(lowest)
    }
}

const BYTES: u64 = 0x0101_0101_0101_0101;

/// Byte `i` of the result counts the ones in bytes 0 to `i` of `word`: one
/// multiplication in place of eight additions.
#[inline(always)]
const fn byte_prefix_counts(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(BYTES)
}

/// The number of bytes of `prefix`, counts of at most 64 in rising order, that
/// are at most `n`.
#[inline(always)]
const fn bytes_at_most(prefix: u64, n: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte's high bit stays set where its count is at most n.
    let at_most = ((n * BYTES) | HIGH) - prefix;
    (((at_most & HIGH) >> 7).wrapping_mul(BYTES)) >> 56
}

/// The `n`-th one of `word`, given its [`byte_prefix_counts`]; without
/// branches, for random numbers make every branch a surprise.
#[inline(always)]
fn select(word: u64, prefix: u64, n: usize) -> usize {
    let byte = bytes_at_most(prefix, n as u64) * 8;
    let within = n as u64 - (((prefix << 8) >> byte) & 0xff);
    // Each bit of the byte is moved to a byte of its own and made a 0 or 1.
    let apart = ((word >> byte) & 0xff).wrapping_mul(BYTES) & 0x8040_2010_0804_0201;
    let ones = ((apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & BYTES;
    (byte + bytes_at_most(ones.wrapping_mul(BYTES), within)) as usize
}

impl Bits for u64 {
    const CAPACITY: usize = 64;
    const EMPTY: Self = 0;

    #[inline(always)]
    fn bit(index: usize) -> Self {
        1 << index
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        index < 64 && self >> index & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(1)
    }

    #[inline(always)]
    fn nth(self, n: usize) -> usize {
        debug_assert!(n < self.count() as usize);
        select(self, byte_prefix_counts(self), n)
    }

    #[inline(always)]
    fn pick(self, random: u64) -> Option<usize> {
        let prefix = byte_prefix_counts(self);
        let count = (prefix >> 56) as usize;
        (count > 0).then(|| select(self, prefix, scale(random, count)))
    }

    #[inline(always)]
    fn shifted_down(self, by: usize) -> Self {
        if by < 64 { self >> by } else { 0 }
    }

    #[inline(always)]
    fn hash_word(self) -> u64 {
        mix(self)
    }
}

/// A set of up to 256 numbers: word `i` holds the numbers from `64 i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits256([u64; 4]);

impl Bits256 {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Bits256 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Bits256 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Bits256 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Bits256 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl Bits for Bits256 {
    const CAPACITY: usize = 256;
    const EMPTY: Self = Self([0; 4]);

    #[inline(always)]
    fn bit(index: usize) -> Self {
        let mut words = [0; 4];
        words[index / 64] = 1 << (index % 64);
        Self(words)
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        index < 256 && self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    fn lowest(self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(3);
        word * 64 + self.0[word].trailing_zeros() as usize
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        let mut words = self.0;
        if let Some(word) = words.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        Self(words)
    }

    #[inline(always)]
    fn nth(self, mut n: usize) -> usize {
        debug_assert!(n < self.count() as usize);
        for (index, word) in self.0.into_iter().enumerate() {
            let count = word.count_ones() as usize;
            if n < count {
                return index * 64 + word.nth(n);
            }
            n -= count;
        }
        unreachable!("the set has fewer numbers than asked for")
    }

    #[inline(always)]
    fn pick(self, random: u64) -> Option<usize> {
        let count = self.count() as usize;
        (count > 0).then(|| self.nth(scale(random, count)))
    }

    #[inline(always)]
    fn shifted_down(self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |index: usize| self.0.get(index).copied().unwrap_or(0);
        Self(std::array::from_fn(|i| {
            let low = word(i + words) >> bits;
            let high = if bits == 0 { 0 } else { word(i + words + 1) << (64 - bits) };
            low | high
        }))
    }

    #[inline(always)]
    fn hash_word(self) -> u64 {
        self.0.into_iter().fold(0, |hash, word| mix(hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers<B: Bits>(set: B) -> Vec<usize> {
        (0..B::CAPACITY).filter(|&index| set.has(index)).collect()
    }

    /// Every operation against the plain list of numbers.
    fn check<B: Bits>(list: &[usize], random: u64, by: usize) {
        let set = list.iter().fold(B::EMPTY, |set, &index| set | B::bit(index));
        let list = numbers(set);
        assert_eq!(set.count() as usize, list.len());
        assert_eq!(set.iter().collect::<Vec<_>>(), list);
        assert_eq!(set.is_empty(), list.is_empty());
        for (n, &index) in list.iter().enumerate() {
            assert_eq!(set.nth(n), index);
        }
        match set.pick(random) {
            Some(index) => assert!(set.has(index)),
            None => assert!(list.is_empty()),
        }
        let shifted: Vec<_> = list.iter().filter_map(|&index| index.checked_sub(by)).collect();
        assert_eq!(numbers(set.shifted_down(by)), shifted);
    }

    proptest! {
        #[test]
        fn words_behave_like_lists(list in prop::collection::vec(0usize..64, 0..64), random: u64, by in 0usize..70) {
            check::<u64>(&list, random, by);
        }

        #[test]
        fn wide_words_behave_like_lists(list in prop::collection::vec(0usize..256, 0..200), random: u64, by in 0usize..260) {
            check::<Bits256>(&list, random, by);
        }
    }

    #[test]
    fn full_and_single_sets() {
        for index in 0..64 {
            assert_eq!(u64::MAX.nth(index), index);
            assert_eq!((1u64 << index).pick(u64::MAX), Some(index));
        }
        assert_eq!(u64::first(64), u64::MAX);
        assert_eq!(Bits256::first(70).count(), 70);
    }

    #[test]
    fn picking_is_even() {
        let mut random = crate::Random::new(5);
        let set = 0x8000_0101_0400_0011u64;
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..7000 {
            *seen.entry(set.pick(random.bits()).unwrap()).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|&count| (1000..1350).contains(&count)), "{seen:?}");
    }
}

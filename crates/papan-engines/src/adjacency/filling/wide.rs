//! Rows of 32 bytes: one register where the CPU has AVX2, which is found out at run time, and an array elsewhere.

#![allow(unsafe_code)]

/// Bytes of a row.
pub(super) const LANES: usize = 32;

/// A row as it stands in memory.
pub(super) type Lanes = [u8; LANES];

/// A row of bytes without sign; sums and differences wrap round.
pub(super) trait Row: Copy {
    /// Reads a row.
    fn load(lanes: &Lanes) -> Self;
    /// Writes a row.
    fn store(self, lanes: &mut Lanes);
    /// The same byte everywhere.
    fn all(value: u8) -> Self;
    /// The sums.
    fn plus(self, other: Self) -> Self;
    /// The differences.
    fn minus(self, other: Self) -> Self;
    /// The larger ones.
    fn max(self, other: Self) -> Self;
    /// To each lane whose number has the bit `PLACE` the lane whose number lacks it; to the others zero.
    fn one_bit_less<const PLACE: usize>(self) -> Self;
}

/// A piece of work on rows.
pub(super) trait Work {
    /// What the work gives.
    type Output;
    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled with the instructions of
    /// the function that they are inlined into.
    fn work<W: Row>(self) -> Self::Output;
}

/// Does the work with the best instructions that this CPU has.
pub(super) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if crate::common::cpu::Avx2::detect().is_some() {
        // SAFETY: the CPU has all of the instructions that the function is compiled for.
        return unsafe { avx2::run(work) };
    }
    work.work::<Plain>()
}

/// The portable row.
#[derive(Clone, Copy)]
struct Plain(Lanes);

impl Plain {
    #[inline(always)]
    fn zip(mut self, other: Self, by: impl Fn(u8, u8) -> u8) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane = by(*lane, other));
        self
    }
}

impl Row for Plain {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        Self(*lanes)
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn all(value: u8) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_sub)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, u8::max)
    }

    #[inline(always)]
    fn one_bit_less<const PLACE: usize>(self) -> Self {
        Self(std::array::from_fn(|lane| if lane >> PLACE & 1 == 1 { self.0[lane ^ 1 << PLACE] } else { 0 }))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi8, _mm256_loadu_si256, _mm256_max_epu8, _mm256_permute2x128_si256, _mm256_set1_epi8,
        _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
    };

    use super::{LANES, Lanes, Row, Work};

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<W: Work>(work: W) -> W::Output {
        work.work::<Register>()
    }

    /// A row in a register. Made and used inside [`run`] alone: that is why its methods may use the instructions.
    #[derive(Clone, Copy)]
    pub(super) struct Register(__m256i);

    /// For the bits 0 to 3: where the lanes come from. Halves of a register are shuffled on their own; what has
    /// the top bit set becomes zero.
    static ONE_BIT_LESS: [Lanes; 4] = [sources(0), sources(1), sources(2), sources(3)];

    const fn sources(place: usize) -> Lanes {
        let mut sources = [0x80; LANES];
        let mut lane = 0;
        while lane < LANES {
            if lane >> place & 1 == 1 {
                sources[lane] = ((lane % 16) ^ (1 << place)) as u8;
            }
            lane += 1;
        }
        sources
    }

    impl Row for Register {
        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            // SAFETY: the 32 bytes are borrowed; alignment is not asked for.
            Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            // SAFETY: the 32 bytes are borrowed for writing; alignment is not asked for.
            unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn all(value: u8) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_set1_epi8(value.cast_signed()) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_add_epi8(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_sub_epi8(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_max_epu8(self.0, other.0) })
        }

        #[inline(always)]
        fn one_bit_less<const PLACE: usize>(self) -> Self {
            if PLACE == 4 {
                // The lower half moves up, and zero takes its place.
                // SAFETY: see `Register`.
                return Self(unsafe { _mm256_permute2x128_si256::<0x08>(self.0, self.0) });
            }
            let sources = Self::load(&ONE_BIT_LESS[PLACE]).0;
            // SAFETY: see `Register`.
            Self(unsafe { _mm256_shuffle_epi8(self.0, sources) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::SplitMix;

    /// All operations on two rows, one after the other.
    struct Everything(Lanes, Lanes);

    impl Work for Everything {
        type Output = Vec<Lanes>;

        #[inline(always)]
        fn work<W: Row>(self) -> Vec<Lanes> {
            let (a, b) = (W::load(&self.0), W::load(&self.1));
            let rows = [
                W::all(self.0[0]),
                a.plus(b),
                a.minus(b),
                a.max(b),
                a.one_bit_less::<0>(),
                a.one_bit_less::<1>(),
                a.one_bit_less::<2>(),
                a.one_bit_less::<3>(),
                a.one_bit_less::<4>(),
            ];
            let stored = |row: W| {
                let mut lanes = [0; LANES];
                row.store(&mut lanes);
                lanes
            };
            rows.map(stored).to_vec()
        }
    }

    #[test]
    fn registers_and_arrays_agree() {
        let mut random = SplitMix::new(17);
        for _ in 0..2_000 {
            let mut row = || -> Lanes { std::array::from_fn(|_| random.below(256) as u8) };
            let (a, b) = (row(), row());
            assert_eq!(run(Everything(a, b)), Everything(a, b).work::<Plain>());
        }
    }
}

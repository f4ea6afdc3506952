//! The numbers of the bits that are set in a word, lowest first.

/// The bits of a set that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetBits(pub u64);

impl Iterator for SetBits {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_comes_once_and_in_order() {
        for set in [0, 1, u64::MAX, 1 << 63, 0x8000_0001_0010_0001] {
            let plain: Vec<u32> = (0..64).filter(|bit| set >> bit & 1 == 1).collect();
            assert_eq!(SetBits(set).collect::<Vec<_>>(), plain);
        }
    }
}

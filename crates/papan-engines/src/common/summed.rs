//! Files that end with a sum of their bytes. One wrong bit in a table of bounds
//! would be shown as an exact value; with the sum a damaged file is refused.

use std::io::{self, Read, Write};

/// Writes and reads through to another, adding up what passes (FNV-1a).
pub(crate) struct Summed<'a, T: ?Sized> {
    inner: &'a mut T,
    sum: u64,
}

impl<'a, T: ?Sized> Summed<'a, T> {
    pub(crate) fn new(inner: &'a mut T) -> Self {
        Self { inner, sum: 0xCBF2_9CE4_8422_2325 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.sum = bytes.iter().fold(self.sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
    }
}

impl<T: Write + ?Sized> Summed<'_, T> {
    /// Ends what was written with its sum.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.inner.write_all(&self.sum.to_le_bytes())
    }
}

impl<T: Read + ?Sized> Summed<'_, T> {
    /// Reads the sum at the end; an error if it is that of something else.
    pub(crate) fn check(self) -> io::Result<()> {
        let mut sum = [0; 8];
        self.inner.read_exact(&mut sum)?;
        if u64::from_le_bytes(sum) == self.sum {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "the file is damaged: its sum is not that of its contents"))
        }
    }
}

impl<T: Write + ?Sized> Write for Summed<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read + ?Sized> Read for Summed<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.add(&bytes[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_every_wrong_bit_is_found() {
        let mut file = Vec::new();
        let mut out = Summed::new(&mut file);
        out.write_all(b"bounds").unwrap();
        out.finish().unwrap();
        let read = |mut file: &[u8]| {
            let mut input = Summed::new(&mut file);
            input.read_exact(&mut [0; 6])?;
            input.check()
        };
        assert!(read(&file).is_ok());
        assert!(read(&file[..file.len() - 1]).is_err());
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&damaged).is_err(), "bit {bit}");
        }
    }
}

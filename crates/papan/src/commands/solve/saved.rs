//! A saved solve as a file: what it is of, what the solver wrote, and the
//! SHA-256 of both. A table of bounds that one wrong bit has changed would give
//! a wrong value that is called exact.
//!
//! ```text
//! papan-solve 1\n
//! {"game":"dots-and-boxes:rows=4,cols=4","position":"…"}\n   what the solver wrote   32 bytes
//! ```

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::Path;

use ring::digest::{Context, SHA256, SHA256_OUTPUT_LEN};
use serde::{Deserialize, Serialize};

use crate::safe_file;

const HEADER: &[u8] = b"papan-solve 1\n";

/// The longest line that says what a file is of.
const LONGEST: u64 = 64 << 10;

/// What a saved solve is of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Of {
    pub(super) game: String,
    pub(super) position: String,
}

/// Writes a saved solve in place of the last one.
pub(super) fn write(path: &Path, of: &Of, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    safe_file::replace(path, |out| {
        let mut out = Hashing { inner: out, digest: Context::new(&SHA256) };
        out.write_all(HEADER)?;
        serde_json::to_writer(&mut out, of)?;
        out.write_all(b"\n")?;
        body(&mut out)?;
        let Hashing { inner, digest } = out;
        inner.write_all(digest.finish().as_ref())
    })
}

/// Opens a saved solve of `of`, at what the solver wrote. All of it has been
/// read and found whole.
pub(super) fn open(path: &Path, of: &Of) -> io::Result<impl Read> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut file = BufReader::new(File::open(path)?);
    let mut header = [0; HEADER.len()];
    file.read_exact(&mut header).map_err(|_| wrong("not a saved solve"))?;
    if header != HEADER {
        return Err(wrong("not a saved solve of this version of Papan"));
    }
    check_sum(&mut file).map_err(|_| wrong("the file is damaged: its sum is not that of its contents"))?;
    file.seek(SeekFrom::Start(HEADER.len() as u64))?;
    let mut line = Vec::new();
    file.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    let found: Of = serde_json::from_slice(&line).map_err(|_| wrong("it does not say what it is of"))?;
    if found != *of {
        return Err(wrong(&format!("it is of {} from {}", found.game, found.position)));
    }
    let start = (HEADER.len() + line.len()) as u64;
    let end = file.get_ref().metadata()?.len() - SHA256_OUTPUT_LEN as u64;
    Ok(file.take(end.saturating_sub(start)))
}

/// Reads on to the end, where the sum of all is.
fn check_sum(file: &mut BufReader<File>) -> io::Result<()> {
    let size = file.get_ref().metadata()?.len();
    let body = size.checked_sub((HEADER.len() + SHA256_OUTPUT_LEN) as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
    let mut digest = Context::new(&SHA256);
    digest.update(HEADER);
    let (mut left, mut buffer) = (body, vec![0; 1 << 16]);
    while left > 0 {
        let part = left.min(buffer.len() as u64) as usize;
        file.read_exact(&mut buffer[..part])?;
        digest.update(&buffer[..part]);
        left -= part as u64;
    }
    let mut sum = [0; SHA256_OUTPUT_LEN];
    file.read_exact(&mut sum)?;
    if digest.finish().as_ref() == sum { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
}

struct Hashing<'a> {
    inner: &'a mut dyn Write,
    digest: Context,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

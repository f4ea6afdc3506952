//! Lines from another program, whatever bytes it sends.

use std::io::{self, BufRead, Read as _};

/// A line is read up to this length; what is beyond it is taken for the next line.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, with what is not UTF-8 replaced; `None` at the end of the input.
///
/// # Errors
/// Those of the reader.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_bytes_are_lines_too() {
        let mut input: &[u8] = b"one\r\n\xFF\xFEtwo\n\nlast";
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "\u{FFFD}\u{FFFD}two", "", "last"]);
    }
}

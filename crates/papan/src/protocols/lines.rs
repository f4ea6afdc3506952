//! Lines from another program, whatever bytes it sends.

use std::io::{self, BufRead, Read as _};

/// A line is read up to this length; what is beyond it is taken for the next line.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, with what is not UTF-8 replaced, tabs as spaces and no other control characters,
/// as the Go Text Protocol asks: what is said of the line in an answer cannot end the answer's line. `None` at the end
/// of the input.
///
/// # Errors
/// Those of the reader.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    let letters = text.chars().map(|letter| if letter == '\t' { ' ' } else { letter });
    Ok(Some(letters.filter(|letter| !letter.is_control()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_bytes_are_lines_too() {
        let mut input: &[u8] = b"one\r\n\xFF\xFEtwo\n\na\tb\x1B[2J\rc\nlast";
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "\u{FFFD}\u{FFFD}two", "", "a b[2Jc", "last"]);
    }
}

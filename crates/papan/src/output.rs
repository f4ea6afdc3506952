//! Printing results, as text or as JSON.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use papan_core::error::{one_line, redacted};
use serde::Serialize;

use crate::error::CliError;

/// Prints one JSON value on a line, without passwords.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let line = redacted(&serde_json::to_string(value)?);
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
}

/// Prints lines of text, without passwords and without anything that steers a
/// terminal: names of files, bots and games are other people's.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(redacted(&lines(text)).as_bytes())?;
    out.flush()
}

/// Tells of something on standard error, in one line as safe as [`text`].
pub(crate) fn note(what: &str) {
    eprintln!("papan: {}", line(what));
}

/// One line that is safe on a terminal and has no password in it.
pub(crate) fn line(text: &str) -> String {
    redacted(&one_line(text))
}

/// Everything but line ends and tabs made safe.
fn lines(text: &str) -> String {
    let safe = |part: &str| {
        let body = part.trim_end_matches(['\n', '\t']);
        one_line(body) + &part[body.len()..]
    };
    text.split_inclusive(['\n', '\t']).map(safe).collect()
}

/// Writes text to a file, or prints it if there is none or it is called `-`.
pub(crate) fn to_file_or_screen(path: Option<&Path>, content: &str) -> Result<(), CliError> {
    match path.filter(|path| *path != Path::new("-")) {
        None => Ok(text(content)?),
        Some(path) => fs::write(path, content).map_err(|source| CliError::File { path: path.to_owned(), source }),
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_printed_steers_no_terminal() {
        assert_eq!(super::lines("a\tb\n\n\u{1b}[2Jc\r\nd"), "a\tb\n\n\\u{1b}[2Jc\\r\nd");
        assert_eq!(super::line("x\u{202e}y\u{9b}z nats://a:b@c"), "x\\u{202e}y\\u{9b}z nats://…@c");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(super::grouped(0), "0");
        assert_eq!(super::grouped(999), "999");
        assert_eq!(super::grouped(212_258_800), "212,258,800");
    }
}

//! Printing results, as text or as JSON.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use crate::error::CliError;

/// Prints one JSON value on a line.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}

/// Prints text as it is.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
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
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(super::grouped(0), "0");
        assert_eq!(super::grouped(999), "999");
        assert_eq!(super::grouped(212_258_800), "212,258,800");
    }
}

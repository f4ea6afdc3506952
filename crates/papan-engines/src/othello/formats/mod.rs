//! Readers of the notations that Othello players use.

pub mod ggf;
pub mod obf;
pub mod transcript;
pub mod wthor;

use std::fmt;

/// Why a text was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The place of the character or move, counted from 1.
    pub place: usize,
    /// What is wrong there.
    pub message: String,
}

impl FormatError {
    fn at(place: usize, message: String) -> Self {
        Self { place, message }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "place {}: {}", self.place, self.message)
    }
}

impl std::error::Error for FormatError {}

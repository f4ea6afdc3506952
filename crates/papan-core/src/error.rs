//! Errors in what people type: one line that names what was wrong and where.

use std::fmt::Display;

use thiserror::Error;

/// What was being read when an error was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The name and options of a game.
    Game,
    /// The name and options of a bot.
    Bot,
    /// A position.
    Position,
    /// A move.
    Move,
}

impl Subject {
    /// The word that opens the error line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Bot => "bot",
            Self::Position => "position",
            Self::Move => "move",
        }
    }
}

/// A text that cannot be read: `position: cell 17 is 'Q', expected . X O`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {message}", subject.word())]
pub struct ParseError {
    subject: Subject,
    message: String,
}

impl ParseError {
    /// An error about `subject`; `message` names the place and what was
    /// expected there. Control characters are made visible, so that the error
    /// stays one line whatever was typed.
    #[must_use]
    pub fn new(subject: Subject, message: impl Display) -> Self {
        Self { subject, message: one_line(&message.to_string()) }
    }

    /// What was being read.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        self.subject
    }

    /// The line without its subject.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// A text on one line, whatever someone put into it: control characters, which
/// could also steer a terminal, are made visible.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// What someone typed, in quotes, escaped and shortened: safe inside a
/// one-line error.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut quoted = String::from("'");
    for (index, c) in text.chars().enumerate() {
        if index == LONGEST {
            quoted.push('…');
            break;
        }
        if c == '\'' {
            quoted.push(c);
        } else {
            quoted.extend(c.escape_debug());
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_and_names_its_subject() {
        let error = ParseError::new(Subject::Position, format!("cell 3 is {}", quoted("a\nb\u{7}")));
        assert_eq!(error.to_string(), "position: cell 3 is 'a\\nb\\u{7}'");
        let raw = ParseError::new(Subject::Move, "a\nb");
        assert_eq!(raw.to_string(), "move: a\\nb");
    }

    #[test]
    fn long_input_is_shortened() {
        assert_eq!(quoted(&"x".repeat(100)), format!("'{}…'", "x".repeat(40)));
    }
}

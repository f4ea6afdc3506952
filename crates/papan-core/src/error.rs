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
/// could also steer a terminal, and marks that turn the direction of reading
/// are made visible.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let turns =
            matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// The same text without passwords and tokens: what stands before the `@` of a
/// URL, as in `nats://name:secret@host`, becomes `…`.
#[must_use]
pub fn redacted(text: &str) -> String {
    let mut rest = text;
    let mut safe = String::with_capacity(text.len());
    while let Some(start) = rest.find("://").map(|start| start + 3) {
        let (before, after) = rest.split_at(start);
        safe.push_str(before);
        // A password may hold slashes, commas and more; what ends a word or
        // begins the next URL ends it for certain.
        let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'<>".contains(c);
        let word = &after[..after.find(ends).unwrap_or(after.len())];
        let word = &word[..word.find("://").unwrap_or(word.len())];
        let at = word.rfind('@');
        if at.is_some() {
            safe.push('…');
        }
        rest = &after[at.unwrap_or(0)..];
    }
    safe + rest
}

/// What someone typed, in quotes, escaped and shortened: safe inside a
/// one-line error.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut quoted = String::from("'");
    // Before it is shortened: half a URL still has the password.
    for (index, c) in redacted(text).chars().enumerate() {
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
    fn passwords_in_urls_are_left_out() {
        for (text, safe) in [
            ("nats://rina:secret@host:4222", "nats://…@host:4222"),
            ("cannot reach nats://a:b@c, tls://d:e@f: no", "cannot reach nats://…@c, tls://…@f: no"),
            ("nats://a:p@ss/w:rd@host", "nats://…@host"),
            ("{\"url\":\"nats://a:b@c\",\"mail\":\"x@y\"}", "{\"url\":\"nats://…@c\",\"mail\":\"x@y\"}"),
            ("nats://host:4222 and rina@host", "nats://host:4222 and rina@host"),
            ("nats://token@host,nats://a:p,q@other", "nats://…@host,nats://…@other"),
            ("://", "://"),
        ] {
            assert_eq!(redacted(text), safe);
        }
    }

    #[test]
    fn long_input_is_shortened() {
        assert_eq!(quoted(&"x".repeat(100)), format!("'{}…'", "x".repeat(40)));
        let long = quoted(&format!("nats://rina:secret{}@host", "x".repeat(100)));
        assert_eq!(long, "'nats://…@host'");
    }
}

//! Names with options, `othello:size=6,first=white`: read, checked against
//! what a game or bot declares, and written again in one canonical form.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use crate::Text;
use crate::error::{ParseError, Subject, quoted};

/// What values an option takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum OptionKind {
    /// A whole number from `min` to `max`. Without a default the option is unset.
    Integer {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// The value when none is given.
        default: Option<i64>,
    },
    /// A number from `min` to `max`.
    Number {
        /// The smallest value.
        min: f64,
        /// The largest value.
        max: f64,
        /// The value when none is given.
        default: f64,
    },
    /// One of a few words.
    Choice {
        /// The words; owned where they depend on the game, as `eval` does.
        values: Cow<'static, [&'static str]>,
        /// The word when none is given.
        default: &'static str,
    },
    /// On or off; the bare name means on.
    Flag {
        /// The state when not given.
        default: bool,
    },
    /// A time such as `5s`, `100ms`, `1m`; unset by default.
    Time,
}

impl OptionKind {
    /// One of a few words that are known at compile time.
    #[must_use]
    pub const fn choice(values: &'static [&'static str], default: &'static str) -> Self {
        Self::Choice { values: Cow::Borrowed(values), default }
    }

    /// The values in words: `3 to 15`, `x, o`, `on, off`.
    #[must_use]
    pub fn range(&self) -> String {
        match self {
            Self::Integer { min, max, .. } if *max == i64::MAX => format!("{min} or more"),
            Self::Integer { min, max, .. } => format!("{min} to {max}"),
            Self::Number { min, max, .. } => format!("{min} to {max}"),
            Self::Choice { values, .. } => values.join(", "),
            Self::Flag { .. } => "on, off".to_owned(),
            Self::Time => "a time such as 5s or 100ms".to_owned(),
        }
    }

    /// The default in words, empty when unset.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self {
            Self::Integer { default, .. } => default.map_or_else(String::new, |n| n.to_string()),
            Self::Number { default, .. } => default.to_string(),
            Self::Choice { default, .. } => (*default).to_owned(),
            Self::Flag { default } => on_off(*default).to_owned(),
            Self::Time => String::new(),
        }
    }

    fn read(&self, text: &str) -> Option<Value> {
        let in_range = match self {
            Self::Integer { min, max, .. } => Value::Integer(text.parse().ok().filter(|n| (min..=max).contains(&n))?),
            Self::Number { min, max, .. } => Value::Number(text.parse().ok().filter(|n| (min..=max).contains(&n))?),
            Self::Choice { values, .. } => Value::Choice(values.iter().find(|value| value.eq_ignore_ascii_case(text))?),
            Self::Flag { .. } => Value::Flag(match text.to_ascii_lowercase().as_str() {
                "on" | "true" | "yes" | "1" => true,
                "off" | "false" | "no" | "0" => false,
                _ => return None,
            }),
            Self::Time => Value::Time(parse_time(text)?),
        };
        Some(in_range)
    }

    fn default_value(&self) -> Option<Value> {
        match self {
            Self::Integer { default, .. } => default.map(Value::Integer),
            Self::Number { default, .. } => Some(Value::Number(*default)),
            Self::Choice { default, .. } => Some(Value::Choice(default)),
            Self::Flag { default } => Some(Value::Flag(*default)),
            Self::Time => None,
        }
    }
}

const fn on_off(flag: bool) -> &'static str {
    if flag { "on" } else { "off" }
}

/// A hundred days: more is no limit, and a moment that far away can still be reckoned.
const LONGEST_TIME: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// Reads `5s`, `100ms`, `1.5s`, `2m`, up to a hundred days; a bare number means seconds.
#[must_use]
pub fn parse_time(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let scale = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * scale).ok().filter(|&time| time <= LONGEST_TIME)
}

/// An option that a game or bot declares: page, help and API are made from it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionSpec {
    /// The name before the equals sign.
    pub name: &'static str,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// What it does, in one sentence.
    pub about: Text,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Integer(i64),
    Number(f64),
    Choice(&'static str),
    Flag(bool),
    Time(Duration),
}

impl Value {
    fn text(self) -> String {
        match self {
            Self::Integer(n) => n.to_string(),
            // Written out, the smallest numbers have hundreds of zeros.
            Self::Number(n) if n != 0.0 && n.abs() < 1e-6 => format!("{n:e}"),
            Self::Number(n) => n.to_string(),
            Self::Choice(word) => word.to_owned(),
            Self::Flag(flag) => on_off(flag).to_owned(),
            // Rounded: read as a fraction of a second, it may be a hair less.
            Self::Time(time) => match (time + Duration::from_micros(500)).as_millis() {
                millis if millis % 1000 == 0 => format!("{}s", millis / 1000),
                millis => format!("{millis}ms"),
            },
        }
    }
}

/// A name with its options as they were typed, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec<'a> {
    /// What stands before the colon.
    pub name: &'a str,
    /// What stands between the commas after it: a name and perhaps a value.
    pub options: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Spec<'a> {
    /// Splits `name:key=value,flag` into its parts.
    #[must_use]
    pub fn split(text: &'a str) -> Self {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let options = rest
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| match part.split_once('=') {
                Some((key, value)) => (key.trim(), Some(value.trim())),
                None => (part, None),
            })
            .collect();
        Self { name: name.trim(), options }
    }
}

/// Checked options: every declared one has its given or default value.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    values: BTreeMap<&'static str, Value>,
    given: Vec<&'static str>,
}

impl Settings {
    /// Checks `spec`'s options against `declared`. The error names the option,
    /// its value and what was expected.
    pub fn read(subject: Subject, spec: &Spec<'_>, declared: &[OptionSpec]) -> Result<Self, ParseError> {
        let mut settings = Self {
            values: declared.iter().filter_map(|option| Some((option.name, option.kind.default_value()?))).collect(),
            given: Vec::new(),
        };
        for &(key, value) in &spec.options {
            let Some(option) = declared.iter().find(|option| option.name.eq_ignore_ascii_case(key)) else {
                return Err(unknown_option(subject, spec.name, key, declared));
            };
            if settings.given.contains(&option.name) {
                return Err(ParseError::new(subject, format!("option '{}' is given twice", option.name)));
            }
            let value = match (value, &option.kind) {
                (Some(text), kind) => kind.read(text).ok_or_else(|| {
                    let range = kind.range();
                    ParseError::new(subject, format!("option '{}' is {}, expected {range}", option.name, quoted(text)))
                })?,
                (None, OptionKind::Flag { .. }) => Value::Flag(true),
                (None, kind) => {
                    let range = kind.range();
                    return Err(ParseError::new(
                        subject,
                        format!("option '{}' has no value, expected {range}", option.name),
                    ));
                }
            };
            settings.values.insert(option.name, value);
            settings.given.push(option.name);
        }
        Ok(settings)
    }

    /// A declared integer option that has a default.
    ///
    /// # Panics
    /// If no such option was declared: a mistake in the program, not in its input.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        self.optional_integer(name).expect("the option is declared with a default")
    }

    /// A declared integer option, `None` when it is unset.
    #[must_use]
    pub fn optional_integer(&self, name: &str) -> Option<i64> {
        match self.values.get(name)? {
            Value::Integer(n) => Some(*n),
            other => panic!("option {name} is {other:?}, not an integer"),
        }
    }

    /// A declared number option.
    ///
    /// # Panics
    /// If no such option was declared.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.values.get(name) {
            Some(Value::Number(n)) => *n,
            other => panic!("option {name} is {other:?}, not a number"),
        }
    }

    /// A declared choice option.
    ///
    /// # Panics
    /// If no such option was declared.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.values.get(name) {
            Some(Value::Choice(word)) => word,
            other => panic!("option {name} is {other:?}, not a choice"),
        }
    }

    /// A declared flag option.
    ///
    /// # Panics
    /// If no such option was declared.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        match self.values.get(name) {
            Some(Value::Flag(flag)) => *flag,
            other => panic!("option {name} is {other:?}, not a flag"),
        }
    }

    /// A declared time option, `None` when it is unset.
    ///
    /// # Panics
    /// If the option was declared as something else.
    #[must_use]
    pub fn time(&self, name: &str) -> Option<Duration> {
        match self.values.get(name)? {
            Value::Time(time) => Some(*time),
            other => panic!("option {name} is {other:?}, not a time"),
        }
    }

    /// Was this option typed, not just defaulted?
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// Sets an integer option that nobody typed.
    pub fn suggest_integer(&mut self, name: &'static str, value: i64) {
        if !self.is_given(name) {
            self.values.insert(name, Value::Integer(value));
        }
    }

    /// Sets a choice option that nobody typed to one of its words.
    pub fn suggest_choice(&mut self, name: &'static str, word: &'static str) {
        if !self.is_given(name) {
            self.values.insert(name, Value::Choice(word));
        }
    }

    /// The one canonical spelling: the name and, in declared order, every
    /// option that differs from its default.
    #[must_use]
    pub fn canonical(&self, name: &str, declared: &[OptionSpec]) -> String {
        let mut text = name.to_owned();
        let mut separator = ':';
        for option in declared {
            let Some(&value) = self.values.get(option.name) else { continue };
            if Some(value) == option.kind.default_value() {
                continue;
            }
            text.push(separator);
            separator = ',';
            match value {
                Value::Flag(true) => text.push_str(option.name),
                value => write!(text, "{}={}", option.name, value.text()).expect("writing to a string"),
            }
        }
        text
    }
}

fn unknown_option(subject: Subject, owner: &str, key: &str, declared: &[OptionSpec]) -> ParseError {
    let names: Vec<_> = declared.iter().map(|option| option.name).collect();
    let known = if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
    ParseError::new(subject, format!("{} has no option {}; {known}", quoted(owner), quoted(key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Vec<OptionSpec> {
        let about = || Text::new("", "");
        vec![
            OptionSpec {
                name: "rows",
                kind: OptionKind::Integer { min: 3, max: 15, default: Some(3) },
                about: about(),
            },
            OptionSpec { name: "first", kind: OptionKind::choice(&["x", "o"], "x"), about: about() },
            OptionSpec { name: "misere", kind: OptionKind::Flag { default: false }, about: about() },
            OptionSpec { name: "time", kind: OptionKind::Time, about: about() },
        ]
    }

    fn read(text: &str) -> Result<Settings, ParseError> {
        Settings::read(Subject::Game, &Spec::split(text), &declared())
    }

    #[test]
    fn given_values_replace_defaults() {
        let settings = read("g:rows=5, first=O ,misere,time=1.5s").unwrap();
        assert_eq!(settings.integer("rows"), 5);
        assert_eq!(settings.choice("first"), "o");
        assert!(settings.flag("misere"));
        assert_eq!(settings.time("time"), Some(Duration::from_millis(1500)));
        assert_eq!(settings.canonical("g", &declared()), "g:rows=5,first=o,misere,time=1500ms");
        assert_eq!(read("g:rows=3,misere=off").unwrap().canonical("g", &declared()), "g");
    }

    #[test]
    fn errors_name_the_option_and_what_was_expected() {
        let line = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(line("g:rows=2"), "game: option 'rows' is '2', expected 3 to 15");
        assert_eq!(line("g:rows"), "game: option 'rows' has no value, expected 3 to 15");
        assert_eq!(line("g:first=z"), "game: option 'first' is 'z', expected x, o");
        assert_eq!(line("g:rows=4,rows=5"), "game: option 'rows' is given twice");
        assert_eq!(line("g:x=1"), "game: 'g' has no option 'x'; it has rows, first, misere, time");
    }

    #[test]
    fn times_are_read_in_every_unit() {
        assert_eq!(parse_time("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(parse_time("2m"), Some(Duration::from_secs(120)));
        assert_eq!(parse_time("5"), Some(Duration::from_secs(5)));
        for bad in ["", "s", "-1s", "1e9999s", "5 parsecs", "1.2.3s", "99999999999999999999999h"] {
            assert_eq!(parse_time(bad), None, "{bad}");
        }
    }

    /// `papan analyse tic-tac-toe --time 10000000000000000000s` ended in a panic.
    #[test]
    fn a_time_that_no_moment_can_be_reckoned_with_is_refused() {
        assert_eq!(parse_time("10000000000000000000s"), None);
        let longest = parse_time("2400h").unwrap();
        assert!(std::time::Instant::now().checked_add(longest * 100).is_some());
    }
}

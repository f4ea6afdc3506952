//! The lines of the protocol: what is written, what is read. See
//! `docs/protocol.md`.

use std::fmt::Write as _;

use papan_core::Player as Side;
use papan_core::error::quoted;
use papan_core::table::Table;

use crate::referee::{Turn, Verdict};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line, in bytes, its end not counted.
pub const LONGEST_LINE: usize = 8 << 10;

/// The word for a side.
pub(crate) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The one line of the simplest form.
pub(crate) fn simple_request(table: &dyn Table, out: &mut String) {
    let side = side_word(table.to_move());
    let (spec, position, moves) = (table.spec(), table.position(), table.legal_moves());
    let _ = writeln!(out, "{spec} | {side} | {position} | {}", moves.join(" "));
}

/// The three lines of a request in the full form.
pub(crate) fn full_request(table: &dyn Table, number: u64, turn: &Turn<'_>, out: &mut String) {
    let side = side_word(table.to_move());
    let _ = writeln!(out, "position {} {side} {} {}", table.spec(), table.ply(), table.position());
    let _ = writeln!(out, "moves {}", table.legal_moves().join(" "));
    let _ = write!(out, "go {number}");
    let limits = &turn.rules.limits;
    if let Some(time) = limits.time {
        let _ = write!(out, " time {}", time.as_millis());
    }
    if let Some(clocks) = turn.clocks {
        let [first, second] = clocks.left.map(|left| left.as_millis());
        let _ = write!(out, " clock {first} {second} increment {}", clocks.increment().as_millis());
    }
    if let Some(depth) = limits.depth {
        let _ = write!(out, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(out, " nodes {nodes}");
    }
    out.push('\n');
}

/// What a program says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hello {
    pub(crate) games: Vec<String>,
    pub(crate) name: Option<String>,
}

impl Hello {
    /// Reads `hello papan 1 games a,b name …`, whose first word is known. Blanks
    /// beside or instead of the commas do no harm: no name has one.
    pub(crate) fn read(line: &str) -> Result<Self, String> {
        let (head, name) = match line.split_once(" name ") {
            Some((head, name)) => (head, Some(name.trim().to_owned())),
            None => (line, None),
        };
        let words: Vec<_> = head.split_whitespace().collect();
        let [_, "papan", version, rest @ ..] = words.as_slice() else {
            return Err(format!("its hello is {}, expected hello papan {VERSION} games …", quoted(line)));
        };
        if version.parse() != Ok(VERSION) {
            return Err(format!("it speaks version {}, expected {VERSION}", quoted(version)));
        }
        let games: Vec<String> = match rest {
            ["games", games @ ..] => games
                .iter()
                .flat_map(|word| word.split(','))
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        };
        if games.is_empty() {
            return Err(format!("its hello is {}, expected games and a list with commas", quoted(line)));
        }
        Ok(Self { games, name })
    }

    /// Does it play the game with this name?
    pub(crate) fn plays(&self, game: &str) -> bool {
        plays(&self.games, game)
    }
}

/// Is the game with this name in a list from a hello? `*` is every game, and
/// options (`othello:size=8`) do not matter.
pub(crate) fn plays(games: &[String], game: &str) -> bool {
    games.iter().any(|name| name == "*" || base_name(name).eq_ignore_ascii_case(game))
}

/// A game's name without its options.
pub(crate) fn base_name(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// A line from a program after `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// To be passed over.
    Info,
    /// The move for a request.
    BestMove { number: u64, mv: &'a str },
    /// It cannot go on.
    Error(&'a str),
}

impl<'a> Line<'a> {
    /// Reads a line; says what is wrong with it, and which verdict that is.
    pub(crate) fn read(line: &'a str) -> Result<Self, (Verdict, String)> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" | "info" => Ok(Self::Info),
            "error" => Ok(Self::Error(rest.trim())),
            "bestmove" => {
                let (number, mv) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                match (number.parse(), mv.trim()) {
                    (Ok(number), mv) if !mv.is_empty() => Ok(Self::BestMove { number, mv }),
                    _ => Err((
                        Verdict::Protocol,
                        format!("it answered {}, expected bestmove, the request's number and a move", quoted(line)),
                    )),
                }
            }
            "hello" => Err((Verdict::Protocol, "it said hello in the middle of a game".to_owned())),
            _ => Err((Verdict::Garbage, format!("it wrote {}, which is no line of the protocol", quoted(line)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hello_names_version_games_and_program() {
        let hello = Hello::read("hello papan 1 games othello,adjacency name My name is Bot").unwrap();
        assert!(hello.plays("othello") && !hello.plays("tic-tac-toe"));
        assert_eq!(hello.name.as_deref(), Some("My name is Bot"));
        assert!(Hello::read("hello papan 1 games *").unwrap().plays("anything"));
        for list in [
            "othello,tic-tac-toe",
            "othello, tic-tac-toe",
            "othello ,tic-tac-toe,",
            "Othello tic-tac-toe",
            "othello:size=8,tic-tac-toe",
        ] {
            for rest in ["", " name Lightning 2.1"] {
                let hello = Hello::read(&format!("hello papan 1 games {list}{rest}")).expect(list);
                assert!(hello.plays("othello") && hello.plays("tic-tac-toe") && !hello.plays("adjacency"), "{list}");
            }
        }
        for wrong in [
            "hello",
            "hello papan",
            "hello papan 2 games *",
            "hello papan x games *",
            "hello papan 1",
            "hello papan 1 games",
            "hello papan 1 games , name Nobody",
            "hello world 1 games *",
        ] {
            assert!(Hello::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(Line::read("bestmove 12 h0,2"), Ok(Line::BestMove { number: 12, mv: "h0,2" }));
        assert_eq!(Line::read("bestmove 12 h 0 2"), Ok(Line::BestMove { number: 12, mv: "h 0 2" }));
        assert_eq!(Line::read("info depth 3"), Ok(Line::Info));
        assert_eq!(Line::read("error no memory"), Ok(Line::Error("no memory")));
        for (wrong, verdict) in [
            ("bestmove", Verdict::Protocol),
            ("bestmove a1", Verdict::Protocol),
            ("bestmove 3", Verdict::Protocol),
            ("bestmove 99999999999999999999999 a1", Verdict::Protocol),
            ("hello papan 1", Verdict::Protocol),
            ("a1", Verdict::Garbage),
            ("Segmentation fault", Verdict::Garbage),
        ] {
            assert_eq!(Line::read(wrong).unwrap_err().0, verdict, "{wrong}");
        }
    }
}

//! The NBoard protocol, version 2: the graphical program sends a game and asks for moves and hints.
//!
//! ```text
//! > nboard 2                      < set myname Papan
//! > set depth 12
//! > set game (;GM[Othello]…;)
//! > move F5/0.00/1.2
//! > hint 3                        < search F5D6 1.00 0 12      (one line for each of the best moves)
//! > go                            < === F5/1.00/0.25           (a pass is PA)
//! > ping 7                        < pong 7
//! > quit
//! ```

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use papan_core::Position as _;
use papan_engines::othello::{Engine, SearchLimits, Trust};
use papan_games::othello::formats::ggf;
use papan_games::othello::{OthelloMove, OthelloPosition, Rules};

use super::desk::Desk;

/// The depth until the other side sets one.
const DEFAULT_DEPTH: u32 = 12;
/// From so many empties more than the depth on, the end is solved: an exact search goes about this much further.
const SOLVE_BEYOND: u32 = 6;

struct Session<'a> {
    engine: &'a mut Engine,
    position: OthelloPosition,
    depth: u32,
    time: Option<Duration>,
    desk: &'a Desk,
}

/// Speaks the protocol until `quit` or the end of the input. `time` limits each search, if given. A `ping` ends the
/// search for a hint, as the protocol recommends; a `go` is always thought through.
///
/// # Errors
/// Those of the reader and the writer. What the other side gets wrong is answered with a `status` line.
pub(crate) fn run(
    engine: &mut Engine,
    time: Option<Duration>,
    input: impl BufRead + Send,
    mut output: impl Write,
) -> io::Result<()> {
    let desk = Desk::default();
    let mut session =
        Session { engine, position: OthelloPosition::start(Rules::STANDARD), depth: DEFAULT_DEPTH, time, desk: &desk };
    thread::scope(|scope| {
        let (send, lines) = channel();
        let desk = &desk;
        scope.spawn(move || desk.read_ahead(input, &send, is_ping, is_quit));
        let outcome = session.talk(&lines, &mut output);
        desk.close();
        outcome
    })
}

fn is_quit(line: &str) -> bool {
    line.trim() == "quit"
}

/// The other side wants to change the board: hints for the old one are no longer wanted.
fn is_ping(line: &str) -> bool {
    line.trim_start().starts_with("ping")
}

impl Session<'_> {
    fn talk(&mut self, lines: &Receiver<String>, output: &mut impl Write) -> io::Result<()> {
        for line in lines.iter().take_while(|line| !is_quit(line)) {
            self.obey(line.trim(), output)?;
            output.flush()?;
            self.desk.done();
        }
        Ok(())
    }

    fn obey(&mut self, line: &str, output: &mut impl Write) -> io::Result<()> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "nboard" => writeln!(output, "set myname Papan"),
            "ping" => writeln!(output, "pong {rest}"),
            "set" => self.set(rest, output),
            "move" => self.play(rest, output),
            "hint" => self.hint(rest.parse().unwrap_or(1), output),
            "go" => self.go(output),
            "learn" => writeln!(output, "learned"),
            _ => Ok(()),
        }
    }

    fn set(&mut self, rest: &str, output: &mut impl Write) -> io::Result<()> {
        let (what, value) = rest.split_once(' ').unwrap_or((rest, ""));
        match what {
            "depth" => match value.trim().parse() {
                Ok(depth) => self.depth = depth,
                Err(_) => return writeln!(output, "status {value} is not a depth"),
            },
            "game" => match ggf::read(value) {
                Ok(game) => self.position = game.end,
                Err(error) => return writeln!(output, "status game: {error}"),
            },
            _ => (),
        }
        Ok(())
    }

    fn play(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        let name = text.split('/').next().unwrap_or_default().trim();
        match OthelloMove::read(name, 8).and_then(|mv| self.position.play(mv)) {
            Some(next) => self.position = next,
            None => writeln!(output, "status {name} is not a legal move")?,
        }
        Ok(())
    }

    fn limits<'a>(&self, stop: &'a AtomicBool) -> SearchLimits<'a> {
        let solve_from = Some(self.depth.saturating_add(SOLVE_BEYOND));
        SearchLimits { time: self.time, depth: Some(self.depth.max(1)), solve_from, ..SearchLimits::until(stop) }
    }

    fn hint(&mut self, count: usize, output: &mut impl Write) -> io::Result<()> {
        let (position, desk) = (self.position, self.desk);
        let start = Instant::now();
        let (moves, nodes) = desk.interruptible(|stop| self.engine.analyse(&position, self.limits(stop)));
        let seconds = start.elapsed().as_secs_f64();
        if moves.is_empty() && !position.is_over() {
            let pass = self.engine.think(&position, self.limits(&AtomicBool::new(false)), &mut |_| ());
            writeln!(output, "search PA {:.2} 0 {}", f64::from(pass.score), depth_text(pass.trust))?;
        }
        for one in moves.iter().take(count.max(1)) {
            let name = move_name(one.mv());
            writeln!(output, "search {name} {:.2} 0 {}", f64::from(one.score), depth_text(one.trust))?;
        }
        writeln!(output, "nodestats {nodes} {seconds:.2}")?;
        writeln!(output, "status")
    }

    fn go(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.position.is_over() {
            return writeln!(output, "status the game is over");
        }
        let stop = AtomicBool::new(false);
        let start = Instant::now();
        let answer = self.engine.think(&self.position, self.limits(&stop), &mut |_| ());
        let seconds = start.elapsed().as_secs_f64();
        writeln!(output, "nodestats {} {seconds:.2}", answer.nodes)?;
        writeln!(output, "=== {}/{:.2}/{seconds:.2}", move_name(answer.mv()), f64::from(answer.score))
    }
}

/// Depths as the graphical program shows them: plies, or `100%` for an exact score.
fn depth_text(trust: Trust) -> String {
    match trust {
        Trust::Exact => "100%".to_owned(),
        Trust::Search { depth, .. } => depth.to_string(),
    }
}

fn move_name(mv: OthelloMove) -> String {
    if mv == OthelloMove::PASS { "PA".to_owned() } else { mv.to_string().to_ascii_uppercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(input: &str) -> Vec<String> {
        let mut output = Vec::new();
        run(&mut Engine::new(1, 1), None, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn greeting_and_ping() {
        assert_eq!(answer("nboard 2\nping 3\nquit\nping 4\n"), ["set myname Papan", "pong 3"]);
    }

    #[test]
    fn a_move_comes_back_in_the_form_that_is_asked_for() {
        let lines = answer("nboard 2\nset depth 4\nmove F5/0.00/1.0\ngo\n");
        let last = lines.last().unwrap();
        assert!(["=== D6/", "=== F4/", "=== F6/"].iter().any(|start| last.starts_with(start)), "{last}");
        assert_eq!(last.matches('/').count(), 2);
    }

    #[test]
    fn a_forced_pass_is_said_as_pa() {
        // White has one disc in the corner's row that black can take; black to move cannot.
        let board = format!("set game (;GM[Othello]PC[x]BO[8 O*{} O];)", "-".repeat(62));
        assert!(answer(&format!("{board}\ngo\n")).last().unwrap().starts_with("=== C1/"));
        let board = format!("set game (;GM[Othello]PC[x]BO[8 O*{} *];)", "-".repeat(62));
        assert!(answer(&format!("{board}\ngo\n")).last().unwrap().starts_with("=== PA/"));
        assert!(answer(&format!("{board}\nhint 3\n"))[0].starts_with("search PA "));
        let lines = answer(&format!("{board}\nmove PA\ngo\n"));
        assert!(lines.last().unwrap().starts_with("=== C1/"), "{lines:?}");
    }

    #[test]
    fn hints_are_as_many_as_asked_and_best_first() {
        let lines = answer("set depth 3\nhint 2\n");
        assert_eq!(lines.iter().filter(|line| line.starts_with("search ")).count(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_and_changes_nothing() {
        assert_eq!(answer("move A1\n"), ["status A1 is not a legal move"]);
        assert!(answer("set game nonsense\n")[0].starts_with("status game: "));
        assert!(answer("set depth -3\nset depth\nset\nhint x\n\u{1F600}\nping 1\n").contains(&"pong 1".to_owned()));
        assert!(answer("set depth 4294967295\nmove F5\nmove F5\nmove \nping 2\n").contains(&"pong 2".to_owned()));
    }
}

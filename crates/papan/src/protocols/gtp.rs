//! The Go Text Protocol, version 2, with Othello's squares: `a1` is the top left corner.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use papan_core::{Player, Position as _};
use papan_engines::othello::{Engine, SearchLimits};
use papan_games::othello::{OthelloMove, OthelloPosition, Rules};

use super::clock::{Clock, allotment, limit};
use super::lines::next_line;

const COMMANDS: [&str; 16] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
];

/// The time for a move while no clock has been set.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

struct Session<'a> {
    engine: &'a mut Engine,
    history: Vec<OthelloPosition>,
    move_time: Option<Duration>,
    /// What black and white have left.
    clocks: [Option<Clock>; 2],
}

type Reply = Result<String, String>;

/// Speaks the protocol until `quit` or the end of the input. `move_time` is for each move while no clock is set.
///
/// # Errors
/// Those of the reader and the writer.
pub(crate) fn run(
    engine: &mut Engine,
    move_time: Option<Duration>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut session =
        Session { engine, history: vec![OthelloPosition::start(Rules::STANDARD)], move_time, clocks: [None; 2] };
    while let Some(line) = next_line(&mut input)? {
        let text = line.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        let Some(command) = words.next() else { continue };
        let arguments: Vec<&str> = words.collect();
        match session.obey(command, &arguments) {
            Ok(reply) => write!(output, "={id} {reply}\n\n")?,
            Err(error) => write!(output, "?{id} {error}\n\n")?,
        }
        output.flush()?;
        if command == "quit" {
            break;
        }
    }
    Ok(())
}

impl Session<'_> {
    fn position(&self) -> OthelloPosition {
        self.history.last().copied().unwrap_or_else(|| OthelloPosition::start(Rules::STANDARD))
    }

    fn obey(&mut self, command: &str, arguments: &[&str]) -> Reply {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Papan".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit" | "komi", _) => Ok(String::new()),
            ("boardsize", [size]) => self.set_size(size),
            ("clear_board", _) => {
                self.history = vec![OthelloPosition::start(self.position().rules())];
                self.engine.clear();
                Ok(String::new())
            }
            ("play", [color, square]) => self.play(player(color)?, square),
            ("genmove", [color]) => self.generate(player(color)?),
            ("undo", _) if self.history.len() > 1 => {
                self.history.pop();
                Ok(String::new())
            }
            ("undo", _) => Err("cannot undo".to_owned()),
            ("showboard", _) => Ok(self.picture()),
            ("time_settings", [main, overtime, stones]) => {
                self.clocks = [settings(seconds(main)?, seconds(overtime)?, number(stones)?); 2];
                Ok(String::new())
            }
            ("time_left", [color, left, stones]) => {
                self.clocks[player(color)?.index()] =
                    Some(Clock { left: seconds(left)?, moves: moves_of(number(stones)?) });
                Ok(String::new())
            }
            ("final_score", _) => Ok(self.final_score()),
            (known, _) if COMMANDS.contains(&known) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn set_size(&mut self, size: &str) -> Reply {
        let size = size.parse().ok().filter(|size| [4, 6, 8].contains(size)).ok_or("unacceptable size")?;
        self.history = vec![OthelloPosition::start(Rules { size, ..Rules::STANDARD })];
        Ok(String::new())
    }

    /// The position with a side to move; a side that must pass may be passed over without being told.
    fn turn_of(&self, player: Player) -> Result<OthelloPosition, String> {
        let position = self.position();
        if position.to_move() == player { Ok(position) } else { play(position, OthelloMove::PASS) }
    }

    fn play(&mut self, player: Player, name: &str) -> Reply {
        let position = self.turn_of(player)?;
        let mv = OthelloMove::read(name, position.rules().size).ok_or("illegal move")?;
        self.history.push(play(position, mv)?);
        Ok(String::new())
    }

    fn generate(&mut self, player: Player) -> Reply {
        let position = self.turn_of(player)?;
        if position.legal_moves().squares() == 0 {
            self.history.push(position.after(OthelloMove::PASS));
            return Ok("pass".to_owned());
        }
        let empties = position.empties().count_ones();
        let (time, soft) = match self.clocks[player.index()] {
            Some(clock) => (limit(clock, empties), Some(allotment(clock, empties))),
            None => (self.move_time.unwrap_or(DEFAULT_TIME), None),
        };
        let stop = AtomicBool::new(false);
        let limits = SearchLimits { time: Some(time), soft, ..SearchLimits::until(&stop) };
        let mv = self.engine.think(&position, limits, &mut |_| ()).mv();
        self.history.push(position.play(mv).ok_or("no move")?);
        Ok(mv.to_string())
    }

    fn picture(&self) -> String {
        let position = self.position();
        let (size, [black, white]) = (position.rules().size, position.discs());
        let mut text = String::from("\n ");
        text.extend((0..size).flat_map(|column| [' ', char::from(b'a' + column)]));
        for row in 0..size {
            text.push_str(&format!("\n{}", row + 1));
            for square in (8 * row)..(8 * row + size) {
                text.push_str(match (black >> square & 1, white >> square & 1) {
                    (1, _) => " X",
                    (_, 1) => " O",
                    _ => " .",
                });
            }
        }
        text
    }

    /// The empty squares go to who has more discs, also where the game is not over.
    fn final_score(&self) -> String {
        let position = self.position();
        let [black, white] = position.discs().map(|discs| discs.count_ones() as i32);
        let ahead = black - white;
        match ahead + ahead.signum() * position.empties().count_ones() as i32 {
            0 => "0".to_owned(),
            black @ 1.. => format!("B+{black}"),
            white => format!("W+{}", -white),
        }
    }
}

/// The position after a move. Once the game is over both sides may go on passing, as controllers of Go do.
fn play(position: OthelloPosition, mv: OthelloMove) -> Result<OthelloPosition, String> {
    if mv == OthelloMove::PASS && position.is_over() {
        return Ok(position.after(mv));
    }
    position.play(mv).ok_or_else(|| "illegal move".to_owned())
}

fn player(color: &str) -> Result<Player, String> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Player::First),
        "w" | "white" => Ok(Player::Second),
        _ => Err("syntax error".to_owned()),
    }
}

/// The clock of `time_settings`: overtime for no stones is no limit at all, and no main time is overtime from the start.
fn settings(main: Duration, overtime: Duration, stones: u32) -> Option<Clock> {
    match (main.is_zero(), overtime.is_zero(), stones) {
        (_, false, 0) | (true, true, _) => None,
        (true, false, stones) => Some(Clock { left: overtime, moves: moves_of(stones) }),
        (false, ..) => Some(Clock { left: main, moves: None }),
    }
}

/// Stones that the time is for: zero stands for the rest of the game.
fn moves_of(stones: u32) -> Option<u32> {
    (stones > 0).then_some(stones)
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "syntax error".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "syntax error".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "syntax error".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(input: &str) -> String {
        let mut output = Vec::new();
        run(&mut Engine::new(1, 1), Some(Duration::from_secs(60)), input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn answers_carry_ids_and_end_with_an_empty_line() {
        assert_eq!(answer("1 protocol_version\n"), "=1 2\n\n");
        assert_eq!(answer("known_command genmove\n"), "= true\n\n");
        assert_eq!(answer("7 nonsense\n"), "?7 unknown command\n\n");
        assert_eq!(answer("boardsize 19\n"), "? unacceptable size\n\n");
        assert_eq!(answer("# a remark\n\nquit\nname\n"), "= \n\n");
    }

    #[test]
    fn a_game_can_be_played_taken_back_and_shown() {
        let text = answer("play black f5\nplay b d6\nundo\nundo\nshowboard\n");
        assert!(text.contains("? illegal move"));
        assert!(text.contains("? cannot undo"));
        assert!(text.contains("4 . . . O X . . ."), "{text}");
    }

    #[test]
    fn clocks_follow_the_protocol() {
        let s = Duration::from_secs;
        assert_eq!(settings(s(0), s(5), 0), None, "no limit");
        assert_eq!(settings(s(0), s(0), 0), None);
        assert_eq!(settings(s(60), s(0), 0), Some(Clock { left: s(60), moves: None }));
        assert_eq!(settings(s(0), s(10), 5), Some(Clock { left: s(10), moves: Some(5) }));
        assert_eq!(answer("time_settings 60 0 0\ntime_left b x 0\n"), "= \n\n? syntax error\n\n");
    }

    #[test]
    fn bytes_that_are_no_text_do_not_end_it() {
        let mut output = Vec::new();
        run(&mut Engine::new(1, 1), None, b"\xFF\xFE\x00 \n1 name\n".as_slice(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.starts_with('?') && text.ends_with("=1 Papan\n\n"), "{text}");
    }

    #[test]
    fn it_plays_a_whole_game_against_itself_with_passes() {
        let moves = "genmove black\ngenmove white\n".repeat(8);
        let text = answer(&format!("boardsize 4\n{moves}final_score\n"));
        assert!(!text.contains('?'), "{text}");
        assert!(text.ends_with("= W+10\n\n"), "{text}");
    }
}

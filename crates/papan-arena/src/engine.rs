//! The other side of the protocol: a bot of ours as an outside program. See
//! `docs/protocol.md`.

use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use papan_core::table::{Table, TableBot};
use papan_core::{Budget, ParseError, Player as Side, StopToken};

use crate::outside::VERSION;

/// Makes a table of a game at a position.
pub type TableMaker<'a> = &'a dyn Fn(&str, &str) -> Result<Box<dyn Table>, ParseError>;

/// Makes the bot for a game.
pub type EngineMaker<'a> = &'a dyn Fn(&str) -> Result<Box<dyn TableBot>, ParseError>;

/// What an engine needs to be made of: which games it plays, and how a table
/// and a bot come to be.
pub struct Workshop<'a> {
    /// What it calls itself.
    pub name: String,
    /// The games that it plays.
    pub games: Vec<String>,
    /// A table of a game at a position.
    pub table: TableMaker<'a>,
    /// The bot for a game.
    pub bot: EngineMaker<'a>,
}

/// Speaks the full form of the protocol until `quit` or the end of the input.
/// A `stop` that arrives while the bot thinks makes it answer at once.
pub fn serve<R>(input: R, output: &mut impl Write, workshop: &Workshop<'_>) -> io::Result<()>
where
    R: BufRead + Send + 'static,
{
    let stop = Arc::new(Mutex::new(StopToken::new()));
    let (sender, lines) = mpsc::channel();
    let reader_stop = Arc::clone(&stop);
    thread::spawn(move || {
        for line in input.lines() {
            let Ok(line) = line else { break };
            let word = line.split_whitespace().next().unwrap_or_default();
            if matches!(word, "stop" | "quit") {
                reader_stop.lock().expect("no holder panics").stop();
            }
            if sender.send(line).is_err() {
                return;
            }
        }
        reader_stop.lock().expect("no holder panics").stop();
    });
    let mut engine = Engine { workshop, output, stop, game: String::new(), seed: None, bot: None, table: None };
    for line in lines {
        if !engine.obey(&line)? {
            break;
        }
    }
    Ok(())
}

struct Engine<'a, W: Write> {
    workshop: &'a Workshop<'a>,
    output: &'a mut W,
    stop: Arc<Mutex<StopToken>>,
    game: String,
    /// What the bot draws from since the last `newgame`.
    seed: Option<u64>,
    bot: Option<Box<dyn TableBot>>,
    /// Always of the bot's game.
    table: Option<Box<dyn Table>>,
}

impl<W: Write> Engine<'_, W> {
    /// Does what a line asks; false once it is `quit`.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            ["hello", ..] => {
                let Workshop { name, games, .. } = self.workshop;
                self.say(&format!("hello papan {VERSION} games {} name {name}", games.join(",")))?;
            }
            ["newgame", game, _side, rest @ ..] => self.new_game(game, after("seed", rest).unwrap_or(0))?,
            ["position", game, _side, _ply, position @ ..] => self.set_position(game, &position.join(" "))?,
            ["go", number, limits @ ..] => match number.parse() {
                Ok(number) => self.go(number, limits)?,
                Err(_) => self.say("error go has no number, expected go, the request's number and limits")?,
            },
            ["quit", ..] => return Ok(false),
            // `moves` are known from the position; what is not known is passed over.
            _ => {}
        }
        Ok(true)
    }

    fn new_game(&mut self, game: &str, seed: u64) -> io::Result<()> {
        self.table = None;
        self.seed = Some(seed);
        match &mut self.bot {
            Some(bot) if self.game == game => {
                bot.new_game(seed);
                Ok(())
            }
            _ => self.seat(game),
        }
    }

    fn set_position(&mut self, game: &str, position: &str) -> io::Result<()> {
        self.table = None;
        match (self.workshop.table)(game, position) {
            Ok(table) => {
                // The position may have settled the size of the board.
                self.seat(&table.spec())?;
                self.table = Some(table);
                Ok(())
            }
            Err(error) => self.say(&format!("error {error}")),
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// Makes the bot for `game`, unless it is there; says why if that fails.
    fn seat(&mut self, game: &str) -> io::Result<()> {
        if self.bot.is_some() && self.game == game {
            return Ok(());
        }
        match (self.workshop.bot)(game) {
            Ok(mut bot) => {
                if let Some(seed) = self.seed {
                    bot.new_game(seed);
                }
                self.bot = Some(bot);
                game.clone_into(&mut self.game);
                Ok(())
            }
            Err(error) => {
                self.bot = None;
                self.say(&format!("error {error}"))
            }
        }
    }

    fn go(&mut self, number: u64, limits: &[&str]) -> io::Result<()> {
        let (Some(bot), Some(table)) = (&mut self.bot, &self.table) else {
            return self.say("error there is no position");
        };
        if table.is_over() {
            return self.say("error the game is over");
        }
        let budget = budget(limits, table.to_move());
        *self.stop.lock().expect("no holder panics") = budget.stop.clone();
        let output = &mut *self.output;
        let choice = bot.choose_watched(&**table, &budget, &mut |best| {
            let line = format!("info depth {} nodes {} score {} pv {}", best.depth, best.nodes, best.score.0, best.mv);
            // Whether anyone still listens is found out with the answer.
            let _ = writeln!(output, "{line}");
        });
        self.say(&format!("bestmove {number} {}", choice.mv))
    }
}

/// The number after `key`.
fn after(key: &str, words: &[&str]) -> Option<u64> {
    let at = words.iter().position(|&word| word == key)?;
    words.get(at + 1)?.parse().ok()
}

/// What `go` allows. A time leaves some milliseconds for the answer's way; of
/// a clock, a share is used.
fn budget(limits: &[&str], side: Side) -> Budget {
    const WAY: Duration = Duration::from_millis(20);
    let millis = |key| after(key, limits).map(Duration::from_millis);
    let clock = limits.iter().position(|&word| word == "clock").and_then(|at| {
        let left = limits.get(at + 1 + side.index())?.parse().ok().map(Duration::from_millis)?;
        Some((left / 25 + millis("increment").unwrap_or_default() * 4 / 5).min(left))
    });
    let depth = after("depth", limits).and_then(|depth| u32::try_from(depth).ok());
    let time = millis("time").map(|time| time.saturating_sub(WAY).max(time / 2));
    Budget { time, nodes: after("nodes", limits), depth, ..Budget::default() }.capped(
        clock.map(|time| time.saturating_sub(WAY).max(time / 2)),
        None,
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_in_any_order() {
        let budget = budget(&["depth", "4", "time", "1000", "nodes", "77"], Side::First);
        assert_eq!((budget.depth, budget.nodes), (Some(4), Some(77)));
        assert_eq!(budget.time, Some(Duration::from_millis(980)));
    }

    #[test]
    fn of_a_clock_a_share_of_ones_own_time_is_used() {
        let words = ["clock", "1000", "25000", "increment", "0"];
        assert_eq!(budget(&words, Side::First).time, Some(Duration::from_millis(20)));
        assert_eq!(budget(&words, Side::Second).time, Some(Duration::from_millis(980)));
    }
}

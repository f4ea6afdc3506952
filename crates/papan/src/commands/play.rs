//! `papan play`: the terminal board, or plain lines where there is no terminal.

use std::io::{self, BufRead as _, IsTerminal as _};

use papan_core::render::text::Charset;
use papan_core::table::Table;
use papan_core::{Budget, Effects};

use super::{read_time, show};
use crate::cli::PlayArgs;
use crate::error::CliError;
use crate::seat::Seat;
use crate::{output, terminal};

const HELP: &str = "\
Type a move, or:
  moves     the legal moves
  undo      take the last move back (and a bot's reply)
  redo      make it again
  position  the position as text
  rules     the rules of the game
  quit      leave the game
";

/// What a person wants.
enum Wish {
    Played,
    Quit,
}

pub(crate) fn run(args: &PlayArgs) -> Result<(), CliError> {
    let time = read_time(&args.time)?;
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    let spec = table.spec();
    let seats = Seat::read(&spec, [&args.first, &args.second], args.demand.demand(None)?)?;
    let budget = Budget::time(time);
    let on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if on_terminal && !args.plain {
        return Ok(terminal::run(table, seats, budget, args.ascii)?);
    }
    let charset = if args.ascii { Charset::Ascii } else { Charset::Unicode };
    Play { table, seats, budget, charset }.play_on()
}

/// Asks for a line; `None` at the end of the input.
fn ask(prompt: &str) -> io::Result<Option<String>> {
    output::text(prompt)?;
    let mut line = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
        output::text("\n")?;
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
}

struct Play {
    table: Box<dyn Table>,
    seats: [Seat; 2],
    budget: Budget,
    charset: Charset,
}

impl Play {
    fn play_on(mut self) -> Result<(), CliError> {
        if self.seats.iter().any(Seat::is_human) {
            output::text("Type a move, or help.\n\n")?;
        }
        while !self.table.is_over() {
            let mover = self.table.to_move();
            let seat = &mut self.seats[mover.index()];
            if let Some(mut bot) = seat.take_bot() {
                let choice = bot.choose(&*self.table, &self.budget);
                seat.give_back(bot);
                let before = self.table.scene();
                self.table.play(&choice.mv)?;
                let effects = Effects::between(&before, &self.table.scene()).text();
                let effects = effects.map_or_else(String::new, |words| format!(", {}", words.en));
                let player = &self.table.players()[mover.index()].name.en;
                let name = self.seats[mover.index()].name();
                let (scene, mv) = (self.table.scene(), &choice.mv);
                output::text(&format!("{player} ({name}) plays {}{effects}\n", scene.move_name(mv)))?;
                if let Some(trouble) = self.seats[mover.index()].trouble() {
                    output::text(&format!("  {trouble}\n"))?;
                }
            } else if let Wish::Quit = self.ask_person()? {
                return Ok(());
            }
        }
        self.show()
    }

    fn show(&self) -> Result<(), CliError> {
        Ok(output::text(&show::board(&*self.table, self.charset))?)
    }

    /// Asks until a move is made or the person leaves.
    fn ask_person(&mut self) -> Result<Wish, CliError> {
        self.show()?;
        loop {
            let player = &self.table.players()[self.table.to_move().index()];
            let Some(line) = ask(&format!("{}> ", player.name.en))? else { return Ok(Wish::Quit) };
            match line.to_ascii_lowercase().as_str() {
                "" => {}
                "help" | "?" => output::text(HELP)?,
                "moves" => {
                    let (scene, legal) = (self.table.scene(), self.table.legal_moves());
                    let names: Vec<&str> = legal.iter().map(|mv| scene.move_name(mv)).collect();
                    output::text(&format!("{}\n", names.join(" ")))?;
                }
                "position" => output::text(&format!("{}\n", self.table.position()))?,
                "rules" => output::text(&self.table.info().rules.en)?,
                "quit" | "exit" => return Ok(Wish::Quit),
                "undo" => self.step(|table| table.undo(), "there is nothing to undo")?,
                "redo" => self.step(|table| table.redo(), "there is nothing to redo")?,
                _ => match self.table.play(&line) {
                    Ok(()) => return Ok(Wish::Played),
                    Err(error) => output::text(&format!("{error}\n"))?,
                },
            }
        }
    }

    /// Goes one move back or forth, and on until a person is to move again.
    fn step(&mut self, step: fn(&mut dyn Table) -> bool, otherwise: &str) -> Result<(), CliError> {
        let mut moved = step(&mut *self.table);
        if !moved {
            output::text(&format!("{otherwise}\n"))?;
        }
        while moved && !self.table.is_over() && !self.seats[self.table.to_move().index()].is_human() {
            moved = step(&mut *self.table);
        }
        self.show()
    }
}

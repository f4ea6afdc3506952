//! The terminal board: the same games as on the page, with cursor, colours and
//! keys. It draws scenes and hands moves to the table; it knows no game.

mod board;
mod cursor;
mod game;
mod panel;
mod thinker;

use std::io;
use std::time::Duration;

use papan_core::Budget;
use papan_core::table::Table;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::seat::Seat;
use game::{Command, Game};

/// How long to wait for a key before looking at the bot again.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the people leave.
pub(crate) fn run(table: Box<dyn Table>, seats: [Seat; 2], budget: Budget, ascii: bool) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let result = play(&mut terminal, Game::new(table, seats, budget, ascii));
    ratatui::try_restore()?;
    result
}

fn play(terminal: &mut DefaultTerminal, mut game: Game) -> io::Result<()> {
    while !game.is_left() {
        game.tick();
        terminal.draw(|frame| panel::draw(frame, &game))?;
        if event::poll(TICK)?
            && let Event::Key(key) = event::read()?
            && key.kind == KeyEventKind::Press
        {
            game.obey(command(key, game.is_typing()));
        }
    }
    Ok(())
}

/// What a key means. While a move is typed, letters belong to it.
fn command(key: KeyEvent, typing: bool) -> Command {
    if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
        return Command::Leave;
    }
    match key.code {
        KeyCode::Left => Command::Move(-1, 0),
        KeyCode::Right => Command::Move(1, 0),
        KeyCode::Up => Command::Move(0, -1),
        KeyCode::Down => Command::Move(0, 1),
        KeyCode::Enter => Command::Play,
        KeyCode::Esc => Command::Cancel,
        KeyCode::Backspace => Command::Erase,
        KeyCode::Char(c) if typing => Command::Type(c),
        KeyCode::Char(' ') => Command::Play,
        KeyCode::Char(':') => Command::StartTyping,
        KeyCode::Char('u') => Command::Undo,
        KeyCode::Char('r') => Command::Redo,
        KeyCode::Char('h') => Command::Hint,
        KeyCode::Char('p') => Command::OtherMove,
        KeyCode::Char('n') => Command::Again,
        KeyCode::Char('?') => Command::Help,
        KeyCode::Char('q') => Command::Leave,
        _ => Command::Nothing,
    }
}

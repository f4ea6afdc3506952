//! `papan show`: a position as a picture.

use std::path::Path;

use papan_core::Player;
use papan_core::render::{svg, text};
use papan_core::scene::Scene;
use papan_core::table::Table;
use serde::Serialize;

use crate::cli::ShowArgs;
use crate::error::CliError;
use crate::output;

/// What `--json` prints.
#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: Option<Player>,
    points: [i32; 2],
    margin: i32,
    over: bool,
    legal_moves: Vec<String>,
    scene: Scene,
}

pub(crate) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    if let Some(path) = &args.svg {
        write_svg(&*table, path)?;
    }
    if args.json {
        output::json(&shown(&*table))?;
    } else if args.svg.is_none() {
        let charset = if args.ascii { text::Charset::Ascii } else { text::Charset::Unicode };
        output::text(&board(&*table, charset))?;
    }
    Ok(())
}

fn shown(table: &dyn Table) -> Shown {
    Shown {
        game: table.spec(),
        position: table.position(),
        to_move: (!table.is_over()).then(|| table.to_move()),
        points: table.points(),
        margin: table.margin().0,
        over: table.is_over(),
        legal_moves: table.legal_moves(),
        scene: table.scene(),
    }
}

fn write_svg(table: &dyn Table, path: &Path) -> Result<(), CliError> {
    let last = table.last_move();
    let picture = svg::render(&table.scene(), svg::Marks { last: last.as_deref(), legal: true });
    output::to_file_or_screen(Some(path), &picture)
}

/// The board with points and whose turn it is.
pub(crate) fn board(table: &dyn Table, charset: text::Charset) -> String {
    let last = table.last_move();
    let mut board = text::render(&table.scene(), charset, last.as_deref());
    let players = table.players();
    let [first, second] = table.points();
    board.push_str(&format!("{} {first}, {} {second}", players[0].name.en, players[1].name.en));
    for (label, value) in table.status() {
        board.push_str(&format!(" · {} {value}", label.en));
    }
    board.push_str(" · ");
    board.push_str(&turn(table));
    board.push('\n');
    board
}

/// "Black to move", or the result.
fn turn(table: &dyn Table) -> String {
    let players = table.players();
    if !table.is_over() {
        return format!("{} to move", players[table.to_move().index()].name.en);
    }
    match table.margin().leader() {
        Some(winner) => format!("{} wins", players[winner.index()].name.en),
        None => "a draw".to_owned(),
    }
}

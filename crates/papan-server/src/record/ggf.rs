//! The Generic Game Format of Othello servers: `(;GM[Othello]…B[f5]W[d6];)`.

use papan_core::Player;
use papan_core::table::Table;

/// The record of a table; `None` if its start is not spelt as cells and side.
pub(super) fn write(table: &dyn Table, names: &[String; 2]) -> Option<String> {
    let start = table.start_position();
    let mut words = start.split_whitespace();
    let (cells, side) = (words.next()?, words.next()?);
    let size = cells.len().isqrt();
    let ggf = |text: &str| text.replace(['X', 'x'], "*");
    let [black, white] = colours(side).map(|player| safe(&names[player.index()]));
    let mut text =
        format!("(;GM[Othello]PC[Papan]PB[{black}]PW[{white}]TY[{size}]BO[{size} {} {}]", ggf(cells), ggf(side));
    let mut replay = table.fork();
    while replay.undo() {}
    for mv in table.moves() {
        let colour = if colours(side)[0] == replay.to_move() { 'B' } else { 'W' };
        let name = if mv == "pass" { "PA".to_owned() } else { mv.to_ascii_uppercase() };
        text.push_str(&format!("{colour}[{name}]"));
        replay.redo();
    }
    text.push_str(";)\n");
    Some(text)
}

/// Who is Black and who is White: the first player is whoever the start
/// position says is to move.
fn colours(side: &str) -> [Player; 2] {
    if side.starts_with(['X', 'x', '*']) { Player::BOTH } else { [Player::Second, Player::First] }
}

/// A name that cannot end its own brackets.
fn safe(name: &str) -> String {
    name.replace(['[', ']', '(', ')', ';'], " ")
}

//! The Generic Game Format of Othello servers: `(;GM[Othello]…B[f5]W[d6];)`.

use papan_core::Player;
use papan_core::table::Table;

/// What a GGF record says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ggf {
    /// The starting position in OBF, if it is given.
    pub(super) start: Option<String>,
    pub(super) moves: Vec<String>,
}

/// The GGF in a text that holds one: servers' archives put the number of games
/// before it.
pub(super) fn find(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    text.starts_with("(;").then_some(text)
}

/// Reads the first game of a GGF text.
pub(super) fn read(text: &str) -> Option<Ggf> {
    let mut rest = text.strip_prefix("(;")?;
    let mut record = Ggf { start: None, moves: Vec::new() };
    while let Some((name, after)) = rest.split_once('[') {
        let name = name.trim();
        if name.starts_with(';') {
            break;
        }
        let (value, after) = after.split_once(']')?;
        match name {
            "BO" => record.start = Some(board(value)?),
            // A move may be followed by its value and time: `f5/0.5/12`.
            "B" | "W" => record.moves.push(mv(value.split('/').next()?)),
            _ => {}
        }
        rest = after;
    }
    Some(record)
}

fn mv(text: &str) -> String {
    match text.trim().to_ascii_lowercase().as_str() {
        "pa" | "pass" => "pass".to_owned(),
        place => place.to_owned(),
    }
}

/// `8 --…-- *` (size, cells of `- * O`, side) as OBF.
fn board(value: &str) -> Option<String> {
    let mut words = value.split_whitespace();
    let size: usize = words.next()?.parse().ok()?;
    let symbols: String = words.collect::<String>().replace('*', "X");
    let cells = size.checked_mul(size).filter(|cells| symbols.len() == cells + 1 && symbols.is_ascii())?;
    let (cells, side) = symbols.split_at(cells);
    Some(format!("{cells} {side}"))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_record_is_read() {
        let text = "(;GM[Othello]PC[GGS/os]PB[a]PW[b]RE[+2.000]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- \
                    -------- -------- -------- *]B[F5//0.01]W[d6/1.2/3]B[PA];)";
        let record = read(text).unwrap();
        assert_eq!(record.moves, ["f5", "d6", "pass"]);
        let start = record.start.unwrap();
        assert!(start.ends_with(" X") && start.contains("OX------XO"), "{start}");
    }

    #[test]
    fn archives_put_a_count_before_the_record() {
        for text in ["(;GM[Othello];)", "1 (;GM[Othello];)", "2(;GM[Othello];)"] {
            assert_eq!(find(text), Some("(;GM[Othello];)"));
        }
        for text in ["f5d6", "1. f5", "", "12"] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn broken_records_are_refused() {
        for bad in ["", "GM[Othello]", "(;BO[8 ---]", "(;B[f5", "(;BO[99999999999999999999 x]"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}

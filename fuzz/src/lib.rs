//! What the fuzz targets share.

/// Games to read texts of: every one, small and large, with options.
const GAMES: [&str; 12] = [
    "tic-tac-toe",
    "tic-tac-toe:rows=15,cols=15,k=5",
    "tic-tac-toe:rows=4,cols=5,k=3,misere",
    "adjacency",
    "adjacency:rounds=28,neighbours=8,first=o",
    "dots-and-boxes",
    "dots-and-boxes:rows=2,cols=4",
    "dots-and-boxes:rows=10,cols=10,border=swedish",
    "dots-and-boxes:rows=6,cols=6,border=icelandic",
    "othello",
    "othello:size=6",
    "othello:size=4,first=white,passing=off",
];

/// The first byte says which of several things the rest is for: letters from
/// `a` on, so that kept inputs can be read and written by people.
#[must_use]
pub fn choice(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(&first, rest)| (usize::from(first.wrapping_sub(b'a')), rest))
}

/// A game by the first byte, and the text after it.
#[must_use]
pub fn game_and_text(data: &[u8]) -> Option<(&'static str, &str)> {
    let (number, rest) = choice(data);
    Some((GAMES[number % GAMES.len()], std::str::from_utf8(rest).ok()?))
}

/// What people are told is one line that a terminal shows as it is.
///
/// # Panics
/// If it is not.
pub fn check_line(line: &str) {
    assert!(!line.is_empty(), "an error without words");
    assert!(!line.contains(char::is_control), "{line:?}");
}

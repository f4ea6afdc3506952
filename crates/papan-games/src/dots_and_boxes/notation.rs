//! `3x3 111101001001 111101111111 1 4-2` for positions, `h0,2` for moves;
//! `c1-d1`, the dots at both ends, is what people see and may type.

use papan_core::error::{Subject, quoted};
use papan_core::scene::{cell_name, read_cell_name};
use papan_core::{Bits, ParseError, Place, Player, Position as _, Settings};

use super::geometry::{Geometry, Line};
use super::position::DotsAndBoxesPosition;

fn wrong(message: String) -> ParseError {
    ParseError::new(Subject::Position, message)
}

/// Reads size, horizontal lines, vertical lines, side, boxes of both and
/// perhaps the owner of each box, and checks them against each other.
pub(super) fn read_position<B: Bits>(
    geometry: &'static Geometry<B>,
    text: &str,
) -> Result<DotsAndBoxesPosition<B>, ParseError> {
    let mut fields = text.split_whitespace();
    let mut field = |name: &str, example: &str| {
        fields.next().ok_or_else(|| wrong(format!("the {name} is missing, expected {example}")))
    };
    check_size(geometry, field("size", "rows and columns of boxes such as 3x3")?)?;
    let (horizontal, vertical) = (geometry.horizontal_count(), geometry.line_count() - geometry.horizontal_count());
    let ones = |count: usize| format!("{count} digits of 0 and 1");
    let mut lines = B::EMPTY;
    let digits = field("field of horizontal lines", &ones(horizontal))?;
    lines = lines | read_lines(digits, "horizontal", 0, horizontal)?;
    let digits = field("field of vertical lines", &ones(vertical))?;
    lines = lines | read_lines(digits, "vertical", horizontal, vertical)?;
    let to_move = match field("side to move", "1 or 2")? {
        "1" => Player::First,
        "2" => Player::Second,
        other => return Err(wrong(format!("the side to move is {}, expected 1 or 2", quoted(other)))),
    };
    let points = read_points(field("count of boxes", "boxes of 1 and 2 such as 4-2")?)?;
    let complete = geometry.complete_boxes(lines);
    check_points(geometry, complete, points)?;
    let owned = match fields.next() {
        None => [B::EMPTY; 2],
        Some(owners) => read_owners(geometry, complete, points, owners)?,
    };
    if let Some(more) = fields.next() {
        return Err(wrong(format!("there is {} after the sixth field, expected nothing", quoted(more))));
    }
    Ok(DotsAndBoxesPosition::from_parts(geometry, lines, to_move, points, owned))
}

/// Rows and columns of `3x3`.
fn read_size(text: &str) -> Option<(usize, usize)> {
    let (rows, cols) = text.split_once(['x', 'X', '×'])?;
    Some((read_number(rows)?, read_number(cols)?))
}

/// A number of at most three plain digits.
fn read_number(text: &str) -> Option<usize> {
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn check_size<B: Bits>(geometry: &Geometry<B>, text: &str) -> Result<(), ParseError> {
    let (rows, cols) = (geometry.rows, geometry.cols);
    match read_size(text) {
        Some(size) if size == (rows, cols) => Ok(()),
        Some((r, c)) => Err(wrong(format!("the position is {r}x{c}, but the game is {rows}x{cols}"))),
        None => Err(wrong(format!("the size is {}, expected {rows}x{cols}", quoted(text)))),
    }
}

fn read_lines<B: Bits>(text: &str, name: &str, first: usize, count: usize) -> Result<B, ParseError> {
    let length = text.chars().count();
    if length != count {
        return Err(wrong(format!("there are {length} {name} lines, expected {count}")));
    }
    text.chars().enumerate().try_fold(B::EMPTY, |lines, (number, digit)| match digit {
        '0' => Ok(lines),
        '1' => Ok(lines | B::bit(first + number)),
        other => {
            let found = quoted(other.encode_utf8(&mut [0; 4]));
            Err(wrong(format!("{name} line {} is {found}, expected 0 or 1", number + 1)))
        }
    })
}

fn read_points(text: &str) -> Result<[u8; 2], ParseError> {
    let number = |text| read_number(text).and_then(|number| u8::try_from(number).ok());
    let counts = text.split_once('-').and_then(|(first, second)| Some([number(first)?, number(second)?]));
    counts.ok_or_else(|| wrong(format!("the boxes are {}, expected boxes of 1 and 2 such as 4-2", quoted(text))))
}

/// The score must fit the completed boxes. It may count more boxes than the
/// lines show (a handicap, a score carried over), but its difference must be
/// one that these lines allow: then no margin of the game leaves its bound.
fn check_points<B: Bits>(geometry: &Geometry<B>, complete: B, points: [u8; 2]) -> Result<(), ParseError> {
    let [first, second] = points.map(u32::from);
    let won = complete.count().saturating_sub(geometry.complete_at_start);
    let total = won..=geometry.box_count() as u32;
    let (sum, difference) = (first + second, first.abs_diff(second));
    if total.contains(&sum) && sum % 2 == won % 2 && difference <= won {
        return Ok(());
    }
    Err(wrong(format!(
        "the boxes are {first}-{second}, but {won} are completed, expected numbers that add up to {won}"
    )))
}

fn read_owners<B: Bits>(
    geometry: &Geometry<B>,
    complete: B,
    points: [u8; 2],
    text: &str,
) -> Result<[B; 2], ParseError> {
    let (length, expected) = (text.chars().count(), geometry.box_count());
    if length != expected {
        return Err(wrong(format!("there are {length} box owners, expected {expected}")));
    }
    let mut owned = [B::EMPTY; 2];
    for (number, symbol) in text.chars().enumerate() {
        let place = || format!("box {},{}", number / geometry.cols, number % geometry.cols);
        let owner = match symbol {
            '.' => continue,
            '1' => Player::First,
            '2' => Player::Second,
            other => {
                let found = quoted(other.encode_utf8(&mut [0; 4]));
                return Err(wrong(format!("the owner of {} is {found}, expected 1 2 .", place())));
            }
        };
        if !complete.has(number) {
            return Err(wrong(format!("{} has an owner but is not completed, expected .", place())));
        }
        let own = &mut owned[owner.index()];
        *own = *own | B::bit(number);
    }
    for (symbol, (own, count)) in (1..).zip(owned.iter().zip(points)) {
        if own.count() > u32::from(count) {
            return Err(wrong(format!("{symbol} owns {} boxes, expected at most {count}", own.count())));
        }
    }
    Ok(owned)
}

/// Writes the sixth field exactly when some owner is known.
pub(super) fn write_position<B: Bits>(position: &DotsAndBoxesPosition<B>) -> String {
    let geometry = position.geometry();
    let digits = |range: std::ops::Range<usize>| -> String {
        range.map(|line| if position.lines().has(line) { '1' } else { '0' }).collect()
    };
    let [first, second] = position.points();
    let mut text = format!(
        "{}x{} {} {} {} {first}-{second}",
        geometry.rows,
        geometry.cols,
        digits(0..geometry.horizontal_count()),
        digits(geometry.horizontal_count()..geometry.line_count()),
        position.to_move().index() + 1,
    );
    let owners = (0..geometry.box_count()).map(|number| match position.owner(number) {
        None => '.',
        Some(Player::First) => '1',
        Some(Player::Second) => '2',
    });
    if owners.clone().any(|owner| owner != '.') {
        text.push(' ');
        text.extend(owners);
    }
    text
}

/// Reads `h0,2`, `h 0 2`, `H0-2`, `h(0,2)`, `horizontal 0 2`, and the dots at
/// both ends: `c1-d1`, `d1 c1`, `C1D1`.
pub(super) fn read_move<B: Bits>(geometry: &Geometry<B>, text: &str) -> Result<Place, ParseError> {
    let text = text.trim();
    let refused = |message: String| ParseError::new(Subject::Move, message);
    let line = read_line(text).or_else(|| read_dots(text)).ok_or_else(|| {
        refused(format!(
            "{} is no line, expected two neighbouring dots such as c1-d1, or h or v, a row and a column such as h0,2",
            quoted(text)
        ))
    })?;
    if geometry.has(line) {
        return Ok(Place(geometry.index(line) as u8));
    }
    let last = Line {
        horizontal: line.horizontal,
        row: geometry.rows - usize::from(!line.horizontal),
        col: geometry.cols - usize::from(line.horizontal),
    };
    let first = write_line(Line { row: 0, col: 0, ..last });
    Err(refused(format!("{} is not on the board, expected {first} to {}", quoted(text), write_line(last))))
}

fn read_line(text: &str) -> Option<Line> {
    let split = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, rest) = text.split_at(split);
    let horizontal = match word.to_ascii_lowercase().as_str() {
        "h" | "horizontal" => true,
        "v" | "vertical" => false,
        _ => return None,
    };
    let rest = rest.trim();
    let inside = rest.strip_prefix('(').map_or(Some(rest), |open| open.strip_suffix(')'))?.trim();
    let gap = inside.find(|c: char| !c.is_ascii_digit())?;
    let (row, after) = inside.split_at(gap);
    let after = after.trim_start();
    let col = after.strip_prefix([',', '-']).unwrap_or(after).trim_start();
    Some(Line { horizontal, row: read_number(row)?, col: read_number(col)? })
}

/// The line between two neighbouring dots, in either order.
fn read_dots(text: &str) -> Option<Line> {
    /// More dots than any board has on a side.
    const MANY: usize = 26;
    let second = text.rfind(|c: char| c.is_ascii_alphabetic())?;
    let (from, to) = text.split_at(second);
    let from = from.trim_end_matches([' ', '-', '–']);
    let (from, to) = (read_cell_name(from, MANY, MANY)?, read_cell_name(to, MANY, MANY)?);
    let (row, col) = from.min(to);
    match (from.0.abs_diff(to.0), from.1.abs_diff(to.1)) {
        (0, 1) => Some(Line { horizontal: true, row, col }),
        (1, 0) => Some(Line { horizontal: false, row, col }),
        _ => None,
    }
}

/// The names of the dots that a line joins.
pub(super) fn ends(line: Line) -> [String; 2] {
    let Line { horizontal, row, col } = line;
    [cell_name(row, col), cell_name(row + usize::from(!horizontal), col + usize::from(horizontal))]
}

/// `c1-d1` for `h0,2`.
pub(super) fn write_dots(line: Line) -> String {
    ends(line).join("-")
}

pub(super) fn write_line(line: Line) -> String {
    format!("{}{},{}", if line.horizontal { 'h' } else { 'v' }, line.row, line.col)
}

/// Lets the size in a position's text settle the rows and columns that nobody
/// gave.
pub(super) fn suit_settings(settings: &mut Settings, text: &str) {
    let Some((rows, cols)) = text.split_whitespace().next().and_then(read_size) else { return };
    for (name, size) in [("rows", rows), ("cols", cols)] {
        if (1..=10).contains(&size) {
            settings.suggest_integer(name, size as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use papan_core::Spec;

    use super::*;
    use crate::dots_and_boxes::geometry::Border;
    use crate::dots_and_boxes::options;

    fn two_by_two() -> &'static Geometry<u64> {
        Geometry::interned(2, 2, Border::None)
    }

    #[test]
    fn a_score_may_count_boxes_that_the_lines_do_not_show() {
        let geometry = Geometry::<u64>::interned(3, 3, Border::None);
        let read = |score: &str| read_position(geometry, &format!("3x3 111101001001 111101111111 1 {score}"));
        for score in ["4-0", "2-2", "1-3", "4-2", "3-3"] {
            let position = read(score).unwrap();
            assert_eq!(position.complete_boxes().count(), 4);
            assert_eq!(write_position(&position), format!("3x3 111101001001 111101111111 1 {score}"));
        }
        for score in ["0-0", "2-1", "3-2", "6-0", "5-5", "255-1", "256-0", "-4-2"] {
            assert!(read(score).is_err(), "{score}");
        }
    }

    #[test]
    fn owners_are_written_exactly_when_known() {
        for text in ["2x2 111100 111000 2 1-1", "2x2 111100 111000 2 1-1 12..", "2x2 111100 111000 2 1-1 .2.."] {
            assert_eq!(write_position(&read_position(two_by_two(), text).unwrap()), text);
        }
        let unknown = read_position(two_by_two(), "2x2 111100 111000 2 1-1 ....").unwrap();
        assert_eq!(write_position(&unknown), "2x2 111100 111000 2 1-1");
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        let line = |text: &str| read_position(two_by_two(), text).unwrap_err().to_string();
        assert_eq!(line(""), "position: the size is missing, expected rows and columns of boxes such as 3x3");
        assert_eq!(line("3x2 0 0 1 0-0"), "position: the position is 3x2, but the game is 2x2");
        assert_eq!(line("abc"), "position: the size is 'abc', expected 2x2");
        assert_eq!(line("2x2 00 000000 1 0-0"), "position: there are 2 horizontal lines, expected 6");
        assert_eq!(line("2x2 000000 00200 1 0-0"), "position: there are 5 vertical lines, expected 6");
        assert_eq!(line("2x2 000000 002000 1 0-0"), "position: vertical line 3 is '2', expected 0 or 1");
        assert_eq!(line("2x2 000000 000000"), "position: the side to move is missing, expected 1 or 2");
        assert_eq!(line("2x2 000000 000000 3 0-0"), "position: the side to move is '3', expected 1 or 2");
        assert_eq!(
            line("2x2 000000 000000 1 0+0"),
            "position: the boxes are '0+0', expected boxes of 1 and 2 such as 4-2"
        );
        assert_eq!(
            line("2x2 111100 111000 1 1-0"),
            "position: the boxes are 1-0, but 2 are completed, expected numbers that add up to 2"
        );
        let owners = |owners: &str| line(&format!("2x2 111100 111000 1 1-1 {owners}"));
        assert_eq!(owners("12"), "position: there are 2 box owners, expected 4");
        assert_eq!(owners("1x.."), "position: the owner of box 0,1 is 'x', expected 1 2 .");
        assert_eq!(owners("1.2."), "position: box 1,0 has an owner but is not completed, expected .");
        assert_eq!(owners("11.."), "position: 1 owns 2 boxes, expected at most 1");
        assert_eq!(owners("12.. 5"), "position: there is '5' after the sixth field, expected nothing");
    }

    #[test]
    fn boxes_that_the_border_completes_are_nobodys() {
        let geometry = Geometry::<u64>::interned(1, 1, Border::Swedish);
        assert!(read_position(geometry, "1x1 11 11 1 0-0").is_ok());
        assert!(read_position(geometry, "1x1 11 11 1 1-0").is_err());
        assert!(read_position(geometry, "1x1 11 11 1 0-0 1").is_err());
    }

    #[test]
    fn every_spelling_of_a_line_is_read_as_one() {
        let read = |text: &str| read_move(two_by_two(), text).map(|mv| write_line(two_by_two().line(mv.0.into())));
        for text in ["h2,1", "h 2 1", "H2-1", "h(2,1)", " h 2,1 ", "h2 1", "horizontal 2 1", "h ( 2 , 1 )"] {
            assert_eq!(read(text), Ok("h2,1".to_owned()), "{text}");
        }
        assert_eq!(read("V 1 2"), Ok("v1,2".to_owned()));
        let line = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(line("h1,2"), "move: 'h1,2' is not on the board, expected h0,0 to h2,1");
        assert_eq!(line("v2,0"), "move: 'v2,0' is not on the board, expected v0,0 to v1,2");
        for text in ["", "h", "h1", "h12", "x1,2", "h1,2,3", "h(1,2", "h1,-2", "h+1,2", "h1,,2", "h9999,1", "1,2"] {
            let expected = format!(
                "move: '{text}' is no line, expected two neighbouring dots such as c1-d1, or h or v, a row and a column such as h0,2"
            );
            assert_eq!(line(text), expected);
        }
    }

    #[test]
    fn the_dots_at_both_ends_name_a_line_in_either_order() {
        let geometry = Geometry::<u64>::interned(3, 8, Border::None);
        for index in 0..geometry.line_count() {
            let line = geometry.line(index);
            let [from, to] = ends(line);
            let spellings = [format!("{from}-{to}"), format!("{to} {from}"), format!("{from}{to}").to_uppercase()];
            for text in spellings {
                assert_eq!(read_move(geometry, &text).map(|mv| usize::from(mv.0)), Ok(index), "{text}");
            }
        }
        for text in ["a1-b2", "a1-c1", "a1-a1", "a1", "a1-", "-a1b1", "a1--b", "i4-j4", "a4-a5"] {
            assert!(read_move(geometry, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_settles_the_size_that_nobody_gave() {
        let suited = |spec: &str, text: &str| {
            let mut settings = Settings::read(Subject::Game, &Spec::split(spec), &options()).unwrap();
            suit_settings(&mut settings, text);
            (settings.integer("rows"), settings.integer("cols"))
        };
        assert_eq!(suited("d", "4x5 000 111 1 0-0"), (4, 5));
        assert_eq!(suited("d:rows=2", "4x5"), (2, 5));
        assert_eq!(suited("d", "11x0"), (3, 3));
        assert_eq!(suited("d", ""), (3, 3));
    }
}

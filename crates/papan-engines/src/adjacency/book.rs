//! Exact first moves for games whose start is too long to solve at the board.
//!
//! One line a position: plies left, marks of the side to move and of the other side (hexadecimal),
//! value for the side to move, a best cell. Positions are stored once for all the symmetries that
//! map starts to starts; `book_making` makes the file.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::solver::reflect;

/// A position of the book: plies left, own marks, opponent's marks.
pub type BookKey = (u32, u64, u64);

/// What the book knows: the final margin for the side to move, and a best cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The final margin for the side to move.
    pub value: i32,
    /// A best move.
    pub cell: u32,
}

/// The four symmetries of the two starts; each is its own inverse.
fn mapped(symmetry: usize, set: u64) -> u64 {
    match symmetry {
        0 => set,
        1 => reflect(set),
        2 => set.reverse_bits(),
        _ => reflect(set).reverse_bits(),
    }
}

/// The stored form of a position, and the symmetry that leads there.
pub(super) fn canonical((plies, own, opp): BookKey) -> (BookKey, usize) {
    (0..4).map(|s| ((plies, mapped(s, own), mapped(s, opp)), s)).min().expect("there are four symmetries")
}

/// A set of solved positions.
#[derive(Clone, Debug, Default)]
pub struct Book(pub(super) HashMap<BookKey, BookMove>);

impl Book {
    /// The book that the engine is built with, for four neighbours.
    pub fn built_in() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Self::read(include_str!("book.txt")))
    }

    /// Reads lines; those that are not complete (an interrupted writer) are passed over.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self(text.lines().filter_map(read_line).collect())
    }

    /// The number of stored positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of a position.
    #[must_use]
    pub fn find(&self, own: u64, opp: u64, plies: u32) -> Option<BookMove> {
        let (key, symmetry) = canonical((plies, own, opp));
        let found = self.0.get(&key)?;
        let cell = mapped(symmetry, 1 << found.cell).trailing_zeros();
        Some(BookMove { cell, ..*found })
    }

    /// Every stored position.
    pub fn positions(&self) -> impl Iterator<Item = (BookKey, BookMove)> + '_ {
        self.0.iter().map(|(key, mv)| (*key, *mv))
    }
}

fn read_line(line: &str) -> Option<(BookKey, BookMove)> {
    let mut fields = line.split(' ');
    let plies = fields.next()?.parse().ok()?;
    let own = u64::from_str_radix(fields.next()?, 16).ok()?;
    let opp = u64::from_str_radix(fields.next()?, 16).ok()?;
    let value = fields.next()?.parse().ok()?;
    let cell = fields.next()?.parse().ok()?;
    (fields.next() == Some(".")).then_some(((plies, own, opp), BookMove { value, cell }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::book_making::{after, every_move};
    use crate::adjacency::reference::START;

    #[test]
    fn the_built_in_book_is_sound_in_form() {
        for ((plies, own, opp), mv) in Book::built_in().positions() {
            assert_eq!(own & opp, 0);
            assert_eq!((own | opp) >> mv.cell & 1, 0, "the move is an empty cell");
            assert_eq!(canonical((plies, own, opp)).0, (plies, own, opp));
            assert_eq!(mv.value.rem_euclid(2) as u32, (own | opp).count_ones().wrapping_add(plies) % 2);
        }
    }

    /// Each value was found by a solve of its own; here each must be the best of those after the moves.
    #[test]
    fn all_first_plies_of_the_eight_round_game_are_known_and_their_values_agree() {
        let book = Book::built_in();
        let known = |(plies, own, opp): BookKey| book.find(own, opp, plies).expect("two plies are in the book");
        let start = (16, START.0, START.1);
        for position in std::iter::once(start).chain(every_move(start)) {
            let BookMove { value, cell } = known(position);
            assert_eq!(every_move(position).map(|next| -known(next).value).max(), Some(value));
            assert_eq!(-known(after(position, cell)).value, value, "the book's move holds the value");
        }
    }
}

//! Exact first moves for games whose start is too long to solve at the board.
//!
//! One line a position: plies left, marks of the side to move and of the other side (hexadecimal),
//! value for the side to move, a best cell. Positions are stored once for all the symmetries that
//! map starts to starts; `examples/adjacency_book.rs` makes the file.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use super::reference::START;
use super::rule::{Four, Rule};
use super::solver::{Detail, Solver, Task, reflect};
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

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
fn canonical((plies, own, opp): BookKey) -> (BookKey, usize) {
    (0..4).map(|s| ((plies, mapped(s, own), mapped(s, opp)), s)).min().expect("there are four symmetries")
}

/// A set of solved positions.
#[derive(Clone, Debug, Default)]
pub struct Book(HashMap<BookKey, BookMove>);

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

/// What to put into a book.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// Rounds of the game.
    pub rounds: u32,
    /// Every position after at most so many plies, whatever they were.
    pub depth: u32,
    /// Threads.
    pub threads: usize,
    /// MiB for the solver's table.
    pub table_megabytes: usize,
}

/// Solves the plan's positions and appends each to the file at once; what the file has already is
/// not solved again, so an interrupted run goes on where it ended. `report` hears of each line.
pub fn make_book(path: &Path, plan: BookPlan, report: &mut dyn FnMut(&str)) -> io::Result<()> {
    let mut text = String::new();
    if path.exists() {
        File::open(path)?.read_to_string(&mut text)?;
    }
    let mut maker = Maker {
        book: Book::read(&text),
        file: OpenOptions::new().create(true).append(true).open(path)?,
        solver: Solver::new(false, plan.threads, plan.table_megabytes),
        report,
    };
    let mut positions = vec![canonical((2 * plan.rounds, START.0, START.1)).0];
    for depth in 0..=plan.depth {
        for &key in &positions {
            maker.solve(key)?;
        }
        if depth < plan.depth {
            positions = maker.children(&positions);
        }
    }
    Ok(())
}

struct Maker<'r> {
    book: Book,
    file: File,
    solver: Solver,
    report: &'r mut dyn FnMut(&str),
}

fn after((plies, own, opp): BookKey, cell: u32) -> BookKey {
    let flipped = Four::neighbours(cell) & opp;
    (plies - 1, opp & !flipped, own | 1 << cell | flipped)
}

fn every_move(key: BookKey) -> impl Iterator<Item = BookKey> {
    SetBits(!(key.1 | key.2)).map(move |cell| after(key, cell))
}

impl Maker<'_> {
    /// All positions one ply later, each symmetry once; what follows best play and captures comes
    /// first, since it is needed most.
    fn children(&self, positions: &[BookKey]) -> Vec<BookKey> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for &key in positions {
            let best = after(key, self.book.0[&key].cell);
            let mut others: Vec<BookKey> = every_move(key).collect();
            others.sort_by_key(|child| child.1.count_ones());
            for child in std::iter::once(best).chain(others) {
                let child = canonical(child).0;
                if seen.insert(child) {
                    found.push(child);
                }
            }
        }
        found
    }

    fn solve(&mut self, key: BookKey) -> io::Result<BookMove> {
        if let Some(known) = self.book.0.get(&key) {
            return Ok(*known);
        }
        let (plies, own, opp) = key;
        let stop = AtomicBool::new(false);
        let task = Task { own, opp, plies, detail: Detail::Value, deadline: Deadline::until_stopped(&stop) };
        let solved = self.solver.solve(&task, &mut |_| {});
        let found = BookMove { value: solved.lower, cell: solved.best[0] };
        let line = format!("{plies} {own:x} {opp:x} {} {} .", found.value, found.cell);
        writeln!(self.file, "{line}")?;
        self.file.flush()?;
        (self.report)(&format!("{line} {} nodes {:.1} s", solved.nodes, solved.elapsed.as_secs_f64()));
        self.book.0.insert(key, found);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_small_book_is_made_resumed_and_found_under_every_symmetry() {
        let path = std::env::temp_dir().join(format!("papan-book-{}.txt", std::process::id()));
        let plan = BookPlan { rounds: 3, depth: 1, threads: 1, table_megabytes: 4 };
        let mut lines = 0;
        make_book(&path, plan, &mut |_| lines += 1).expect("the file can be written");
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        assert_eq!(text.lines().count(), lines);
        make_book(&path, plan, &mut |_| panic!("nothing is left to solve")).expect("the file can be read");
        std::fs::remove_file(&path).expect("the file can be removed");
        let book = Book::read(&text);
        let first = book.find(START.0, START.1, 6).expect("the start is in the book");
        let turned = book.find(START.1, START.0, 6).expect("the other start is the same position turned");
        assert_eq!((first.value, first.cell), (turned.value, 63 - turned.cell));
        for ((plies, own, opp), mv) in book.positions() {
            let plain = crate::adjacency::reference::PlainPosition::new(own, opp, plies.min(3), false);
            if plies <= 3 {
                assert_eq!(plain.value(), mv.value);
            }
            assert_eq!((own | opp) >> mv.cell & 1, 0);
        }
    }
}

//! Makes the file of [`Book`]: solves positions from the start on, one after the other.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::book::{Book, BookKey, BookMove, canonical};
use super::reference::START;
use super::rule::{Four, Rule as _};
use super::solver::{Detail, Solver, Task};
use crate::common::bits::SetBits;
use crate::common::deadline::Deadline;

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

/// The position after a move, from the other chair.
pub(super) fn after((plies, own, opp): BookKey, cell: u32) -> BookKey {
    let flipped = Four::neighbours(cell) & opp;
    (plies - 1, opp & !flipped, own | 1 << cell | flipped)
}

/// The positions after all moves.
pub(super) fn every_move(key: BookKey) -> impl Iterator<Item = BookKey> {
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

//! Chains, loops, loony lines and the long-chain rule, for people who want to see them.

use super::board::{Board, Border, Lines};
use super::contract::contract;
use super::reference::completed;

/// The least number of boxes of a long chain.
pub(super) const LONG: usize = 3;

/// What a string of boxes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has two ends, at the outside or at boxes with three or four open sides.
    Chain,
    /// It comes back to itself.
    Loop,
}

/// Boxes with at most two open sides that hang together: opening one gives them all away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct String {
    /// Chain or loop.
    pub kind: Kind,
    /// The boxes, along the string.
    pub cells: Vec<usize>,
    /// The undrawn lines of its boxes.
    pub lines: Vec<usize>,
    /// Whether it can be taken now.
    pub open: bool,
    /// Whether no end is at a box with three or four open sides, so that it will change no more.
    pub lone: bool,
}

/// Who will be forced to open the first long chain, by the rule of thumb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LongChainRule {
    /// Long chains (loops do not count) if the strings of now stay as they are.
    pub long_chains: usize,
    /// Whether the first player wants an even number of them.
    pub first_wants_even: bool,
    /// Whether the count as it stands suits the first player.
    pub suits_first: bool,
}

/// Everything there is to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    /// Chains and loops by their smallest box.
    pub strings: Vec<String>,
    /// Lines that let the opponent choose who moves next: they offer boxes that can be declined.
    pub loony: Vec<usize>,
    /// Lines that offer nothing.
    pub safe: Vec<usize>,
    /// The long-chain rule's verdict.
    pub rule: LongChainRule,
}

/// Lists what there is in a position that began with the given border.
#[must_use]
pub(super) fn structure(board: Board, drawn: Lines, border: Border) -> Structure {
    let strings = strings(board, drawn);
    let here = contract(board, drawn).offer.taken;
    let mut loony = Vec::new();
    let mut safe = Vec::new();
    for line in board.all().without(drawn).iter() {
        if completed(board, drawn, line) > 0 {
            continue;
        }
        let offer = contract(board, drawn.with(line)).offer;
        if offer.taken == 0 {
            safe.push(line);
        } else if offer.declined > 0 && here == 0 {
            loony.push(line);
        }
    }
    let rule = long_chain_rule(board, border, &strings);
    Structure { strings, loony, safe, rule }
}

/// The long-chain rule: dots plus double-crossed moves is turns, so the first player wants the number of
/// long chains to have the parity of the dots that the game starts with unconnected.
///
/// On a board with an even number of dots the first player wants an even number of long chains, with an
/// odd number an odd one. A border drawn before the game joins its dots, which count as one from then on.
fn long_chain_rule(board: Board, border: Border, strings: &[String]) -> LongChainRule {
    let (rows, cols) = (board.rows(), board.cols());
    let dots = (rows + 1) * (cols + 1);
    let joined = match border {
        Border::None => 0,
        Border::Icelandic => rows + cols,
        Border::Swedish => 2 * (rows + cols) - 1,
    };
    let is_long_chain = |string: &&String| string.kind == Kind::Chain && string.cells.len() >= LONG;
    let long_chains = strings.iter().filter(is_long_chain).count();
    let first_wants_even = (dots - joined) % 2 == 0;
    LongChainRule { long_chains, first_wants_even, suits_first: (long_chains % 2 == 0) == first_wants_even }
}

fn open_sides(board: Board, drawn: Lines, cell: usize) -> Vec<usize> {
    board.sides(cell).into_iter().filter(|&side| !drawn.contains(side)).collect()
}

fn strings(board: Board, drawn: Lines) -> Vec<String> {
    let mut seen = vec![false; board.boxes()];
    let mut strings = Vec::new();
    for cell in 0..board.boxes() {
        let sides = open_sides(board, drawn, cell).len();
        if (1..=2).contains(&sides) && !seen[cell] {
            strings.push(string_through(board, drawn, cell, &mut seen));
        }
    }
    strings
}

/// Walks both ways from a box with one or two open sides.
fn string_through(board: Board, drawn: Lines, first: usize, seen: &mut [bool]) -> String {
    let mut string = String { kind: Kind::Chain, cells: vec![first], lines: Vec::new(), open: false, lone: true };
    seen[first] = true;
    for (way, &start) in open_sides(board, drawn, first).iter().enumerate() {
        let (mut line, mut from) = (start, first);
        loop {
            if string.lines.contains(&line) {
                string.kind = Kind::Loop;
                break;
            }
            string.lines.push(line);
            let [a, b] = board.beside(line);
            let Some(cell) = (if a == Some(from) { b } else { a }) else { break };
            let sides = open_sides(board, drawn, cell);
            if sides.len() > 2 {
                string.lone = false;
                break;
            }
            if seen[cell] {
                continue;
            }
            seen[cell] = true;
            if way == 0 {
                string.cells.push(cell);
            } else {
                string.cells.insert(0, cell);
            }
            let Some(&next) = sides.iter().find(|&&side| side != line) else { break };
            (line, from) = (next, cell);
        }
    }
    string.open = string.cells.iter().any(|&cell| open_sides(board, drawn, cell).len() == 1);
    string.lines.sort_unstable();
    string
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn_except(board: Board, undrawn: &[usize]) -> Lines {
        board.all().without(undrawn.iter().copied().collect())
    }

    #[test]
    fn finds_a_loop_and_a_chain() {
        let board = Board::new(2, 3).unwrap();
        let around = [board.horizontal(1, 0), board.horizontal(1, 1), board.vertical(0, 1), board.vertical(1, 1)];
        let through = [board.horizontal(0, 2), board.horizontal(1, 2), board.horizontal(2, 2)];
        let undrawn: Vec<usize> = around.into_iter().chain(through).collect();
        let found = structure(board, drawn_except(board, &undrawn), Border::None);
        assert_eq!(found.strings.len(), 2);
        assert_eq!((found.strings[0].kind, found.strings[0].cells.len()), (Kind::Loop, 4));
        assert_eq!((found.strings[1].kind, found.strings[1].cells.as_slice()), (Kind::Chain, &[5, 2][..]));
        assert!(found.strings.iter().all(|string| string.lone && !string.open));
        // Every line of the loop is loony; of the chain of two, the middle line is not.
        assert_eq!(found.loony.len(), 6);
        assert!(!found.loony.contains(&board.horizontal(1, 2)));
        assert!(found.safe.is_empty());
    }

    #[test]
    fn an_open_chain_is_marked() {
        let board = Board::new(1, 3).unwrap();
        let undrawn = [board.vertical(0, 1), board.vertical(0, 2), board.vertical(0, 3)];
        let found = structure(board, drawn_except(board, &undrawn), Border::None);
        assert_eq!(found.strings.len(), 1);
        assert!(found.strings[0].open);
        assert_eq!(found.strings[0].cells.len(), 3);
    }

    #[test]
    fn the_rule_on_the_common_boards() {
        // 3x3 boxes have 16 dots: the first player wants an even number of long chains.
        let three = structure(Board::new(3, 3).unwrap(), Lines::default(), Border::None).rule;
        assert!(three.first_wants_even && three.suits_first);
        // 4x4 boxes have 25 dots: an odd number.
        assert!(!structure(Board::new(4, 4).unwrap(), Lines::default(), Border::None).rule.first_wants_even);
    }
}

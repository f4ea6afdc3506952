//! The lines to think about at the root, grouped by what they lead to.

use super::board::{Board, Lines};
use super::canonical::{Key, Scratch};
use super::contract::{Contracted, contract};
use super::graph::{Graph, Offer};
use super::reference::completed;

/// Lines that lead to the same.
#[derive(Clone, Debug)]
pub(super) struct Candidate<const J: usize, const L: usize> {
    /// The lines, in ascending order; the first stands for all.
    pub(super) lines: Vec<usize>,
    /// Boxes that drawing one of them completes.
    pub(super) gained: i32,
    /// What the next player to move may take then: the same player if a box was completed.
    pub(super) offer: Offer,
    /// What is left after that.
    pub(super) rest: Graph<J, L>,
    key: Key,
}

impl<const J: usize, const L: usize> Candidate<J, L> {
    /// Value for the one who draws the line, if the value of what is left is `rest` for the one who moves there.
    pub(super) fn value(&self, rest: i32) -> i32 {
        let taker = self.offer.value_for_taker(rest);
        if self.gained > 0 { self.gained + taker } else { -taker }
    }
}

/// A position as the player sees it.
pub(super) struct Root<const J: usize, const L: usize> {
    /// What there is to take now.
    pub(super) offer: Offer,
    /// What is left after that.
    pub(super) rest: Graph<J, L>,
    /// The safe lines in the order to try them.
    pub(super) order: Vec<u16>,
    /// If there is something to take, only the lines that take, or decline, without touching the rest:
    /// no other line can be better.
    pub(super) candidates: Vec<Candidate<J, L>>,
}

/// Looks at every undrawn line. Contract: the position has at most `J` joints.
pub(super) fn root<const J: usize, const L: usize>(board: Board, drawn: Lines, here: &Contracted) -> Root<J, L> {
    let mut scratch = Scratch::new();
    let numbers = here.quiet.joint_numbers();
    let (rest, order) = here.quiet.numbered_graph::<J, L>(&numbers);
    let here_key = scratch.key(&rest);
    let mut candidates: Vec<Candidate<J, L>> = Vec::new();
    for line in board.all().without(drawn).iter() {
        let gained = completed(board, drawn, line) as i32;
        let Contracted { offer, quiet } = contract(board, drawn.with(line));
        let (rest, _) = quiet.numbered_graph::<J, L>(&numbers);
        let key = scratch.key(&rest);
        if here.offer.taken > 0 && key != here_key {
            continue;
        }
        let same = |c: &&mut Candidate<J, L>| c.key == key && c.offer == offer && c.gained == gained;
        match candidates.iter_mut().find(same) {
            Some(candidate) => candidate.lines.push(line),
            None => candidates.push(Candidate { lines: vec![line], gained, offer, rest, key }),
        }
    }
    Root { offer: here.offer, rest, order, candidates }
}

//! Won, drawn or lost, on boards of up to 64 cells where a row wins: null-window search with a transposition
//! table over all symmetries, threat-space search and pairings.

use super::masks::{Cells, Masks, cells_of, is_one_at_most};
use crate::common::deadline::Stopped;
use crate::common::solving::Bounds;
use crate::tic_tac_toe::board::Board;
use crate::tic_tac_toe::state::random_words;
use crate::tic_tac_toe::transposition::TranspositionTable;

/// Positions that a look for a forced win may take.
const FORCED_WIN_NODES: u32 = 300;
const SIDES: usize = 2;
const MOST_SYMMETRIES: usize = 8;

/// Marks of both sides and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) own: Cells,
    pub(super) other: Cells,
    /// 0 or 1.
    pub(super) side: usize,
}

/// A node with its fingerprint under every symmetry.
#[derive(Clone, Copy)]
struct Keyed {
    node: Node,
    keys: [u64; MOST_SYMMETRIES],
}

/// Search over one board.
pub(super) struct ProofSearch {
    masks: Masks,
    /// What marking a cell changes in the fingerprints: by side and cell, for every symmetry.
    changes: [Vec<[u64; MOST_SYMMETRIES]>; SIDES],
    order: Vec<u8>,
}

impl ProofSearch {
    /// A search for a board, or nothing if the board is not of the kind it can search.
    pub(super) fn new(board: &Board) -> Option<Self> {
        if board.is_misere() {
            return None;
        }
        let masks = Masks::new(board)?;
        let random = random_words(board.cells());
        let change = |side: usize, cell: usize| {
            let mut change = [0; MOST_SYMMETRIES];
            // Fewer symmetries than eight: the last one fills the rest.
            for (number, word) in change.iter_mut().enumerate() {
                let map = &board.symmetries()[number.min(board.symmetries().len() - 1)];
                *word = random[map[cell] as usize][side];
            }
            change
        };
        let changes = [0, 1].map(|side| (0..board.cells()).map(|cell| change(side, cell)).collect());
        Some(Self { masks, changes, order: board.by_rows_through() })
    }

    fn keyed(&self, node: Node) -> Keyed {
        let mut keys = [0; MOST_SYMMETRIES];
        for (side, cells) in [(node.side, node.own), (1 - node.side, node.other)] {
            for cell in cells_of(cells) {
                std::iter::zip(&mut keys, &self.changes[side][cell]).for_each(|(key, change)| *key ^= change);
            }
        }
        Keyed { node, keys }
    }

    fn after(&self, from: &Keyed, cell: usize) -> Keyed {
        let Node { own, other, side } = from.node;
        let mut keys = from.keys;
        std::iter::zip(&mut keys, &self.changes[side][cell]).for_each(|(key, change)| *key ^= change);
        Keyed { node: Node { own: other, other: own | 1 << cell, side: 1 - side }, keys }
    }

    /// Whether the value for the side to move is at least `target`, which is 0 or 1. Nobody has completed
    /// a row. `visit` counts a node and fails if it is time to stop.
    pub(super) fn at_least(
        &self,
        node: Node,
        target: i32,
        table: &mut TranspositionTable,
        visit: &mut dyn FnMut(&TranspositionTable) -> Result<(), Stopped>,
    ) -> Result<bool, Stopped> {
        self.search(&self.keyed(node), target, table, visit)
    }

    fn search(
        &self,
        keyed: &Keyed,
        target: i32,
        table: &mut TranspositionTable,
        visit: &mut dyn FnMut(&TranspositionTable) -> Result<(), Stopped>,
    ) -> Result<bool, Stopped> {
        let Node { own, other, side } = keyed.node;
        let free = self.masks.all & !own & !other;
        // Step 1: what can be seen at once.
        let look = self.masks.look(own, other);
        if look.wins != 0 {
            return Ok(true);
        }
        if free == 0 {
            return Ok(target <= 0);
        }
        if !is_one_at_most(look.losses) || (look.live == 0 && target > 0) {
            return Ok(false);
        }
        if look.other_live == 0 && target <= 0 {
            return Ok(true);
        }
        // Step 2: what is known.
        let smallest = keyed.keys.iter().copied().min().unwrap_or(0);
        let key = smallest ^ (side as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let known = table.probe(key);
        if known.low >= target {
            return Ok(true);
        }
        if known.high < target {
            return Ok(false);
        }
        visit(table)?;
        // Step 3: proofs without a search, and the cells that are left to try.
        let left = free.count_ones() as usize;
        let mut candidates = if look.losses != 0 { look.losses } else { free };
        if let Some(answer) = self.proof(keyed.node, look.losses, target, &mut candidates) {
            table.store(key, left, answered(answer, target, known));
            return Ok(answer);
        }
        // Step 4: the moves, the most promising first.
        let mut moves = [(0, 0); 64];
        let moves = self.rank(keyed.node, candidates, &mut moves);
        let mut answer = false;
        for &(_, cell) in moves {
            // At least `target` for this side is less than `1 - target` for the other.
            if !self.search(&self.after(keyed, cell as usize), 1 - target, table, visit)? {
                answer = true;
                break;
            }
        }
        // Step 5: remember.
        table.store(key, left, answered(answer, target, known));
        Ok(answer)
    }

    /// The answer by forced wins and pairs of cells, if they give one; else takes cells that lose at once
    /// from the candidates.
    fn proof(&self, node: Node, losses: Cells, target: i32, candidates: &mut Cells) -> Option<bool> {
        let Node { own, other, .. } = node;
        if self.masks.forced_win(own, other, &mut { FORCED_WIN_NODES }).is_some() {
            return Some(true);
        }
        if target > 0 && self.masks.is_paired(own, other) {
            return Some(false);
        }
        if losses != 0 {
            return None;
        }
        if target <= 0 && self.masks.is_paired(other, own) {
            return Some(true);
        }
        // If the other side could win by force without this move, the move must do something about it.
        if let Some(threat) = self.masks.forced_win(other, own, &mut { FORCED_WIN_NODES }) {
            *candidates &= self.masks.defences(own, other, threat);
        }
        None
    }

    /// The candidates by promise; of the cells that no row can use any more only one.
    fn rank<'a>(&self, node: Node, candidates: Cells, moves: &'a mut [(i32, u8); 64]) -> &'a [(i32, u8)] {
        let orders = self.masks.orders(node.own, node.other);
        let (mut count, mut wasted) = (0, false);
        for &cell in &self.order {
            let order = orders[cell as usize];
            if candidates >> cell & 1 == 1 && (order > 0 || !wasted) {
                wasted |= order == 0;
                moves[count] = (order, cell);
                count += 1;
            }
        }
        moves[..count].sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        &moves[..count]
    }
}

fn answered(answer: bool, target: i32, known: Bounds) -> Bounds {
    if answer { Bounds { low: target, high: known.high } } else { Bounds { low: known.low, high: target - 1 } }
}

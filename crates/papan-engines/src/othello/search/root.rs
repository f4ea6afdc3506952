//! The root: its moves, the windows around the last value (aspiration search), and the line of best play.

use super::probcut::EXACT;
use super::pvs::{Aborted, FAST_EMPTIES};
use super::{Effort, Node, Searcher, Window};
use crate::common::bits::SetBits;
use crate::othello::board::{Board, NO_SQUARE};
use crate::othello::endgame::exact::exact_score;
use crate::othello::limits::Cancel;
use crate::othello::move_generation::Cpu;

/// A move of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RootMove {
    /// Where.
    pub square: u8,
    /// The board after it, or another root move's board that is a picture of it: what is known of one of them serves
    /// both.
    pub leads_to: Board,
    /// The last value that a search gave it: the value for the best move, a bound for the others.
    pub score: i32,
}

/// The moves of a root, best first once they have been searched.
pub(crate) struct Root {
    /// The position.
    pub node: Node,
    /// Its moves.
    pub moves: Vec<RootMove>,
    /// Bounds of the exact score that iterations without selectivity have proved, finished or not.
    pub proved: (i32, i32),
}

impl<C: Cpu> Searcher<'_, C> {
    /// Prepares a root. It has no moves if the side to move must pass or the game is over.
    pub(crate) fn root(&self, board: Board) -> Root {
        let node = self.node(board);
        let mut moves = Vec::<RootMove>::new();
        for square in SetBits(self.moves(board)) {
            let flips = self.cpu.flips(square, board.player, board.opponent);
            let child = node.after(self.places, square, flips);
            let pictures = self.endgame.shape.pictures(child.board);
            let symmetric = moves.iter().find(|earlier| pictures.contains(&earlier.leads_to));
            let leads_to = symmetric.map_or(child.board, |earlier| earlier.leads_to);
            moves.push(RootMove { square: square as u8, leads_to, score: -self.evaluate(&child) });
        }
        let cells = self.endgame.shape.playable().count_ones() as i32;
        let mut root = Root { node, moves, proved: (-cells, cells) };
        root.moves.sort_by_key(|one| -one.score);
        root
    }

    /// A node from nothing.
    pub(crate) fn node(&self, board: Board) -> Node {
        Node::new(board, self.endgame.shape)
    }

    /// Whether the root move that leads to `child` reaches an exact score, by one null window just below it: a value
    /// that is at least the score if so, and an upper bound below it if not.
    pub(crate) fn reaches(&self, root: &Root, child: Board, score: i32, nodes: &mut u64) -> Result<i32, Aborted> {
        let effort = Effort { depth: root.node.empties - 1, level: EXACT };
        let window = Window::above(score - 1).turned();
        Ok(-self.pvs(&self.node(child), window, effort, nodes, &Cancel::default())?)
    }

    /// One iteration in a window; moves up the best move. Fail-soft like every search here.
    fn iterate(&self, root: &mut Root, window: Window, effort: Effort, nodes: &mut u64) -> Result<i32, Aborted> {
        let Window { alpha, beta } = window;
        let exact = effort.level == EXACT && effort.depth == root.node.empties;
        let cancel = Cancel::default();
        let mut best = i32::MIN;
        for place in 0..root.moves.len() {
            let child = self.node(root.moves[place].leads_to);
            let low = alpha.max(best);
            let mut score = 0;
            if place > 0 {
                score = -self.pvs(&child, Window::above(low).turned(), effort.after_a_move(), nodes, &cancel)?;
            }
            if place == 0 || (score > low && score < beta) {
                let window = Window { alpha: low, beta };
                score = -self.pvs(&child, window.turned(), effort.after_a_move(), nodes, &cancel)?;
            }
            root.moves[place].score = score;
            if exact && score > low {
                root.proved.0 = root.proved.0.max(score);
                self.endgame.stop.tell_bounds(root.proved);
            }
            if score > best {
                best = score;
                // A score that fails low is only an upper bound: it says nothing for the move.
                if score > alpha {
                    root.moves[..=place].rotate_right(1);
                }
                if best >= beta {
                    break;
                }
            }
        }
        if exact && best < beta {
            root.proved.1 = root.proved.1.min(best);
            self.endgame.stop.tell_bounds(root.proved);
        }
        Ok(best)
    }

    /// Iterates with a window around `guess` that is widened until the value is inside it.
    pub(crate) fn aspiration_search(
        &self,
        root: &mut Root,
        guess: i32,
        effort: Effort,
        nodes: &mut u64,
    ) -> Result<i32, Aborted> {
        self.endgame.stop.tell_depth(effort.depth);
        let mut reach = if effort.level == EXACT && effort.depth == root.node.empties { 1 } else { 2 };
        let Window { alpha: least, beta: most } = Window::FULL;
        let (mut lower, mut upper) = (least, most);
        let mut guess = guess.clamp(lower, upper);
        loop {
            let (alpha, beta) = ((guess - reach).max(lower), (guess + reach).min(upper));
            let (alpha, beta) = if alpha >= beta { (lower.min(upper - 1), upper) } else { (alpha, beta) };
            let score = self.iterate(root, Window { alpha, beta }, effort, nodes)?;
            if score > alpha && score < beta {
                return Ok(score);
            }
            if score <= alpha {
                upper = score.max(least);
            } else {
                lower = score.min(most);
            }
            if lower >= upper || score <= least || score >= most {
                return Ok(score);
            }
            // The value is on the far side of the bound just found: look there first.
            guess = if score <= alpha { score - reach + 1 } else { score + reach - 1 };
            reach = (reach * 2).min(64);
        }
    }

    /// The score of a root without moves.
    pub(crate) fn without_moves(&self, board: Board) -> Option<i32> {
        let over = self.moves(board) == 0 && (!self.endgame.shape.passing() || self.moves(board.passed()) == 0);
        over.then(|| board.final_score(self.endgame.shape.empties(board).count_ones()))
    }

    /// A line of best play to the end: what the hash table holds, then, once few squares are empty, best moves found
    /// by solving. It may stop early if the table lost a position with many empties.
    pub(crate) fn line_to_the_end(&self, board: Board, first: u8) -> Vec<u8> {
        let mut line = self.principal_variation(board, first, 64);
        let mut now = board;
        for &square in &line {
            now = if self.moves(now) == 0 { now.passed() } else { now };
            now = now.after(u32::from(square), self.cpu.flips(u32::from(square), now.player, now.opponent));
        }
        while self.without_moves(now).is_none() && self.endgame.shape.empties(now).count_ones() <= FAST_EMPTIES {
            if self.endgame.stop.stopped() {
                break;
            }
            now = if self.moves(now) == 0 { now.passed() } else { now };
            let scored = SetBits(self.moves(now)).map(|square| {
                let child = now.after(square, self.cpu.flips(square, now.player, now.opponent));
                (exact_score(self.cpu, &self.endgame, &mut 0, child, 0), square, child)
            });
            let Some((_, square, child)) = scored.min_by_key(|&(score, _, _)| score) else { break };
            line.push(square as u8);
            now = child;
        }
        line
    }

    /// The line that the hash table holds, from a board on.
    pub(crate) fn principal_variation(&self, board: Board, first: u8, length: usize) -> Vec<u8> {
        let mut line = Vec::new();
        let (mut board, mut next) = (board, first);
        while next != NO_SQUARE && line.len() < length {
            let flips = self.cpu.flips(u32::from(next), board.player, board.opponent);
            if flips == 0 || self.moves(board) >> next & 1 == 0 {
                break;
            }
            line.push(next);
            board = board.after(u32::from(next), flips);
            if self.without_moves(board).is_some() {
                break;
            }
            if self.moves(board) == 0 {
                board = board.passed();
            }
            next = self.table.probe(board).map_or(NO_SQUARE, |entry| entry.moves[0]);
        }
        line
    }
}

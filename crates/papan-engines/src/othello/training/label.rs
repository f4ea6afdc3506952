//! Scores for positions of a game: exact near the end, before that a mixture of what a search says and of what
//! became of the game.
//!
//! From the end backwards the target of position t is `G(t) = (1 − λ)·v(t) + λ·(±G(t+1))`, where v is the value of
//! a search. Where the move that was played is a mistake, what became of the game says nothing about the position
//! before it, and `G(t) = v(t)`.

use super::sample::Sample;
use crate::othello::board::{Board, NO_SQUARE, Shape};
use crate::othello::cpu::Cpu;
use crate::othello::endgame::exact::exact_score;
use crate::othello::search::Searcher;
use crate::othello::search::pvs::Aborted;
use crate::othello::search::root::Effort;

/// How labels are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelOptions {
    /// Plies of the searches.
    pub depth: u32,
    /// Positions with at most so many empties are solved.
    pub exact_from: u32,
    /// λ: how much what became of the game counts against the search.
    pub trust: f32,
    /// A move that loses more than this many discs is a mistake.
    pub tolerance: i32,
}

impl Default for LabelOptions {
    fn default() -> Self {
        Self { depth: 4, exact_from: 14, trust: 0.85, tolerance: 1 }
    }
}

/// The value of a position by a search of some plies, with its best move.
pub fn search_value<C: Cpu>(searcher: &Searcher<'_, C>, board: Board, depth: u32) -> Result<(i32, u8), Aborted> {
    let mut root = searcher.root(board);
    if root.moves.is_empty() {
        return match searcher.without_moves(board) {
            Some(score) => Ok((score, NO_SQUARE)),
            None => search_value(searcher, board.passed(), depth).map(|(score, _)| (-score, NO_SQUARE)),
        };
    }
    let mut nodes = 0;
    let mut score = 0;
    for depth in [depth / 2, depth] {
        if depth > 0 {
            let effort = Effort { depth: depth.min(root.node.empties), level: 0 };
            score = searcher.aspiration_search(&mut root, score, (-65, 65), effort, &mut nodes)?;
        }
    }
    Ok((score, root.moves[0].square))
}

/// Samples of a game given as its boards, each with whether black is to move.
pub fn label_game<C: Cpu>(
    searcher: &Searcher<'_, C>,
    boards: &[(Board, bool)],
    options: LabelOptions,
    game: u32,
) -> Result<Vec<Sample>, Aborted> {
    let mut samples = Vec::with_capacity(boards.len());
    let mut later: Option<(f32, bool)> = None;
    for (place, &(board, black)) in boards.iter().enumerate().rev() {
        let empties = Shape::STANDARD.empties(board).count_ones();
        let came_of_it = later.map(|(target, side)| if side == black { target } else { -target });
        let target = if empties <= options.exact_from {
            let guess = came_of_it.map_or(0, |target| target as i32);
            exact_score(searcher.cpu, &searcher.endgame, &mut 0, board, guess) as f32
        } else {
            let (value, best) = search_value(searcher, board, options.depth)?;
            let next = boards.get(place + 1);
            match (came_of_it, next) {
                (Some(outcome), Some(&next)) if !mistake(searcher, (board, black), next, (value, best), options)? => {
                    (1.0 - options.trust) * value as f32 + options.trust * outcome
                }
                _ => value as f32,
            }
        };
        later = Some((target, black));
        if searcher.moves(board) != 0 {
            samples.push(Sample { board, score: target.round() as i8, game });
        }
    }
    Ok(samples)
}

/// Whether the move from one board to the next loses more than the tolerance, by searches to the same horizon.
fn mistake<C: Cpu>(
    searcher: &Searcher<'_, C>,
    (board, black): (Board, bool),
    (next, next_black): (Board, bool),
    (value, best): (i32, u8),
    options: LabelOptions,
) -> Result<bool, Aborted> {
    let placed = next.occupied() & !board.occupied();
    if best == NO_SQUARE || placed == 1 << best {
        return Ok(false);
    }
    let (reply, _) = search_value(searcher, next, options.depth - 1)?;
    let played = if next_black == black { reply } else { -reply };
    Ok(value - played > options.tolerance)
}

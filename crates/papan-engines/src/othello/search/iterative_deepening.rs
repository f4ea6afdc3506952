//! Iterative deepening (Slate and Atkin 1977): how a question is turned into searches, each deeper or less selective
//! than the one before, whose moves it tries first.

use super::probcut::{EXACT, PERCENT};
use super::pvs::Aborted;
use super::root::Root;
use super::{Effort, Question, Searcher, Window};
use crate::othello::answer::{Answer, Trust, Valued};
use crate::othello::board::{Board, NO_SQUARE};
use crate::othello::evaluation::weights::UNIT;
use crate::othello::limits::{Cancel, SearchLimits};
use crate::othello::move_generation::Cpu;
use std::time::{Duration, Instant};

/// The best move that can be found in what may be spent.
pub(crate) struct Think<'a> {
    pub board: Board,
    pub limits: SearchLimits<'a>,
    /// Hears of each finished iteration.
    pub told: &'a mut (dyn FnMut(&Answer) + Send),
}

/// A score for every move, best first, and the nodes it took: each is searched with a window of its own, and says how
/// far it was.
pub(crate) struct Analyse<'a> {
    pub board: Board,
    pub limits: SearchLimits<'a>,
}

/// What is known of the moves beside the best one, and the nodes it took: each is searched with the effort that was
/// spent on that one. Those for which there is no time are known to be no better if the answer is exact, and left out
/// if not.
pub(crate) struct Rate<'a> {
    pub board: Board,
    pub answer: &'a Answer,
}

impl Question for Think<'_> {
    type Answer = Answer;

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Answer {
        think(searcher, self.board, self.limits, self.told)
    }
}

/// With at most so many empties the end is tried as soon as a few plies have ordered the moves, with at most so
/// many after a dozen plies; else only once the depth comes near it.
const SOLVE_SOON: u32 = 21;
const SOLVE_LATER: u32 = 26;

/// The iterations of a search that goes as far as it may, from the cheapest.
fn efforts(empties: u32, limits: SearchLimits<'_>) -> Vec<Effort> {
    let limit = limits.depth.unwrap_or(u32::MAX);
    let to_the_end = limits.solve_from.map_or(limit >= empties, |from| empties <= from);
    let last = match empties {
        _ if !to_the_end => limit.min(empties),
        0..=SOLVE_SOON => empties.saturating_sub(10).clamp(1, 10),
        22..=SOLVE_LATER => 12,
        _ => empties - 8,
    };
    let mut list: Vec<Effort> = (1..=last.min(empties)).map(|depth| Effort { depth, level: 0 }).collect();
    if to_the_end {
        list.extend([0, 2, 3, 4, EXACT].map(|level| Effort { depth: empties, level }));
    }
    list
}

fn trust(effort: Effort, empties: u32) -> Trust {
    if effort.depth >= empties && effort.level == EXACT {
        Trust::Exact
    } else {
        Trust::Search { depth: effort.depth, percent: PERCENT[usize::from(effort.level)] }
    }
}

/// The answer for a side that must pass or whose game is over; `None` if it has moves.
fn without_moves<C: Cpu>(
    searcher: &Searcher<'_, C>,
    board: Board,
    limits: SearchLimits<'_>,
    told: &mut (dyn FnMut(&Answer) + Send),
) -> Option<Answer> {
    if searcher.moves(board) != 0 {
        return None;
    }
    if let Some(score) = searcher.without_moves(board) {
        return Some(Answer { best: NO_SQUARE, score, trust: Trust::Exact, nodes: 0, line: Vec::new() });
    }
    let other = think(searcher, board.passed(), limits, told);
    Some(Answer { best: NO_SQUARE, score: -other.score, ..other })
}

fn think<C: Cpu>(
    searcher: &Searcher<'_, C>,
    board: Board,
    limits: SearchLimits<'_>,
    told: &mut (dyn FnMut(&Answer) + Send),
) -> Answer {
    if let Some(answer) = without_moves(searcher, board, limits, told) {
        return answer;
    }
    let start = Instant::now();
    let mut root = searcher.root(board);
    let empties = root.node.empties;
    let mut nodes = 0;
    let mut answer = Answer {
        best: root.moves[0].square,
        score: root.moves[0].score / UNIT,
        trust: Trust::Search { depth: 1, percent: PERCENT[0] },
        nodes: 0,
        line: vec![root.moves[0].square],
    };
    for effort in efforts(empties, limits) {
        match searcher.aspiration_search(&mut root, answer.score, effort, &mut nodes) {
            Ok(score) => {
                let best = root.moves[0].square;
                let line = searcher.principal_variation(board, best, 60);
                let steady = best == answer.best && score >= answer.score - 1;
                answer = Answer { best, score, trust: trust(effort, empties), nodes, line };
                told(&answer);
                if limits.soft.is_some_and(|soft| enough(soft, start.elapsed(), steady, root.moves.len())) {
                    break;
                }
            }
            Err(Aborted) => {
                // What an unfinished iteration has moved to the front was proved to be better by its depth.
                let first = root.moves[0];
                if first.square != answer.best {
                    let percent = PERCENT[usize::from(effort.level)];
                    let trust = Trust::Search { depth: effort.depth, percent };
                    answer = Answer { best: first.square, score: first.score, trust, ..answer };
                }
                answer.nodes = nodes;
                break;
            }
        }
    }
    if answer.line.first() != Some(&answer.best) {
        answer.line = vec![answer.best];
    }
    answer
}

/// Whether to begin no further iteration, which would take longer than all before it. A move that is settled gets half
/// of the time meant for it; one that has just changed or lost value may take up to the limit; a forced one is played
/// at once.
fn enough(soft: Duration, spent: Duration, steady: bool, moves: usize) -> bool {
    moves == 1 || spent > if steady { soft / 2 } else { soft.mul_f64(1.2) }
}

impl Question for Analyse<'_> {
    type Answer = (Vec<Valued>, u64);

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> (Vec<Valued>, u64) {
        let root = searcher.root(self.board);
        let empties = root.node.empties;
        let mut nodes = 0;
        let first = Trust::Search { depth: 1, percent: PERCENT[0] };
        let valued = |square, score| Valued { square, score, trust: first, at_most: false };
        let mut moves: Vec<Valued> = root.moves.iter().map(|one| valued(one.square, one.score / UNIT)).collect();
        'deeper: for effort in efforts(empties, self.limits) {
            searcher.endgame.stop.tell_depth(effort.depth);
            for one in &mut moves {
                match value_of(searcher, &root, *one, effort, &mut nodes) {
                    Ok(score) => {
                        one.score = score;
                        one.trust = trust(effort, empties);
                    }
                    Err(Aborted) => break 'deeper,
                }
            }
            moves.sort_by_key(|one| -one.score);
        }
        moves.sort_by_key(|one| -one.score);
        (moves, nodes)
    }
}

/// The effort behind a score.
fn effort_of(trust: Trust, empties: u32) -> Effort {
    match trust {
        Trust::Exact => Effort { depth: empties, level: EXACT },
        Trust::Search { depth, percent } => {
            let level = PERCENT.iter().position(|&known| known == percent).unwrap_or(0);
            Effort { depth, level: level as u8 }
        }
    }
}

impl Question for Rate<'_> {
    type Answer = (Vec<Valued>, u64);

    fn answer<C: Cpu>(self, searcher: &Searcher<'_, C>) -> (Vec<Valued>, u64) {
        let answer = self.answer;
        let root = searcher.root(self.board);
        let effort = effort_of(answer.trust, root.node.empties);
        let exact = answer.trust == Trust::Exact;
        let others = root.moves.iter().filter(|one| one.square != answer.best);
        let mut rated: Vec<Valued> = others
            .map(|one| Valued { square: one.square, score: answer.score, trust: answer.trust, at_most: true })
            .collect();
        let mut nodes = 0;
        if exact && rate_ties(searcher, &root, &mut rated, answer.score, &mut nodes).is_err() {
            return (rated, nodes);
        }
        let mut valued = 0;
        for one in &mut rated {
            if one.at_most {
                let Ok(score) = value_of(searcher, &root, *one, effort, &mut nodes) else { break };
                (one.score, one.at_most) = (score, false);
            }
            valued += 1;
        }
        if !exact {
            // By the depth at which the answer was found no move is better; one that seems so is left out.
            rated.truncate(valued);
            rated.retain(|one| one.score <= answer.score);
        }
        (rated, nodes)
    }
}

/// Finds out which moves reach an exact score.
fn rate_ties<C: Cpu>(
    searcher: &Searcher<'_, C>,
    root: &Root,
    rated: &mut [Valued],
    score: i32,
    nodes: &mut u64,
) -> Result<(), Aborted> {
    for one in rated {
        let value = searcher.reaches(root, leads_to(root, one.square), score, nodes)?;
        (one.score, one.at_most) = if value >= score { (score, false) } else { (value, true) };
    }
    Ok(())
}

/// The board after a root move, or a picture of it.
fn leads_to(root: &Root, square: u8) -> Board {
    root.moves.iter().find(|known| known.square == square).map_or(root.node.board, |known| known.leads_to)
}

/// The value of one root move by a search of its own.
fn value_of<C: Cpu>(
    searcher: &Searcher<'_, C>,
    root: &Root,
    one: Valued,
    effort: Effort,
    nodes: &mut u64,
) -> Result<i32, Aborted> {
    let child = searcher.node(leads_to(root, one.square));
    let cancel = Cancel::default();
    let mut window = Window { alpha: one.score - 3, beta: one.score + 3 };
    loop {
        let score = -searcher.pvs(&child, window.turned(), effort.after_a_move(), nodes, &cancel)?;
        if score <= window.alpha && window.alpha > Window::FULL.alpha {
            window.alpha = Window::FULL.alpha;
        } else if score >= window.beta && window.beta < Window::FULL.beta {
            window.beta = Window::FULL.beta;
        } else {
            return Ok(score);
        }
    }
}

//! How a question is turned into iterations.

use super::board::{Board, NO_SQUARE};
use super::cpu::Cpu;
use super::engine::{Answer, Proof, SearchLimits, Trust, Valued};
use super::evaluation::weights::UNIT;
use super::search::Searcher;
use super::search::node::Node;
use super::search::probcut::{EXACT, PERCENT};
use super::search::pvs::Aborted;
use super::search::root::{Effort, Root};
use super::search::solve::Question;
use super::stop_condition::Cancel;
use std::time::{Duration, Instant};

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

/// The best move that can be found in what may be spent.
pub fn think<C: Cpu>(
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
        match searcher.aspiration_search(&mut root, answer.score, (-65, 65), effort, &mut nodes) {
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

/// A score for every move: each is searched with a window of its own, and says how far it was.
pub fn analyse<C: Cpu>(searcher: &Searcher<'_, C>, board: Board, limits: SearchLimits<'_>) -> (Vec<Valued>, u64) {
    let root = searcher.root(board);
    let empties = root.node.empties;
    let mut nodes = 0;
    let first = Trust::Search { depth: 1, percent: PERCENT[0] };
    let valued = |square, score| Valued { square, score, trust: first, at_most: false };
    let mut moves: Vec<Valued> = root.moves.iter().map(|one| valued(one.square, one.score / UNIT)).collect();
    'deeper: for effort in efforts(empties, limits) {
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

/// What is known of the moves beside the best one: each is searched with the effort that was spent on that one. Those
/// for which there is no time are known to be no better if the answer is exact, and left out if not.
pub fn rate<C: Cpu>(searcher: &Searcher<'_, C>, board: Board, answer: &Answer) -> (Vec<Valued>, u64) {
    let root = searcher.root(board);
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

/// Finds out which moves reach an exact score: one null window just below it for each.
fn rate_ties<C: Cpu>(
    searcher: &Searcher<'_, C>,
    root: &Root,
    rated: &mut [Valued],
    score: i32,
    nodes: &mut u64,
) -> Result<(), Aborted> {
    let cancel = Cancel::default();
    for one in rated {
        let child = Node::new(leads_to(root, one.square), searcher.endgame.shape);
        let value = -searcher.pvs(&child, -score, 1 - score, root.node.empties - 1, EXACT, nodes, &cancel)?;
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
    let child = Node::new(leads_to(root, one.square), searcher.endgame.shape);
    let cancel = Cancel::default();
    let (mut low, mut high) = (one.score - 3, one.score + 3);
    loop {
        let score = -searcher.pvs(&child, -high, -low, effort.depth - 1, effort.level, nodes, &cancel)?;
        if score <= low && low > -65 {
            low = -65;
        } else if score >= high && high < 65 {
            high = 65;
        } else {
            return Ok(score);
        }
    }
}

/// The exact score of a board, or its sign, with the best move or every best move.
pub fn prove<C: Cpu>(searcher: &Searcher<'_, C>, board: Board, question: Question, one_best: bool) -> Proof {
    if searcher.moves(board) == 0 {
        if let Some(score) = searcher.without_moves(board) {
            let score = in_bounds(score, question);
            return Proof { lower: score, upper: score, best: Vec::new(), complete: true, nodes: 0, line: Vec::new() };
        }
        let other = prove(searcher, board.passed(), question, true);
        return Proof { lower: -other.upper, upper: -other.lower, best: vec![NO_SQUARE], complete: true, ..other };
    }
    let mut root = searcher.root(board);
    let mut nodes = 0;
    match searcher.solve(&mut root, question, &mut nodes) {
        Ok(finding) => {
            let score = in_bounds(finding.score, question);
            let mut best = vec![finding.best];
            let complete = !one_best && other_best_moves(searcher, &root, score, &mut best, &mut nodes).is_ok();
            let line = searcher.line_to_the_end(board, finding.best);
            Proof { lower: score, upper: score, best, complete, nodes, line }
        }
        Err(Aborted) => {
            let (lower, upper) = (in_bounds(root.proved.0, question), in_bounds(root.proved.1, question));
            Proof { lower, upper, best: Vec::new(), complete: false, nodes, line: Vec::new() }
        }
    }
}

fn in_bounds(score: i32, question: Question) -> i32 {
    match question {
        Question::Score => score,
        Question::WinDrawLoss => score.signum(),
    }
}

/// Adds every other move that reaches the score: one null window just below it for each.
fn other_best_moves<C: Cpu>(
    searcher: &Searcher<'_, C>,
    root: &Root,
    score: i32,
    best: &mut Vec<u8>,
    nodes: &mut u64,
) -> Result<(), Aborted> {
    let cancel = Cancel::default();
    for one in &root.moves[1..] {
        let child = Node::new(one.leads_to, searcher.endgame.shape);
        let value = -searcher.pvs(&child, -score, 1 - score, root.node.empties - 1, EXACT, nodes, &cancel)?;
        if value >= score {
            best.push(one.square);
        }
    }
    Ok(())
}

//! Weaker players that err the way people do.

use super::board::{Board, Lines};
use super::candidates::{Candidate, Root, root};
use super::contract::contract;
use super::graph::MAX_LONE;
use super::player::{Choice, Limits, Player, Watch};
use super::playout::playout;
use super::solver::{Control, Solver, Value};
use crate::common::random::SplitMix;

/// The lowest level.
pub const LOWEST: u8 = 1;
/// The highest level, which is the strong player itself.
pub const HIGHEST: u8 = 10;
/// Playouts behind a decision to decline.
const PLAYOUTS: i32 = 8;
const TABLE_MEGABYTES: usize = 32;
/// Keeps the lower levels quick where a position is harder than its size suggests.
const MOST_NODES: u64 = 2_000_000;

/// What a level overlooks.
#[derive(Clone, Copy, Debug)]
struct Skill {
    /// How often, in percent, it does not see a box that can be taken.
    misses_box: usize,
    /// How often, in percent, it opens a chain although a safe line is left.
    opens_early: usize,
    /// Whether it may open any chain when it must, rather than the shortest.
    opens_any: bool,
    /// Whether it knows to leave the last two boxes of a chain, or four of a loop, to stay in control.
    declines: bool,
    /// It plays perfectly once so few links are left.
    sees_links: u8,
}

const fn skill(level: u8) -> Skill {
    let novice = Skill { misses_box: 0, opens_early: 0, opens_any: false, declines: false, sees_links: 0 };
    match level {
        0 | 1 => Skill { misses_box: 30, opens_early: 40, opens_any: true, ..novice },
        2 => Skill { misses_box: 14, opens_early: 20, opens_any: true, ..novice },
        3 => Skill { misses_box: 6, opens_early: 10, opens_any: true, ..novice },
        4 => novice,
        5 => Skill { declines: true, ..novice },
        6 => Skill { declines: true, sees_links: 9, ..novice },
        7 => Skill { declines: true, sees_links: 13, ..novice },
        8 => Skill { declines: true, sees_links: 17, ..novice },
        _ => Skill { declines: true, sees_links: 21, ..novice },
    }
}

/// A player of a given level.
pub struct LevelPlayer {
    level: u8,
    random: SplitMix,
    strong: Player,
    solver: Solver,
}

impl LevelPlayer {
    /// A player of level 1 to 10; other numbers are moved into that range.
    #[must_use]
    pub fn new(level: u8, seed: u64) -> Self {
        Self {
            level: level.clamp(LOWEST, HIGHEST),
            random: SplitMix::new(seed),
            strong: Player::new(TABLE_MEGABYTES, 1, seed),
            solver: Solver::new(TABLE_MEGABYTES, 1),
        }
    }

    /// The line to draw, or nothing if all are drawn.
    pub fn choose(&mut self, board: Board, drawn: Lines, limits: Limits, watch: Watch) -> Option<Choice> {
        if self.level == HIGHEST {
            return self.strong.choose(board, drawn, limits, watch);
        }
        let here = contract(board, drawn);
        if let Some(choice) = self.choose_perfectly(board, drawn, here.quiet.links(), limits) {
            return Some(choice);
        }
        let line = if here.quiet.joints() <= 25 && here.quiet.boxes() <= 36 {
            self.choose_humanly(board, drawn, &root::<25, 12>(board, drawn, &here))
        } else {
            self.choose_humanly(board, drawn, &root::<100, MAX_LONE>(board, drawn, &here))
        }?;
        Some(Choice::unrated(line))
    }

    /// The best line if so little is left that this level sees through it.
    fn choose_perfectly(&mut self, board: Board, drawn: Lines, links: u8, limits: Limits) -> Option<Choice> {
        if links > skill(self.level).sees_links {
            return None;
        }
        let before = self.solver.nodes();
        let deadline = limits.time.map(|time| std::time::Instant::now() + time / 2);
        let control = Control {
            stop: limits.stop,
            deadline,
            nodes: Some(before + limits.nodes.unwrap_or(MOST_NODES)),
            progress: None,
            told: limits.told,
        };
        let value = self.solver.value(board, drawn, &control).exact()?;
        let window = Value { low: value, high: value };
        let line = board
            .all()
            .without(drawn)
            .iter()
            .find(|&line| self.solver.value_of_move(board, drawn, line, window, &control).low >= value)?;
        Some(Choice::proven(line, value, self.solver.nodes() - before))
    }

    fn choose_humanly<const J: usize, const L: usize>(
        &mut self,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
    ) -> Option<usize> {
        let skill = skill(self.level);
        if root.offer.taken > 0 && !self.random.chance(skill.misses_box) {
            return self.take_or_decline(root);
        }
        // A box overlooked, or none to take: the lines that give nothing away, then the rest.
        let quiet: Vec<usize> = lines_by(board, drawn, |offered| offered <= i32::from(root.offer.taken));
        if !quiet.is_empty() && !self.random.chance(skill.opens_early) {
            return Some(quiet[self.random.roll(quiet.len())]);
        }
        let least = cheapest_opening(board, drawn, i32::from(root.offer.taken));
        let wanted = |offered: i32| skill.opens_any || Some(offered) == least;
        let mut opened = lines_by(board, drawn, wanted);
        if opened.is_empty() {
            opened = board.all().without(drawn).iter().collect();
        }
        (!opened.is_empty()).then(|| opened[self.random.roll(opened.len())])
    }

    /// Takes a box, or leaves the last ones of a region if the level knows that and it seems to pay.
    fn take_or_decline<const J: usize, const L: usize>(&mut self, root: &Root<J, L>) -> Option<usize> {
        if !skill(self.level).declines {
            return root.candidates.iter().find(|candidate| candidate.gained > 0).map(|candidate| candidate.lines[0]);
        }
        let sum: i32 = (0..PLAYOUTS).map(|_| playout(root.rest, &root.order, &mut self.random)).sum();
        let rest = sum.div_euclid(PLAYOUTS);
        let best = root.candidates.iter().max_by_key(|candidate: &&Candidate<J, L>| candidate.value(rest));
        best.map(|candidate| candidate.lines[0])
    }
}

/// What drawing a line offers to the opponent; nothing if it takes a box.
fn offered(board: Board, drawn: Lines, line: usize) -> Option<i32> {
    let takes = super::reference::completed(board, drawn, line) > 0;
    (!takes).then(|| i32::from(contract(board, drawn.with(line)).offer.taken))
}

fn lines_by(board: Board, drawn: Lines, wanted: impl Fn(i32) -> bool) -> Vec<usize> {
    let undrawn = board.all().without(drawn);
    undrawn.iter().filter(|&line| offered(board, drawn, line).is_some_and(&wanted)).collect()
}

fn cheapest_opening(board: Board, drawn: Lines, already: i32) -> Option<i32> {
    let undrawn = board.all().without(drawn);
    undrawn.iter().filter_map(|line| offered(board, drawn, line)).filter(|&offer| offer > already).min()
}

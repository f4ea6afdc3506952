//! Weaker players that err the way people do.

use super::board::{Board, Lines};
use super::candidates::{Candidate, Root, root};
use super::contract::contract;
use super::evaluation::playout;
use super::graph::MAX_LONE;
use super::iterative_deepening::SCALE;
use super::player::Player;
use super::reference::completed;
use crate::common::choice::{Choice, Rated, Watch};
use crate::common::deadline::{Control, Deadline};
use crate::common::levels::EngineSettings;
use crate::common::random::SplitMix;
use crate::common::solving::Bounds;
use papan_core::Budget;
use std::time::Instant;

/// Megabytes of the solver's table at full strength, and at a level.
const TABLE_MEGABYTES: [usize; 2] = [256, 32];
/// Playouts behind a decision to decline.
const PLAYOUTS: i32 = 8;
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

/// A player at full strength or of a level.
pub(super) struct LevelPlayer {
    skill: Option<Skill>,
    random: SplitMix,
    strong: Player,
}

impl LevelPlayer {
    pub(super) fn new(settings: EngineSettings) -> Self {
        let megabytes = TABLE_MEGABYTES[usize::from(settings.level.is_some())];
        Self {
            skill: settings.weaker().map(skill),
            random: SplitMix::new(settings.seed),
            strong: Player::new(megabytes, settings.seed),
        }
    }

    /// The line to draw, or nothing if all are drawn.
    pub(super) fn choose(&mut self, board: Board, drawn: Lines, budget: &Budget, watch: Watch) -> Option<Choice> {
        let Some(skill) = self.skill else { return self.strong.choose(board, drawn, budget, watch) };
        let here = contract(board, drawn);
        if here.quiet.links() <= skill.sees_links
            && let Some(choice) = self.choose_perfectly(board, drawn, budget)
        {
            return Some(choice);
        }
        let line = if here.quiet.joints() <= 25 && here.quiet.boxes() <= 36 {
            self.choose_humanly(skill, board, drawn, &root::<25, 12>(board, drawn, &here))
        } else {
            self.choose_humanly(skill, board, drawn, &root::<100, MAX_LONE>(board, drawn, &here))
        }?;
        Some(Choice::unrated(line))
    }

    /// The best line, if it is found in time.
    fn choose_perfectly(&mut self, board: Board, drawn: Lines, budget: &Budget) -> Option<Choice> {
        let solver = &mut self.strong.solver;
        let before = solver.nodes();
        let deadline = Deadline::of(budget, budget.time.map(|time| Instant::now() + time / 2));
        let control = Control::from(deadline).up_to(before + budget.nodes.unwrap_or(MOST_NODES));
        let value = solver.value(board, drawn, &control).exact()?;
        let window = Bounds::exactly(value);
        let is_best = |line: &usize| solver.value_of_move(board, drawn, *line, window, &control).low >= value;
        let line = board.all().without(drawn).iter().find(is_best)?;
        let (value, nodes) = (value * SCALE, solver.nodes() - before);
        Some(Choice { mv: line, value, exact: true, depth: 0, nodes, rated: vec![Rated::exact(line, value)] })
    }

    fn choose_humanly<const J: usize, const L: usize>(
        &mut self,
        skill: Skill,
        board: Board,
        drawn: Lines,
        root: &Root<J, L>,
    ) -> Option<usize> {
        if root.offer.taken > 0 && !self.random.chance(skill.misses_box) {
            return self.take_or_decline(skill, root);
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
    fn take_or_decline<const J: usize, const L: usize>(&mut self, skill: Skill, root: &Root<J, L>) -> Option<usize> {
        if !skill.declines {
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
    let takes = completed(board, drawn, line) > 0;
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

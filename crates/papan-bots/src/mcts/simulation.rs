//! One simulation, and what all of them together say.

use std::cmp::Reverse;

use papan_core::observer::{LeafReason, Visit};
use papan_core::{
    Decision, Exactness, Margin, Meter, MoveValue, Observer, Player, Position, Random, Score, Window, playout,
};

use super::arena::{Arena, ROOT, Reward};

/// What counts in a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// Winning: outcomes are 1, 0 and −1.
    Win {
        /// The game knows no other margins, so a proved win is the margin.
        margins_are_wins: bool,
    },
    /// The margin, which is within plus or minus `bound`.
    Margin { bound: i32 },
}

impl Goal {
    /// No outcome is beyond plus or minus this.
    pub(super) fn bound(self) -> i32 {
        match self {
            Self::Win { .. } => 1,
            Self::Margin { bound } => bound,
        }
    }

    #[inline(always)]
    fn outcome(self, margin: Margin) -> Margin {
        match self {
            Self::Win { .. } => Margin(margin.0.signum()),
            Self::Margin { .. } => margin,
        }
    }

    /// Estimates are shown in thousandths of a win, or as margins.
    fn shown(self, reward: Reward) -> Score {
        let unit = match self {
            Self::Win { .. } => 1000,
            Self::Margin { bound } => bound,
        };
        Score((reward.0 * f64::from(unit)).round() as i32)
    }

    /// How a proved outcome relates to the margin.
    fn exactness(self, outcome: Score) -> Exactness {
        match self {
            Self::Win { margins_are_wins: false } if outcome > Score(0) => Exactness::AtLeast,
            Self::Win { margins_are_wins: false } if outcome < Score(0) => Exactness::AtMost,
            _ => Exactness::Exact,
        }
    }
}

/// The running search.
pub(super) struct Simulation<'a, P: Position, O> {
    pub(super) root: P,
    pub(super) goal: Goal,
    pub(super) exploration: f64,
    /// No node deeper than this gets children.
    pub(super) deepest: u32,
    pub(super) arena: &'a mut Arena<P::Move>,
    pub(super) random: &'a mut Random,
    pub(super) meter: Meter,
    pub(super) observer: &'a mut O,
    /// The nodes of the current descent, each with its player to move.
    pub(super) path: Vec<(u32, Player)>,
}

impl<P: Position, O: Observer<P>> Simulation<'_, P, O> {
    /// Runs one simulation; false, and nothing learnt, if the budget is spent.
    pub(super) fn run(&mut self) -> bool {
        // 1. Descend to a node without children, giving it some on its second visit.
        let mut position = self.root;
        let mut number = ROOT;
        self.path.clear();
        loop {
            if self.meter.visit() {
                return false;
            }
            let ply = self.path.len() as u32;
            self.path.push((number, position.to_move()));
            if self.observer.is_active() {
                let mv = (number != ROOT).then(|| self.arena.node(number).mv);
                self.observer.enter(&Visit { position: &position, mv, ply, window: Window::FULL });
            }
            let node = self.arena.node(number);
            if !node.has_children() {
                let is_new = node.visits == 0;
                if is_new || ply >= self.deepest || !self.arena.expand(number, position.legal_moves(), ply) {
                    break;
                }
            }
            number = self.select(number, position.to_move());
            position = position.after(self.arena.node(number).mv);
        }
        // 2. The outcome: proved if the game is over, else from a random game.
        let is_over = position.is_over();
        let end = if is_over { position } else { playout(position, self.random) };
        let outcome = self.goal.outcome(end.margin());
        if self.observer.is_active() {
            let reason = if is_over { LeafReason::Over } else { LeafReason::Horizon };
            self.observer.leaf(outcome.for_player(position.to_move()), reason);
        }
        // 3. Carry it back up.
        self.back_up(outcome);
        if is_over {
            self.arena.set_solved(number, outcome);
            self.prove_upwards();
        }
        true
    }

    /// The child with the highest upper confidence bound; a random one of the
    /// unvisited before all others. Children that cannot beat what is already
    /// proved are left out; an unsolved node always has another.
    fn select(&mut self, number: u32, mover: Player) -> u32 {
        let node = self.arena.node(number);
        let proved = node.bounds(mover).lower;
        let children = node.children();
        let log_visits = f64::from(node.visits.max(1)).ln();
        let mut best = (children.start, f64::NEG_INFINITY);
        let mut unvisited = 0;
        for child in children {
            let node = self.arena.node(child);
            if node.bounds(mover).upper <= proved {
                continue;
            }
            if node.visits == 0 {
                // Each of the unvisited replaces the last with equal chances.
                unvisited += 1;
                if unvisited == 1 || self.random.below(unvisited) == 0 {
                    best = (child, f64::INFINITY);
                }
            } else if unvisited == 0 {
                let bonus = self.exploration * (log_visits / f64::from(node.visits)).sqrt();
                let value = node.mean(mover).0 + bonus;
                if value > best.1 {
                    best = (child, value);
                }
            }
        }
        best.0
    }

    fn back_up(&mut self, outcome: Margin) {
        let reward = self.reward(outcome.for_player(Player::First));
        for &(number, mover) in self.path.iter().rev() {
            self.arena.add_visit(number, reward);
            if self.observer.is_active() {
                self.observer.exit(mover, outcome.for_player(mover));
            }
        }
    }

    /// Takes a newly proved outcome up the path as far as it tells anything.
    fn prove_upwards(&mut self) {
        for &(number, mover) in self.path.iter().rev().skip(1) {
            if !self.arena.update_bounds(number, mover) {
                break;
            }
        }
    }

    /// The move to play: the most visited that may still beat what is proved,
    /// unless a proved one is at least as good as its mean.
    pub(super) fn best_child(&self) -> u32 {
        let mover = self.root.to_move();
        let root = self.arena.node(ROOT);
        let proved = root.bounds(mover).lower;
        let by_visits = |&child: &u32| (self.arena.node(child).visits, Reverse(child));
        let open =
            root.children().filter(|&child| self.arena.node(child).bounds(mover).upper > proved).max_by_key(by_visits);
        let sure = root
            .children()
            .filter(|&child| self.arena.node(child).bounds(mover).lower == proved)
            .max_by_key(by_visits)
            .expect("a bound comes from a child");
        let Some(open) = open else { return sure };
        let node = self.arena.node(open);
        let is_better = node.visits > 0 && node.mean(mover) > self.reward(proved);
        // The lowest possible bound is no proof of anything worth having.
        if is_better || proved.0 == -self.goal.bound() { open } else { sure }
    }

    /// The share of wins, or the margin, that a child promises.
    pub(super) fn estimate(&self, child: u32) -> Score {
        let mover = self.root.to_move();
        let node = self.arena.node(child);
        self.goal.shown(if node.is_solved() {
            self.reward(node.bounds(mover).lower)
        } else if node.visits > 0 {
            node.mean(mover)
        } else {
            Reward(0.0)
        })
    }

    /// Each root move with its visits and its mean for the player to move.
    pub(super) fn root_visits(&self) -> impl Iterator<Item = (P::Move, u64, f64)> + '_ {
        let mover = self.root.to_move();
        self.arena.node(ROOT).children().map(move |child| {
            let node = self.arena.node(child);
            let mean = if node.visits > 0 { node.mean(mover).0 } else { 0.0 };
            (node.mv, u64::from(node.visits), mean)
        })
    }

    #[inline(always)]
    fn reward(&self, outcome: Score) -> Reward {
        Reward(f64::from(outcome.0) / f64::from(self.goal.bound()))
    }

    /// What all simulations say. A solved root is answered in outcomes, with
    /// bounds for the moves that did not need to be solved; any other in
    /// estimates, of the moves that were tried nearly as often as the best.
    pub(super) fn decision(&self) -> Decision<P::Move> {
        let root = self.arena.node(ROOT);
        let best = self.best_child();
        let visits = |child: u32| self.arena.node(child).visits;
        let enough = |&child: &u32| visits(child) > 0 && (root.is_solved() || visits(child) >= visits(best) / 2);
        let mut children: Vec<_> = root.children().filter(enough).collect();
        children.sort_by_key(|&child| (child != best, Reverse(visits(child))));
        let mut per_move: Vec<_> = children.into_iter().filter_map(|child| self.move_value(child)).collect();
        per_move.sort_by_key(|value| Reverse(value.score));
        let mv = self.arena.node(best).mv;
        let unknown = MoveValue { mv, score: self.estimate(best), exactness: Exactness::Estimate };
        let chosen = self.move_value(best).unwrap_or(unknown);
        Decision {
            mv,
            score: chosen.score,
            exactness: chosen.exactness,
            depth: self.arena.depth(),
            nodes: self.meter.nodes(),
            pv: self.line(best),
            per_move,
        }
    }

    /// What is known of a child's value; nothing if that tells nothing of the
    /// margin.
    fn move_value(&self, child: u32) -> Option<MoveValue<P::Move>> {
        let node = self.arena.node(child);
        let bounds = node.bounds(self.root.to_move());
        let (score, exactness) = if !self.arena.node(ROOT).is_solved() {
            (self.estimate(child), Exactness::Estimate)
        } else if node.is_solved() {
            (bounds.lower, self.goal.exactness(bounds.lower))
        } else if bounds.upper.0 > 0 && matches!(self.goal, Goal::Win { margins_are_wins: false }) {
            // Perhaps a win, by whatever margin.
            return None;
        } else {
            // Only what cannot beat the solution is left unsolved.
            (bounds.upper, Exactness::AtMost)
        };
        Some(MoveValue { mv: node.mv, score, exactness })
    }

    /// The expected line that begins with the root's child `first`: the most
    /// visited moves, those with the proved outcome where there is one.
    fn line(&self, first: u32) -> Vec<P::Move> {
        let mut position = self.root;
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(number) = next {
            let node = self.arena.node(number);
            line.push(node.mv);
            position = position.after(node.mv);
            let mover = position.to_move();
            let fits = |child: u32| {
                !node.is_solved() || self.arena.node(child).bounds(mover).lower == node.bounds(mover).lower
            };
            next = node
                .children()
                .filter(|&child| self.arena.node(child).visits > 0 && fits(child))
                .max_by_key(|&child| (self.arena.node(child).visits, Reverse(child)));
        }
        line
    }
}

//! Plans: sequences of moves that annealing and the genetic search improve.
//!
//! A plan holds the moves of one player, or of both in turn. It is played from
//! the root by the rules; a move that is not legal when its turn comes is
//! replaced by a random legal one, so that a plan is legal in any game,
//! whoever moves again or has to pass.

use papan_core::observer::Redrawn;
use papan_core::{Evaluation, Meter, MoveSet as _, OptionSpec, Player, Position, Random, Score, Settings, Text};

use crate::common::{choice, integer, value_of};

/// Where the opponent's moves come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Replies {
    /// The opponent takes what looks best for itself one ply ahead.
    Greedy,
    /// The plan names them too, as in the report: they then help its maker.
    Planned,
}

/// How plans are made, from the options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanShape {
    length: usize,
    replies: Replies,
}

impl PlanShape {
    pub(crate) fn options() -> [OptionSpec; 2] {
        [
            integer("length", 1..=200, Some(4), Text::new("Moves in a plan.", "Banyaknya langkah dalam satu rencana.")),
            choice(
                "replies",
                &["greedy", "planned"],
                Text::new(
                    "How the opponent answers within a plan. greedy: with what looks best for it; planned: with moves of the plan itself, which then assumes a helpful opponent.",
                    "Cara lawan membalas dalam rencana. greedy: dengan yang tampak terbaik baginya; planned: dengan langkah dari rencana itu sendiri, yang berarti lawan dianggap membantu.",
                ),
            ),
        ]
    }

    pub(crate) fn from_settings(settings: &Settings) -> Self {
        Self {
            length: settings.integer("length") as usize,
            replies: if settings.choice("replies") == "planned" { Replies::Planned } else { Replies::Greedy },
        }
    }

    /// Plans no longer than `depth` moves.
    pub(crate) fn capped(self, depth: Option<u32>) -> Self {
        let most = depth.map_or(usize::MAX, |depth| depth.max(1) as usize);
        Self { length: self.length.min(most), ..self }
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }
}

/// Which moves of a plan are drawn anew while it is played.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Redraw {
    /// Only illegal ones.
    Illegal,
    /// Also the one at this place.
    At(usize),
    /// Also each with this chance.
    Chance(f64),
}

/// Plays plans from one root.
pub(crate) struct Planner<'a, P: Position> {
    pub(crate) root: P,
    pub(crate) eval: &'a Evaluation<P>,
    pub(crate) shape: PlanShape,
    pub(crate) random: &'a mut Random,
    pub(crate) meter: Meter,
    /// Where to note the places of a plan that are drawn anew, if anyone asks.
    pub(crate) redrawn: Option<Vec<(u32, Redrawn)>>,
}

impl<P: Position> Planner<'_, P> {
    fn chair(&self) -> Player {
        self.root.to_move()
    }

    /// Plays `plan`, makes it legal and complete, and gives the value for the
    /// player to move at the root; `None` if the budget ran out on the way.
    pub(crate) fn play(&mut self, plan: &mut Vec<P::Move>, redraw: Redraw) -> Option<Score> {
        let (end, ply) = self.follow(plan, redraw, &mut |_| {})?;
        Some(value_of(self.eval, &end, self.chair(), ply))
    }

    /// The line that `plan` leads to, answers included.
    pub(crate) fn line(&mut self, plan: &[P::Move]) -> Vec<P::Move> {
        let mut line = Vec::new();
        // The line was played before, so it is cheap and must not be cut short.
        self.meter = papan_core::Budget::unlimited().start();
        self.follow(&mut plan.to_vec(), Redraw::Illegal, &mut |mv| line.push(mv));
        line
    }

    fn follow(&mut self, plan: &mut Vec<P::Move>, redraw: Redraw, each: &mut impl FnMut(P::Move)) -> Option<(P, u32)> {
        let mut position = self.root;
        let mut ply = 0;
        let mut used = 0;
        loop {
            let moves = position.legal_moves();
            let is_planned = self.shape.replies == Replies::Planned || position.to_move() == self.chair();
            if moves.is_empty() || (is_planned && used == self.shape.length) {
                break;
            }
            let mv = if is_planned {
                used += 1;
                self.planned_move(plan, used - 1, moves, redraw)
            } else {
                self.greedy_reply(&position, moves, ply)?
            };
            if self.meter.visit() {
                return None;
            }
            each(mv);
            position = position.after(mv);
            ply += 1;
        }
        plan.truncate(used);
        Some((position, ply))
    }

    fn planned_move(&mut self, plan: &mut Vec<P::Move>, place: usize, moves: P::Moves, redraw: Redraw) -> P::Move {
        let is_redrawn = match redraw {
            Redraw::Illegal => false,
            Redraw::At(at) => at == place,
            Redraw::Chance(chance) => self.random.unit() < chance,
        };
        match plan.get(place) {
            Some(&mv) if !is_redrawn && moves.contains(mv) => mv,
            known => {
                let is_known = known.is_some();
                if let Some(redrawn) = &mut self.redrawn {
                    let why = match (is_known, is_redrawn) {
                        (false, _) => Redrawn::Added,
                        (true, true) => Redrawn::Mutated,
                        (true, false) => Redrawn::Repaired,
                    };
                    redrawn.push((place as u32, why));
                }
                let mv = moves.pick(self.random.bits()).expect("the game is not over");
                if is_known {
                    plan[place] = mv;
                } else {
                    plan.push(mv);
                }
                mv
            }
        }
    }

    /// The first best move one ply ahead for the player to move.
    fn greedy_reply(&mut self, position: &P, moves: P::Moves, ply: u32) -> Option<P::Move> {
        let chair = position.to_move();
        let mut best: Option<(P::Move, Score)> = None;
        for mv in moves {
            if self.meter.visit() {
                return None;
            }
            let score = value_of(self.eval, &position.after(mv), chair, ply + 1);
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((mv, score));
            }
        }
        best.map(|(mv, _)| mv)
    }
}

//! Whether the opponent's replies can be foreseen.
//!
//! Many programs look a fixed number of plies ahead, count the settled marks there, and take the first of
//! the moves that look best. On filling boards such a player is a function of the empty cells. Each reply
//! in a game is compared with what these players would have done; one that was right again and again will
//! be right about the next reply too.

use super::earnings::{earned, first_earned_of, last_left, last_left_after, two_left};
use crate::adjacency::rule::{Four, Rule};
use crate::common::bits::SetBits;

pub(super) const INFINITE: i32 = 1_000;
/// The deepest look-ahead that is tried.
const DEEPEST: u32 = 4;
/// Replies that must have been foreseen before a habit is trusted.
const LEAST_HITS: u32 = 3;
/// Foreseen replies that make up for one that was not.
const HITS_FOR_A_MISS: u32 = 6;

/// A player who looks `depth` plies ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Habit {
    depth: u32,
    /// Whether each depth begins with the moves in the order that the last depth left; otherwise there is one
    /// depth, and the first of the best cells is taken.
    deepens: bool,
}

impl Habit {
    /// A habit.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn new(depth: u32, deepens: bool) -> Self {
        Self { depth, deepens }
    }

    /// The habits that are looked for.
    fn all() -> impl Iterator<Item = Self> {
        let deepening = (2..=DEEPEST).map(|depth| Self { depth, deepens: true });
        deepening.chain((1..=DEEPEST).map(|depth| Self { depth, deepens: false }))
    }

    /// The move on a set with at least one cell.
    #[must_use]
    pub(crate) fn reply(self, empty: u64) -> u32 {
        let last = last_left::<Four>(empty);
        let mut moves: Vec<(i32, u32)> = SetBits(empty).map(|cell| (0, cell)).collect();
        for depth in if self.deepens { 1 } else { self.depth }..=self.depth {
            let (mut best, mut best_score) = (0, -INFINITE);
            for (index, (score, cell)) in moves.iter_mut().enumerate() {
                let earned = earned::<Four>(last, *cell);
                *score = earned - look_ahead::<Four>(empty & !(1 << *cell), depth - 1, -INFINITE, earned - best_score);
                if *score > best_score {
                    (best, best_score) = (index, *score);
                }
            }
            // Scores of other moves are upper bounds: the best stays first among equals.
            moves[..=best].rotate_right(1);
            moves.sort_by_key(|&(score, _)| -score);
        }
        moves[0].1
    }
}

/// What the side to move earns more than the other in so many plies. Fail-soft, cells in their order: the bounds
/// are to be those of any plain alpha-beta, for the next depth may begin in their order.
pub(super) fn look_ahead<R: Rule>(empty: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if empty == 0 || depth == 0 {
        return 0;
    }
    let last = last_left::<R>(empty);
    if depth == 1 {
        return first_earned_of::<R>(last, empty, beta);
    }
    let two = two_left::<R>(empty);
    let mut best = -INFINITE;
    for cell in SetBits(empty) {
        let earned = earned::<R>(last, cell);
        let next = empty & !(1 << cell);
        // Most of the time is spent here, one ply before the last.
        let reply = if depth == 2 {
            first_earned_of::<R>(last_left_after::<R>(last, two, cell), next, earned - alpha)
        } else {
            look_ahead::<R>(next, depth - 1, earned - beta, earned - alpha)
        };
        best = best.max(earned - reply);
        alpha = alpha.max(best);
        if best >= beta {
            break;
        }
    }
    best
}

/// What the game so far says about the opponent.
pub(crate) struct Habits {
    /// Each habit with the replies that it foresaw and those that it did not.
    tried: Vec<(Habit, u32, u32)>,
    /// The empty cells after the own last move.
    left: Option<u64>,
}

impl Default for Habits {
    fn default() -> Self {
        Self { tried: Habit::all().map(|habit| (habit, 0, 0)).collect(), left: None }
    }
}

impl Habits {
    /// Takes note of the opponent's reply, if this is the position after one.
    pub(crate) fn observe(&mut self, empty: u64) {
        let Some(before) = self.left.take() else { return };
        let played = before & !empty;
        if empty & !before != 0 || played.count_ones() != 1 {
            return;
        }
        for (habit, hits, misses) in &mut self.tried {
            // What was wrong about half of the replies costs time for nothing.
            if *misses <= *hits + 1 {
                let hit = habit.reply(before) == played.trailing_zeros();
                *hits += u32::from(hit);
                *misses += u32::from(!hit);
            }
        }
    }

    /// Takes note of the own move.
    pub(crate) fn moved(&mut self, empty: u64, cell: u32) {
        self.left = Some(empty & !(1 << cell));
    }

    /// The habit that foresaw the opponent's replies, if there is one. Far from the end most habits reply alike;
    /// of equals the one that looks furthest is taken, since a plan against it does least harm if it is wrong.
    #[must_use]
    pub(crate) fn trusted(&self) -> Option<Habit> {
        let proved = |&&(_, hits, misses): &&(Habit, u32, u32)| hits >= LEAST_HITS.max(HITS_FOR_A_MISS * misses);
        self.tried
            .iter()
            .filter(proved)
            .max_by_key(|&&(habit, hits, misses)| (hits, u32::MAX - misses, habit.depth, habit.deepens))
            .map(|tried| tried.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjacency::reference::{SplitMix, random_board};

    fn plain(empty: u64, depth: u32) -> i32 {
        let last = last_left::<Four>(empty);
        let value = |cell| earned::<Four>(last, cell) - plain(empty & !(1 << cell), depth - 1);
        if depth == 0 { 0 } else { SetBits(empty).map(value).max().unwrap_or(0) }
    }

    fn sets(number: u32) -> Vec<u64> {
        let mut random = SplitMix::new(6);
        let board = |index| random_board(&mut random, 3 + index % 12, false);
        (0..number).map(board).map(|(own, opp)| !(own | opp)).collect()
    }

    #[test]
    fn a_reply_is_the_first_best_by_plain_minimax() {
        for empty in sets(60) {
            for habit in Habit::all() {
                let last = last_left::<Four>(empty);
                let value = |cell| earned::<Four>(last, cell) - plain(empty & !(1 << cell), habit.depth - 1);
                let best = SetBits(empty).map(value).max().expect("there is a cell");
                let reply = habit.reply(empty);
                assert_eq!(value(reply), best);
                if !habit.deepens {
                    assert_eq!(SetBits(empty).find(|&cell| value(cell) == best), Some(reply));
                }
            }
        }
    }

    #[test]
    fn of_habits_that_reply_alike_the_one_that_looks_furthest_is_trusted() {
        let mut habits = Habits::default();
        for _ in 0..LEAST_HITS {
            // One cell is left, so that every habit is right.
            habits.left = Some(1);
            habits.observe(0);
        }
        assert_eq!(habits.trusted(), Some(Habit::new(DEEPEST, true)));
    }

    #[test]
    fn a_habit_is_found_by_its_replies_and_lost_with_them() {
        for habit in Habit::all() {
            let mut habits = Habits::default();
            for empty in sets(40) {
                let reply = habit.reply(empty);
                habits.left = Some(empty);
                habits.observe(empty & !(1 << reply));
            }
            // Another habit may have replied in the same way throughout.
            let found = habits.trusted().expect("forty replies were foreseen");
            assert!(sets(40).into_iter().all(|empty| found.reply(empty) == habit.reply(empty)));
            for empty in sets(40) {
                habits.left = Some(empty);
                let worst = SetBits(empty).find(|&cell| cell != habit.reply(empty)).expect("there are three cells");
                habits.observe(empty & !(1 << worst));
            }
            assert_ne!(habits.trusted(), Some(habit));
        }
    }
}

//! Values on the moves that a bot left out: one that sees a win may look at
//! nothing else, but whoever analyses wants to know what every move is worth.

use std::time::Duration;

use papan_core::table::{Choice, ChoiceValue, Table, TableBot};
use papan_core::{Budget, Exactness, seen_by};

/// All left-out moves together get this part of the time, each within these
/// limits.
const PART: u32 = 2;
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(100);

/// Adds a value for every legal move that `choice` has none for, by asking
/// `bot` about the position after it. Ends early once the budget is stopped.
pub(crate) fn every_move(bot: &mut dyn TableBot, table: &dyn Table, choice: &mut Choice, budget: &Budget) {
    let valued = |choice: &Choice, mv: &String| choice.per_move.iter().any(|line| line.mv == *mv);
    let missing: Vec<_> = table.legal_moves().into_iter().filter(|mv| !valued(choice, mv)).collect();
    if choice.per_move.is_empty() || missing.is_empty() {
        // A bot that values no move at all, such as a random one, has no values to add to.
        return;
    }
    let time = budget.time.map_or(LONGEST, |time| (time / PART / missing.len() as u32).clamp(SHORTEST, LONGEST));
    for mv in missing {
        if budget.stop.is_stopped() {
            return;
        }
        let Budget { stop, progress, .. } = budget.clone();
        let budget = Budget { stop, progress, ..Budget::time(time) };
        choice.per_move.extend(value_of(bot, table, mv, &budget));
    }
    choice.per_move.sort_by_key(|line| std::cmp::Reverse(line.value));
}

/// The value of one move for whoever makes it.
fn value_of(bot: &mut dyn TableBot, table: &dyn Table, mv: String, budget: &Budget) -> Option<ChoiceValue> {
    let mut after = table.fork();
    after.play(&mv).ok()?;
    let (value, exactness) = if after.is_over() {
        (after.margin().for_player(after.to_move()), Exactness::Exact)
    } else {
        let reply = bot.choose(&*after, budget);
        (reply.score, reply.exactness)
    };
    let (from, to) = (after.to_move(), table.to_move());
    let exactness = if from == to { exactness } else { turned(exactness) };
    Some(ChoiceValue { mv, value: seen_by(value, from, to), exactness })
}

/// What is known of a value once its sign has changed.
const fn turned(exactness: Exactness) -> Exactness {
    match exactness {
        Exactness::AtLeast => Exactness::AtMost,
        Exactness::AtMost => Exactness::AtLeast,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster;

    /// The values of all moves by `spec`, completed from its first choice.
    fn completed(game: &str, position: &str, spec: &str) -> Vec<(String, i32, Exactness)> {
        let table = roster::table(game, Some(position)).unwrap();
        let mut bot = roster::bot(game, spec).unwrap();
        let budget = Budget { every_move: true, ..Budget::default() };
        let mut choice = bot.choose(&*table, &budget);
        choice.per_move.retain(|line| line.mv == choice.mv);
        every_move(&mut *bot, &*table, &mut choice, &budget);
        assert_eq!(choice.per_move.len(), table.legal_moves().len());
        assert!(choice.per_move.is_sorted_by_key(|line| std::cmp::Reverse(line.value)));
        choice.per_move.into_iter().map(|line| (line.mv, line.value.0, line.exactness)).collect()
    }

    #[test]
    fn a_win_in_sight_leaves_no_move_without_its_value() {
        let values = completed("tic-tac-toe", "XO./.../... X", "engine");
        let exact = |mv: &str| values.iter().find(|line| line.0 == mv).map(|line| (line.1, line.2)).unwrap();
        assert_eq!(exact("a2"), (1, Exactness::Exact));
        assert_eq!(exact("c3"), (0, Exactness::Exact));
    }

    #[test]
    fn a_mover_who_goes_on_keeps_the_sign() {
        // v0,1 takes the last box but one, and then the other: both for the mover.
        let values = completed("dots-and-boxes:rows=1,cols=2", "1x2 1111 100 1 0-0", "engine");
        assert_eq!(values[0].1, 2, "{values:?}");
        assert!(values.iter().all(|line| line.2 == Exactness::Exact), "{values:?}");
    }
}

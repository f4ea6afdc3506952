//! How play would go on after the best moves, as the bot that valued them
//! sees it.

use std::time::Duration;

use papan_core::table::{Table, TableBot};
use papan_core::{Budget, StopToken};
use papan_roster::advice::Analysis;

/// So many of the best moves are followed, so far, thinking so long a ply:
/// under a second in all.
const LINES: usize = 3;
const PLIES: usize = 8;
const TIME: Duration = Duration::from_millis(40);

/// Tells `tell` of the line after each of the best moves, best first: those
/// that are called best, then those of which more than a bound is known. Ends
/// early once `stop` is set.
pub(crate) fn follow(
    bot: &mut dyn TableBot,
    table: &dyn Table,
    analysis: &Analysis,
    stop: &StopToken,
    mut tell: impl FnMut(Vec<String>),
) {
    let valued = analysis.moves.iter().filter(|line| line.readable.value.is_some() && line.readable.bound.is_none());
    let others = valued.map(|line| &line.mv).filter(|mv| !analysis.best.contains(mv));
    for mv in analysis.best.iter().chain(others).take(LINES) {
        let begun = if analysis.pv.first() == Some(mv) { &analysis.pv[..] } else { &[] };
        let line = line_after(bot, table, mv, begun, stop);
        if stop.is_stopped() {
            return;
        }
        tell(line);
    }
}

/// The line that begins with `mv`, or with `begun` where that is longer.
fn line_after(bot: &mut dyn TableBot, table: &dyn Table, mv: &str, begun: &[String], stop: &StopToken) -> Vec<String> {
    let mut table = table.fork();
    let before = table.ply();
    let first = [mv.to_owned()];
    for mv in if begun.is_empty() { &first } else { begun } {
        if table.play(mv).is_err() {
            break;
        }
    }
    while table.ply() < before + PLIES && !table.is_over() && !stop.is_stopped() {
        let budget = Budget { stop: stop.clone(), ..Budget::time(TIME) };
        let next = bot.choose(&*table, &budget).mv;
        if table.play(&next).is_err() {
            break;
        }
    }
    table.moves().split_off(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster;

    #[test]
    fn lines_begin_with_the_best_moves_and_can_be_played() {
        let mut table = roster::table("tic-tac-toe", None).unwrap();
        table.play("a1").unwrap();
        let mut bot = roster::bot("tic-tac-toe", "alpha-beta:values=all").unwrap();
        let choice = bot.choose(&*table, &Budget::default());
        let analysis = Analysis::of_choice(&*table, "alpha-beta", &choice);
        let mut lines = Vec::new();
        follow(&mut *bot, &*table, &analysis, &StopToken::new(), |line| lines.push(line));
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0][0], choice.mv);
        for line in &lines {
            let mut replay = table.fork();
            assert!(line.iter().all(|mv| replay.play(mv).is_ok()), "{line:?}");
            assert!(replay.is_over() || line.len() == PLIES);
        }
        let stop = StopToken::new();
        stop.stop();
        follow(&mut *bot, &*table, &analysis, &stop, |line| panic!("{line:?} after the stop"));
    }
}

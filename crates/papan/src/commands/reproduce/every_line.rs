//! A bot against every possible play of its opponent.

use papan_arena::statistics::WinCounts;
use papan_core::table::{Table, TableBot};
use papan_core::{Budget, Player};

use crate::error::CliError;

/// All games of a bot on one side.
#[derive(Default)]
pub(super) struct EveryLine {
    /// From the bot's side.
    pub(super) counts: WinCounts,
    /// The moves of the first of the shortest games that it lost.
    pub(super) lost: Option<Vec<String>>,
}

/// Plays `bot` as first and as second player against every line. The bot must
/// be deterministic.
pub(super) fn every_line(game: &str, bot: &str) -> Result<[EveryLine; 2], CliError> {
    let mut table = papan_roster::table(game, None)?;
    let mut bot = papan_roster::bot(&table.spec(), bot)?;
    Ok(Player::BOTH.map(|side| {
        let mut found = EveryLine::default();
        play_all(&mut *table, &mut *bot, side, &mut found);
        found
    }))
}

fn play_all(table: &mut dyn Table, bot: &mut dyn TableBot, side: Player, found: &mut EveryLine) {
    if table.is_over() {
        return count(table, side, found);
    }
    let moves =
        if table.to_move() == side { vec![bot.choose(table, &Budget::unlimited()).mv] } else { table.legal_moves() };
    for mv in moves {
        table.play(&mv).expect("a listed or chosen move is legal");
        play_all(table, bot, side, found);
        table.undo();
    }
}

fn count(table: &dyn Table, side: Player, found: &mut EveryLine) {
    match table.margin().leader() {
        None => found.counts.draws += 1,
        Some(winner) if winner == side => found.counts.wins += 1,
        Some(_) => {
            found.counts.losses += 1;
            if found.lost.as_ref().is_none_or(|shortest| table.ply() < shortest.len()) {
                found.lost = Some(table.moves());
            }
        }
    }
}

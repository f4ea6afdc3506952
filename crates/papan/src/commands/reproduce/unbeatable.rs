//! A bot against every possible play of its opponent.

use papan_arena::statistics::WinCounts;
use papan_core::table::{Table, TableBot};
use papan_core::{Budget, Player};

use crate::error::CliError;

/// Plays `bot` as first and as second player against every line; counts the
/// games from the bot's side. The bot must be deterministic.
pub(super) fn every_line(game: &str, bot: &str) -> Result<[WinCounts; 2], CliError> {
    let mut table = papan_roster::table(game, None)?;
    let mut bot = papan_roster::bot(&table.spec(), bot)?;
    Ok(Player::BOTH.map(|chair| {
        let mut counts = WinCounts::default();
        play_all(&mut *table, &mut *bot, chair, &mut counts);
        counts
    }))
}

fn play_all(table: &mut dyn Table, bot: &mut dyn TableBot, chair: Player, counts: &mut WinCounts) {
    if table.is_over() {
        match table.margin().leader() {
            None => counts.draws += 1,
            Some(winner) if winner == chair => counts.wins += 1,
            Some(_) => counts.losses += 1,
        }
        return;
    }
    let moves =
        if table.to_move() == chair { vec![bot.choose(table, &Budget::unlimited()).mv] } else { table.legal_moves() };
    for mv in moves {
        table.play(&mv).expect("a listed or chosen move is legal");
        play_all(table, bot, chair, counts);
        table.undo();
    }
}

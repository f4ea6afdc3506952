//! The door to the roster: everything the server knows of games and bots.

use papan_core::table::{Table, TableBot};
use papan_core::{BotInfo, GameInfo, OptionKind, ParseError};
use papan_roster::CheckedBot;
use serde::Serialize;

use crate::caps;
use crate::error::ApiError;
use crate::record::{self, FormatInfo};

/// A game with everyone who can play it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CatalogGame {
    #[serde(flatten)]
    info: GameInfo,
    bots: Vec<BotInfo>,
    /// How many levels the game's engine has, if it has one.
    engine_levels: Option<i64>,
    /// What its games can be saved as.
    formats: Vec<FormatInfo>,
}

/// Every game.
pub(crate) fn catalog() -> Vec<CatalogGame> {
    papan_roster::games()
        .into_iter()
        .map(|info| {
            let bots = bots(info.name);
            let engine_levels = bots.iter().find(|bot| bot.name == ENGINE).and_then(levels);
            let formats = record::formats(info.name);
            CatalogGame { info, bots, engine_levels, formats }
        })
        .collect()
}

const ENGINE: &str = "engine";
/// Programs of the user's: anyone who reaches the page could start them.
const OUTSIDE: &str = "exec";

fn levels(engine: &BotInfo) -> Option<i64> {
    engine.options.iter().find(|option| option.name == "level").and_then(|option| match option.kind {
        OptionKind::Integer { max, .. } => Some(max),
        _ => None,
    })
}

fn bots(game: &str) -> Vec<BotInfo> {
    let mut bots = papan_roster::bots(game).unwrap_or_default();
    bots.retain(|bot| bot.name != OUTSIDE);
    bots.into_iter().map(caps::within).collect()
}

/// A fresh table.
pub(crate) fn table(game: &str, position: Option<&str>) -> Result<Box<dyn Table>, ParseError> {
    papan_roster::table(game, position)
}

/// How many positions a short look at the position on `table` visits.
pub(crate) fn look_nodes(table: &dyn Table) -> u64 {
    papan_roster::look_nodes(table)
}

/// Checks that a bot may play on this server; none is made.
pub(crate) fn check(game: &str, spec: &str) -> Result<CheckedBot, ApiError> {
    let name = spec.split(':').next().unwrap_or_default().trim();
    if name.eq_ignore_ascii_case(OUTSIDE) {
        return Err(ApiError::outside_bot());
    }
    let checked = papan_roster::check_bot(game, spec)?;
    caps::check(&checked)?;
    Ok(checked)
}

/// A bot that may play on this server, to be made where it thinks.
pub(crate) fn bot(game: &str, spec: &str) -> Result<Box<dyn TableBot>, ApiError> {
    check(game, spec)?;
    Ok(papan_roster::bot(game, spec)?)
}

/// Does the bot choose in a moment, whatever its options?
pub(crate) fn is_light(spec: &str) -> bool {
    let name = spec.split(':').next().unwrap_or_default().trim();
    ["random", "greedy"].iter().any(|light| light.eq_ignore_ascii_case(name))
}

/// Makes every engine once, so that what they lay out once for all games does
/// not cost the first player a tenth of a second.
pub(crate) fn warm_up() {
    for game in papan_roster::games() {
        // A game without an engine has nothing to lay out.
        drop(papan_roster::bot(game.name, ENGINE));
    }
}

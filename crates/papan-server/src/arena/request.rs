//! A tournament as the page asks for it: the keys of a tournament file.

use papan_arena::pairing::Format;
use papan_arena::tournament::{Entrant, OpeningPlan, Setup, TournamentFile, choose_openings};
use papan_core::table::Table;
use papan_core::{Budget, StopToken};
use papan_roster::advice::adviser;

use crate::error::ApiError;
use crate::roster;

/// Games of one tournament at most.
const MOST_GAMES: usize = 20_000;

/// Bots of one tournament at most.
const MOST_ENTRANTS: usize = 64;

/// Balanced openings of one tournament at most; with more pairs of games they
/// come again.
const MOST_BALANCED: usize = 500;

/// Positions that the judge of balanced openings visits for each.
const JUDGE_NODES: u64 = 20_000;

/// Checks sizes first, then every name, and only then chooses the openings,
/// for as long as `stop` lets it. Programs of the user's play in the arena of
/// the command line, not here.
pub(super) fn setup(file: &TournamentFile, stop: &StopToken) -> Result<Setup, ApiError> {
    let format = sized(file)?;
    let start = roster::table(&file.game, None)?;
    let game = start.spec();
    if file.folder.is_some() || file.entrants.iter().any(|entrant| is_outside(&entrant.bot)) {
        return Err(ApiError::outside_bot());
    }
    let entrants = named(&game, &file.entrants)?;
    let openings = openings(file, format, &*start, stop)?;
    Ok(Setup {
        name: file.name.clone(),
        game,
        format,
        games: file.games,
        seed: file.seed,
        entrants,
        openings,
        rules: file.rules.clone(),
    })
}

/// How they meet, if there are not too many of them.
pub(super) fn sized(file: &TournamentFile) -> Result<Format, ApiError> {
    let entrants = file.entrants.len();
    if entrants > MOST_ENTRANTS {
        return Err(ApiError::bad_tournament(&format!("{entrants} bots, expected {MOST_ENTRANTS} at most")));
    }
    let format = file.format(entrants).map_err(|error| ApiError::bad_tournament(&error))?;
    let games = format.meetings(entrants).saturating_mul(file.games);
    if games > MOST_GAMES {
        return Err(ApiError::bad_tournament(&format!("{games} games, expected {MOST_GAMES} at most")));
    }
    Ok(format)
}

/// Every bot checked, and told apart by name.
fn named(game: &str, entrants: &[Entrant]) -> Result<Vec<Entrant>, ApiError> {
    let current = |entrant: &Entrant| entrant.clone().renamed(&papan_roster::current_spec);
    let mut entrants: Vec<_> = entrants.iter().map(current).collect();
    for index in 0..entrants.len() {
        roster::check(game, &entrants[index].bot)?;
        let twin = entrants[..index].iter().filter(|other| other.bot == entrants[index].bot).count();
        if entrants[..index].iter().any(|other| other.name == entrants[index].name) {
            entrants[index].name += &format!(" ({})", twin + 1);
        }
    }
    Ok(entrants)
}

fn openings(
    file: &TournamentFile,
    format: Format,
    start: &dyn Table,
    stop: &StopToken,
) -> Result<Vec<Vec<String>>, ApiError> {
    let most = if matches!(file.openings, OpeningPlan::Balanced { .. }) { MOST_BALANCED } else { MOST_GAMES };
    let needed = file.openings_needed(format, file.entrants.len()).min(most);
    let judge = |table: &dyn Table| judge(table, stop);
    let chosen = choose_openings(&file.openings, start, needed, file.seed, &judge);
    // What was judged after the stop is worth nothing.
    if stop.is_stopped() {
        return Err(ApiError::busy());
    }
    chosen.map_err(|error| ApiError::bad_tournament(&error))
}

fn is_outside(bot: &str) -> bool {
    ["exec", "exec-simple", "program"].contains(&bot.split(':').next().unwrap_or_default().trim())
}

fn judge(table: &dyn Table, stop: &StopToken) -> i32 {
    if stop.is_stopped() {
        return 0;
    }
    let game = table.spec();
    let bot = roster::bot(&game, &adviser(&game)).ok();
    let budget = Budget { nodes: Some(JUDGE_NODES), stop: stop.clone(), ..Budget::default() };
    bot.map_or(0, |mut bot| bot.choose(table, &budget).score.0)
}

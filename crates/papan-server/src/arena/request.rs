//! A tournament as the page asks for it: the keys of a tournament file.

use papan_arena::tournament::{Entrant, Setup, TournamentFile, choose_openings};
use papan_core::Budget;
use papan_core::table::Table;
use papan_roster::advice::adviser;

use crate::error::ApiError;
use crate::roster;

/// Games of one tournament at most.
const MOST_GAMES: usize = 20_000;

/// Positions that the judge of balanced openings visits for each.
const JUDGE_NODES: u64 = 20_000;

/// Checks every name and chooses the openings. Programs of the user's play in
/// the arena of the command line, not here.
pub(super) fn setup(file: &TournamentFile) -> Result<Setup, ApiError> {
    let start = roster::table(&file.game, None)?;
    let game = start.spec();
    if file.folder.is_some() || file.entrants.iter().any(|entrant| is_outside(&entrant.bot)) {
        return Err(ApiError::outside_bot());
    }
    let current = |entrant: &Entrant| entrant.clone().renamed(&papan_roster::current_spec);
    let mut entrants: Vec<_> = file.entrants.iter().map(current).collect();
    for index in 0..entrants.len() {
        roster::bot(&game, &entrants[index].bot)?;
        let twin = entrants[..index].iter().filter(|other| other.bot == entrants[index].bot).count();
        if entrants[..index].iter().any(|other| other.name == entrants[index].name) {
            entrants[index].name += &format!(" ({})", twin + 1);
        }
    }
    let format = file.format(entrants.len()).map_err(|error| ApiError::bad_tournament(&error))?;
    let needed = file.openings_needed(format, entrants.len());
    let judge = |table: &dyn Table| judge(&game, table);
    let openings = choose_openings(&file.openings, &*start, needed.min(MOST_GAMES), file.seed, &judge)
        .map_err(|error| ApiError::bad_tournament(&error))?;
    let setup = Setup {
        name: file.name.clone(),
        game: game.clone(),
        format,
        games: file.games,
        seed: file.seed,
        entrants,
        openings,
        rules: file.rules.clone(),
    };
    if setup.expected_games() > MOST_GAMES {
        let what = format!("{} games, expected {MOST_GAMES} at most", setup.expected_games());
        return Err(ApiError::bad_tournament(&what));
    }
    Ok(setup)
}

fn is_outside(bot: &str) -> bool {
    ["exec", "exec-simple", "program"].contains(&bot.split(':').next().unwrap_or_default().trim())
}

fn judge(game: &str, table: &dyn Table) -> i32 {
    let bot = roster::bot(game, &adviser(game)).ok();
    let budget = Budget { nodes: Some(JUDGE_NODES), ..Budget::default() };
    bot.map_or(0, |mut bot| bot.choose(table, &budget).score.0)
}

//! `papan bots`: who can be played against.

use papan_core::BotInfo;
use serde::Serialize;

use super::games::options_table;
use crate::cli::BotsArgs;
use crate::error::CliError;
use crate::output;

/// A game's bots: what `--json` prints.
#[derive(Serialize)]
struct GameBots {
    game: &'static str,
    bots: Vec<BotInfo>,
}

pub(crate) fn run(args: &BotsArgs) -> Result<(), CliError> {
    let games: Vec<GameBots> = match &args.game {
        Some(spec) => vec![of_game(papan_roster::table(spec, None)?.info().name)?],
        None => papan_roster::games().iter().map(|info| of_game(info.name)).collect::<Result<_, _>>()?,
    };
    if args.json {
        return Ok(output::json(&games)?);
    }
    output::text(&words(&games))?;
    Ok(())
}

fn of_game(game: &'static str) -> Result<GameBots, CliError> {
    Ok(GameBots { game, bots: papan_roster::bots(game)? })
}

/// Bots that are the same for every game are described once.
fn words(games: &[GameBots]) -> String {
    let (shared, own): (Vec<&BotInfo>, Vec<&BotInfo>) = games[0]
        .bots
        .iter()
        .partition(|bot| games.iter().all(|game| game.bots.iter().any(|other| other.name == bot.name)));
    let mut text = String::new();
    if games.len() > 1 {
        for bot in shared {
            text += &describe(bot, games);
        }
        for game in games {
            text += &format!("Only for {}:\n\n", game.game);
            let named = |bot: &&BotInfo| games.iter().any(|other| other.bots.iter().all(|b| b.name != bot.name));
            for bot in game.bots.iter().filter(named) {
                text += &describe(bot, std::slice::from_ref(game));
            }
        }
    } else {
        for bot in shared.into_iter().chain(own) {
            text += &describe(bot, games);
        }
    }
    text
}

/// Name, sentence and options. Choices that depend on the game are given for
/// each.
fn describe(bot: &BotInfo, games: &[GameBots]) -> String {
    let mut text = format!("{}\n  {}\n{}", bot.name, bot.about.en, options_table(&bot.options));
    for game in games {
        let Some(theirs) = game.bots.iter().find(|other| other.name == bot.name) else { continue };
        for (option, their) in bot.options.iter().zip(&theirs.options) {
            if option.kind != their.kind {
                text += &format!("    {} for {}: {}\n", their.name, game.game, their.kind.range());
            }
        }
    }
    text + "\n"
}

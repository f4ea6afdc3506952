//! `papan engine`: a bot of ours as an outside program.

use std::io;

use papan_arena::engine::{Workshop, serve};

use super::analyse::default_bot;
use crate::cli::EngineArgs;
use crate::error::CliError;

pub(crate) fn run(args: &EngineArgs) -> Result<(), CliError> {
    let start = papan_roster::table(&args.game, None)?;
    let bot = args.bot.clone().unwrap_or_else(|| default_bot(&start.spec()));
    papan_roster::bot(&start.spec(), &bot)?;
    let workshop = Workshop {
        name: format!("Papan {bot}"),
        games: vec![start.info().name.to_owned()],
        table: &|game, position| papan_roster::table(game, Some(position)),
        bot: &|game| papan_roster::bot(game, &bot),
    };
    let input = io::BufReader::new(io::stdin());
    Ok(serve(input, &mut io::stdout().lock(), &workshop)?)
}

//! `papan engine`: a bot of ours as an outside program.

use std::io;

use papan_arena::engine::{Workshop, serve};

use crate::cli::EngineArgs;
use crate::error::CliError;

pub(crate) fn run(args: &EngineArgs) -> Result<(), CliError> {
    let start = papan_roster::table(&args.game, None)?;
    papan_roster::bot(&start.spec(), &args.bot)?;
    let workshop = Workshop {
        name: format!("Papan {}", args.bot),
        games: vec![start.info().name.to_owned()],
        table: &|game, position| papan_roster::table(game, Some(position)),
        bot: &|game| papan_roster::bot(game, &args.bot),
    };
    let input = io::BufReader::new(io::stdin());
    Ok(serve(input, &mut io::stdout().lock(), &workshop)?)
}

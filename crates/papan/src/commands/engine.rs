//! `papan engine`: a bot of ours as an outside program.

use std::io;

use papan_arena::engine::{Workshop, serve};
use papan_engines::othello::{DEFAULT_MEGABYTES, Engine};
use papan_roster::advice::adviser;

use super::{all_cores, read_time};
use crate::cli::{EngineArgs, Protocol};
use crate::error::CliError;
use crate::protocols::{gtp, nboard};

pub(crate) fn run(args: &EngineArgs) -> Result<(), CliError> {
    match args.protocol {
        Protocol::Papan => own_protocol(args),
        Protocol::Nboard | Protocol::Gtp => othello_protocol(args),
    }
}

fn own_protocol(args: &EngineArgs) -> Result<(), CliError> {
    if args.time.is_some() || args.threads.is_some() {
        let message = "--time and --threads are for the protocols nboard and gtp; the papan protocol sends the time";
        return Err(CliError::Usage(message.to_owned()));
    }
    let start = papan_roster::table(&args.game, None)?;
    let bot = args.bot.clone().unwrap_or_else(|| adviser(&start.spec()));
    papan_roster::check_bot(&start.spec(), &bot)?;
    let workshop = Workshop {
        name: format!("Papan {bot}"),
        games: vec![start.info().name.to_owned()],
        table: &|game, position| papan_roster::table(game, Some(position)),
        bot: &|game| papan_roster::bot(game, &bot),
    };
    let input = io::BufReader::new(io::stdin());
    Ok(serve(input, &mut io::stdout().lock(), &workshop)?)
}

/// NBoard and GTP set the board themselves, and only Othello's engine speaks them.
fn othello_protocol(args: &EngineArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, None)?;
    if table.spec() != "othello" {
        let message = format!("--protocol nboard and gtp are for othello, not {}", table.spec());
        return Err(CliError::Usage(message));
    }
    if let Some(bot) = args.bot.as_deref().filter(|&bot| bot != "engine") {
        let message = format!("--protocol nboard and gtp are spoken by engine alone, not by {bot}");
        return Err(CliError::Usage(message));
    }
    let time = args.time.as_deref().map(read_time).transpose()?;
    let mut engine = Engine::new(DEFAULT_MEGABYTES, args.threads.map_or_else(all_cores, usize::from));
    let input = io::BufReader::new(io::stdin());
    let output = io::stdout().lock();
    match args.protocol {
        Protocol::Gtp => gtp::run(&mut engine, time, input, output)?,
        _ => nboard::run(&mut engine, time, input, output)?,
    }
    Ok(())
}

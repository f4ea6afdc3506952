//! `papan analyse`: every move with its value, best first.

use std::time::Instant;

use papan_core::{Budget, Spec};
use papan_roster::advice::{Analysis, adviser};

use super::analysis::words;
use super::read_time;
use crate::cli::AnalyseArgs;
use crate::error::CliError;
use crate::{interrupt, output, progress};

pub(crate) fn run(args: &AnalyseArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    let spec = table.spec();
    let bot_spec = args.bot.clone().unwrap_or_else(|| adviser(&spec));
    let mut bot = papan_roster::bot(&spec, &bot_spec)?;
    // A bot that is named searches as it plays, so that its counts are those of `papan tree`.
    let is_engine = |bot: &String| Spec::split(bot).name.eq_ignore_ascii_case("engine");
    let every_move = args.bot.as_ref().is_none_or(is_engine);
    let stop = interrupt::token();
    let budget =
        Budget { time: time_limit(args)?, depth: args.depth, every_move, stop: stop.clone(), ..Budget::default() };
    let started = Instant::now();
    let mut analysis = if table.is_over() {
        Analysis::blank(&*table, &bot_spec)
    } else {
        let (choice, tally) = progress::shown(|progress| {
            let budget = Budget { progress: progress.clone(), ..budget };
            bot.choose_tallied(&*table, &budget)
        });
        let (leaves, cuts) = (Some(tally.leaves()), Some(tally.cuts));
        Analysis { leaves, cuts, ..Analysis::of_choice(&*table, &bot_spec, &choice) }
    };
    analysis.seconds = started.elapsed().as_secs_f64();
    if args.json {
        output::json(&analysis)?;
    } else {
        output::text(&words(&analysis))?;
    }
    if stop.is_stopped() {
        return Err(CliError::Interrupted("stopped; what was found by then is shown".to_owned()));
    }
    Ok(())
}

/// Five seconds, unless a time or a depth is given. A bot that is named keeps
/// its own limits.
fn time_limit(args: &AnalyseArgs) -> Result<Option<std::time::Duration>, CliError> {
    match &args.time {
        Some(time) => Ok(Some(read_time(time)?)),
        None if args.depth.is_some() || args.bot.is_some() => Ok(None),
        None => Ok(Some(std::time::Duration::from_secs(5))),
    }
}

//! `papan analyse`: every move with its value, best first.

use std::time::Instant;

use papan_core::table::{Choice, Table, readable_value};
use papan_core::{Budget, Exactness};

use super::analysis::{Analysis, MoveLine, finished, words};
use super::read_time;
use crate::cli::AnalyseArgs;
use crate::error::CliError;
use crate::{output, progress};

pub(crate) fn run(args: &AnalyseArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    let spec = table.spec();
    let bot_spec = args.bot.clone().unwrap_or_else(|| default_bot(&spec));
    let mut bot = papan_roster::bot(&spec, &bot_spec)?;
    let every_move = args.bot.as_ref().is_none_or(|bot| bot.starts_with("engine"));
    let budget = Budget { time: time_limit(args)?, depth: args.depth, every_move, ..Budget::default() };
    let started = Instant::now();
    let analysis = if table.is_over() {
        finished(&*table, bot_spec)
    } else {
        let (choice, tally) = progress::shown(|progress| {
            let budget = Budget { progress: progress.clone(), ..budget };
            bot.choose_tallied(&*table, &budget)
        });
        let mut analysis = analysis(&*table, bot_spec, choice);
        (analysis.leaves, analysis.cuts) = (Some(tally.leaves()), Some(tally.cuts));
        analysis.seconds = started.elapsed().as_secs_f64();
        analysis
    };
    if args.json {
        return Ok(output::json(&analysis)?);
    }
    Ok(output::text(&words(&analysis))?)
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

/// The strongest bot that values every move.
pub(super) fn default_bot(game: &str) -> String {
    let engine = papan_roster::bot(game, "engine").is_ok();
    if engine { "engine".to_owned() } else { "alpha-beta:order=evaluation,table=64".to_owned() }
}

fn analysis(table: &dyn Table, bot: String, choice: Choice) -> Analysis {
    let exact = choice.exactness == Exactness::Exact;
    let mut moves: Vec<MoveLine> =
        choice.per_move.iter().map(|line| MoveLine::new(table, line.mv.clone(), line.value, line.exactness)).collect();
    for mv in table.legal_moves() {
        if moves.iter().all(|line| line.mv != mv) {
            moves.push(MoveLine { mv, value: None, exact: false, bound: None });
        }
    }
    let value = readable_value(table, choice.score, choice.exactness);
    let settled = moves.iter().all(|line| line.value.is_some() && (line.bound.is_none() || line.value < Some(value)));
    let mut best: Vec<String> = moves
        .iter()
        .filter(|line| line.bound.is_none() && line.value == Some(value))
        .map(|line| line.mv.clone())
        .collect();
    if !best.contains(&choice.mv) {
        best.insert(0, choice.mv.clone());
    }
    Analysis {
        game: table.spec(),
        position: table.position(),
        to_move: Some(table.to_move()),
        value: Some(value),
        final_margin: (exact && table.values_to_come()).then_some(choice.score.0),
        exact,
        best,
        best_complete: settled,
        moves,
        nodes: choice.nodes,
        leaves: None,
        cuts: None,
        seconds: 0.0,
        depth: choice.depth,
        pv: choice.pv,
        bot,
        insights: papan_roster::insights(&table.spec(), &table.position()).unwrap_or_default(),
    }
}

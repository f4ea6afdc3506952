//! `papan analyse`: every move with its value, best first.

use std::time::Instant;

use papan_core::table::{Choice, Table};
use papan_core::{Budget, Exactness, Player, Score};
use serde::Serialize;

use super::read_time;
use crate::cli::AnalyseArgs;
use crate::error::CliError;
use crate::output;

/// What `--json` prints. Values are for the player to move: margins at the end
/// of the game where exact, the bot's own unit where not.
#[derive(Serialize)]
struct Analysis {
    game: String,
    position: String,
    to_move: Option<Player>,
    value: Option<i32>,
    /// The whole margin, where values are of the points still to come.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    final_margin: Option<i32>,
    exact: bool,
    best: Vec<String>,
    best_complete: bool,
    moves: Vec<MoveLine>,
    nodes: u64,
    leaves: u64,
    cuts: u64,
    seconds: f64,
    depth: u32,
    pv: Vec<String>,
    bot: String,
}

#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    /// `None` where the bot says nothing of this move.
    value: Option<i32>,
    exact: bool,
    /// `at_most` or `at_least` where the value is only a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
}

pub(crate) fn run(args: &AnalyseArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    let spec = table.spec();
    let bot_spec = args.bot.clone().unwrap_or_else(|| default_bot(&spec));
    let mut bot = papan_roster::bot(&spec, &bot_spec)?;
    let budget = Budget { time: time_limit(args)?, depth: args.depth, ..Budget::default() };
    let started = Instant::now();
    let analysis = if table.is_over() {
        finished(&*table, bot_spec)
    } else {
        let (choice, tally) = bot.choose_tallied(&*table, &budget);
        let mut analysis = analysis(&*table, bot_spec, choice);
        (analysis.leaves, analysis.cuts) = (tally.leaves(), tally.cuts);
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
fn default_bot(game: &str) -> String {
    let engine = papan_roster::bot(game, "engine").is_ok();
    if engine { "engine".to_owned() } else { "alpha-beta:values=all,order=captures,table=64".to_owned() }
}

/// A score in the units that people read: decided games as margins, points to
/// come where the game counts so.
fn readable(table: &dyn Table, score: Score, exactness: Exactness) -> i32 {
    let (margin, is_margin) = match score.decided_margin() {
        Some(margin) => (margin.0, true),
        None => (score.0, exactness != Exactness::Estimate),
    };
    if is_margin && table.values_to_come() { margin - table.margin().for_player(table.to_move()).0 } else { margin }
}

fn analysis(table: &dyn Table, bot: String, choice: Choice) -> Analysis {
    let exact = choice.exactness == Exactness::Exact;
    let mut moves: Vec<MoveLine> = choice
        .per_move
        .iter()
        .map(|line| MoveLine {
            mv: line.mv.clone(),
            value: Some(readable(table, line.value, line.exactness)),
            exact: line.exactness == Exactness::Exact,
            bound: match line.exactness {
                Exactness::AtMost => Some("at_most"),
                Exactness::AtLeast => Some("at_least"),
                Exactness::Exact | Exactness::Estimate => None,
            },
        })
        .collect();
    for mv in table.legal_moves() {
        if moves.iter().all(|line| line.mv != mv) {
            moves.push(MoveLine { mv, value: None, exact: false, bound: None });
        }
    }
    let value = readable(table, choice.score, choice.exactness);
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
        leaves: 0,
        cuts: 0,
        seconds: 0.0,
        depth: choice.depth,
        pv: choice.pv,
        bot,
    }
}

/// A game that is over has a value and no moves.
fn finished(table: &dyn Table, bot: String) -> Analysis {
    let margin = table.margin().for_player(table.to_move()).0;
    let to_come = table.values_to_come();
    Analysis {
        game: table.spec(),
        position: table.position(),
        to_move: None,
        value: Some(if to_come { 0 } else { margin }),
        final_margin: to_come.then_some(margin),
        exact: true,
        best: Vec::new(),
        best_complete: true,
        moves: Vec::new(),
        nodes: 1,
        leaves: 1,
        cuts: 0,
        seconds: 0.0,
        depth: 0,
        pv: Vec::new(),
        bot,
    }
}

fn words(analysis: &Analysis) -> String {
    let mut text = format!("{}\n{}\n", analysis.game, analysis.position);
    for line in &analysis.moves {
        let sign = match line.bound {
            Some("at_most") => "≤ ",
            Some(_) => "≥ ",
            None => "",
        };
        let value = line.value.map_or_else(|| "?".to_owned(), |value| format!("{sign}{value:+}"));
        let trust = if line.exact { "exact".to_owned() } else { format!("depth {}", analysis.depth) };
        text += &format!("  {:<8} {value:>10}  {trust}\n", line.mv);
    }
    if let (Some(value), Some(_)) = (analysis.value, analysis.to_move) {
        text += &format!("best {} {value:+}: {}\n", analysis.best.join(" "), analysis.pv.join(" "));
    }
    text += &format!(
        "{}: depth {}, {} nodes, {} leaves, {} cuts, {:.2} s\n",
        analysis.bot,
        analysis.depth,
        output::grouped(analysis.nodes),
        output::grouped(analysis.leaves),
        output::grouped(analysis.cuts),
        analysis.seconds
    );
    text
}

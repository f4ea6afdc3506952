//! `papan match`: two bots, paired games, and what the result says.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use papan_arena::report::{Conditions, Report, summarise};
use papan_arena::sandbox::ResourceLimits;
use papan_arena::statistics::{Sprt, SprtVerdict, Strength, WinCounts};
use papan_arena::tournament::{OpeningPlan, choose_openings};
use papan_arena::{Contest, Fault, Limits, MatchGame, MatchReport, Openings, Rules, SprtReport, play_match};
use papan_core::Spec;
use papan_core::error::quoted;
use papan_core::table::Table;
use serde::Serialize;

use super::tournament::judge;
use super::{check_report, read_time, write_report};
use crate::cli::MatchArgs;
use crate::contestant::{Cast, Staging};
use crate::error::CliError;
use crate::{interrupt, output};

/// Plies of balanced openings if nobody says.
const BALANCED_PLIES: usize = 8;
/// Finding balanced openings takes a moment for each: a longer match begins with the first again.
const MOST_BALANCED: usize = 500;

/// What `--json` prints. Values are from the first bot's side.
#[derive(Serialize)]
struct MatchJson<'a> {
    game: String,
    first: &'a str,
    second: &'a str,
    seed: u64,
    /// What every game was played under.
    rules: Conditions,
    /// Was the match stopped before its end?
    partial: bool,
    played: usize,
    expected: usize,
    games: &'a [MatchGame],
    wins: u64,
    draws: u64,
    losses: u64,
    /// By the first bot's points of a pair: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    score: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    normalised_elo: Option<f64>,
    superiority: Option<f64>,
    distinct_games: usize,
    first_mover: WinCounts,
    /// What the sequential test says, if there was one.
    sprt: Option<SprtReport>,
    /// How well outside programs were shut in.
    sandbox: Option<String>,
    warnings: Vec<String>,
    seconds: f64,
}

pub(crate) fn run(args: &MatchArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, None)?;
    let spec = table.spec();
    let staging = Staging {
        base: Path::new(""),
        demand: args.demand.demand(None)?,
        limits: ResourceLimits::default(),
        private: args.stderr.iter().cloned().collect(),
    };
    let cast = Cast::read(&spec, &[&args.first, &args.second], &staging)?;
    check_report(&args.files)?;
    let sprt = args.sprt.as_deref().map(read_sprt).transpose()?;
    let games = args.games.unwrap_or(if sprt.is_some() { 100_000 } else { 20 });
    let stop = interrupt::token();
    let contest = Contest {
        table: &*table,
        names: [args.first.clone(), args.second.clone()],
        players: [&|| cast.player(&args.first), &|| cast.player(&args.second)],
        games: games as usize,
        openings: openings(args, &*table, games as usize)?,
        seed: args.seed,
        rules: rules(args, cast.sandbox.is_some())?,
        jobs: usize::from(args.jobs),
        sprt,
        stop,
    };
    let started = Instant::now();
    let bar = progress_bar(games);
    let report = play_match(&contest, &|progress| {
        bar.set_position(progress.played as u64);
        let WinCounts { wins, draws, losses } = progress.counts;
        let llr = progress.llr.map_or_else(String::new, |llr| format!("  LLR {llr:.2}"));
        bar.set_message(format!("+{wins} ={draws} -{losses}{llr}"));
    });
    bar.finish_and_clear();
    let time = started.elapsed();
    if args.files.html.is_some() || args.files.csv.is_some() {
        let summary = summarise(Report::of_match(&contest, &report, cast.sandbox.clone()));
        write_report(&args.files, &summary, &*table)?;
    }
    print(args, &contest, &report, cast.sandbox.clone(), time)?;
    if report.is_partial() {
        let (played, expected) = (report.games.len(), report.expected);
        return Err(CliError::Interrupted(format!(
            "stopped after {played} of {expected} games; the result is partial"
        )));
    }
    Ok(())
}

/// What `--openings` asks for: so many random plies, or `balanced`, with or without a number of plies.
fn openings(args: &MatchArgs, table: &dyn Table, games: usize) -> Result<Openings, CliError> {
    let Some(text) = &args.openings else { return Ok(Openings::StartThenRandom(2)) };
    let wrong = || CliError::Usage(format!("--openings is {}, expected 4, balanced or balanced:8", quoted(text)));
    let Some(rest) = text.strip_prefix("balanced") else {
        return Ok(Openings::Random(text.parse().map_err(|_| wrong())?));
    };
    let plies = match rest.strip_prefix(':') {
        Some(plies) => plies.parse().map_err(|_| wrong())?,
        None if rest.is_empty() => BALANCED_PLIES,
        None => return Err(wrong()),
    };
    let pairs = games.div_ceil(2).min(MOST_BALANCED);
    let game = table.spec();
    let judge = |table: &dyn Table| judge(&game, table);
    let lines = choose_openings(&OpeningPlan::Balanced { plies }, table, pairs, args.seed, &judge);
    Ok(Openings::Listed(lines.map_err(CliError::Usage)?))
}

/// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05`.
fn read_sprt(text: &str) -> Result<Sprt, CliError> {
    let mut test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
    let wrong = |what: String| CliError::Usage(format!("--sprt {what}"));
    for (key, value) in Spec::split(&format!("sprt:{text}")).options {
        let number = value.and_then(|value| value.parse::<f64>().ok()).filter(|value| value.is_finite());
        let number = number.ok_or_else(|| wrong(format!("{} has no number, such as elo1=5", quoted(key))))?;
        match key {
            "elo0" => test.elo0 = number,
            "elo1" => test.elo1 = number,
            "alpha" => test.alpha = number,
            "beta" => test.beta = number,
            _ => return Err(wrong(format!("has {}, expected elo0, elo1, alpha, beta", quoted(key)))),
        }
    }
    if test.elo0 >= test.elo1 || test.elo0.abs().max(test.elo1.abs()) > 2000.0 {
        return Err(wrong(format!("has elo0={} and elo1={}, expected elo0 below elo1", test.elo0, test.elo1)));
    }
    if !(0.0..0.5).contains(&test.alpha) || !(0.0..0.5).contains(&test.beta) || test.alpha * test.beta == 0.0 {
        return Err(wrong("has alpha or beta outside of 0 to 0.5".to_owned()));
    }
    Ok(test)
}

/// The rules that the arguments ask for. With a program from outside there is
/// always a time limit.
fn rules(args: &MatchArgs, outside: bool) -> Result<Rules, CliError> {
    let mut rules = Rules::with_faults(&args.faults).ok_or_else(|| {
        let given = quoted(&args.faults);
        CliError::Usage(format!("--faults is {given}, expected lose, random, skip or report-adjacency"))
    })?;
    let default = outside.then_some(Duration::from_secs(5)).or(rules.limits.time);
    let time = args.time.as_deref().map(read_time).transpose()?.or(default);
    rules.limits = Limits { time, nodes: args.nodes, depth: args.depth };
    if let Some(folder) = &args.stderr {
        std::fs::create_dir_all(folder).map_err(|source| CliError::File { path: folder.clone(), source })?;
        rules.stderr_folder = Some(std::path::absolute(folder)?);
    }
    Ok(rules)
}

fn progress_bar(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}  {eta} left").expect("the template is valid");
    ProgressBar::new(u64::from(games)).with_style(style)
}

fn print(
    args: &MatchArgs,
    contest: &Contest<'_>,
    report: &MatchReport,
    sandbox: Option<String>,
    time: Duration,
) -> Result<(), CliError> {
    // Pairs share an opening: their spread, not the single games', is the true one.
    let summary = report.pairs.summary().or_else(|| report.counts.summary());
    let elo = summary.map(|summary| summary.elo());
    let interval = summary.map(|summary| summary.interval());
    let json = MatchJson {
        game: contest.table.spec(),
        first: &args.first,
        second: &args.second,
        seed: args.seed,
        rules: Conditions::new(&contest.rules),
        partial: report.is_partial(),
        played: report.games.len(),
        expected: report.expected,
        games: &report.games,
        wins: report.counts.wins,
        draws: report.counts.draws,
        losses: report.counts.losses,
        pairs: report.pairs.0,
        score: report.counts.summary().map(|summary| summary.score),
        score_low: interval.map(|(low, _)| low),
        score_high: interval.map(|(_, high)| high),
        elo: elo.and_then(|elo| elo.value),
        elo_low: elo.and_then(|elo| elo.low),
        elo_high: elo.and_then(|elo| elo.high),
        normalised_elo: summary.and_then(|summary| summary.normalised_elo()).map(|(elo, _)| elo),
        superiority: summary.map(|summary| summary.superiority()),
        distinct_games: report.distinct_games,
        first_mover: report.first_mover,
        sprt: report.sprt,
        sandbox,
        warnings: warnings(report, interval),
        seconds: time.as_secs_f64(),
    };
    if args.json {
        return Ok(output::json(&json)?);
    }
    output::text(&words(&json, elo.map(|elo| elo.strength()), report))?;
    Ok(())
}

/// What a reader of the numbers should know.
fn warnings(report: &MatchReport, interval: Option<(f64, f64)>) -> Vec<String> {
    let mut warnings = Vec::new();
    if report.is_partial() {
        let (played, expected) = (report.games.len(), report.expected);
        warnings.push(format!("partial: {played} of {expected} games have been played"));
    }
    if let Some((low, high)) = interval
        && low <= 0.5
        && high >= 0.5
    {
        warnings.push("too few games to tell which is better".to_owned());
    }
    let games = report.games.len();
    let skipped = report.games.iter().filter(|game| !game.record.counts).count();
    if skipped > 0 {
        warnings.push(format!("{skipped} of {games} games do not count"));
    }
    let faulty = report.games.iter().filter(|game| !game.record.faults.is_empty()).count();
    if faulty > 0 {
        warnings.push(format!("in {faulty} of {games} games a bot did something wrong"));
    }
    if report.distinct_games < games {
        warnings.push(format!("only {} of {games} games are distinct: vary the openings", report.distinct_games));
    }
    warnings
}

/// What went wrong in a game, in words; empty if nothing did.
fn faults(game: &MatchGame) -> String {
    let names = [game.first(), game.second()];
    let fault = |fault: &Fault| format!("; {}: {} ({})", names[fault.side.index()], fault.verdict, fault.detail);
    game.record.faults.iter().map(fault).collect()
}

fn sprt_words(SprtReport { test, llr, llr_low, llr_high, verdict }: &SprtReport) -> String {
    let says = match verdict {
        SprtVerdict::Accepted => format!("the difference is {} Elo or more", test.elo1),
        SprtVerdict::Rejected => format!("the difference is {} Elo or less", test.elo0),
        SprtVerdict::Undecided => "undecided".to_owned(),
    };
    format!("SPRT {} against {} Elo: LLR {llr:.2} ({llr_low:.2} to {llr_high:.2}), {says}", test.elo0, test.elo1)
}

fn words(json: &MatchJson<'_>, elo: Option<Strength>, report: &MatchReport) -> String {
    let mut text = format!("{}: {} against {}\n", json.game, json.first, json.second);
    if json.partial {
        text += &format!("  PARTIAL: {} of {} games\n", json.played, json.expected);
    }
    text += &format!("  limits: {}\n  faults: {}\n", json.rules.limit_words.en, json.rules.fault_words.en);
    if report.games.len() <= 20 {
        for (number, game) in report.games.iter().enumerate() {
            let [first, second] = game.record.score;
            text +=
                &format!("  {:>3}  {} {first}–{second} {}{}\n", number + 1, game.first(), game.second(), faults(game));
        }
    }
    text += &format!("  won {}, drawn {}, lost {}\n", json.wins, json.draws, json.losses);
    if let (Some(score), Some(low), Some(high)) = (json.score, json.score_low, json.score_high) {
        text += &format!("  score {:.1} %, 95 % interval {:.1} to {:.1} %\n", 100.0 * score, 100.0 * low, 100.0 * high);
    }
    if let (Some(elo), Some(superiority)) = (elo, json.superiority) {
        text += &format!("  Elo {elo}; likelihood of superiority {:.1} %\n", 100.0 * superiority);
    }
    let WinCounts { wins, draws, losses } = json.first_mover;
    text += &format!(
        "  whoever moved first won {wins}, drew {draws}, lost {losses}; {} distinct games\n",
        json.distinct_games
    );
    if let Some(sprt) = &json.sprt {
        text += &format!("  {}\n", sprt_words(sprt));
    }
    if let Some(sandbox) = &json.sandbox {
        text += &format!("  sandbox: {sandbox}\n");
    }
    for warning in &json.warnings {
        text += &format!("  note: {warning}\n");
    }
    text
}

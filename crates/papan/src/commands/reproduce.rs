//! `papan reproduce`: the reports' experiments, run again, the report's
//! figure beside ours.

mod tables;
mod unbeatable;

use papan_arena::{Contest, MatchReport, Openings, Rules, play_match};
use papan_core::error::quoted;
use serde::Serialize;

use crate::cli::ReproduceArgs;
use crate::contestant::Contestant;
use crate::error::CliError;
use crate::{interrupt, output};

/// One experiment: a name for the command line, and what runs it.
struct Experiment {
    name: &'static str,
    about: &'static str,
    run: fn(games: usize) -> Result<Vec<Row>, CliError>,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "adjacency-exact",
        about: "Adjacency (2023): minimax against hill climbing, both deterministic",
        run: tables::adjacency_exact,
    },
    Experiment {
        name: "adjacency-genetic",
        about: "Adjacency (2023): minimax and hill climbing against genetic search",
        run: tables::adjacency_genetic,
    },
    Experiment {
        name: "adjacency-people",
        about: "Adjacency (2023): bots against people",
        run: tables::adjacency_people,
    },
    Experiment {
        name: "dots-and-boxes",
        about: "Dots and Boxes 3×3 (2022): minimax against local search",
        run: tables::dots_and_boxes,
    },
    Experiment {
        name: "tic-tac-toe",
        about: "Tic-tac-toe (2014, 2023): bots that should never lose, against every line",
        run: tables::tic_tac_toe,
    },
    Experiment {
        name: "othello",
        about: "Othello (2022): alpha-beta with the 5/3/1 table, white first, no passing",
        run: tables::othello,
    },
];

/// A figure of a report beside ours.
#[derive(Serialize)]
struct Row {
    what: String,
    report: String,
    ours: String,
    /// What differs, in words; empty if nothing does.
    note: String,
    /// Is it the same figure? `None` where only the trend can be compared.
    same: Option<bool>,
}

/// What `--json` prints for each experiment.
#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    about: &'static str,
    rows: Vec<Row>,
}

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), CliError> {
    let chosen: Vec<&Experiment> = match &args.table {
        None => EXPERIMENTS.iter().collect(),
        Some(name) => {
            let found: Vec<_> = EXPERIMENTS.iter().filter(|experiment| experiment.name.starts_with(name)).collect();
            if found.is_empty() {
                let names: Vec<_> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
                return Err(CliError::Usage(format!(
                    "{} is not a table; there are {}",
                    quoted(name),
                    names.join(", ")
                )));
            }
            found
        }
    };
    let all = chosen.len();
    let mut outcomes = Vec::new();
    for experiment in chosen {
        if !args.json {
            output::text(&format!("{}\n", experiment.about))?;
        }
        let rows = (experiment.run)(args.games as usize)?;
        if interrupt::token().is_stopped() {
            // Its matches were cut short: figures of it would be wrong.
            break;
        }
        if !args.json {
            output::text(&words(&rows))?;
        }
        outcomes.push(Outcome { name: experiment.name, about: experiment.about, rows });
    }
    if args.json {
        output::json(&outcomes)?;
    }
    if outcomes.len() < all {
        let done = outcomes.len();
        return Err(CliError::Interrupted(format!("stopped after {done} of {all} tables; those are whole")));
    }
    Ok(())
}

fn words(rows: &[Row]) -> String {
    let width = |column: fn(&Row) -> &str| rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0);
    let (what, report, ours) = (width(|row| &row.what), width(|row| &row.report), width(|row| &row.ours));
    let mut text = String::new();
    for row in rows {
        let mark = match row.same {
            Some(true) => "=",
            Some(false) => "≠",
            None => "~",
        };
        text += &format!(
            "  {:<what$}  report {:<report$}  {mark}  ours {:<ours$}  {}\n",
            row.what, row.report, row.ours, row.note
        );
    }
    text + "\n"
}

/// A match of two bots by name, from openings of `plies` random plies.
fn contest(game: &str, bots: [&str; 2], games: usize, plies: usize) -> Result<MatchReport, CliError> {
    let table = papan_roster::table(game, None)?;
    let spec = table.spec();
    let [first, second] = [Contestant::rostered(&spec, bots[0])?, Contestant::rostered(&spec, bots[1])?];
    let contest = Contest {
        table: &*table,
        names: bots.map(str::to_owned),
        players: [&|| first.player(), &|| second.player()],
        games,
        openings: Openings::Random(plies),
        seed: 1,
        rules: Rules::default(),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        sprt: None,
        stop: interrupt::token(),
    };
    Ok(play_match(&contest, &|_| {}))
}

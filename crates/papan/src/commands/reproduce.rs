//! `papan reproduce`: the reports' experiments, run again. What stands in a
//! report is kept apart from what its own program gave when it was run, and
//! both from what Papan's bots do now.

mod every_line;
mod page;
mod tables;

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
    /// Whose view the figures have, and what else a reader must know.
    reading: &'static str,
    run: fn(games: usize) -> Result<Vec<Row>, CliError>,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "adjacency-exact",
        about: "Adjacency report (2023): report-minimax against report-hill-climbing",
        reading: "A score is X's marks – O's marks at the end of the game; X moves first. Both bots play the same \
                  game every time, so Papan must get the same scores.",
        run: tables::adjacency_exact,
    },
    Experiment {
        name: "adjacency-genetic",
        about: "Adjacency report (2023): report-minimax and report-hill-climbing against report-genetic",
        reading: "A score is X's marks – O's marks at the end of the game; X moves first. Genetic search draws at \
                  random, so only the trend can be compared. The report's genetic search plays for O whichever side it \
                  has; that weakness is kept.",
        run: tables::adjacency_genetic,
    },
    Experiment {
        name: "adjacency-people",
        about: "Adjacency report (2023): bots against people",
        reading: "A score is the bot's marks – the person's marks at the end of a game.",
        run: tables::adjacency_people,
    },
    Experiment {
        name: "dots-and-boxes",
        about: "Dots and Boxes report (2022), 3×3: report-minimax and report-hill-climbing (its local search)",
        reading: "Games are counted for the bot that is named first. The range in per cent is its share of the \
                  points, a draw being half a point, with 95 % certainty.",
        run: tables::dots_and_boxes,
    },
    Experiment {
        name: "tic-tac-toe",
        about: "Tic-tac-toe reports (2014 and 2023): bots against every possible play of their opponent",
        reading: "Games are counted for the bot. All replies of the opponent are tried, so there are as many games \
                  as there are ways to play against the bot.",
        run: tables::tic_tac_toe,
    },
    Experiment {
        name: "othello",
        about: "Othello report (2022): report-alpha-beta; white moves first, and the game ends when one player cannot move",
        reading: "Games are counted for report-alpha-beta. The range in per cent is its share of the points, a draw \
                  being half a point, with 95 % certainty.",
        run: tables::othello,
    },
];

/// What stands in a report.
#[derive(Serialize)]
struct Quoted {
    figure: String,
    /// The part of the report.
    place: &'static str,
}

/// What is not in a report, but was found by running its own program.
#[derive(Serialize)]
struct Measured {
    figure: String,
    /// Why the report does not have it.
    reason: &'static str,
}

/// How Papan's figure compares with the one that it should be.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Comparison {
    /// It is the same.
    Same,
    /// It is another.
    Different,
    /// Chance or people had a part in it, so that it cannot be the same.
    Trend,
}

impl Comparison {
    fn of(same: bool) -> Self {
        if same { Self::Same } else { Self::Different }
    }
}

/// One figure of a report, of its program, of Papan.
#[derive(Serialize)]
struct Row {
    what: String,
    /// What stands in the report.
    report: Option<Quoted>,
    /// What its own program gave.
    program: Option<Measured>,
    /// What Papan gets now; nothing where it cannot be run again.
    papan: Option<String>,
    /// Nothing where there is nothing to compare.
    comparison: Option<Comparison>,
    note: String,
}

/// What `--json` prints for each experiment.
#[derive(Serialize)]
struct Outcome {
    name: &'static str,
    about: &'static str,
    reading: &'static str,
    rows: Vec<Row>,
}

pub(crate) fn run(args: &ReproduceArgs) -> Result<(), CliError> {
    let chosen = chosen(args.table.as_deref())?;
    let all = chosen.len();
    if !args.json {
        output::text(&page::legend())?;
    }
    let mut outcomes = Vec::new();
    for experiment in chosen {
        let &Experiment { name, about, reading, run } = experiment;
        if !args.json {
            output::text(&page::heading(name, about, reading))?;
        }
        let rows = run(args.games as usize)?;
        if interrupt::token().is_stopped() {
            // Its matches were cut short: figures of it would be wrong.
            break;
        }
        if !args.json {
            output::text(&page::rows(&rows))?;
        }
        outcomes.push(Outcome { name, about, reading, rows });
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

/// The experiments whose name begins so.
fn chosen(name: Option<&str>) -> Result<Vec<&'static Experiment>, CliError> {
    let start = name.unwrap_or_default();
    let found: Vec<_> = EXPERIMENTS.iter().filter(|experiment| experiment.name.starts_with(start)).collect();
    if found.is_empty() {
        let names: Vec<_> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        return Err(CliError::Usage(format!("{} is not a table; there are {}", quoted(start), names.join(", "))));
    }
    Ok(found)
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

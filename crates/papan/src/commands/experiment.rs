//! `papan experiment`: bots measured by depth and against each other.

use indicatif::{ProgressBar, ProgressStyle};
use papan_lab::experiment::{self, Experiment, Progress, Results};

use crate::cli::ExperimentArgs;
use crate::error::CliError;
use crate::{interrupt, output};

pub(crate) fn run(args: &ExperimentArgs) -> Result<(), CliError> {
    let experiment = Experiment {
        game: args.game.clone(),
        bots: args.bots.clone(),
        depths: args.depths.clone(),
        positions: args.positions,
        plies: args.plies,
        games: args.games,
        seeds: args.seed.clone(),
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {eta} left").expect("the template is valid");
    let bar = ProgressBar::new(1).with_style(style);
    let results = experiment.run(&interrupt::token(), &|progress| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
    })?;
    bar.finish_and_clear();
    if let Some(path) = &args.html {
        output::to_file_or_screen(Some(path), &experiment::html(&results, args.language.into()))?;
    }
    if let Some(path) = &args.csv {
        output::to_file_or_screen(Some(path), &experiment::csv(&results))?;
    }
    if args.json {
        output::json(&results)?;
    } else {
        output::text(&words(&results))?;
    }
    if results.partial {
        return Err(CliError::Interrupted(format!("{}; the results are partial", stopped(results.progress))));
    }
    Ok(())
}

fn stopped(Progress { done, of }: Progress) -> String {
    format!("stopped after {done} of {of} measurements")
}

fn words(results: &Results) -> String {
    let mut text = format!("{}, {} positions\n", results.experiment.game, results.positions.len());
    if results.partial {
        text += &format!("  PARTIAL: {}\n", stopped(results.progress));
    }
    text +=
        &format!("  {:<32} {:>5} {:>14} {:>14} {:>10} {:>10}\n", "bot", "depth", "nodes", "cuts", "ms", "branching");
    for row in &results.measurements {
        let branching = row.branching.map_or_else(|| "–".to_owned(), |branching| format!("{branching:.2}"));
        text += &format!(
            "  {:<32} {:>5} {:>14.1} {:>14.1} {:>10.3} {branching:>10}\n",
            row.bot,
            row.depth,
            row.nodes,
            row.cuts,
            1000.0 * row.seconds
        );
    }
    for row in &results.pairings {
        text += &format!(
            "  {} – {}, depth {}: won {}, drawn {}, lost {}",
            row.first, row.second, row.depth, row.wins, row.draws, row.losses
        );
        if let Some([score, low, high]) = row.score {
            text += &format!(", {:.1} % ({:.1} to {:.1})", 100.0 * score, 100.0 * low, 100.0 * high);
        }
        text.push('\n');
    }
    text
}

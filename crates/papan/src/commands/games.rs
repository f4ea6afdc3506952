//! `papan games`: what can be played.

use std::fmt::Write as _;

use papan_core::{GameInfo, OptionSpec};

use crate::cli::GamesArgs;
use crate::error::CliError;
use crate::output;

pub(crate) fn run(args: &GamesArgs) -> Result<(), CliError> {
    let games = papan_roster::games();
    if args.json {
        output::json(&games)?;
    } else {
        let blocks: Vec<_> = games.iter().map(describe).collect();
        output::text(&blocks.join("\n"))?;
    }
    Ok(())
}

fn describe(game: &GameInfo) -> String {
    format!("{}\n  {}\n{}", game.name, game.about.en, options_table(&game.options))
}

/// Each option on a line: name, default, range, what it does.
pub(crate) fn options_table(options: &[OptionSpec]) -> String {
    let mut table = String::new();
    for option in options {
        let default = option.kind.default_text();
        let setting = if default.is_empty() { option.name.to_owned() } else { format!("{}={default}", option.name) };
        writeln!(table, "  {setting:<18} {:<24} {}", option.kind.range(), option.about.en)
            .expect("writing to a string");
    }
    table
}

//! `papan check-bot`: tests an outside program against the protocol.

use std::path::Path;

use papan_arena::check::{Trial, check};
use papan_arena::outside::keep_apart;
use papan_arena::sandbox::ResourceLimits;
use serde::Serialize;

use super::read_time;
use crate::cli::CheckBotArgs;
use crate::error::CliError;
use crate::{contestant, output};

#[derive(Serialize)]
struct CheckJson<'a> {
    command: &'a str,
    sandbox: String,
    ok: bool,
    findings: &'a [papan_arena::check::Finding],
}

pub(crate) fn run(args: &CheckBotArgs) -> Result<(), CliError> {
    let time = read_time(&args.time)?;
    let demand = args.demand.demand(None)?;
    let sandbox = contestant::sandbox(demand, ResourceLimits::default())?;
    let mut program = contestant::outside_program(&args.command, Path::new(""), &sandbox)?;
    keep_apart(&mut [&mut program], &[]).iter().for_each(|line| output::note(line));
    let games = match &args.game {
        Some(game) => vec![game.clone()],
        None => papan_roster::games().iter().map(|info| info.name.to_owned()).collect(),
    };
    let trials = games.iter().map(|game| {
        let table = papan_roster::table(game, None)?;
        let opponent = papan_roster::bot(&table.spec(), "random")?;
        Ok(Trial { table, opponent, demanded: args.game.is_some() })
    });
    let trials = trials.collect::<Result<Vec<_>, CliError>>()?;
    let scratch = std::env::temp_dir().join(format!("papan-check-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let findings = check(&program, trials, time, &scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    let ok = findings.iter().all(|finding| finding.ok);
    let sandbox = demand.words(sandbox.reached());
    if args.json {
        output::json(&CheckJson { command: &args.command, sandbox, ok, findings: &findings })?;
    } else {
        output::text(&format!("sandbox: {sandbox}\n"))?;
        for finding in &findings {
            let mark = match (finding.ok, finding.tried) {
                (false, _) => "WRONG",
                (true, true) => "good ",
                (true, false) => "  –  ",
            };
            output::text(&format!("{mark}  {}\n", finding.text))?;
        }
        output::text(if ok { "The program keeps to the protocol.\n" } else { "The program needs work.\n" })?;
    }
    if ok { Ok(()) } else { Err(CliError::Usage("the program does not keep to the protocol".to_owned())) }
}

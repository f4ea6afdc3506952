//! The checks, in the order in which they run.

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use crate::tools::{CPP, Tool, succeeds};

/// One check: commands that must all succeed.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    needs: &'static [Tool],
    commands: &'static [&'static [&'static str]],
}

/// How a check ended.
enum Outcome {
    Passed,
    Failed,
    NotRun(&'static str),
}

/// Optimised like a release, but quick to build: no link-time optimisation.
const PROFILE: &str = "--profile=checked";

pub(crate) const ALL: &[Check] = &[
    Check {
        name: "format",
        about: "the code is formatted",
        needs: &[],
        commands: &[&["cargo", "fmt", "--all", "--check"]],
    },
    Check {
        name: "lints",
        about: "clippy finds nothing",
        needs: &[],
        commands: &[&["cargo", "clippy", "--workspace", "--all-targets", PROFILE, "--", "-D", "warnings"]],
    },
    Check {
        name: "tests",
        about: "unit, rule, property, command-line and documentation tests",
        needs: &[],
        commands: &[&["cargo", "test", "--workspace", PROFILE]],
    },
    Check {
        name: "fuzz",
        about: "each fuzz target survives a short run",
        needs: &[CPP],
        commands: &[
            &["cargo", "run", "--manifest-path", "fuzz/Cargo.toml", "--bin", "names", "--", "-runs=20000"],
            &["cargo", "run", "--manifest-path", "fuzz/Cargo.toml", "--bin", "positions", "--", "-runs=20000"],
            &["cargo", "run", "--manifest-path", "fuzz/Cargo.toml", "--bin", "games", "--", "-runs=5000"],
        ],
    },
];

/// Runs the checks whose name contains one of `names`, or all; the last line
/// counts them.
pub(crate) fn run(names: &[String]) -> ExitCode {
    let wanted = |check: &&Check| names.is_empty() || names.iter().any(|name| check.name.contains(name.as_str()));
    let mut lines = Vec::new();
    let (mut passed, mut failed, mut not_run) = (0, 0, 0);
    for check in ALL.iter().filter(wanted) {
        println!("\n== {}: {}", check.name, check.about);
        let started = Instant::now();
        let outcome = check.run();
        let seconds = started.elapsed().as_secs();
        lines.push(match outcome {
            Outcome::Passed => {
                passed += 1;
                format!("passed   {:<12} {seconds} s", check.name)
            }
            Outcome::Failed => {
                failed += 1;
                format!("FAILED   {:<12} {seconds} s", check.name)
            }
            Outcome::NotRun(tool) => {
                not_run += 1;
                format!("not run  {:<12} {tool} is missing and could not be installed", check.name)
            }
        });
    }
    println!("\n{}", lines.join("\n"));
    println!("{passed} passed, {failed} failed, {not_run} skipped");
    let strict = env::var("CI").is_ok_and(|value| value == "true");
    if failed > 0 || (strict && not_run > 0) || passed + failed + not_run == 0 {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

impl Check {
    fn run(&self) -> Outcome {
        if let Some(missing) = self.needs.iter().find(|tool| !tool.ensure()) {
            return Outcome::NotRun(missing.name());
        }
        if self.commands.iter().all(|command| succeeds(command)) { Outcome::Passed } else { Outcome::Failed }
    }
}

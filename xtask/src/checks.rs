//! The checks, in the order in which they run.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::fuzz;
use crate::tools::{
    BUBBLEWRAP, CHROMIUM, CPP, JAVA, NATS, NODE, PYTHON, SETPRIV, SYSTEM_NODE, Tool, command, succeeds,
};

/// One check: commands that must all succeed.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    needs: &'static [Tool],
    commands: &'static [&'static [&'static str]],
    /// What no plain command can do, after the commands.
    then: Option<fn() -> bool>,
}

/// How a check ended.
enum Outcome {
    Passed,
    Failed,
    NotRun(&'static str),
}

/// Optimised like a release, but quick to build: no link-time optimisation.
const PROFILE: &str = "--profile=checked";

/// Fetches what builds and tests the page, unless it is there as the lock file
/// says.
const PAGE_TOOLS: &[&str] = &[
    "sh",
    "-c",
    "test web/node_modules/.package-lock.json -nt web/package-lock.json || npm ci --prefix web --no-audit --no-fund",
];

/// The inner loop, in seconds; `ALL` has the same tests and more.
const QUICK: Check = Check {
    name: "quick",
    about: "format, unit tests, the rules of the games and the engines",
    needs: &[],
    commands: &[
        &["cargo", "fmt", "--all", "--check"],
        &["cargo", "test", "--workspace", "--lib", "--bins", PROFILE],
        &["cargo", "test", "--package", "papan-games", "--package", "papan-engines", "--test", "main", PROFILE],
    ],
    then: None,
};

pub(crate) const ALL: &[Check] = &[
    Check {
        name: "format",
        about: "the code is formatted",
        needs: &[],
        commands: &[&["cargo", "fmt", "--all", "--check"]],
        then: None,
    },
    Check {
        name: "lints",
        about: "clippy finds nothing",
        needs: &[],
        commands: &[&[
            "cargo",
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            "papan-engines/training",
            PROFILE,
            "--",
            "-D",
            "warnings",
        ]],
        then: None,
    },
    Check {
        name: "tests",
        about: "unit, rule, property, command-line and documentation tests, outside bots in five languages, a real queue",
        needs: &[CPP, PYTHON, JAVA, SYSTEM_NODE, SETPRIV, BUBBLEWRAP, NATS],
        commands: &[
            &["cargo", "test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast", PROFILE],
            &["cargo", "test", "--workspace", "--doc", "--no-fail-fast", PROFILE],
            &["cargo", "test", "--package", "papan-games", "--features", "fifth-game", "--lib", PROFILE, "snort"],
        ],
        then: None,
    },
    Check {
        name: "fuzz",
        about: "each fuzz target reads its kept inputs, and finds its way into the code from nothing",
        needs: &[CPP],
        commands: &[],
        then: Some(fuzz::check),
    },
    Check {
        name: "page",
        about: "the page's types and units, and the committed build is what its source gives",
        needs: &[NODE],
        commands: &[
            PAGE_TOOLS,
            &["npm", "run", "--prefix", "web", "check"],
            &["npm", "run", "--prefix", "web", "test"],
            &["npm", "run", "--prefix", "web", "build"],
        ],
        then: Some(page_is_as_committed),
    },
    Check {
        name: "browser",
        about: "the whole program in a real browser",
        needs: &[NODE, CHROMIUM],
        commands: &[PAGE_TOOLS, &["cargo", "build", "--package", "papan", PROFILE]],
        then: Some(browser_tests),
    },
];

/// After a fresh build nothing in the committed page has changed.
fn page_is_as_committed() -> bool {
    let status = command(&["git", "status", "--porcelain", "--", "web/dist"]).output();
    let changes =
        status.map_or_else(|error| error.to_string(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !changes.is_empty() {
        println!("web/dist differs from what its source gives; commit the new build:\n{changes}");
    }
    changes.is_empty()
}

/// The tests of the page, then those of the page with a game it has never
/// heard of.
fn browser_tests() -> bool {
    in_browser("e2e")
        && succeeds(&["cargo", "build", "--package", "papan", "--features", "fifth-game", PROFILE])
        && in_browser("e2e:fifth-game")
}

fn in_browser(script: &str) -> bool {
    println!("$ npm run {script}");
    let status = command(&["npm", "run", "--prefix", "web", script]).env("PAPAN_BIN", built_program()).status();
    status.is_ok_and(|status| status.success())
}

/// The program that [`PROFILE`] builds: beside our own in the target folder.
fn built_program() -> PathBuf {
    let own = env::current_exe().expect("this program has a path");
    own.ancestors().nth(2).expect("it lies in a target folder").join("checked").join("papan")
}

/// Runs the checks whose name contains one of `names`, or all, or the quick
/// one; the last line counts them.
pub(crate) fn run(names: &[String]) -> ExitCode {
    let wanted = |check: &&Check| names.is_empty() || names.iter().any(|name| check.name.contains(name.as_str()));
    let mut lines = Vec::new();
    let (mut passed, mut failed, mut not_run) = (0, 0, 0);
    let chosen: Vec<&Check> = if names == ["quick"] { vec![&QUICK] } else { ALL.iter().filter(wanted).collect() };
    for check in chosen {
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
            return Outcome::NotRun(missing.name);
        }
        let passed = self.commands.iter().all(|command| succeeds(command)) && self.then.is_none_or(|check| check());
        if passed { Outcome::Passed } else { Outcome::Failed }
    }
}

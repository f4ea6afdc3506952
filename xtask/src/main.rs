//! The project's chores. `cargo xtask test` runs every check on a machine that
//! has only Rust: it installs what it needs, names what it cannot install, and
//! counts that as not run, which is a failure where `CI=true`.

mod checks;
mod fuzz;
mod tools;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask test [NAME…]   run every check, or those whose name contains NAME
cargo xtask test quick     format, unit tests and rules, in less than a minute
cargo xtask list           list the checks
cargo xtask fuzz           fuzz for long, or minimise what is kept; --help says how
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.split_first() {
        Some((command, names)) if command == "test" => checks::run(names),
        Some((command, words)) if command == "fuzz" => fuzz::run(words),
        Some((command, [])) if command == "list" => {
            for check in checks::ALL {
                println!("{:<12} {}", check.name, check.about);
            }
            ExitCode::SUCCESS
        }
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

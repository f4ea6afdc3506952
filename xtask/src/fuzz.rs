//! Coverage-guided fuzzing of everything that reads text or bytes from outside.
//!
//! The targets are in `fuzz/fuzz_targets/`, a workspace of its own: they are
//! built with libFuzzer's instrumentation, which stable Rust reaches through
//! flags of the code generator. Inputs that were worth keeping are in
//! `fuzz/corpus/TARGET/`, words of the notations in `fuzz/dictionaries/`.

mod stats;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use stats::Coverage;

/// What makes a build tell libFuzzer which edges and comparisons an input
/// reaches. Counters and comparisons are LLVM's, so no nightly compiler is
/// needed.
const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// Whatever a target reads: at most so many bytes, and with so much memory and
/// time. A reader that takes longer is a finding like any other.
const LIMITS: &[&str] = &["-max_len=8192", "-len_control=20", "-rss_limit_mb=1024", "-timeout=60"];

/// How long each target is run in the tests, from nothing.
const SHORT_RUN: &str = "-max_total_time=6";

/// How long `cargo xtask fuzz` runs each target unless told otherwise.
const USUAL_MINUTES: u64 = 5;

const USAGE: &str = "\
cargo xtask fuzz [TARGET…] [--minutes N]   fuzz each target for N minutes (5) and keep what reaches new code
cargo xtask fuzz [TARGET…] --minimise      drop kept inputs that reach nothing of their own
";

/// The targets as they were built, and where things are.
struct Built {
    programs: PathBuf,
    folder: PathBuf,
    scratch: PathBuf,
}

/// What `cargo xtask fuzz` is asked for.
#[derive(PartialEq, Eq, Debug)]
struct Wish {
    targets: Vec<String>,
    minutes: u64,
    minimise: bool,
}

/// The check of `cargo xtask test`: every kept input is still read well, and
/// from nothing each target finds its way into the code.
pub(crate) fn check() -> bool {
    let Some(built) = Built::new() else { return false };
    let targets = built.targets();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match built.check(target) {
                        Ok(line) => println!("{line}"),
                        Err(reason) => {
                            println!("{target}: {reason}");
                            failed.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    !targets.is_empty() && !failed.load(Ordering::Relaxed)
}

/// `cargo xtask fuzz`: a long run, one target after the other.
pub(crate) fn run(words: &[String]) -> ExitCode {
    let Some(wish) = Wish::read(words) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let Some(built) = Built::new() else { return ExitCode::FAILURE };
    let known = built.targets();
    if let Some(stranger) = wish.targets.iter().find(|name| !known.contains(name)) {
        eprintln!("there is no target {stranger}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let targets = if wish.targets.is_empty() { &known } else { &wish.targets };
    let each = |target: &String| if wish.minimise { built.minimise(target) } else { built.fuzz(target, wish.minutes) };
    if targets.iter().all(each) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Wish {
    fn read(words: &[String]) -> Option<Self> {
        let mut wish = Self { targets: Vec::new(), minutes: USUAL_MINUTES, minimise: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--minutes" => wish.minutes = words.next()?.parse().ok()?,
                "--minimise" => wish.minimise = true,
                option if option.starts_with('-') => return None,
                target => wish.targets.push(target.to_owned()),
            }
        }
        Some(wish)
    }
}

impl Built {
    /// Builds all targets, instrumented; `None` if that fails.
    fn new() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        let folder = root.join("fuzz");
        let host = host()?;
        let scratch = target_folder(root).join("fuzz");
        // With a target of its own, build scripts and macros stay as they are.
        let arguments = ["build", "--bins", "--target", &host, "--manifest-path"];
        println!("$ cargo {} fuzz/Cargo.toml", arguments.join(" "));
        let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&scratch)
            .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\u{1f}"))
            .status();
        let programs = scratch.join(host).join("debug");
        status.is_ok_and(|status| status.success()).then_some(Self { programs, folder, scratch })
    }

    /// The names of all targets.
    fn targets(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.join("fuzz_targets")).into_iter().flatten().flatten();
        let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
        let mut names: Vec<String> = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
            .filter_map(stem)
            .collect();
        names.sort();
        names
    }

    fn corpus(&self, target: &str) -> PathBuf {
        self.folder.join("corpus").join(target)
    }

    /// A run of a target, within the limits.
    fn command(&self, target: &str) -> Command {
        let mut command = Command::new(self.programs.join(target));
        let artifacts = self.scratch.join("artifacts").join(target);
        let _ = fs::create_dir_all(&artifacts);
        command.args(LIMITS).arg(format!("-artifact_prefix={}/", artifacts.display()));
        let words = self.folder.join("dictionaries").join(target).with_extension("dict");
        if words.exists() {
            command.arg(format!("-dict={}", words.display()));
        }
        command
    }

    /// Reads the kept inputs, then fuzzes from nothing; a line about it, or
    /// why the target does not do.
    fn check(&self, target: &str) -> Result<String, String> {
        let kept = self.corpus(target);
        if fs::read_dir(&kept).map_or(0, Iterator::count) == 0 {
            return Err(format!("there are no kept inputs in fuzz/corpus/{target}"));
        }
        let known = coverage(self.command(target).arg("-runs=0").arg(&kept))?;
        let empty = self.scratch.join("from-nothing").join(target);
        let _ = fs::remove_dir_all(&empty);
        fs::create_dir_all(&empty).map_err(|error| error.to_string())?;
        let found = coverage(self.command(target).args([SHORT_RUN, "-seed=1"]).arg(&empty))?;
        found.check_growth()?;
        Ok(format!("{target:<18} {found}; the kept inputs reach {}", known.now))
    }

    /// Fuzzes on from the kept inputs, and keeps what reaches new code.
    fn fuzz(&self, target: &str, minutes: u64) -> bool {
        let seconds = format!("-max_total_time={}", minutes * 60);
        let kept = self.corpus(target);
        if let Err(error) = fs::create_dir_all(&kept) {
            println!("{}: {error}", kept.display());
            return false;
        }
        println!("== {target}: {minutes} minutes");
        self.command(target).arg(seconds).arg(kept).status().is_ok_and(|status| status.success())
    }

    /// The fewest kept inputs that reach the same edges of the code, however
    /// often each passes them.
    fn minimise(&self, target: &str) -> bool {
        println!("== {target}");
        let (kept, fewer) = (self.corpus(target), self.scratch.join("fewer").join(target));
        let _ = fs::remove_dir_all(&fewer);
        if let Err(error) = fs::create_dir_all(&fewer) {
            println!("{}: {error}", fewer.display());
            return false;
        }
        let mut merge = self.command(target);
        merge.args(["-set_cover_merge=1", "-use_counters=0"]).arg(&fewer).arg(&kept);
        let merged = merge.status().is_ok_and(|status| status.success());
        merged && replace(&kept, &fewer).inspect_err(|error| println!("{}: {error}", kept.display())).is_ok()
    }
}

/// Puts the files of one folder in place of those of another.
fn replace(old: &Path, new: &Path) -> std::io::Result<()> {
    fs::remove_dir_all(old)?;
    fs::create_dir_all(old)?;
    for file in fs::read_dir(new)? {
        let file = file?;
        fs::copy(file.path(), old.join(file.file_name()))?;
    }
    Ok(())
}

/// Runs a target and reads what it says of its coverage; where it fails, its
/// last words.
fn coverage(command: &mut Command) -> Result<Coverage, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let lines: Vec<&str> = text.lines().collect();
        let last = lines[lines.len().saturating_sub(30)..].join("\n");
        return Err(format!("it ended with {}\n{last}", output.status));
    }
    Coverage::read(&text).ok_or_else(|| "it says nothing of its coverage: it was built without instrumentation".into())
}

/// The triple that this machine compiles for.
fn host() -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

/// Where this project builds.
fn target_folder(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Option<Wish> {
        Wish::read(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn targets_and_minutes_are_read_in_any_order() {
        let wish = Wish { targets: vec!["names".into(), "games".into()], minutes: 7, minimise: false };
        assert_eq!(read(&["names", "--minutes", "7", "games"]), Some(wish));
        assert_eq!(read(&[]), Some(Wish { targets: Vec::new(), minutes: USUAL_MINUTES, minimise: false }));
        for wrong in [&["--minutes"][..], &["--minutes", "x"], &["--jobs"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}

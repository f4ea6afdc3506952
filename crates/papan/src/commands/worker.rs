//! `papan worker`: does jobs of a queue, or says how the queue is.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, process};

use papan_arena::cores;
use papan_nats::{Conduct, Status, WorkerOptions, as_token, read_status, work};

use crate::cli::WorkerArgs;
use crate::error::CliError;
use crate::fleet::args::time;
use crate::fleet::caps::Caps;
use crate::fleet::games::House;
use crate::fleet::performer::AllHands;
use crate::{fleet, interrupt, output};

pub(crate) fn run(args: &WorkerArgs) -> Result<(), CliError> {
    let mut queue = args.access.to(&args.queue)?;
    if args.status {
        let status = read_status(&queue)?;
        let printed = if args.json { output::json(&status) } else { output::text(&words(&status)) };
        return Ok(printed?);
    }
    // Servers let a worker speak under the name of its user.
    let name = as_token(&args.name.clone().or_else(|| queue.user_name()).unwrap_or_else(usual_name));
    queue.inbox = Some(name.clone());
    let lanes = args.jobs.map_or_else(cores::count, usize::from);
    let folder = WorkFolder::new(args.folder.as_deref())?;
    // A level that is no level is a mistake now, not at the first tournament.
    let demand = args.demand.demand(None)?;
    #[cfg(target_os = "linux")]
    if let Err(error) = crate::contestant::sandbox(demand, Default::default()) {
        if demand.explicit {
            return Err(error);
        }
        output::note(&format!("no outside programs are run here: {error}"));
    }
    let options = WorkerOptions {
        queue,
        name,
        lanes,
        patience: time("--patience", &args.patience)?,
        idle: args.idle.as_deref().map(|text| time("--idle", text)).transpose()?,
        folder: folder.path.clone(),
    };
    let house = House {
        no_programs: args.no_programs,
        demand,
        lanes,
        caps: Caps::new(args.memory, options.patience),
        stderr: folder.path.join("stderr"),
    };
    let performer = Arc::new(AllHands::new(house));
    let done = work(&options, performer, &interrupt::token(), fleet::teller())?;
    drop(folder);
    let done = output::grouped(done);
    if interrupt::token().is_stopped() {
        return Err(CliError::Interrupted(format!("stopped; {done} jobs done, those in hand are given back")));
    }
    output::note(&format!("{done} jobs done"));
    // Whatever still plays has been given back, and is played by another.
    process::exit(0)
}

/// The machine's name and this process's number.
fn usual_name() -> String {
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_else(|_| "worker".to_owned());
    format!("{}-{}", machine.trim(), process::id())
}

/// A folder for programs, which another user can enter.
struct WorkFolder {
    path: PathBuf,
    /// Gone with us.
    temporary: bool,
}

impl WorkFolder {
    fn new(asked: Option<&Path>) -> Result<Self, CliError> {
        let temporary = asked.is_none();
        let path =
            asked.map_or_else(|| env::temp_dir().join(format!("papan-worker-{}", process::id())), Path::to_owned);
        let made = || {
            if temporary {
                // Left over from a process that had our number and was killed.
                let _ = fs::remove_dir_all(&path);
                fs::create_dir(&path)?;
            }
            for part in [path.clone(), path.join("bots"), path.join("stderr")] {
                fs::create_dir_all(&part)?;
                open_to_all(&part)?;
            }
            fs::canonicalize(&path)
        };
        let path = made().map_err(|source| CliError::File { path: path.clone(), source })?;
        Ok(Self { path, temporary })
    }
}

#[cfg(unix)]
fn open_to_all(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if self.temporary {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

fn words(status: &Status) -> String {
    let mut text = format!(
        "{} worker{}, {:.1} jobs/s; {} jobs in the queue, {} of them in work\n",
        status.workers.len(),
        if status.workers.len() == 1 { "" } else { "s" },
        status.rate,
        output::grouped(status.queued),
        output::grouped(status.in_work as u64)
    );
    for run in &status.runs {
        let left = run.left.map_or_else(|| "?".to_owned(), duration);
        let (done, total) = (output::grouped(run.done), output::grouped(run.total));
        text += &format!("  {}: {done} of {total} done, {:.1}/s, {left} left\n", run.name, run.rate);
    }
    for (run, (name, conduct)) in status.runs.iter().flat_map(|run| run.workers.iter().map(move |one| (run, one))) {
        let Conduct { taken, refused, barred } = conduct;
        if *refused > 0 || *barred {
            let end = if *barred { ": nothing more is taken from it" } else { "" };
            text += &format!("  {}: {refused} results of {name} were refused, {taken} taken{end}\n", run.name);
        }
    }
    for worker in &status.workers {
        let (done, up) = (output::grouped(worker.done), duration(worker.up as f64));
        text += &format!(
            "  {:<24} {:>3} at once, {:>3} in hand, {done:>9} done, {:>7.1}/s, up {up}\n",
            worker.name, worker.jobs, worker.in_hand, worker.rate
        );
    }
    text
}

fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_readable() {
        assert_eq!(duration(59.4), "59 s");
        assert_eq!(duration(61.0), "1 min 1 s");
        assert_eq!(duration(7260.0), "2 h 1 min");
        assert_eq!(duration(90_000.0), "1 d 1 h");
    }
}

//! The launcher: this program, started again, that shuts itself in and then
//! becomes the bot. All work happens in a process of its own, so nothing has
//! to run between fork and exec.
//!
//! - `supervise PLAN` stays and starts `enter`; see [`super::supervisor`].
//! - `enter PLAN` sets limits and the user, then goes on to `confine`, through
//!   bubblewrap where that is used.
//! - `confine PLAN` applies Landlock and seccomp and becomes the program; a
//!   plan that is a probe says what was reached instead.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use super::level::{Confinement, SandboxLevel};
use super::plan::Plan;
use super::{bubblewrap, calls, files, limits, supervisor};

/// The exit code of a launcher that could not start the program.
pub(crate) const FAILED: i32 = 125;

/// Where programs are looked for.
pub(super) const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// Does what the launcher's arguments ask and gives the exit code. Does not
/// return where it becomes the program.
pub fn main(arguments: &[String]) -> i32 {
    let [task, plan] = arguments else {
        eprintln!("papan: the launcher takes a task and a plan");
        return FAILED;
    };
    let Ok(plan) = serde_json::from_str::<Plan>(plan) else {
        eprintln!("papan: the launcher cannot read its plan");
        return FAILED;
    };
    let result = match task.as_str() {
        "supervise" => supervisor::run(&plan),
        "enter" => enter(&plan).and_then(|()| finish(&plan)),
        "confine" => bubblewrap::take_output(&plan).and_then(|()| finish(&plan)),
        _ => Err(io::Error::other("the launcher does not know this task")),
    };
    result.unwrap_or_else(|error| {
        eprintln!("papan: sandbox: {error}");
        FAILED
    })
}

/// Limits and user; with bubblewrap, this process becomes it and goes on
/// inside with `confine`.
fn enter(plan: &Plan) -> io::Result<()> {
    let _ = rustix::process::setsid();
    if let Some(core) = plan.core {
        limits::bind_to(core)?;
    }
    if plan.level == SandboxLevel::None {
        return Ok(());
    }
    limits::apply(&plan.limits)?;
    if let Some(uid) = plan.uid {
        limits::become_user(uid)?;
    }
    limits::apply_processes(&plan.limits)?;
    match &plan.bubblewrap {
        Some(program) => Err(bubblewrap::become_inside(program, plan)),
        None => Ok(()),
    }
}

fn confine(plan: &Plan) -> io::Result<Confinement> {
    let mut layers = vec!["rlimits".to_owned(), "empty environment".to_owned()];
    layers.extend(plan.uid.map(|_| "own uid".to_owned()));
    layers.extend(plan.bubblewrap.as_ref().map(|_| "bubblewrap".to_owned()));
    let landlock = files::confine(&plan.readable, &plan.temporary).map_err(io::Error::other)?;
    layers.extend(landlock.map(|version| format!("landlock {version}")));
    let seccomp = calls::confine()?;
    layers.extend(seccomp.then(|| "seccomp".to_owned()));
    let level = match (landlock.is_some() && seccomp, plan.uid.is_some() || plan.bubblewrap.is_some()) {
        (true, true) => SandboxLevel::Isolated,
        (true, false) => SandboxLevel::Confined,
        _ => SandboxLevel::Limited,
    };
    Ok(Confinement { level, layers })
}

fn finish(plan: &Plan) -> io::Result<i32> {
    if plan.probe { probe(plan) } else { confine_and_become(plan) }
}

fn confine_and_become(plan: &Plan) -> io::Result<i32> {
    env::set_current_dir(&plan.folder)
        .map_err(|error| io::Error::other(format!("{}: {error}", plan.folder.display())))?;
    if plan.level != SandboxLevel::None {
        let reached = confine(plan)?.level;
        if reached < plan.level {
            return Err(io::Error::other(format!("reached only {reached}, expected {}", plan.level)));
        }
    }
    let [program, arguments @ ..] = plan.command.as_slice() else {
        return Err(io::Error::other("there is no command"));
    };
    let error = Command::new(program).args(arguments).env_clear().envs(environment(&plan.temporary)).exec();
    Err(io::Error::new(error.kind(), format!("{program} cannot be started: {error}")))
}

fn probe(plan: &Plan) -> io::Result<i32> {
    println!("{}", serde_json::to_string(&confine(plan)?)?);
    Ok(0)
}

/// The whole environment of a bot.
fn environment(temporary: &Path) -> [(&'static str, OsString); 4] {
    let temporary = temporary.as_os_str().to_owned();
    [("PATH", PATH.into()), ("LANG", "C.UTF-8".into()), ("HOME", temporary.clone()), ("TMPDIR", temporary)]
}

/// The launcher again, for the next step of `plan`.
pub(super) fn next_step(task: &str, plan: &Plan) -> io::Result<Vec<String>> {
    let mut words = plan.launcher.clone();
    words.push(task.to_owned());
    words.push(serde_json::to_string(plan)?);
    Ok(words)
}

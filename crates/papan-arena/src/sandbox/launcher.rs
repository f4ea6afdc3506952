//! The launcher: this program, started again, that shuts itself in and then
//! becomes the bot. All work happens in a process of its own, so nothing has
//! to run between fork and exec.
//!
//! - `supervise PLAN` stays outside and starts `init`; see
//!   [`super::supervisor`].
//! - `wrap PLAN` becomes bubblewrap, which starts `init`, where that is used.
//! - `init PLAN` is the first process inside, builds the new root, stays, and
//!   starts `confine`; see [`super::init`].
//! - `confine PLAN` sets limits and the user, applies Landlock and seccomp and
//!   becomes the program; a plan that is a probe says what was reached instead.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use super::cgroup::Cgroup;
use super::level::{Confinement, SandboxLevel};
use super::plan::{Plan, Walls};
use super::{bubblewrap, calls, descriptors, files, init, limits, privileges, supervisor};

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
        "wrap" => wrap(&plan),
        "init" => init::run(&plan),
        "confine" => take_pipes(&plan).and_then(|()| if plan.probe { probe(&plan) } else { become_program(&plan) }),
        _ => Err(io::Error::other("the launcher does not know this task")),
    };
    result.unwrap_or_else(|error| {
        eprintln!("papan: sandbox: {error}");
        FAILED
    })
}

/// Becomes bubblewrap, as the program's own user where it has one.
fn wrap(plan: &Plan) -> io::Result<i32> {
    let Walls::Bubblewrap(program) = &plan.walls else {
        return Err(io::Error::other("there is nothing to wrap with"));
    };
    descriptors::close_on_exec(&plan.pipes)?;
    join_group(plan)?;
    if let Some(uid) = plan.uid {
        limits::become_user(uid)?;
    }
    Err(bubblewrap::become_inside(program, plan))
}

/// Joins the plan's control group, with all that is started from here on.
pub(super) fn join_group(plan: &Plan) -> io::Result<()> {
    plan.group.as_ref().map_or(Ok(()), |group| Cgroup::join(&group.folder))
}

/// Takes the program's own input and output, and a session of its own.
fn take_pipes(plan: &Plan) -> io::Result<()> {
    for (place, number) in (0..).zip(plan.pipes) {
        descriptors::take_over(number, place)?;
    }
    let _ = rustix::process::setsid();
    Ok(())
}

/// Applies every layer that is left, each of which this process and all that
/// it starts keep for good.
fn confine(plan: &Plan) -> io::Result<Confinement> {
    let mut layers = vec!["rlimits".to_owned(), "empty environment".to_owned()];
    limits::apply(&plan.limits)?;
    let wrapped = matches!(plan.walls, Walls::Bubblewrap(_));
    if let Some(uid) = plan.uid {
        // Inside bubblewrap we are that user already.
        if !wrapped {
            limits::become_user(uid)?;
        }
        layers.push("own uid".to_owned());
    }
    limits::apply_processes(&plan.limits, plan.walls != Walls::None || plan.uid.is_some())?;
    privileges::drop_all()?;
    layers.extend(match plan.walls {
        Walls::None => None,
        Walls::Own => Some("namespaces".to_owned()),
        Walls::Bubblewrap(_) => Some("bubblewrap".to_owned()),
    });
    layers.extend(plan.group.as_ref().map(|group| group.holds.clone()));
    let landlock = files::confine(&plan.readable, plan.writable()).map_err(io::Error::other)?;
    layers.extend(landlock.map(|version| format!("landlock {version}")));
    let seccomp = calls::confine()?;
    layers.extend(seccomp.then(|| "seccomp".to_owned()));
    let level = match (landlock.is_some() && seccomp, plan.walls != Walls::None) {
        (true, true) => SandboxLevel::Isolated,
        (true, false) => SandboxLevel::Confined,
        _ => SandboxLevel::Limited,
    };
    Ok(Confinement { level, layers })
}

fn become_program(plan: &Plan) -> io::Result<i32> {
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
    descriptors::close_on_exec(&[])?;
    let error = Command::new(program).args(arguments).env_clear().envs(environment(plan.writable())).exec();
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

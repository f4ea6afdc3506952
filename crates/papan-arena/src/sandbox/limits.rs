//! Layers one and two: resource limits and a user id of its own.

use std::io;
use std::{fs, os::unix::fs::MetadataExt as _};

use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit};
use rustix::thread::{CpuSet, sched_setaffinity, set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use super::plan::ResourceLimits;
use super::privileges;

/// The first of the user ids given to bots; the launcher's process id is
/// added, so that no two bots share one.
pub(super) const FIRST_UID: u32 = 1_900_000_000;

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    // Never above what we have ourselves: that would need a privilege.
    let most = rustix::process::getrlimit(resource).maximum.map_or(most, |own| own.min(most));
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Everything but the number of processes, which counts by user id and so
/// comes after [`become_user`].
pub(super) fn apply(limits: &ResourceLimits) -> io::Result<()> {
    // What is written counts as data. Runtimes such as Java and V8 reserve far
    // more addresses than they use, so addresses get a wider bound.
    limit(Resource::Data, limits.memory)?;
    limit(Resource::As, limits.memory.saturating_mul(4))?;
    limit(Resource::Stack, 64 << 20)?;
    limit(Resource::Fsize, limits.file_size)?;
    limit(Resource::Nofile, limits.open_files)?;
    limit(Resource::Cpu, limits.cpu_seconds)?;
    limit(Resource::Core, 0)
}

/// Binds this process and all that it starts to one core.
pub(super) fn bind_to(core: usize) -> io::Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core);
    Ok(sched_setaffinity(None, &cores)?)
}

/// Gives up this user, its groups and every privilege for good.
pub(super) fn become_user(uid: u32) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(uid));
    set_thread_groups(&[])?;
    set_thread_res_gid(group, group, group)?;
    privileges::drop_bounds()?;
    set_thread_res_uid(user, user, user)?;
    Ok(())
}

/// Limits the processes of the user that we now are. The kernel counts them
/// in each namespace for users apart, so a user of its own or namespaces of
/// its own (`counted_apart`) make the limit the program's alone: the first
/// process inside is one more. Otherwise the user keeps what runs already, and
/// the limit is on top of that.
pub(super) fn apply_processes(limits: &ResourceLimits, counted_apart: bool) -> io::Result<()> {
    let others = if counted_apart { 1 } else { tasks_of(rustix::process::getuid().as_raw()) };
    limit(Resource::Nproc, limits.processes + others)
}

fn tasks_of(uid: u32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let is_own = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| data.uid() == uid);
    let tasks = |entry: fs::DirEntry| fs::read_dir(entry.path().join("task")).map_or(0, |tasks| tasks.count() as u64);
    entries.flatten().filter(is_own).map(tasks).sum()
}

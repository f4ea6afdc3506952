//! Control groups with real processes. Where none can be had (an ordinary user
//! without a subtree of their own) the tests see that this is said quietly.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use papan_arena::sandbox::ResourceLimits;
use papan_arena::sandbox::cgroup::Cgroup;

/// Tells this test program, started again, that it is an arena to be killed.
const ARENA: &str = "PAPAN_TEST_ARENA";

/// A group, or none if this machine cannot have one.
fn group() -> Option<Cgroup> {
    let group = Cgroup::for_bot(&ResourceLimits::default());
    let tree = [Path::new("/sys/fs/cgroup"), Path::new("/sys/fs/cgroup/unified")];
    let could = tree.iter().any(|tree| fs::File::options().write(true).open(tree.join("cgroup.procs")).is_ok());
    assert!(group.is_some() || !could, "the root of all groups is open to us, but no group was made");
    group
}

/// A shell in the group that runs `script` once it is there: what it started
/// before would stay outside.
fn shell(group: &Cgroup, script: &str) -> Child {
    let script = format!("read go; {script}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut shell = shell.spawn().unwrap();
    group.add(shell.id()).unwrap();
    shell.stdin.take().unwrap().write_all(b"go\n").unwrap();
    shell
}

/// Ticks of CPU time that a process has had.
fn cpu_time(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<_> = stat[stat.rfind(')').unwrap() + 1..].split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn within(seconds: u64, mut is_so: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    is_so()
}

fn runs(pid: u32) -> bool {
    // A process that has ended but is not buried yet does not run.
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat[stat.rfind(')').unwrap()..].starts_with(") Z"))
}

#[test]
fn a_frozen_process_gets_no_cpu_time() {
    let Some(group) = group() else { return };
    assert!(group.has_freezer());
    let mut spinner = shell(&group, "while :; do :; done");
    assert!(within(20, || cpu_time(spinner.id()) > 5), "it should spin");
    for _ in 0..3 {
        group.freeze().unwrap();
        let before = cpu_time(spinner.id());
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(cpu_time(spinner.id()), before, "a frozen process had CPU time");
        group.thaw().unwrap();
        assert!(within(20, || cpu_time(spinner.id()) > before + 2), "it should go on");
    }
    group.kill().unwrap();
    spinner.wait().unwrap();
}

#[test]
fn a_tree_that_forks_on_is_killed_whole_even_when_frozen() {
    for freeze in [false, true] {
        let Some(group) = group() else { return };
        let folder = group.folder().to_owned();
        let mut forker = shell(&group, "while :; do setsid sleep 1000 & (sleep 1000 & sleep 0.01) ; done");
        let members = || -> Vec<u32> {
            fs::read_to_string(folder.join("cgroup.procs")).unwrap().lines().map(|pid| pid.parse().unwrap()).collect()
        };
        assert!(within(20, || members().len() > 20), "it should have forked");
        if freeze {
            group.freeze().unwrap();
        }
        let seen = members();
        group.kill().unwrap();
        assert_eq!(members(), Vec::<u32>::new());
        forker.wait().unwrap();
        assert!(within(5, || seen.iter().all(|&pid| !runs(pid))), "some still run");
        drop(group);
        assert!(!folder.exists(), "the group was not removed");
    }
}

#[test]
fn limits_are_set_where_there_are_controllers() {
    let limits = ResourceLimits { memory: 96 << 20, processes: 7, ..ResourceLimits::default() };
    let Some(group) = Cgroup::for_bot(&limits) else { return };
    let read = |file| fs::read_to_string(group.folder().join(file)).map(|text| text.trim().to_owned()).ok();
    assert_eq!(group.has_memory(), read("memory.max").is_some());
    assert_eq!(group.has_processes(), read("pids.max").is_some());
    if group.has_memory() {
        assert_eq!(read("memory.max").unwrap(), (96 << 20).to_string());
        assert_eq!(read("memory.oom.group").unwrap(), "1");
    }
    if group.has_processes() {
        assert_eq!(read("pids.max").unwrap(), "7");
    }
    assert_eq!(group.memory_peak().is_some(), read("memory.peak").is_some());
    assert_eq!(group.bind_to(0).is_ok(), read("cpuset.cpus").is_some_and(|cores| cores == "0"));
}

/// This test program, started again as an arena: it makes a group, puts a
/// process into it, tells both and waits.
fn arena(command: &mut Command) -> (Child, Option<(PathBuf, u32)>) {
    let mut arena = command.env(ARENA, "1").stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let lines = BufReader::new(arena.stdout.take().unwrap()).lines();
    let told = lines.map_while(Result::ok).find_map(|line| line.split_once("group ").map(|(_, rest)| rest.to_owned()));
    let told = told.and_then(|told| {
        let (pid, folder) = told.split_once(' ')?;
        Some((PathBuf::from(folder), pid.parse().ok()?))
    });
    (arena, told)
}

#[test]
fn an_arena_of_its_own() {
    if std::env::var_os(ARENA).is_none() {
        return;
    }
    let Some(group) = Cgroup::for_bot(&ResourceLimits::default()) else {
        println!("group none");
        return;
    };
    let mut sleeper = shell(&group, "exec sleep 1000");
    println!("group {} {}", sleeper.id(), group.folder().display());
    sleeper.wait().unwrap();
}

const AS_ARENA: [&str; 3] = ["--exact", "an_arena_of_its_own", "--nocapture"];

#[test]
fn what_a_killed_arena_left_is_removed_by_the_next() {
    let program = std::env::current_exe().unwrap();
    let (mut killed, told) = arena(Command::new(&program).args(AS_ARENA));
    let Some((folder, pid)) = told else {
        assert!(group().is_none(), "a second arena had no group");
        killed.wait().unwrap();
        return;
    };
    let (mut living, other) = arena(Command::new(&program).args(AS_ARENA));
    let (others_folder, others_pid) = other.unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(folder.exists() && runs(pid), "nothing was left, so this test shows nothing");
    let (mut next, told) = arena(Command::new(&program).args(AS_ARENA));
    assert!(!folder.exists(), "{} was left", folder.display());
    assert!(!runs(pid), "a process of a dead arena still runs");
    assert!(others_folder.exists() && runs(others_pid), "another arena's group was touched");
    for arena in [&mut living, &mut next] {
        arena.kill().unwrap();
        arena.wait().unwrap();
    }
    for folder in [others_folder, told.unwrap().0] {
        let _ = fs::write(folder.join("cgroup.kill"), "1");
        assert!(within(5, || fs::remove_dir(&folder).is_ok()));
    }
}

/// An ordinary user with a subtree of their own, as a service manager gives it:
/// groups are made beside the arena's, and it stays where it is.
#[test]
fn an_ordinary_user_uses_a_subtree_of_their_own() {
    const USER: u32 = 1_899_999_999;
    let Some(ours) = group() else { return };
    if !is_root() {
        return;
    }
    let tree = ours.folder().with_file_name(format!("papan-test-tree-{}", std::process::id()));
    fs::create_dir(&tree).unwrap();
    fs::create_dir(tree.join("shell")).unwrap();
    for part in ["", "cgroup.procs", "shell", "shell/cgroup.procs"] {
        std::os::unix::fs::chown(tree.join(part), Some(USER), Some(USER)).unwrap();
    }
    // The user may not be able to reach the folder of the tests' programs.
    let program = std::env::temp_dir().join(format!("papan-test-cgroup-{}", std::process::id()));
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let script = "echo $$ >\"$0\"/cgroup.procs && exec setpriv --reuid \"$1\" --regid \"$1\" --clear-groups \"$2\" \
                  --exact an_arena_of_its_own --nocapture";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(tree.join("shell")).arg(USER.to_string()).arg(&program);
    let (mut arena, told) = arena(&mut command);
    let (folder, pid) = told.expect("no group in a subtree of its own");
    let member = fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap();
    let own = fs::read_to_string(format!("/proc/{}/cgroup", arena.id())).unwrap();
    fs::write(tree.join("cgroup.kill"), "1").unwrap();
    arena.wait().unwrap();
    fs::remove_file(program).unwrap();
    for folder in [&folder, &tree.join("shell"), &tree] {
        assert!(within(5, || fs::remove_dir(folder).is_ok()), "{}", folder.display());
    }
    assert_eq!(folder.parent(), Some(tree.as_path()));
    let name = folder.file_name().unwrap().to_str().unwrap();
    assert!(member.lines().any(|line| line.starts_with("0::") && line.ends_with(name)), "{member}");
    assert!(own.lines().any(|line| line.starts_with("0::") && line.ends_with("/shell")), "{own}");
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

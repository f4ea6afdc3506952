//! Programs that attack limits, opponents, other games and the arena itself.

use std::os::unix::process::CommandExt as _;
use std::sync::Mutex;

use super::*;

/// Sleeps for a while over each move, and notes what CPU time all processes
/// that name `folder` used meanwhile, and whether one wanted to run in the end.
/// It may also wake them.
struct Sleeper {
    folder: String,
    wakes: bool,
    seen: Arc<Mutex<Vec<(Duration, bool)>>>,
}

/// How long the sleeper takes.
const SLEEP: Duration = Duration::from_millis(400);

impl<P: Position> Bot<P> for Sleeper {
    fn choose_observed<O: Observer<P>>(
        &mut self,
        position: &P,
        budget: &Budget,
        observer: &mut O,
    ) -> Decision<P::Move> {
        let before = cpu_time(&self.folder);
        for _ in 0..10 {
            if self.wakes {
                let pids = processes_naming(&self.folder).into_iter().map(|pid| pid.to_string());
                let _ = Command::new("kill").arg("-CONT").args(pids).stderr(Stdio::null()).status();
            }
            std::thread::sleep(SLEEP / 10);
        }
        let used = cpu_time(&self.folder).saturating_sub(before);
        let runs = threads_naming(&self.folder).any(|thread| {
            let stat = fs::read_to_string(thread.join("stat")).unwrap_or_default();
            stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('R'))
        });
        self.seen.lock().unwrap().push((used, runs));
        LastMove.choose_observed(position, budget, observer)
    }
}

/// The CPU time of every thread of every process that names `text`, to the
/// nanosecond.
fn cpu_time(text: &str) -> Duration {
    let files = threads_naming(text).map(|thread| thread.join("schedstat"));
    let used = files.filter_map(|file| fs::read_to_string(file).ok()?.split(' ').next()?.parse::<u64>().ok());
    Duration::from_nanos(used.sum())
}

/// The folder of every thread of every process that names `text`.
fn threads_naming(text: &str) -> impl Iterator<Item = PathBuf> {
    let threads = |pid| fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    processes_naming(text).into_iter().flat_map(threads).map(|thread| thread.path())
}

/// Plays to the end without a fault, and says what the program said.
#[track_caller]
fn told(bad: &Bad, rules: &Rules) -> String {
    let record = bad.play(rules);
    assert_eq!(record.verdict, Verdict::Finished, "{:?} {}", record.faults, bad.stderr());
    bad.stderr()
}

/// A program that tries many things: every one must be refused.
#[track_caller]
fn assert_all_refused(bad: &Bad) -> String {
    let said = told(bad, &bad.rules());
    assert!(!said.contains("DONE") && said.contains("refused"), "{said}");
    said
}

/// The most MiB that a hog got hold of in one of its ways.
fn most_held(way: &str) -> u64 {
    let mut bad = Bad::new("hogs.py");
    bad.argument = way.to_owned();
    bad.limits.memory = 256 << 20;
    bad.limits.temporary = 64 << 20;
    bad.limits.processes = 200;
    bad.play(&bad.rules());
    let said = bad.stderr();
    let refused = said.contains("refused") || said.contains("papan: sandbox: ended");
    assert!(refused, "{way}: {said}");
    let held = said.lines().filter_map(|line| line.strip_prefix("held ")?.parse().ok());
    held.max().unwrap_or(0)
}

/// Memory may be a little over the limit before that is seen.
#[track_caller]
pub(super) fn assert_memory_bound(way: &str) {
    let most = most_held(way);
    assert!(most <= 256 + 96, "{way} held {most} MiB");
}

#[track_caller]
fn assert_disk_bound(way: &str) {
    let most = most_held(way);
    assert!(most <= 64, "{way} held {most} MiB");
}

#[test]
fn memory_files_do_not_escape_the_limit() {
    assert_memory_bound("memfd");
}

#[test]
fn shared_memory_does_not_escape_the_limit() {
    assert_memory_bound("shared");
    assert_memory_bound("zero");
    assert_memory_bound("sysv");
}

#[test]
fn memory_in_pipes_and_sockets_does_not_escape_the_limit() {
    assert_memory_bound("vmsplice");
    assert_memory_bound("sockets");
}

#[test]
fn memory_of_children_in_sessions_of_their_own_counts() {
    assert_memory_bound("anonymous");
}

#[test]
fn unlinked_files_fill_no_disk() {
    assert_disk_bound("unlinked");
}

#[test]
fn files_beyond_the_longest_path_fill_no_disk() {
    assert_disk_bound("deep");
}

#[test]
fn unreadable_folders_fill_no_disk() {
    assert_disk_bound("unreadable");
}

#[test]
fn many_empty_files_are_too_many() {
    let most = most_held("small_files");
    assert!(most <= 20_000 * 4096 / (1 << 20) + 8, "{most}");
}

#[test]
fn a_bot_stays_on_its_core_with_a_hundred_children() {
    let mut bad = Bad::new("takes_cores.py");
    bad.limits.processes = 128;
    let core = papan_arena::cores::allowed()[0];
    let said = told(&bad, &Rules { core: Some(core), ..bad.rules() });
    assert!(!said.contains("DONE"), "{said}");
    let cores: Vec<_> = said.lines().filter(|line| line.starts_with("cores")).collect();
    assert_eq!(cores, vec![format!("cores [{core}]"); 2], "its own and its last child's: {said}");
}

/// A game against the sleeper, and the CPU time used while it slept.
fn play_a_sleeper(bad: &Bad, wakes: bool, sandbox: Arc<Sandbox>, rules: &Rules) -> (GameRecord, Vec<(Duration, bool)>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let folder = bad.folder.0.to_str().unwrap().to_owned();
    let sleeper =
        Box::new(SeatedBot::<TicTacToe<u64>>::new(Box::new(Sleeper { folder, wakes, seen: Arc::clone(&seen) })));
    let mut first = Player::outside("bad", bad.program_in(sandbox));
    let record = play_between(&mut first, &mut Player::in_process("sleeper", sleeper), rules);
    let seen = seen.lock().unwrap().clone();
    (record, seen)
}

#[test]
fn a_bot_does_not_run_while_its_opponent_is_to_move() {
    let bad = Bad::new("burns_out_of_turn.py");
    let (record, seen) = play_a_sleeper(&bad, false, sandbox(bad.limits), &bad.rules());
    bad.assert_nothing_left();
    let said = bad.stderr();
    assert_eq!(record.verdict, Verdict::Finished, "{:?} {said}", record.faults);
    assert!(!said.contains("DONE") && said.contains("refused timer"), "{said}");
    assert!(seen.len() >= 2, "{seen:?}");
    // The first process inside looks now and then whether all stand still.
    let still = |&(used, _): &(Duration, bool)| used < SLEEP / 20;
    assert!(seen.iter().all(still), "in {SLEEP:?} each: {seen:?}");
}

/// Only where both sides have cores of their own, and it is wanted.
#[test]
fn a_bot_that_may_ponder_runs_on_its_own_core() {
    let (bad, cores) = (Bad::new("burns_out_of_turn.py"), papan_arena::cores::allowed());
    let [core, second_core] = papan_arena::cores::of_game(0, &cores, true);
    let rules = Rules { ponder: true, core, second_core, ..bad.rules() };
    let (record, seen) = play_a_sleeper(&bad, false, sandbox(bad.limits), &rules);
    bad.assert_nothing_left();
    assert_eq!(record.verdict, Verdict::Finished, "{:?}", record.faults);
    assert_eq!(seen.iter().any(|&(_, runs)| runs), cores.len() >= 2, "{seen:?}");
}

/// If a program finds a way to be woken after all (here it has help from
/// outside, and no sandbox), that is seen.
#[test]
fn a_bot_that_wakes_itself_out_of_turn_is_ended() {
    let bad = Bad::new("burns_out_of_turn.py");
    let (record, _) = play_a_sleeper(&bad, true, Arc::new(Sandbox::off(launcher())), &bad.rules());
    bad.assert_nothing_left();
    assert_lost(&record, Verdict::Crash);
    assert!(bad.stderr().contains("ran again and again while it was not its turn"), "{}", bad.stderr());
}

/// Where no namespaces can be had, the level is lower and says so; what is
/// refused by the kernel's filters and counted by the arena holds all the same.
#[test]
fn without_namespaces_the_level_is_confined_and_the_filters_hold() {
    let limits = ResourceLimits { processes: 128, ..ResourceLimits::default() };
    let bare = Arc::new(Sandbox::find_with(launcher(), limits, Wanted::Nothing).unwrap());
    assert_eq!(bare.reached().level, SandboxLevel::Confined, "{}", bare.reached());
    for (name, argument) in [
        ("changes_rights.py", format!("{0}:{0}", program())),
        ("takes_cores.py", String::new()),
        ("hogs.py", "memfd".to_owned()),
        ("hogs.py", "shared".to_owned()),
        ("burns_out_of_turn.py", String::new()),
    ] {
        let bad = Bad { argument, ..Bad::new(name) };
        let record = play(&mut Player::outside("bad", bad.program_in(Arc::clone(&bare))), &bad.rules());
        bad.assert_nothing_left();
        assert_eq!(record.verdict, Verdict::Finished, "{name}: {:?}", record.faults);
        let said = bad.stderr().replace("DONE own time", "");
        assert!(!said.contains("DONE") && !said.contains("held") && said.contains("refused"), "{name}: {said}");
    }
}

#[test]
fn a_bot_that_fills_its_processes_takes_none_of_its_rival() {
    let (bad, honest) = (Bad::new("fills_processes.py"), Bad::new("starts_programs.py"));
    let mut players = [Player::outside("bad", bad.program()), Player::outside("honest", honest.program())];
    let [first, second] = &mut players;
    let record = play_between(first, second, &bad.rules());
    assert_eq!(record.verdict, Verdict::Finished, "{:?}", record.faults);
    drop(players);
    assert_eq!(bad.processes().len() + honest.processes().len(), 0);
}

#[test]
fn rights_of_files_are_not_changed() {
    let (mut bad, others) = (Bad::new("changes_rights.py"), Folder::new());
    let (rival, private) = (others.0.join("rival.py"), others.0.join("private"));
    for (file, mode) in [(&rival, 0o644), (&private, 0o600)] {
        fs::write(file, "text").unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    }
    bad.argument = format!("{}:{}", rival.display(), private.display());
    let before = fs::metadata(&bad.file).unwrap().modified().unwrap();
    assert_all_refused(&bad);
    let mode = |file: &Path| fs::metadata(file).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(&rival), mode(&private), mode(&bad.file)), (0o644, 0o600, 0o755));
    assert_eq!(fs::metadata(&bad.file).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_to_string(rival).unwrap(), "text");
}

/// Another process with a secret in its command line, ended when dropped.
struct Secretive(std::process::Child);

impl Secretive {
    fn new(word: &str) -> Self {
        Self(Command::new("sleep").arg0(word).arg("60").spawn().unwrap())
    }
}

impl Drop for Secretive {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Looks for other processes, for files that the arena has open (the next test
/// opens one), and for what lies beside its own folder.
#[test]
fn neither_processes_nor_open_files_nor_neighbours_are_seen() {
    let word = "papan-secret-word";
    let (_other, _neighbour) = (Secretive::new(word), Folder::new());
    let mut bad = Bad::new("looks_around.py");
    let backwards: String = word.chars().rev().collect();
    let beside = bad.folder.0.parent().unwrap().display().to_string();
    bad.argument = format!("{}:{backwards}:{beside}", std::process::id());
    let said = assert_all_refused(&bad);
    assert!(said.contains("processes 2\n"), "its own and the first one: {said}");
}

#[test]
fn files_that_the_arena_inherited_stay_outside() {
    let script = r#"exec 9</etc/passwd; exec "$0" --exact "$1""#;
    let test = "bad_bots::hostile::neither_processes_nor_open_files_nor_neighbours_are_seen";
    let own = env::current_exe().unwrap();
    let output = Command::new("sh").args(["-c", script]).arg(own).arg(test).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn one_game_leaves_nothing_for_the_next() {
    let mut bad = Bad::new("leaves_messages.py");
    bad.argument = std::process::id().to_string();
    for _ in 0..2 {
        bad.play(&bad.rules());
    }
    let said = bad.stderr();
    assert!(
        !said.contains("FOUND") || said.matches("refused FOUND").count() == said.matches("FOUND").count(),
        "{said}"
    );
    assert!(said.matches("refused left memory").count() == 2, "{said}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn calls_in_the_form_of_another_architecture_are_the_end() {
    let mut bad = Bad::new("foreign_calls.c");
    let program = bad.folder.0.join("foreign_calls");
    let compiled = Command::new("cc").arg("-o").arg(&program).arg(&bad.file).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    fs::remove_file(&bad.file).unwrap();
    bad.file = program;
    for form in ["x32", "int80"] {
        bad.argument = form.to_owned();
        let record = bad.play(&bad.rules());
        assert_lost(&record, Verdict::Crash);
        assert!(record.faults[0].detail.contains("signal 31"), "{form}: {:?}", record.faults);
        assert!(!bad.stderr().contains("DONE"), "{}", bad.stderr());
    }
}

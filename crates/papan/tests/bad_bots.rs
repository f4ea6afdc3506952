//! Real programs that misbehave: each ends with the right verdict, the games
//! go on, no process is left over, and nothing outside is read or written.
//! Run as root, the whole file runs again as an ordinary user.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use papan_arena::outside::{CommandError, Form};
use papan_arena::sandbox::{ResourceLimits, Sandbox, SandboxLevel, Wanted};
use papan_arena::{GameRecord, Limits, OutsideProgram, Penalty, Player, Policies, Rules, Verdict, referee};
use papan_core::error::Subject;
use papan_core::table::{GameTable, SeatedBot};
use papan_core::{Bot, Budget, Decision, Game as _, MoveSet as _, Observer, Position, Settings, Spec};
use papan_games::tic_tac_toe::TicTacToe;

mod cunning;
mod hostile;

const OTHER_USER: &str = "65534";

/// The start of the names of all tests here.
const ALL_OF_IT: &str = "bad_bots::";

/// Answers at once with the last legal move.
struct LastMove;

impl<P: Position> Bot<P> for LastMove {
    fn choose_observed<O: Observer<P>>(&mut self, position: &P, _: &Budget, _: &mut O) -> Decision<P::Move> {
        let moves = position.legal_moves();
        Decision::unsearched(moves.nth(moves.len() - 1))
    }
}

/// The program whose hidden command is the sandbox's launcher.
fn program() -> String {
    env::var("PAPAN_TEST_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_papan").to_owned())
}

fn launcher() -> Vec<String> {
    vec![program(), "__sandbox".to_owned()]
}

fn sandbox(limits: ResourceLimits) -> Arc<Sandbox> {
    let wanted = if is_wrapped() { Wanted::Bubblewrap } else { Wanted::Own };
    Arc::new(Sandbox::find_with(launcher(), limits, wanted).expect("the sandbox can be set up"))
}

/// Is this the run with bubblewrap?
fn is_wrapped() -> bool {
    env::var("PAPAN_TEST_WRAP").is_ok()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0)
}

/// A folder that every user may enter, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("papan-bad-bots-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A bad bot in a folder of its own.
struct Bad {
    folder: Folder,
    file: PathBuf,
    argument: String,
    limits: ResourceLimits,
    form: Option<Form>,
}

impl Bad {
    fn new(name: &str) -> Self {
        let folder = Folder::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_bots").join(name);
        let file = folder.0.join(name);
        fs::copy(source, &file).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let limits = ResourceLimits { memory: 1 << 30, processes: 32, ..ResourceLimits::default() };
        Self { folder, file, argument: String::new(), limits, form: Some(Form::Simple) }
    }

    fn program(&self) -> OutsideProgram {
        self.program_in(sandbox(self.limits))
    }

    fn program_in(&self, sandbox: Arc<Sandbox>) -> OutsideProgram {
        let runner = match self.file.extension().and_then(|kind| kind.to_str()) {
            Some("py") => "python3",
            Some("sh") => "sh",
            _ => "",
        };
        let command = format!("{runner} {} {}", self.file.display(), self.argument);
        OutsideProgram::new(&command, self.form, sandbox).unwrap()
    }

    /// Plays a game as first player; afterwards nothing of it may be left.
    fn play(&self, rules: &Rules) -> GameRecord {
        let mut bad = Player::outside("bad", self.program());
        let record = play(&mut bad, rules);
        self.assert_nothing_left();
        record
    }

    fn assert_nothing_left(&self) {
        assert_eq!(self.processes(), Vec::<i32>::new(), "processes are left over");
        let files: Vec<_> = fs::read_dir(&self.folder.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        let own = |path: &&PathBuf| **path != self.file && path.extension().is_none_or(|kind| kind != "stderr");
        assert_eq!(files.iter().filter(own).count(), 0, "{files:?}");
        assert!(Command::new("true").status().unwrap().success(), "the machine still starts programs");
    }

    /// Every process that names the bot's folder, the supervisor included.
    fn processes(&self) -> Vec<i32> {
        processes_naming(self.folder.0.to_str().unwrap())
    }

    /// The file of its standard error, which carries its name.
    fn stderr_file(&self) -> PathBuf {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        self.folder.0.join(format!("game-first-{name}.stderr"))
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.stderr_file()).unwrap_or_default()
    }

    fn rules(&self) -> Rules {
        Rules {
            limits: Limits { time: Some(Duration::from_secs(20)), ..Limits::default() },
            start_up: Duration::from_secs(20),
            stderr_folder: Some(self.folder.0.clone()),
            ..Rules::default()
        }
    }

    /// For bots that never answer: little time.
    fn short_rules(&self) -> Rules {
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        Rules { limits, start_up: Duration::from_secs(2), ..self.rules() }
    }
}

fn processes_naming(text: &str) -> Vec<i32> {
    let own = i32::try_from(std::process::id()).unwrap();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let names = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    numbers.filter(|&pid| pid != own).filter(names).collect()
}

fn play(first: &mut Player, rules: &Rules) -> GameRecord {
    let mut second = Player::in_process("last", Box::new(SeatedBot::<TicTacToe<u64>>::new(Box::new(LastMove))));
    play_between(first, &mut second, rules)
}

fn play_between(first: &mut Player, second: &mut Player, rules: &Rules) -> GameRecord {
    let info = TicTacToe::<u64>::info();
    let settings = Settings::read(Subject::Game, &Spec::split("tic-tac-toe"), &info.options).unwrap();
    let game = TicTacToe::<u64>::from_settings(&settings).unwrap();
    let start = game.start();
    let mut table = GameTable::new(game, start);
    referee::play(&mut table, [first, second], rules)
}

#[track_caller]
fn assert_lost(record: &GameRecord, verdict: Verdict) {
    assert_eq!(record.verdict, verdict, "{:?}", record.faults);
    assert!(record.counts);
    assert_eq!(record.winner, Some(papan_core::Player::Second));
    assert_eq!(record.faults.len(), 1);
}

#[test]
fn a_fork_bomb_stays_small_and_runs_out_of_time() {
    let bad = Bad::new("fork_bomb.py");
    let mut rules = bad.short_rules();
    rules.start_up = Duration::from_secs(3);
    assert_lost(&bad.play(&rules), Verdict::Timeout);
}

#[test]
fn a_memory_hog_crashes() {
    let mut bad = Bad::new("memory_hog.py");
    bad.limits.memory = 256 << 20;
    assert_lost(&bad.play(&bad.rules()), Verdict::Crash);
    assert!(bad.stderr().contains("MemoryError"), "{}", bad.stderr());
}

#[test]
fn many_small_hogs_are_counted_together() {
    let mut bad = Bad::new("many_hogs.py");
    bad.limits.memory = 256 << 20;
    assert_lost(&bad.play(&bad.rules()), Verdict::Crash);
    assert!(bad.stderr().contains("more memory than allowed"), "{}", bad.stderr());
}

#[test]
fn a_full_temporary_folder_is_the_end() {
    let mut bad = Bad::new("fills_disk.py");
    bad.limits.temporary = 16 << 20;
    assert_lost(&bad.play(&bad.rules()), Verdict::Crash);
    assert!(bad.stderr().contains("No space left on device"), "{}", bad.stderr());
}

#[test]
fn private_files_are_neither_read_nor_changed() {
    let mut bad = Bad::new("reads_private_files.py");
    let others = Folder::new();
    let (secret, victim) = (others.0.join("secret"), others.0.join("victim"));
    for file in [&secret, &victim] {
        fs::write(file, "private").unwrap();
        // Open to everyone: only the sandbox stands before it.
        fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
    }
    bad.argument = format!("{}:{}", secret.display(), victim.display());
    let record = bad.play(&bad.rules());
    assert_eq!(record.verdict, Verdict::Finished, "{:?}", record.faults);
    let said = bad.stderr();
    assert!(!said.contains("DONE"), "{said}");
    assert_eq!(said.matches("refused").count() % 10, 0, "{said}");
    assert!(said.contains("environment ['HOME', 'LANG', 'PATH', 'TMPDIR']") || said.contains("'LC_CTYPE'"), "{said}");
    assert_eq!(fs::read_to_string(secret).unwrap() + &fs::read_to_string(victim).unwrap(), "privateprivate");
}

#[test]
fn no_connection_can_be_opened() {
    let mut bad = Bad::new("opens_connection.py");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    bad.argument = server.local_addr().unwrap().port().to_string();
    let record = bad.play(&bad.rules());
    assert_eq!(record.verdict, Verdict::Finished, "{:?}", record.faults);
    assert!(!bad.stderr().contains("DONE") && bad.stderr().contains("refused tcp"), "{}", bad.stderr());
    assert!(server.accept().is_err(), "nobody knocked");
}

#[test]
fn a_bot_that_ignores_signals_is_ended_all_the_same() {
    let bad = Bad::new("ignores_sigterm.py");
    assert_lost(&bad.play(&bad.short_rules()), Verdict::Timeout);
}

#[test]
fn a_daemon_does_not_survive() {
    let bad = Bad::new("daemonises.py");
    let record = bad.play(&bad.rules());
    assert_lost(&record, Verdict::Crash);
    assert_eq!(record.moves.len(), 2, "its one move counts");
}

#[test]
fn floods_and_endless_lines_are_cut_off() {
    let mut bad = Bad::new("floods_stdout.sh");
    bad.form = None;
    assert_lost(&bad.play(&bad.rules()), Verdict::OutputLimit);
    let bad = Bad::new("endless_line.py");
    assert_lost(&bad.play(&bad.rules()), Verdict::OutputLimit);
}

#[test]
fn half_a_line_is_no_answer() {
    let bad = Bad::new("half_a_line.py");
    assert_lost(&bad.play(&bad.short_rules()), Verdict::Timeout);
}

#[test]
fn garbage_is_garbage() {
    let bad = Bad::new("garbage_bytes.py");
    assert_lost(&bad.play(&bad.rules()), Verdict::Garbage);
}

#[test]
fn an_early_exit_is_a_crash_with_its_last_words() {
    let bad = Bad::new("exits_early.sh");
    let record = bad.play(&bad.rules());
    assert_lost(&record, Verdict::Crash);
    assert!(record.faults[0].detail.contains("exit code 3"), "{:?}", record.faults);
    assert!(bad.stderr().contains("cannot go on"));
    assert_eq!(record.stderr[0].as_deref(), Some(&*bad.stderr_file()));
}

#[test]
fn closed_output_is_a_crash() {
    let bad = Bad::new("closes_stdout.py");
    let record = bad.play(&bad.rules());
    assert_lost(&record, Verdict::Crash);
    assert!(record.faults[0].detail.contains("closed its standard output"), "{:?}", record.faults);
}

#[test]
fn a_sleeper_runs_out_of_time() {
    let bad = Bad::new("sleeps_for_ever.sh");
    assert_lost(&bad.play(&bad.short_rules()), Verdict::Timeout);
}

#[test]
fn an_illegal_move_is_illegal() {
    let bad = Bad::new("illegal_move.py");
    let record = bad.play(&bad.rules());
    assert_lost(&record, Verdict::Illegal);
    assert_eq!(record.moves.len(), 2);
}

#[test]
fn a_late_answer_is_late() {
    let mut bad = Bad::new("answers_late.py");
    bad.form = None;
    let mut rules = bad.rules();
    rules.limits.time = Some(Duration::from_millis(300));
    assert_lost(&bad.play(&rules), Verdict::Timeout);
}

#[test]
fn an_answer_for_another_position_is_against_the_protocol() {
    let mut bad = Bad::new("wrong_position.py");
    bad.form = None;
    assert_lost(&bad.play(&bad.rules()), Verdict::Protocol);
    let bad = Bad::new("answers_twice.py");
    assert_lost(&bad.play(&bad.rules()), Verdict::Protocol);
}

#[test]
fn a_forgiven_fault_costs_a_random_move_and_the_game_goes_on() {
    let bad = Bad::new("exits_early.sh");
    let rules = Rules { policies: Policies::all(Penalty::Random), ..bad.rules() };
    let record = bad.play(&rules);
    assert_eq!(record.verdict, Verdict::Finished);
    assert!(record.faults.len() >= 3, "it was started again each time: {:?}", record.faults);
    let rules = Rules { policies: Policies::all(Penalty::Skip), ..bad.rules() };
    let record = bad.play(&rules);
    assert_eq!((record.verdict, record.counts, record.winner), (Verdict::Crash, false, None));
}

#[test]
fn a_wrong_path_is_an_error_and_no_draw() {
    let sandbox = sandbox(ResourceLimits::default());
    for command in ["/nowhere/at/all", "no-such-program", "\"unfinished", ""] {
        assert!(OutsideProgram::new(command, None, Arc::clone(&sandbox)).is_err(), "{command}");
    }
    assert!(matches!(OutsideProgram::new("", None, sandbox), Err(CommandError::Empty)));
}

#[test]
fn the_level_reached_is_known() {
    let reached = sandbox(ResourceLimits::default()).reached().clone();
    assert_eq!(reached.level, SandboxLevel::Isolated, "{reached}");
    let has = |name: &str| reached.layers.iter().any(|layer| layer == name);
    assert_eq!((has("bubblewrap"), has("namespaces")), (is_wrapped(), !is_wrapped()), "{reached}");
    assert_eq!(has("own uid"), is_root(), "{reached}");
}

/// Not a test of its own: the arena that the next test kills.
#[test]
fn hang_for_ever_if_asked() {
    if env::var("PAPAN_TEST_HANG").is_err() {
        return;
    }
    let bad = Bad::new("sleeps_for_ever.sh");
    println!("{}", bad.folder.0.display());
    let mut rules = bad.rules();
    rules.limits.time = Some(Duration::from_secs(120));
    bad.play(&rules);
}

#[test]
fn nothing_survives_a_killed_arena() {
    let mut arena = Command::new(env::current_exe().unwrap())
        .args(["--exact", "bad_bots::hang_for_ever_if_asked", "--nocapture"])
        .env("PAPAN_TEST_HANG", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let folder = format!("papan-bad-bots-{}-", arena.id());
    wait_until(|| processes_naming(&folder).len() >= 2);
    arena.kill().unwrap();
    arena.wait().unwrap();
    wait_until(|| processes_naming(&folder).is_empty());
    let _ = fs::remove_dir_all(env::temp_dir().join(format!("{folder}0")));
}

fn wait_until(done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "it did not happen within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Everything above once more inside bubblewrap, where that works.
#[test]
fn all_of_it_in_bubblewrap() {
    let works = Command::new("bwrap").args(["--unshare-all", "--ro-bind", "/", "/", "true"]).output();
    if is_wrapped() || !works.is_ok_and(|output| output.status.success()) {
        return;
    }
    let output = Command::new(env::current_exe().unwrap()).arg(ALL_OF_IT).env("PAPAN_TEST_WRAP", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Everything above once more without any privilege, bubblewrap included.
#[test]
fn all_of_it_as_an_ordinary_user() {
    if !is_root() || is_wrapped() {
        return;
    }
    let folder = Folder::new();
    let (tests, launcher_copy) = (folder.0.join("bad_bots"), folder.0.join("launcher"));
    fs::copy(env::current_exe().unwrap(), &tests).unwrap();
    fs::copy(program(), &launcher_copy).unwrap();
    let private = folder.0.join("tmp");
    fs::create_dir(&private).unwrap();
    fs::set_permissions(&private, fs::Permissions::from_mode(0o777)).unwrap();
    let output = Command::new("setpriv")
        .args(["--reuid", OTHER_USER, "--regid", OTHER_USER, "--clear-groups"])
        .arg(&tests)
        .arg(ALL_OF_IT)
        .env("PAPAN_TEST_PROGRAM", &launcher_copy)
        .env("TMPDIR", &private)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

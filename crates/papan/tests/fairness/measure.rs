//! Honest bots' times per move in a tournament, with another program beside
//! them. Three honest bots and a guest play everyone, as many games at the same
//! time as there are cores: while one pair plays, the guest plays beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Works for every move and keeps to its turn.
pub(crate) const HONEST: &str = "honest.py";
/// Burns, forks and changes cores.
pub(crate) const BURNER: &str = "burner.py";

/// The games between honest bots, of `games` for each two who meet.
pub(crate) struct Measured {
    /// The time of each move in milliseconds, shortest first.
    pub(crate) times: Vec<f64>,
    /// The games between honest bots.
    pub(crate) games: usize,
    /// Honest bots that were too late, in any game.
    pub(crate) timeouts: usize,
    /// What shut the programs in.
    pub(crate) sandbox: String,
}

impl Measured {
    /// The time that so many of a hundred moves did not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> f64 {
        let last = self.times.len().saturating_sub(1);
        self.times.get(last * percent / 100).copied().unwrap_or(f64::NAN)
    }
}

/// Plays a tournament with `papan` and `guest` as the fourth.
pub(crate) fn measure(papan: &Path, guest: &str, games: usize, time: &str) -> Measured {
    let stage = Stage::new(guest);
    let mut file = format!("game = 'dots-and-boxes:rows=2,cols=2'\ntime = '{time}'\ngames = {games}\n");
    file += &format!("jobs = {}\n", std::thread::available_parallelism().map_or(1, usize::from));
    for (name, program) in [("ada", HONEST), ("budi", HONEST), ("citra", HONEST), ("guest", guest)] {
        stage.program(name, program);
        file += &format!("[[bot]]\nname = '{name}'\nbot = 'exec-simple:python3 {name}/main.py'\n");
    }
    let path = stage.0.join("cup.toml");
    fs::write(&path, file).expect("the file can be written");
    let output = Command::new(papan).arg("tournament").arg(path).arg("--json").output().expect("papan starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    of_report(&serde_json::from_slice(&output.stdout).expect("papan prints JSON"))
}

fn of_report(report: &serde_json::Value) -> Measured {
    const GUEST: u64 = 3;
    let sandbox = report["sandbox"].as_str().unwrap_or_default().to_owned();
    let mut measured = Measured { times: Vec::new(), games: 0, timeouts: 0, sandbox };
    for game in report["games"].as_array().expect("a report has games") {
        let seats = ["first", "second"].map(|side| game[side].as_u64().expect("a number"));
        let faults = game["faults"].as_array().expect("a list").iter();
        let honest = |fault: &&serde_json::Value| seats[usize::from(fault["side"] == "second")] != GUEST;
        measured.timeouts += faults.filter(honest).filter(|fault| fault["verdict"] == "timeout").count();
        if !seats.contains(&GUEST) {
            measured.games += 1;
            let times = game["times_us"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_f64);
            measured.times.extend(times.map(|micros| micros / 1e3));
        }
    }
    measured.times.sort_by(f64::total_cmp);
    measured
}

/// A folder that every user may enter, gone when dropped.
struct Stage(PathBuf);

impl Stage {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-fairness-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        open(&path);
        Self(path)
    }

    fn program(&self, name: &str, source: &str) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fairness").join(source);
        let folder = self.0.join(name);
        fs::create_dir(&folder).expect("a folder can be made");
        open(&folder);
        fs::copy(source, folder.join("main.py")).expect("a program can be copied");
        open(&folder.join("main.py"));
    }
}

fn open(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

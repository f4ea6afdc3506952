//! Whole tournaments through the command line: killed and resumed, with the
//! starters of every language, and with forty hostile programs.
#![cfg(target_os = "linux")]

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn papan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_papan")).args(arguments).output().expect("papan starts")
}

/// A folder that every user may enter, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-tournament-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("bots")).unwrap();
        for folder in [&path, &path.join("bots")] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn copy(&self, from: &Path, name: &str) {
        let to = self.0.join("bots").join(name);
        fs::copy(from, &to).unwrap();
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The games without what a clock has measured.
fn games_of(json: &Value) -> Vec<Value> {
    let mut games = json["games"].as_array().unwrap().clone();
    for game in &mut games {
        game.as_object_mut().unwrap().remove("times_us");
    }
    games
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs until its store has grown so many times, then kills it with −9. False
/// if it ended by itself before.
fn kill_after(mut arena: Child, log: &str, commits: usize) -> bool {
    let mut seen = fs::metadata(log).map_or(0, |data| data.len());
    let mut grown = 0;
    loop {
        if arena.try_wait().unwrap().is_some() {
            return false;
        }
        let size = fs::metadata(log).map_or(0, |data| data.len());
        grown += usize::from(size != seen);
        seen = size;
        if grown >= commits {
            arena.kill().unwrap();
            arena.wait().unwrap();
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Thinking in the opponent's time takes two cores for each game.
#[test]
fn pondering_needs_two_cores_for_each_game() {
    let folder = Folder::new("ponder");
    let file = folder.write("cup.toml", "game = \"tic-tac-toe\"\nbots = [\"random\", \"greedy\"]\nponder = true\n");
    let cores = std::thread::available_parallelism().unwrap().get();
    let too_many = (cores / 2 + 1).to_string();
    let refused = papan(&["tournament", &file, "--jobs", &too_many]);
    let line = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{line}");
    assert!(line.contains("ponder needs two cores for each game") && line.lines().count() == 1, "{line}");
    if cores >= 2 {
        let summary = json(&papan(&["tournament", &file, "--json"]));
        let words = summary["rules"]["limit_words"]["en"].as_str().unwrap();
        assert!(words.contains("think in their opponent's time"), "{words}");
    }
}

#[test]
fn killed_ten_times_and_resumed_it_plays_each_game_once() {
    let folder = Folder::new("killed");
    let text = "game = 'othello:size=6'\ngames = 20\nnodes = 100000\nseed = 7\n\
        bots = ['random', 'greedy', 'mcts:simulations=300', 'mcts:simulations=200', 'alpha-beta:depth=2']\n";
    let file = folder.write("killed.toml", text);
    let mut kills = 0;
    while kills < 10 {
        let arena = Command::new(env!("CARGO_BIN_EXE_papan"))
            .args(["tournament", &file, "--resume", "--jobs", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let was_killed = kill_after(arena, &folder.path("killed.sqlite-wal"), 6 + kills);
        assert!(was_killed, "it ended before the tenth kill, after {kills}");
        kills += 1;
    }
    let resumed = json(&papan(&["tournament", &file, "--resume", "--json"]));
    let games = games_of(&resumed);
    assert_eq!(games.len(), 200);
    let meeting = |game: &Value| format!("{} {} {}", game["first"], game["second"], game["opening"]);
    assert_eq!(games.iter().map(meeting).collect::<HashSet<_>>().len(), 200, "none twice");
    // Never interrupted it is the same tournament, game by game.
    let whole = json(&papan(&["tournament", &file, "--store", &folder.path("whole.sqlite"), "--json"]));
    assert_eq!(games, games_of(&whole));
    // Once it is over, there is nothing left to play.
    assert_eq!(games, games_of(&json(&papan(&["tournament", &file, "--resume", "--json"]))));
}

#[test]
fn every_format_plays_and_reports() {
    let folder = Folder::new("formats");
    for (name, extra, games) in [
        ("round-robin", "", 20),
        ("gauntlet", "challengers = 2", 12),
        ("swiss", "rounds = 3", 12),
        ("knockout", "tie_breaks = 1", 8),
    ] {
        let text = format!(
            "game = 'tic-tac-toe'\nformat = '{name}'\n{extra}\n\
             bots = ['random', 'greedy', 'minimax:depth=2', 'minimax:depth=9', 'mcts:simulations=50']\n"
        );
        let file = folder.write(&format!("{name}.toml"), &text);
        let (html, csv) = (folder.path("r.html"), folder.path("r.csv"));
        let summary = json(&papan(&["tournament", &file, "--json", "--html", &html, "--csv", &csv]));
        let played = summary["games"].as_array().unwrap().len();
        assert!(played >= games, "{name}: {played}");
        assert_eq!(summary["standings"].as_array().unwrap().len(), 5);
        assert_eq!(summary["finished"], true);
        assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), played + 1);
        let page = fs::read_to_string(&html).unwrap();
        assert!(page.contains("minimax:depth=9") && !page.contains("{{"), "{name}");
        assert!(!page.contains("http://") || page.matches("http://").count() == 1, "only SVG's own name");
        let table = String::from_utf8(papan(&["tournament", &file, "--resume"]).stdout).unwrap();
        assert!(table.contains("Elo ± 95 %") && table.contains("whoever moved first"), "{table}");
        // What was played under, and what decides between those who are level.
        assert!(table.contains("limits: 5 s a move") && table.contains("loses the game"), "{table}");
        assert!(table.contains("S.-B.: Sonneborn–Berger") && table.contains("Margin: points on the board"), "{table}");
        assert_eq!(table.contains("Buchholz: the sum of the points of everyone met"), name == "swiss", "{table}");
        assert_eq!(summary["rules"]["time_ms"], 5000);
        assert_eq!(summary["rules"]["faults"]["illegal"], "lose");
        let keys: Vec<_> = summary["tie_breaks"].as_array().unwrap().iter().map(|one| one["key"].clone()).collect();
        let expected = ["buchholz", "sonneborn_berger", "margin"];
        assert_eq!(keys, expected[usize::from(name != "swiss")..], "{name}");
        assert!(page.contains("5 s a move") && page.contains("5 detik tiap langkah"), "{name}");
        let games = fs::read_to_string(&csv).unwrap();
        assert!(games.lines().nth(1).unwrap().contains("5 s a move"), "{games}");
        let standings = fs::read_to_string(folder.path("r-standings.csv")).unwrap();
        assert!(standings.lines().next().unwrap().contains("buchholz,sonneborn_berger,margin"), "{standings}");
        assert_eq!(standings.lines().count(), 6, "{standings}");
    }
}

#[test]
fn what_cannot_be_told_is_said_in_words() {
    let folder = Folder::new("words");
    let file = folder.write("few.toml", "game = 'tic-tac-toe'\nbots = ['greedy', 'random']\n");
    let table = String::from_utf8(papan(&["tournament", &file]).stdout).unwrap();
    assert_eq!(table.matches("too few games to tell  ").count(), 2, "{table}");
    // Whoever wins every game is at least so strong, and nobody knows how strong.
    let file =
        folder.write("sweep.toml", "game = 'othello:size=6'\ngames = 60\nbots = ['alpha-beta:depth=4', 'random']\n");
    let summary = json(&papan(&["tournament", &file, "--json"]));
    let [best, worst] = [0, 1].map(|place: usize| &summary["standings"][place]);
    assert_eq!(best["wins"], 60, "the test needs a clean sweep: {best}");
    assert_eq!((&best["rating"], &best["rating_error"]), (&Value::Null, &Value::Null));
    let (low, high) = (best["rating_at_least"].as_f64().unwrap(), worst["rating_at_most"].as_f64().unwrap());
    assert!((100.0..600.0).contains(&low) && (low + high).abs() < 1.0, "{low} {high}");
    let table = String::from_utf8(papan(&["tournament", &file, "--resume"]).stdout).unwrap();
    assert!(table.contains("≥ +") && !table.contains("too few games") && table.contains("≤ -"), "{table}");
    let few = ["match", "tic-tac-toe", "random", "random", "--games", "2"];
    let text = String::from_utf8(papan(&few).stdout).unwrap();
    assert!(text.contains("Elo too few games to tell") && text.contains("limits: no limit"), "{text}");
}

#[test]
fn openings_are_random_listed_or_balanced_and_played_by_both_sides() {
    let folder = Folder::new("openings");
    for openings in [
        "{ kind = 'listed', list = ['a1 b2', 'b2 c3'] }",
        "{ kind = 'random', plies = 3 }",
        "{ kind = 'balanced', plies = 2 }",
        "{ kind = 'start' }",
    ] {
        let text = format!("game = 'tic-tac-toe'\ngames = 4\nbots = ['random', 'greedy']\nopenings = {openings}\n");
        let file = folder.write("openings.toml", &text);
        let _ = fs::remove_file(folder.0.join("openings.sqlite"));
        let summary = json(&papan(&["tournament", &file, "--json"]));
        let games = summary["games"].as_array().unwrap();
        assert_eq!(games.len(), 4);
        for pair in games.chunks(2) {
            assert_eq!(pair[0]["opening"], pair[1]["opening"], "{openings}");
            assert_eq!(pair[0]["first"], pair[1]["second"], "{openings}");
        }
    }
}

#[test]
fn mistakes_in_a_file_are_one_line_that_names_them() {
    let folder = Folder::new("mistakes");
    let bots = "bots = ['random', 'greedy']";
    for (text, expected) in [
        ("game = ", "line 1"),
        (bots, "missing field `game`"),
        ("game = 'chess'\nbots = ['random', 'greedy']", "chess"),
        ("game = 'othello'", "0 take part"),
        ("game = 'othello'\nbots = ['random']", "1 take part"),
        ("game = 'othello'\nbots = ['random', 'random']", "two take part as 'random'"),
        ("game = 'othello'\nbots = ['random', 'deep-thought']", "deep-thought"),
        ("game = 'othello'\nbots = ['random', 'exec:/no/such/bot']", "/no/such/bot"),
        ("game = 'othello'\nbots = ['random', 'exec:python3 no-such-file.py']", "no-such-file.py"),
        ("game = 'othello'\nfolder = 'nowhere'", "nowhere"),
        ("game = 'othello'\nbots = ['random', 'greedy']\ngames = 3", "games is 3"),
        ("game = 'othello'\nbots = ['random', 'greedy']\ntime = 'soon'", "time is 'soon'"),
        ("game = 'othello'\nbots = ['random', 'greedy']\ncolour = 'red'", "line 3: unknown field `colour`"),
        ("game = 'othello'\nbots = ['random', 'greedy']\nrounds = 3", "rounds is for the format swiss"),
        ("game = 'othello'\nbots = ['random', 'greedy']\nformat = 'swiss'\nrounds = 3", "rounds is 3"),
        ("game = 'othello'\nbots = ['random', 'greedy']\nfaults = 'forgive'", "faults is 'forgive'"),
        ("game = 'othello'\nbots = ['random', 'greedy']\n[openings]\nkind = 'listed'\nlist = ['a1']", "opening 1"),
        ("game = 'othello'\nbots = ['random', 'greedy']\n[openings]\nkind = 'odd'", "kind is 'odd'"),
    ] {
        let output = papan(&["tournament", &folder.write("cup.toml", text)]);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{text}: {line}");
        assert!(!folder.0.join("cup.sqlite").exists(), "nothing half done: {text}");
    }
}

#[test]
fn a_store_is_kept_apart_from_other_tournaments_and_other_files() {
    let folder = Folder::new("stores");
    let file = folder.write("cup.toml", "game = 'tic-tac-toe'\nbots = ['random', 'greedy']\n");
    let refused = |arguments: &[&str], expected: &str| {
        let output = papan(arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{expected}: {line}");
    };
    json(&papan(&["tournament", &file, "--json"]));
    refused(&["tournament", &file], "--resume");
    let other = folder.write("cup.toml", "game = 'tic-tac-toe'\nbots = ['random', 'greedy']\nseed = 2\n");
    refused(&["tournament", &other, "--resume"], "the seed has changed");
    let text = folder.write("notes.txt", "These are my notes, and not a tournament at all. ".repeat(40).as_str());
    refused(&["tournament", &other, "--resume", "--store", &text], "not a tournament");
    assert!(fs::read_to_string(&text).unwrap().starts_with("These are my notes"), "it was not touched");
    refused(&["tournament", &other, "--store", "/proc/cup.sqlite"], "/proc/cup.sqlite");
    refused(&["tournament", &other, "--store", &folder.path("no/such/folder/cup.sqlite")], "cannot be written");
}

fn compile(words: &[&str]) {
    let output = Command::new(words[0]).args(&words[1..]).output().unwrap_or_else(|error| panic!("{words:?}: {error}"));
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_five_starters_play_a_full_tournament_of_each_game() {
    let folder = Folder::new("starters");
    let starters = repository().join("examples/bots");
    let source = |name: &str| starters.join(name).to_str().unwrap().to_owned();
    folder.copy(&starters.join("starter.py"), "python.py");
    folder.copy(&starters.join("starter.js"), "javascript.js");
    compile(&["javac", "-d", &folder.path("bots"), &source("Starter.java")]);
    compile(&["c++", "-O1", "-std=c++17", "-o", &folder.path("bots/cpp"), &source("starter.cpp")]);
    compile(&["rustc", "--edition=2024", "-o", &folder.path("bots/rust"), &source("starter.rs")]);
    for game in ["tic-tac-toe", "adjacency:rounds=3", "dots-and-boxes:rows=2,cols=2", "othello:size=4"] {
        let text = format!("game = '{game}'\nfolder = 'bots'\ntime = '30s'\nrequire_sandbox = 'confined'\n");
        let file = folder.write(&format!("{}.toml", game.split(':').next().unwrap()), &text);
        let summary = json(&papan(&["tournament", &file, "--json", "--jobs", "2"]));
        assert_eq!(summary["games"].as_array().unwrap().len(), 20, "{game}");
        assert_eq!(summary["verdicts"], serde_json::json!({ "FINISHED": 20 }), "{game}: {}", summary["games"]);
        let mut names: Vec<_> =
            summary["standings"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["Starter", "cpp", "javascript", "python", "rust"]);
    }
}

#[test]
fn a_program_of_a_folder_cannot_read_its_neighbours() {
    let folder = Folder::new("neighbours");
    folder.write("bots/honest.py", &fs::read_to_string(repository().join("examples/bots/starter.py")).unwrap());
    let spy = "import glob, os, sys\nhere = os.path.dirname(os.path.abspath(__file__))\nopened = 0\n\
        for name in ['honest.py', 'spy.py']:\n    try:\n        opened += bool(open(os.path.join(here, name)).read())\n\
        \x20   except OSError:\n        pass\nassert opened == 1, 'it reads its own file and no other'\n\
        for line in sys.stdin:\n    print(line.split(' | ')[3].split()[0], flush=True)\n";
    folder.write("bots/spy.py", spy);
    let file = folder.write("spies.toml", "game = 'tic-tac-toe'\nfolder = 'bots'\ntime = '30s'\n");
    let summary = json(&papan(&["tournament", &file, "--json"]));
    assert_eq!(summary["verdicts"], serde_json::json!({ "FINISHED": 2 }), "{}", summary["games"]);
    let level = summary["sandbox"].as_str().unwrap().to_owned();
    assert!(level.contains("landlock"), "{level}");
    // The level is stored with the games.
    let again = json(&papan(&["tournament", &file, "--json", "--resume", "--no-sandbox"]));
    assert_eq!(again["sandbox"], level.as_str());
}

/// Bad bots that play on by the rules all the same.
const PLAYS_ON: [&str; 7] = [
    "reads_private_files.py",
    "opens_connection.py",
    "burns_out_of_turn.py",
    "fills_processes.py",
    "keeps_its_input.py",
    "starts_programs.py",
    "takes_cores.py",
];

#[test]
fn forty_hostile_programs_do_not_stop_a_tournament() {
    let folder = Folder::new("hostile");
    let bad_bots = repository().join("crates/papan/tests/bad_bots");
    let mut files: Vec<PathBuf> = fs::read_dir(bad_bots).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "py" || kind == "sh"));
    files.retain(|file| PLAYS_ON.iter().all(|name| !file.ends_with(name)));
    files.sort();
    for (number, file) in files.iter().cycle().take(40).enumerate() {
        let name = file.file_name().unwrap().to_str().unwrap();
        folder.copy(file, &format!("bad{number:02}-{name}"));
    }
    let starters = repository().join("examples/bots");
    folder.copy(&starters.join("starter.py"), "good-python.py");
    folder.copy(&starters.join("starter.js"), "good-javascript.js");
    let text = "game = 'tic-tac-toe'\nformat = 'gauntlet'\nbots = ['minimax:depth=9']\nfolder = 'bots'\n\
        time = '2s'\nstart_up = '5s'\n[limits]\nmemory = 805306368\nprocesses = 40\ntemporary = 16777216\n";
    let file = folder.write("hostile.toml", text);
    let summary = json(&papan(&["tournament", &file, "--json", "--jobs", "10"]));
    assert_eq!(summary["games"].as_array().unwrap().len(), 2 * 42);
    assert_eq!(summary["finished"], true);
    for row in summary["standings"].as_array().unwrap() {
        let (name, faults) = (row["name"].as_str().unwrap(), row["faults"].as_object().unwrap());
        assert_eq!(row["games"], if name == "minimax:depth=9" { 84 } else { 2 }, "{name}");
        if !name.starts_with("bad") {
            assert!(faults.is_empty(), "{name}: {faults:?}");
        } else {
            assert_eq!(faults.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 2, "{name}: {faults:?}");
            assert_eq!(row["points"], 0.0, "{name}");
        }
    }
    assert_eq!(summary["standings"][0]["name"], "minimax:depth=9");
    assert_eq!(processes_naming(folder.0.to_str().unwrap()), Vec::<String>::new(), "processes are left over");
}

fn processes_naming(text: &str) -> Vec<String> {
    let lines = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        Some(String::from_utf8_lossy(&fs::read(entry.path().join("cmdline")).ok()?).into_owned())
    });
    lines.filter(|line| line.contains(text)).collect()
}

//! Work that is interrupted by a real SIGINT: what was done is kept, marked as
//! partial, and the exit code is 130.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// A folder that every user may enter, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let path = std::env::temp_dir().join(format!("papan-interrupted-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts the program and waits until it listens for SIGINT.
fn start(arguments: &[&str]) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("papan starts");
    let id = child.id();
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_owned();
        u64::from_str_radix(&caught, 16).unwrap_or(0) & 0b10 != 0
    };
    for _ in 0..6000 {
        if listens() {
            return child;
        }
        sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    panic!("{arguments:?} never listens for SIGINT");
}

/// Sends SIGINT and waits for the end.
fn interrupt(child: Child) -> Output {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

/// What was printed by a program that ended as one that was interrupted.
fn partial(output: &Output, said: &str) -> Value {
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains(said), "{said}: {words}");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["partial"], true, "{json}");
    json
}

const SLOW: &str = "mcts:simulations=3000";

#[test]
fn a_match_keeps_the_games_that_are_over() {
    let folder = Folder::new("match");
    let (html, csv) = (folder.path("m.html"), folder.path("m.csv"));
    let arguments = ["match", "tic-tac-toe", SLOW, "greedy", "--games", "100000", "--html", &html, "--csv", &csv];
    let child = start(&[&arguments[..], &["--json"]].concat());
    sleep(Duration::from_secs(2));
    let json = partial(&interrupt(child), "of 100000 games");
    let played = json["played"].as_u64().unwrap();
    assert!((1..100_000).contains(&played), "{played}");
    assert_eq!((json["expected"].as_u64(), json["games"].as_array().unwrap().len() as u64), (Some(100_000), played));
    assert_eq!(
        json["wins"].as_u64().unwrap() + json["draws"].as_u64().unwrap() + json["losses"].as_u64().unwrap(),
        played
    );
    assert!(json["games"].as_array().unwrap().iter().all(|game| game["verdict"] == "finished"), "none is cut short");
    assert!(folder.read("m.html").contains("\"partial\":true"));
    assert!(folder.read("m.csv").lines().nth(1).unwrap().ends_with(&format!("{played} of 100000 games")));
    // The same for people.
    let child = start(&arguments);
    sleep(Duration::from_secs(1));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("PARTIAL: "));
}

#[test]
fn a_match_does_not_wait_for_a_program_that_thinks() {
    let folder = Folder::new("thinker");
    let bot = folder.write("thinker.py", "import sys, time\nfor line in sys.stdin: time.sleep(3000)\n");
    let bot = format!("exec-simple:python3 {bot}");
    let child = start(&["match", "tic-tac-toe", &bot, "random", "--games", "2", "--time", "50m", "--json"]);
    sleep(Duration::from_secs(1));
    let json = partial(&interrupt(child), "0 of 2 games");
    assert_eq!((&json["played"], &json["games"]), (&Value::from(0), &Value::Array(Vec::new())));
}

#[test]
fn an_experiment_keeps_the_parts_that_are_done() {
    let folder = Folder::new("experiment");
    let (html, csv) = (folder.path("e.html"), folder.path("e.csv"));
    // Two searches near the end of the game, then a game that would take hours.
    let arguments = ["experiment", "dots-and-boxes:rows=5,cols=5", "minimax", "random", "--depths", "12"];
    let sizes = ["--plies", "58", "--positions", "1", "--games", "2", "--html", &html, "--csv", &csv];
    let child = start(&[&arguments[..], &sizes, &["--json"]].concat());
    sleep(Duration::from_secs(4));
    let json = partial(&interrupt(child), "2 of 3 measurements");
    assert_eq!((&json["done"], &json["of"]), (&Value::from(2), &Value::from(3)));
    assert_eq!(json["measurements"].as_array().unwrap().len(), 2);
    assert!(json["pairings"].as_array().unwrap().is_empty());
    assert!(folder.read("e.html").contains("Partial: stopped after 2 of 3 measurements"));
    assert!(folder.read("e.csv").lines().skip(1).all(|line| line.ends_with("2 of 3")));
    let child = start(&[&arguments[..], &sizes, &["--language", "id"]].concat());
    sleep(Duration::from_secs(1));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("PARTIAL: "));
    assert!(folder.read("e.html").contains("Sebagian: dihentikan setelah"));
}

#[test]
fn a_tournament_keeps_its_games_and_says_how_to_go_on() {
    let folder = Folder::new("tournament");
    let text = format!("game = 'tic-tac-toe'\ngames = 5000\nnodes = 100000\nbots = ['{SLOW}', 'greedy', 'random']\n");
    let (file, html) = (folder.write("cup.toml", &text), folder.path("cup.html"));
    let child = start(&["tournament", &file, "--json", "--html", &html]);
    sleep(Duration::from_secs(2));
    let json = partial(&interrupt(child), "--resume");
    let played = json["played"].as_u64().unwrap();
    assert!((1..15_000).contains(&played) && json["expected"] == 15_000, "{played} of {}", json["expected"]);
    assert!(folder.read("cup.html").contains("\"partial\":true"));
}

#[test]
fn a_solve_prints_what_is_proved_and_keeps_its_file() {
    let folder = Folder::new("solve");
    let saved = folder.path("s.bin");
    let child = start(&["solve", "dots-and-boxes:rows=5,cols=5", "--json", "--save", &saved, "--table", "64"]);
    sleep(Duration::from_secs(1));
    let output = interrupt(child);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains(&format!("--resume {saved}")), "{words}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["exact"], false);
    assert!(fs::metadata(&saved).unwrap().len() > 0);
    // A suite says how many of its positions are solved.
    let suite = folder.write(
        "suite.txt",
        "5x5 111111111111111111111111111110 111111111111111111111111111111 1 24-0\n\
                 5x5 000000000000000000000000000000 000000000000000000000000000000 1 0-0\n",
    );
    let child = start(&["solve", "dots-and-boxes:rows=5,cols=5", "--suite", &suite, "--table", "64"]);
    sleep(Duration::from_secs(1));
    let output = interrupt(child);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains("1 of 2 positions are solved"), "{words}");
}

#[test]
fn a_benchmark_prints_what_it_has_measured() {
    let child = start(&["bench", "--json"]);
    let json = partial(&interrupt(child), "measurements");
    assert_eq!(json["lines"].as_array().unwrap().len() as u64, json["done"].as_u64().unwrap());
    assert!(json["done"].as_u64() < json["of"].as_u64());
    assert_eq!(json["signature"], Value::Null);
}

#[test]
fn tables_that_were_not_run_again_whole_are_left_out() {
    let child = start(&["reproduce", "adjacency-genetic", "--games", "100000", "--json"]);
    let output = interrupt(child);
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains("0 of 1 tables"), "{words}");
    assert_eq!(output.stdout, b"[]\n");
}

#[test]
fn an_analysis_shows_what_it_has_found() {
    let child = start(&["analyse", "othello", "--time", "100s", "--json"]);
    sleep(Duration::from_millis(500));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("what was found by then is shown"));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(!json["best"].as_array().unwrap().is_empty(), "{json}");
}

/// The ending of a file says what is written to it.
#[test]
fn a_stopped_tree_is_drawn_as_its_file_says() {
    let folder = Folder::new("tree");
    let child = start(&["tree", "othello", "--bot", "brute-force", "--out", &folder.path("t.json")]);
    sleep(Duration::from_millis(300));
    assert_eq!(interrupt(child).status.code(), Some(130));
    let json: Value = serde_json::from_str(&folder.read("t.json")).expect("JSON");
    assert_eq!((&json["partial"], &json["value"]), (&Value::Bool(true), &Value::Null), "{}", json["conclusion"]);
}

//! `papan solve` as a user runs it: a real process for every test.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn solve(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_papan")).arg("solve").args(args).output().expect("papan starts")
}

/// Every line of the output as JSON.
fn solved(args: &[&str]) -> Vec<Value> {
    let output = solve(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn solved_one(args: &[&str]) -> Value {
    let mut lines = solved(args);
    assert_eq!(lines.len(), 1, "{args:?}");
    lines.remove(0)
}

/// A refusal: exit code 2, one line on stderr.
fn refusal(args: &[&str]) -> String {
    let output = solve(args);
    let line = String::from_utf8(output.stderr).expect("errors are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
    assert_eq!(line.lines().count(), 1, "{args:?}: {line}");
    line
}

/// A file of this test's own.
fn scratch(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("papan-solve-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("the file can be written");
    path
}

fn moves(json: &Value) -> Vec<&str> {
    json.as_array().expect("a list").iter().map(|mv| mv.as_str().expect("a move")).collect()
}

#[test]
fn starts_have_their_known_values_best_moves_and_depths() {
    for (game, value, best, depth) in [
        ("tic-tac-toe", 0, 9, 9),
        ("adjacency:rounds=3", 0, 4, 6),
        ("dots-and-boxes:rows=2,cols=2", 2, 8, 12),
        ("othello:size=4", -10, 4, 12),
    ] {
        let json = solved_one(&[game, "--json"]);
        assert_eq!((json["value"].as_i64(), json["depth"].as_u64()), (Some(value), Some(depth)), "{game}");
        assert_eq!((json["exact"].as_bool(), json["best_complete"].as_bool()), (Some(true), Some(true)), "{game}");
        let found = moves(&json["best"]);
        assert_eq!(found.len(), best, "{game}: {found:?}");
        assert!(found.contains(&moves(&json["pv"])[0]), "{game}: the line begins with a best move");
    }
}

#[test]
fn the_depth_is_what_is_left_of_the_game() {
    for (game, position, depth) in [
        ("tic-tac-toe", "X.O/.X./..O X", 5),
        ("adjacency:rounds=3", "......OO......OOX...............................XX......XX...... O 3", 5),
        ("dots-and-boxes:rows=2,cols=2", "2x2 111000 000000 1 0-0", 9),
        ("othello:size=4", "b1", 11),
    ] {
        assert_eq!(solved_one(&[game, position, "--json"])["depth"].as_u64(), Some(depth), "{game}");
    }
}

#[test]
fn the_line_of_a_longer_solve_goes_on_after_its_first_move() {
    // One thread always searches the same positions: more than the solver calls cheap.
    let json = solved_one(&["dots-and-boxes:rows=3,cols=4", "--threads", "1", "--json"]);
    assert!(json["nodes"].as_u64().expect("a number") > 300_000, "{}", json["nodes"]);
    assert_eq!(json["value"], 0);
    assert_eq!(moves(&json["pv"]).len(), 31, "{}", json["pv"]);
}

#[test]
fn a_suite_is_one_line_a_position_and_names_the_line_that_cannot_be_read() {
    let good = scratch("good.txt", "# two positions\n\n7 X.O/.X./..O X   best a3\nXOX/OXO/OX. O\n");
    let lines = solved(&["tic-tac-toe", "--suite", good.to_str().expect("a plain path")]);
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0]["id"].as_str(), lines[1]["id"].as_str()), (Some("7"), None));
    assert!(lines.iter().all(|line| line["exact"] == true));
    let bad = scratch("bad.txt", "X.O/.X./..O X\n\nnonsense\n");
    let path = bad.to_str().expect("a plain path");
    assert!(refusal(&["tic-tac-toe", "--suite", path]).contains("line 3"));
    std::fs::remove_file(good).expect("the file is there");
    std::fs::remove_file(bad).expect("the file is there");
}

#[test]
fn a_solve_out_of_time_tells_its_bounds() {
    let json = solved_one(&["dots-and-boxes:rows=5,cols=5", "--time", "200ms", "--json"]);
    assert_eq!((json["exact"].as_bool(), json["value"].is_null()), (Some(false), true));
    let bound = |name: &str| json[name].as_i64().expect("a bound");
    assert!(-25 <= bound("at_least") && bound("at_least") < bound("at_most") && bound("at_most") <= 25, "{json}");
}

#[test]
fn a_saved_solve_goes_on() {
    let path = scratch("saved", "");
    let file = path.to_str().expect("a plain path");
    let game = "dots-and-boxes:rows=3,cols=4";
    let begun = solved_one(&[game, "--one", "--threads", "1", "--time", "20ms", "--save", file, "--json"]);
    assert_eq!(begun["exact"], false, "it was stopped before the end");
    let ended = solved_one(&[game, "--one", "--threads", "1", "--resume", file, "--json"]);
    assert_eq!((ended["value"].as_i64(), ended["exact"].as_bool()), (Some(0), Some(true)));
    std::fs::remove_file(&path).expect("the file is there");
    assert!(refusal(&["adjacency", "--save", file]).contains("cannot be saved"));
    assert!(refusal(&[game, "--resume", file]).contains(file));
}

/// The sum that solvers put at the end of what they write (FNV-1a).
fn solvers_sum(bytes: &[u8]) -> [u8; 8] {
    let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, add).to_le_bytes()
}

#[test]
fn a_save_with_shifted_bounds_is_refused() {
    let path = scratch("shifted", "");
    let file = path.to_str().expect("a plain path");
    let game = "dots-and-boxes:rows=3,cols=4";
    solved_one(&[game, "--one", "--threads", "1", "--time", "20ms", "--save", file, "--json"]);
    let good = std::fs::read(&path).expect("it was saved");
    // Every entry of the table is changed, and the solver's own sum made right again.
    let mark = good.windows(8).position(|part| part == b"PAPANDB3").expect("the solver's own file is inside");
    let end = if mark == 0 { good.len() } else { good.len() - 32 };
    let mut shifted = good.clone();
    for word in shifted[mark + 24..end - 8].chunks_exact_mut(8).filter(|word| word.iter().any(|&byte| byte != 0)) {
        word[0] ^= 1;
    }
    let sum = solvers_sum(&shifted[mark..end - 8]);
    shifted[end - 8..end].copy_from_slice(&sum);
    assert_ne!(shifted, good);
    std::fs::write(&path, &shifted).expect("it can be written");
    assert!(refusal(&[game, "--resume", file]).contains("damaged"));
    for cut in [good.len() - 1, good.len() / 2, 20, 3] {
        std::fs::write(&path, &good[..cut]).expect("it can be written");
        assert!(refusal(&[game, "--resume", file]).contains(file));
    }
    // A save is of one position of one game.
    std::fs::write(&path, &good).expect("it can be written");
    assert!(refusal(&["dots-and-boxes:rows=4,cols=3", "--resume", file]).contains("it is of dots-and-boxes"));
    let other = "3x4 1000000000000000 000000000000000 2 0-0";
    assert!(refusal(&[game, other, "--resume", file]).contains("it is of"));
    std::fs::remove_file(&path).expect("the file is there");
}

#[test]
fn a_place_that_cannot_be_written_is_noticed_before_the_work() {
    // The solve itself would take longer than anybody waits.
    let began = std::time::Instant::now();
    for place in ["/no/such/folder/save", "/proc/save", "/tmp"] {
        assert!(refusal(&["dots-and-boxes:rows=5,cols=5", "--save", place]).contains(place));
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}

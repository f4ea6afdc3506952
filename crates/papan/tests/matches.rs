//! `papan match`: sequential tests and reports.

use std::process::{Command, Output};

use serde_json::Value;

fn papan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_papan")).args(arguments).output().expect("papan starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = papan(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn lines(report: &Value) -> Vec<(Value, Value)> {
    let games = report["games"].as_array().unwrap();
    games.iter().map(|game| (game["opening"].clone(), game["moves"].clone())).collect()
}

#[test]
fn a_test_ends_a_match_at_the_same_game_whatever_the_number_of_jobs() {
    let ask = |jobs: &str| {
        json(&["match", "tic-tac-toe", "greedy", "random", "--sprt", "elo0=0,elo1=60", "--jobs", jobs, "--json"])
    };
    let (one, three) = (ask("1"), ask("3"));
    assert_eq!(one["sprt"]["verdict"], "accepted");
    let played = one["games"].as_array().unwrap().len();
    assert!((4..2000).contains(&played) && played.is_multiple_of(2), "{played}");
    assert_eq!(lines(&one), lines(&three));
    assert!(one["sprt"]["llr"].as_f64() >= one["sprt"]["llr_high"].as_f64());
    // The other way round the lower hypothesis is taken.
    let worse = json(&["match", "tic-tac-toe", "random", "greedy", "--sprt", "elo0=0,elo1=60", "--json"]);
    assert_eq!(worse["sprt"]["verdict"], "rejected");
}

#[test]
fn without_a_decision_the_test_says_so() {
    let short = ["match", "tic-tac-toe", "random", "random", "--sprt", "elo0=0,elo1=1", "--games", "6", "--json"];
    let report = json(&short);
    assert_eq!(report["sprt"]["verdict"], "undecided");
    assert_eq!(report["games"].as_array().unwrap().len(), 6);
}

#[test]
fn mistakes_in_a_test_are_one_line() {
    for test in ["elo0=5,elo1=0", "elo1", "elo1=many", "gamma=1", "alpha=0", "beta=0.7", "elo1=inf"] {
        let output = papan(&["match", "tic-tac-toe", "random", "random", "--sprt", test]);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{test}: {line}");
        assert!(line.contains("--sprt") && line.lines().count() == 1, "{test}: {line}");
    }
}

#[test]
fn a_match_writes_its_page_and_its_games() {
    let file = |ending: &str| {
        std::env::temp_dir().join(format!("papan-match-{}.{ending}", std::process::id())).to_str().unwrap().to_owned()
    };
    let (html, csv) = (file("html"), file("csv"));
    // A bot may play itself; its two chairs are told apart.
    json(&["match", "dots-and-boxes", "random", "random", "--games", "4", "--html", &html, "--csv", &csv, "--json"]);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("A: random") && page.contains("B: random"));
    let rows = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(rows.lines().count(), 5);
    assert!(rows.lines().nth(1).unwrap().contains("h0,"), "moves with commas are quoted: {rows}");
    for path in [&html, &csv] {
        let _ = std::fs::remove_file(path);
    }
    let output = papan(&["match", "tic-tac-toe", "random", "random", "--html", "/no/such/folder/page.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("/no/such/folder/page.html"));
}

#[test]
fn balanced_openings_are_those_in_which_the_engine_sees_little() {
    let play = |openings: &str| {
        json(&["match", "othello", "random", "random", "--games", "6", "--openings", openings, "--json"])
    };
    let games = play("balanced:6");
    let openings: Vec<_> = lines(&games).into_iter().map(|(opening, _)| opening).collect();
    assert_eq!(openings.len(), 6);
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1], "both games of a pair start alike");
        assert_eq!(pair[0].as_array().unwrap().len(), 6);
        let moves: Vec<&str> = pair[0].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let judged = json(&["analyse", "othello", &moves.concat(), "--bot", "engine:nodes=20000", "--json"]);
        assert!(judged["value"].as_i64().unwrap().abs() <= 6, "{judged}");
    }
    assert_eq!(lines(&play("balanced:6")), lines(&games), "the seed decides");
    for wrong in ["balance", "balanced8", "balanced:", "-1", "x"] {
        let output = papan(&["match", "othello", "random", "random", &format!("--openings={wrong}")]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

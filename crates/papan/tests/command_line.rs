//! The program as a user runs it: a real process for every test.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;

fn papan(args: &[&str]) -> Output {
    papan_with_input(args, "")
}

fn papan_with_input(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("papan starts");
    // A command that needs no input may end before it is written.
    let _ = child.stdin.take().expect("stdin is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("papan ends")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

/// A refusal: exit code 2, one line on stderr, nothing on stdout.
fn refusal(args: &[&str]) -> String {
    let output = papan(args);
    let line = String::from_utf8(output.stderr).expect("errors are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
    assert!(output.stdout.is_empty(), "{args:?}: nothing half done");
    assert_eq!(line.lines().count(), 1, "{args:?}: one line: {line}");
    assert!(!line.trim_end().contains(char::is_control), "{args:?}: {line:?}");
    line.trim_end().to_owned()
}

#[test]
fn perft_prints_the_digest_as_json() {
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&papan(&["perft", "dots-and-boxes:rows=2,cols=2", "5", "--json"]))).unwrap();
    assert_eq!(json["leaves"], 95_040);
    assert_eq!(json["first_to_move"], 3_840);
    assert_eq!(json["margin_sum"], 2_304);
    assert_eq!(json["margin_abs_sum"], 3_840);
    assert!(json["seconds"].is_number());
}

#[test]
fn perft_splits_over_the_cores_without_losing_a_leaf() {
    let json: serde_json::Value = serde_json::from_str(&stdout(&papan(&["perft", "othello", "6", "--json"]))).unwrap();
    assert_eq!((json["leaves"].as_u64(), json["margin_sum"].as_i64()), (Some(8_200), Some(-5_048)));
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&papan(&["perft", "tic-tac-toe", "9", "--json"]))).unwrap();
    assert_eq!(json["leaves"], 255_168);
}

#[test]
fn perft_of_a_position_and_of_depth_zero() {
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&papan(&["perft", "tic-tac-toe", "0", "X.O/.X./..O X", "--json"]))).unwrap();
    assert_eq!(json["leaves"], 1);
}

#[test]
fn games_lists_every_game_with_its_options() {
    let text = stdout(&papan(&["games"]));
    for word in ["tic-tac-toe", "adjacency", "dots-and-boxes", "othello", "rows=3", "rounds=8", "border=none", "size=8"]
    {
        assert!(text.contains(word), "{word} in {text}");
    }
    let json: serde_json::Value = serde_json::from_str(&stdout(&papan(&["games", "--json"]))).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 4);
    for game in json.as_array().unwrap() {
        assert!(game["rules"]["id"].as_str().unwrap().len() > 100);
    }
}

#[test]
fn show_draws_text_and_svg() {
    let text = stdout(&papan(&["show", "tic-tac-toe", "X.O/.X./..O X", "--ascii"]));
    assert!(text.contains("X . O") && text.contains("X to move"), "{text}");
    let svg = stdout(&papan(&["show", "othello", "--svg", "-"]));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let shown: serde_json::Value =
        serde_json::from_str(&stdout(&papan(&["show", "othello", "f5d6", "--json"]))).unwrap();
    assert_eq!(shown["to_move"], "first");
    assert_eq!(shown["points"], serde_json::json!([3, 3]));
}

#[test]
fn a_position_settles_the_size_of_the_board() {
    let shown: serde_json::Value =
        serde_json::from_str(&stdout(&papan(&["show", "dots-and-boxes", "1x2 0000 000 1 0-0", "--json"]))).unwrap();
    assert_eq!(shown["game"], "dots-and-boxes:rows=1,cols=2");
    assert!(refusal(&["show", "dots-and-boxes:rows=3", "1x2 0000 000 1 0-0"]).contains("position"));
}

#[test]
fn two_people_play_a_game_in_plain_lines() {
    let output = papan_with_input(&["play", "tic-tac-toe"], "b2\nb2\nx\na1\nmoves\nundo\na1\na2\nc3\nc2\n");
    let text = stdout(&output);
    assert!(text.contains("move: b2 is not legal here"), "{text}");
    assert!(text.contains("X wins"), "{text}");
}

#[test]
fn a_person_plays_against_a_bot_and_may_leave() {
    let text = stdout(&papan_with_input(&["play", "othello:size=4", "--second", "random"], "b1\nundo\nquit\n"));
    assert!(text.contains("plays"), "{text}");
    let text = stdout(&papan(&["play", "adjacency:rounds=2", "--first", "random", "--second", "random"]));
    assert!(text.contains("wins") || text.contains("a draw"), "{text}");
}

#[test]
fn bad_input_is_refused_in_one_line_that_names_the_place() {
    for (args, expected) in [
        (&["show", "chess"][..], "game: 'chess' is not a game"),
        (&["show", "othello:size=7"], "game: option 'size' is '7', expected"),
        (&["show", "tic-tac-toe:rows=99"], "game: option 'rows' is '99', expected 3 to 15"),
        (&["show", "tic-tac-toe", "XQO/.../... X"], "position: "),
        (&["show", "adjacency", "short"], "position: "),
        (&["show", "dots-and-boxes", "3x3 1 1 1 0-0"], "position: "),
        (&["show", "othello", "f5d6zz"], "position: "),
        (&["perft", "othello", "-1"], "--help"),
        (&["perft", "othello", "many"], "many"),
        (&["play", "othello", "--first", "nobody"], "bot: 'nobody' is not a bot"),
        (&["play", "othello", "--time", "soon"], "--time is 'soon'"),
        (&["show", "othello", "--svg", "/nowhere/at/all.svg"], "/nowhere/at/all.svg"),
        (&["fly"], "fly"),
        (&["serve", "--addr", "nowhere"], "--addr is 'nowhere'"),
        (&["serve", "--addr", "0.0.0.0:0", "--db", "/nowhere/at/all.db", "--no-open"], "add --open --host NAME"),
        (&["serve", "--addr", "[::]:0", "--db", "/nowhere/at/all.db", "--no-open"], "add --open --host NAME"),
        (&["serve", "--open", "--host", "http://papan.example/"], "--host is 'http://papan.example/'"),
        (&["serve", "--keep", "3"], "--keep"),
        (&["reproduce", "chess"], "'chess' is not a table"),
        (&["match", "othello", "random", "nobody"], "bot: 'nobody' is not a bot"),
        (&["analyse", "othello", "--bot", "alpha-beta:depth=x"], "bot: option 'depth' is 'x'"),
    ] {
        let line = refusal(args);
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"oth\xffello");
    let output = Command::new(env!("CARGO_BIN_EXE_papan")).arg("show").arg(odd).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is given as game and position, the answer is a drawing or one line.
    #[test]
    fn arbitrary_arguments_never_crash(game in "[^\0]{0,24}", position in "[^\0]{0,80}", known in 0usize..5) {
        let game = ["tic-tac-toe", "adjacency", "dots-and-boxes", "othello", &game][known].to_owned();
        let output = papan(&["show", "--", &game, &position]);
        match output.status.code() {
            Some(0) => {}
            Some(2) => prop_assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1),
            other => prop_assert!(false, "exit {:?}: {}", other, String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// Whatever is typed during a game, the game goes on or ends well.
    #[test]
    fn arbitrary_lines_in_a_game_never_crash(lines in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_papan"))
            .args(["play", "dots-and-boxes:rows=1,cols=1", "--ascii"])
            .stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped())
            .spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(&lines);
        let output = child.wait_with_output().unwrap();
        prop_assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Lines that the engine of Othello answers in one of its protocols.
fn othello_protocol(protocol: &str, input: &str) -> String {
    let args = ["engine", "othello", "--protocol", protocol, "--time", "100ms", "--threads", "1"];
    stdout(&papan_with_input(&args, input))
}

#[test]
fn the_othello_engine_speaks_nboard() {
    let text =
        othello_protocol("nboard", "nboard 2\nset depth 4\nmove F5//1.5\nping 7\ngo\n\u{0}nonsense\nhint 2\nquit\n");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["set myname Papan", "pong 7"]);
    let answer = lines.iter().find_map(|line| line.strip_prefix("=== ")).expect("a move");
    assert!(["D6/", "F4/", "F6/"].iter().any(|start| answer.starts_with(start)), "{answer}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("search ")).count(), 2, "{text}");
}

#[test]
fn the_othello_engine_speaks_gtp() {
    let text = othello_protocol("gtp", "1 boardsize 4\n2 play b a1\n\u{1F600}\n3 genmove b\n4 quit\n");
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(answers[..2], ["=1 ", "?2 illegal move"]);
    assert!(answers[2].starts_with('?') && answers[3].starts_with("=3 "), "{text}");
    assert_eq!(answers[4], "=4 ");
}

/// A 15×15 board sent as `tic-tac-toe`, a board of the game before the last `newgame`, and a number that is none
/// ended it or came back as they were.
#[test]
fn the_engine_outlives_positions_of_other_sizes_and_other_games() {
    let board = ["..............."; 15].join("/");
    let input = format!(
        "newgame tic-tac-toe first seed 1\nposition tic-tac-toe first 0 {board} X\ngo 1 depth 1\n\
         newgame othello first\ngo 2\ngo \u{1b}[2J\nquit\n"
    );
    let text = stdout(&papan_with_input(&["engine", "tic-tac-toe", "--bot", "greedy"], &input));
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("info")).collect();
    assert!(lines[0].starts_with("bestmove 1 "), "{text}");
    assert_eq!(lines[1], "error there is no position");
    assert!(lines[2].starts_with("error go has no number"), "{text}");
}

#[test]
fn protocols_of_othello_are_refused_elsewhere() {
    assert!(refusal(&["engine", "tic-tac-toe", "--protocol", "nboard"]).contains("tic-tac-toe"));
    assert!(refusal(&["engine", "othello", "--protocol", "gtp", "--bot", "random"]).contains("random"));
    assert!(refusal(&["engine", "othello", "--time", "1s"]).contains("--time"));
}

#[test]
fn othello_reads_ggf_and_names_the_opening() {
    let ggf =
        "(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]B[C4]W[C3];)";
    let shown = stdout(&papan(&["show", "othello", ggf, "--json"]));
    assert_eq!(shown, stdout(&papan(&["show", "othello", "c4c3", "--json"])));
    let analysed = stdout(&papan(&["analyse", "othello", ggf, "--bot", "engine:nodes=2000", "--json"]));
    assert!(analysed.contains("Opening: Diagonal Opening"), "{analysed}");
    let illegal = ggf.replace("W[C3]", "W[A1]");
    assert!(refusal(&["show", "othello", &illegal]).contains("GGF"));
    assert!(refusal(&["show", "othello", "(;GM[Othello]BO[6 x];)"]).contains("GGF"));
}

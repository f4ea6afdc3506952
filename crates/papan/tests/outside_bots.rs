//! Outside bots through the command line: the starters play whole games of
//! every game, our own engines too, and `check-bot` tells right from wrong.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAMES: [&str; 4] = ["tic-tac-toe", "adjacency:rounds=4", "dots-and-boxes:rows=2,cols=2", "othello:size=6"];

fn papan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_papan")).args(arguments).output().expect("papan starts")
}

fn starters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots").canonicalize().unwrap()
}

/// A folder that every user may enter.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-outside-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A copy of a starter, where the sandbox's user can read it.
    fn starter(&self, name: &str) -> String {
        fs::copy(starters().join(name), self.0.join(name)).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn compile(words: &[&str]) {
    let output = Command::new(words[0]).args(&words[1..]).output().unwrap_or_else(|error| panic!("{words:?}: {error}"));
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Both chairs of every game against `random`, without a fault.
fn plays_every_game(bot: &str) {
    for game in GAMES {
        plays(game, bot);
    }
}

fn plays(game: &str, bot: &str) {
    let arguments = ["match", game, bot, "random", "--games", "2", "--time", "30s", "--json"];
    let output = papan(&[&arguments[..], &["--require-sandbox", "confined"]].concat());
    assert!(output.status.success(), "{bot}: {}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len(), 2);
    for played in json["games"].as_array().unwrap() {
        assert_eq!(played["verdict"], "finished", "{bot}, {game}: {}", played["faults"]);
        assert_eq!(played["moves"].as_array().unwrap().len(), played["times_us"].as_array().unwrap().len());
    }
    assert!(json["sandbox"].as_str().unwrap().contains("landlock"), "{}", json["sandbox"]);
}

#[test]
fn the_python_starter_plays_every_game() {
    let folder = Folder::new("python");
    plays_every_game(&format!("exec:python3 {}", folder.starter("starter.py")));
}

#[test]
fn the_javascript_starter_plays_every_game() {
    let folder = Folder::new("javascript");
    plays_every_game(&format!("exec:node {}", folder.starter("starter.js")));
}

#[test]
fn the_java_starter_plays_every_game() {
    let folder = Folder::new("java");
    let source = starters().join("Starter.java");
    compile(&["javac", "-d", folder.0.to_str().unwrap(), source.to_str().unwrap()]);
    plays_every_game(&format!("exec:java -cp {} Starter", folder.0.display()));
}

#[test]
fn the_cpp_starter_plays_every_game() {
    let folder = Folder::new("cpp");
    let (source, program) = (starters().join("starter.cpp"), folder.file("starter"));
    compile(&["c++", "-O1", "-std=c++17", "-o", &program, source.to_str().unwrap()]);
    plays_every_game(&format!("exec:{program}"));
}

#[test]
fn the_rust_starter_plays_every_game() {
    let folder = Folder::new("rust");
    let (source, program) = (starters().join("starter.rs"), folder.file("starter"));
    compile(&["rustc", "--edition=2024", "-o", &program, source.to_str().unwrap()]);
    plays_every_game(&format!("exec:{program}"));
}

#[test]
fn a_program_plays_against_a_person() {
    let folder = Folder::new("play");
    let bot = format!("exec:python3 {}", folder.starter("starter.py"));
    let output = papan(&["play", "tic-tac-toe", "--first", &bot, "--second", "random", "--plain", "--time", "30s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("starter.py) plays") && !text.contains("drawn for it"), "{text}");
    let bad = folder.file("bad.py");
    fs::write(&bad, "import sys\nfor line in sys.stdin: print('z9', flush=True)\n").unwrap();
    let bot = format!("exec-simple:python3 {bad}");
    let output = papan(&["play", "tic-tac-toe", "--first", &bot, "--second", "random", "--plain", "--time", "30s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("was drawn for it"), "{text}");
}

#[test]
fn starters_are_short() {
    for entry in fs::read_dir(starters()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let Ok(text) = fs::read_to_string(entry.path()) else { continue };
        assert!(text.lines().count() < 60, "{:?}", entry.path());
    }
}

#[test]
fn our_own_engine_is_an_outside_bot() {
    let folder = Folder::new("engine");
    let program = folder.file("papan");
    fs::copy(env!("CARGO_BIN_EXE_papan"), &program).unwrap();
    for game in GAMES {
        plays(game, &format!("exec:{program} engine {game} --bot alpha-beta:depth=2"));
    }
}

#[test]
fn check_bot_praises_and_blames_in_plain_words() {
    let folder = Folder::new("check");
    let good = papan(&["check-bot", &format!("python3 {}", folder.starter("starter.py")), "--time", "30s"]);
    let text = String::from_utf8(good.stdout).unwrap();
    assert!(good.status.success() && text.contains("keeps to the protocol"), "{text}");
    // The program's own moves: a game of eight rounds has sixteen in all.
    assert!(text.contains("adjacency as first: 8 moves") && text.contains("adjacency as second: 8 moves"), "{text}");
    let bad = folder.file("bad.py");
    fs::write(&bad, "import sys\nfor line in sys.stdin: print('a1', flush=True)\n").unwrap();
    let output = papan(&["check-bot", &format!("python3 {bad}"), "--game", "tic-tac-toe", "--time", "30s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("WRONG") && text.contains("ILLEGAL") && text.contains("legal move"), "{text}");
}

/// A program of the full form that plays the first legal move.
const FULL: &str = "import sys\n\
for line in sys.stdin:\n\
\x20   word = line.split() or ['']\n\
\x20   if word[0] == 'hello': print('hello papan 1 games GAMES name Two Games', flush=True)\n\
\x20   elif word[0] == 'moves': move = word[1]\n\
\x20   elif word[0] == 'go': print('bestmove', word[1], move, flush=True)\n\
\x20   elif word[0] == 'quit': break\n";

#[test]
fn check_bot_tries_the_games_that_a_program_names_and_no_others() {
    let folder = Folder::new("named");
    let bot = folder.file("named.py");
    let check = |games: &str, more: &[&str]| {
        fs::write(&bot, FULL.replace("GAMES", games)).unwrap();
        let output = papan(&[&["check-bot", &format!("python3 {bot}"), "--time", "30s"], more].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    for games in ["othello,tic-tac-toe", "othello, tic-tac-toe", "Othello tic-tac-toe"] {
        let (code, text) = check(games, &[]);
        assert!(code == Some(0) && text.contains("keeps to the protocol"), "{games}: {text}");
        for played in ["othello as first", "othello as second", "tic-tac-toe as first", "tic-tac-toe as second"] {
            assert!(text.contains(&format!("good   {played}")), "{games}: {text}");
        }
        assert!(text.contains("adjacency: left out") && text.contains("dots-and-boxes: left out"), "{games}: {text}");
    }
    // A game that is demanded must be played, and a name must be a game's.
    let (code, text) = check("othello", &["--game", "tic-tac-toe"]);
    assert!(code == Some(2) && text.contains("PROTOCOL") && text.contains("not tic-tac-toe"), "{text}");
    let (code, text) = check("othelo", &[]);
    assert!(code == Some(2) && text.contains("WRONG") && text.contains("othelo"), "{text}");
}

#[test]
fn files_of_standard_error_carry_the_names_of_the_programs() {
    let folder = Folder::new("stderr");
    let bot = folder.file("rina's bot.py");
    let text = "import sys\nfor line in sys.stdin:\n    print('thinking', file=sys.stderr)\n    \
                print(line.split(' | ')[3].split()[0], flush=True)\n";
    fs::write(&bot, text).unwrap();
    let (bot, errors) = (format!("exec-simple:python3 \"{bot}\""), folder.file("errors"));
    let output = papan(&["match", "tic-tac-toe", &bot, "random", "--games", "2", "--time", "30s", "--stderr", &errors]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut files: Vec<String> =
        fs::read_dir(&errors).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["game-1-first-rina_s_bot.py.stderr", "game-2-second-rina_s_bot.py.stderr"]);
}

#[test]
fn a_missing_program_and_a_missing_sandbox_are_refused_in_one_line() {
    for (arguments, expected) in [
        (&["match", "othello", "exec:/no/such/bot", "random"][..], "not a program"),
        (&["check-bot", "no-such-program"], "not a program"),
        (&["match", "othello", "exec:true", "random", "--require-sandbox", "perfect"], "--require-sandbox"),
        (
            &["match", "othello", "exec:true", "random", "--no-sandbox", "--require-sandbox", "confined"],
            "confined is required",
        ),
        (&["match", "othello", "random", "random", "--faults", "maybe"], "--faults"),
    ] {
        let output = papan(arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{arguments:?}: {line}");
    }
}

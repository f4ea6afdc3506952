//! Names that were given up are read everywhere, and those of today printed.

use std::path::PathBuf;
use std::process::{Command, Output};

use papan_arena::tournament::{Entrant, Setup, Store};
use serde_json::Value;

fn papan(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_papan")).args(arguments).output().expect("papan starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(papan(arguments).stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&papan(arguments).stdout).expect("JSON")
}

/// A file in the temporary folder, gone when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-old-names-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn every_command_prints_the_names_of_today() {
    let (climber, search) = ("seed-hill-climbing", "alpha-beta:depth=1,order=captures");
    let played = json(&["match", "adjacency:rounds=2", climber, search, "--games", "2", "--json"]);
    assert_eq!(played["first"], "report-hill-climbing");
    assert_eq!(played["second"], "alpha-beta:depth=1,order=evaluation");
    assert_eq!(played["games"][0]["first"], "report-hill-climbing");
    let words = text(&["match", "adjacency:rounds=2", climber, search, "--games", "2", "--faults", "seed"]);
    assert!(words.contains("report-hill-climbing") && !words.contains("seed-"), "{words}");

    let game = "dots-and-boxes:rows=1,cols=1";
    let analysed = json(&["analyse", game, "--bot", "greedy:eval=seed-lines", "--json"]);
    assert_eq!(analysed["bot"], "greedy:eval=report-lines");
    let tree = json(&["tree", game, "--bot", "minimax:depth=1,eval=seed-chains", "--format", "json"]);
    assert_eq!(tree["bot"], "minimax:depth=1,eval=report-chains");
    let measured = json(&["experiment", game, climber, "--depths", "1", "--games", "0", "--json"]);
    assert_eq!(measured["experiment"]["bots"][0], "report-hill-climbing");
}

#[test]
fn the_bots_of_the_list_have_the_names_of_today() {
    let list = text(&["bots"]);
    for old in ["seed-", "captures"] {
        assert!(!list.contains(old), "{old} in {list}");
    }
}

/// A tournament that began under the old names goes on, and is reported under
/// those of today.
#[test]
fn a_tournament_with_old_names_goes_on() {
    let (file, begun, old) = (Scratch::new("cup.toml"), Scratch::new("begun.sqlite"), Scratch::new("old.sqlite"));
    let toml = "game = 'adjacency:rounds=2'\nbots = ['seed-hill-climbing', 'random']\nfaults = 'seed'\n";
    std::fs::write(&file.0, toml).expect("the file can be written");
    let played = json(&["tournament", file.path(), "--store", begun.path(), "--json"]);
    let names = |report: &Value| -> Vec<Value> {
        let mut names: Vec<_> = report["standings"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
        names.sort_by_key(ToString::to_string);
        names
    };
    assert_eq!(names(&played), ["random", "report-hill-climbing"]);

    let (store, setup) = Store::open(&begun.0).expect("the store can be opened");
    drop(store);
    let old_name = |entrant: Entrant| match entrant.bot.as_str() {
        "report-hill-climbing" => Entrant { name: "seed-hill-climbing".into(), bot: "seed-hill-climbing".into() },
        _ => entrant,
    };
    let setup = Setup { entrants: setup.entrants.into_iter().map(old_name).collect(), ..setup };
    drop(Store::create(&old.0, &setup).expect("a store can be made"));
    let resumed = json(&["tournament", file.path(), "--store", old.path(), "--resume", "--json"]);
    assert_eq!(names(&resumed), ["random", "report-hill-climbing"]);
    assert_eq!(resumed["games"].as_array().unwrap().len(), 2);
}

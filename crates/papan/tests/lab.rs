//! The lab's numbers by the real program: `papan tree` and `papan analyse`
//! count the same search the same way, in every game.

use std::process::Command;

use serde_json::{Value, json};

fn printed(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_papan")).args(args).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

/// Games of every kind and size, with searches of every kind.
const SEARCHES: [(&str, Option<&str>, &str); 14] = [
    ("tic-tac-toe", None, "minimax"),
    ("tic-tac-toe", None, "alpha-beta"),
    ("tic-tac-toe", Some("X.O/.X./..O X"), "alpha-beta:order=random,seed=7"),
    ("tic-tac-toe:rows=4,cols=5,k=4", None, "alpha-beta:depth=3,table=1"),
    ("tic-tac-toe:misere", None, "alpha-beta:order=preference"),
    ("adjacency:rounds=4", None, "minimax:depth=2"),
    ("adjacency", None, "alpha-beta:depth=2,order=evaluation"),
    ("adjacency:first=o,neighbours=8,rounds=2", None, "alpha-beta:depth=0"),
    ("dots-and-boxes:rows=1,cols=2", None, "minimax:depth=0"),
    ("dots-and-boxes", None, "alpha-beta:depth=3,deepening=on"),
    ("dots-and-boxes:rows=2,cols=2,border=swedish", None, "alpha-beta:depth=4,values=all"),
    ("othello", None, "alpha-beta:depth=4"),
    ("othello:size=4", None, "alpha-beta:depth=0,order=evaluation"),
    ("othello:size=6", None, "minimax:depth=4"),
];

#[test]
fn tree_and_analyse_count_the_same_in_every_game() {
    for (game, position, bot) in SEARCHES {
        let ask = |command| {
            let mut args = vec![command, game];
            args.extend(position);
            args.extend(["--bot", bot, "--json"]);
            printed(&args)
        };
        let (tree, analysis) = (ask("tree"), ask("analyse"));
        for count in ["nodes", "leaves", "cuts", "depth"] {
            assert!(tree[count].is_u64(), "{game} {bot}: {count}");
            assert_eq!(tree[count], analysis[count], "{game} {bot}: {count}");
        }
        let by_ply = |count: &str| -> u64 {
            tree["by_ply"].as_array().expect("a list").iter().map(|ply| ply[count].as_u64().expect("a number")).sum()
        };
        for count in ["nodes", "leaves", "cuts"] {
            assert_eq!(by_ply(count), tree[count], "{game} {bot}: {count} by ply");
        }
        assert_eq!((&tree["game"], &tree["position"]), (&analysis["game"], &analysis["position"]));
    }
}

#[test]
fn the_reports_numbers_of_tic_tac_toe() {
    let tree = |bot| printed(&["tree", "tic-tac-toe", "--bot", bot, "--json", "--nodes", "1"]);
    assert_eq!(tree("minimax")["nodes"], 549_946);
    assert_eq!(tree("alpha-beta")["nodes"], 18_297);
}

/// A move that the search saw only to be no better is marked in the tree as it
/// is in the analysis.
#[test]
fn a_bound_in_the_tree_is_a_bound_in_the_analysis() {
    let ask = |command: &str, bot: &str| printed(&[command, "tic-tac-toe", "X.O/.X./..O X", "--bot", bot, "--json"]);
    let (tree, plain, analysis) = (ask("tree", "alpha-beta"), ask("tree", "minimax"), ask("analyse", "alpha-beta"));
    let find = |list: &Value, mv: &str| -> Value {
        let found = list.as_array().expect("a list").iter().find(|each| each["move"] == mv && each["ply"] != 2);
        found.unwrap_or_else(|| panic!("{mv} is there")).clone()
    };
    for mv in ["a3", "b3"] {
        let (node, value) = (find(&tree["tree"], mv), find(&analysis["moves"], mv));
        assert_eq!((&node["score"], &node["bound"], &node["value"]), (&json!(0), &json!("at_most"), &json!("≤ 0")));
        assert_eq!((&value["value"], &value["bound"]), (&json!(0), &json!("at_most")));
        let node = find(&plain["tree"], mv);
        assert_eq!((&node["score"], &node["bound"]), (&json!(-1), &json!("exact")));
    }
    let line: Vec<_> =
        tree["tree"].as_array().expect("a list").iter().filter(|node| node["best_line"] == true).collect();
    assert_eq!(line.len(), 1 + tree["pv"].as_array().expect("a list").len());
    assert!(line.iter().all(|node| node["bound"] == "exact" && node["score"] == tree["value"]));
}

/// The presets of the reports that search trees are drawn; what is not is told
/// which are.
#[test]
fn presets_that_search_trees_are_drawn() {
    for game in ["tic-tac-toe", "adjacency", "dots-and-boxes", "othello"] {
        let bots = printed(&["bots", game, "--json"]);
        let bots = bots[0]["bots"].as_array().expect("a list");
        let drawable =
            bots.iter().filter(|bot| bot["searches_tree"] == true).map(|bot| bot["name"].as_str().expect("a name"));
        let drawable: Vec<_> = drawable.collect();
        assert!(drawable.len() > 2, "{game}: {drawable:?}");
        for bot in &drawable[2..] {
            let tree = printed(&["tree", game, "--bot", bot, "--depth", "2", "--json", "--nodes", "9"]);
            assert_eq!((tree["tree"][1]["ply"].as_u64(), &tree["bot"]), (Some(1), &json!(bot)), "{game}");
        }
        let refused = Command::new(env!("CARGO_BIN_EXE_papan")).args(["tree", game, "--bot", "random"]).output();
        let refused = refused.expect("the program starts");
        let words = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && words.contains(&drawable.join(", ")), "{words}");
    }
}

/// The commands that a report prints give its figures again.
#[test]
fn an_experiment_and_the_commands_of_its_report_agree() {
    let (game, bots) = ("othello:size=4", ["alpha-beta:order=evaluation", "greedy:ties=first"]);
    let common = ["--depths", "1,3", "--positions", "1", "--plies", "3", "--games", "4", "--seed", "5,6", "--json"];
    let experiment = printed(&[&["experiment", game, bots[0], bots[1]], &common[..]].concat());
    for row in experiment["measurements"].as_array().expect("a list") {
        let (bot, depth) = (row["bot"].as_str().expect("a name"), row["depth"].to_string());
        let nodes = experiment["positions"].as_array().expect("a list").iter().map(|position| {
            let position = position.as_str().expect("a position");
            printed(&["analyse", game, position, "--bot", bot, "--depth", &depth, "--json"])["nodes"].as_f64()
        });
        let sum: f64 = nodes.map(|nodes| nodes.expect("a number")).sum();
        assert_eq!(row["nodes"].as_f64(), Some(sum / 2.0), "{bot} at depth {depth}: the mean of both seeds");
    }
    for row in experiment["pairings"].as_array().expect("a list") {
        let depth = row["depth"].to_string();
        let matches = ["5", "6"].map(|seed| {
            printed(&["match", game, bots[0], bots[1], "--games", "4", "--depth", &depth, "--seed", seed, "--json"])
        });
        for count in ["wins", "draws", "losses"] {
            let sum: u64 = matches.iter().map(|played| played[count].as_u64().expect("a number")).sum();
            assert_eq!(row[count].as_u64(), Some(sum), "{count} at depth {depth}");
        }
    }
}

//! The crates depend on each other only as the table in ARCHITECTURE.md allows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Crate → the crates of ours that it may use, from the table's rows
/// `| games, bots | core |`.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate | may use |")).skip(2);
    let rows: Vec<(Vec<String>, String)> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
            (cells[0].split(", ").map(str::to_owned).collect(), cells[1].to_owned())
        })
        .collect();
    let every: BTreeSet<String> = rows.iter().flat_map(|(names, _)| names.clone()).collect();
    let mut allowed = BTreeMap::new();
    for (names, uses) in rows {
        let uses = match uses.as_str() {
            "nothing of ours" => BTreeSet::new(),
            "all" => every.clone(),
            list => list.split(", ").map(str::to_owned).collect(),
        };
        for name in names {
            allowed.insert(name, uses.clone());
        }
    }
    allowed
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}

/// Crate → the crates of ours that it does use, tests included.
fn used() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let short = |name: &Value| {
        let name = name.as_str().expect("a name").to_owned();
        name.strip_prefix("papan-").map_or(name.clone(), str::to_owned)
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: BTreeSet<String> = packages.iter().map(|package| short(&package["name"])).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let uses = dependencies.iter().map(|dependency| short(&dependency["name"]));
            (short(&package["name"]), uses.filter(|name| ours.contains(name)).collect())
        })
        .collect()
}

#[test]
fn crates_use_only_what_the_house_plan_allows() {
    let allowed = allowed();
    for (name, uses) in used() {
        if name == "xtask" {
            continue;
        }
        let may = allowed.get(&name).unwrap_or_else(|| panic!("{name} is not in ARCHITECTURE.md's table"));
        let beyond: Vec<_> = uses.difference(may).collect();
        assert!(beyond.is_empty(), "{name} may use {may:?}, but also uses {beyond:?}");
    }
}

#[test]
fn the_table_is_the_real_one() {
    let allowed = allowed();
    assert_eq!(allowed["core"], BTreeSet::new());
    assert_eq!(allowed["bots"], BTreeSet::from(["core".to_owned()]));
    assert!(allowed["papan"].contains("roster"));
}

/// The README's first command names no binary, so there must be only one to run.
#[test]
fn cargo_run_is_the_program() {
    let metadata = metadata();
    let run = &metadata["workspace_default_members"];
    let packages = metadata["packages"].as_array().expect("packages");
    let bins: Vec<&str> = packages
        .iter()
        .filter(|package| run.as_array().expect("members").contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().expect("targets"))
        .filter(|target| target["kind"][0] == "bin")
        .filter_map(|target| target["name"].as_str())
        .collect();
    assert_eq!(bins, ["papan"]);
}

//! `papan reproduce`: what stands in a report, what its program gave, and what
//! Papan gets are told apart.

use std::process::Command;

use serde_json::Value;

fn papan(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_papan")).args(arguments).output().expect("papan starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn table(name: &str) -> Value {
    let tables: Value = serde_json::from_slice(&papan(&["reproduce", name, "--games", "2", "--json"])).expect("JSON");
    tables[0].clone()
}

fn row<'a>(table: &'a Value, what: &str) -> &'a Value {
    let rows = table["rows"].as_array().expect("rows");
    rows.iter().find(|row| row["what"].as_str().is_some_and(|text| text.contains(what))).expect(what)
}

#[test]
fn scores_of_the_report_stand_apart_from_those_with_sides_swapped() {
    let table = table("adjacency-exact");
    assert!(table["reading"].as_str().unwrap().starts_with("A score is X's marks – O's marks"), "{table}");
    for (rounds, reported, swapped) in [(28, "33–31", "33–31"), (20, "25–23", "25–23"), (16, "21–19", "24–16")]
    {
        let in_report = row(&table, &format!("{rounds} rounds, minimax is X"));
        assert_eq!((&in_report["report"]["figure"], &in_report["program"]), (&reported.into(), &Value::Null));
        assert!(in_report["report"]["place"].as_str().unwrap().contains("minimax against hill climbing"));
        let measured = row(&table, &format!("{rounds} rounds, sides swapped"));
        assert_eq!((&measured["report"], &measured["program"]["figure"]), (&Value::Null, &swapped.into()));
        for (row, score) in [(in_report, reported), (measured, swapped)] {
            assert_eq!((&row["papan"], &row["comparison"]), (&score.into(), &"same".into()));
        }
    }
    let verdict = row(&table, "who wins");
    assert_eq!((&verdict["report"]["place"], &verdict["comparison"]), (&"conclusion".into(), &"different".into()));
}

#[test]
fn the_2023_program_loses_as_often_as_it_did_when_it_was_run() {
    let table = table("tic-tac-toe");
    for (side, lost) in [("first", "lost 24 of 132"), ("second", "lost 261 of 641")] {
        let row = row(&table, &format!("report-2023-minimax as {side} player"));
        assert_eq!((&row["program"]["figure"], &row["papan"]), (&lost.into(), &lost.into()));
        assert_eq!(row["comparison"], "same");
        assert!(row["note"].as_str().unwrap().starts_with("A game that it loses: "), "an example: {row}");
    }
    for unbeaten in ["report-minimax", "brute-force", "alpha-beta"] {
        let papan = row(&table, &format!("{unbeaten}:"))["papan"].as_str().unwrap().to_owned();
        assert_eq!(papan.matches("lost 0 of").count(), 2, "{unbeaten}: {papan}");
    }
}

#[test]
fn the_page_says_whose_each_figure_is_and_fits_the_terminal() {
    let text = String::from_utf8(papan(&["reproduce", "--games", "2"])).expect("text");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("report") && lines[1].starts_with("program") && lines[2].starts_with("Papan"));
    let too_long: Vec<_> = lines.iter().filter(|line| line.chars().count() > 80).collect();
    assert!(too_long.is_empty(), "{too_long:?}");
    let swapped = lines.iter().position(|line| line.contains("16 rounds, sides swapped")).unwrap();
    assert!(lines[swapped + 1].trim().starts_with("program  24–16 ("), "{}", lines[swapped + 1]);
    assert!(lines[swapped + 2].trim().starts_with("Papan    24–16 (= the same)"), "{}", lines[swapped + 2]);
}

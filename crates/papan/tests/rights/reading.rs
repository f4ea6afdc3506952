//! A program reads the files that its command names, and its own folder; never
//! a home folder, a rival's files, or the arena's.

use std::fs;
use std::os::unix::fs::symlink;

use super::stage::{Stage, User, text};

/// The level that every user reaches everywhere that these tests run.
const LEVEL: [&str; 2] = ["--sandbox", "confined"];

fn match_of(stage: &Stage, user: User, first: &str, second: &str) -> (String, String) {
    let (home, errors) = (stage.path("home"), stage.path("errors"));
    stage.file("errors/older.txt", "what a rival said in another match");
    let mut arguments = vec!["match", "tic-tac-toe", first, second, "--games", "2", "--time", "30s", "--json"];
    arguments.extend(["--stderr", &errors]);
    arguments.extend(LEVEL);
    let output = user.papan(&home, &arguments);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{user:?}: {err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    for game in json["games"].as_array().unwrap() {
        assert_eq!(game["verdict"], "finished", "{user:?}: {game} {} {err}", stage.said("errors"));
    }
    (stage.said("errors"), err)
}

#[test]
fn a_program_reads_neither_home_nor_rival_nor_what_others_said() {
    for user in User::all() {
        let stage = Stage::new();
        let secret = stage.file("home/diary.txt", "secret");
        let rival = stage.bot("bots/rival.py", "");
        let neighbour = stage.file("bots/notes.txt", "whose notes?");
        let said = stage.path("errors/older.txt");
        // Beside its rival.
        let spy = stage.spy("bots/spy.py", &[secret.clone(), rival.clone(), neighbour, said.clone()]);
        let (read, notes) = match_of(&stage, user, &format!("exec:python3 {spy}"), &format!("exec:python3 {rival}"));
        assert!(read.contains("SHUT") && !read.contains("READ"), "{user:?}: {read}");
        assert!(read.contains("SHUT /") && read.matches("SHUT").count() >= 4 * 2, "{user:?}: two games: {read}");
        assert!(notes.contains("spy.py may read only") && notes.contains("another program"), "{notes}");
        // In the home folder itself.
        fs::remove_dir_all(stage.path("errors")).unwrap();
        let spy = stage.spy("home/spy.py", &[secret, rival, said]);
        let (read, notes) = match_of(&stage, user, &format!("exec:python3 {spy}"), "random");
        assert!(read.contains("SHUT") && !read.contains("READ"), "{user:?}: {read}");
        assert!(notes.contains("home folder"), "{notes}");
    }
}

#[test]
fn a_program_reads_neither_tournament_nor_store_nor_standard_errors() {
    for user in User::all() {
        let stage = Stage::new();
        let private = ["cup/cup.toml", "cup/cup.sqlite", "cup/cup.stderr/older.txt"].map(|name| stage.path(name));
        let spy = stage.spy("cup/spy.py", &private);
        let rival = stage.bot("cup/rina/main.py", "");
        stage.file("cup/cup.stderr/older.txt", "older");
        let file = format!(
            "game = 'tic-tac-toe'\ntime = '30s'\nrequire_sandbox = 'confined'\nbots = ['exec:python3 {spy}', \
             'program:rina', 'random']\n"
        );
        let file = stage.file("cup/cup.toml", &file);
        let output = user.papan(&stage.path("home"), &["tournament", &file, "--json"]);
        let (out, err) = text(&output);
        assert!(output.status.success(), "{user:?}: {err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(json["games"].as_array().unwrap().iter().all(|game| game["verdict"] == "finished"), "{out}");
        let read = stage.said("cup/cup.stderr");
        assert!(read.contains("SHUT") && !read.contains("READ"), "{user:?}: {read} {rival}");
        assert!(err.contains("holds files of the tournament"), "{err}");
    }
}

#[test]
fn a_program_reads_what_lies_with_it_in_a_folder_of_its_own() {
    for user in User::all() {
        let stage = Stage::new();
        stage.file("home/x", "");
        stage.file("home/mine/helper.py", "VALUE = 7\n");
        stage.file("home/mine/data/book.txt", "opening book");
        let first = "import os, helper\nassert helper.VALUE == 7\nopen('data/book.txt').read()\n";
        let bot = stage.bot("home/mine/bot.py", first);
        let rival = stage.bot("home/yours/bot.py", "");
        let (_, notes) = match_of(&stage, user, &format!("exec:python3 {bot}"), &format!("exec:python3 {rival}"));
        assert!(!notes.contains("may read only"), "{notes}");
        // The same program twice, in two ways, is no rival of itself.
        let twin = format!("exec:python3 {bot} --level 2");
        let (_, notes) = match_of(&stage, user, &format!("exec:python3 {bot}"), &twin);
        assert!(!notes.contains("may read only"), "{notes}");
    }
}

#[test]
fn a_link_opens_nothing() {
    let stage = Stage::new();
    let secret = stage.file("home/lecturer/exam.py", "# the answers");
    stage.bot("bots/honest.py", "");
    symlink(&secret, stage.path("bots/linked.py")).unwrap();
    symlink(stage.path("home"), stage.path("bots/folder")).unwrap();
    // A link inside a bot's own folder leads nowhere either.
    let spy = stage.spy("spy/main.py", &[stage.path("spy/link.py"), stage.path("spy/home/lecturer/exam.py")]);
    symlink(&secret, stage.path("spy/link.py")).unwrap();
    symlink(stage.path("home"), stage.path("spy/home")).unwrap();
    for user in User::all() {
        for bot in
            [format!("exec:python3 {}", stage.path("bots/linked.py")), format!("program:{}", stage.path("bots/folder"))]
        {
            let mut arguments = vec!["match", "tic-tac-toe", &bot, "random", "--games", "2"];
            arguments.extend(LEVEL);
            let output = user.papan(&stage.path("home"), &arguments);
            let (_, err) = text(&output);
            assert_eq!(output.status.code(), Some(2), "{bot}: {err}");
            assert!(err.contains("leads out of its folder") && err.lines().count() == 1, "{err}");
        }
        let (read, _) = match_of(&stage, user, &format!("exec:python3 {spy}"), "random");
        assert!(read.contains("SHUT") && !read.contains("READ"), "{user:?}: {read}");
        fs::remove_dir_all(stage.path("errors")).unwrap();
    }
    let file = "game = 'tic-tac-toe'\nfolder = 'bots'\nbots = ['random']\nrequire_sandbox = 'confined'\n";
    let output = User::Own.papan(&stage.path("home"), &["tournament", &stage.file("cup.toml", file)]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("left out: linked.py") && err.contains("left out: folder"), "{err}");
    assert!(out.contains("honest") && !out.contains("linked"), "{out}");
}

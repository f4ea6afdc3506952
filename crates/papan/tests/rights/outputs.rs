//! What reaches people: no password, nothing that steers a terminal, nothing
//! that a spreadsheet or a browser would run, and no number that ends the
//! program.

use std::fs;
use std::path::Path;

use super::stage::{Stage, User, text};

const SECRET: &str = "s3cr3t-pass";

fn papan(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = User::Own.papan(&stage.path("home"), arguments);
    let (out, err) = text(&output);
    (output.status.code(), out, err)
}

/// The bytes of every file below a folder.
fn all_bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(all_bytes(&path));
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found
}

#[test]
fn a_password_that_a_bot_has_found_is_in_no_report() {
    let stage = Stage::new();
    let url = format!("nats://rina:{SECRET}@127.0.0.1:4222");
    // It says what it found in every way that it has, and then does wrong.
    let loud =
        format!("import sys\nprint('{url}', file=sys.stderr, flush=True)\nprint('{url}', flush=True)\nsys.exit(3)\n");
    let bot = stage.file("loud/main.py", &loud);
    let text_of = format!(
        "name = 'cup on {url}'\ngame = 'tic-tac-toe'\ntime = '30s'\nrequire_sandbox = 'confined'\n\
         bots = ['exec-simple:python3 {bot}', 'random']\n[[bot]]\nname = 'greedy {url}'\nbot = 'greedy'\n"
    );
    let file = stage.file("cup/cup.toml", &text_of);
    let results = stage.path("results");
    fs::create_dir(&results).unwrap();
    let (html, csv) = (stage.path("results/cup.html"), stage.path("results/cup.csv"));
    for json in [&[][..], &["--json"]] {
        let arguments = [&["tournament", &file, "--resume", "--html", &html, "--csv", &csv][..], json].concat();
        let (code, out, err) = papan(&stage, &arguments);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("nats://…@127.0.0.1"), "the bot said nothing, so this shows nothing: {out}");
        assert!(!out.contains(SECRET) && !err.contains(SECRET), "{out}{err}");
    }
    let mut written = all_bytes(Path::new(&results));
    assert_eq!(written.len(), 3);
    // What the arena itself keeps of the games, beside what was given to it.
    let stored = all_bytes(Path::new(&stage.path("cup")));
    written.extend(stored.into_iter().filter(|(name, _)| name.contains("cup.sqlite")));
    assert!(written.len() > 3, "there is no store");
    for (name, bytes) in written {
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{name}");
    }
}

#[test]
fn a_password_on_the_command_line_is_in_no_error() {
    let stage = Stage::new();
    let url = format!("nats://rina:{SECRET}@127.0.0.1:1");
    let bot = format!("exec:true --server {url}");
    let file = stage.file("cup.toml", "game = 'tic-tac-toe'\nbots = ['random', 'greedy']\n");
    for arguments in [
        vec!["match", "tic-tac-toe", &bot, "random", "--games", "2"],
        vec!["match", "tic-tac-toe", &url, "random", "--games", "2"],
        vec!["check-bot", &bot[5..]],
        vec!["tournament", &file, "--queue", &url],
        vec!["tournament", &url],
        vec!["worker", "--queue", &url, "--status"],
        vec!["solve", &url],
    ] {
        let (code, out, err) = papan(&stage, &arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {out}{err}");
        assert!(!err.is_empty() && !out.contains(SECRET) && !err.contains(SECRET), "{arguments:?}: {out}{err}");
    }
}

/// Characters that steer a terminal or turn the direction of reading.
fn steers(text: &str) -> bool {
    text.chars().any(|c| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)))
}

#[test]
fn nasty_names_reach_no_terminal_spreadsheet_or_page() {
    let stage = Stage::new();
    let names = [
        "\u{1b}[2J\u{1b}]0;owned\u{7}.py",
        "new\nline.py",
        "\r=cmd|calc.py",
        "=1+1.py",
        "@sum;=2+2.py",
        "<script>alert(1)<.py",
        "turn\u{202e}yp.py",
    ];
    for name in names {
        stage.bot(&format!("bots/{name}"), "");
    }
    fs::write(stage.path("bots/\u{1b}[31mleft-out.txt"), "no program").unwrap();
    let file =
        "game = 'tic-tac-toe'\ntime = '30s'\nrequire_sandbox = 'confined'\nfolder = 'bots'\nformat = 'gauntlet'\n";
    let file = stage.file("\u{1b}[5mcup.toml", file);
    let (html, csv) = (stage.path("cup.html"), stage.path("cup.csv"));
    let (code, out, err) = papan(&stage, &["tournament", &file, "--html", &html, "--csv", &csv]);
    assert_eq!(code, Some(0), "{err:?}");
    assert!(out.contains("\\u{1b}[2J") && !steers(&out), "{out:?}");
    assert!(err.contains("left-out") && !steers(&err), "{err:?}");
    let page = fs::read_to_string(html).unwrap();
    assert!(!page.contains("<script>alert") && !page.contains('\u{1b}'), "a name is part of the page");
    for csv in [csv, stage.path("cup-standings.csv")] {
        let table = fs::read_to_string(csv).unwrap();
        assert!(!steers(&table.replace("\r\n", "\n")), "{table:?}");
        let cells = table.lines().flat_map(|line| line.split(['"', ',', ';']));
        for cell in cells {
            let runs = cell.starts_with(['=', '+', '@']) || cell.starts_with('-') && cell.parse::<f64>().is_err();
            // Inside quotes a semicolon ends no cell.
            assert!(!runs || table.contains(&format!(";{cell}")), "{cell:?}");
        }
    }
    // The second time it is there already: the error names the file.
    let (code, _, err) = papan(&stage, &["tournament", &file]);
    assert_eq!(code, Some(2));
    assert!(err.contains("[5mcup") && !steers(&err), "{err:?}");
    let (code, _, err) = papan(&stage, &["tournament", "no\u{1b}[2Jsuch.toml"]);
    assert_eq!(code, Some(2));
    assert!(!steers(&err), "{err:?}");
}

#[test]
fn numbers_that_would_end_the_program_are_refused() {
    let stage = Stage::new();
    let cup =
        |line: &str| stage.file("cup.toml", &format!("game = 'tic-tac-toe'\nbots = ['random', 'greedy']\n{line}\n"));
    let file = cup("jobs = 100000");
    let (code, out, err) = papan(&stage, &["tournament", &file]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("jobs is 100000, expected 1 to 1024"), "{err}");
    for arguments in [
        vec!["match", "tic-tac-toe", "random", "random", "--jobs", "65535"],
        vec!["match", "tic-tac-toe", "random", "random", "--games", "4294967295"],
        vec!["worker", "--queue", "nats://127.0.0.1:1", "--jobs", "65535"],
        vec!["solve", "tic-tac-toe", "--threads", "65535"],
        vec!["solve", "tic-tac-toe", "--table", "99999999999"],
        vec!["experiment", "tic-tac-toe", "random", "--games", "18446744073709551615"],
    ] {
        let (code, out, err) = papan(&stage, &arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    }
    // As many as may be asked for are no more than there are games.
    let file = cup("jobs = 1024");
    let (code, _, err) = papan(&stage, &["tournament", &file]);
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) = papan(&stage, &["match", "tic-tac-toe", "random", "greedy", "--games", "4", "--jobs", "1024"]);
    assert_eq!(code, Some(0), "{err}");
}

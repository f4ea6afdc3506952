//! Outside programs run only if they are shut in as well as was asked for:
//! `isolated` unless someone asks for less, and the report says both.

use std::process::{Command, Output};

use super::stage::{Stage, User, text};

/// Makes Landlock unknown to whatever is run: system call 444 on every
/// processor, answered with "no such call" by a filter of four instructions.
const WITHOUT_LANDLOCK: &str = "
import ctypes, os, struct, sys
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050026), (0x06, 0, 0, 0x7fff0000)]
program = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *one) for one in code))
filters = ctypes.create_string_buffer(struct.pack('HxxxxxxP', len(code), ctypes.addressof(program)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, filters, 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[1], sys.argv[1:])
";

fn papan_without_landlock(arguments: &[&str]) -> Output {
    let program = ["-c", WITHOUT_LANDLOCK, env!("CARGO_BIN_EXE_papan")];
    Command::new("/usr/bin/python3").args(program).args(arguments).output().expect("python3 starts")
}

/// The level of `isolated (rlimits, …), asked for none`.
fn level(sandbox: &str) -> &str {
    sandbox.split(' ').next().unwrap_or_default()
}

/// Whatever this way of running papan reaches: it runs with less than isolated
/// only if that is asked for, and says so.
fn keeps_to_the_level(papan: &dyn Fn(&[&str]) -> Output) -> String {
    let stage = Stage::new();
    let bot = format!("exec:python3 {}", stage.bot("mine/bot.py", ""));
    let html = stage.path("report.html");
    let csv = stage.path("report.csv");
    let base = ["match", "tic-tac-toe", &bot, "random", "--games", "2", "--time", "30s"];
    let run = |more: &[&str]| papan(&[&base[..], more].concat());
    let probe = run(&["--json", "--require-sandbox", "none"]);
    let (out, err) = text(&probe);
    assert!(probe.status.success(), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let reached = json["sandbox"].as_str().unwrap().to_owned();
    assert!(reached.ends_with("asked for none"), "{reached}");
    let usual = run(&["--json"]);
    let (out, err) = text(&usual);
    if level(&reached) == "isolated" {
        assert!(usual.status.success(), "{err}");
        assert!(out.contains("asked for isolated"), "{out}");
    } else {
        assert_eq!(usual.status.code(), Some(2), "{out}{err}");
        assert_eq!((out.as_str(), err.lines().count()), ("", 1), "{err}");
        let advice = format!("--sandbox {}", level(&reached));
        assert!(err.contains("isolated is required") && err.contains(&advice), "{err}");
        for command in [vec!["check-bot", &bot[5..]], vec!["play", "tic-tac-toe", "--first", &bot, "--plain"]] {
            let refused = papan(&command);
            assert_eq!(refused.status.code(), Some(2), "{command:?}");
            assert!(text(&refused).1.contains("isolated is required"), "{command:?}");
        }
    }
    // What was asked for and reached stands in every form of the result.
    let asked = run(&["--sandbox", level(&reached), "--html", &html, "--csv", &csv]);
    let (out, err) = text(&asked);
    assert!(asked.status.success(), "{err}");
    let words = format!("asked for {}", level(&reached));
    for (form, written) in [("text", out), ("html", read(&html)), ("csv", read(&csv))] {
        assert!(written.contains(&words) && written.contains("rlimits"), "{form}: {written}");
    }
    level(&reached).to_owned()
}

fn read(file: &str) -> String {
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn isolated_is_required_unless_less_is_asked_for() {
    for user in User::all() {
        keeps_to_the_level(&|arguments| user.papan("/nonexistent", arguments));
    }
}

#[test]
fn a_machine_that_cannot_shut_programs_in_says_what_is_missing() {
    keeps_to_the_level(&papan_without_landlock);
}

#[test]
fn none_is_no_sandbox_and_says_so() {
    let stage = Stage::new();
    let bot = format!("exec:python3 {}", stage.bot("mine/bot.py", ""));
    for words in [&["--sandbox", "none"][..], &["--no-sandbox"]] {
        let arguments = [&["match", "tic-tac-toe", &bot, "random", "--games", "2"][..], words].concat();
        let output = User::Own.papan("/nonexistent", &arguments);
        let (out, err) = text(&output);
        assert!(output.status.success(), "{err}");
        assert!(out.contains("sandbox: none (no layers), asked for none"), "{out}");
    }
    for (words, named) in [
        (&["--sandbox", "moat"][..], "--sandbox is 'moat'"),
        (&["--no-sandbox", "--require-sandbox", "confined"], "confined is required"),
    ] {
        let arguments = [&["match", "tic-tac-toe", &bot, "random", "--games", "2"][..], words].concat();
        let output = User::Own.papan("/nonexistent", &arguments);
        let (_, err) = text(&output);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(named) && err.lines().count() == 1, "{err}");
    }
}

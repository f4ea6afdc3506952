//! Messages of strangers: refused, logged, of no effect.

use std::time::Duration;

use serde_json::json;

use super::stage::{Folder, Process, Servers, games_of, json, papan, until};

const LONG: Duration = Duration::from_secs(60);

/// The run's name in subjects, as the server has it.
pub(crate) fn run_of(folder: &Folder) -> String {
    let files = std::fs::read_dir(folder.0.join("nats-0/jetstream/$G/streams/PAPAN_RUNS/msgs"));
    let text: Vec<u8> =
        files.into_iter().flatten().flatten().flat_map(|file| std::fs::read(file.path()).unwrap_or_default()).collect();
    let text = String::from_utf8_lossy(&text).into_owned();
    let start = text.rfind("papan.runs.").map(|at| at + "papan.runs.".len());
    start.map(|at| text[at..].chars().take(24).collect()).unwrap_or_default()
}

#[test]
fn a_malformed_or_hostile_message_changes_nothing() {
    let folder = Folder::new("hostile");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    let text = "game = 'tic-tac-toe'\ngames = 20\nnodes = 1000\nbots = ['random', 'greedy', 'alpha-beta:depth=2']\n";
    let file = folder.write("cup.toml", text);
    let near = json(&papan(&["tournament", &file, "--store", &folder.path("near.sqlite"), "--json"]).output().unwrap());
    // 1. The coordinator waits: nobody works yet.
    let arguments = ["tournament", &file, "--queue", &url, "--lease", "2s", "--json"];
    let coordinator = Process::start(&mut papan(&arguments), &folder.path("coordinator.log"));
    until("the run is announced", LONG, || run_of(&folder).len() == 24);
    let run = run_of(&folder);
    // 2. Strangers speak to the coordinator …
    let outcome = json!({
        "version": 1, "id": "made-up", "moves": [], "times_us": [], "verdict": "finished", "counts": true,
        "winner": "first", "score": [1, 0], "faults": [], "last_words": [null, null],
    });
    let result = |worker: &str, id: &str, version: u32| {
        json!({ "version": version, "id": id, "worker": worker, "answer": { "game": outcome } }).to_string()
    };
    let results = |id: &str| format!("papan.results.nobody.{run}.{id}");
    servers.publish(&results("a"), b"not JSON at all");
    servers.publish(&results("b"), &[0xff, 0x00, 0xfe]);
    servers.publish(&results("c"), result("nobody", "c", 99).as_bytes());
    let made_up = format!("papan.results.somebody.{run}.made-up");
    servers.publish(&made_up, result("somebody", "made-up", 2).as_bytes());
    servers.publish(&results("f"), result("somebody", "f", 2).as_bytes());
    servers.publish(&results("d"), b"[[[[[[[[");
    servers.publish(&results("e"), &vec![b'['; 510_000]);
    servers.publish(&results("too-large"), &vec![b' '; 1_000_000]);
    servers.publish(&results("far-too-large"), &vec![b' '; 3_000_000]);
    let expected = ["not JSON", "version 99", "never given", "another worker's name"];
    let heard = || folder.read("coordinator.log");
    until("the coordinator refuses them", LONG, || expected.iter().all(|words| heard().contains(words)));
    // 3. … and to the workers.
    let jobs = |id: &str| format!("papan.jobs.{run}.{id}");
    let job = json!({ "version": 2, "id": "x", "work": { "solve_move": { "mv": "a1" } } }).to_string();
    servers.publish(&jobs("w"), b"rm -rf /");
    servers.publish(&jobs("v"), job.replace("\"version\":2", "\"version\":3").as_bytes());
    servers.publish(&jobs("x"), job.as_bytes());
    servers.publish(&jobs("y"), job.as_bytes());
    servers.publish("papan.jobs.no", job.as_bytes());
    servers.publish(&jobs("huge"), &vec![b'7'; 900_000]);
    let mut command = papan(&["worker", "--queue", &url, "--jobs", "2"]);
    let _worker = Process::start(&mut command, &folder.path("worker.log"));
    // 4. The tournament is as if nothing had been.
    let far = json(&coordinator.wait(LONG));
    assert_eq!(games_of(&far), games_of(&near));
    let log = folder.read("worker.log");
    for words in ["not JSON", "version 3", "another kind", "another name"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    assert!(log.lines().all(|line| line.starts_with("papan: ") && line.len() < 300), "{log}");
}

#[test]
fn mistakes_are_one_line_that_names_them() {
    let folder = Folder::new("mistakes");
    let file = folder.write("cup.toml", "game = 'tic-tac-toe'\nbots = ['random', 'greedy']\n");
    let closed = "nats://127.0.0.1:1";
    for (arguments, expected) in [
        (vec!["worker"], "--queue"),
        (vec!["worker", "--queue", "here"], "nats://HOST:4222"),
        (vec!["worker", "--queue", closed, "--jobs", "0"], "--jobs"),
        (vec!["worker", "--queue", closed, "--patience", "long"], "--patience is 'long'"),
        (vec!["worker", "--queue", closed, "--status"], "no server answers"),
        (vec!["worker", "--queue", closed, "--creds", "/no/such/file"], "/no/such/file"),
        (vec!["worker", "--queue", closed, "--require-sandbox", "moat"], "moat"),
        (vec!["tournament", &file, "--queue", closed], "no server answers"),
        (vec!["tournament", &file, "--queue", closed, "--lease", "1ms"], "--lease"),
        (vec!["tournament", &file, "--lease", "5s"], "--queue"),
        (vec!["tournament", &file, "--queue", closed, "--jobs", "2"], "cannot be used with"),
        (vec!["solve", "tic-tac-toe", "--queue", closed], "no server answers"),
        (vec!["solve", "tic-tac-toe", "--queue", closed, "--time", "1s"], "cannot be used with"),
        (vec!["samples", "/no/such/folder/x", "--games", "1"], "/no/such/folder"),
    ] {
        let output = papan(&arguments).output().unwrap();
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
        assert!(line.contains(expected) && line.lines().count() == 1, "{arguments:?}: {line}");
    }
}

//! The other kinds of work: samples, solves; and what the queue says of itself.

use std::time::Duration;

use super::stage::{Folder, Process, Servers, json, papan, until};

const LONG: Duration = Duration::from_secs(90);

fn worker(folder: &Folder, url: &str) -> Process {
    let mut command = papan(&["worker", "--queue", url, "--jobs", "2", "--name", "kinds"]);
    Process::start(&mut command, &folder.path("worker.log"))
}

#[test]
fn samples_are_the_same_bytes_as_here() {
    let folder = Folder::new("samples");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    let (near, far) = (folder.path("near.samples"), folder.path("far.samples"));
    json(&papan(&["samples", &near, "--games", "45", "--seed", "5", "--json"]).output().unwrap());
    let arguments = ["samples", &far, "--games", "45", "--seed", "5", "--json", "--queue", &url];
    // Killed before anybody works, and once more a little later.
    let mut first = Process::start(&mut papan(&arguments), &folder.path("first.log"));
    until("it has begun", LONG, || folder.0.join("far.samples.parts").exists());
    first.kill();
    let _worker = worker(&folder, &url);
    let resumed: Vec<&str> = arguments.iter().copied().chain(["--resume"]).collect();
    let second = Process::start(&mut papan(&resumed), &folder.path("second.log"));
    let made = json(&second.wait(LONG));
    assert_eq!(made["jobs"], 3);
    assert_eq!(std::fs::read(&near).unwrap(), std::fs::read(&far).unwrap());
    assert!(!folder.0.join("far.samples.parts").exists());
    // Recorded games, and again within the time in which names are known.
    let archive = folder.path("two.wtb");
    std::fs::write(&archive, archive_of(&["f5d6c3d3c4", "f5f6e6f4e3"])).unwrap();
    json(&papan(&["samples", &near, "--archive", &archive, "--json"]).output().unwrap());
    for _ in 0..2 {
        json(&papan(&["samples", &far, "--archive", &archive, "--json", "--queue", &url]).output().unwrap());
        assert_eq!(std::fs::read(&near).unwrap(), std::fs::read(&far).unwrap());
    }
}

/// A WTHOR file with these games.
fn archive_of(games: &[&str]) -> Vec<u8> {
    let mut bytes = vec![0; 16];
    bytes[4] = games.len() as u8;
    for game in games {
        let mut record = vec![0; 8];
        record.extend(game.as_bytes().chunks(2).map(|square| 10 * (square[1] - b'0') + square[0] - b'a' + 1));
        record.resize(68, 0);
        bytes.extend(record);
    }
    bytes
}

#[test]
fn a_solve_is_shared_out_move_by_move() {
    let folder = Folder::new("solve");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    let _worker = worker(&folder, &url);
    for (game, position) in [
        ("dots-and-boxes:rows=2,cols=2", None),
        ("dots-and-boxes:rows=3,cols=3", Some("3x3 111101001001 111101111111 1 4-2")),
        ("othello:size=4", None),
        ("tic-tac-toe", Some("X.O/.X./..O X")),
    ] {
        let arguments: Vec<&str> = ["solve", game].into_iter().chain(position).chain(["--json"]).collect();
        let near = json(&papan(&arguments).output().unwrap());
        let far: Vec<&str> = arguments.iter().copied().chain(["--queue", &url]).collect();
        // Twice, so that the same names come within the time in which they are known.
        for _ in 0..2 {
            let far = json(&papan(&far).output().unwrap());
            let sorted = |json: &serde_json::Value| {
                let mut best: Vec<String> =
                    json["best"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned()).collect();
                best.sort();
                best
            };
            assert_eq!(far["value"], near["value"], "{game}");
            assert_eq!(far["final"], near["final"], "{game}");
            assert_eq!(far["best_complete"], true);
            assert!(near["best_complete"] == false || sorted(&far) == sorted(&near), "{game}: {far} {near}");
        }
    }
}

#[test]
fn the_queue_says_who_works_and_how_far_it_is() {
    let folder = Folder::new("status");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    let status = || json(&papan(&["worker", "--queue", &url, "--status", "--json"]).output().unwrap());
    assert_eq!(status()["workers"], serde_json::json!([]), "a queue that nobody has used");
    let text = "game = 'tic-tac-toe'\ngames = 100\nnodes = 100\nbots = ['random', 'greedy']\n";
    let file = folder.write("cup.toml", text);
    let arguments = ["tournament", &file, "--queue", &url, "--json"];
    let coordinator = Process::start(&mut papan(&arguments), &folder.path("coordinator.log"));
    until("the jobs are in the queue", LONG, || status()["queued"] == 100);
    until("the run tells of itself", LONG, || status()["runs"][0]["out"] == 100);
    let before = status();
    assert_eq!((&before["runs"][0]["name"], &before["runs"][0]["total"]), (&"cup".into(), &100.into()));
    let worker = worker(&folder, &url);
    json(&coordinator.wait(LONG));
    until("the worker has told", LONG, || status()["workers"][0]["done"] == 100);
    let after = status();
    assert_eq!((&after["queued"], &after["runs"]), (&0.into(), &serde_json::json!([])), "nothing is left behind");
    // One that is asked to go gives back what it has and takes its leave.
    worker.signal("TERM");
    until("the worker has gone", LONG, || status()["workers"] == serde_json::json!([]));
}

//! Whoever is asked to end does so at once, whatever it is doing.

use std::time::{Duration, Instant};

use super::stage::{Folder, Process, Servers, papan, until};

#[test]
fn worker_and_coordinator_end_when_they_are_asked_to() {
    let folder = Folder::new("endings");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    // A move of this takes longer than anybody waits.
    let text = "game = 'othello'\ngames = 2\nnodes = 1000000000000\nbots = ['alpha-beta', 'alpha-beta:depth=60']\n";
    let file = folder.write("cup.toml", text);
    let worker = Process::start(&mut papan(&["worker", "--queue", &url, "--jobs", "1"]), &folder.path("worker.log"));
    let coordinator =
        Process::start(&mut papan(&["tournament", &file, "--queue", &url]), &folder.path("coordinator.log"));
    until("the worker has something to do", Duration::from_secs(60), || {
        let status = papan(&["worker", "--queue", &url, "--status", "--json"]).output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&status.stdout)
            .is_ok_and(|status| status["workers"][0]["in_hand"] == 1)
    });
    for process in [worker, coordinator] {
        let asked = Instant::now();
        process.signal("TERM");
        let ended = process.wait(Duration::from_secs(20));
        // Two seconds, and what a busy machine adds.
        assert!(asked.elapsed() < Duration::from_secs(6), "{:?}", asked.elapsed());
        assert_eq!(ended.status.code(), Some(130));
    }
}

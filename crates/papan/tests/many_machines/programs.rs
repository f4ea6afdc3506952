//! Programs of tournaments on other machines.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::stage::{Folder, Process, Servers, games_of, json, papan, until};

const LONG: Duration = Duration::from_secs(90);

fn starter(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots");
    fs::read_to_string(examples.join(name)).unwrap()
}

#[test]
fn programs_travel_by_their_hash_and_are_shut_in_where_they_play() {
    let folder = Folder::new("programs");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    folder.write("bots/honest.py", &starter("starter.py"));
    // It looks for its neighbour and for the tournament's own folder.
    let spy = format!(
        "import os, sys\nhere = os.path.dirname(os.path.abspath(__file__))\nseen = os.listdir(here)\n\
         assert seen == ['spy.py'], seen\nassert not os.access({:?}, os.R_OK), 'the tournament is open'\n\
         for line in sys.stdin:\n    print(line.split(' | ')[3].split()[0], flush=True)\n",
        folder.path("cup.toml")
    );
    folder.write("bots/spy.py", &spy);
    folder.write("bots/data.txt", "no program");
    let text = "game = 'tic-tac-toe'\nfolder = 'bots'\nbots = ['minimax:depth=9']\ngames = 2\ntime = '30s'\n\
        require_sandbox = 'confined'\n";
    let file = folder.write("cup.toml", text);
    let near = json(&papan(&["tournament", &file, "--store", &folder.path("near.sqlite"), "--json"]).output().unwrap());
    let mut command = papan(&["worker", "--queue", &url, "--jobs", "2"]);
    let _worker = Process::start(&mut command, &folder.path("worker.log"));
    // One that runs no programs says so, and the other plays its share.
    let mut command = papan(&["worker", "--queue", &url, "--jobs", "1", "--no-programs"]);
    let _careful = Process::start(&mut command, &folder.path("careful.log"));
    let arguments = ["tournament", &file, "--queue", &url, "--json"];
    let coordinator = Process::start(&mut papan(&arguments), &folder.path("coordinator.log"));
    let far = json(&coordinator.wait(LONG));
    assert_eq!(far["verdicts"], serde_json::json!({ "FINISHED": 6 }), "{}", far["games"]);
    assert_eq!(games_of(&far).len(), games_of(&near).len());
    assert!(far["sandbox"].as_str().unwrap().contains("confined"), "{}", far["sandbox"]);
}

#[test]
fn a_job_that_kills_its_worker_is_given_up_with_its_log() {
    let folder = Folder::new("killer");
    let servers = Servers::start(&folder, 1);
    let url = servers.url();
    // With the worker's own rights it can do to it what a crash would: it ends
    // every ancestor that is a worker.
    let killer = "import os, signal, sys\n\
        def parent(pid):\n    return int(open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[1])\n\
        pid = os.getppid()\nwhile pid > 1:\n    above = parent(pid)\n\
        \x20   if b'worker\\0--queue' in open(f'/proc/{pid}/cmdline', 'rb').read():\n        os.kill(pid, signal.SIGKILL)\n\
        \x20   pid = above\nsys.exit(1)\n";
    folder.write("bots/killer.py", killer);
    let text = "game = 'tic-tac-toe'\nformat = 'gauntlet'\nnodes = 100\ngames = 2\n\
        require_sandbox = 'none'\nbots = ['greedy', 'random', 'program:bots/killer.py']\n";
    let file = folder.write("cup.toml", text);
    let arguments = ["tournament", &file, "--queue", &url, "--lease", "500ms", "--deliveries", "3", "--json"];
    let mut coordinator = Process::start(&mut papan(&arguments), &folder.path("coordinator.log"));
    // Something starts a worker anew whenever there is none, as systemd would.
    let mut lives = 0;
    let mut worker: Option<Process> = None;
    until("the tournament ends", LONG, || {
        if worker.as_mut().is_none_or(|worker| worker.ended().is_some()) {
            lives += 1;
            let name = format!("life-{lives}");
            let arguments = ["worker", "--queue", &url, "--jobs", "1", "--no-sandbox", "--name", &name];
            let mut command = papan(&arguments);
            worker = Some(Process::start(&mut command, &folder.path("worker.log")));
        }
        coordinator.ended().is_some()
    });
    let summary = json(&coordinator.wait(LONG));
    // Two games with the killer, three deliveries of each, which a worker may
    // have held together; then one that lives.
    assert!(lives > 3, "{lives}");
    assert_eq!(summary["verdicts"], serde_json::json!({ "FINISHED": 2, "GIVEN_UP": 2 }));
    let games = summary["games"].as_array().unwrap();
    let lost: Vec<&Value> = games.iter().filter(|game| game["verdict"] == "given_up").collect();
    for game in lost {
        assert_eq!(game["counts"], false);
        let log = game["last_words"][0].as_str().unwrap();
        assert!(log.contains("given up after 3 deliveries") && log.contains("life-"), "{log}");
    }
    let again = json(&papan(&["tournament", &file, "--resume", "--json"]).output().unwrap());
    assert_eq!(games_of(&again), games_of(&summary), "the log is in the store");
}

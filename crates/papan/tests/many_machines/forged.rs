//! A worker that lies, with exactly the rights that the manual gives a worker.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::hostile::run_of;
use super::session::Session;
use super::stage::{Folder, Process, Servers, games_of, json as parsed, papan, until};

const LONG: Duration = Duration::from_secs(90);
const CUP: &str = "game = 'tic-tac-toe'\ngames = 20\nnodes = 500\nbots = ['random', 'minimax:depth=9']\nopenings = { kind = 'start' }\n";

/// The users of the manual, with passwords that are known here.
pub(crate) fn documented_users() -> String {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/many-machines.md");
    let manual = fs::read_to_string(manual).unwrap();
    let block = manual.split("```").find(|block| block.contains("# papan-users.conf")).expect("the manual has users");
    let mut users = block.trim_start_matches("conf").to_owned();
    for user in ["coordinator", "worker1", "worker2"] {
        let line = format!("user: {user}, password: \"$2a$11$…\"");
        assert!(users.contains(&line), "the manual has {user}");
        users = users.replace(&line, &format!("user: {user}, password: \"{}\"", password(user)));
    }
    users
}

pub(crate) fn password(user: &str) -> String {
    format!("{user}-Sesame-7431")
}

/// A command of a user, whose password is in a file.
pub(crate) fn as_user(folder: &Folder, user: &str, arguments: &[&str]) -> std::process::Command {
    let file = folder.write(&format!("{user}.password"), &password(user));
    let mut command = papan(arguments);
    command.args(["--user", user, "--password-file", &file]);
    command
}

fn evil_session(servers: &Servers) -> Session {
    Session::open(servers.port(), Some(("worker2", &password("worker2"))), "_INBOX_worker2")
}

fn outcome(id: &str, moves: &[&str], winner: &str, score: [i32; 2]) -> Value {
    json!({
        "version": 1, "id": id, "moves": moves, "times_us": vec![1; moves.len()], "verdict": "finished",
        "counts": true, "winner": winner, "score": score, "faults": [], "last_words": [null, null],
    })
}

fn send(session: &mut Session, run: &str, outcome: &Value) -> Option<String> {
    let id = outcome["id"].as_str().unwrap();
    let report = json!({ "version": 2, "id": id, "worker": "worker2", "answer": { "game": outcome } });
    session.publish(&format!("papan.results.worker2.{run}.{id}"), &report.to_string())
}

#[test]
fn forged_games_are_refused_and_played_by_another_worker() {
    let folder = Folder::new("forged");
    let servers = Servers::with_users(&folder, &documented_users());
    let url = servers.url();
    let file = folder.write("cup.toml", CUP);
    let near =
        parsed(&papan(&["tournament", &file, "--store", &folder.path("near.sqlite"), "--json"]).output().unwrap());
    let arguments = ["tournament", &file, "--queue", &url, "--lease", "2s", "--json"];
    let coordinator = Process::start(&mut as_user(&folder, "coordinator", &arguments), &folder.path("coordinator.log"));
    until("the run is announced", LONG, || run_of(&folder).len() == 24);
    let run = run_of(&folder);
    // 1. It takes jobs, says that `random` has won them all, and that they are done.
    let mut evil = evil_session(&servers);
    let mut jobs = Vec::new();
    until("there are jobs", LONG, || {
        jobs.extend(evil.pull(3));
        jobs.len() >= 3
    });
    for (number, (acknowledge, job)) in jobs.iter().enumerate() {
        let id = job["id"].as_str().unwrap();
        let random_first = job["work"]["game"]["chairs"][0]["bot"] == "random";
        let winner = if random_first { "first" } else { "second" };
        let forged = match number {
            0 => outcome(id, &["zz99"], winner, [999, 0]),
            1 => outcome(id, &["a1", "b1"], winner, [1, 0]),
            _ => outcome(id, &["a1", "b1", "a2", "b2", "a3"], "second", [0, 999]),
        };
        assert_eq!(send(&mut evil, &run, &forged), None, "its rights reach so far");
        assert_eq!(evil.publish(acknowledge, "+ACK"), None);
    }
    let heard = || folder.read("coordinator.log");
    until("they are refused", LONG, || heard().contains("nothing more is taken from worker2"));
    assert!(heard().contains("move 1 is not legal") && heard().contains("from worker2"), "{}", heard());
    // 2. An honest one plays everything, those games too.
    let arguments = ["worker", "--queue", &url, "--jobs", "2"];
    let _worker = Process::start(&mut as_user(&folder, "worker1", &arguments), &folder.path("worker.log"));
    let far = parsed(&coordinator.wait(LONG));
    assert_eq!(games_of(&far), games_of(&near));
    assert!(far["games"].as_array().unwrap().iter().all(|game| game["worker"] == "worker1"));
    assert_eq!((&far["workers"][0]["worker"], &far["workers"][0]["games"]), (&"worker1".into(), &20.into()));
    let stored = parsed(&papan(&["tournament", &file, "--resume", "--json"]).output().unwrap());
    assert_eq!(stored["workers"], far["workers"], "who played what is in the store");
    assert_eq!(folder.read("worker.log").matches("Permissions Violation").count(), 0, "{}", folder.read("worker.log"));
}

#[test]
fn games_that_the_bots_would_not_have_played_are_found_out() {
    let folder = Folder::new("found-out");
    let servers = Servers::with_users(&folder, &documented_users());
    let url = servers.url();
    let file = folder.write("cup.toml", CUP);
    let near =
        parsed(&papan(&["tournament", &file, "--store", &folder.path("near.sqlite"), "--json"]).output().unwrap());
    let arguments = ["tournament", &file, "--queue", &url, "--lease", "2s", "--json", "--verify", "100"];
    let coordinator = Process::start(&mut as_user(&folder, "coordinator", &arguments), &folder.path("coordinator.log"));
    until("the run is announced", LONG, || run_of(&folder).len() == 24);
    let run = run_of(&folder);
    // By the rules, and no game that a perfect player would lose in this way.
    let mut evil = evil_session(&servers);
    let mut sent = 0;
    until("there are jobs that it wants", LONG, || {
        for (_, job) in evil.pull(20) {
            if sent < 2 && job["work"]["game"]["chairs"][0]["bot"] == "random" {
                let won = outcome(job["id"].as_str().unwrap(), &["a1", "b1", "a2", "b2", "a3"], "first", [1, 0]);
                assert_eq!(send(&mut evil, &run, &won), None);
                sent += 1;
            }
        }
        sent == 2
    });
    let heard = || folder.read("coordinator.log");
    until("it is found out", LONG, || heard().contains("worker2 sends games that were not played so"));
    assert!(heard().contains("the same bots play another game here"), "{}", heard());
    let arguments = ["worker", "--queue", &url, "--jobs", "2"];
    let _worker = Process::start(&mut as_user(&folder, "worker1", &arguments), &folder.path("worker.log"));
    let far = parsed(&coordinator.wait(LONG));
    assert_eq!(games_of(&far), games_of(&near));
}

#[test]
fn a_workers_rights_end_where_another_worker_begins() {
    let folder = Folder::new("rights");
    let servers = Servers::with_users(&folder, &documented_users());
    let url = servers.url();
    let file = folder.write("cup.toml", "game = 'tic-tac-toe'\ngames = 2\nnodes = 50\nbots = ['random', 'greedy']\n");
    let arguments = ["worker", "--queue", &url, "--jobs", "1"];
    let _worker = Process::start(&mut as_user(&folder, "worker1", &arguments), &folder.path("worker.log"));
    parsed(&as_user(&folder, "coordinator", &["tournament", &file, "--queue", &url, "--json"]).output().unwrap());
    let mut evil = evil_session(&servers);
    for subject in [
        "papan.jobs.run.job",
        "papan.runs.run",
        "papan.results.worker1.run.job",
        "papan.results.run.job",
        "papan.log.worker1.run.job",
        "papan.status.worker.worker1",
        "papan.status.run.run",
        "_INBOX_worker1.x",
        "$O.PAPAN_BOTS.C.x",
        "$JS.API.STREAM.CREATE.MINE",
        "$JS.API.STREAM.UPDATE.PAPAN_JOBS",
        "$JS.API.STREAM.DELETE.PAPAN_RESULTS",
        "$JS.API.STREAM.PURGE.PAPAN_JOBS",
        "$JS.API.STREAM.PURGE.PAPAN_STATUS",
        "$JS.API.STREAM.MSG.DELETE.PAPAN_JOBS",
        "$JS.API.STREAM.MSG.GET.PAPAN_RESULTS",
        "$JS.API.STREAM.MSG.GET.PAPAN_JOBS",
        "$JS.API.CONSUMER.DURABLE.CREATE.PAPAN_JOBS.mine",
        "$JS.API.CONSUMER.CREATE.PAPAN_RESULTS",
        "$JS.API.CONSUMER.CREATE.OBJ_PAPAN_BOTS",
        "$JS.API.CONSUMER.DELETE.PAPAN_JOBS.workers",
        "$JS.API.CONSUMER.MSG.NEXT.PAPAN_RESULTS.run",
        "$JS.ACK.PAPAN_RESULTS.run.1.1.1.1.0",
    ] {
        let complaint = evil.publish(subject, "{}");
        assert!(complaint.is_some_and(|words| words.contains("Permissions Violation")), "{subject}");
    }
    for subject in ["_INBOX.>", "_INBOX_worker1.>", ">", "papan.>", "papan.results.>", "$JS.>"] {
        let complaint = evil.listen(subject);
        assert!(complaint.is_some_and(|words| words.contains("Permissions Violation")), "{subject}");
    }
    // What it needs, it has: it can see who works.
    until("it sees who works", LONG, || {
        let arguments = ["worker", "--queue", &url, "--status", "--json"];
        parsed(&as_user(&folder, "worker2", &arguments).output().unwrap())["workers"][0]["name"] == "worker1"
    });
}

/// Takes the first jobs and answers each with `answer`; says that they are done.
fn answer_all(session: &mut Session, run: &str, jobs: usize, answer: &Value) {
    let mut taken = 0;
    until("there are jobs", LONG, || {
        for (acknowledge, job) in session.pull(jobs - taken) {
            let id = job["id"].as_str().unwrap();
            let report = json!({ "version": 2, "id": id, "worker": "worker2", "answer": answer });
            assert_eq!(session.publish(&format!("papan.results.worker2.{run}.{id}"), &report.to_string()), None);
            assert_eq!(session.publish(&acknowledge, "+ACK"), None);
            taken += 1;
        }
        taken == jobs
    });
}

#[test]
fn forged_solves_and_samples_are_refused() {
    let folder = Folder::new("forged-kinds");
    let servers = Servers::with_users(&folder, &documented_users());
    let url = servers.url();
    let (near, far) = (folder.path("near.samples"), folder.path("far.samples"));
    parsed(&papan(&["samples", &near, "--games", "21", "--json"]).output().unwrap());
    let mut evil = evil_session(&servers);
    let log = folder.path("coordinator.log");
    let heard = || folder.read("coordinator.log");
    let begin = |arguments: &[&str]| {
        let arguments = [arguments, &["--queue", &url, "--json"]].concat();
        Process::start(&mut as_user(&folder, "coordinator", &arguments), &log)
    };
    // 1. No move of this position wins; each is called a win.
    let solving = begin(&["solve", "tic-tac-toe", "X.O/.X./..O X"]);
    until("the run is known", LONG, || run_of(&folder).len() == 24);
    let wrong = json!({ "solved": { "value": -1, "pv": [], "nodes": 1 } });
    answer_all(&mut evil, &run_of(&folder), 1, &wrong);
    until("it is solved again", LONG, || heard().contains("it is worth "));
    let nonsense = json!({ "solved": { "value": 99, "pv": ["zz99"], "nodes": 1 } });
    answer_all(&mut evil, &run_of(&folder), 1, &nonsense);
    until("it is refused", LONG, || heard().contains("beyond the game's"));
    let arguments = ["worker", "--queue", &url, "--jobs", "1"];
    let mut worker = Process::start(&mut as_user(&folder, "worker1", &arguments), &folder.path("worker.log"));
    assert_eq!(parsed(&solving.wait(LONG))["value"], 0);
    worker.kill();
    // 2. Samples of no position, and good-looking ones of another game.
    let first = run_of(&folder);
    let sampling = begin(&["samples", &far, "--games", "21", "--verify", "100"]);
    until("the run is known", LONG, || run_of(&folder) != first);
    // 21 bytes with both players on every square.
    answer_all(&mut evil, &run_of(&folder), 1, &json!({ "samples": "/////////////////////wAAAAAA" }));
    until("they are refused", LONG, || {
        heard().contains("a position that cannot be") || heard().contains("not of this job")
    });
    // The start of the game alone, worth 0, of the game whose number is 20.
    answer_all(&mut evil, &run_of(&folder), 1, &json!({ "samples": "AAAACBAAAAAAAAAQCAAAAAAUAAAA" }));
    let _worker = Process::start(&mut as_user(&folder, "worker1", &["worker", "--queue", &url, "--jobs", "1"]), &log);
    parsed(&sampling.wait(LONG));
    assert_eq!(fs::read(&near).unwrap(), fs::read(&far).unwrap());
}

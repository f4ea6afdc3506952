//! What a job costs on a queue, over playing in this process: `random` against
//! itself at Tic-tac-toe, each game stored.
//!
//! ```text
//! nats-server -js -sd /tmp/queue &
//! cargo run --release -p papan --example queue_overhead -- nats://127.0.0.1:4222 [GAMES] [LANES] [WORKERS] [SERVER]
//! ```
//!
//! Coordinator and workers share this process, the server has its own; all of
//! them share the machine. With the server's process number its time on the
//! cores is shown, too.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use papan_arena::pairing::{Format, Meeting};
use papan_arena::sandbox::ResourceLimits;
use papan_arena::tournament::{
    Entrant, Job, Outcome, Place, Queue, Setup, Store, Supplier, Workers, Workplace, check, perform, run as play,
};
use papan_arena::{Limits, Player, Rules};
use papan_core::StopToken;
use papan_core::table::Table;
use papan_nats::{
    Answer, Coordinator, Desk, Durability, NatsQueue, Objection, Performer, Plan, QueueOptions, Run, Task, Teller,
    Terms, Trouble, VERSION, Work, WorkerOptions, work,
};

const GAME: &str = "tic-tac-toe";

struct Roster;

impl Supplier for Roster {
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String> {
        papan_roster::table(game, None).map_err(|error| error.to_string())
    }

    fn player(&self, game: &str, bot: &str) -> Result<Player, String> {
        papan_roster::bot(game, bot).map(|made| Player::in_process(bot, made)).map_err(|error| error.to_string())
    }
}

impl Performer for Roster {
    fn perform(&self, _run: &Run, task: &Task, _desk: &Desk<'_>) -> Result<Answer, Trouble> {
        let Work::Game(job) = &task.work else { return Err(Trouble::Failed("no game".to_owned())) };
        let outcome = perform(job, self, Place::default()).map_err(Trouble::Failed)?;
        Ok(Answer::Game(Box::new(outcome)))
    }
}

fn setup(games: usize, seed: u64) -> Setup {
    let entrant = |name: &str| Entrant { name: name.to_owned(), bot: "random".to_owned() };
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    Setup {
        name: "overhead".to_owned(),
        game: GAME.to_owned(),
        format: Format::RoundRobin,
        games,
        seed,
        entrants: vec![entrant("a"), entrant("b")],
        openings: vec![Vec::new()],
        rules: Rules { limits, ..Rules::default() },
    }
}

/// Plays all games through a queue; gives the seconds that it took.
fn timed(setup: &Setup, store: &Path, queue: &mut dyn Queue) -> f64 {
    let _ = std::fs::remove_file(store);
    let mut store = Store::create(store, setup).expect("a new store");
    let started = Instant::now();
    let progress = play(setup, &mut store, queue, &StopToken::new(), &mut |_| {}).expect("it plays");
    assert!(progress.finished && progress.games.len() == setup.games);
    started.elapsed().as_secs_f64()
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("papan-overhead-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let url = words.first().cloned().expect("the queue's address");
    let number = |at: usize, usual: usize| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let (games, lanes, count) = (number(1, 20_000) / 2 * 2, number(2, 1), number(3, 1));
    let own = folder("stores");
    // A fresh seed: another run would find the names of the last one.
    let seed = u64::from(std::process::id());
    // 1. In this process: games alone, and as a tournament that stores them.
    let here = setup(games, seed);
    let jobs = here.jobs(here.fingerprint(), 0, Meeting(0, 1));
    let began = core_seconds("self");
    for job in &jobs {
        perform(job, &Roster, Place::default()).expect("it is played");
    }
    let alone = core_seconds("self") - began;
    let supplier: Arc<dyn Supplier> = Arc::new(Roster);
    let mut threads = Workers::start(&supplier, &Workplace { jobs: lanes * count, ..Workplace::default() });
    let near = timed(&here, &own.join("near.sqlite"), &mut threads);
    // 2. Over the queue.
    let quiet: Teller = Arc::new(|_| {});
    let options = QueueOptions { url, ..QueueOptions::default() };
    let stop = StopToken::new();
    let workers: Vec<_> = (0..count)
        .map(|number| {
            let options = WorkerOptions {
                queue: options.clone(),
                name: format!("overhead-{}-{number}", std::process::id()),
                lanes,
                patience: Duration::from_secs(60),
                idle: None,
                folder: own.clone(),
            };
            let (stop, quiet) = (stop.clone(), Arc::clone(&quiet));
            thread::spawn(move || work(&options, Arc::new(Roster), &stop, quiet))
        })
        .collect();
    let plan = Plan::Games {
        tournament: here.fingerprint(),
        game: GAME.to_owned(),
        bots: vec!["random".to_owned()],
        programs: Default::default(),
        limits: ResourceLimits::default(),
        require_sandbox: None,
    };
    let run = Run { version: VERSION, name: "overhead".to_owned(), deliveries: 5, plan };
    let terms = Terms { ahead: 2000, durability: Durability { replicas: None, lease: Duration::from_secs(30) } };
    let coordinator = Coordinator::begin(&options, terms, &run, quiet).expect("a queue");
    let start = papan_roster::table(GAME, None).expect("the game is known");
    let inspect = move |job: &Job, outcome: &Outcome, _: &str| {
        check(job, outcome, &*start, [false; 2]).map_err(Objection::Impossible)
    };
    let mut queue = NatsQueue::new(coordinator, Box::new(inspect));
    let server = words.get(4).map_or("none", String::as_str);
    let (own_before, server_before) = (core_seconds("self"), core_seconds(server));
    let far = timed(&here, &own.join("far.sqlite"), &mut queue);
    let (own_used, server_used) = (core_seconds("self") - own_before, core_seconds(server) - server_before);
    queue.end(true);
    stop.stop();
    for worker in workers {
        let _ = worker.join();
    }
    let _ = std::fs::remove_dir_all(&own);
    // 3. The difference.
    let each = |seconds: f64| seconds * 1e6 / games as f64;
    println!("{games} games, {count} workers with {lanes} lanes");
    println!("a game alone     {:>8.1} µs on a core", each(alone));
    println!("in this process  {:>8.0} games/s {:>8.1} µs a game", games as f64 / near, each(near));
    println!("over the queue   {:>8.0} jobs/s  {:>8.1} µs a job", games as f64 / far, each(far));
    println!("  on the cores   {:>8.1} µs here, {:.1} µs in the server", each(own_used), each(server_used));
    println!("  more than play {:>8.1} µs on the cores", each(own_used + server_used - alone));
}

/// How long a process has been on the cores; 0 for one that is not there. The
/// kernel counts in hundredths.
fn core_seconds(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

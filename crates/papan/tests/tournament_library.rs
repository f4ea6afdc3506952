//! Tournaments as a library: a queue that repeats itself, stores that were
//! torn, jobs as text.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use papan_arena::pairing::Format;
use papan_arena::tournament::{
    Entrant, Job, Outcome, Place, Queue, QueueError, Setup, Store, StoreError, Supplier, Workers, Workplace, perform,
    run, stored_progress,
};
use papan_arena::{Limits, Player, Rules};
use papan_core::StopToken;
use papan_core::table::Table;

struct Roster;

impl Supplier for Roster {
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String> {
        papan_roster::table(game, None).map_err(|error| error.to_string())
    }

    fn player(&self, game: &str, bot: &str) -> Result<Player, String> {
        papan_roster::bot(game, bot).map(|made| Player::in_process(bot, made)).map_err(|error| error.to_string())
    }
}

fn setup(format: Format, games: usize) -> Setup {
    let bots = ["random", "greedy", "minimax:depth=2", "mcts:simulations=20", "random:seed=5", "minimax:depth=1"];
    Setup {
        name: "test".to_owned(),
        game: "tic-tac-toe".to_owned(),
        format,
        games,
        seed: 3,
        entrants: bots.iter().map(|bot| Entrant { name: (*bot).to_owned(), bot: (*bot).to_owned() }).collect(),
        openings: [vec!["a1"], vec!["b2", "a1"], vec!["c2"]]
            .map(|line| line.iter().map(|mv| (*mv).to_owned()).collect())
            .into(),
        rules: Rules { limits: Limits { nodes: Some(1000), ..Limits::default() }, ..Rules::default() },
    }
}

/// A path that is removed with all that SQLite puts beside it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("papan-library-{}-{name}.sqlite", std::process::id()));
        let scratch = Self(path);
        scratch.clear();
        scratch
    }

    fn log(&self) -> PathBuf {
        self.0.with_extension("sqlite-wal")
    }

    fn clear(&self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(self.log());
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Plays at once, and gives every outcome three times, out of order, with a
/// stranger's among them.
#[derive(Default)]
struct Stutterer {
    ready: VecDeque<Outcome>,
    jobs: usize,
}

impl Queue for Stutterer {
    fn room(&self) -> usize {
        5
    }

    fn offer(&mut self, job: Job) -> Result<(), QueueError> {
        self.jobs += 1;
        let text = serde_json::to_string(&job).unwrap();
        let read: Job = serde_json::from_str(&text).unwrap();
        assert_eq!(read, job, "a job survives its journey as text");
        let outcome = perform(&read, &Roster, Place::default()).map_err(QueueError)?;
        let stranger = Outcome { id: format!("{}-never-asked-for", outcome.id), ..outcome.clone() };
        self.ready.push_front(outcome.clone());
        self.ready.extend([outcome.clone(), stranger, outcome]);
        Ok(())
    }

    fn take(&mut self, _wait: Duration) -> Result<Option<Outcome>, QueueError> {
        Ok(self.ready.pop_front())
    }
}

#[test]
fn a_queue_that_repeats_itself_changes_nothing() {
    for format in [
        Format::RoundRobin,
        Format::Gauntlet { challengers: 2 },
        Format::Swiss { rounds: 3 },
        Format::Knockout { tie_breaks: 1 },
    ] {
        let (stuttered, plain) = (Scratch::new("stutter"), Scratch::new("plain"));
        let setup = setup(format, 2);
        let mut queue = Stutterer::default();
        let mut store = Store::create(&stuttered.0, &setup).unwrap();
        let progress = run(&setup, &mut store, &mut queue, &StopToken::new(), &mut |_| {}).unwrap();
        assert!(progress.finished);
        assert_eq!(progress.games.len(), queue.jobs);
        assert_eq!(store.outcomes().unwrap().len(), queue.jobs, "each id once, no stranger");
        let supplier: Arc<dyn Supplier> = Arc::new(Roster);
        let mut workers = Workers::start(&supplier, &Workplace { jobs: 3, ..Workplace::default() });
        let mut store = Store::create(&plain.0, &setup).unwrap();
        let other = run(&setup, &mut store, &mut workers, &StopToken::new(), &mut |_| {}).unwrap();
        let lines = |progress: &papan_arena::tournament::Progress| {
            progress.games.iter().map(|game| (game.job.clone(), game.outcome.moves.clone())).collect::<Vec<_>>()
        };
        assert_eq!(lines(&progress), lines(&other), "{format:?}: the same games whoever plays them");
        assert_eq!(lines(&progress), lines(&stored_progress(&setup, &store).unwrap()));
    }
}

#[test]
fn a_torn_log_loses_at_most_what_was_not_committed() {
    let scratch = Scratch::new("torn");
    let setup = setup(Format::RoundRobin, 2);
    let mut queue = Stutterer::default();
    let mut store = Store::create(&scratch.0, &setup).unwrap();
    run(&setup, &mut store, &mut queue, &StopToken::new(), &mut |_| {}).unwrap();
    let all = store.outcomes().unwrap();
    // As a crash leaves it: the log not folded into the file, and cut anywhere.
    let (file, log) = (fs::read(&scratch.0).unwrap(), fs::read(scratch.log()).unwrap());
    drop(store);
    assert!(log.len() > 20_000, "the log holds the games: {}", log.len());
    let mut counts = Vec::new();
    for cut in (0..=log.len()).step_by(log.len() / 23) {
        scratch.clear();
        fs::write(&scratch.0, &file).unwrap();
        let mut torn = log[..cut].to_vec();
        // The last sector of what was written is garbage.
        let end = torn.len();
        torn[end.saturating_sub(400)..].fill(0xa5);
        fs::write(scratch.log(), &torn).unwrap();
        match Store::open(&scratch.0) {
            // So early that not even the tournament itself was stored.
            Err(StoreError::Foreign(_) | StoreError::Other { .. }) => assert!(counts.is_empty(), "cut at {cut}"),
            Err(error) => panic!("cut at {cut}: {error}"),
            Ok((store, stored)) => {
                assert_eq!(stored.fingerprint(), setup.fingerprint());
                let outcomes = store.outcomes().unwrap();
                assert!(outcomes.iter().all(|(id, outcome)| all.get(id) == Some(outcome)), "cut at {cut}");
                counts.push(outcomes.len());
            }
        }
    }
    assert!(counts.is_sorted() && counts.last().is_some_and(|&count| count > 0), "{counts:?}");
}

#[test]
fn one_process_at_a_time_has_a_store() {
    let scratch = Scratch::new("busy");
    let setup = setup(Format::RoundRobin, 2);
    let store = Store::create(&scratch.0, &setup).unwrap();
    assert!(matches!(Store::create(&scratch.0, &setup), Err(StoreError::Exists(_))));
    assert!(matches!(Store::open(&scratch.0), Err(StoreError::Busy(_))));
    drop(store);
    assert_eq!(Store::open(&scratch.0).unwrap().1.fingerprint(), setup.fingerprint());
}

#[test]
fn jobs_of_another_version_or_with_unknown_parts_are_refused() {
    let setup = setup(Format::RoundRobin, 2);
    let job = setup.jobs(setup.fingerprint(), 0, papan_arena::pairing::Meeting(0, 1)).remove(0);
    let newer = Job { version: 2, ..job.clone() };
    assert!(perform(&newer, &Roster, Place::default()).unwrap_err().contains("version 2"));
    let illegal = Job { opening: vec!["a1".to_owned(), "a1".to_owned()], ..job.clone() };
    assert!(perform(&illegal, &Roster, Place::default()).is_err());
    let mut value = serde_json::to_value(&job).unwrap();
    value["surprise"] = 1.into();
    assert!(serde_json::from_value::<Job>(value).is_err());
}

#[test]
fn ids_differ_by_round_side_opening_and_tournament_and_by_nothing_else() {
    let setup = setup(Format::RoundRobin, 4);
    let other = Setup { seed: 4, ..setup.clone() };
    let mut ids = std::collections::HashSet::new();
    for setup in [&setup, &other] {
        for round in 0..2 {
            for job in setup.jobs(setup.fingerprint(), round, papan_arena::pairing::Meeting(0, 1)) {
                assert!(ids.insert(job.id));
            }
        }
    }
    assert_eq!(ids.len(), 16);
    let again = setup.jobs(setup.fingerprint(), 0, papan_arena::pairing::Meeting(0, 1));
    assert!(again.iter().all(|job| ids.contains(&job.id)));
}

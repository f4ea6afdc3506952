//! Tournaments as a library: a queue that repeats itself, stores that were
//! torn, jobs as text.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use papan_arena::pairing::{Format, Meeting};
use papan_arena::tournament::{
    Entrant, Event, Job, Outcome, Place, Queue, QueueError, Setup, Store, StoreError, Supplier, Workers, Workplace,
    check, perform, run, stored_progress,
};
use papan_arena::{Fault, Limits, Penalty, Player, Rules, Verdict};
use papan_core::table::Table;
use papan_core::{Player as Side, Random, StopToken};

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
    let job = setup.jobs(setup.fingerprint(), 0, Meeting(0, 1)).remove(0);
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
            for job in setup.jobs(setup.fingerprint(), round, Meeting(0, 1)) {
                assert!(ids.insert(job.id));
            }
        }
    }
    assert_eq!(ids.len(), 16);
    let again = setup.jobs(setup.fingerprint(), 0, Meeting(0, 1));
    assert!(again.iter().all(|job| ids.contains(&job.id)));
}

/// Changes an outcome into one that cannot be.
type Forge<'a> = &'a dyn Fn(&mut Outcome);

/// A job with its honest outcome.
fn played(game: &str) -> (Job, Outcome) {
    let mut setup = setup(Format::RoundRobin, 2);
    setup.game = game.to_owned();
    setup.openings = vec![Vec::new()];
    let job = setup.jobs(setup.fingerprint(), 0, Meeting(0, 1)).remove(0);
    let outcome = perform(&job, &Roster, Place::default()).unwrap();
    (job, outcome)
}

fn checked(job: &Job, outcome: &Outcome, outside: [bool; 2]) -> Result<(), String> {
    check(job, outcome, &*papan_roster::table(&job.game, None).unwrap(), outside)
}

#[test]
fn an_outcome_that_cannot_be_is_refused() {
    for game in ["tic-tac-toe", "othello:size=4", "dots-and-boxes:rows=2,cols=2", "adjacency:rounds=2"] {
        let (job, good) = played(game);
        assert_eq!(checked(&job, &good, [false; 2]), Ok(()), "{game}");
        let fault = |ply: usize, side: Side, verdict: Verdict| Fault {
            ply,
            side,
            verdict,
            penalty: Penalty::Lose,
            detail: String::new(),
        };
        let forgeries: [(&str, Forge<'_>); 17] = [
            ("another game", &|outcome| outcome.id = "x".to_owned()),
            ("a move of no game", &|outcome| outcome.moves[0] = "zz99".to_owned()),
            ("points", &|outcome| outcome.score[0] += 999),
            ("a winner", &|outcome| {
                outcome.winner = outcome.winner.map_or(Some(Side::First), |winner| Some(winner.other()));
            }),
            ("a draw", &|outcome| outcome.winner = outcome.winner.map_or(Some(Side::Second), |_| None)),
            ("that it does not count", &|outcome| outcome.counts = false),
            ("fewer times", &|outcome| outcome.times_us.truncate(outcome.times_us.len() - 1)),
            ("an end too soon", &|outcome| drop((outcome.moves.pop(), outcome.times_us.pop()))),
            ("a move after the end", &|outcome| {
                outcome.moves.push(outcome.moves[0].clone());
                outcome.times_us.push(1);
            }),
            ("nothing", &|outcome| (outcome.moves, outcome.times_us) = (Vec::new(), Vec::new())),
            ("given up", &|outcome| outcome.verdict = Verdict::GivenUp),
            ("given up, in form", &|outcome| *outcome = Outcome::given_up(&outcome.id, "")),
            ("a verdict without a fault", &|outcome| outcome.verdict = Verdict::Crash),
            ("a fault after the end", &|outcome| {
                outcome.faults.push(fault(outcome.moves.len(), Side::First, Verdict::Crash));
            }),
            ("a fault at no place", &|outcome| outcome.faults.push(fault(999, Side::First, Verdict::Crash))),
            ("a lost game that goes on", &|outcome| outcome.faults.push(fault(0, Side::First, Verdict::Crash))),
            ("words", &|outcome| outcome.last_words[0] = Some("x".to_owned())),
        ];
        for (what, forge) in forgeries {
            let mut forged = good.clone();
            forge(&mut forged);
            assert!(checked(&job, &forged, [true; 2]).is_err(), "{game}: {what}");
        }
    }
}

#[test]
fn faults_are_held_against_the_rules() {
    let (mut job, good) = played("tic-tac-toe");
    job.rules.limits.time = Some(Duration::from_secs(1));
    let fault = Fault {
        ply: 2,
        side: Side::First,
        verdict: Verdict::Timeout,
        penalty: Penalty::Lose,
        detail: "late".to_owned(),
    };
    let lost = Outcome {
        moves: good.moves[..2].to_vec(),
        times_us: good.times_us[..2].to_vec(),
        verdict: Verdict::Timeout,
        counts: true,
        winner: Some(Side::Second),
        score: [0; 2],
        faults: vec![fault],
        ..good.clone()
    };
    assert_eq!(checked(&job, &lost, [false; 2]), Ok(()));
    let refused = |change: &dyn Fn(&mut Outcome), outside: [bool; 2]| {
        let mut forged = lost.clone();
        change(&mut forged);
        checked(&job, &forged, outside).unwrap_err()
    };
    assert!(refused(&|outcome| outcome.winner = Some(Side::First), [false; 2]).contains("winner"));
    assert!(refused(&|outcome| outcome.faults[0].side = Side::Second, [false; 2]).contains("to move"));
    assert!(refused(&|outcome| outcome.faults[0].penalty = Penalty::Skip, [false; 2]).contains("costs"));
    assert!(refused(&|outcome| outcome.faults[0].ply = 1, [false; 2]).contains("to move"));
    assert!(refused(&|outcome| outcome.faults[0].detail = "x".repeat(5000), [false; 2]).contains("bytes of words"));
    assert!(refused(&|outcome| outcome.times_us[1] = 60_000_000, [false; 2]).contains("no fault is noted"));
    // A bot of ours makes no move that is not legal.
    let illegal =
        |outcome: &mut Outcome| (outcome.verdict, outcome.faults[0].verdict) = (Verdict::Illegal, Verdict::Illegal);
    assert!(refused(&illegal, [false; 2]).contains("cannot have been"));
    let mut forged = lost.clone();
    illegal(&mut forged);
    assert_eq!(checked(&job, &forged, [true, false]), Ok(()));
    // Where a fault is forgiven, the move for it is the one that is drawn.
    job.rules.policies.timeout = Penalty::Random;
    let table = papan_roster::table(&job.game, None).unwrap();
    let drawn = table.legal_moves()[Random::new(job.rules.seed).below(9)].clone();
    let mut other = table.legal_moves();
    other.retain(|mv| *mv != drawn);
    for (mv, fits) in [(&drawn, true), (&other[0], false)] {
        let mut table = table.fork();
        table.play(mv).unwrap();
        while !table.is_over() {
            let next = table.legal_moves()[0].clone();
            table.play(&next).unwrap();
        }
        let forgiven = Outcome {
            moves: table.moves(),
            times_us: vec![1; table.ply()],
            winner: table.margin().leader(),
            score: table.points(),
            verdict: Verdict::Finished,
            faults: vec![Fault { ply: 0, penalty: Penalty::Random, ..lost.faults[0].clone() }],
            ..good.clone()
        };
        assert_eq!(checked(&job, &forgiven, [false; 2]).is_ok(), fits, "{mv}");
    }
}

/// Plays honestly, says that `w` did, and finds `w` out after a while.
#[derive(Default)]
struct Turncoat {
    ready: VecDeque<Outcome>,
    offered: usize,
    found_out: bool,
}

impl Queue for Turncoat {
    fn room(&self) -> usize {
        2
    }

    fn offer(&mut self, job: Job) -> Result<(), QueueError> {
        self.offered += 1;
        let worker = if self.found_out { "honest" } else { "w" };
        let outcome = perform(&job, &Roster, Place::default()).map_err(QueueError)?;
        self.ready.push_back(Outcome { worker: Some(worker.to_owned()), ..outcome });
        Ok(())
    }

    fn take(&mut self, _wait: Duration) -> Result<Option<Outcome>, QueueError> {
        Ok(self.ready.pop_front())
    }

    fn distrusted(&mut self) -> Vec<String> {
        let now = self.offered >= 3 && self.ready.is_empty() && !std::mem::replace(&mut self.found_out, true);
        if now { vec!["w".to_owned()] } else { Vec::new() }
    }
}

#[test]
fn games_of_a_worker_that_was_found_out_are_played_again() {
    let scratch = Scratch::new("turncoat");
    let setup = setup(Format::RoundRobin, 4);
    let mut store = Store::create(&scratch.0, &setup).unwrap();
    let (mut queue, mut again) = (Turncoat::default(), 0);
    let progress = run(&setup, &mut store, &mut queue, &StopToken::new(), &mut |event| {
        if let Event::SetAside { worker, games } = event {
            assert_eq!(*worker, "w");
            again += games;
        }
    })
    .unwrap();
    assert!(progress.finished && again > 0);
    assert_eq!(queue.offered, progress.games.len() + again);
    assert!(progress.games.iter().all(|game| game.outcome.worker.as_deref() == Some("honest")));
}

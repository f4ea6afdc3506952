//! The course of a tournament: rounds out of results, jobs out of rounds, and
//! every outcome stored before it counts.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use papan_core::{Player as Side, StopToken};
use thiserror::Error;

use super::job::{Job, Outcome};
use super::queue::{Queue, QueueError};
use super::setup::Setup;
use super::store::{Store, StoreError};
use crate::pairing::{Meeting, MeetingScore, PlayedRound, Round};

/// How long to wait for an outcome before looking whether to stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Why a tournament cannot go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// Games cannot be stored.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Games cannot be played.
    #[error("{0}")]
    Queue(#[from] QueueError),
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// What was to be played.
    pub job: Job,
    /// What came of it.
    pub outcome: Outcome,
}

/// A tournament as far as it has been played.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Every game, in the order of the pairings.
    pub games: Vec<PlayedGame>,
    /// The rounds that are whole.
    pub rounds: Vec<PlayedRound>,
    /// Has every game been played?
    pub finished: bool,
}

/// What there is to tell while a tournament is played.
#[derive(Debug)]
pub enum Event<'a> {
    /// A round has begun; these games of it were played before.
    Round {
        /// Its number, from 0.
        number: usize,
        /// Its games.
        games: usize,
        /// Those that are stored already.
        stored: usize,
    },
    /// A game has begun.
    Began(&'a Job),
    /// A game is over and stored.
    Ended(&'a Job, &'a Outcome),
    /// The queue gave an outcome that nobody asked for; it changes nothing.
    Unasked(&'a Outcome),
    /// A worker was found out: so many of its games of this round are set
    /// aside and played again.
    SetAside {
        /// Who.
        worker: &'a str,
        /// How many.
        games: usize,
    },
}

/// Plays what is left of a tournament, or less if `stop` is set. Outcomes that
/// the queue gives twice, or that nobody asked for, change nothing.
pub fn run(
    setup: &Setup,
    store: &mut Store,
    queue: &mut dyn Queue,
    stop: &StopToken,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<Progress, RunError> {
    let mut known = store.outcomes()?;
    let mut progress = Progress::default();
    while let Some(round) = next_round(setup, &progress.rounds) {
        let jobs = round_jobs(setup, progress.rounds.len(), &round);
        let stored = jobs.iter().filter(|job| known.contains_key(&job.id)).count();
        tell(&Event::Round { number: progress.rounds.len(), games: jobs.len(), stored });
        let whole = play_round(&jobs, &mut known, store, queue, stop, tell)?;
        enter(&mut progress, &round, jobs, &mut known);
        if !whole {
            return Ok(progress);
        }
    }
    progress.finished = true;
    Ok(progress)
}

/// A tournament as far as it is stored, without playing.
pub fn stored_progress(setup: &Setup, store: &Store) -> Result<Progress, StoreError> {
    let mut known = store.outcomes()?;
    let mut progress = Progress::default();
    while let Some(round) = next_round(setup, &progress.rounds) {
        let jobs = round_jobs(setup, progress.rounds.len(), &round);
        let whole = jobs.iter().all(|job| known.contains_key(&job.id));
        enter(&mut progress, &round, jobs, &mut known);
        if !whole {
            return Ok(progress);
        }
    }
    progress.finished = true;
    Ok(progress)
}

fn next_round(setup: &Setup, played: &[PlayedRound]) -> Option<Round> {
    setup.format.next_round(setup.entrants.len(), setup.games, setup.seed, played)
}

/// The jobs of a round: the first games of all meetings, then the second ones,
/// so that games at the same time are of different bots.
fn round_jobs(setup: &Setup, number: usize, round: &Round) -> Vec<Job> {
    let tournament = setup.fingerprint();
    let mut by_meeting: Vec<_> =
        round.meetings.iter().map(|&meeting| setup.jobs(tournament, number, meeting).into_iter()).collect();
    (0..setup.games).flat_map(|_| by_meeting.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>()).collect()
}

/// Plays the jobs that are not known yet; false if it was stopped before all
/// of them were.
fn play_round(
    jobs: &[Job],
    known: &mut HashMap<String, Outcome>,
    store: &mut Store,
    queue: &mut dyn Queue,
    stop: &StopToken,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Result<bool, RunError> {
    let mut left: HashMap<&str, &Job> =
        jobs.iter().filter(|job| !known.contains_key(&job.id)).map(|job| (job.id.as_str(), job)).collect();
    let mut waiting: VecDeque<&Job> = jobs.iter().filter(|job| !known.contains_key(&job.id)).collect();
    while !left.is_empty() {
        if stop.is_stopped() {
            return Ok(false);
        }
        for _ in 0..queue.room() {
            // What an earlier coordinator gave may have come back already.
            while waiting.front().is_some_and(|job| !left.contains_key(job.id.as_str())) {
                waiting.pop_front();
            }
            let Some(job) = waiting.pop_front() else { break };
            tell(&Event::Began(job));
            queue.offer(job.clone())?;
        }
        // Whatever is there already shares one commit.
        let (mut outcomes, mut settled) = (Vec::new(), Vec::new());
        let mut wait = LOOK_UP;
        while let Some(outcome) = queue.take(wait)? {
            settled.push(outcome.id.clone());
            if left.contains_key(outcome.id.as_str()) {
                outcomes.push(outcome);
            } else if !known.contains_key(&outcome.id) {
                tell(&Event::Unasked(&outcome));
            }
            if settled.len() >= 256 {
                break;
            }
            wait = Duration::ZERO;
        }
        store.add(&outcomes)?;
        queue.settled(&settled);
        for outcome in outcomes {
            if let Some(job) = left.remove(outcome.id.as_str()) {
                tell(&Event::Ended(job, &outcome));
                known.insert(outcome.id.clone(), outcome);
            }
        }
        for worker in queue.distrusted() {
            let of_worker = |job: &&Job| known.get(&job.id).is_some_and(|game| game.worker.as_ref() == Some(&worker));
            let again: Vec<&Job> = jobs.iter().filter(of_worker).collect();
            let ids: Vec<String> = again.iter().map(|job| job.id.clone()).collect();
            store.set_aside(&ids)?;
            queue.forget(&ids);
            tell(&Event::SetAside { worker: &worker, games: ids.len() });
            for job in again {
                known.remove(&job.id);
                left.insert(job.id.as_str(), job);
                waiting.push_back(job);
            }
        }
    }
    Ok(true)
}

/// Enters the games of a round, and the round itself if it is whole.
fn enter(progress: &mut Progress, round: &Round, jobs: Vec<Job>, known: &mut HashMap<String, Outcome>) {
    let whole = jobs.iter().all(|job| known.contains_key(&job.id));
    let games: Vec<PlayedGame> =
        jobs.into_iter().filter_map(|job| known.remove(&job.id).map(|outcome| PlayedGame { job, outcome })).collect();
    if whole {
        let scores = round.meetings.iter().map(|&meeting| meeting_score(meeting, &games)).collect();
        progress.rounds.push(PlayedRound { scores, bye: round.bye });
    }
    progress.games.extend(games);
}

fn meeting_score(meeting: Meeting, games: &[PlayedGame]) -> MeetingScore {
    let mut score = MeetingScore { meeting, half_points: [0; 2], margin: 0 };
    for PlayedGame { job, outcome } in games {
        let [first, second] = [job.chairs[0].entrant, job.chairs[1].entrant];
        let turned = match (first, second) {
            _ if (first, second) == (meeting.0, meeting.1) => false,
            _ if (first, second) == (meeting.1, meeting.0) => true,
            _ => continue,
        };
        let own = if turned { Side::Second } else { Side::First };
        if let (Some(a), Some(b)) = (outcome.half_points(own), outcome.half_points(own.other())) {
            score.half_points[0] += a;
            score.half_points[1] += b;
            score.margin += i64::from(outcome.score[own.index()]) - i64::from(outcome.score[1 - own.index()]);
        }
    }
    score
}

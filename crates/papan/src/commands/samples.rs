//! `papan samples`: samples for training the Othello engine, made here or by
//! the workers of a queue; the same bytes either way.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use papan_arena::cores;
use papan_core::StopToken;
use papan_games::othello::formats::wthor;
use papan_nats::{Answer, Coordinator, Plan, Run, Taken, Task, Work, hash, put_all};
use serde::Serialize;

mod journal;

use crate::cli::SamplesArgs;
use crate::error::CliError;
use crate::fleet::inspect::Draw;
use crate::fleet::training::{SAMPLE, Scorer, check_samples, games_of, one_game, write_game};
use crate::{fleet, interrupt, output, safe_file};
use journal::Journal;

/// Games of one job: some seconds of work.
const GAMES_A_JOB: u32 = 20;

/// What `--json` prints.
#[derive(Serialize)]
struct Made<'a> {
    out: &'a Path,
    jobs: usize,
    samples: u64,
    seconds: f64,
}

pub(crate) fn run(args: &SamplesArgs) -> Result<(), CliError> {
    // 1. Everything that can be wrong, before anything is done.
    let started = Instant::now();
    let weights = args.weights.as_ref().map(read).transpose()?;
    let scorer = Scorer::read(weights.as_deref()).map_err(|what| CliError::Usage(format!("--weights: {what}")))?;
    let works = works(args)?;
    let (terms, queue) = (args.queue.terms()?, args.queue.options()?);
    let plan = Plan::Samples { weights: weights.as_deref().map(hash), seed: args.seed };
    let run = Run {
        version: papan_nats::VERSION,
        name: args.out.display().to_string(),
        deliveries: args.queue.deliveries,
        plan,
    };
    // What is to be done, so that only the same is gone on with.
    let tasks: Vec<Task> =
        works.into_iter().enumerate().map(|(number, work)| Task::new(&format!("s-{number}"), work)).collect();
    let whole = hash(&serde_json::to_vec(&(&run.plan, &tasks)).expect("tasks are plain data"));
    let (mut journal, mut known) = Journal::open(&args.out, &whole, args.resume)?;
    // 2. Do what is left.
    let left: Vec<&Task> = tasks.iter().filter(|task| !known.contains_key(&task.id)).collect();
    let bar = ProgressBar::new(tasks.len() as u64);
    bar.set_position(known.len() as u64);
    let stop = interrupt::token();
    let mut done = |id: String, bytes: Vec<u8>| -> Result<(), CliError> {
        if let Entry::Vacant(place) = known.entry(id) {
            journal.add(place.key(), &bytes)?;
            place.insert(bytes);
            bar.inc(1);
        }
        Ok(())
    };
    match queue {
        None => here(args, &scorer, &left, &stop, &mut done)?,
        Some(queue) => {
            put_all(&queue, terms.durability, &weights.into_iter().collect::<Vec<_>>(), &fleet::teller())?;
            let coordinator = Coordinator::begin(&queue, terms, &run, fleet::teller())?;
            let mut draw = Draw::new(args.queue.verify());
            let mut inspect = |task: &Task, bytes: &[u8]| compare(task, bytes, &scorer, args.seed, &mut draw);
            elsewhere(coordinator, &left, tasks.len(), &stop, &mut inspect, &mut done)?;
        }
    }
    bar.finish_and_clear();
    // 3. Put it together, in order.
    if known.len() < tasks.len() {
        let (have, all) = (known.len(), tasks.len());
        let words = format!("stopped; {have} of {all} parts are kept; go on with --resume");
        return Err(CliError::Interrupted(words));
    }
    let samples = write(&args.out, &tasks, &known)? / SAMPLE as u64;
    journal.remove();
    let made = Made { out: &args.out, jobs: tasks.len(), samples, seconds: started.elapsed().as_secs_f64() };
    if args.json {
        return Ok(output::json(&made)?);
    }
    Ok(output::text(&format!("{} samples in {:.0} s\n", output::grouped(samples), made.seconds))?)
}

fn read(path: &PathBuf) -> Result<Vec<u8>, CliError> {
    fs::read(path).map_err(|source| CliError::File { path: path.clone(), source })
}

/// The jobs, in order.
fn works(args: &SamplesArgs) -> Result<Vec<Work>, CliError> {
    if args.archive.is_empty() {
        let firsts = (0..args.games).step_by(GAMES_A_JOB as usize);
        return Ok(firsts.map(|first| Work::SelfPlay { first, count: GAMES_A_JOB.min(args.games - first) }).collect());
    }
    let mut games: Vec<String> = Vec::new();
    for path in &args.archive {
        let read = wthor::read(&read(path)?);
        let read = read.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))?;
        games.extend(read.iter().map(write_game));
    }
    let parts = games.chunks(GAMES_A_JOB as usize).enumerate();
    Ok(parts.map(|(part, games)| Work::Label { first: part as u32 * GAMES_A_JOB, games: games.to_vec() }).collect())
}

type Done<'a> = &'a mut dyn FnMut(String, Vec<u8>) -> Result<(), CliError>;

/// Threads of this process do it.
fn here(
    args: &SamplesArgs,
    scorer: &Scorer,
    tasks: &[&Task],
    stop: &StopToken,
    done: Done<'_>,
) -> Result<(), CliError> {
    let next = AtomicUsize::new(0);
    let (results, finished) = std::sync::mpsc::channel();
    let results = Mutex::new(results);
    thread::scope(|scope| {
        for _ in 0..args.jobs.map_or_else(cores::count, usize::from) {
            let results = results.lock().expect("no holder panics").clone();
            let next = &next;
            scope.spawn(move || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.is_stopped() {
                        return;
                    }
                    let made = scorer.samples(&task.work, args.seed, &mut || {});
                    if results.send((task.id.clone(), made)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        for (id, made) in finished {
            done(id, made.map_err(CliError::Usage)?)?;
        }
        Ok(())
    })
}

type Inspect<'a> = &'a mut dyn FnMut(&Task, &[u8]) -> Result<(), String>;

/// Are these the samples of a job? Of a share of the jobs one game is made
/// again: it must have the same bytes.
fn compare(task: &Task, bytes: &[u8], scorer: &Scorer, seed: u64, draw: &mut Draw) -> Result<(), String> {
    check_samples(&task.work, bytes)?;
    if draw.next() {
        let number = draw.below(games_of(&task.work).1 as usize) as u32;
        let (alone, theirs) = one_game(&task.work, number, bytes);
        if scorer.samples(&alone, seed, &mut || {})? != theirs {
            return Err("its games have other samples here".to_owned());
        }
    }
    Ok(())
}

/// Workers of a queue do it.
fn elsewhere(
    mut coordinator: Coordinator,
    tasks: &[&Task],
    all: usize,
    stop: &StopToken,
    inspect: Inspect<'_>,
    done: Done<'_>,
) -> Result<(), CliError> {
    let gauge = coordinator.gauge();
    let (mut waiting, mut left) = (tasks.iter(), tasks.len());
    while left > 0 && !stop.is_stopped() {
        gauge.set((all - left) as u64, all as u64);
        for task in waiting.by_ref().take(coordinator.room()) {
            coordinator.offer(task).map_err(CliError::Usage)?;
        }
        let taken = coordinator.take(Duration::from_millis(100)).map_err(CliError::Usage)?;
        let Some(Taken { id, worker, answer }) = taken else { continue };
        let Some(task) = tasks.iter().find(|task| task.id == id) else {
            coordinator.settled(&[id]);
            continue;
        };
        match answer {
            Answer::Samples(bytes) => {
                if let Err(reason) = inspect(task, &bytes.0) {
                    coordinator.refuse(task, &worker, &reason);
                    continue;
                }
                done(id.clone(), bytes.0)?;
                left -= 1;
            }
            Answer::GivenUp { log } => {
                coordinator.settled(std::slice::from_ref(&id));
                coordinator.end(false);
                return Err(CliError::Usage(format!("job {id} was given up: {}", log.join("; "))));
            }
            Answer::Game(_) | Answer::Solved { .. } => {
                coordinator.refuse(task, &worker, "it is no sample");
                continue;
            }
        }
        coordinator.settled(&[id]);
    }
    coordinator.end(left == 0);
    Ok(())
}

/// Writes the parts in order; gives the bytes written.
fn write(out: &Path, tasks: &[Task], parts: &BTreeMap<String, Vec<u8>>) -> Result<u64, CliError> {
    let bytes: Vec<u8> = tasks.iter().flat_map(|task| parts[&task.id].iter().copied()).collect();
    let written = safe_file::replace(out, |file| file.write_all(&bytes));
    written.map_err(|source| CliError::File { path: out.to_owned(), source })?;
    Ok(bytes.len() as u64)
}

//! Games an hour by the number of workers: a simulation of the queue, with the
//! costs that `queue_overhead` measures. docs/many-machines.md has its table.
//!
//! ```text
//! cargo run --release -p papan-nats --example queue_simulation [SERVER_US COORDINATOR_US WORKER_US TRIP_US]
//! ```
//!
//! The server and the coordinator each do one thing after another; a worker
//! asks for a job, waits for it, plays, and tells. A worker dies now and then:
//! its job comes back after the lease, and another worker takes its place.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use papan_core::Random;

/// All times in microseconds.
#[derive(Clone, Copy)]
struct Costs {
    /// Of the server for one job, from publishing to letting go of its result.
    server: f64,
    /// Of the coordinator for one job.
    coordinator: f64,
    /// Of a worker for one job, beside doing it.
    worker: f64,
    /// There and back between any two of them.
    trip: f64,
}

/// What is played.
struct Kind {
    name: &'static str,
    /// The mean of a game, in seconds; games are spread around it.
    seconds: f64,
}

const KINDS: [Kind; 4] = [
    Kind { name: "300 s (5 s a move, 60 moves)", seconds: 300.0 },
    Kind { name: "6 s (100 ms a move)", seconds: 6.0 },
    Kind { name: "60 ms (1 ms a move)", seconds: 0.06 },
    Kind { name: "36 µs (random)", seconds: 36e-6 },
];

const WORKERS: [usize; 8] = [1, 4, 16, 64, 125, 250, 500, 1000];

/// A worker lives so many hours, and its job waits for the lease when it dies.
const LIFE_HOURS: f64 = 24.0;
const LEASE: f64 = 30e6;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker is free and has asked for jobs.
    Asks(usize),
    /// The server has the result of a job.
    Told(usize),
    /// A job comes back from a worker that died.
    Returns,
}

/// Jobs a second in the long run.
fn simulate(costs: Costs, kind: &Kind, workers: usize, random: &mut Random) -> f64 {
    let mut events: BinaryHeap<(Reverse<u64>, Event)> = BinaryHeap::new();
    let mut server_free = 0.0f64;
    let mut coordinator_free = 0.0f64;
    let mut waiting: VecDeque<usize> = VecDeque::new();
    // The queue is kept filled; what is out is bounded by `ahead`.
    let mut ready = (3 * workers).max(2000);
    // A lane asks for as many short jobs as fill 300 ms, 100 at most.
    let batch = (300_000.0 / (kind.seconds * 1e6)).clamp(1.0, 100.0);
    let jobs = (workers * 40).clamp(4_000, 400_000);
    let (mut done, mut half) = (0usize, (0usize, 0.0f64));
    for worker in 0..workers {
        events.push((Reverse(0), Event::Asks(worker)));
    }
    let mut now = 0.0;
    while done < jobs {
        let Some((Reverse(at), event)) = events.pop() else { break };
        now = at as f64;
        match event {
            Event::Asks(worker) => waiting.push_back(worker),
            Event::Returns => ready += 1,
            Event::Told(worker) => {
                done += 1;
                // The coordinator stores it and publishes another.
                coordinator_free = coordinator_free.max(now + costs.trip / 2.0) + costs.coordinator;
                events.push((Reverse((coordinator_free + costs.trip / 2.0) as u64), Event::Returns));
                events.push((Reverse((now + costs.trip / batch) as u64), Event::Asks(worker)));
                if done == jobs / 4 {
                    half = (done, now);
                }
            }
        }
        while ready > 0
            && let Some(worker) = waiting.pop_front()
        {
            ready -= 1;
            server_free = server_free.max(now) + costs.server;
            let plays = kind.seconds * 1e6 * spread(random);
            let dies = random.unit() < kind.seconds / (LIFE_HOURS * 3600.0);
            if dies {
                let back = server_free + plays * random.unit() + LEASE;
                events.push((Reverse(back as u64), Event::Returns));
                events.push((Reverse(back as u64), Event::Asks(worker)));
            } else {
                let told = server_free + costs.trip / batch + plays + costs.worker;
                events.push((Reverse(told as u64), Event::Told(worker)));
            }
        }
    }
    (done - half.0) as f64 / (now - half.1) * 1e6
}

/// Games differ: from half to one and a half of the mean.
fn spread(random: &mut Random) -> f64 {
    0.5 + random.unit()
}

fn main() {
    let words: Vec<f64> = std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let cost = |at: usize, measured: f64| words.get(at).copied().unwrap_or(measured);
    let costs =
        Costs { server: cost(0, 112.0), coordinator: cost(1, 80.0), worker: cost(2, 80.0), trip: cost(3, 500.0) };
    let mut random = Random::new(1);
    print!("| a game |");
    for workers in WORKERS {
        print!(" {workers} |");
    }
    println!("\n|---|{}", "---|".repeat(WORKERS.len()));
    for kind in &KINDS {
        print!("| {} |", kind.name);
        for workers in WORKERS {
            let hourly = simulate(costs, kind, workers, &mut random) * 3600.0;
            print!(" {} |", rounded(hourly));
        }
        println!();
    }
}

/// Three digits, in thousands or millions where that is shorter.
fn rounded(number: f64) -> String {
    match number {
        number if number >= 1e7 => format!("{:.1} M", number / 1e6),
        number if number >= 1e6 => format!("{:.2} M", number / 1e6),
        number if number >= 1e4 => format!("{:.0} k", number / 1e3),
        number => format!("{number:.0}"),
    }
}

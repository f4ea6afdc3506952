//! How a real queue keeps up with many workers: jobs that only sleep, so that
//! one machine can stand for many.
//!
//! ```text
//! nats-server -js -sd /tmp/queue &
//! cargo run --release -p papan-nats --example queue_scaling -- nats://127.0.0.1:4222 WORKERS LANES MILLISECONDS JOBS
//! cargo run --release -p papan-nats --example queue_scaling -- nats://127.0.0.1:4222 100 10 1000 20000
//! ```

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use papan_core::StopToken;
use papan_nats::{
    Answer, Coordinator, Desk, Durability, Performer, Plan, QueueOptions, Run, Taken, Task, Teller, Terms, Trouble,
    VERSION, Work, WorkerOptions, work,
};

struct Sleeper(Duration);

impl Performer for Sleeper {
    fn perform(&self, _run: &Run, _task: &Task, _desk: &Desk<'_>) -> Result<Answer, Trouble> {
        thread::sleep(self.0);
        Ok(Answer::Solved { value: 0, pv: Vec::new(), nodes: 1 })
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let url = words.first().cloned().expect("the queue's address");
    let number = |at: usize| words[at].parse::<usize>().expect("a number");
    let (count, lanes, millis, jobs) = (number(1), number(2), number(3), number(4));
    let quiet: Teller = Arc::new(|_| {});
    let options = QueueOptions { url, ..QueueOptions::default() };
    let stop = StopToken::new();
    let performer: Arc<dyn Performer> = Arc::new(Sleeper(Duration::from_millis(millis as u64)));
    for number in 0..count {
        let options = WorkerOptions {
            queue: options.clone(),
            name: format!("scaling-{}-{number}", std::process::id()),
            lanes,
            patience: Duration::from_secs(600),
            idle: None,
            folder: std::env::temp_dir(),
        };
        let (stop, quiet, performer) = (stop.clone(), Arc::clone(&quiet), Arc::clone(&performer));
        thread::spawn(move || work(&options, performer, &stop, quiet));
    }
    // A run of its own each time: the names of the last one may still be known.
    let position = std::process::id().to_string();
    let plan = Plan::Solve { game: "sleep".to_owned(), position, table_mb: None };
    let run = Run { version: VERSION, name: "scaling".to_owned(), deliveries: 5, plan };
    let ahead = (3 * count * lanes).max(2000);
    let terms = Terms { ahead, durability: Durability { replicas: None, lease: Duration::from_secs(30) } };
    let mut coordinator = Coordinator::begin(&options, terms, &run, quiet).expect("a queue");
    let (mut given, mut back) = (0, 0);
    let (mut first, mut marks) = (None, Vec::new());
    while back < jobs {
        for _ in 0..coordinator.room().min(jobs - given) {
            let task = Task::new(&format!("j-{given}"), Work::SolveMove { mv: "x".to_owned() });
            coordinator.offer(&task).expect("it is taken");
            given += 1;
        }
        while let Some(Taken { id, .. }) = coordinator.take(Duration::from_millis(10)).expect("the queue lives") {
            first.get_or_insert_with(Instant::now);
            coordinator.settled(&[id]);
            back += 1;
            marks.push(Instant::now());
            if back == jobs || coordinator.room() > ahead / 4 {
                break;
            }
        }
    }
    // The middle half: without the start, and without the last jobs, for which
    // there are more workers than jobs.
    let (from, to) = (jobs / 4, 3 * jobs / 4);
    let rate = (to - from) as f64 / (marks[to] - marks[from]).as_secs_f64();
    let ideal = (count * lanes) as f64 * 1000.0 / millis.max(1) as f64;
    println!("{count} workers with {lanes} lanes, {millis} ms a job: {rate:.0} jobs/s, {ideal:.0} without a queue");
    coordinator.end(true);
    stop.stop();
    // Workers take their leave.
    thread::sleep(Duration::from_secs(1));
}

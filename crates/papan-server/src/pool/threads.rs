//! The threads of the lanes: made when they are needed, reused, and behind
//! those that answer requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use papan_core::observer::Progress;

use super::lane::{Job, Lane, Running, Traffic, Visitor};
use super::memory::{Held, Memory};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::watch::{OnReport, Watched, Watches};

/// Engines recurse once per ply and keep arrays on the stack.
const STACK: usize = 16 << 20;
/// Threads beyond a lane's own that only take what is over in a moment.
const FOR_LIGHT: usize = 2;
/// While someone waits, it is looked so often whether room can be made.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What the threads share.
pub(super) struct Shared {
    state: Mutex<State>,
    arrived: [Condvar; Lane::ALL.len()],
    /// Something waits.
    waits: Condvar,
    threads: [usize; Lane::ALL.len()],
    watches: Watches,
    memory: Arc<Memory>,
    unfinished: AtomicUsize,
    waiting: usize,
    waiting_each: usize,
    least_time: Option<Duration>,
}

#[derive(Default)]
struct State {
    lanes: [Traffic; Lane::ALL.len()],
    idle: [usize; Lane::ALL.len()],
    started: [usize; Lane::ALL.len()],
    next: u64,
    closed: bool,
}

impl Shared {
    pub(super) fn start(limits: &Limits, threads: [usize; Lane::ALL.len()]) -> std::io::Result<Arc<Self>> {
        let shared = Arc::new(Self {
            state: Mutex::default(),
            arrived: Default::default(),
            waits: Condvar::new(),
            threads,
            watches: Watches::default(),
            memory: Memory::new(limits.memory.unwrap_or_else(super::usual_limit)),
            unfinished: AtomicUsize::new(0),
            waiting: limits.waiting_searches,
            waiting_each: limits.waiting_each,
            least_time: limits.least_time,
        });
        let teller = Arc::clone(&shared);
        std::thread::Builder::new().name("papan-progress".to_owned()).spawn(move || teller.watches.tell_all())?;
        let keeper = Arc::clone(&shared);
        std::thread::Builder::new().name("papan-lanes".to_owned()).spawn(move || keeper.keep_moving())?;
        Ok(shared)
    }

    pub(super) fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    pub(super) fn watch(&self, progress: Progress, on_report: OnReport) -> Watched {
        self.watches.add(progress, on_report)
    }

    pub(super) fn close(&self) {
        self.state().closed = true;
        self.arrived.iter().for_each(Condvar::notify_all);
        self.waits.notify_all();
        self.watches.close();
    }

    /// Do not too many wait already, of all and of this visitor?
    pub(super) fn check_room(&self, lane: Lane, visitor: &Visitor) -> Result<(), ApiError> {
        let state = self.state();
        let traffic = &state.lanes[lane as usize];
        let full = traffic.waiting() >= self.waiting || traffic.waiting_of(visitor) >= self.waiting_each;
        if full { Err(ApiError::busy()) } else { Ok(()) }
    }

    /// Lets `job` wait for its turn, which may come at once.
    pub(super) fn push(self: &Arc<Self>, lane: Lane, mut job: Job) {
        let here = lane as usize;
        // Nobody waits for more than there can ever be.
        job.memory = job.memory.min((self.memory.limit() as f64 * lane.share()) as u64);
        self.unfinished.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state();
        state.lanes[here].push(job);
        let extra = if lane == Lane::Moves && self.threads[here] > 0 { FOR_LIGHT } else { 0 };
        if state.idle[here] == 0 && state.started[here] < self.threads[here] + extra {
            let shared = Arc::clone(self);
            let name = format!("papan-{}-{}", lane.name(), state.started[here]);
            let started = std::thread::Builder::new().name(name).stack_size(STACK).spawn(move || shared.work(lane));
            match started {
                Ok(_) => state.started[here] += 1,
                Err(error) => tracing::error!(%error, "no thread could be started"),
            }
        }
        drop(state);
        self.arrived[here].notify_one();
        self.waits.notify_one();
    }

    fn work(&self, lane: Lane) {
        behind_others(lane.niceness());
        while let Some((number, job, held)) = self.next(lane) {
            (job.work)(held);
            self.unfinished.fetch_sub(1, Ordering::Relaxed);
            self.state().lanes[lane as usize].running.remove(&number);
        }
    }

    fn next(&self, lane: Lane) -> Option<(u64, Job, Option<Held>)> {
        let here = lane as usize;
        let mut state = self.state();
        loop {
            if state.closed {
                return None;
            }
            let traffic = &mut state.lanes[here];
            let room = traffic.heavy() < self.threads[here];
            if let Some((job, held)) = traffic.next(room, |bytes| self.memory.try_hold(bytes, lane.share())) {
                let number = state.next;
                state.next += 1;
                let Job { visitor, light, may_be_cut, stop, .. } = &job;
                let running = Running {
                    visitor: visitor.clone(),
                    since: Instant::now(),
                    light: *light,
                    may_be_cut: *may_be_cut,
                    stop: stop.clone(),
                };
                state.lanes[here].running.insert(number, running);
                return Some((number, job, held));
            }
            state.idle[here] += 1;
            state = self.arrived[here].wait(state).expect("no holder panics");
            state.idle[here] -= 1;
        }
    }

    /// While anything waits: tells those that think long to come to an end,
    /// and lets idle threads look again, since memory may have become free.
    fn keep_moving(&self) {
        let mut state = self.state();
        while !state.closed {
            if state.lanes.iter().all(|traffic| traffic.waiting() == 0) {
                state = self.waits.wait(state).expect("no holder panics");
                continue;
            }
            for lane in Lane::ALL {
                if let Some(least) = lane.least_time() {
                    let least = self.least_time.unwrap_or(least);
                    state.lanes[lane as usize].make_room(self.threads[lane as usize], least, Instant::now());
                }
                self.arrived[lane as usize].notify_all();
            }
            state = self.waits.wait_timeout(state, LOOK_EVERY).expect("no holder panics").0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder panics")
    }
}

/// Puts this thread, and those that it starts, behind those that answer
/// requests. Where the system has no such thing, it stays where it is.
pub(crate) fn behind_others(niceness: i32) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, niceness) {
        tracing::info!(%error, "a thread's priority could not be lowered");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}

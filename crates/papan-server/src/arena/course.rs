//! One tournament: what is known of it, and the thread that plays it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use papan_arena::Player;
use papan_arena::report::{Report, Summary, summarise};
use papan_arena::tournament::{
    Entrant, Event, Job, PlayedGame, Progress, Setup, Store, Supplier, Workers, Workplace, run, stored_progress,
};
use papan_core::StopToken;
use papan_core::scene::Scene;
use papan_core::table::Table;
use serde::Serialize;

use crate::audience::Audience;
use crate::error::ApiError;
use crate::pool::{Lane, Memory, behind_others};
use crate::roster;
use crate::store::narrow;

/// A tournament, playing or not.
pub(crate) struct Course {
    setup: Setup,
    /// The same with the names of today.
    shown: Setup,
    start: Box<dyn Table>,
    /// Its store, which is open only while somebody plays: a server has seen
    /// many tournaments and has few descriptors.
    path: PathBuf,
    state: Mutex<State>,
    audience: Audience,
}

#[derive(Default)]
struct State {
    /// With the games that are over, those of an unfinished round included.
    progress: Progress,
    /// Is it meant to play, whenever somebody listens?
    wanted: bool,
    /// Stops whoever plays.
    playing: Option<StopToken>,
    /// The boards of whoever plays, or played last.
    live: Arc<Live>,
    trouble: Option<String>,
}

impl State {
    /// Is it meant to play, and does not?
    const fn waits(&self) -> bool {
        self.wanted && self.playing.is_none() && !self.progress.finished
    }
}

/// The boards of the games under way, by the game's id.
#[derive(Default)]
struct Live(Mutex<BTreeMap<String, LiveGame>>);

/// A game under way.
#[derive(Clone, Serialize)]
pub(crate) struct LiveGame {
    first: usize,
    second: usize,
    ply: usize,
    score: [i32; 2],
    last_move: Option<String>,
    scene: Scene,
}

/// A tournament as the page shows it.
#[derive(Serialize)]
pub(crate) struct CourseView {
    /// Does it play?
    running: bool,
    /// Will it play as soon as somebody listens and there is room?
    waiting: bool,
    trouble: Option<String>,
    #[serde(flatten)]
    summary: Summary,
    live: Vec<LiveGame>,
}

/// Makes players of the roster, and notes how their games stand.
struct Stage {
    course: Arc<Course>,
    live: Arc<Live>,
}

impl Supplier for Stage {
    fn table(&self, game: &str) -> Result<Box<dyn Table>, String> {
        roster::table(game, None).map_err(|error| error.to_string())
    }

    fn player(&self, game: &str, bot: &str) -> Result<Player, String> {
        roster::bot(game, bot).map(|made| Player::in_process(bot, made)).map_err(|error| error.message.en.into_owned())
    }

    fn watch(&self, job: &Job, table: &dyn Table) {
        let [first, second] = [0, 1].map(|side: usize| job.chairs[side].entrant);
        let game = LiveGame {
            first,
            second,
            ply: table.ply(),
            score: table.points(),
            last_move: table.last_move(),
            scene: table.scene(),
        };
        self.live.games().insert(job.id.clone(), game);
        self.course.audience.notify();
    }
}

impl Live {
    fn games(&self) -> MutexGuard<'_, BTreeMap<String, LiveGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Course {
    /// Lays it out; it does not play yet.
    pub(super) fn create(setup: Setup, path: PathBuf) -> Result<Arc<Self>, ApiError> {
        let store = Store::create(&path, &setup).map_err(|_| ApiError::storage())?;
        narrow(&path);
        Self::new(setup, path, &store)
    }

    /// As far as it is stored.
    pub(super) fn stored(path: PathBuf) -> Result<Arc<Self>, ApiError> {
        let (store, setup) = Store::open(&path).map_err(|_| ApiError::storage())?;
        Self::new(setup, path, &store)
    }

    fn new(setup: Setup, path: PathBuf, store: &Store) -> Result<Arc<Self>, ApiError> {
        let start = roster::table(&setup.game, None)?;
        let progress = stored_progress(&setup, store).map_err(|_| ApiError::storage())?;
        let state = State { progress, ..State::default() };
        let shown = setup.clone().renamed(&papan_roster::current_spec);
        Ok(Arc::new(Self { setup, shown, start, path, state: Mutex::new(state), audience: Audience::default() }))
    }

    pub(super) fn is_running(&self) -> bool {
        self.state().playing.is_some()
    }

    /// Its listeners.
    pub(crate) const fn audience(&self) -> &Audience {
        &self.audience
    }

    /// Is it over for good?
    pub(crate) fn is_finished(&self) -> bool {
        self.state().progress.finished
    }

    /// Does it play, or would anybody mind if it were gone?
    pub(super) fn is_needed(&self) -> bool {
        self.is_running() || !self.audience.is_empty()
    }

    /// It shall play while somebody listens, or no longer.
    pub(super) fn want(&self, wanted: bool) {
        self.state().wanted = wanted;
        if !wanted {
            self.pause();
        }
        self.audience.notify();
    }

    /// Stops at once; games under way are played again when it goes on.
    pub(crate) fn pause(&self) {
        if let Some(stop) = &self.state().playing {
            stop.stop();
        }
    }

    /// Does it wait for somebody to listen, or for room?
    pub(super) fn waits(&self) -> bool {
        self.state().waits()
    }

    /// How many games are played at once, and the memory that takes: as many
    /// as a quarter of the server's memory and all cores but one allow.
    fn size(&self, memory: &Memory) -> (usize, u64) {
        let needs = |entrant: &Entrant| roster::check(&self.setup.game, &entrant.bot).map_or(0, |bot| bot.memory);
        let each = 2 * self.setup.entrants.iter().map(needs).max().unwrap_or(0).max(1);
        let fit = usize::try_from(memory.limit() / 4 / each).unwrap_or(usize::MAX);
        // One core is left for those who look on.
        let jobs = papan_arena::cores::count().saturating_sub(1).min(fit).max(1);
        (jobs, jobs as u64 * each)
    }

    /// Plays what is left on a thread of its own, behind all other searches,
    /// if it waits for that and there is memory for it.
    pub(super) fn go_on(self: &Arc<Self>, memory: &Arc<Memory>) {
        let mut state = self.state();
        if !state.waits() {
            return;
        }
        let (jobs, bytes) = self.size(memory);
        let Some(held) = memory.try_hold(bytes, Lane::Long.share()) else { return };
        let store = match Store::open(&self.path) {
            Ok((store, _)) => store,
            Err(error) => {
                tracing::error!(%error, "a tournament cannot go on");
                state.trouble = Some("its games cannot be read".to_owned());
                state.wanted = false;
                return;
            }
        };
        let stop = StopToken::new();
        state.playing = Some(stop.clone());
        state.trouble = None;
        // A game that was stopped may still tell of its last move.
        state.live = Arc::default();
        let stage = Stage { course: Arc::clone(self), live: Arc::clone(&state.live) };
        thread::spawn(move || {
            behind_others(Lane::Long.niceness());
            let course = Arc::clone(&stage.course);
            course.play(stage, store, jobs, &stop);
            drop(held);
        });
    }

    fn play(&self, stage: Stage, mut store: Store, jobs: usize, stop: &StopToken) {
        let live = Arc::clone(&stage.live);
        let supplier: Arc<dyn Supplier> = Arc::new(stage);
        let mut workers = Workers::start(&supplier, &Workplace { jobs, ..Workplace::default() });
        let result = run(&self.setup, &mut store, &mut workers, stop, &mut |event| {
            if let Event::Ended(job, outcome) = event {
                live.games().remove(&job.id);
                let game = PlayedGame { job: (*job).clone(), outcome: (*outcome).clone() };
                self.state().progress.games.push(game);
                self.audience.notify();
            }
        });
        drop((workers, store));
        let mut state = self.state();
        match result {
            Ok(progress) => state.progress = progress,
            Err(error) => {
                state.trouble = Some(error.to_string());
                state.wanted = false;
            }
        }
        state.playing = None;
        state.live = Arc::default();
        drop(state);
        self.audience.notify();
    }

    /// How it stands, without the games themselves.
    pub(crate) fn view(&self) -> CourseView {
        let (progress, running, waiting, trouble, live) = {
            let state = self.state();
            let State { progress, playing, live, trouble, .. } = &*state;
            (progress.clone(), playing.is_some(), state.waits(), trouble.clone(), Arc::clone(live))
        };
        let mut summary = summarise(Report::of_tournament(&self.shown, &*self.start, progress, None));
        summary.games.clear();
        let live = live.games().values().cloned().collect();
        CourseView { running, waiting, trouble, summary, live }
    }

    /// The whole report as a page.
    pub(crate) fn report(&self) -> String {
        let progress = self.state().progress.clone();
        summarise(Report::of_tournament(&self.shown, &*self.start, progress, None)).html(&*self.start)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

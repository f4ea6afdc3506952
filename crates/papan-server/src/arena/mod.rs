//! Tournaments on the page: begun, watched, stopped and taken up again. Each
//! has a store of its own in a folder beside the games.

mod course;
mod request;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use papan_arena::tournament::{Store, TournamentFile};
use papan_core::StopToken;

use crate::error::ApiError;
use crate::ids;
use crate::pool::Memory;

pub(crate) use course::{Course, CourseView};

/// Tournaments that play at the same time.
const MOST_RUNNING: usize = 2;

/// Every tournament of this server.
pub(crate) struct Arena {
    folder: PathBuf,
    known: Mutex<BTreeMap<String, Arc<Course>>>,
}

impl Arena {
    /// The tournaments beside the file that keeps the games.
    pub(crate) fn beside(db: &Path) -> Self {
        Self { folder: db.with_extension("tournaments"), known: Mutex::default() }
    }

    /// Is it not too large, and is there room for it? Nothing is chosen or
    /// judged for that.
    pub(crate) fn check(&self, file: &TournamentFile) -> Result<(), ApiError> {
        request::sized(file)?;
        check_room(&self.known())
    }

    /// Lays a tournament out, unless it is stopped meanwhile; gives its name
    /// in addresses. It does not play yet.
    pub(crate) fn prepare(&self, file: &TournamentFile, stop: &StopToken) -> Result<String, ApiError> {
        let setup = request::setup(file, stop)?;
        let mut known = self.known();
        check_room(&known)?;
        fs::create_dir_all(&self.folder).map_err(|_| ApiError::storage())?;
        let id = ids::game_id();
        let store = Store::create(&self.path(&id), &setup).map_err(|_| ApiError::storage())?;
        known.insert(id.clone(), Course::stored(setup, store)?);
        Ok(id)
    }

    /// The tournament of this name, from memory or from its store.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Course>, ApiError> {
        let mut known = self.known();
        if let Some(course) = known.get(id) {
            return Ok(Arc::clone(course));
        }
        let is_name = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let path = self.path(id);
        if !is_name || !path.exists() {
            return Err(ApiError::no_such_tournament());
        }
        let (store, setup) = Store::open(&path).map_err(|_| ApiError::storage())?;
        let course = Course::stored(setup, store)?;
        known.insert(id.to_owned(), Arc::clone(&course));
        Ok(course)
    }

    /// Plays on, or stops after the games under way.
    pub(crate) fn set_running(&self, memory: &Arc<Memory>, id: &str, running: bool) -> Result<Arc<Course>, ApiError> {
        let course = self.find(id)?;
        if running {
            check_room(&self.known())?;
            course.go_on(memory)?;
        } else {
            course.stop();
        }
        Ok(course)
    }

    /// Stops those that nobody has looked at since `then`; they can go on
    /// later.
    pub(crate) fn stop_unwatched(&self, then: Instant) {
        for course in self.known().values() {
            course.stop_if_unwatched(then);
        }
    }

    /// How many play.
    pub(crate) fn running(&self) -> usize {
        self.known().values().filter(|course| course.is_running()).count()
    }

    /// Every tournament, the last one first.
    pub(crate) fn all(&self) -> Vec<(String, Arc<Course>)> {
        let mut files: Vec<_> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "sqlite"))
            .filter_map(|entry| Some((entry.metadata().ok()?.created().ok(), entry.path())))
            .collect();
        files.sort();
        let names = files.into_iter().rev().filter_map(|(_, path)| Some(path.file_stem()?.to_str()?.to_owned()));
        names.filter_map(|id| self.find(&id).ok().map(|course| (id, course))).collect()
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.sqlite"))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Course>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn check_room(known: &BTreeMap<String, Arc<Course>>) -> Result<(), ApiError> {
    let running = known.values().filter(|course| course.is_running()).count();
    if running < MOST_RUNNING { Ok(()) } else { Err(ApiError::busy()) }
}

//! Tournaments on the page: begun, watched, stopped and taken up again. Each
//! plays while somebody listens, and has a store of its own in a folder beside
//! the games.

mod course;
mod request;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use papan_arena::tournament::TournamentFile;
use papan_core::StopToken;

use crate::error::ApiError;
use crate::ids;
use crate::pool::Memory;
use crate::store::private_folder;

pub(crate) use course::{Course, CourseView};

/// Tournaments that play at the same time.
const MOST_RUNNING: usize = 2;

/// Tournaments that are kept; beyond this many the oldest go.
const MOST_KEPT: usize = 1_000;
/// Characters of a tournament's or an entrant's name.
const LONGEST_NAME: usize = 300;

/// Every tournament of this server.
pub(crate) struct Arena {
    folder: PathBuf,
    most_kept: usize,
    known: Mutex<BTreeMap<String, Arc<Course>>>,
}

impl Arena {
    /// The tournaments beside the file that keeps the games.
    pub(crate) fn beside(db: &Path) -> Self {
        let folder = db.with_extension("tournaments");
        if folder.exists()
            && let Err(error) = private_folder(&folder)
        {
            tracing::warn!(%error, "the folder of tournaments cannot be looked into");
        }
        Self { folder, most_kept: MOST_KEPT, known: Mutex::default() }
    }

    /// Is it not too large, and is there room for it? Nothing is chosen or
    /// judged for that.
    pub(crate) fn check(&self, file: &TournamentFile) -> Result<(), ApiError> {
        check_names(file)?;
        request::sized(file)?;
        check_room(&self.known())
    }

    /// Lays a tournament out, unless it is stopped meanwhile; gives its name
    /// in addresses. It does not play yet.
    pub(crate) fn prepare(&self, file: &TournamentFile, stop: &StopToken) -> Result<String, ApiError> {
        let setup = request::setup(file, stop)?;
        let mut known = self.known();
        check_room(&known)?;
        self.forget_oldest(&mut known);
        private_folder(&self.folder).map_err(|_| ApiError::storage())?;
        let id = ids::game_id();
        known.insert(id.clone(), Course::create(setup, self.path(&id))?);
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
        let course = Course::stored(path)?;
        known.insert(id.to_owned(), Arc::clone(&course));
        Ok(course)
    }

    /// From now on it plays while somebody listens, or it stops at once.
    pub(crate) fn steer(&self, id: &str, running: bool) -> Result<Arc<Course>, ApiError> {
        let course = self.find(id)?;
        if running && !course.is_running() {
            check_room(&self.known())?;
        }
        course.want(running);
        Ok(course)
    }

    /// Lets one play that waits for it, if there is room; true if it still
    /// waits then.
    pub(crate) fn go_on(&self, memory: &Arc<Memory>, course: &Arc<Course>) -> bool {
        // While this is held, nobody else takes the room.
        let known = self.known();
        if check_room(&known).is_ok() {
            course.go_on(memory);
        }
        course.waits()
    }

    /// How many play.
    pub(crate) fn running(&self) -> usize {
        self.known().values().filter(|course| course.is_running()).count()
    }

    /// Every tournament, the last one first.
    pub(crate) fn all(&self) -> Vec<(String, Arc<Course>)> {
        let names = self.files().into_iter().rev().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        names.filter_map(|id| self.find(&id).ok().map(|course| (id, course))).collect()
    }

    /// Every store, the oldest first.
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "sqlite"))
            .filter_map(|entry| Some((entry.metadata().ok()?.created().ok(), entry.path())))
            .collect();
        files.sort();
        files.into_iter().map(|(_, path)| path).collect()
    }

    /// Makes room for one more: the oldest that nobody needs go.
    fn forget_oldest(&self, known: &mut BTreeMap<String, Arc<Course>>) {
        let files = self.files();
        let too_many = (files.len() + 1).saturating_sub(self.most_kept);
        let id = |path: &Path| path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let needed = |path: &Path| known.get(&id(path)).is_some_and(|course| course.is_needed());
        let oldest: Vec<_> = files.into_iter().filter(|path| !needed(path)).take(too_many).collect();
        for path in oldest {
            known.remove(&id(&path));
            for ending in ["sqlite", "sqlite-wal", "sqlite-shm"] {
                // One that cannot be removed is in nobody's way but the disk's.
                let _ = fs::remove_file(path.with_extension(ending));
            }
        }
    }

    /// Stops all that play and waits until their stores are closed, but no
    /// longer than `patience`.
    pub(crate) fn close(&self, patience: Duration) {
        let playing: Vec<_> = self.known().values().filter(|course| course.is_running()).cloned().collect();
        for course in &playing {
            course.want(false);
        }
        let began = Instant::now();
        while playing.iter().any(|course| course.is_running()) && began.elapsed() < patience {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.sqlite"))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Course>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is stored is bounded, whatever is sent.
fn check_names(file: &TournamentFile) -> Result<(), ApiError> {
    let names = file.entrants.iter().map(|entrant| &entrant.name).chain([&file.name]);
    if names.into_iter().any(|name| name.chars().count() > LONGEST_NAME) {
        return Err(ApiError::bad_tournament(&format!("a name has at most {LONGEST_NAME} characters")));
    }
    Ok(())
}

fn check_room(known: &BTreeMap<String, Arc<Course>>) -> Result<(), ApiError> {
    let running = known.values().filter(|course| course.is_running()).count();
    if running < MOST_RUNNING { Ok(()) } else { Err(ApiError::busy()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_tournaments_go_and_their_stores_with_them() {
        let db = std::env::temp_dir().join(format!("papan-arena-{}.db", std::process::id()));
        let arena = Arena { most_kept: 3, ..Arena::beside(&db) };
        let keys = serde_json::json!({"game": "tic-tac-toe", "bots": ["random", "greedy"], "games": 2});
        let file = TournamentFile::from_json(Path::new("tournament"), keys).unwrap();
        let memory = Memory::new(1 << 30);
        let mut ids = Vec::new();
        for _ in 0..5 {
            let id = arena.prepare(&file, &StopToken::new()).unwrap();
            let course = arena.steer(&id, true).unwrap();
            arena.go_on(&memory, &course);
            while course.is_running() {
                thread::sleep(Duration::from_millis(5));
            }
            ids.push(id);
        }
        let left: Vec<_> = arena.all().into_iter().map(|(id, _)| id).collect();
        assert_eq!(left, [&*ids[4], &ids[3], &ids[2]]);
        assert!(arena.find(&ids[0]).is_err());
        assert_eq!(fs::read_dir(&arena.folder).unwrap().count(), 3, "nothing is left of the others");
        fs::remove_dir_all(&arena.folder).unwrap();
    }
}

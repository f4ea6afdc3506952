//! Games on disk. One thread writes, with group commit; a few connections
//! read beside it. What has been answered survives a kill −9.

mod change;
mod condition;
mod damage;
mod error;
mod file;
mod read;
mod rows;
mod schema;
mod surplus;
mod writer;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, oneshot};

pub(crate) use change::{Change, Standing};
use condition::Condition;
pub use error::StoreError;
pub(crate) use error::StoreResult;
pub(crate) use file::{narrow, private_folder};
pub(crate) use read::Page;
pub(crate) use rows::{GameRow, MoveRow, Outcome, Reason, ReviewRow, SeatKind, SeatRow, SummaryRow};
pub use surplus::Keep;
use writer::{Task, Writer};

/// Milliseconds since 1970.
pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis() as u64)
}

/// The stored games.
#[derive(Clone)]
pub(crate) struct Store {
    writer: mpsc::Sender<Task>,
    readers: Arc<Readers>,
    condition: Condition,
    keep: Keep,
}

impl Store {
    /// Opens the file, making or updating its tables. A damaged one is opened
    /// for reading alone.
    pub(crate) fn open(path: &Path, keep: Keep) -> StoreResult<Self> {
        let claimed = file::claim(path)?;
        let condition = Condition::default();
        let (later, found) = (condition.clone(), claimed.path.clone());
        if let Some(damage) = damage::look(&claimed.path, move |damage| later.found_damaged(&found, &damage))? {
            condition.found_damaged(&claimed.path, &damage);
        }
        let path = claimed.path.clone();
        let db = if condition.is_read_only() { None } else { Some(connect(&path, &keep)?) };
        let (writer, incoming) = mpsc::channel();
        let work = Writer { db, condition: condition.clone(), claimed };
        std::thread::Builder::new()
            .name("papan-store".to_owned())
            .spawn(move || work.run(&incoming))
            .map_err(|error| StoreError::new(&error))?;
        Ok(Self { writer, readers: Arc::new(Readers::new(path)), condition, keep })
    }

    /// Is the file damaged, so that nothing is written?
    pub(crate) fn is_read_only(&self) -> bool {
        self.condition.is_read_only()
    }

    /// How much is kept.
    pub(crate) fn keep(&self) -> &Keep {
        &self.keep
    }

    /// Writes an event; returns once it is durable.
    pub(crate) async fn write(&self, change: Change) -> StoreResult<()> {
        let (done, answer) = oneshot::channel();
        self.writer.send(Task::Write(change, done)).map_err(|_| StoreError::closed())?;
        answer.await.map_err(|_| StoreError::closed())?
    }

    /// Writes what is waiting and gives the file free. Nothing can be read or
    /// written afterwards.
    pub(crate) async fn close(&self) {
        self.readers.close();
        let (done, answer) = oneshot::channel();
        if self.writer.send(Task::Close(done)).is_ok() {
            let _ = answer.await;
        }
    }

    /// The games that are too many, those in `open` left out.
    pub(crate) async fn surplus(&self, open: HashSet<String>) -> StoreResult<Vec<String>> {
        let keep = self.keep.clone();
        self.read(move |db| surplus::surplus(db, &keep, &open)).await
    }

    /// The game called `id`, or `None`.
    pub(crate) async fn game(&self, id: String) -> StoreResult<Option<GameRow>> {
        self.read(move |db| read::game(db, &id)).await
    }

    /// The review that is kept with the game called `id`, or `None`.
    pub(crate) async fn review(&self, id: String) -> StoreResult<Option<ReviewRow>> {
        self.read(move |db| read::review(db, &id)).await
    }

    /// One page of the library, and where the next begins.
    pub(crate) async fn library(&self, page: Page) -> StoreResult<(Vec<SummaryRow>, Option<i64>)> {
        self.read(move |db| read::library(db, &page)).await
    }

    async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreResult<T> {
        let readers = Arc::clone(&self.readers);
        // Each reader holds descriptors: a crowd waits its turn.
        let _turn = readers.turns.acquire().await.map_err(|_| StoreError::closed())?;
        let reading = Arc::clone(&readers);
        tokio::task::spawn_blocking(move || reading.with(query)).await.map_err(|error| StoreError::new(&error))?
    }
}

/// The connection that writes.
fn connect(path: &Path, keep: &Keep) -> StoreResult<Connection> {
    let mut db = Connection::open(path)?;
    // A commit is on the disk before it is answered (FULL), and readers
    // never wait for the writer (WAL).
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "FULL")?;
    // Fewer, larger check-points: each one asks the disk twice more.
    db.pragma_update(None, "wal_autocheckpoint", 4000)?;
    db.pragma_update(None, "journal_size_limit", 64 << 20)?;
    db.busy_timeout(Duration::from_secs(5))?;
    db.set_prepared_statement_cache_capacity(32);
    schema::migrate(&mut db)?;
    // Old games go long before this is reached; without it a disk could fill.
    let page: u64 = db.pragma_query_value(None, "page_size", |row| row.get(0))?;
    db.pragma_update(None, "max_page_count", keep.bytes / 4 * 5 / page.max(1))?;
    Ok(db)
}

/// Connections that only read, kept open for the next reader.
struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    turns: Semaphore,
    closed: AtomicBool,
}

impl Readers {
    const KEPT: usize = 4;
    const AT_ONCE: usize = 16;

    fn new(path: PathBuf) -> Self {
        let (turns, closed) = (Semaphore::new(Self::AT_ONCE), AtomicBool::new(false));
        Self { path, idle: Mutex::default(), turns, closed }
    }

    /// Lets go of the file; whoever reads now is the last.
    fn close(&self) {
        self.turns.close();
        self.closed.store(true, Ordering::Relaxed);
        self.idle.lock().expect("no holder panics").clear();
    }

    fn with<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> StoreResult<T> {
        let idle = self.idle.lock().expect("no holder panics").pop();
        let db = match idle {
            Some(db) => db,
            None => self.connect()?,
        };
        // One transaction, so that a game and its moves are of one moment.
        let transaction = db.unchecked_transaction()?;
        let found = query(&transaction)?;
        // Nothing was written: there is nothing to commit, and in a damaged
        // file that would fail although enough was read.
        transaction.finish()?;
        let mut idle = self.idle.lock().expect("no holder panics");
        if idle.len() < Self::KEPT && !self.closed.load(Ordering::Relaxed) {
            idle.push(db);
        }
        Ok(found)
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(&self.path, flags)?;
        db.busy_timeout(Duration::from_secs(5))?;
        Ok(db)
    }
}

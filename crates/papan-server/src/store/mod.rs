//! Games on disk. One thread writes, with group commit; a few connections
//! read beside it. What has been answered survives a kill −9.

mod change;
mod read;
mod rows;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;
use tokio::sync::oneshot;

pub(crate) use change::{Change, Standing};
pub(crate) use read::Page;
pub(crate) use rows::{GameRow, MoveRow, Outcome, Reason, ReviewRow, SeatKind, SeatRow, SummaryRow};

/// The store could not do what it was asked.
#[derive(Clone, Debug, Error)]
#[error("storage: {0}")]
pub struct StoreError(String);

impl StoreError {
    fn new(error: &impl ToString) -> Self {
        Self(error.to_string())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::new(&error)
    }
}

pub(crate) type StoreResult<T> = Result<T, StoreError>;

/// Milliseconds since 1970.
pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis() as u64)
}

/// The stored games.
#[derive(Clone)]
pub(crate) struct Store {
    writer: mpsc::Sender<writer::Write>,
    readers: Arc<Readers>,
}

impl Store {
    /// Opens the file, making or updating its tables.
    pub(crate) fn open(path: &Path) -> StoreResult<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::new(&error))?;
        }
        let mut db = Connection::open(path)?;
        // A commit is on the disk before it is answered (FULL), and readers
        // never wait for the writer (WAL).
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        // Fewer, larger check-points: each one asks the disk twice more.
        db.pragma_update(None, "wal_autocheckpoint", 4000)?;
        db.busy_timeout(Duration::from_secs(5))?;
        db.set_prepared_statement_cache_capacity(32);
        schema::migrate(&mut db)?;
        let (writer, incoming) = mpsc::channel();
        std::thread::Builder::new()
            .name("papan-store".to_owned())
            .spawn(move || writer::run(db, &incoming))
            .map_err(|error| StoreError::new(&error))?;
        Ok(Self { writer, readers: Arc::new(Readers { path: path.to_owned(), idle: Mutex::default() }) })
    }

    /// Writes an event; returns once it is durable.
    pub(crate) async fn write(&self, change: Change) -> StoreResult<()> {
        let (done, answer) = oneshot::channel();
        let gone = |_| StoreError("the writer is gone".to_owned());
        self.writer.send(writer::Write { change, done }).map_err(|_| StoreError("the writer is gone".to_owned()))?;
        answer.await.map_err(gone)?
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
        tokio::task::spawn_blocking(move || readers.with(query))
            .await
            .map_err(|error| StoreError::new(&error))?
            .map_err(StoreError::from)
    }
}

/// Connections that only read, kept open for the next reader.
struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    const KEPT: usize = 4;

    fn with<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
        let idle = self.idle.lock().expect("no holder panics").pop();
        let db = match idle {
            Some(db) => db,
            None => self.connect()?,
        };
        // One transaction, so that a game and its moves are of one moment.
        let transaction = db.unchecked_transaction()?;
        let found = query(&transaction)?;
        transaction.commit()?;
        let mut idle = self.idle.lock().expect("no holder panics");
        if idle.len() < Self::KEPT {
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

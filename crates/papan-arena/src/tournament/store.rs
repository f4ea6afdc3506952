//! The games of a tournament on disk: a SQLite file with a row for each game,
//! by its id.
//!
//! SQLite's write-ahead log has a checksum on each page: a write that was torn
//! by a crash or a power cut is dropped whole when the file is next opened,
//! and what was committed before stays. `synchronous=FULL` puts a commit on the
//! disk before it is reported. The primary key takes each game once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};
use thiserror::Error;

use super::job::Outcome;
use super::setup::Setup;

/// The form of the file. One of the first form is brought up to this one when
/// it is opened; any other is refused.
const VERSION: i64 = 2;

/// What the second form has beside the first: games of workers that were found
/// out, which no longer count, and why they are kept is that somebody may want
/// to see them. An outcome now says who played it.
const SECOND: &str = "CREATE TABLE set_aside (id TEXT NOT NULL, outcome TEXT NOT NULL) STRICT;";

/// "PpnT": what `file` and SQLite see in the header.
const APPLICATION: i64 = 0x5070_6e54;

/// Why a store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is one already.
    #[error("{}: there are games of a tournament in it; go on with --resume, or name another file with --store", .0.display())]
    Exists(PathBuf),
    /// There is none.
    #[error("{}: there is no such file: nothing to go on with", .0.display())]
    Missing(PathBuf),
    /// It belongs to something else.
    #[error("{}: this is not a tournament of this version of Papan", .0.display())]
    Foreign(PathBuf),
    /// Another process plays it.
    #[error("{}: another process is playing this tournament", .0.display())]
    Busy(PathBuf),
    /// The disk is full.
    #[error("{}: the disk is full; what was stored is safe: make room and go on with --resume", .0.display())]
    Full(PathBuf),
    /// Something else, in SQLite's words.
    #[error("{}: {what}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// An open store. Nobody else can open it meanwhile; the system lets go of it
/// if this process is killed.
pub struct Store {
    path: PathBuf,
    db: Connection,
}

impl Store {
    /// Makes a new store for `setup`.
    pub fn create(path: &Path, setup: &Setup) -> Result<Self, StoreError> {
        if path.exists() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        let setup = serde_json::to_string(setup).expect("a setup is plain data");
        // One transaction: a file that exists is whole, or empty.
        let made = store.db.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             CREATE TABLE tournament (setup TEXT NOT NULL) STRICT;
             CREATE TABLE sandbox (level TEXT PRIMARY KEY) STRICT;
             CREATE TABLE game (id TEXT PRIMARY KEY, outcome TEXT NOT NULL) STRICT, WITHOUT ROWID;
             {SECOND}
             INSERT INTO tournament VALUES ({});
             PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {VERSION};
             COMMIT;",
            sql_text(&setup)
        ));
        store.check(made)?;
        Ok(store)
    }

    /// Opens a store; gives what the tournament is.
    pub fn open(path: &Path) -> Result<(Self, Setup), StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        let store = Self::connect(path, OpenFlags::empty())?;
        let foreign = || StoreError::Foreign(path.to_owned());
        let number = |name: &str| store.check(store.db.pragma_query_value(None, name, |row| row.get::<_, i64>(0)));
        match (number("application_id")?, number("user_version")?) {
            (APPLICATION, VERSION) => {}
            (APPLICATION, 1) => {
                let sql = format!("BEGIN IMMEDIATE; {SECOND} PRAGMA user_version = {VERSION}; COMMIT;");
                store.check(store.db.execute_batch(&sql))?;
            }
            _ => return Err(foreign()),
        }
        let setup = store.db.query_row("SELECT setup FROM tournament", [], |row| row.get::<_, String>(0)).optional();
        let setup = store.check(setup)?.ok_or_else(foreign)?;
        Ok((store, serde_json::from_str(&setup).map_err(|_| foreign())?))
    }

    fn connect(path: &Path, create: OpenFlags) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
        let db = Connection::open_with_flags(path, flags).map_err(|error| trouble(path, &error))?;
        let store = Self { path: path.to_owned(), db };
        let set = |name: &str, value: &str| store.check(store.db.pragma_update(None, name, value));
        // Before the log is opened, so that it needs no shared memory either.
        set("locking_mode", "EXCLUSIVE")?;
        set("journal_mode", "WAL")?;
        set("synchronous", "FULL")?;
        // The lock is taken by the first transaction.
        store.check(store.db.execute_batch("BEGIN IMMEDIATE; COMMIT;"))?;
        Ok(store)
    }

    /// Writes outcomes, each id once; they are on the disk when this returns.
    /// Gives how many were new.
    pub fn add(&mut self, outcomes: &[Outcome]) -> Result<usize, StoreError> {
        let path = &self.path;
        let write = |db: &mut Connection| {
            let transaction = db.transaction()?;
            let mut new = 0;
            for outcome in outcomes {
                let text = serde_json::to_string(outcome).expect("an outcome is plain data");
                let mut insert = transaction.prepare_cached("INSERT OR IGNORE INTO game VALUES (?1, ?2)")?;
                new += insert.execute(params![outcome.id, text])?;
            }
            transaction.commit()?;
            Ok(new)
        };
        write(&mut self.db).map_err(|error| trouble(path, &error))
    }

    /// Takes these games out of the tournament; they are kept beside it.
    pub fn set_aside(&mut self, ids: &[String]) -> Result<(), StoreError> {
        let path = &self.path;
        let write = |db: &mut Connection| {
            let transaction = db.transaction()?;
            for id in ids {
                transaction.execute("INSERT INTO set_aside SELECT id, outcome FROM game WHERE id = ?1", [id])?;
                transaction.execute("DELETE FROM game WHERE id = ?1", [id])?;
            }
            transaction.commit()
        };
        write(&mut self.db).map_err(|error| trouble(path, &error))
    }

    /// Notes how well programs are shut in while games are played.
    pub fn note_sandbox(&mut self, level: &str) -> Result<(), StoreError> {
        let noted = self.db.execute("INSERT OR IGNORE INTO sandbox VALUES (?1)", [level]);
        self.check(noted).map(|_| ())
    }

    /// How well programs were shut in while games were played; more than one
    /// if that has changed.
    pub fn sandboxes(&self) -> Result<Vec<String>, StoreError> {
        let read = || {
            let mut query = self.db.prepare("SELECT level FROM sandbox ORDER BY level")?;
            query.query_map([], |row| row.get(0))?.collect::<Result<Vec<_>, _>>()
        };
        self.check(read())
    }

    /// Every stored outcome, by id.
    pub fn outcomes(&self) -> Result<HashMap<String, Outcome>, StoreError> {
        let read = || {
            let mut query = self.db.prepare("SELECT outcome FROM game")?;
            query.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
        };
        let texts = self.check(read())?;
        let outcome = |text: &String| {
            serde_json::from_str::<Outcome>(text).map_err(|error| StoreError::Other {
                path: self.path.clone(),
                what: format!("a stored game cannot be read: {error}"),
            })
        };
        texts.iter().map(|text| outcome(text).map(|outcome| (outcome.id.clone(), outcome))).collect()
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| trouble(&self.path, &error))
    }
}

/// What an error of SQLite means for the user.
fn trouble(path: &Path, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy(path),
        Some(ErrorCode::DiskFull) => StoreError::Full(path),
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            StoreError::Other { path, what: "it cannot be written; choose another place with --store".to_owned() }
        }
        _ => StoreError::Other { path, what: error.to_string() },
    }
}

fn sql_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::Format;
    use crate::referee::Rules;

    #[test]
    fn a_store_of_the_first_form_opens_and_games_can_be_set_aside() {
        let path = std::env::temp_dir().join(format!("papan-store-{}.sqlite", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let setup = Setup {
            name: "cup".to_owned(),
            game: "tic-tac-toe".to_owned(),
            format: Format::RoundRobin,
            games: 2,
            seed: 1,
            entrants: Vec::new(),
            openings: Vec::new(),
            rules: Rules::default(),
        };
        let mut store = Store::create(&path, &setup).unwrap();
        let [old, new] = ["old", "new"].map(|id| Outcome::given_up(id, ""));
        store.add(std::slice::from_ref(&old)).unwrap();
        store.db.execute_batch("DROP TABLE set_aside; PRAGMA user_version = 1;").unwrap();
        drop(store);
        let (mut store, _) = Store::open(&path).unwrap();
        let new = Outcome { worker: Some("w".to_owned()), ..new };
        store.add(std::slice::from_ref(&new)).unwrap();
        store.set_aside(&["new".to_owned()]).unwrap();
        assert_eq!(store.outcomes().unwrap(), HashMap::from([("old".to_owned(), old)]));
        let kept = store.db.query_row("SELECT outcome FROM set_aside", [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&kept).unwrap(), new);
        drop(store);
        assert!(Store::open(&path).is_ok(), "and once more");
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
    }
}

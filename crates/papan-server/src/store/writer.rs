//! The one thread that writes. Events that arrive while a transaction is
//! being made durable share the next one: the disk is asked once for many.

use std::sync::mpsc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

use super::change::Change;
use super::file::Claimed;
use super::{Condition, StoreError, StoreResult};

/// Events in one transaction at most, so that the first is not kept waiting.
const LARGEST_GROUP: usize = 512;

/// What the thread is told.
pub(super) enum Task {
    /// An event, and whoever waits for it to be durable.
    Write(Change, oneshot::Sender<StoreResult<()>>),
    /// The last thing: the file is made whole, closed and given free.
    Close(oneshot::Sender<()>),
}

/// The thread's own.
pub(super) struct Writer {
    /// `None` for a file that must not be written to.
    pub(super) db: Option<Connection>,
    pub(super) condition: Condition,
    /// Given free last.
    pub(super) claimed: Claimed,
}

type Waiting = (Change, oneshot::Sender<StoreResult<()>>);

impl Writer {
    /// Writes until it is told to close, or every sender is gone.
    pub(super) fn run(mut self, incoming: &mpsc::Receiver<Task>) {
        let mut closing = None;
        while closing.is_none()
            && let Ok(first) = incoming.recv()
        {
            let mut group = Vec::new();
            for task in std::iter::once(first).chain(incoming.try_iter().take(LARGEST_GROUP - 1)) {
                match task {
                    Task::Write(change, done) => group.push((change, done)),
                    Task::Close(done) => {
                        closing = Some(done);
                        break;
                    }
                }
            }
            self.commit(group);
        }
        self.close();
        if let Some(done) = closing {
            let _ = done.send(());
        }
    }

    /// Writes a group in one transaction and only then answers. An event that
    /// fails is left out and told so; the others are kept.
    fn commit(&mut self, group: Vec<Waiting>) {
        let Some(db) = self.db.as_mut().filter(|_| !self.condition.is_read_only()) else {
            return refuse(group, &StoreError::ReadOnly);
        };
        match apply_all(db, &group) {
            Ok(results) => {
                for ((_, done), result) in group.into_iter().zip(results) {
                    // Whoever no longer listens needs no answer.
                    let _ = done.send(result);
                }
            }
            Err(error) => {
                tracing::error!(%error, "a transaction failed");
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) {
                    self.condition.found_damaged(&self.claimed.path, &error.to_string());
                }
                refuse(group, &error.into());
            }
        }
    }

    /// Closing the last connection moves the log into the file; a damaged file
    /// is left as it is.
    fn close(self) {
        let Self { db, condition, claimed } = self;
        if let Some(db) = db {
            if condition.is_read_only() {
                let _ = db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            } else if let Err(error) = db.pragma_update(None, "wal_checkpoint", "TRUNCATE") {
                // The log is whole; whoever opens the file next reads it.
                tracing::warn!(%error, "the log could not be moved into the file");
            }
        }
        drop(claimed);
    }
}

fn refuse(group: Vec<Waiting>, error: &StoreError) {
    for (_, done) in group {
        let _ = done.send(Err(error.clone()));
    }
}

fn apply_all(db: &mut Connection, group: &[Waiting]) -> rusqlite::Result<Vec<StoreResult<()>>> {
    let mut transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(group.len());
    for (change, _) in group {
        let savepoint = transaction.savepoint()?;
        results.push(match change.apply(&savepoint) {
            Ok(()) => savepoint.commit().map_err(StoreError::from),
            // Half of a damaged tree must not be committed with the rest.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => return Err(error),
            Err(error) => Err(error.into()),
        });
    }
    transaction.commit()?;
    Ok(results)
}

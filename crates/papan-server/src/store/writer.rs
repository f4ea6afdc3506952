//! The one thread that writes. Events that arrive while a transaction is
//! being made durable share the next one: the disk is asked once for many.

use std::sync::mpsc;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::change::Change;
use super::{StoreError, StoreResult};

/// Events in one transaction at most, so that the first is not kept waiting.
const LARGEST_GROUP: usize = 512;

/// An event and whoever waits for it to be durable.
pub(super) struct Write {
    pub(super) change: Change,
    pub(super) done: oneshot::Sender<StoreResult<()>>,
}

/// Writes until every sender is gone.
pub(super) fn run(mut db: Connection, incoming: &mpsc::Receiver<Write>) {
    while let Ok(first) = incoming.recv() {
        let mut group = vec![first];
        group.extend(incoming.try_iter().take(LARGEST_GROUP - 1));
        commit(&mut db, group);
    }
}

/// Writes a group in one transaction and only then answers. An event that
/// fails is left out and told so; the others are kept.
fn commit(db: &mut Connection, group: Vec<Write>) {
    match apply_all(db, &group) {
        Ok(results) => {
            for (write, result) in group.into_iter().zip(results) {
                // Whoever no longer listens needs no answer.
                let _ = write.done.send(result);
            }
        }
        Err(error) => {
            tracing::error!(%error, "a transaction failed");
            for write in group {
                let _ = write.done.send(Err(StoreError::new(&error)));
            }
        }
    }
}

fn apply_all(db: &mut Connection, group: &[Write]) -> rusqlite::Result<Vec<StoreResult<()>>> {
    let mut transaction = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(group.len());
    for write in group {
        let savepoint = transaction.savepoint()?;
        results.push(match write.change.apply(&savepoint) {
            Ok(()) => savepoint.commit().map_err(|error| StoreError::new(&error)),
            Err(error) => Err(StoreError::new(&error)),
        });
    }
    transaction.commit()?;
    Ok(results)
}

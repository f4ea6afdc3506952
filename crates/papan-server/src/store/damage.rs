//! Is the file whole? A damaged one is read as far as it can be, and nothing
//! is written over what may still be saved.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::StoreResult;

/// The start waits so long for the answer. A large file is looked through to
/// the end while games are played already.
const WAIT: Duration = Duration::from_secs(2);

/// What SQLite finds wrong, in its words.
pub(super) type Damage = String;

/// Looks through the file. `Some` if it was found damaged at once; what is
/// found later goes to `later`.
pub(super) fn look(path: &Path, later: impl FnOnce(Damage) + Send + 'static) -> StoreResult<Option<Damage>> {
    let (tell, told) = mpsc::sync_channel(0);
    let path = path.to_owned();
    let look = move || {
        // Once nobody waits for the answer, it goes the other way.
        if let Err(mpsc::SendError(Some(damage))) = tell.send(check(&path)) {
            later(damage);
        }
    };
    thread::Builder::new()
        .name("papan-check".to_owned())
        .spawn(look)
        .map_err(|error| super::StoreError::new(&error))?;
    Ok(told.recv_timeout(WAIT).unwrap_or(None))
}

/// The first thing that is wrong with the file, if any.
fn check(path: &Path) -> Option<Damage> {
    let looked = || {
        let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        db.busy_timeout(Duration::from_secs(5))?;
        db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
    };
    match looked() {
        Ok(word) if word == "ok" => None,
        Ok(what) => Some(one_line(&what)),
        Err(error) => Some(one_line(&error.to_string())),
    }
}

fn one_line(text: &str) -> Damage {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

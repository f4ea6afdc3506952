//! The tables, and how an older file becomes a newer one.

use rusqlite::Connection;

use super::file::APPLICATION;

/// Step `n` takes a file of version `n` to version `n + 1`. Steps are never
/// edited once released: a new need is a new step.
const MIGRATIONS: &[&str] = &[
    // Moves beyond `games.ply` were taken back and can be made again.
    "
    CREATE TABLE games (
        seq           INTEGER PRIMARY KEY AUTOINCREMENT,
        id            TEXT    NOT NULL UNIQUE,
        game          TEXT    NOT NULL,
        name          TEXT    NOT NULL,
        start         TEXT    NOT NULL,
        owner_token   TEXT    NOT NULL,
        clock         TEXT    NOT NULL,
        ply           INTEGER NOT NULL DEFAULT 0,
        first_points  INTEGER NOT NULL,
        second_points INTEGER NOT NULL,
        to_move       INTEGER NOT NULL,
        first_ms      INTEGER NOT NULL,
        second_ms     INTEGER NOT NULL,
        reason        TEXT,
        winner        INTEGER,
        paused        INTEGER NOT NULL DEFAULT 0,
        speed_ms      INTEGER NOT NULL,
        created_ms    INTEGER NOT NULL,
        updated_ms    INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_by_name ON games (name, seq);
    CREATE TABLE seats (
        game   TEXT    NOT NULL,
        seat   INTEGER NOT NULL,
        kind   TEXT    NOT NULL,
        name   TEXT    NOT NULL,
        spec   TEXT,
        secret TEXT,
        token  TEXT,
        PRIMARY KEY (game, seat)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE moves (
        game      TEXT    NOT NULL,
        ply       INTEGER NOT NULL,
        text      TEXT    NOT NULL,
        first_ms  INTEGER NOT NULL,
        second_ms INTEGER NOT NULL,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    ",
    // The review of a game is of the moves in `line` and was made by `method`;
    // `positions` has a line of JSON for each.
    "
    CREATE TABLE reviews (
        game      TEXT NOT NULL PRIMARY KEY,
        line      TEXT NOT NULL,
        method    TEXT NOT NULL,
        positions TEXT NOT NULL
    ) STRICT;
    ",
    // Games in which nobody has moved are the first to go when there are too
    // many.
    "
    CREATE INDEX games_unplayed ON games (seq) WHERE ply = 0;
    ",
];

/// The version of the files that this program writes.
pub(super) const VERSION: usize = MIGRATIONS.len();

/// Makes the file ready for use, whatever older version it is, and marks it as
/// ours.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: usize = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > VERSION {
        return Err(rusqlite::Error::ToSqlConversionFailure(
            format!("the file has version {version}, newer than this program's {VERSION}").into(),
        ));
    }
    let application: u32 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if version == VERSION && application == APPLICATION {
        return Ok(());
    }
    for step in &MIGRATIONS[version..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrating_twice_changes_nothing_and_a_newer_file_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(migrate(&mut connection).unwrap_err().to_string().contains("newer"));
    }

    #[test]
    fn a_file_of_the_first_version_keeps_its_games_and_can_be_reviewed() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let old = "INSERT INTO games (id, game, name, start, owner_token, clock, first_points, second_points, to_move,
            first_ms, second_ms, speed_ms, created_ms, updated_ms)
            VALUES ('old', 'othello', 'othello', '', '', '', 2, 2, 0, 0, 0, 0, 0, 0)";
        connection.execute_batch(old).unwrap();
        migrate(&mut connection).unwrap();
        let review = "INSERT INTO reviews SELECT id, 'f5', '1', '{}' FROM games";
        assert_eq!(connection.execute(review, ()).unwrap(), 1);
    }
}

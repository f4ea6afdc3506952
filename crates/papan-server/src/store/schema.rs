//! The tables, and how an older file becomes a newer one.

use rusqlite::Connection;

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
];

/// Makes the file ready for use, whatever older version it is.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: usize = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > MIGRATIONS.len() {
        return Err(rusqlite::Error::ToSqlConversionFailure(
            format!("the file has version {version}, newer than this program's {}", MIGRATIONS.len()).into(),
        ));
    }
    for step in &MIGRATIONS[version..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", MIGRATIONS.len())?;
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
        connection.pragma_update(None, "user_version", MIGRATIONS.len() + 1).unwrap();
        assert!(migrate(&mut connection).unwrap_err().to_string().contains("newer"));
    }
}

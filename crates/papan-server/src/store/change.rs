//! What can happen to stored games, one value per event.

use papan_core::Player;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::rows::{GameRow, Outcome, ReviewRow, SeatRow};
use super::unix_ms;

/// Where a game stands after an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) ply: usize,
    pub(crate) clock_ms: [u64; 2],
    pub(crate) points: [i32; 2],
    pub(crate) to_move: Player,
    pub(crate) outcome: Option<Outcome>,
}

/// An event to be written.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A new game.
    Create(Box<GameRow>),
    /// The move that led to `standing`; later ones are forgotten.
    Play { game: String, mv: String, standing: Standing },
    /// Moves were taken back or made again.
    Seek { game: String, standing: Standing },
    /// The game ended without a move.
    End { game: String, clock_ms: [u64; 2], outcome: Outcome },
    /// Someone opened a join link.
    Join { game: String, seat: usize, name: String, token: String },
    /// The game was paused or resumed, or bots told to slow down.
    Pace { game: String, clock_ms: [u64; 2], paused: bool, speed_ms: u64 },
    /// The game was reviewed; an earlier review is replaced.
    Review { game: String, row: ReviewRow },
    /// Games are forgotten with all that belongs to them.
    Delete { games: Vec<String> },
}

type Done = rusqlite::Result<()>;

impl Change {
    /// Writes the event; the caller commits.
    pub(super) fn apply(&self, db: &Connection) -> Done {
        match self {
            Self::Create(row) => create(db, row),
            Self::Play { game, mv, standing } => play(db, game, mv, standing),
            Self::Seek { game, standing } => stand(db, game, standing),
            Self::End { game, clock_ms, outcome } => end(db, game, *clock_ms, *outcome),
            Self::Join { game, seat, name, token } => join(db, game, *seat, name, token),
            Self::Pace { game, clock_ms, paused, speed_ms } => pace(db, game, *clock_ms, *paused, *speed_ms),
            Self::Review { game, row } => review(db, game, row),
            Self::Delete { games } => games.iter().try_for_each(|game| delete(db, game)),
        }
    }
}

fn reason(outcome: Option<Outcome>) -> Option<&'static str> {
    outcome.map(|outcome| outcome.reason.word())
}

fn winner(outcome: Option<Outcome>) -> Option<usize> {
    outcome?.winner.map(Player::index)
}

fn create(db: &Connection, row: &GameRow) -> Done {
    let clock = serde_json::to_string(&row.clock).expect("a clock is JSON");
    db.prepare_cached(
        "INSERT INTO games (id, game, name, start, owner_token, clock, ply, first_points, second_points, to_move, first_ms,
            second_ms, reason, winner, paused, speed_ms, created_ms, updated_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        row.id,
        row.game,
        row.name,
        row.start,
        row.owner_token,
        clock,
        row.ply,
        row.points[0],
        row.points[1],
        row.to_move.index(),
        row.clock_ms[0],
        row.clock_ms[1],
        reason(row.outcome),
        winner(row.outcome),
        row.paused,
        row.speed_ms,
        row.created_ms,
        row.created_ms,
    ])?;
    for (index, seat) in row.seats.iter().enumerate() {
        create_seat(db, &row.id, index, seat)?;
    }
    Ok(())
}

fn create_seat(db: &Connection, game: &str, index: usize, seat: &SeatRow) -> Done {
    db.prepare_cached("INSERT INTO seats (game, seat, kind, name, spec, secret, token) VALUES (?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![game, index, seat.kind.word(), seat.name, seat.spec, seat.secret, seat.token])?;
    Ok(())
}

fn play(db: &Connection, game: &str, mv: &str, standing: &Standing) -> Done {
    let Standing { ply, clock_ms, .. } = *standing;
    // 1. What was taken back cannot be made again after another move.
    let longest: Option<usize> = db
        .prepare_cached("SELECT ply FROM moves WHERE game = ? ORDER BY ply DESC LIMIT 1")?
        .query_row(params![game], |row| row.get(0))
        .optional()?;
    if longest.is_some_and(|longest| longest >= ply) {
        db.prepare_cached("DELETE FROM moves WHERE game = ? AND ply >= ?")?.execute(params![game, ply])?;
    }
    // 2. The move itself.
    db.prepare_cached("INSERT INTO moves (game, ply, text, first_ms, second_ms) VALUES (?, ?, ?, ?, ?)")?
        .execute(params![game, ply, mv, clock_ms[0], clock_ms[1]])?;
    // 3. Where the game stands.
    stand(db, game, standing)
}

fn stand(db: &Connection, game: &str, standing: &Standing) -> Done {
    let Standing { ply, clock_ms, points, to_move, outcome } = *standing;
    let changed = db
        .prepare_cached(
            "UPDATE games SET ply = ?, first_points = ?, second_points = ?, to_move = ?, first_ms = ?, second_ms = ?,
                reason = ?, winner = ?, updated_ms = ? WHERE id = ?",
        )?
        .execute(params![
            ply,
            points[0],
            points[1],
            to_move.index(),
            clock_ms[0],
            clock_ms[1],
            reason(outcome),
            winner(outcome),
            unix_ms(),
            game
        ])?;
    must_exist(changed)
}

fn end(db: &Connection, game: &str, clock_ms: [u64; 2], outcome: Outcome) -> Done {
    let changed = db
        .prepare_cached(
            "UPDATE games SET first_ms = ?, second_ms = ?, reason = ?, winner = ?, updated_ms = ? WHERE id = ?",
        )?
        .execute(params![clock_ms[0], clock_ms[1], reason(Some(outcome)), winner(Some(outcome)), unix_ms(), game])?;
    must_exist(changed)
}

fn join(db: &Connection, game: &str, seat: usize, name: &str, token: &str) -> Done {
    let changed = db
        .prepare_cached("UPDATE seats SET name = ?, token = ? WHERE game = ? AND seat = ? AND token IS NULL")?
        .execute(params![name, token, game, seat])?;
    must_exist(changed)
}

fn pace(db: &Connection, game: &str, clock_ms: [u64; 2], paused: bool, speed_ms: u64) -> Done {
    let changed = db
        .prepare_cached("UPDATE games SET first_ms = ?, second_ms = ?, paused = ?, speed_ms = ? WHERE id = ?")?
        .execute(params![clock_ms[0], clock_ms[1], paused, speed_ms, game])?;
    must_exist(changed)
}

fn review(db: &Connection, game: &str, row: &ReviewRow) -> Done {
    // A game may have been deleted while it was reviewed.
    db.prepare_cached(
        "INSERT OR REPLACE INTO reviews (game, line, method, positions) SELECT id, ?, ?, ? FROM games WHERE id = ?",
    )?
    .execute(params![row.line, row.method, row.positions, game])?;
    Ok(())
}

fn delete(db: &Connection, game: &str) -> Done {
    for table in [
        "DELETE FROM reviews WHERE game = ?",
        "DELETE FROM moves WHERE game = ?",
        "DELETE FROM seats WHERE game = ?",
        "DELETE FROM games WHERE id = ?",
    ] {
        db.prepare_cached(table)?.execute(params![game])?;
    }
    Ok(())
}

/// An event of a game that is not there must not be taken for stored.
fn must_exist(changed: usize) -> Done {
    if changed == 1 { Ok(()) } else { Err(rusqlite::Error::QueryReturnedNoRows) }
}

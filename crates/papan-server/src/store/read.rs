//! Reading games back.

use papan_core::Player;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::rows::{GameRow, MoveRow, Outcome, Reason, ReviewRow, SeatKind, SeatRow, SummaryRow};

type Read<T> = rusqlite::Result<T>;

/// The whole game called `id`, or `None`.
pub(super) fn game(db: &Connection, id: &str) -> Read<Option<GameRow>> {
    let row = db
        .prepare_cached(
            "SELECT id, game, name, start, owner_token, clock, ply, first_points, second_points, to_move, first_ms,
                second_ms, reason, winner, paused, speed_ms, created_ms FROM games WHERE id = ?",
        )?
        .query_row(params![id], |row| {
            let clock: String = row.get("clock")?;
            Ok(GameRow {
                id: row.get("id")?,
                game: row.get("game")?,
                name: row.get("name")?,
                start: row.get("start")?,
                owner_token: row.get("owner_token")?,
                clock: serde_json::from_str(&clock).map_err(|error| unreadable(&error.to_string()))?,
                clock_ms: [row.get("first_ms")?, row.get("second_ms")?],
                ply: row.get("ply")?,
                points: [row.get("first_points")?, row.get("second_points")?],
                to_move: player(row.get("to_move")?),
                outcome: outcome(row)?,
                paused: row.get("paused")?,
                speed_ms: row.get("speed_ms")?,
                created_ms: row.get("created_ms")?,
                seats: seats(db, id)?,
                moves: moves(db, id)?,
            })
        })
        .optional()?;
    Ok(row)
}

fn unreadable(what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, what.into())
}

fn player(index: usize) -> Player {
    Player::BOTH[index & 1]
}

fn outcome(row: &Row<'_>) -> Read<Option<Outcome>> {
    let Some(word) = row.get::<_, Option<String>>("reason")? else { return Ok(None) };
    let reason = Reason::from_word(&word).ok_or_else(|| unreadable("reason"))?;
    let winner = row.get::<_, Option<usize>>("winner")?.map(player);
    Ok(Some(Outcome { winner, reason }))
}

fn seats(db: &Connection, id: &str) -> Read<[SeatRow; 2]> {
    let mut statement =
        db.prepare_cached("SELECT kind, name, spec, secret, token FROM seats WHERE game = ? ORDER BY seat")?;
    let seats = statement
        .query_map(params![id], |row| {
            Ok(SeatRow {
                kind: seat_kind(row)?,
                name: row.get("name")?,
                spec: row.get::<_, Option<String>>("spec")?.map(|spec| papan_roster::current_spec(&spec)),
                secret: row.get("secret")?,
                token: row.get("token")?,
            })
        })?
        .collect::<Read<Vec<_>>>()?;
    seats.try_into().map_err(|_| unreadable("seats"))
}

fn seat_kind(row: &Row<'_>) -> Read<SeatKind> {
    SeatKind::from_word(&row.get::<_, String>("kind")?).ok_or_else(|| unreadable("kind"))
}

fn moves(db: &Connection, id: &str) -> Read<Vec<MoveRow>> {
    db.prepare_cached("SELECT text, first_ms, second_ms FROM moves WHERE game = ? ORDER BY ply")?
        .query_map(params![id], |row| Ok(MoveRow { text: row.get(0)?, clock_ms: [row.get(1)?, row.get(2)?] }))?
        .collect()
}

/// The review of the game called `id`, if it has one.
pub(super) fn review(db: &Connection, id: &str) -> Read<Option<ReviewRow>> {
    db.prepare_cached("SELECT line, method, positions FROM reviews WHERE game = ?")?
        .query_row(params![id], |row| Ok(ReviewRow { line: row.get(0)?, method: row.get(1)?, positions: row.get(2)? }))
        .optional()
}

/// Which part of the library is wanted, newest first.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Only games older than this one.
    pub(crate) before: Option<i64>,
    pub(crate) limit: usize,
    /// Only games of this name.
    pub(crate) name: Option<String>,
}

/// One page of the library, newest first, and where the next begins.
pub(super) fn library(db: &Connection, page: &Page) -> Read<(Vec<SummaryRow>, Option<i64>)> {
    let filter = if page.name.is_some() { "name = ?3 AND" } else { "?3 IS NULL AND" };
    let sql = format!(
        "SELECT seq, id, game, ply, first_points, second_points, to_move, reason, winner, created_ms, updated_ms
         FROM games WHERE {filter} seq < ?1 ORDER BY seq DESC LIMIT ?2"
    );
    let before = page.before.unwrap_or(i64::MAX);
    let mut statement = db.prepare_cached(&sql)?;
    // One more than wanted says whether there is a next page. A game that
    // cannot be read, in a damaged file, must not hide the others.
    let mut found = statement
        .query_map(params![before, page.limit + 1, page.name], |row| Ok((row.get("seq")?, summary(db, row).ok())))?
        .collect::<Read<Vec<(i64, _)>>>()?;
    let more = found.len() > page.limit;
    found.truncate(page.limit);
    let next = found.last().filter(|_| more).map(|&(seq, _)| seq);
    Ok((found.into_iter().filter_map(|(_, row)| row).collect(), next))
}

fn summary(db: &Connection, row: &Row<'_>) -> Read<SummaryRow> {
    let id: String = row.get("id")?;
    Ok(SummaryRow {
        seq: row.get("seq")?,
        game: row.get("game")?,
        seats: seats(db, &id)?,
        id,
        ply: row.get("ply")?,
        points: [row.get("first_points")?, row.get("second_points")?],
        to_move: player(row.get("to_move")?),
        outcome: outcome(row)?,
        created_ms: row.get("created_ms")?,
        updated_ms: row.get("updated_ms")?,
    })
}

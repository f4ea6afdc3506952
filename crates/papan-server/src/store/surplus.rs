//! Which games go when there are too many.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::unix_ms;

/// How much is kept.
#[derive(Clone, Debug)]
pub struct Keep {
    /// Games at most.
    pub games: usize,
    /// Bytes of games at most.
    pub bytes: u64,
}

impl Default for Keep {
    fn default() -> Self {
        Self { games: 100_000, bytes: 4 << 30 }
    }
}

impl Keep {
    /// So many new games are made between two looks.
    pub(crate) fn step(&self) -> usize {
        (self.games / 100).max(1)
    }
}

/// An unfinished game is left alone for so long: thirty days.
const LEFT_ALONE_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// The games that are too many. The newer half of all, and those in `open`, are
/// never among them.
pub(super) fn surplus(db: &Connection, keep: &Keep, open: &HashSet<String>) -> rusqlite::Result<Vec<String>> {
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, usize>(0));
    let pragma = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
    let count = number("SELECT count(*) FROM games")?;
    let bytes = (pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?;
    let too_many = count.saturating_sub(keep.games);
    let too_large = if bytes > keep.bytes { count / 100 + 1 } else { 0 };
    if too_many.max(too_large) == 0 {
        return Ok(Vec::new());
    }
    let last_old = "SELECT seq FROM games ORDER BY seq DESC LIMIT 1 OFFSET ?";
    let newer_half = count.min(keep.games).div_ceil(2);
    let last_old = db.query_row(last_old, params![newer_half], |row| row.get::<_, i64>(0)).optional()?;
    oldest(db, last_old.unwrap_or(0), too_many.max(too_large), open)
}

/// Those in which nobody has moved go first, then those that nobody came back
/// to, then those that are over, and only then the rest; the oldest first.
fn oldest(db: &Connection, last: i64, wanted: usize, open: &HashSet<String>) -> rusqlite::Result<Vec<String>> {
    let long_ago = unix_ms().saturating_sub(LEFT_ALONE_MS);
    let order = [
        "ply = 0".to_owned(),
        format!("ply > 0 AND reason IS NULL AND updated_ms < {long_ago}"),
        "ply > 0 AND reason IS NOT NULL".to_owned(),
        format!("ply > 0 AND reason IS NULL AND updated_ms >= {long_ago}"),
    ];
    let mut chosen = Vec::new();
    for which in order {
        let missing = wanted - chosen.len();
        let mut query = db.prepare(&format!("SELECT id FROM games WHERE seq <= ? AND {which} ORDER BY seq"))?;
        let ids = query.query_map(params![last], |row| row.get::<_, String>(0))?;
        for id in ids.filter(|id| !matches!(id, Ok(id) if open.contains(id))).take(missing) {
            chosen.push(id?);
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::super::schema::migrate;
    use super::*;

    fn games(rows: &[(&str, usize, Option<&str>, u64)]) -> Connection {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db).unwrap();
        for (id, ply, reason, updated) in rows {
            let sql = "INSERT INTO games (id, game, name, start, owner_token, clock, ply, first_points, second_points,
                to_move, first_ms, second_ms, reason, speed_ms, created_ms, updated_ms)
                VALUES (?, '', '', '', '', '', ?, 0, 0, 0, 0, 0, ?, 0, 0, ?)";
            db.execute(sql, params![id, ply, reason, updated]).unwrap();
        }
        db
    }

    #[test]
    fn unplayed_games_go_first_then_forgotten_ones_then_those_that_are_over() {
        let now = unix_ms();
        let db = games(&[
            ("over", 9, Some("finished"), 1),
            ("playing", 3, None, now),
            ("forgotten", 3, None, 1),
            ("unplayed", 0, None, now),
            ("resigned at once", 0, Some("resigned"), now),
            ("open", 0, None, 1),
            ("new 1", 0, None, now),
            ("new 2", 0, None, now),
            ("new 3", 0, None, now),
            ("new 4", 0, None, now),
        ]);
        let open = HashSet::from(["open".to_owned()]);
        let gone = |games| surplus(&db, &Keep { games, ..Keep::default() }, &open).unwrap();
        assert!(gone(10).is_empty());
        assert_eq!(gone(9), ["unplayed"]);
        assert_eq!(gone(5), ["unplayed", "resigned at once", "new 1", "forgotten", "over"]);
        assert_eq!(gone(1).len(), 8, "all but the newest and the open one");
    }

    #[test]
    fn a_file_that_is_too_large_loses_some() {
        let db = games(&[("a", 0, None, 1), ("b", 0, None, 1), ("c", 0, None, 1)]);
        let keep = Keep { games: 100, bytes: 1 };
        assert_eq!(surplus(&db, &keep, &HashSet::new()).unwrap(), ["a"]);
    }
}

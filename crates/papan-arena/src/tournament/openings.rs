//! What the games of a tournament start from.

use std::collections::HashSet;

use papan_core::error::quoted;
use papan_core::table::Table;

use super::file::OpeningPlan;
use super::setup::opening_random;
use crate::matches::Opening;
use crate::openings::random_opening;

/// Candidates for each balanced opening.
const CANDIDATES: usize = 12;

/// Draws for a random opening that has not been drawn yet.
const DRAWS: usize = 50;

/// Says how good a position is for the player to move.
pub type Judge<'a> = &'a dyn Fn(&dyn Table) -> i32;

/// `count` openings after `plan` from `table`'s position. Random ones are all
/// different if the game has so many.
pub fn choose_openings(
    plan: &OpeningPlan,
    table: &dyn Table,
    count: usize,
    seed: u64,
    judge: Judge<'_>,
) -> Result<Vec<Vec<String>>, String> {
    match plan {
        OpeningPlan::Start => Ok(vec![Vec::new()]),
        OpeningPlan::Listed(list) => list.iter().enumerate().map(|(index, line)| listed(table, index, line)).collect(),
        OpeningPlan::Random { plies } => Ok(drawn(table, *plies, count, seed)),
        OpeningPlan::Balanced { plies } => {
            let mut candidates: Vec<_> = drawn(table, *plies, CANDIDATES * count, seed)
                .into_iter()
                .map(|moves| (judge(&*Opening::new(table, &moves).table).unsigned_abs(), moves))
                .collect();
            // A stable sort: equals stay in the order in which they were drawn.
            candidates.sort_by_key(|&(value, _)| value);
            Ok(candidates.into_iter().take(count).map(|(_, moves)| moves).collect())
        }
    }
}

/// Reads `f5 d6 c3`.
fn listed(table: &dyn Table, index: usize, line: &str) -> Result<Vec<String>, String> {
    let moves: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let opening = Opening::read(table, &moves)
        .map_err(|error| format!("opening {} of the list, {}: {error}", index + 1, quoted(line)))?;
    if opening.table.is_over() {
        return Err(format!("opening {} of the list, {}: the game is over after it", index + 1, quoted(line)));
    }
    Ok(opening.moves)
}

fn drawn(table: &dyn Table, plies: usize, count: usize, seed: u64) -> Vec<Vec<String>> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for number in 0..count {
        let mut random = opening_random(seed, number);
        let mut moves = random_opening(table, plies, &mut random);
        for _ in 0..DRAWS {
            if !seen.contains(&moves) {
                break;
            }
            moves = random_opening(table, plies, &mut random);
        }
        seen.insert(moves.clone());
        openings.push(moves);
    }
    openings
}

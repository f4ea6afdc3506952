//! How long a look at a position is, counted in positions.

use papan_core::Spec;
use papan_core::table::Table;

/// For games that are not listed here: a number that no listed game has.
const USUAL: u64 = 20_000;

/// How many positions the best adviser of a game may visit in a short look at
/// the position on `table`: some tenths of a second on a modest machine, but
/// counted, so that the answer depends on nothing else. A node of one engine
/// costs a thousand times as much as one of another, and more on a large board.
#[must_use]
pub fn look_nodes(table: &dyn Table) -> u64 {
    let free = table.legal_moves().len().max(1) as u64;
    match Spec::split(&table.spec()).name {
        "othello" => 500_000,
        "adjacency" => 100_000,
        // What can be solved is searched much faster than what cannot.
        "tic-tac-toe" if free <= 36 => 50_000,
        "tic-tac-toe" => 5_000,
        // Chains are counted at each node, in every part of the board.
        "dots-and-boxes" => (430_000_000 / free.pow(3)).clamp(100, 50_000),
        _ => USUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_listed_and_larger_boards_get_fewer() {
        for game in crate::games() {
            let table = crate::table(game.name, None).unwrap();
            assert_ne!(look_nodes(&*table), USUAL, "{}", game.name);
        }
        let dots = |size: u32| {
            let table = crate::table(&format!("dots-and-boxes:rows={size},cols={size}"), None).unwrap();
            look_nodes(&*table)
        };
        assert!(dots(3) > dots(5) && dots(5) > dots(10) && dots(10) >= 100);
    }
}

//! Openings, so that deterministic bots do not repeat one game.

use papan_core::Random;
use papan_core::table::Table;

/// What the pairs of a match start from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Each pair has a random opening of so many plies.
    Random(usize),
    /// The first pair starts from the start position, the others from random
    /// openings of so many plies.
    StartThenRandom(usize),
    /// Each pair has the next of these lines of moves, from the first again after the last.
    Listed(Vec<Vec<String>>),
}

impl Openings {
    /// The opening of pair number `pair` from `table`'s position.
    #[must_use]
    pub fn of_pair(&self, pair: usize, table: &dyn Table, random: &mut Random) -> Vec<String> {
        match self {
            Self::StartThenRandom(_) if pair == 0 => Vec::new(),
            Self::Random(plies) | Self::StartThenRandom(plies) => random_opening(table, *plies, random),
            Self::Listed(lines) => lines.get(pair % lines.len().max(1)).cloned().unwrap_or_default(),
        }
    }
}

/// The moves of a random opening of `plies` plies from `table`'s position. A
/// line that would end the game before its last ply is drawn again; if the
/// game is too short for any such line, the opening is shorter.
#[must_use]
pub fn random_opening(table: &dyn Table, plies: usize, random: &mut Random) -> Vec<String> {
    const TRIES: usize = 20;
    for tries in 0..TRIES {
        let mut fork = table.fork();
        let mut moves = Vec::new();
        while moves.len() < plies && !fork.is_over() {
            let legal = fork.legal_moves();
            let mv = legal[random.below(legal.len())].clone();
            fork.play(&mv).expect("a listed move is legal");
            moves.push(mv);
        }
        if !fork.is_over() {
            return moves;
        }
        if tries + 1 == TRIES {
            moves.truncate(moves.len().saturating_sub(2));
            return moves;
        }
    }
    Vec::new()
}

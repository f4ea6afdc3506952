//! Random positions, and the truth about them.

use std::time::Duration;

use papan_core::solver::SolveLimits;
use papan_core::table::Table;
use papan_core::{Random, StopToken};
use papan_roster::advice::Analysis;
use papan_roster::{GameVisitor, Rostered, with_game};

/// What a solver proves of a position.
pub(crate) struct Truth {
    /// The margin at the end of the game, for the player to move.
    pub(crate) value: i32,
    /// Every best move.
    pub(crate) best: Vec<String>,
}

/// The truth about a position if it can be had in the time.
pub(crate) fn truth(table: &dyn Table, time: Duration) -> Option<Truth> {
    struct Solve<'a>(&'a str, Duration);
    impl GameVisitor for Solve<'_> {
        type Output = Option<Truth>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            let position = game.read_position(self.0).ok()?;
            let limits = SolveLimits {
                threads: 1,
                table_mb: Some(16),
                one_best: false,
                time: Some(self.1),
                stop: StopToken::new(),
            };
            let found = game.solver()?.solve(&position, &limits, &mut |_| ());
            let value = found.value().filter(|_| found.best_complete)?;
            Some(Truth { value: value.0, best: found.best.iter().map(|&mv| game.write_move(mv)).collect() })
        }
    }
    with_game(&table.spec(), Some(&table.position()), Solve(&table.position(), time)).ok().flatten()
}

/// The game after `plies` random moves, or nothing if it is over by then.
pub(crate) fn random_table(spec: &str, plies: usize, random: &mut Random) -> Option<Box<dyn Table>> {
    let mut table = papan_roster::table(spec, None).unwrap();
    for _ in 0..plies {
        let moves = table.legal_moves();
        if moves.is_empty() {
            return None;
        }
        table.play(&moves[random.below(moves.len())]).unwrap();
    }
    (!table.is_over()).then_some(table)
}

/// No move that is called best loses value, and a value that is called exact is right.
pub(crate) fn check_against(analysis: &Analysis, truth: &Truth) {
    let place = || format!("{} {}: {:?}, {:?}", analysis.game, analysis.position, analysis.best, analysis.moves);
    assert!(!analysis.best.is_empty(), "{}", place());
    for mv in &analysis.best {
        assert!(truth.best.contains(mv), "{mv} loses value, best are {:?}: {}", truth.best, place());
    }
    if analysis.readable.exact {
        let value = analysis.readable.final_margin.or(analysis.readable.value);
        assert_eq!(value, Some(truth.value), "{}", place());
    }
    if analysis.best_complete {
        assert_eq!(analysis.best.len(), truth.best.len(), "{}", place());
    }
}

//! One move of a position, solved on another machine.

use papan_core::solver::SolveLimits;
use papan_core::table::read_legal_move;
use papan_core::{Position as _, StopToken};
use papan_nats::{Answer, Desk, Trouble};
use papan_roster::{GameVisitor, Rostered, with_game};

/// Solves the position after `mv`. The value is for the player to move there.
pub(crate) fn solve_move(
    game: &str,
    position: &str,
    mv: &str,
    table_mb: Option<usize>,
    desk: &Desk<'_>,
) -> Result<Answer, Trouble> {
    let visitor = SolveMove { position, mv, table_mb, desk };
    with_game(game, Some(position), visitor).map_err(|error| Trouble::Failed(error.to_string()))?
}

struct SolveMove<'a> {
    position: &'a str,
    mv: &'a str,
    table_mb: Option<usize>,
    desk: &'a Desk<'a>,
}

impl GameVisitor for SolveMove<'_> {
    type Output = Result<Answer, Trouble>;

    fn visit<G: Rostered>(self, game: G) -> Self::Output {
        let failed = |error: &dyn std::fmt::Display| Trouble::Failed(error.to_string());
        let root = game.read_position(self.position).map_err(|error| failed(&error))?;
        let mv = read_legal_move(&game, &root, self.mv).map_err(|error| failed(&error))?;
        let position = root.after(mv);
        if position.is_over() {
            let value = position.margin().for_player(position.to_move()).0;
            return Ok(Answer::Solved { value, pv: Vec::new(), nodes: 1 });
        }
        let mut solver = game.solver().ok_or_else(|| Trouble::Failed("the game has no exact solver".to_owned()))?;
        let limits =
            SolveLimits { threads: 1, table_mb: self.table_mb, one_best: true, time: None, stop: StopToken::new() };
        let solution = solver.solve(&position, &limits, &mut |_| self.desk.pulse.beat());
        let value = solution.value().ok_or_else(|| Trouble::Failed("the solver found no value".to_owned()))?;
        let pv = solution.pv.iter().map(|&mv| game.write_move(mv)).collect();
        Ok(Answer::Solved { value: value.0, pv, nodes: solution.nodes })
    }
}

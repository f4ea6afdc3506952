//! Any bytes as a saved solve: what is taken is saved again as it was.
//! Run: cargo xtask fuzz saved_solves

#![no_main]

use libfuzzer_sys::fuzz_target;
use papan_fuzz::{check_line, choice};
use papan_roster::{GameVisitor, Rostered, with_game};

const GAMES: [&str; 3] = ["tic-tac-toe", "tic-tac-toe:rows=4,cols=4,k=4", "dots-and-boxes:rows=2,cols=2"];

struct Resume<'a>(&'a [u8]);

impl GameVisitor for Resume<'_> {
    type Output = ();

    fn visit<G: Rostered>(self, game: G) {
        let mut solver = game.solver().expect("the game has a solver");
        let mut rest = self.0;
        if let Err(error) = solver.resume(&mut rest) {
            return check_line(&error.to_string());
        }
        let mut saved = Vec::new();
        solver.save(&mut saved).expect("a vector takes all");
        assert_eq!(saved, self.0[..self.0.len() - rest.len()]);
    }
}

fuzz_target!(|data: &[u8]| {
    let (game, bytes) = choice(data);
    with_game(GAMES[game % GAMES.len()], None, Resume(bytes)).expect("the game is known");
});

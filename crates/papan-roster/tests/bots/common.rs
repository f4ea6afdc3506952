//! Games, bots and positions for the tests of bots on games.

use papan_bots::GeneralBot;
use papan_core::error::Subject;
use papan_core::{
    AnyBot, AtEnd, Evaluation, Game, MoveSet as _, Player, Position, Random, Score, Settings, Spec, Text, mix, seen_by,
};
use papan_roster::Rostered;

/// The game with the options of `spec`.
pub(crate) fn game<G: Game>(spec: &str) -> G {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &G::info().options).expect(spec);
    G::from_settings(&settings).expect(spec)
}

/// The bot of type `B` with the options of `spec`.
pub(crate) fn bot<G: Game, B: GeneralBot<G>>(game: &G, spec: &str) -> B {
    let settings = Settings::read(Subject::Bot, &Spec::split(spec), &B::info().options).expect(spec);
    B::from_settings(game, &settings)
}

/// The bot that `spec` names on the roster.
pub(crate) fn any_bot<G: Rostered>(game: &G, spec: &str) -> Box<dyn AnyBot<G::Position>> {
    papan_roster::build_bot(game, spec).expect(spec)
}

/// A position after `plies` random moves, or fewer if the game ends; never one
/// where the game is over.
pub(crate) fn random_position<G: Game>(game: &G, plies: usize, random: &mut Random) -> G::Position {
    let mut position = game.start();
    for _ in 0..plies {
        let mv = position.legal_moves().pick(random.bits()).expect("the game is not over");
        let next = position.after(mv);
        if next.is_over() {
            break;
        }
        position = next;
    }
    position
}

/// A value in −7..=7 from the position's key: no structure at all, many ties,
/// different at every ply, and the same from both chairs but for the sign.
pub(crate) fn hash_estimate<P: Position>(position: &P, chair: Player, ply: u32) -> Score {
    let value = (mix(position.key() ^ u64::from(ply)) % 15) as i32 - 7;
    seen_by(Score(value), Player::First, chair)
}

/// The hash-random evaluation.
pub(crate) fn hash_evaluation<P: Position>(at_end: AtEnd) -> Evaluation<P> {
    Evaluation { name: "hash", about: Text::new("", ""), at_end, estimate: hash_estimate }
}

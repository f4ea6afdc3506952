//! Every game, a line each.

use papan_core::error::{ParseError, Subject, quoted};
use papan_core::{Bits256, Game, GameInfo, Settings, Spec};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

use crate::Rostered;

/// What to do with a game once its type is known.
pub trait GameVisitor {
    /// What comes out.
    type Output;
    /// Does it.
    fn visit<G: Rostered>(self, game: G) -> Self::Output;
}

macro_rules! roster_of_games {
    ($($(#[$when:meta])? $game:ty),+ $(,)?) => {
        /// Every game, in the order in which people meet them.
        #[must_use]
        pub fn games() -> Vec<GameInfo> {
            let mut games: Vec<GameInfo> = vec![$($(#[$when])? <$game>::info()),+];
            games.dedup_by_key(|info| info.name);
            games
        }

        /// Finds the game that `spec` names, with its options, and hands it to
        /// `visitor`. A position's text may settle options that nobody typed.
        pub fn with_game<V: GameVisitor>(
            spec: &str,
            position: Option<&str>,
            visitor: V,
        ) -> Result<V::Output, ParseError> {
            let spec = Spec::split(spec);
            $($(#[$when])? {
                let info = <$game>::info();
                if info.name.eq_ignore_ascii_case(spec.name) {
                    let mut settings = Settings::read(Subject::Game, &spec, &info.options)?;
                    if let Some(text) = position {
                        <$game>::suit_settings_to(&mut settings, text);
                    }
                    if <$game>::fits(&settings) {
                        return Ok(visitor.visit(<$game>::from_settings(&settings)?));
                    }
                }
            })+
            Err(unknown_game(spec.name))
        }
    };
}

roster_of_games![
    TicTacToe<u64>,
    TicTacToe<Bits256>,
    Adjacency,
    DotsAndBoxes<u64>,
    DotsAndBoxes<Bits256>,
    Othello,
    #[cfg(feature = "fifth-game")]
    papan_games::snort::Snort,
];

fn unknown_game(name: &str) -> ParseError {
    let names: Vec<_> = games().iter().map(|info| info.name).collect();
    ParseError::new(Subject::Game, format!("{} is not a game; there are {}", quoted(name), names.join(", ")))
}

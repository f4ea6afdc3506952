//! The one place that lists every game and every bot: names and options to
//! values.

pub mod advice;
mod bots;
mod checked;
mod effort;
mod engines;
mod games;
mod memory;
mod positions;
mod presets;
mod renamed;
mod words;

use papan_core::table::{GameTable, SeatedBot, Table, TableBot};
use papan_core::{BotInfo, Insight, ParseError};

pub use bots::{ForeignRecord, Rostered, bot_entries, build_bot};
pub use checked::{CheckedBot, canonical_bot, check_bot};
pub use effort::look_nodes;
pub use games::{GameVisitor, games, with_game};
pub use positions::read_position;
pub use renamed::{current_spec, renamed};
pub use words::option_words;

/// A table for the game that `spec` names, at `position` or at the start. A
/// position's text may settle the size of the board if `spec` does not; see
/// [`read_position`] for the spellings it may have.
pub fn table(spec: &str, position: Option<&str>) -> Result<Box<dyn Table>, ParseError> {
    struct Lay<'a>(Option<&'a str>);
    impl GameVisitor for Lay<'_> {
        type Output = Result<Box<dyn Table>, ParseError>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            let start = self.0.map_or_else(|| Ok(game.start()), |text| read_position(&game, text))?;
            Ok(Box::new(GameTable::new(game, start)))
        }
    }
    with_game(spec, position, Lay(position))?
}

/// The game that `text` records in a notation of other programs, such as GGF for Othello; nothing if it is no such
/// record, or not of the game that `spec` names.
#[must_use]
pub fn foreign_record(spec: &str, text: &str) -> Option<Result<ForeignRecord, ParseError>> {
    struct Read<'a>(&'a str);
    impl GameVisitor for Read<'_> {
        type Output = Option<Result<ForeignRecord, ParseError>>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            game.foreign_record(self.0)
        }
    }
    with_game(spec, None, Read(text)).ok()?
}

/// What else there is to see in a position of the game that `spec` names.
pub fn insights(spec: &str, position: &str) -> Result<Vec<Insight>, ParseError> {
    struct See<'a>(&'a str);
    impl GameVisitor for See<'_> {
        type Output = Result<Vec<Insight>, ParseError>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            Ok(game.insights(&read_position(&game, self.0)?))
        }
    }
    with_game(spec, Some(position), See(position))?
}

/// The bots that can play the game that `spec` names.
pub fn bots(spec: &str) -> Result<Vec<BotInfo>, ParseError> {
    struct List;
    impl GameVisitor for List {
        type Output = Vec<BotInfo>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            bot_entries(&game).into_iter().map(|entry| entry.info).collect()
        }
    }
    with_game(spec, None, List)
}

/// The bot that `bot` names, for tables of the game that `game` names.
pub fn bot(game: &str, bot: &str) -> Result<Box<dyn TableBot>, ParseError> {
    struct Seat<'a>(&'a str);
    impl GameVisitor for Seat<'_> {
        type Output = Result<Box<dyn TableBot>, ParseError>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            Ok(Box::new(SeatedBot::<G>::new(build_bot(&game, self.0)?)))
        }
    }
    with_game(game, None, Seat(bot))?
}

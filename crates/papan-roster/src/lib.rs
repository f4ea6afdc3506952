//! The one place that lists every game and every bot: names and options to
//! values.

pub mod advice;
mod bots;
mod engines;
mod games;
mod presets;
mod words;

use papan_core::table::{GameTable, SeatedBot, Table, TableBot, read_legal_move};
use papan_core::{BotInfo, Insight, ParseError, Position as _};

pub use bots::{Rostered, bot_entries, build_bot};
pub use games::{GameVisitor, games, with_game};
pub use words::option_words;

/// Reads a position: in the game's own spelling, as a record of another program such as GGF for Othello, or as a list
/// of moves from the start.
pub fn read_position<G: Rostered>(game: &G, text: &str) -> Result<G::Position, ParseError> {
    if let Some(own) = game.foreign_position(text) {
        return game.read_position(&own?);
    }
    game.read_position(text).or_else(|error| played(game, text).unwrap_or(Err(error)))
}

/// The position after a list of moves; nothing if the text does not begin with a move.
fn played<G: Rostered>(game: &G, text: &str) -> Option<Result<G::Position, ParseError>> {
    let mut words = text.split_whitespace().peekable();
    game.read_move(words.peek()?).ok()?;
    Some(words.try_fold(game.start(), |position, word| Ok(position.after(read_legal_move(game, &position, word)?))))
}

/// A table for the game that `spec` names, at `position` or at the start: see [`read_position`]. A position's text may
/// settle the size of the board if `spec` does not.
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

/// What else there is to see in a position of the game that `spec` names.
pub fn insights(spec: &str, position: &str) -> Result<Vec<Insight>, ParseError> {
    struct See<'a>(&'a str);
    impl GameVisitor for See<'_> {
        type Output = Result<Vec<Insight>, ParseError>;
        fn visit<G: Rostered>(self, game: G) -> Self::Output {
            Ok(game.insights(&game.read_position(self.0)?))
        }
    }
    with_game(spec, Some(position), See(position))?
}

/// The bots that can play the game that `spec` names.
pub fn bots(spec: &str) -> Result<Vec<BotInfo>, ParseError> {
    struct List;
    impl GameVisitor for List {
        type Output = Vec<BotInfo>;
        fn visit<G: Rostered>(self, _game: G) -> Self::Output {
            bot_entries::<G>().into_iter().map(|entry| entry.info).collect()
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

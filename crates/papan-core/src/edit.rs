//! Setting up a position by hand, one change at a time. Places are the shapes
//! of a [`Scene`], so an editor needs to know no game.

use serde::{Deserialize, Serialize};

use crate::error::{ParseError, Subject, quoted};
use crate::scene::{Scene, Shape};
use crate::table::Table;
use crate::{Bits, Player};

/// What can be at a place of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// Nothing: an empty cell, a line not drawn, an open box.
    Empty,
    /// Something of the first player's.
    First,
    /// Something of the second player's.
    Second,
    /// Something that is nobody's, such as a line.
    Drawn,
}

impl Content {
    /// The order in which an editor goes through them; after the last comes
    /// the first again.
    pub const CYCLE: [Self; 4] = [Self::Empty, Self::First, Self::Second, Self::Drawn];

    /// Whose it is.
    #[must_use]
    pub const fn owner(self) -> Option<Player> {
        match self {
            Self::First => Some(Player::First),
            Self::Second => Some(Player::Second),
            Self::Empty | Self::Drawn => None,
        }
    }

    const fn of(player: Player) -> Self {
        match player {
            Player::First => Self::First,
            Player::Second => Self::Second,
        }
    }

    /// What `scene` shows at the place of shape `id`, `None` if there is no
    /// such shape. Shapes over the same area, such as a cell and the mark on
    /// it, are one place.
    #[must_use]
    pub fn shown(scene: &Scene, id: &str) -> Option<Self> {
        let place = scene.shapes.iter().find(|shape| shape.id == id)?;
        let area = |shape: &Shape| [shape.x, shape.y, shape.w, shape.h];
        let here = || scene.shapes.iter().filter(|shape| shape.present && area(shape) == area(place));
        let owned = here().find_map(|shape| shape.owner).map(Self::of);
        let drawn = || here().any(|shape| !shape.is_ground()).then_some(Self::Drawn);
        Some(owned.or_else(drawn).unwrap_or(Self::Empty))
    }
}

/// One change of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit<'a> {
    /// Puts `content` at the place of the shape with this id.
    Put {
        /// The id of a [`Shape`] of the position's scene.
        place: &'a str,
        /// What is to be there.
        content: Content,
    },
    /// Gives this player the move.
    Turn(Player),
}

/// The table after the place's content has gone on to the next one that is
/// possible there, as clicks of an editor do. The error says why nothing else
/// can be there.
pub fn cycled(table: &dyn Table, place: &str) -> Result<Box<dyn Table>, ParseError> {
    let now = Content::shown(&table.scene(), place).ok_or_else(|| no_such_place(place))?;
    let at = Content::CYCLE.iter().position(|&content| content == now).unwrap_or_default();
    let others = (1..Content::CYCLE.len()).map(|step| Content::CYCLE[(at + step) % Content::CYCLE.len()]);
    let mut first_error = None;
    for content in others {
        match table.edited(Edit::Put { place, content }) {
            Ok(edited) => return Ok(edited),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.expect("there are other contents"))
}

/// The table with nothing at any place where nothing can be.
#[must_use]
pub fn cleared(table: &dyn Table) -> Box<dyn Table> {
    let empty = |table: Box<dyn Table>, shape: &Shape| {
        table.edited(Edit::Put { place: &shape.id, content: Content::Empty }).unwrap_or(table)
    };
    table.scene().shapes.iter().fold(table.fork(), empty)
}

/// The sets of First and Second with `content` at `index`: what games whose
/// cells are empty or somebody's need for [`crate::Game::edited`].
pub fn put<B: Bits>(sets: [B; 2], index: usize, content: Content) -> Result<[B; 2], ParseError> {
    if content == Content::Drawn {
        return Err(ParseError::new(Subject::Position, "a cell is empty or belongs to a player"));
    }
    let mut sets = sets.map(|set| set & !B::bit(index));
    if let Some(owner) = content.owner() {
        sets[owner.index()] = sets[owner.index()] | B::bit(index);
    }
    Ok(sets)
}

/// What follows `prefix` in the id of a place: `d3` of `cell-d3`.
pub fn name_of<'a>(place: &'a str, prefix: &str) -> Result<&'a str, ParseError> {
    place.strip_prefix(prefix).ok_or_else(|| no_such_place(place))
}

/// There is nothing to be changed at `place`.
#[must_use]
pub fn no_such_place(place: &str) -> ParseError {
    ParseError::new(Subject::Position, format!("nothing can be put at {}", quoted(place)))
}

/// Positions of `game` cannot be set up by hand.
pub(crate) fn not_by_hand(game: &str) -> ParseError {
    ParseError::new(Subject::Position, format!("positions of {game} cannot be set up by hand"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_one_thing_at_a_time() {
        let [first, second] = put([0b01u64, 0b10], 1, Content::First).unwrap();
        assert_eq!((first, second), (0b11, 0b00));
        assert_eq!(put([first, second], 0, Content::Empty), Ok([0b10, 0b00]));
        assert_eq!(put([first, second], 0, Content::Second), Ok([0b10, 0b01]));
        let error = put([first, second], 0, Content::Drawn).unwrap_err();
        assert_eq!(error.to_string(), "position: a cell is empty or belongs to a player");
    }

    #[test]
    fn a_place_that_is_not_there_is_named() {
        assert_eq!(name_of("cell-d3", "cell-"), Ok("d3"));
        assert_eq!(name_of("disc-d3", "cell-").unwrap_err().to_string(), "position: nothing can be put at 'disc-d3'");
    }
}

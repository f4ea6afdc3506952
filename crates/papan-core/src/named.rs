//! From a name with options to a game whose type is known.

use crate::error::{ParseError, Subject, quoted};
use crate::{Game, Settings, Spec};

/// Reads the name and options of a game of type `G`: what stands behind the
/// `parse` of every game.
pub fn read_game<G: Game>(text: &str) -> Result<G, ParseError> {
    let spec = Spec::split(text);
    let info = G::info();
    if !info.name.eq_ignore_ascii_case(spec.name) {
        let message = format!("{} is not a game; there are {}", quoted(spec.name), info.name);
        return Err(ParseError::new(Subject::Game, message));
    }
    let settings = Settings::read(Subject::Game, &spec, &info.options)?;
    if !G::fits(&settings) {
        return Err(ParseError::new(Subject::Game, "the board is too large for this type of it"));
    }
    G::from_settings(&settings)
}

//! What else there is to see in a position, beyond values: chains, threats, who is in control.

use serde::Serialize;

use crate::{Player, Text};

/// Something worth pointing at. It names shapes of the position's [`crate::scene::Scene`] and moves, so that
/// it can be drawn by those who know no game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Insight {
    /// What kind of thing it is, such as `chain`: things of one kind are drawn alike.
    pub kind: &'static str,
    /// What it is, for people.
    pub label: Text,
    /// Whom it favours, if anyone.
    pub player: Option<Player>,
    /// The ids of the shapes it consists of.
    pub shapes: Vec<String>,
    /// The moves it is about.
    pub moves: Vec<String>,
}

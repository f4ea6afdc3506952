//! What `analyse` and `solve` print: a position with a value on every move.

use papan_core::table::{Table, readable_value};
use papan_core::{Exactness, Insight, Language, Player, Score};
use serde::Serialize;

use crate::output;

/// What `--json` prints. Values are for the player to move: margins at the end
/// of the game where exact, the bot's own unit where not.
#[derive(Serialize)]
pub(crate) struct Analysis {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) to_move: Option<Player>,
    pub(crate) value: Option<i32>,
    /// The whole margin, where values are of the points still to come.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub(crate) final_margin: Option<i32>,
    pub(crate) exact: bool,
    pub(crate) best: Vec<String>,
    pub(crate) best_complete: bool,
    pub(crate) moves: Vec<MoveLine>,
    pub(crate) nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) leaves: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cuts: Option<u64>,
    pub(crate) seconds: f64,
    pub(crate) depth: u32,
    pub(crate) pv: Vec<String>,
    pub(crate) bot: String,
    /// What else there is to see, such as chains and threats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) insights: Vec<Insight>,
}

#[derive(Serialize)]
pub(crate) struct MoveLine {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// `None` where the bot says nothing of this move.
    pub(crate) value: Option<i32>,
    pub(crate) exact: bool,
    /// `at_most` or `at_least` where the value is only a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<&'static str>,
}

impl MoveLine {
    /// A move with what is known of its value.
    pub(crate) fn new(table: &dyn Table, mv: String, score: Score, exactness: Exactness) -> Self {
        Self {
            mv,
            value: Some(readable_value(table, score, exactness)),
            exact: exactness == Exactness::Exact,
            bound: match exactness {
                Exactness::AtMost => Some("at_most"),
                Exactness::AtLeast => Some("at_least"),
                Exactness::Exact | Exactness::Estimate => None,
            },
        }
    }
}

/// A game that is over has a value and no moves.
pub(crate) fn finished(table: &dyn Table, bot: String) -> Analysis {
    let margin = table.margin().for_player(table.to_move()).0;
    let to_come = table.values_to_come();
    Analysis {
        game: table.spec(),
        position: table.position(),
        to_move: None,
        value: Some(if to_come { 0 } else { margin }),
        final_margin: to_come.then_some(margin),
        exact: true,
        best: Vec::new(),
        best_complete: true,
        moves: Vec::new(),
        nodes: 1,
        leaves: None,
        cuts: None,
        seconds: 0.0,
        depth: 0,
        pv: Vec::new(),
        bot,
        insights: Vec::new(),
    }
}

pub(crate) fn words(analysis: &Analysis) -> String {
    let mut text = format!("{}\n{}\n", analysis.game, analysis.position);
    for line in &analysis.moves {
        let sign = match line.bound {
            Some("at_most") => "≤ ",
            Some(_) => "≥ ",
            None => "",
        };
        let value = line.value.map_or_else(|| "?".to_owned(), |value| format!("{sign}{value:+}"));
        let trust = match line.value {
            Some(_) if line.exact => "  exact".to_owned(),
            Some(_) => format!("  depth {}", analysis.depth),
            None => String::new(),
        };
        text += &format!("  {:<8} {value:>10}{trust}\n", line.mv);
    }
    if let (Some(value), Some(_)) = (analysis.value, analysis.to_move) {
        text += &format!("best {} {value:+}: {}\n", analysis.best.join(" "), analysis.pv.join(" "));
    }
    for insight in &analysis.insights {
        text += &format!("{}: {}\n", insight.label.get(Language::En), insight.moves.join(" "));
    }
    let mut counts = format!("{} nodes", output::grouped(analysis.nodes));
    if let (Some(leaves), Some(cuts)) = (analysis.leaves, analysis.cuts) {
        counts += &format!(", {} leaves, {} cuts", output::grouped(leaves), output::grouped(cuts));
    }
    text += &format!("{}: depth {}, {counts}, {:.2} s\n", analysis.bot, analysis.depth, analysis.seconds);
    text
}

//! What is said of a position: its value, what is known of each move, and which moves are best.
//!
//! This is the one place that decides what is called best. The command line's `analyse`, the server's analyses and
//! hints, the page and the terminal's hint all show what is found here.
//!
//! - The move that the bot chose is best, and is named first.
//! - Another move is named beside it only if it is proven to be as good: both values are exact and equal, or a
//!   symmetry of the position turns one into the other.
//! - Equal estimates are no tie: they are the bot's word for each of them.

use std::cmp::Reverse;

use papan_core::table::{Choice, ChoiceValue, Table, Thought, readable_margin};
use papan_core::{Budget, Exactness, Insight, Player, Score, Spec};
use serde::Serialize;

/// Which way a value is only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value is no more than this.
    AtMost,
    /// The value is no less than this.
    AtLeast,
}

impl Bound {
    fn of(exactness: Exactness) -> Option<Self> {
        match exactness {
            Exactness::AtMost => Some(Self::AtMost),
            Exactness::AtLeast => Some(Self::AtLeast),
            Exactness::Exact | Exactness::Estimate => None,
        }
    }
}

/// A value as people read it, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Readable {
    /// The margin at the end of the game, or of the points still to come where the game counts so; an estimate of a
    /// bot that is no engine is in that bot's own unit. None where nothing is known.
    pub value: Option<i32>,
    /// The margin at the end of the game, where `value` is of the points still to come.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_margin: Option<i32>,
    /// Is it proven?
    pub exact: bool,
    /// Which way the value is only a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// Does it stand for a line that ends the game, beyond any estimate beside it?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub decided: bool,
}

impl Readable {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { value: None, final_margin: None, exact: false, bound: None, decided: false };

    /// A score of the bot that `bot` names.
    #[must_use]
    pub fn new(table: &dyn Table, bot: &str, score: Score, exactness: Exactness) -> Self {
        Self::in_unit(table, exactness == Exactness::Estimate && !estimates_margins(bot), score, exactness)
    }

    /// A score in the bot's own unit or, else, in points. A bound beside estimates is in their unit.
    fn in_unit(table: &dyn Table, own_unit: bool, score: Score, exactness: Exactness) -> Self {
        let decided = score.decided_margin();
        let in_own_unit = own_unit && decided.is_none();
        let margin = decided.unwrap_or(score);
        Self {
            value: Some(if in_own_unit { score.0 } else { readable_margin(table, margin) }),
            final_margin: (table.values_to_come() && !in_own_unit).then_some(margin.0),
            exact: exactness == Exactness::Exact,
            bound: Bound::of(exactness),
            decided: decided.is_some(),
        }
    }
}

/// Are the estimates of this bot margins, as exact values are? The engines' are; every other bot's are in the unit of
/// its evaluation.
fn estimates_margins(bot: &str) -> bool {
    Spec::split(bot).name.eq_ignore_ascii_case("engine")
}

/// A move with what is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveLine {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the player to move.
    #[serde(flatten)]
    pub readable: Readable,
}

/// A position with what is known of its moves: what `analyse --json` prints and the server's analysis ends with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    /// The game's name with its options.
    pub game: String,
    /// The position.
    pub position: String,
    /// Whose turn it is, or would be if the game went on.
    pub to_move: Player,
    /// What the position is worth to the player to move.
    #[serde(flatten)]
    pub readable: Readable,
    /// The bot's own move, then every other that is proven to be as good.
    pub best: Vec<String>,
    /// Could no other move be as good?
    pub best_complete: bool,
    /// Every legal move, best first; those of which nothing is known last.
    pub moves: Vec<MoveLine>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions at which the search ended, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<u64>,
    /// Cuts, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts: Option<u64>,
    /// How long it took.
    pub seconds: f64,
    /// Plies of look-ahead that were finished.
    pub depth: u32,
    /// The expected line.
    pub pv: Vec<String>,
    /// Who says all this.
    pub bot: String,
    /// What else there is to see, such as chains and threats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub insights: Vec<Insight>,
}

impl Analysis {
    /// A position of which nothing is known yet; where the game is over, its outcome.
    #[must_use]
    pub fn blank(table: &dyn Table, bot: &str) -> Self {
        let over = table.is_over();
        let margin = table.margin().for_player(table.to_move());
        let outcome = || Readable::new(table, bot, margin, Exactness::Exact);
        Self {
            game: table.spec(),
            position: table.position(),
            to_move: table.to_move(),
            readable: if over { outcome() } else { Readable::UNKNOWN },
            best: Vec::new(),
            best_complete: over,
            moves: Vec::new(),
            nodes: 0,
            leaves: None,
            cuts: None,
            seconds: 0.0,
            depth: 0,
            pv: Vec::new(),
            bot: bot.to_owned(),
            insights: Vec::new(),
        }
    }

    /// What `choice` of the bot that `bot` names says of the position on `table`.
    #[must_use]
    pub fn of_choice(table: &dyn Table, bot: &str, choice: &Choice) -> Self {
        let known = Known::new(table, choice);
        let best = known.best(choice);
        let own_unit = choice.exactness == Exactness::Estimate && !estimates_margins(bot);
        let read = |line: &ChoiceValue| Readable::in_unit(table, own_unit, line.value, line.exactness);
        let mut moves: Vec<MoveLine> =
            known.lines.iter().map(|line| MoveLine { mv: line.mv.clone(), readable: read(line) }).collect();
        let mut unknown = table.legal_moves();
        unknown.retain(|mv| known.of(mv).is_none());
        unknown.sort_by_key(|mv| best.iter().position(|best| best == mv).unwrap_or(usize::MAX));
        moves.extend(unknown.into_iter().map(|mv| MoveLine { mv, readable: Readable::UNKNOWN }));
        let readable = if choice.is_valued() {
            Readable::new(table, bot, choice.score, choice.exactness)
        } else {
            Readable::UNKNOWN
        };
        Self {
            readable,
            best_complete: known.is_settled(choice, &best, moves.len()),
            best,
            moves,
            nodes: choice.nodes,
            depth: choice.depth,
            pv: choice.pv.clone(),
            insights: crate::insights(&table.spec(), &table.position()).unwrap_or_default(),
            ..Self::blank(table, bot)
        }
    }
}

/// What is known of the moves of one position, best first.
struct Known {
    lines: Vec<ChoiceValue>,
    /// The chosen move and those that a symmetry turns it into.
    twins_of_choice: Vec<String>,
}

impl Known {
    fn new(table: &dyn Table, choice: &Choice) -> Self {
        let mut lines: Vec<ChoiceValue> = choice.per_move.iter().filter(|line| fits(choice, line)).cloned().collect();
        if choice.is_valued() {
            let own = ChoiceValue { mv: choice.mv.clone(), value: choice.score, exactness: choice.exactness };
            lines.retain(|line| line.mv != choice.mv);
            lines.insert(0, own);
        }
        let twins = table.twins();
        let mut known = Self { lines: Vec::new(), twins_of_choice: vec![choice.mv.clone()] };
        for group in twins {
            known.add_twins(&lines, &group);
            if group.contains(&choice.mv) {
                known.twins_of_choice.extend(group.into_iter().filter(|mv| *mv != choice.mv));
            }
        }
        let place =
            |line: &ChoiceValue| known.twins_of_choice.iter().position(|mv| *mv == line.mv).unwrap_or(usize::MAX);
        // A bound that is no better than a value comes after it.
        known.lines.sort_by_cached_key(|line| (Reverse(line.value), Bound::of(line.exactness).is_some(), place(line)));
        if let Some(own) = known.lines.iter().position(|line| line.mv == choice.mv) {
            known.lines[..=own].rotate_right(1);
        }
        known
    }

    /// What is known of one of these moves is known of all of them. Of what differs the first counts, and a value
    /// counts more than a bound.
    fn add_twins(&mut self, lines: &[ChoiceValue], group: &[String]) {
        let of_group = |line: &&ChoiceValue| group.contains(&line.mv);
        let is_value = |line: &&ChoiceValue| Bound::of(line.exactness).is_none();
        let value = lines.iter().filter(of_group).find(is_value);
        let Some(line) = value.or_else(|| lines.iter().filter(of_group).min_by_key(|line| line.value)) else { return };
        self.lines.extend(group.iter().map(|mv| ChoiceValue { mv: mv.clone(), ..line.clone() }));
    }

    fn of(&self, mv: &str) -> Option<&ChoiceValue> {
        self.lines.iter().find(|line| line.mv == mv)
    }

    /// **The one rule for what is best.**
    fn best(&self, choice: &Choice) -> Vec<String> {
        let mut best = self.twins_of_choice.clone();
        if choice.exactness == Exactness::Exact {
            let as_good = |line: &&ChoiceValue| line.exactness == Exactness::Exact && line.value == choice.score;
            for line in self.lines.iter().filter(as_good) {
                if !best.contains(&line.mv) {
                    best.push(line.mv.clone());
                }
            }
        }
        best
    }

    /// Is every legal move either best or proven to be worse?
    fn is_settled(&self, choice: &Choice, best: &[String], legal: usize) -> bool {
        let worse = |line: &&ChoiceValue| {
            matches!(line.exactness, Exactness::Exact | Exactness::AtMost) && line.value < choice.score
        };
        let proven =
            choice.exactness == Exactness::Exact && self.lines.iter().filter(worse).count() + best.len() == legal;
        proven || best.len() == legal
    }
}

/// Is this value of the same kind as the answer's own? See [`papan_core::Decision`].
fn fits(choice: &Choice, line: &ChoiceValue) -> bool {
    match choice.exactness {
        Exactness::Estimate => line.exactness != Exactness::Exact,
        _ => line.exactness != Exactness::Estimate,
    }
}

/// The best move so far of the bot that `bot` names, as people read it.
#[must_use]
pub fn so_far(table: &dyn Table, bot: &str, thought: &Thought) -> Readable {
    Readable::new(table, bot, thought.score, Exactness::Estimate)
}

/// The bot that advises where nobody says who, the strongest there is: the game's engine, else a plain search.
#[must_use]
pub fn adviser(game: &str) -> String {
    let has_engine = crate::bots(game).is_ok_and(|bots| bots.iter().any(|bot| bot.name == "engine"));
    if has_engine { "engine".to_owned() } else { "alpha-beta:order=evaluation,table=64".to_owned() }
}

/// Asks the bot that `bot` names for its advice on the position on `table`, which must not be over.
pub fn analyse(table: &dyn Table, bot: &str, budget: &Budget) -> Result<Analysis, papan_core::ParseError> {
    let choice = crate::bot(&table.spec(), bot)?.choose(table, &Budget { every_move: true, ..budget.clone() });
    Ok(Analysis::of_choice(table, bot, &choice))
}

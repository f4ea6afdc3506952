//! Bots: what they are asked, what they answer, how they describe themselves.

use serde::Serialize;

use crate::observer::{BestSoFar, Observer, Silent, Watching};
use crate::{Budget, Game, OptionSpec, Position, Score, Settings, Text};

/// How far a value can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Exactness {
    /// The outcome under best play.
    Exact,
    /// At least the given value.
    AtLeast,
    /// At most the given value.
    AtMost,
    /// An estimate.
    Estimate,
}

/// A move with its value for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue<M> {
    /// The move.
    pub mv: M,
    /// Its value for the player who makes it.
    pub score: Score,
    /// How far to trust it.
    pub exactness: Exactness,
}

/// A bot's answer.
///
/// All scores of one answer, `per_move` included, are for the player to move
/// at the root and in one unit, which `exactness` tells:
/// - `Exact`: margins at the end of the game under best play;
/// - `AtLeast`, `AtMost`: bounds on that margin;
/// - `Estimate`: the bot's own unit, mostly that of its evaluation. A line that
///   ends the game counts there as [`Score::decided`], beyond any estimate.
///
/// The values of one answer can be ranked together, because they are of one
/// kind. What `per_move` promises:
/// - Where `exactness` is `Exact` or a bound, every entry is an exact margin or
///   a bound on it, and none is an estimate.
/// - Where it is `Estimate`, every entry comes from the same search and the
///   same finished depth as `score`: an estimate, or a bound on what that
///   search would say.
/// - A move of which nothing of that kind is known is left out. Nobody may put
///   a value of another search in its place.
///
/// A bot that chose without looking ahead says nothing of values: depth 0, an
/// estimate, no `per_move` ([`Decision::unsearched`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision<M> {
    /// The move to play.
    pub mv: M,
    /// Its value for the player to move.
    pub score: Score,
    /// How far to trust the value.
    pub exactness: Exactness,
    /// Plies of look-ahead behind the score.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The expected line, this move first.
    pub pv: Vec<M>,
    /// What is known of the moves' values, best first.
    pub per_move: Vec<MoveValue<M>>,
}

impl<M: Copy> Decision<M> {
    /// A move chosen without looking ahead: its score means nothing.
    #[must_use]
    pub fn unsearched(mv: M) -> Self {
        Self {
            mv,
            score: Score(0),
            exactness: Exactness::Estimate,
            depth: 0,
            nodes: 0,
            pv: vec![mv],
            per_move: Vec::new(),
        }
    }
}

/// A player program for positions of type `P`.
///
/// It always answers with a legal move, obeys every limit of the budget, and
/// gives its best so far when one runs out. It must not be asked once the game
/// is over.
pub trait Bot<P: Position>: Send {
    /// Chooses a move and reports each step of the search to `observer`.
    fn choose_observed<O: Observer<P>>(&mut self, position: &P, budget: &Budget, observer: &mut O)
    -> Decision<P::Move>;

    /// Chooses a move.
    fn choose(&mut self, position: &P, budget: &Budget) -> Decision<P::Move> {
        self.choose_observed(position, budget, &mut Silent)
    }

    /// A new game begins: what was learnt in an earlier one is forgotten, and
    /// everything random is drawn from the bot's own seed and `number` from
    /// now on, so that games differ from each other and can be repeated.
    fn new_game(&mut self, _number: u64) {}

    /// The position that this bot's look-ahead has in mind after a move: the
    /// next one by the rules, except for a bot that takes them to be others.
    #[must_use]
    fn foreseen(position: &P, mv: P::Move) -> P
    where
        Self: Sized,
    {
        position.after(mv)
    }
}

/// The object-safe face of [`Bot`]: every bot has it.
pub trait AnyBot<P: Position>: Send {
    /// As [`Bot::choose`], compiled without any observer.
    fn choose(&mut self, position: &P, budget: &Budget) -> Decision<P::Move>;
    /// As [`Bot::choose_observed`].
    fn choose_observed(&mut self, position: &P, budget: &Budget, observer: &mut dyn Observer<P>) -> Decision<P::Move>;
    /// As [`Bot::choose`], telling `watch` of each better move.
    fn choose_watched(
        &mut self,
        position: &P,
        budget: &Budget,
        watch: &mut dyn FnMut(&BestSoFar<P::Move>),
    ) -> Decision<P::Move>;
    /// As [`Bot::new_game`].
    fn new_game(&mut self, number: u64);
    /// [`Bot::foreseen`].
    fn foresight(&self) -> fn(&P, P::Move) -> P;
}

impl<P: Position, B: Bot<P>> AnyBot<P> for B {
    fn choose(&mut self, position: &P, budget: &Budget) -> Decision<P::Move> {
        Bot::choose(self, position, budget)
    }

    fn choose_observed(
        &mut self,
        position: &P,
        budget: &Budget,
        mut observer: &mut dyn Observer<P>,
    ) -> Decision<P::Move> {
        Bot::choose_observed(self, position, budget, &mut observer)
    }

    fn choose_watched(
        &mut self,
        position: &P,
        budget: &Budget,
        watch: &mut dyn FnMut(&BestSoFar<P::Move>),
    ) -> Decision<P::Move> {
        Bot::choose_observed(self, position, budget, &mut Watching(watch))
    }

    fn new_game(&mut self, number: u64) {
        Bot::new_game(self, number);
    }

    fn foresight(&self) -> fn(&P, P::Move) -> P {
        B::foreseen
    }
}

/// How a bot describes itself: page, help and API are made from this.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BotInfo {
    /// The name before the colon.
    pub name: &'static str,
    /// The name for people.
    pub title: Text,
    /// What it does, in one sentence.
    pub about: Text,
    /// Its options.
    pub options: Vec<OptionSpec>,
    /// Does it search one tree of minimax values, reporting every position to
    /// its observer, so that the tree can be drawn?
    pub searches_tree: bool,
}

/// A line of the roster: how a bot describes itself, and how it is made.
pub struct BotEntry<G: Game> {
    /// The description.
    pub info: BotInfo,
    /// Makes the bot for a game with checked settings.
    pub build: fn(game: &G, settings: &Settings) -> Box<dyn AnyBot<G::Position>>,
}

//! The table: a game in progress behind an object-safe face, written once
//! over all games. Page, server, arena and command line sit at tables.

use std::any::Any;

use serde::Serialize;

use crate::edit::Edit;
use crate::error::Subject;
use crate::observer::{Recorder, Tally};
use crate::scene::{PlayerLook, Scene};
use crate::{
    AnyBot, Budget, Decision, Exactness, Game, GameInfo, Margin, Move, MoveOf, MoveSet, MoveValue, ParseError, Player,
    Position, Score, Text,
};

/// A game in progress. Moves go in and out as text or by number.
pub trait Table: Send + Sync {
    /// The game's canonical name with options.
    fn spec(&self) -> String;
    /// The game's description.
    fn info(&self) -> GameInfo;
    /// The names and looks of the players.
    fn players(&self) -> [PlayerLook; 2];
    /// The current position, in canonical spelling.
    fn position(&self) -> String;
    /// The position that this table started from.
    fn start_position(&self) -> String;
    /// How many moves have been made.
    fn ply(&self) -> usize;
    /// Whose turn it is.
    fn to_move(&self) -> Player;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// First's points minus Second's.
    fn margin(&self) -> Margin;
    /// The points of both.
    fn points(&self) -> [i32; 2];
    /// The legal moves in natural order.
    fn legal_moves(&self) -> Vec<String>;
    /// The legal moves, those together that a symmetry of this very position
    /// turns into each other: they lead to the same, so their values are equal.
    fn twins(&self) -> Vec<Vec<String>>;
    /// The name of the move with this number ([`crate::Move::index`]), legal
    /// here or not.
    fn move_name(&self, index: usize) -> String;
    /// The moves made so far.
    fn moves(&self) -> Vec<String>;
    /// The last move made.
    fn last_move(&self) -> Option<String>;
    /// The number of the last move made.
    fn last_index(&self) -> Option<usize>;
    /// Makes a move given as text; says why if it cannot be made.
    fn play(&mut self, mv: &str) -> Result<(), ParseError>;
    /// Makes the move with this number ([`crate::Move::index`]); false, and no
    /// change, if it is not legal.
    fn play_index(&mut self, index: usize) -> bool;
    /// Takes the last move back; false at the start.
    fn undo(&mut self) -> bool;
    /// Makes a taken-back move again; false if there is none.
    fn redo(&mut self) -> bool;
    /// The position as shapes.
    fn scene(&self) -> Scene;
    /// What else a player wants to see, such as the rounds left.
    fn status(&self) -> Vec<(Text, String)>;
    /// As [`Game::VALUES_TO_COME`].
    fn values_to_come(&self) -> bool;
    /// As [`Game::margin_bound`].
    fn margin_bound(&self) -> i32;
    /// A fresh table at the current position with one thing changed by hand;
    /// see [`Game::edited`].
    fn edited(&self, edit: Edit<'_>) -> Result<Box<dyn Table>, ParseError>;
    /// Another table in the same state.
    fn fork(&self) -> Box<dyn Table>;
    /// The table itself, for [`TableBot`]s to find their position in.
    fn as_any(&self) -> &dyn Any;
}

/// A [`Table`] for one game.
#[derive(Clone, Debug)]
pub struct GameTable<G: Game> {
    game: G,
    start: G::Position,
    /// Every position with the move that led to it, the taken-back ones after
    /// `ply` included.
    history: Vec<(MoveOf<G>, G::Position)>,
    ply: usize,
    /// Where moves lead: by the rules, but for [`TableBot::foresight`].
    next: fn(&G::Position, MoveOf<G>) -> G::Position,
}

impl<G: Game> GameTable<G> {
    /// A table at `start`.
    #[must_use]
    pub fn new(game: G, start: G::Position) -> Self {
        Self { game, start, history: Vec::new(), ply: 0, next: G::Position::after }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The current position itself.
    pub fn current(&self) -> &G::Position {
        match self.ply {
            0 => &self.start,
            ply => &self.history[ply - 1].1,
        }
    }

    fn push(&mut self, mv: MoveOf<G>) {
        let next = (self.next)(self.current(), mv);
        self.history.truncate(self.ply);
        self.history.push((mv, next));
        self.ply += 1;
    }
}

/// Reads a move and checks that it is legal in `position`.
pub fn read_legal_move<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<MoveOf<G>, ParseError> {
    let mv = game.read_move(text)?;
    let legal = position.legal_moves();
    if legal.contains(mv) {
        return Ok(mv);
    }
    let scene = game.scene(position);
    let called = |mv| scene.move_name(&game.write_move(mv)).to_owned();
    let name = called(mv);
    let reason = if legal.is_empty() { "the game is over".to_owned() } else { legal_examples(legal, called) };
    Err(ParseError::new(Subject::Move, format!("{name} is not legal here; {reason}")))
}

fn legal_examples<M: Move, S: MoveSet<M>>(legal: S, called: impl Fn(M) -> String) -> String {
    const SHOWN: usize = 8;
    let names: Vec<_> = legal.into_iter().take(SHOWN).map(called).collect();
    let more = if legal.len() > SHOWN { ", …" } else { "" };
    format!("legal: {}{more}", names.join(", "))
}

impl<G: Game> Table for GameTable<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn info(&self) -> GameInfo {
        G::info()
    }

    fn players(&self) -> [PlayerLook; 2] {
        self.game.players()
    }

    fn position(&self) -> String {
        self.game.write_position(self.current())
    }

    fn start_position(&self) -> String {
        self.game.write_position(&self.start)
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn to_move(&self) -> Player {
        self.current().to_move()
    }

    fn is_over(&self) -> bool {
        self.current().is_over()
    }

    fn margin(&self) -> Margin {
        self.current().margin()
    }

    fn points(&self) -> [i32; 2] {
        self.current().points()
    }

    fn legal_moves(&self) -> Vec<String> {
        self.current().legal_moves().into_iter().map(|mv| self.game.write_move(mv)).collect()
    }

    fn twins(&self) -> Vec<Vec<String>> {
        let position = self.current();
        let keeps = |&symmetry: &usize| self.game.symmetric_position(symmetry, position) == *position;
        let symmetries: Vec<usize> = (1..self.game.symmetries()).filter(keeps).collect();
        let mut groups: Vec<Vec<MoveOf<G>>> = Vec::new();
        for mv in position.legal_moves() {
            let images = || symmetries.iter().map(|&symmetry| self.game.symmetric_move(symmetry, mv));
            match groups.iter_mut().find(|group| images().any(|image| group[0] == image)) {
                Some(group) => group.push(mv),
                None => groups.push(vec![mv]),
            }
        }
        let named = |group: Vec<_>| group.into_iter().map(|mv| self.game.write_move(mv)).collect();
        groups.into_iter().map(named).collect()
    }

    fn move_name(&self, index: usize) -> String {
        self.game.write_move(MoveOf::<G>::from_index(index))
    }

    fn moves(&self) -> Vec<String> {
        self.history[..self.ply].iter().map(|(mv, _)| self.game.write_move(*mv)).collect()
    }

    fn last_move(&self) -> Option<String> {
        let (mv, _) = self.history[..self.ply].last()?;
        Some(self.game.write_move(*mv))
    }

    fn last_index(&self) -> Option<usize> {
        let (mv, _) = self.history[..self.ply].last()?;
        Some(mv.index())
    }

    fn play(&mut self, mv: &str) -> Result<(), ParseError> {
        let mv = read_legal_move(&self.game, self.current(), mv)?;
        self.push(mv);
        Ok(())
    }

    fn play_index(&mut self, index: usize) -> bool {
        let found = self.current().legal_moves().into_iter().find(|mv| mv.index() == index);
        if let Some(mv) = found {
            self.push(mv);
        }
        found.is_some()
    }

    fn undo(&mut self) -> bool {
        let can = self.ply > 0;
        self.ply -= usize::from(can);
        can
    }

    fn redo(&mut self) -> bool {
        let can = self.ply < self.history.len();
        self.ply += usize::from(can);
        can
    }

    fn scene(&self) -> Scene {
        self.game.scene(self.current())
    }

    fn status(&self) -> Vec<(Text, String)> {
        self.game.status(self.current())
    }

    fn values_to_come(&self) -> bool {
        G::VALUES_TO_COME
    }

    fn margin_bound(&self) -> i32 {
        self.game.margin_bound()
    }

    fn edited(&self, edit: Edit<'_>) -> Result<Box<dyn Table>, ParseError> {
        let position = self.game.edited(self.current(), edit)?;
        Ok(Box::new(Self::new(self.game.clone(), position)))
    }

    fn fork(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A margin at the end of the game for the player to move, as people read it:
/// only the points still to come where the game counts so.
#[must_use]
pub fn readable_margin(table: &dyn Table, margin: Score) -> i32 {
    let now = if table.values_to_come() { table.margin().for_player(table.to_move()).0 } else { 0 };
    margin.0 - now
}

/// A value on a move, in words of the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChoiceValue {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the player to move.
    pub value: Score,
    /// How far to trust it.
    pub exactness: Exactness,
}

/// A bot's answer at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The move to play.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move's number.
    pub index: usize,
    /// Its value for the player to move.
    pub score: Score,
    /// How far to trust the value.
    pub exactness: Exactness,
    /// Plies of look-ahead that were finished.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The expected line, this move first.
    pub pv: Vec<String>,
    /// What is known of the moves' values, best first; see [`Decision`].
    pub per_move: Vec<ChoiceValue>,
}

impl Choice {
    /// Does it say what the move is worth? See [`Decision::unsearched`].
    #[must_use]
    pub fn is_valued(&self) -> bool {
        self.depth > 0 || self.exactness != Exactness::Estimate || !self.per_move.is_empty()
    }

    /// A decision in words of `game`.
    fn of<G: Game>(game: &G, decision: Decision<MoveOf<G>>) -> Self {
        let write = |mv| game.write_move(mv);
        let value =
            |value: MoveValue<_>| ChoiceValue { mv: write(value.mv), value: value.score, exactness: value.exactness };
        Self {
            mv: write(decision.mv),
            index: decision.mv.index(),
            score: decision.score,
            exactness: decision.exactness,
            depth: decision.depth,
            nodes: decision.nodes,
            pv: decision.pv.into_iter().map(write).collect(),
            per_move: decision.per_move.into_iter().map(value).collect(),
        }
    }
}

/// The best move so far, in words of the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Thought {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the player to move.
    pub score: Score,
    /// Plies of look-ahead behind it.
    pub depth: u32,
    /// Positions visited so far.
    pub nodes: u64,
}

/// A bot that can sit at a table of its game.
pub trait TableBot: Send {
    /// Chooses a move, telling `watch` of each better one on the way. The game
    /// must not be over.
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn choose_watched(&mut self, table: &dyn Table, budget: &Budget, watch: &mut dyn FnMut(Thought)) -> Choice;

    /// Chooses a move. The game must not be over.
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn choose(&mut self, table: &dyn Table, budget: &Budget) -> Choice {
        self.choose_watched(table, budget, &mut |_| {})
    }

    /// Chooses a move and counts what the search did.
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn choose_tallied(&mut self, table: &dyn Table, budget: &Budget) -> (Choice, Tally);

    /// Chooses a move and keeps what the search did, at most `limit` entries of
    /// each kind.
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn choose_recorded(&mut self, table: &dyn Table, budget: &Budget, limit: usize) -> (Choice, Recorder);

    /// Chooses a move and gives only its number: the short way for matches in
    /// one process, without any text.
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn choose_index(&mut self, table: &dyn Table, budget: &Budget) -> usize;

    /// As [`crate::Bot::new_game`].
    fn new_game(&mut self, number: u64);

    /// A table at the same position on which moves lead where the bot's
    /// look-ahead takes them to lead: see [`crate::Bot::foreseen`].
    ///
    /// # Panics
    /// If the table is of another game than the bot was made for.
    fn foresight(&self, table: &dyn Table) -> Box<dyn Table> {
        table.fork()
    }
}

/// A bot of one game as a [`TableBot`].
pub struct SeatedBot<G: Game> {
    bot: Box<dyn AnyBot<G::Position>>,
}

impl<G: Game> SeatedBot<G> {
    /// Seats a bot.
    #[must_use]
    pub fn new(bot: Box<dyn AnyBot<G::Position>>) -> Self {
        Self { bot }
    }

    fn table_of(table: &dyn Table) -> &GameTable<G> {
        table.as_any().downcast_ref().expect("a bot sits only at tables of its own game")
    }
}

impl<G: Game> TableBot for SeatedBot<G> {
    fn choose_watched(&mut self, table: &dyn Table, budget: &Budget, watch: &mut dyn FnMut(Thought)) -> Choice {
        let table = Self::table_of(table);
        let decision = self.bot.choose_watched(table.current(), budget, &mut |best| {
            let mv = table.game.write_move(best.mv);
            watch(Thought { mv, score: best.score, depth: best.depth, nodes: best.nodes });
        });
        Choice::of(&table.game, decision)
    }

    fn choose_tallied(&mut self, table: &dyn Table, budget: &Budget) -> (Choice, Tally) {
        let table = Self::table_of(table);
        let mut tally = Tally::default();
        let decision = self.bot.choose_observed(table.current(), budget, &mut tally);
        (Choice::of(&table.game, decision), tally)
    }

    fn choose_recorded(&mut self, table: &dyn Table, budget: &Budget, limit: usize) -> (Choice, Recorder) {
        let table = Self::table_of(table);
        let mut recorder = Recorder::new(limit);
        let decision = self.bot.choose_observed(table.current(), budget, &mut recorder);
        (Choice::of(&table.game, decision), recorder)
    }

    fn choose_index(&mut self, table: &dyn Table, budget: &Budget) -> usize {
        self.bot.choose(Self::table_of(table).current(), budget).mv.index()
    }

    fn new_game(&mut self, number: u64) {
        self.bot.new_game(number);
    }

    fn foresight(&self, table: &dyn Table) -> Box<dyn Table> {
        Box::new(GameTable { next: self.bot.foresight(), ..Self::table_of(table).clone() })
    }
}

//! An outside program where a bot is expected: in a game with a person.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use papan_core::observer::{Recorder, Tally};
use papan_core::table::{Choice, Table, TableBot, Thought};
use papan_core::{Budget, Exactness, Random, Score, StopToken};

use crate::player::{Chosen, Player};
use crate::referee::{Limits, Rules, Turn};

/// What went wrong last, for whoever sits at the board; taken when it is read.
#[derive(Clone, Debug, Default)]
pub struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    /// What went wrong since it was last asked.
    #[must_use]
    pub fn take(&self) -> Option<String> {
        self.0.lock().ok()?.take()
    }

    fn put(&self, words: String) {
        if let Ok(mut place) = self.0.lock() {
            *place = Some(words);
        }
    }
}

/// A program as a bot. It runs for as long as the game does. Where it does
/// something wrong a random move is made for it, and [`Trouble`] says what.
pub struct ProgramBot {
    player: Player,
    has_begun: bool,
    random: Random,
    trouble: Trouble,
}

impl ProgramBot {
    /// Seats a player.
    #[must_use]
    pub fn new(player: Player) -> Self {
        Self { player, has_begun: false, random: Random::new(1), trouble: Trouble::default() }
    }

    /// Where it says what went wrong.
    #[must_use]
    pub fn trouble(&self) -> Trouble {
        self.trouble.clone()
    }

    fn ask(&mut self, table: &dyn Table, budget: &Budget) -> Result<(String, usize), String> {
        let limits = Limits { time: budget.time, nodes: budget.nodes, depth: budget.depth };
        let rules = Rules { limits, ..Rules::default() };
        let side = table.to_move();
        if !self.has_begun {
            self.player.seat().begin(table, side, &rules, &StopToken::new());
            self.has_begun = true;
        }
        // A program answers in its own time, or not at all: nobody else's stop
        // may become a random move of its.
        let budget = Budget { stop: StopToken::new(), ..budget.clone() };
        let turn = Turn { side: side.index(), rules: &rules, clocks: None, budget: &budget };
        let chosen = self.player.seat().choose(table, &turn, &mut Instant::now());
        self.player.seat().rest();
        let chosen = chosen.map_err(|misstep| format!("{}: {}", misstep.verdict, misstep.detail))?;
        let mut next = table.fork();
        match chosen {
            Chosen::Text(text) => next.play(&text).map_err(|error| error.to_string())?,
            Chosen::Index(index) if next.play_index(index) => {}
            Chosen::Index(index) => return Err(format!("move number {index} is not legal")),
        }
        next.last_move().zip(next.last_index()).ok_or_else(|| "no move was made".to_owned())
    }

    fn random_move(&mut self, table: &dyn Table) -> (String, usize) {
        let legal = table.legal_moves();
        let mv = legal[self.random.below(legal.len())].clone();
        let mut next = table.fork();
        next.play(&mv).expect("a listed move is legal");
        (mv, next.last_index().expect("a move was made"))
    }
}

impl TableBot for ProgramBot {
    fn choose_watched(&mut self, table: &dyn Table, budget: &Budget, _watch: &mut dyn FnMut(Thought)) -> Choice {
        let (mv, index) = self.ask(table, budget).unwrap_or_else(|what| {
            let (mv, index) = self.random_move(table);
            self.trouble.put(format!("{}: {what}; {mv} was drawn for it", self.player.name()));
            (mv, index)
        });
        Choice {
            pv: vec![mv.clone()],
            mv,
            index,
            score: Score(0),
            exactness: Exactness::Estimate,
            depth: 0,
            nodes: 0,
            per_move: Vec::new(),
        }
    }

    fn choose_tallied(&mut self, table: &dyn Table, budget: &Budget) -> (Choice, Tally) {
        (self.choose(table, budget), Tally::default())
    }

    /// What a program does inside cannot be seen: the record stays empty.
    fn choose_recorded(&mut self, table: &dyn Table, budget: &Budget, limit: usize) -> (Choice, Recorder) {
        (self.choose(table, budget), Recorder::new(limit))
    }

    fn choose_index(&mut self, table: &dyn Table, budget: &Budget) -> usize {
        self.choose(table, budget).index
    }

    fn new_game(&mut self, _number: u64) {
        self.player.seat().end();
        self.has_begun = false;
    }
}

//! A game at the terminal: what the keys do, without any drawing.

use papan_core::scene::Scene;
use papan_core::table::Table;
use papan_core::{Budget, Effects, Player};
use papan_roster::advice::adviser;

use super::cursor;
use super::thinker::Thinker;
use crate::seat::Seat;

/// What a person wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Move(i32, i32),
    Play,
    OtherMove,
    Undo,
    Redo,
    Hint,
    StartTyping,
    Type(char),
    Erase,
    Cancel,
    Again,
    Help,
    Leave,
    Nothing,
}

/// Who is thinking, and for what.
enum Thinking {
    /// The bot on this chair is about to move.
    Move(Player, Thinker),
    /// A bot looks for a hint.
    Hint(Thinker),
}

pub(super) struct Game {
    table: Box<dyn Table>,
    seats: [Seat; 2],
    budget: Budget,
    ascii: bool,
    cursor: Option<String>,
    thinking: Option<Thinking>,
    hint: Option<String>,
    typed: Option<String>,
    message: String,
    help: bool,
    left: bool,
}

impl Game {
    pub(super) fn new(table: Box<dyn Table>, seats: [Seat; 2], budget: Budget, ascii: bool) -> Self {
        let cursor = cursor::start(&table.scene());
        let message = "Arrows and Enter to play, ? for the keys".to_owned();
        Self {
            table,
            seats,
            budget,
            ascii,
            cursor,
            thinking: None,
            hint: None,
            typed: None,
            message,
            help: false,
            left: false,
        }
    }

    pub(super) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(super) fn scene(&self) -> Scene {
        self.table.scene()
    }

    pub(super) fn seat_name(&self, player: Player) -> &str {
        self.seats[player.index()].name()
    }

    pub(super) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    pub(super) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn typed(&self) -> Option<&str> {
        self.typed.as_deref()
    }

    pub(super) fn is_typing(&self) -> bool {
        self.typed.is_some()
    }

    pub(super) fn is_ascii(&self) -> bool {
        self.ascii
    }

    pub(super) fn shows_help(&self) -> bool {
        self.help
    }

    pub(super) fn is_left(&self) -> bool {
        self.left
    }

    /// Whoever thinks, about a move or a hint.
    pub(super) fn thinker(&self) -> Option<&Thinker> {
        let (Thinking::Move(_, thinker) | Thinking::Hint(thinker)) = self.thinking.as_ref()?;
        Some(thinker)
    }

    /// Who thinks: the bot to move or, for a person, the one that advises.
    pub(super) fn thinking_bot(&self) -> String {
        let seat = &self.seats[self.table.to_move().index()];
        if seat.is_human() { adviser(&self.table.spec()) } else { seat.name().to_owned() }
    }

    /// Sends a bot to think when it is its turn, and takes its answer.
    pub(super) fn tick(&mut self) {
        match self.thinking.take() {
            Some(Thinking::Move(player, mut thinker)) => match thinker.poll() {
                Some((choice, bot)) => {
                    self.seats[player.index()].give_back(bot);
                    self.make(&choice.mv);
                    if let Some(trouble) = self.seats[player.index()].trouble() {
                        self.message = trouble;
                    }
                }
                None => self.thinking = Some(Thinking::Move(player, thinker)),
            },
            Some(Thinking::Hint(mut thinker)) => match thinker.poll() {
                Some((choice, _)) => {
                    self.message = format!("Hint: {}", self.table.scene().move_name(&choice.mv));
                    self.cursor = Some(choice.mv.clone());
                    self.hint = Some(choice.mv);
                }
                None => self.thinking = Some(Thinking::Hint(thinker)),
            },
            None => self.let_bot_think(),
        }
    }

    fn let_bot_think(&mut self) {
        let mover = self.table.to_move();
        if self.table.is_over() {
            return;
        }
        if let Some(bot) = self.seats[mover.index()].take_bot() {
            self.thinking = Some(Thinking::Move(mover, Thinker::start(self.table.fork(), bot, &self.budget)));
        }
    }

    pub(super) fn obey(&mut self, command: Command) {
        match command {
            Command::Move(dx, dy) => self.move_cursor(dx, dy),
            Command::Play => self.play(),
            Command::OtherMove => self.play_other(),
            Command::Undo => self.step(|table| table.undo(), "There is nothing to undo"),
            Command::Redo => self.step(|table| table.redo(), "There is nothing to redo"),
            Command::Hint => self.ask_for_hint(),
            Command::StartTyping => self.typed = Some(String::new()),
            Command::Type(c) => self.typed.get_or_insert_default().push(c),
            Command::Erase => {
                self.typed.as_mut().map(String::pop);
            }
            Command::Cancel => self.cancel(),
            Command::Again => self.again(),
            Command::Help => self.help = !self.help,
            Command::Leave => self.left = true,
            Command::Nothing => {}
        }
    }

    fn person_to_move(&self) -> bool {
        !self.table.is_over() && self.seats[self.table.to_move().index()].is_human()
    }

    fn move_cursor(&mut self, dx: i32, dy: i32) {
        let scene = self.table.scene();
        self.cursor = match &self.cursor {
            Some(mv) => cursor::step(&scene, mv, (dx, dy)).or_else(|| cursor::settle(&scene, mv)),
            None => cursor::start(&scene),
        };
    }

    fn play(&mut self) {
        let wanted = self.typed.take().or_else(|| self.cursor.clone());
        if self.person_to_move()
            && let Some(mv) = wanted
        {
            self.make(&mv);
        }
    }

    /// A pass, or whatever else no shape stands for.
    fn play_other(&mut self) {
        let other = self.table.scene().other_moves.first().map(|(mv, _)| mv.clone());
        match other {
            Some(mv) if self.person_to_move() => self.make(&mv),
            _ => self.message = "There is nothing to pass".to_owned(),
        }
    }

    fn make(&mut self, mv: &str) {
        let (mover, before) = (self.table.to_move(), self.table.scene());
        match self.table.play(mv) {
            Ok(()) => {
                let scene = self.table.scene();
                let made = self.table.last_move().unwrap_or_default();
                self.message = format!("{} played {}", scene.players[mover.index()].name.en, scene.move_name(&made));
                if let Some(effects) = Effects::between(&before, &scene).text() {
                    self.message += &format!(", {}", effects.en);
                }
                if !self.table.is_over() && self.table.to_move() == mover {
                    self.message += " and moves again";
                }
                if matches!(self.thinking, Some(Thinking::Hint(_))) {
                    self.thinking = None;
                }
                self.hint = None;
                self.cursor = cursor::settle(&scene, self.cursor.as_deref().unwrap_or(&made));
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Goes one move back or forth, and on until a person is to move again.
    fn step(&mut self, step: fn(&mut dyn Table) -> bool, otherwise: &str) {
        self.call_bot_back();
        self.hint = None;
        let mut moved = step(&mut *self.table);
        if !moved {
            self.message = otherwise.to_owned();
        }
        let someone_plays = self.seats.iter().any(Seat::is_human);
        while moved && someone_plays && !self.table.is_over() && !self.person_to_move() {
            moved = step(&mut *self.table);
        }
        self.cursor = cursor::start(&self.table.scene());
    }

    /// Ends a bot's thinking; the bot is made anew when its turn comes.
    fn call_bot_back(&mut self) {
        if let Some(Thinking::Move(player, thinker)) = self.thinking.take() {
            drop(thinker);
            self.seats[player.index()].renew();
        }
    }

    fn ask_for_hint(&mut self) {
        if !self.person_to_move() || self.thinking.is_some() {
            return;
        }
        let spec = self.table.spec();
        if let Ok(bot) = papan_roster::bot(&spec, &adviser(&spec)) {
            self.message = "Looking for a good move …".to_owned();
            let budget = Budget { every_move: true, ..self.budget.clone() };
            self.thinking = Some(Thinking::Hint(Thinker::start(self.table.fork(), bot, &budget)));
        }
    }

    fn cancel(&mut self) {
        self.help = false;
        self.typed = None;
        if let Some(Thinking::Move(_, thinker) | Thinking::Hint(thinker)) = &self.thinking {
            thinker.hurry();
        }
    }

    /// Once the game is over: another one with the sides swapped.
    fn again(&mut self) {
        if !self.table.is_over() {
            self.message = "The game is still going on".to_owned();
            return;
        }
        while self.table.undo() {}
        self.seats.swap(0, 1);
        self.cursor = cursor::start(&self.table.scene());
        self.message = "A new game with the sides swapped".to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str, second: &str) -> Game {
        let table = papan_roster::table(spec, None).unwrap();
        let seats = Seat::read(spec, ["human", second], Default::default()).unwrap();
        Game::new(table, seats, Budget::nodes(100), true)
    }

    /// Waits until a person is to move or the game is over.
    fn settle(game: &mut Game) {
        loop {
            game.tick();
            if game.thinking.is_none() && (game.table.is_over() || game.person_to_move()) {
                return;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_whole_game_with_the_enter_key_alone() {
        for spec in ["tic-tac-toe", "adjacency:rounds=3", "dots-and-boxes:rows=2,cols=2", "othello:size=4"] {
            let mut game = game(spec, "random");
            while !game.table.is_over() {
                settle(&mut game);
                let pass = game.table.scene().other_moves.is_empty();
                game.obey(if pass { Command::Play } else { Command::OtherMove });
                settle(&mut game);
            }
            game.obey(Command::Again);
            assert_eq!(game.table.ply(), 0, "{spec}");
            assert_eq!(game.seat_name(Player::First), "random", "{spec}: sides are swapped");
        }
    }

    #[test]
    fn undo_takes_the_bots_reply_back_and_redo_makes_both_again() {
        let mut game = game("tic-tac-toe", "random");
        game.obey(Command::Play);
        settle(&mut game);
        assert_eq!(game.table.ply(), 2);
        game.obey(Command::Undo);
        assert_eq!((game.table.ply(), game.person_to_move()), (0, true));
        game.obey(Command::Redo);
        assert_eq!(game.table.ply(), 2);
        game.obey(Command::Undo);
        game.obey(Command::Undo);
        assert!(game.message().contains("nothing to undo"));
    }

    #[test]
    fn typed_moves_are_played_or_refused_in_words() {
        let mut game = game("tic-tac-toe", "human");
        game.obey(Command::StartTyping);
        for c in "c3x".chars() {
            game.obey(Command::Type(c));
        }
        game.obey(Command::Erase);
        game.obey(Command::Play);
        assert_eq!(game.table.moves(), ["c3"]);
        game.obey(Command::StartTyping);
        game.obey(Command::Type('?'));
        game.obey(Command::Play);
        assert!(game.message().starts_with("move: "), "{}", game.message());
    }

    #[test]
    fn a_hint_points_at_a_legal_move() {
        let mut game = game("tic-tac-toe", "human");
        game.obey(Command::Hint);
        while game.hint().is_none() {
            game.tick();
        }
        assert!(game.table.legal_moves().contains(&game.hint().unwrap().to_owned()));
    }

    /// The board part of a position's text.
    fn pieces(game: &Game) -> Vec<char> {
        game.table.position().split(' ').next().unwrap().chars().collect()
    }

    #[test]
    fn the_message_counts_what_changed_on_the_board() {
        let mut turns = 0;
        for spec in ["othello:size=6", "adjacency", "dots-and-boxes"] {
            let mut game = game(spec, "human");
            let mut random = papan_core::Random::new(5);
            while !game.table.is_over() {
                let legal = game.table.legal_moves();
                let mv = legal[random.below(legal.len())].clone();
                let (before, boxes) = (pieces(&game), game.table.points().iter().sum::<i32>());
                game.make(&mv);
                let is_piece = |c: char| matches!(c, 'X' | 'O');
                let changed = |&(a, b): &(char, char)| is_piece(a) && is_piece(b) && a != b;
                let turned = before.into_iter().zip(pieces(&game)).filter(changed).count();
                turns += turned;
                let said = |words: &str| game.message().contains(words);
                assert_eq!(said(&format!(", {turned} turned")), turned > 0, "{spec} {mv}: {}", game.message());
                assert_eq!(said("turned"), turned > 0, "{spec} {mv}: {}", game.message());
                let boxes = game.table.points().iter().sum::<i32>() - boxes;
                let closed = spec.starts_with("dots") && boxes > 0;
                assert_eq!(said("completed"), closed, "{spec} {mv}: {}", game.message());
                assert!(!closed || said(&format!(", {boxes} box")), "{spec} {mv}: {}", game.message());
            }
        }
        assert!(turns > 0);
    }
}

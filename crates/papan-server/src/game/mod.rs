//! A live game without sockets, threads or disk: who may do what, and what
//! it changes. Each operation gives the events that must be stored before
//! anyone hears of it.

mod ending;
mod seats;
mod undo;

use std::time::{Duration, Instant};

use papan_core::table::Table;
use papan_core::{Player, Text};

use crate::announce;
use crate::clock::{Clock, ClockSpec};
use crate::error::ApiError;
use crate::store::{Change, GameRow, MoveRow, Outcome, Reason, SeatKind, SeatRow, Standing};
use crate::{roster, view};

pub(crate) use seats::Role;

/// A move that was made, in memory.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Played {
    pub(crate) mv: String,
    pub(crate) by: Player,
    pub(crate) note: Option<Text>,
    clock_ms: [u64; 2],
}

type Changes = Result<Vec<Change>, ApiError>;

/// A game in progress with its seats and clock.
pub(crate) struct LiveGame {
    id: String,
    owner_token: String,
    table: Box<dyn Table>,
    /// Every move, the taken-back ones after the table's ply included.
    history: Vec<Played>,
    seats: [SeatRow; 2],
    clock: Clock,
    outcome: Option<Outcome>,
    paused: bool,
    speed_ms: u64,
    undo_offer: Option<Player>,
    announcement: Text,
    /// Has any player been here since the game was made or loaded? Until then
    /// no clock runs: nobody is charged for time the server was down.
    attended: bool,
}

impl LiveGame {
    /// The slowest that bots can be told to play against each other.
    pub(crate) const SLOWEST_MS: u64 = 60_000;
    /// How long a bot may think when there is no clock.
    const UNTIMED: Duration = Duration::from_secs(5);

    /// Sets a stored game up again.
    pub(crate) fn restore(row: GameRow) -> Result<Self, ApiError> {
        let table = roster::table(&row.game, Some(&row.start))?;
        let mut game = Self {
            id: row.id,
            owner_token: row.owner_token,
            table,
            history: Vec::new(),
            seats: row.seats,
            clock: Clock::new(row.clock, row.clock_ms),
            outcome: row.outcome,
            paused: row.paused,
            speed_ms: row.speed_ms,
            undo_offer: None,
            announcement: Text::new("", ""),
            attended: false,
        };
        for MoveRow { text, clock_ms } in row.moves {
            game.push(&text, clock_ms)?;
        }
        while game.table.ply() > row.ply && game.table.undo() {}
        game.announcement = match game.outcome {
            Some(outcome) => view::result_text(&game.table.players(), game.table.points(), outcome),
            None => announce::turn_only(&game.table.scene(), game.table.legal_moves().len(), game.you()),
        };
        Ok(game)
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(crate) fn seats(&self) -> &[SeatRow; 2] {
        &self.seats
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    pub(crate) fn speed_ms(&self) -> u64 {
        self.speed_ms
    }

    pub(crate) fn undo_offer(&self) -> Option<Player> {
        self.undo_offer
    }

    pub(crate) fn announcement(&self) -> &Text {
        &self.announcement
    }

    /// The moves that count, without the taken-back ones.
    pub(crate) fn played(&self) -> &[Played] {
        &self.history[..self.table.ply()]
    }

    fn kind(&self, player: Player) -> SeatKind {
        self.seats[player.index()].kind
    }

    fn bots(&self) -> usize {
        self.seats.iter().filter(|seat| seat.kind == SeatKind::Bot).count()
    }

    pub(crate) fn only_bots(&self) -> bool {
        self.bots() == 2
    }

    /// Do two people play who may not sit at one screen?
    pub(crate) fn between_people(&self) -> bool {
        self.bots() == 0 && self.seats.iter().any(|seat| seat.kind == SeatKind::Link)
    }

    fn you(&self) -> announce::You {
        match self.bots() {
            1 => Player::BOTH.into_iter().find(|&player| self.kind(player) != SeatKind::Bot),
            _ => None,
        }
    }

    fn everyone_joined(&self) -> bool {
        self.seats.iter().all(|seat| seat.kind != SeatKind::Link || seat.token.is_some())
    }

    /// The bot whose turn it is, if the game goes on.
    pub(crate) fn bot_to_move(&self) -> Option<(Player, &str)> {
        let mover = self.table.to_move();
        let spec = self.seats[mover.index()].spec.as_deref()?;
        (self.outcome.is_none() && !self.paused && self.everyone_joined()).then_some((mover, spec))
    }

    /// A player is here: clocks may run from now on.
    pub(crate) fn attend(&mut self, role: Role) {
        self.attended |= role.takes_part();
    }

    /// Starts or stops the clock as the state of the game asks for. A bot is
    /// charged only while it thinks, a person always.
    pub(crate) fn wind(&mut self, thinking: Option<Player>, now: Instant) {
        let mover = self.table.to_move();
        let charged = self.kind(mover) != SeatKind::Bot || thinking == Some(mover);
        if charged && self.attended && !self.paused && self.outcome.is_none() && self.everyone_joined() {
            self.clock.start(mover, now);
        } else {
            self.clock.stop(now);
        }
    }

    /// How long the bot to move may think.
    pub(crate) fn thinking_time(&self, now: Instant) -> Duration {
        let Some(left) = self.clock.left(self.table.to_move(), now) else { return Self::UNTIMED };
        // Bots may overshoot a little, and the answer has to be stored.
        let safe = left.saturating_sub(Duration::from_millis(150).min(left / 4));
        match self.clock.spec() {
            ClockSpec::None | ClockSpec::Move { .. } => safe,
            ClockSpec::Game { increment_ms, .. } => {
                let share = left / 25 + Duration::from_millis(increment_ms) * 3 / 4;
                share.min(safe)
            }
        }
    }

    /// A person's move.
    pub(crate) fn play_as(&mut self, role: Role, mv: &str, ply: usize, now: Instant) -> Changes {
        if !role.takes_part() {
            return Err(ApiError::watching_only());
        }
        self.must_go_on()?;
        self.must_be_at(ply)?;
        if !role.holds(self.table.to_move()) {
            return Err(ApiError::not_your_turn());
        }
        let mut changes = self.play(mv, now)?;
        if self.paused {
            self.paused = false;
            changes.push(self.pace_change(now));
        }
        Ok(changes)
    }

    /// A move by whoever's turn it is: the one door for persons and bots.
    pub(crate) fn play(&mut self, mv: &str, now: Instant) -> Changes {
        self.must_go_on()?;
        let before = self.table.scene();
        let by = self.table.to_move();
        self.push(mv, [0, 0])?;
        self.clock.moved(by, now);
        self.undo_offer = None;
        if self.table.is_over() {
            self.outcome = Some(Outcome { winner: self.table.margin().leader(), reason: Reason::Finished });
        }
        let clock_ms = self.clock.left_ms(now);
        let played = self.history.last_mut().expect("a move was just made");
        played.clock_ms = clock_ms;
        let text = played.mv.clone();
        self.announce_move(&before, &text, by);
        Ok(vec![Change::Play { game: self.id.clone(), mv: text, standing: self.standing(clock_ms) }])
    }

    fn standing(&self, clock_ms: [u64; 2]) -> Standing {
        Standing {
            ply: self.table.ply(),
            clock_ms,
            points: self.table.points(),
            to_move: self.table.to_move(),
            outcome: self.outcome,
        }
    }

    fn announce_move(&mut self, before: &papan_core::scene::Scene, mv: &str, by: Player) {
        let after = self.table.scene();
        let said = announce::after_move(before, &after, mv, by, self.table.legal_moves().len(), self.you());
        self.announcement = match self.outcome {
            Some(outcome) => announce::joined(&said, &view::result_text(&after.players, self.table.points(), outcome)),
            None => said,
        };
    }

    /// Makes a move on the table and in the history.
    fn push(&mut self, mv: &str, clock_ms: [u64; 2]) -> Result<(), ApiError> {
        let (by, ply) = (self.table.to_move(), self.table.ply());
        self.table.play(mv)?;
        let mv = self.table.last_move().expect("a move was just made");
        let next = (!self.table.is_over()).then(|| self.table.to_move());
        let note = announce::note(&mv, by, next);
        self.history.truncate(ply);
        self.history.push(Played { mv, by, note, clock_ms });
        Ok(())
    }

    /// Hints would spoil a game between two people.
    pub(crate) fn can_hint(&self) -> bool {
        self.outcome.is_none() && !self.between_people()
    }

    fn must_go_on(&self) -> Result<(), ApiError> {
        if self.outcome.is_some() { Err(ApiError::game_over()) } else { Ok(()) }
    }

    fn must_be_at(&self, ply: usize) -> Result<(), ApiError> {
        let now = self.table.ply();
        if ply == now { Ok(()) } else { Err(ApiError::stale_ply(ply, now)) }
    }
}

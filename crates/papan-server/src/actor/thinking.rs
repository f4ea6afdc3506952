//! The bots of one game: when they think, and what becomes of their moves.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use papan_core::table::Table;
use papan_core::{Budget, Player, StopToken};
use papan_roster::advice;
use tokio::sync::mpsc;

use super::{Actor, Unstored};
use crate::analysis;
use crate::error::ApiError;
use crate::game::Role;
use crate::messages::{Command, ConnectionId, Found, JobId, Seeking, ServerMessage, Thinking};
use crate::pool::{Lane, Search, SeatedBot, Thinker, Visitor};
use crate::roster;
use crate::watch::{OnReport, Report};

/// No bot thinks longer about one move, whatever its clock.
const LONGEST_MOVE: Duration = Duration::from_secs(60);

/// Where one socket listens.
type Out = mpsc::Sender<axum::extract::ws::Utf8Bytes>;

/// A bot at work on a move of the game.
struct Turn {
    job: JobId,
    player: Player,
    ply: usize,
    limit: Duration,
    stop: StopToken,
    /// Has a thread taken it up?
    started: bool,
}

/// A hint being sought for one socket.
struct Hint {
    ply: usize,
    stop: StopToken,
}

/// The searches of one game.
#[derive(Default)]
pub(super) struct Mind {
    next_job: JobId,
    /// The search for the current move; stopped ones stay until they are back.
    turn: Option<Turn>,
    hints: HashMap<ConnectionId, Hint>,
}

impl Mind {
    /// Whose bot thinks now.
    pub(super) fn thinking(&self) -> Option<Player> {
        self.turn.as_ref().filter(|turn| !turn.stop.is_unwanted()).map(|turn| turn.player)
    }

    /// Is a bot away, even if it was told to stop?
    pub(super) fn is_busy(&self) -> bool {
        self.turn.is_some()
    }

    pub(super) fn stop_hint(&mut self, connection: ConnectionId) {
        if let Some(hint) = self.hints.remove(&connection) {
            hint.stop.stop();
        }
    }

    fn stop_turn(&mut self) {
        if let Some(turn) = &self.turn {
            turn.stop.stop();
        }
    }

    pub(super) fn stop_all(&mut self) {
        self.stop_turn();
        for (_, hint) in self.hints.drain() {
            hint.stop.stop();
        }
    }

    /// Stops every hint that is for another ply.
    fn stop_old_hints(&mut self, ply: usize) {
        self.hints.retain(|_, hint| {
            if hint.ply != ply {
                hint.stop.stop();
            }
            hint.ply == ply
        });
    }
}

impl Actor {
    /// Bots think only while someone looks on.
    pub(super) fn may_think(&self) -> bool {
        // A move that cannot be stored is not worth finding.
        let can_move = self.game.bot_to_move().is_some() && !self.services.store.is_read_only();
        !self.sockets.is_empty() && can_move
    }

    /// When the bot to move begins: two bots leave people time to follow.
    /// `None` is at once.
    pub(super) fn thinks_at(&self) -> Option<Instant> {
        let moved_at = self.moved_at.filter(|_| self.game.only_bots())?;
        Some(moved_at + Duration::from_millis(self.game.speed_ms()).max(self.services.shows.pause()))
    }

    /// Brings searches and clock in line with the game: stops what no longer
    /// fits, starts what is due.
    pub(super) fn settle(&mut self, now: Instant) {
        let ply = self.game.table().ply();
        let fits =
            |turn: &Turn| turn.ply == ply && Some(turn.player) == self.game.bot_to_move().map(|(player, _)| player);
        if self.mind.turn.as_ref().is_some_and(|turn| !fits(turn) || !self.may_think()) {
            self.mind.stop_turn();
        }
        self.mind.stop_old_hints(ply);
        let shows = self.game.only_bots() && self.may_think();
        if shows != self.show.is_some() {
            self.show = shows.then(|| self.services.shows.begin());
        }
        if self.sockets.is_empty() || self.game.outcome().is_some() {
            // What a bot remembers may be large; nobody waits for it now.
            self.send_bots_away();
        }
        if self.may_think() && !self.mind.is_busy() && self.thinks_at().is_none_or(|at| at <= now) {
            self.start_turn(now);
        }
        let charged = self.mind.turn.as_ref().filter(|turn| turn.started).and_then(|_| self.mind.thinking());
        self.game.wind(charged, now);
    }

    fn start_turn(&mut self, now: Instant) {
        let (Some((player, spec)), Some(handle)) = (self.game.bot_to_move(), self.handle.upgrade()) else { return };
        let thinker = match self.services.pool.memory().take(&self.seat(player)) {
            Some(bot) => Thinker::Seated(bot),
            None => Thinker::Named(spec.to_owned()),
        };
        let limit = self.game.thinking_time(now).min(LONGEST_MOVE);
        let budget = Budget::time(limit);
        let job = self.mind.next_job;
        self.mind.next_job += 1;
        let ply = self.game.table().ply();
        self.mind.turn = Some(Turn { job, player, ply, limit, stop: budget.stop.clone(), started: false });
        let reports = turn_reports(job, handle.clone());
        let search = turn_search(job, self.game.table().fork(), thinker, budget, handle);
        self.services.pool.submit(Lane::Moves, Visitor::Game(self.game.id().to_owned()), search, reports);
    }

    /// Where the bot of a player waits for its next move.
    fn seat(&self, player: Player) -> (String, usize) {
        (self.game.id().to_owned(), player.index())
    }

    /// Drops what bots remember between two moves.
    pub(super) fn send_bots_away(&self) {
        for player in [Player::First, Player::Second] {
            drop(self.services.pool.memory().take(&self.seat(player)));
        }
    }

    /// The search of `job` if it still matters.
    fn current(&mut self, job: JobId) -> Option<&mut Turn> {
        self.mind.turn.as_mut().filter(|turn| turn.job == job && !turn.stop.is_unwanted())
    }

    pub(super) fn bot_started(&mut self, job: JobId, now: Instant) {
        let Some(turn) = self.current(job) else { return };
        turn.started = true;
        self.settle(now);
        // Its clock runs from now on: everyone is told at once.
        if let Some(thinking) = self.thinking(job, &Report::begun(), now) {
            self.sockets.tell_all(&ServerMessage::Thinking(thinking));
        }
    }

    pub(super) fn bot_reports(&mut self, job: JobId, report: &Report, now: Instant) {
        if let Some(thinking) = self.thinking(job, report, now) {
            self.sockets.tell_those_who_keep_up(&ServerMessage::Thinking(thinking));
        }
    }

    /// How far the bot is, if its search still matters.
    fn thinking(&mut self, job: JobId, report: &Report, now: Instant) -> Option<Thinking> {
        let (_, spec) = self.game.bot_to_move()?;
        let how_far = analysis::how_far(self.game.table(), spec, report);
        let clock = self.game.clock().view(now);
        let turn = self.current(job)?;
        Some(Thinking { seat: turn.player, how_far, limit_ms: turn.limit.as_millis() as u64, clock })
    }

    pub(super) async fn bot_done(
        &mut self,
        job: JobId,
        bot: Option<SeatedBot>,
        found: Found,
        now: Instant,
    ) -> Result<(), Unstored> {
        let Some(turn) = self.mind.turn.take_if(|turn| turn.job == job) else { return Ok(()) };
        if let Some(bot) = bot {
            self.services.pool.memory().seat(self.seat(turn.player), bot);
        }
        if turn.stop.is_unwanted() {
            self.settle(now);
            return Ok(());
        }
        match found {
            Found::Choice(choice) => self.bot_moves(&choice.mv, now).await,
            Found::Stopped => {
                self.settle(now);
                Ok(())
            }
            Found::Failed(error) => self.bot_failed(&error, now).await,
        }
    }

    /// A bot's move goes through the same door as a person's.
    async fn bot_moves(&mut self, mv: &str, now: Instant) -> Result<(), Unstored> {
        let mut changes = self.game.fall_flag(now);
        if changes.is_empty() {
            changes = match self.game.play(mv, now) {
                Ok(changes) => changes,
                Err(error) => {
                    tracing::error!(?error, mv, "a bot chose a move that cannot be made");
                    return self.bot_failed(&ApiError::bot_failed(), now).await;
                }
            };
        }
        self.store(changes).await?;
        self.moved_at = Some(now);
        self.changed(Instant::now());
        Ok(())
    }

    async fn bot_failed(&mut self, error: &ApiError, now: Instant) -> Result<(), Unstored> {
        let changes = self.game.set_paused(true, now);
        self.store(changes).await?;
        self.sockets.tell_all(&ServerMessage::Error(error));
        self.changed(now);
        Ok(())
    }

    pub(super) fn hint_allowed(&self, role: Role) -> Result<(), ApiError> {
        if self.game.outcome().is_some() {
            Err(ApiError::game_over())
        } else if !role.takes_part() {
            Err(ApiError::watching_only())
        } else if !self.game.can_hint() {
            Err(ApiError::not_between_people())
        } else {
            Ok(())
        }
    }

    /// Seeks a hint for one socket; an earlier one of the same socket stops.
    pub(super) fn start_hint(
        &mut self,
        connection: ConnectionId,
        bot: Option<String>,
        time: Duration,
    ) -> Result<(), ApiError> {
        let table = self.game.table().fork();
        let spec = bot.unwrap_or_else(|| advice::adviser(&table.spec()));
        let Some((out, visitor)) = self.sockets.out(connection) else { return Ok(()) };
        roster::check(&table.spec(), &spec)?;
        self.mind.stop_hint(connection);
        let budget = Budget { every_move: true, ..Budget::time(time) };
        self.mind.hints.insert(connection, Hint { ply: table.ply(), stop: budget.stop.clone() });
        let reports = hint_reports(table.fork(), spec.clone(), budget.stop.clone(), out.clone());
        let search = hint_search(table, spec, budget, out);
        self.services.pool.try_submit(Lane::Hints, visitor, search, reports)
    }
}

/// Reports to the game's task. One that finds the mailbox full is not worth
/// waiting for.
fn turn_reports(job: JobId, handle: mpsc::Sender<Command>) -> OnReport {
    Box::new(move |report| {
        let _ = handle.try_send(Command::Report { job, report });
    })
}

fn turn_search(
    job: JobId,
    table: Box<dyn Table>,
    thinker: Thinker,
    budget: Budget,
    handle: mpsc::Sender<Command>,
) -> Search {
    let on_start = handle.clone();
    Search {
        table,
        thinker,
        budget,
        on_start: Box::new(move || {
            let _ = on_start.blocking_send(Command::Started { job });
        }),
        on_done: Box::new(move |bot, found, _| {
            let _ = handle.blocking_send(Command::Done { job, bot, found });
        }),
    }
}

/// Tells one socket how far its hint is, and of each better move. What finds
/// the socket busy is not worth waiting for.
fn hint_reports(table: Box<dyn Table>, bot: String, stop: StopToken, out: Out) -> OnReport {
    let mut told = None;
    Box::new(move |report| {
        // Half of the room is kept free for what must arrive.
        if stop.is_stopped() || out.capacity() * 2 <= out.max_capacity() {
            return;
        }
        let how_far = analysis::how_far(&*table, &bot, &report);
        let _ = out.try_send(ServerMessage::Seeking(Seeking { ply: table.ply(), how_far }).encoded());
        if let Some(best) = report.best.filter(|best| told.as_ref() != Some(best)) {
            let _ = out.try_send(ServerMessage::Hint(analysis::hint_so_far(&*table, &bot, &best)).encoded());
            told = Some(best);
        }
    })
}

fn hint_search(table: Box<dyn Table>, spec: String, budget: Budget, out: Out) -> Search {
    let (copy, same_bot) = (table.fork(), spec.clone());
    Search {
        table,
        thinker: Thinker::Named(spec),
        budget,
        on_start: Box::new(|| {}),
        on_done: Box::new(move |_, found, _| {
            let message = match found {
                Found::Choice(choice) => ServerMessage::Hint(analysis::hint(&*copy, &same_bot, &choice)).encoded(),
                Found::Stopped => return,
                Found::Failed(error) => ServerMessage::Error(&error).encoded(),
            };
            let _ = out.try_send(message);
        }),
    }
}

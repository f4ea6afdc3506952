//! The bots of one game: when they think, and what becomes of their moves.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use papan_core::table::{TableBot, Thought};
use papan_core::{Budget, Player, StopToken};
use papan_roster::advice::{self, Readable};
use tokio::sync::mpsc;

use super::{Actor, Unstored};
use crate::analysis;
use crate::error::ApiError;
use crate::game::Role;
use crate::messages::{Command, ConnectionId, Found, JobId, ServerMessage, Thinking};
use crate::pool::{Search, Thinker};

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
    /// Bots that wait for their next move, with what they remember.
    seated: [Option<Box<dyn TableBot>>; 2],
    hints: HashMap<ConnectionId, Hint>,
}

impl Mind {
    /// Whose bot thinks now.
    pub(super) fn thinking(&self) -> Option<Player> {
        self.turn.as_ref().filter(|turn| !turn.stop.is_stopped()).map(|turn| turn.player)
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
        !self.sockets.is_empty() && self.game.bot_to_move().is_some()
    }

    /// When the bot to move begins: two bots leave people time to follow.
    /// `None` is at once.
    pub(super) fn thinks_at(&self) -> Option<Instant> {
        let moved_at = self.moved_at.filter(|_| self.game.only_bots())?;
        Some(moved_at + Duration::from_millis(self.game.speed_ms()))
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
        if self.sockets.is_empty() || self.game.outcome().is_some() {
            // What a bot remembers may be large; nobody waits for it now.
            self.mind.seated = [None, None];
        }
        if self.may_think() && !self.mind.is_busy() && self.thinks_at().is_none_or(|at| at <= now) {
            self.start_turn(now);
        }
        let charged = self.mind.turn.as_ref().filter(|turn| turn.started).and_then(|_| self.mind.thinking());
        self.game.wind(charged, now);
    }

    fn start_turn(&mut self, now: Instant) {
        let (Some((player, spec)), Some(handle)) = (self.game.bot_to_move(), self.handle.upgrade()) else { return };
        let thinker = match self.mind.seated[player.index()].take() {
            Some(bot) => Thinker::Seated(bot),
            None => Thinker::Named(spec.to_owned()),
        };
        let limit = self.game.thinking_time(now);
        let budget = Budget::time(limit);
        let job = self.mind.next_job;
        self.mind.next_job += 1;
        let ply = self.game.table().ply();
        self.mind.turn = Some(Turn { job, player, ply, limit, stop: budget.stop.clone(), started: false });
        self.services.pool.submit(turn_search(job, self.game.table().fork(), thinker, budget, handle));
    }

    /// The search of `job` if it still matters.
    fn current(&mut self, job: JobId) -> Option<&mut Turn> {
        self.mind.turn.as_mut().filter(|turn| turn.job == job && !turn.stop.is_stopped())
    }

    pub(super) fn bot_started(&mut self, job: JobId, now: Instant) {
        let Some(turn) = self.current(job) else { return };
        turn.started = true;
        let thinking = turn.report(None, 0);
        self.settle(now);
        self.sockets.tell_all(&ServerMessage::Thinking(thinking));
    }

    pub(super) fn bot_thought(&mut self, job: JobId, thought: &Thought, elapsed_ms: u64) {
        let Some((_, spec)) = self.game.bot_to_move() else { return };
        let readable = advice::so_far(self.game.table(), spec, thought);
        let Some(turn) = self.current(job) else { return };
        let thinking = turn.report(Some((thought, readable)), elapsed_ms);
        self.sockets.tell_all(&ServerMessage::Thinking(thinking));
    }

    pub(super) async fn bot_done(
        &mut self,
        job: JobId,
        bot: Option<Box<dyn TableBot>>,
        found: Found,
        now: Instant,
    ) -> Result<(), Unstored> {
        let Some(turn) = self.mind.turn.take_if(|turn| turn.job == job) else { return Ok(()) };
        self.mind.seated[turn.player.index()] = bot;
        if turn.stop.is_stopped() {
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
        let Some(out) = self.sockets.out(connection) else { return Ok(()) };
        self.mind.stop_hint(connection);
        let budget = Budget { every_move: true, ..Budget::time(time) };
        self.mind.hints.insert(connection, Hint { ply: table.ply(), stop: budget.stop.clone() });
        let search = hint_search(table, spec, budget, out);
        if self.services.pool.try_submit(search) { Ok(()) } else { Err(ApiError::busy()) }
    }
}

impl Turn {
    fn report(&self, thought: Option<(&Thought, Readable)>, elapsed_ms: u64) -> Thinking {
        Thinking {
            seat: self.player,
            mv: thought.map(|(thought, _)| thought.mv.clone()),
            score: thought.and_then(|(_, readable)| readable.value),
            final_margin: thought.and_then(|(_, readable)| readable.final_margin),
            depth: thought.map_or(0, |(thought, _)| thought.depth),
            nodes: thought.map_or(0, |(thought, _)| thought.nodes),
            elapsed_ms,
            limit_ms: self.limit.as_millis() as u64,
        }
    }
}

fn turn_search(
    job: JobId,
    table: Box<dyn papan_core::table::Table>,
    thinker: Thinker,
    budget: Budget,
    handle: mpsc::Sender<Command>,
) -> Search {
    let (on_start, on_thought) = (handle.clone(), handle.clone());
    Search {
        table,
        thinker,
        budget,
        on_start: Box::new(move || {
            let _ = on_start.blocking_send(Command::Started { job });
        }),
        // A thought that finds the mailbox full is not worth waiting for.
        on_thought: Box::new(move |thought, elapsed| {
            let _ = on_thought.try_send(Command::Thought { job, thought, elapsed_ms: elapsed.as_millis() as u64 });
        }),
        on_done: Box::new(move |bot, found, _| {
            let _ = handle.blocking_send(Command::Done { job, bot, found });
        }),
    }
}

fn hint_search(
    table: Box<dyn papan_core::table::Table>,
    spec: String,
    budget: Budget,
    out: mpsc::Sender<axum::extract::ws::Utf8Bytes>,
) -> Search {
    let (here, copy, stop, progress) = (table.fork(), table.fork(), budget.stop.clone(), out.clone());
    let (bot, same_bot) = (spec.clone(), spec.clone());
    Search {
        table,
        thinker: Thinker::Named(spec),
        budget,
        on_start: Box::new(|| {}),
        on_thought: Box::new(move |thought, _| {
            if !stop.is_stopped() {
                let hint = ServerMessage::Hint(analysis::hint_so_far(&*here, &bot, &thought));
                let _ = progress.try_send(hint.encoded());
            }
        }),
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

//! The task that owns one live game. Everything that happens to the game
//! comes in through one channel, in order; nobody hears of a change before
//! the store has it.

mod client;
mod sockets;
mod thinking;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::error::ApiError;
use crate::game::LiveGame;
use crate::limits::TokenBucket;
use crate::messages::{Command, ServerMessage};
use crate::pool::Pool;
use crate::registry::{Handle, Registry};
use crate::store::{Change, Store};
use crate::view::View;
use sockets::Sockets;
use thinking::Mind;

/// What every game needs.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) store: Store,
    pub(crate) pool: Arc<Pool>,
    pub(crate) shows: Shows,
}

/// How many games of two bots are being played for those who watch.
#[derive(Clone, Default)]
pub(crate) struct Shows(Arc<AtomicU32>);

/// One of them, until it is dropped.
struct Show(Shows);

impl Shows {
    /// All of them together move so often at most: every move is stored and
    /// told, and bots that choose in a moment would do nothing else.
    const BETWEEN_MOVES: Duration = Duration::from_millis(4);

    fn begin(&self) -> Show {
        self.0.fetch_add(1, Ordering::Relaxed);
        Show(self.clone())
    }

    /// What each of them leaves between two moves at least.
    fn pause(&self) -> Duration {
        Self::BETWEEN_MOVES * self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Show {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Commands that may wait for one game.
const MAILBOX: usize = 256;
/// A game that nobody is at and nobody asked for is put away after this.
const IDLE: Duration = Duration::from_secs(120);

/// Changes of a game that are no moves (pauses, moves taken back): so many at
/// once, and so many a second in the long run, whoever asks. Each is stored
/// and told to everyone, and unlike moves they need never end.
const CHANGES_AT_ONCE: f64 = 20.0;
const CHANGES_PER_SECOND: f64 = 4.0;

/// Starts the task of a game.
pub(crate) fn spawn(game: LiveGame, services: Services, registry: Registry) -> Handle {
    let (handle, mailbox) = mpsc::channel(MAILBOX);
    let actor = Actor {
        game,
        services,
        sockets: Sockets::default(),
        mind: Mind::default(),
        moved_at: None,
        show: None,
        handle: handle.downgrade(),
        deleted: false,
        changes: TokenBucket::new(CHANGES_AT_ONCE, CHANGES_PER_SECOND, Instant::now()),
    };
    tokio::spawn(actor.run(mailbox, registry));
    handle
}

/// Sleeps until then, or for ever.
async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time.into()).await,
        None => std::future::pending().await,
    }
}

/// The store refused, and why: what is in memory is not what is on the disk.
struct Unstored(ApiError);

struct Actor {
    game: LiveGame,
    services: Services,
    sockets: Sockets,
    mind: Mind,
    /// When the last move was made, for the pace of two bots.
    moved_at: Option<Instant>,
    /// While two bots play and someone watches.
    show: Option<Show>,
    handle: mpsc::WeakSender<Command>,
    deleted: bool,
    /// What is left for changes that are no moves.
    changes: TokenBucket,
}

impl Actor {
    async fn run(mut self, mut mailbox: mpsc::Receiver<Command>, registry: Registry) {
        let mut used_at = Instant::now();
        loop {
            let wake = self.wakes_at().or_else(|| self.sockets.is_empty().then(|| used_at + IDLE));
            let stored = tokio::select! {
                command = mailbox.recv() => match command {
                    Some(command) => {
                        used_at = Instant::now();
                        self.obey(command).await
                    }
                    None => break,
                },
                () = sleep_until(wake) => {
                    if self.may_sleep(used_at) {
                        break;
                    }
                    self.tick().await
                }
            };
            if let Err(Unstored(error)) = stored {
                // The sockets close; whoever comes back finds what is stored.
                self.sockets.tell_all(&ServerMessage::Error(&error));
                break;
            }
            if self.deleted {
                break;
            }
        }
        self.mind.stop_all();
        self.send_bots_away();
        if let Some(handle) = self.handle.upgrade() {
            registry.forget(self.game.id(), &handle);
        }
    }

    fn may_sleep(&self, used_at: Instant) -> bool {
        self.sockets.is_empty() && self.game.clock().falls_at().is_none() && used_at.elapsed() >= IDLE
    }

    /// When something will happen by itself.
    fn wakes_at(&self) -> Option<Instant> {
        let flag = self.game.clock().falls_at();
        let bot = if self.may_think() && !self.mind.is_busy() { self.thinks_at() } else { None };
        [flag, bot].into_iter().flatten().min()
    }

    async fn obey(&mut self, command: Command) -> Result<(), Unstored> {
        let now = Instant::now();
        match command {
            Command::Connect { connection, visitor, token, out, reply } => {
                let role = self.game.role(token.as_deref());
                if let Ok(role) = role {
                    self.game.attend(role);
                    self.sockets.add(connection, visitor, role, out);
                    self.settle(now);
                    self.greet(connection, now);
                }
                let _ = reply.send(role.map(|_| ()));
                Ok(())
            }
            Command::Disconnect { connection } => {
                self.sockets.remove(connection);
                self.mind.stop_hint(connection);
                self.settle(now);
                Ok(())
            }
            Command::Client { connection, message } => self.client_says(connection, message, now).await,
            Command::View { reply } => {
                let _ = reply.send(self.view(now));
                Ok(())
            }
            Command::Table { reply } => {
                let names = self.game.seats().each_ref().map(|seat| match (&*seat.name, &seat.spec) {
                    ("", Some(spec)) => spec.clone(),
                    (name, _) => name.to_owned(),
                });
                let _ = reply.send((self.game.table().fork(), names));
                Ok(())
            }
            Command::Join { secret, name, reply } => match self.game.join(&secret, &name) {
                Ok((player, token, change)) => {
                    self.store(vec![change]).await?;
                    self.changed(now);
                    let _ = reply.send(Ok((player, token, self.view(now))));
                    Ok(())
                }
                Err(error) => {
                    let _ = reply.send(Err(error));
                    Ok(())
                }
            },
            Command::Rematch { token, id, join } => {
                if let Ok(role) = self.game.role(Some(&token)) {
                    let message = ServerMessage::Rematch { id: &id, join: join.as_deref() };
                    self.sockets.tell_others(role, &message);
                }
                Ok(())
            }
            Command::Delete { token, reply } => {
                let _ = reply.send(self.delete(&token).await);
                Ok(())
            }
            Command::Started { job } => {
                self.bot_started(job, now);
                Ok(())
            }
            Command::Report { job, report } => {
                self.bot_reports(job, &report, now);
                Ok(())
            }
            Command::Done { job, bot, found } => self.bot_done(job, bot, found, now).await,
        }
    }

    /// Time has passed: a flag may have fallen, a bot's pause may be over.
    async fn tick(&mut self) -> Result<(), Unstored> {
        let now = Instant::now();
        let changes = self.game.fall_flag(now);
        if changes.is_empty() {
            self.settle(now);
            return Ok(());
        }
        self.store(changes).await?;
        self.changed(now);
        Ok(())
    }

    /// Forgets the game for its maker. Nobody is told before it is gone; then
    /// everyone, and this task ends.
    async fn delete(&mut self, token: &str) -> Result<(), ApiError> {
        if !self.game.is_maker(token) {
            return Err(ApiError::not_the_owner());
        }
        self.services.store.write(Change::Delete { games: vec![self.game.id().to_owned()] }).await?;
        self.sockets.tell_all(&ServerMessage::Deleted);
        self.deleted = true;
        Ok(())
    }

    /// Makes changes durable.
    async fn store(&mut self, changes: Vec<Change>) -> Result<(), Unstored> {
        for change in changes {
            if let Err(error) = self.services.store.write(change).await {
                tracing::error!(%error, id = self.game.id(), "an event could not be stored");
                return Err(Unstored(error.into()));
            }
        }
        Ok(())
    }

    fn view(&self, now: Instant) -> View {
        View::of(&self.game, self.mind.thinking(), now)
    }

    /// The game is different: bots and clocks follow, everyone is told.
    fn changed(&mut self, now: Instant) {
        self.settle(now);
        if !self.sockets.is_empty() {
            self.sockets.tell_all(&ServerMessage::View { view: &self.view(Instant::now()) });
        }
    }

    fn greet(&mut self, connection: u64, now: Instant) {
        let view = self.view(now);
        self.sockets.tell(connection, &ServerMessage::View { view: &view });
    }
}

//! What a player's message does.

use std::time::{Duration, Instant};

use super::{Actor, Unstored};
use crate::error::ApiError;
use crate::messages::{ClientMessage, ConnectionId, ServerMessage};
use crate::store::Change;

/// A hint thinks so long unless told otherwise, and never longer than
/// [`LONGEST_HINT`].
const HINT: Duration = Duration::from_secs(2);
const LONGEST_HINT: Duration = Duration::from_secs(60);

impl Actor {
    pub(super) async fn client_says(
        &mut self,
        connection: ConnectionId,
        message: ClientMessage,
        now: Instant,
    ) -> Result<(), Unstored> {
        // A message that was on its way when the flag fell comes too late.
        let fallen = self.game.fall_flag(now);
        if !fallen.is_empty() {
            self.store(fallen).await?;
            self.changed(now);
        }
        if message.changes_without_a_move() && !self.changes.take(now) {
            self.sockets.tell(connection, &ServerMessage::Error(&ApiError::rate_limited()));
            return Ok(());
        }
        let role = self.sockets.role(connection);
        let moved = matches!(message, ClientMessage::Move { .. });
        let changes = match message {
            ClientMessage::Move { mv, ply } => self.game.play_as(role, &mv, ply, now),
            ClientMessage::Undo { ply } | ClientMessage::UndoOffer { ply } => self.game.undo(role, ply, now),
            ClientMessage::UndoAccept {} => self.game.accept_undo(role, now),
            ClientMessage::UndoDecline {} => self.game.decline_undo(role),
            ClientMessage::Redo { ply } => self.game.redo(role, ply, now),
            ClientMessage::Resign { ply } => self.game.resign(role, ply, now),
            ClientMessage::End {} => self.game.abandon(role, now),
            ClientMessage::Speed { ms } => self.game.set_speed(role, ms, now),
            ClientMessage::Pause { on } => self.game.pause(role, on, now),
            ClientMessage::Hint { bot, ms } => {
                let time = ms.map_or(HINT, Duration::from_millis).min(LONGEST_HINT);
                let started = self.hint_allowed(role).and_then(|()| self.start_hint(connection, bot, time));
                if let Err(error) = started {
                    self.sockets.tell(connection, &ServerMessage::Error(&error));
                }
                return Ok(());
            }
            ClientMessage::Stop {} => {
                self.mind.stop_hint(connection);
                return Ok(());
            }
            ClientMessage::Ping {} => {
                self.sockets.tell(connection, &ServerMessage::Pong);
                return Ok(());
            }
        };
        self.finish(connection, changes, moved, now).await
    }

    /// Stores what a message changed and tells everyone, or says why not.
    async fn finish(
        &mut self,
        connection: ConnectionId,
        changes: Result<Vec<Change>, ApiError>,
        moved: bool,
        now: Instant,
    ) -> Result<(), Unstored> {
        match changes {
            Ok(changes) => {
                // The search of a position that is gone must not go on while
                // the disk is busy.
                self.settle(now);
                self.store(changes).await?;
                if moved {
                    self.moved_at = Some(now);
                }
                self.changed(Instant::now());
            }
            Err(error) => self.sockets.tell(connection, &ServerMessage::Error(&error)),
        }
        Ok(())
    }
}

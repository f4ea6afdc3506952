//! Who watches a game.

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::game::Role;
use crate::messages::{ConnectionId, ServerMessage};
use crate::pool::Visitor;

struct Socket {
    connection: ConnectionId,
    visitor: Visitor,
    role: Role,
    out: mpsc::Sender<Utf8Bytes>,
}

/// The open sockets of one game.
#[derive(Default)]
pub(super) struct Sockets {
    open: Vec<Socket>,
}

impl Sockets {
    pub(super) fn add(&mut self, connection: ConnectionId, visitor: Visitor, role: Role, out: mpsc::Sender<Utf8Bytes>) {
        self.open.push(Socket { connection, visitor, role, out });
    }

    pub(super) fn remove(&mut self, connection: ConnectionId) {
        self.open.retain(|socket| socket.connection != connection);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// What a socket's key opens; closed sockets open nothing.
    pub(super) fn role(&self, connection: ConnectionId) -> Role {
        self.open.iter().find(|socket| socket.connection == connection).map_or_else(Role::default, |socket| socket.role)
    }

    /// Where a socket listens and whose it is, for searches that answer it alone.
    pub(super) fn out(&self, connection: ConnectionId) -> Option<(mpsc::Sender<Utf8Bytes>, Visitor)> {
        let socket = self.open.iter().find(|socket| socket.connection == connection)?;
        Some((socket.out.clone(), socket.visitor.clone()))
    }

    /// Sends to one socket.
    pub(super) fn tell(&mut self, connection: ConnectionId, message: &ServerMessage<'_>) {
        let text = message.encoded();
        self.send_where(|socket| socket.connection == connection, &text);
    }

    /// Sends to every socket.
    pub(super) fn tell_all(&mut self, message: &ServerMessage<'_>) {
        let text = message.encoded();
        self.send_where(|_| true, &text);
    }

    /// Sends to every socket that keeps up: what will be said anew in a moment
    /// must not crowd out what is said once.
    pub(super) fn tell_those_who_keep_up(&mut self, message: &ServerMessage<'_>) {
        let text = message.encoded();
        self.send_where(|socket| socket.out.capacity() > socket.out.max_capacity() / 2, &text);
    }

    /// Sends to every other player, not to `role` and not to spectators.
    pub(super) fn tell_others(&mut self, role: Role, message: &ServerMessage<'_>) {
        let text = message.encoded();
        self.send_where(|socket| socket.role.takes_part() && socket.role != role, &text);
    }

    /// A socket that does not keep up is dropped: its task sees the channel
    /// close and ends it, and whoever reconnects gets the whole state.
    fn send_where(&mut self, wanted: impl Fn(&Socket) -> bool, text: &Utf8Bytes) {
        self.open.retain(|socket| !wanted(socket) || socket.out.try_send(text.clone()).is_ok());
    }
}

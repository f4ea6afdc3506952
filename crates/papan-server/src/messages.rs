//! Every message: from clients to games, from games to clients, and between
//! the tasks of the server.

use axum::extract::ws::Utf8Bytes;
use papan_core::Player;
use papan_core::table::{Choice, Table};
use papan_roster::advice::{MoveLine, Readable};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use crate::clock::ClockView;
use crate::error::ApiError;
use crate::pool::{SeatedBot, Visitor};
use crate::view::View;
use crate::watch::Report;

/// What a client may send. `ply` is the number of moves that the sender saw:
/// an answer to an older board is refused.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientMessage {
    Move {
        #[serde(rename = "move")]
        mv: String,
        ply: usize,
    },
    Undo {
        ply: usize,
    },
    UndoOffer {
        ply: usize,
    },
    UndoAccept {},
    UndoDecline {},
    Redo {
        ply: usize,
    },
    Resign {
        ply: usize,
    },
    End {},
    Hint {
        /// Whose hint; without it the best adviser's.
        #[serde(default)]
        bot: Option<String>,
        /// How long to think.
        #[serde(default)]
        ms: Option<u64>,
    },
    Stop {},
    Speed {
        ms: u64,
    },
    Pause {
        on: bool,
    },
    Ping {},
}

impl ClientMessage {
    /// Is it to change the game otherwise than by a move?
    pub(crate) fn changes_without_a_move(&self) -> bool {
        !matches!(self, Self::Move { .. } | Self::Hint { .. } | Self::Stop {} | Self::Ping {})
    }

    const TYPES: [&str; 13] = [
        "move",
        "undo",
        "undo_offer",
        "undo_accept",
        "undo_decline",
        "redo",
        "resign",
        "end",
        "hint",
        "stop",
        "speed",
        "pause",
        "ping",
    ];

    /// Reads a message; the error says whether it was no message at all or of
    /// a type that does not exist.
    pub(crate) fn read(text: &str) -> Result<Self, ApiError> {
        #[derive(Deserialize)]
        struct Envelope {
            #[serde(rename = "type")]
            name: String,
        }
        let envelope: Envelope = serde_json::from_str(text).map_err(|error| ApiError::malformed(&error.to_string()))?;
        if !Self::TYPES.contains(&envelope.name.as_str()) {
            return Err(ApiError::unknown_type(&envelope.name));
        }
        serde_json::from_str(text).map_err(|error| ApiError::malformed(&error.to_string()))
    }
}

/// What the server sends.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    View {
        view: &'a View,
    },
    Thinking(Thinking),
    Seeking(Seeking),
    Hint(HintMessage),
    Error(&'a ApiError),
    Rematch {
        id: &'a str,
        join: Option<&'a str>,
    },
    /// The game is gone; the socket closes.
    Deleted,
    Pong,
}

impl ServerMessage<'_> {
    /// The message as it goes over the wire; cheap to clone for many sockets.
    pub(crate) fn encoded(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("every message is JSON").into()
    }
}

/// How far a search is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct HowFar {
    /// Does it still wait for a thread?
    pub(crate) waiting: bool,
    /// The best move so far, if there is one yet.
    #[serde(rename = "move")]
    pub(crate) mv: Option<String>,
    pub(crate) score: Option<i32>,
    /// The margin at the end of the game, where `score` is of the points still
    /// to come.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub(crate) final_margin: Option<i32>,
    /// Plies of look-ahead behind the best move.
    pub(crate) depth: u32,
    /// Plies of look-ahead under way, for searches that go by depth.
    pub(crate) depth_under_way: Option<u32>,
    pub(crate) nodes: u64,
    /// Since it began or, while it waits, since it was asked for.
    pub(crate) elapsed_ms: u64,
}

/// How far a bot is with its move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Thinking {
    pub(crate) seat: Player,
    #[serde(flatten)]
    pub(crate) how_far: HowFar,
    pub(crate) limit_ms: u64,
    /// The clock as it stands: it runs from when the bot begins, not from when
    /// it begins to wait.
    pub(crate) clock: ClockView,
}

/// How far the search for a hint is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Seeking {
    /// The ply that the hint is for.
    pub(crate) ply: usize,
    #[serde(flatten)]
    pub(crate) how_far: HowFar,
}

/// A hint, or the best so far while it is being sought.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct HintMessage {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    #[serde(flatten)]
    pub(crate) readable: Readable,
    pub(crate) depth: u32,
    pub(crate) pv: Vec<String>,
    /// As of an [`papan_roster::advice::Analysis`].
    pub(crate) best: Vec<String>,
    pub(crate) best_complete: bool,
    /// The moves of which something is known, best first.
    pub(crate) per_move: Vec<MoveLine>,
    /// The ply that the hint is for.
    pub(crate) ply: usize,
    pub(crate) done: bool,
}

/// A socket, within its game.
pub(crate) type ConnectionId = u64;
/// A search, within its game.
pub(crate) type JobId = u64;

/// How a search ended.
pub(crate) enum Found {
    /// With a move.
    Choice(Choice),
    /// Before it began, or so early that nobody wants the answer.
    Stopped,
    /// With a panic, or the bot could not be made.
    Failed(ApiError),
}

/// What a game's task is told.
pub(crate) enum Command {
    /// A socket opened.
    Connect {
        connection: ConnectionId,
        visitor: Visitor,
        token: Option<String>,
        out: mpsc::Sender<Utf8Bytes>,
        reply: Reply<()>,
    },
    /// A socket closed.
    Disconnect { connection: ConnectionId },
    /// A socket's message.
    Client { connection: ConnectionId, message: ClientMessage },
    /// Someone wants to see the game.
    View { reply: oneshot::Sender<View> },
    /// Someone wants a copy of the table and the players' names.
    Table { reply: oneshot::Sender<(Box<dyn Table>, [String; 2])> },
    /// Someone opened a join link.
    Join { secret: String, name: String, reply: Reply<(Player, String, View)> },
    /// The next game of the same two players exists.
    Rematch { token: String, id: String, join: Option<String> },
    /// Whoever made the game wants it forgotten.
    Delete { token: String, reply: Reply<()> },
    /// A bot began to think.
    Started { job: JobId },
    /// A bot waits or thinks, and is so far.
    Report { job: JobId, report: Report },
    /// A bot is done; it comes back with its memory unless it failed.
    Done { job: JobId, bot: Option<SeatedBot>, found: Found },
}

/// Where an answer goes.
pub(crate) type Reply<T> = oneshot::Sender<Result<T, ApiError>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_type_is_known_and_others_are_named() {
        for name in ClientMessage::TYPES {
            let text = format!(r#"{{"type":"{name}","nonsense":1}}"#);
            assert_eq!(ClientMessage::read(&text).unwrap_err().code, "malformed", "{name}");
        }
        let message = ClientMessage::read(r#"{"type":"move","move":"d3","ply":7}"#);
        assert_eq!(message, Ok(ClientMessage::Move { mv: "d3".to_owned(), ply: 7 }));
        assert_eq!(ClientMessage::read(r#"{"type":"hint"}"#), Ok(ClientMessage::Hint { bot: None, ms: None }));
        assert_eq!(ClientMessage::read(r#"{"type":"ping"}"#), Ok(ClientMessage::Ping {}));
        assert_eq!(ClientMessage::read(r#"{"type":"fly"}"#).unwrap_err().code, "unknown_type");
        for bad in ["", "7", "{}", "[", r#"{"type":7}"#, r#"{"type":"move","move":"d3","ply":-1}"#] {
            assert_eq!(ClientMessage::read(bad).unwrap_err().code, "malformed", "{bad}");
        }
    }
}

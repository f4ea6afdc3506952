//! One WebSocket: from the upgrade to the last message.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::app::App;
use crate::ending::Ending;
use crate::error::ApiError;
use crate::limits::{MESSAGE_LIMIT, TokenBucket};
use crate::messages::{ClientMessage, Command, ConnectionId, ServerMessage};
use crate::pool::Visitor;
use crate::registry::Handle;

/// Messages that may wait for a slow reader before it is dropped.
const OUTBOX: usize = 64;
/// Frames beyond this are not even read: the socket is closed.
const FRAME_LIMIT: usize = 64 * 1024;
/// Small buffers: thousands of sockets are idle most of the time.
const READ_BUFFER: usize = 2 * 1024;
/// A sign of life is asked for this often.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// Without one for so long, the other side is gone.
const SILENCE: Duration = Duration::from_secs(90);
/// A reader that takes longer than this for one message is gone too.
const SEND_TIME: Duration = Duration::from_secs(10);
/// A closed socket is heard out for so long.
const GOODBYE: Duration = Duration::from_millis(300);
/// Messages above the rate that are forgiven before the socket is closed.
const PATIENCE: u32 = 1_000;

/// Who connects.
#[derive(Debug, Deserialize)]
pub(crate) struct LiveQuery {
    token: Option<String>,
}

/// `GET /api/games/{id}/live`
pub(crate) async fn live(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(LiveQuery { token }): Query<LiveQuery>,
    visitor: Visitor,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let permit = app.sockets().clone().try_acquire_owned().map_err(|_| ApiError::busy())?;
    let connection = app.next_connection();
    let (out, inbox) = mpsc::channel(OUTBOX);
    let (reply, admitted) = oneshot::channel();
    let handle = app.tell(&id, Command::Connect { connection, visitor, token, out, reply }).await?;
    let admitted = admitted.await.unwrap_or_else(|_| Err(ApiError::busy()));
    let bucket = TokenBucket::new(app.limits().message_burst, app.limits().messages_per_second, Instant::now());
    // Dropped with the upgrade if that fails, so that the game never waits
    // for a socket that did not come.
    let link = Link { connection, handle, _permit: permit };
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_message_size(FRAME_LIMIT)
        .max_frame_size(FRAME_LIMIT);
    let ending = app.ending().clone();
    Ok(upgrade.on_upgrade(move |socket| async move {
        let mut session = Session { socket, link, bucket, refused: 0, asked: false, ending };
        match admitted {
            Ok(()) => session.run(inbox).await,
            Err(error) => session.refuse(&error).await,
        }
    }))
}

/// A socket's place at its game; the game hears when it is dropped.
struct Link {
    connection: ConnectionId,
    handle: Handle,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Link {
    fn drop(&mut self) {
        let (handle, connection) = (self.handle.clone(), self.connection);
        // The mailbox may be full; the message must arrive all the same.
        if let Err(mpsc::error::TrySendError::Full(command)) = handle.try_send(Command::Disconnect { connection })
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move {
                let _ = handle.send(command).await;
            });
        }
    }
}

/// The socket is of no use any more.
struct Gone;

struct Session {
    socket: WebSocket,
    link: Link,
    bucket: TokenBucket,
    refused: u32,
    /// Was a sign of life asked for? One answer to that is free.
    asked: bool,
    ending: Ending,
}

impl Session {
    async fn run(&mut self, mut inbox: mpsc::Receiver<Utf8Bytes>) {
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let ending = self.ending.clone();
        let ended = ending.begun();
        tokio::pin!(ended);
        loop {
            let step = tokio::select! {
                incoming = self.socket.recv() => {
                    heard = Instant::now();
                    match incoming {
                        Some(Ok(message)) => self.hear(message).await,
                        Some(Err(_)) => {
                            // A broken or huge frame: say so if the line still works.
                            self.refuse(&ApiError::too_large(FRAME_LIMIT)).await;
                            Err(Gone)
                        }
                        None => Err(Gone),
                    }
                }
                outgoing = inbox.recv() => match outgoing {
                    Some(text) => self.send(Message::Text(text)).await,
                    None => {
                        // The game has let go of it; all is said.
                        self.close(close_code::NORMAL, "").await;
                        Err(Gone)
                    }
                },
                () = &mut ended => {
                    self.close(close_code::AWAY, "the server ends").await;
                    Err(Gone)
                }
                _ = heartbeat.tick() => {
                    self.asked = true;
                    if heard.elapsed() > SILENCE { Err(Gone) } else { self.send(Message::Ping(Default::default())).await }
                }
            };
            if step.is_err() {
                return;
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Gone> {
        if matches!(message, Message::Pong(_)) && std::mem::take(&mut self.asked) {
            return Ok(());
        }
        // Whatever it is, it was read and costs time.
        let within_rate = self.bucket.take(Instant::now());
        if !within_rate {
            self.refused += 1;
            if self.refused > PATIENCE {
                self.close(close_code::POLICY, ApiError::rate_limited().code).await;
                return Err(Gone);
            }
        }
        let text = match message {
            Message::Close(_) => return Err(Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            _ if !within_rate => return self.say_no(&ApiError::rate_limited()).await,
            Message::Binary(_) => return self.say_no(&ApiError::malformed("a binary message")).await,
            Message::Text(text) => text,
        };
        if text.len() > MESSAGE_LIMIT {
            return self.say_no(&ApiError::too_large(MESSAGE_LIMIT)).await;
        }
        match ClientMessage::read(&text) {
            Ok(message) => {
                let connection = self.link.connection;
                self.link.handle.send(Command::Client { connection, message }).await.map_err(|_| Gone)
            }
            Err(error) => self.say_no(&error).await,
        }
    }

    async fn say_no(&mut self, error: &ApiError) -> Result<(), Gone> {
        self.send(Message::Text(ServerMessage::Error(error).encoded())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(SEND_TIME, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    /// Says why and closes.
    async fn refuse(&mut self, error: &ApiError) {
        if self.say_no(error).await.is_ok() {
            self.close(close_code::POLICY, error.code).await;
        }
    }

    /// Closes in order: what is still on its way is read for a moment, for a
    /// connection that is dropped with unread bytes takes our last words along.
    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            let _ = timeout(GOODBYE, async { while let Some(Ok(_)) = self.socket.recv().await {} }).await;
        }
    }
}

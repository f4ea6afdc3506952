//! Large answers that wait to be read. Each holds its bytes until its reader
//! has taken them: all of them together have a budget, and each has its time,
//! so that those who ask for much and read slowly cannot fill the memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::StreamExt as _;

use crate::app::App;
use crate::error::ApiError;
use crate::routes::aside;

/// Smaller answers are not counted: there are no more of them than connections.
const LARGE: usize = 256 * 1024;
/// What all large answers may hold together, in kibibytes.
const BUDGET_KIB: usize = 192 * 1024;
/// A large answer that has not been read by then is cut off.
const TIME: Duration = Duration::from_secs(30);
/// What is handed on at a time.
const PIECE: usize = 64 * 1024;

/// What large answers share.
pub(crate) struct Answers {
    room: Arc<Semaphore>,
    /// They are made one after the other: each takes many times its size, and
    /// a core, while it is made.
    making: Semaphore,
}

impl Default for Answers {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(BUDGET_KIB)), making: Semaphore::new(1) }
    }
}

impl Answers {
    /// Makes a large answer, written out to the last byte, away from the
    /// sockets. Whoever has to wait for that takes no thread meanwhile.
    pub(crate) async fn make<T: IntoResponse>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let _turn = self.making.acquire().await.map_err(|_| ApiError::busy())?;
        aside(move || work().map(IntoResponse::into_response)).await
    }
}

/// An answer's bytes that nobody has taken yet, and its part of the budget.
struct Held {
    rest: Bytes,
    _part: OwnedSemaphorePermit,
}

/// Answers; a large answer goes out only if there is room for it.
pub(crate) async fn hold(State(app): State<App>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let size = response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    match size {
        Some(size) if size > LARGE => held(&app.answers().room, response, size).await,
        _ => response,
    }
}

async fn held(room: &Arc<Semaphore>, response: Response, size: usize) -> Response {
    // One that is larger than everything still goes out, alone.
    let kib = u32::try_from((size / 1024).min(BUDGET_KIB)).unwrap_or(u32::MAX);
    let Ok(part) = Arc::clone(room).try_acquire_many_owned(kib) else {
        return ApiError::busy().into_response();
    };
    let (mut parts, body) = response.into_parts();
    let Ok(rest) = to_bytes(body, size).await else { return ApiError::busy().into_response() };
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    let held = Arc::new(Mutex::new(Some(Held { rest, _part: part })));
    // By its own clock: a reader that takes a byte now and then keeps what is
    // in the connection's buffer, and the rest is never asked for.
    let late = Arc::downgrade(&held);
    tokio::spawn(async move {
        tokio::time::sleep(TIME).await;
        if let Some(held) = late.upgrade() {
            held.lock().expect("no holder panics").take();
        }
    });
    let pieces = tokio_stream::iter(0..size.div_ceil(PIECE)).map(move |_| piece(&held));
    Response::from_parts(parts, Body::from_stream(pieces))
}

/// The next piece, copied: a part of the whole would keep the whole alive.
fn piece(held: &Mutex<Option<Held>>) -> Result<Bytes, std::io::Error> {
    let mut held = held.lock().expect("no holder panics");
    let Some(Held { rest, .. }) = held.as_mut() else { return Err(std::io::ErrorKind::TimedOut.into()) };
    let piece = rest.split_to(PIECE.min(rest.len()));
    Ok(Bytes::copy_from_slice(&piece))
}

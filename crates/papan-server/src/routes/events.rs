//! Streams of events. How a tournament or an experiment stands is told from
//! the first moment to its end; each listener keeps it going.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt as _};

use crate::audience::{Audience, Listener, Work};

/// A stream says something at least this often, if only that it is there: a
/// reader knows a dead connection by its silence, and writing to a reader that
/// is gone fails.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// An event with `data` as JSON.
pub(super) fn event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).json_data(data).expect("every event is JSON")
}

/// The answer that tells `events`.
pub(super) fn answer<S>(events: S) -> Sse<impl Stream<Item = Result<Event, Infallible>>>
where
    S: Stream<Item = Event> + Send + 'static,
{
    Sse::new(events.map(Ok)).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// Tells how `work` stands, and keeps it going, for as long as the connection
/// is open. Whoever asks only for the head listens to nothing.
pub(super) fn follow(
    method: &Method,
    work: Arc<dyn Work>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    // What a slow reader has not taken yet is not replaced, but it is one state.
    let (events, stream) = mpsc::channel(1);
    if method != Method::HEAD {
        tokio::spawn(forward(Audience::listen(work), events));
    }
    answer(ReceiverStream::new(stream))
}

async fn forward(mut listener: Listener, events: mpsc::Sender<Event>) {
    loop {
        let news = listener.borrow_and_update().clone();
        if let Some(news) = news {
            let told = events.send(Event::default().event("state").data(&*news.state)).await;
            if told.is_err() {
                return;
            }
            if news.over {
                return drop(events.send(event("end", &serde_json::json!({}))).await);
            }
        }
        tokio::select! {
            changed = listener.changed() => if changed.is_err() {
                return;
            },
            () = events.closed() => return,
        }
    }
}

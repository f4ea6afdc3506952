//! The server's end: everyone who waits for something hears of it.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::watch;
use tokio_stream::Stream;

use crate::app::App;

/// Whether the server ends; all copies are told.
#[derive(Clone)]
pub(crate) struct Ending(watch::Sender<bool>);

impl Ending {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Tells everyone.
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the end has begun.
    pub(crate) async fn begun(&self) {
        // Only fails without a sender, and there is one here.
        let _ = self.0.subscribe().wait_for(|begun| *begun).await;
    }
}

/// Streams of events last as long as someone listens: they end with the
/// server, so that it need not wait for them.
pub(crate) async fn end_streams(State(app): State<App>, request: Request, next: Next) -> Response {
    let answer = next.run(request).await;
    let kind = answer.headers().get(header::CONTENT_TYPE);
    if kind.is_none_or(|kind| !kind.as_bytes().starts_with(b"text/event-stream")) {
        return answer;
    }
    let ending = app.ending().clone();
    let until: Ended = Box::pin(async move { ending.begun().await });
    answer.map(|body| Body::from_stream(Until { events: body.into_data_stream(), until: Some(until) }))
}

type Ended = Pin<Box<dyn Future<Output = ()> + Send>>;

struct Until<S> {
    events: S,
    /// `None` once it has come.
    until: Option<Ended>,
}

impl<S: Stream<Item = Result<Bytes, axum::Error>> + Unpin> Stream for Until<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let Some(until) = &mut self.until else { return Poll::Ready(None) };
        if until.as_mut().poll(context).is_ready() {
            self.until = None;
            return Poll::Ready(None);
        }
        Pin::new(&mut self.events).poll_next(context)
    }
}

//! The queue whose workers the page shows, if the server was told of one.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use papan_nats::{QueueOptions, Status, read_status};
use serde::Serialize;

/// However many look on, the queue is asked so often at most.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// Asks a queue how it is.
pub(crate) struct QueueWatch {
    options: Option<QueueOptions>,
    last: Mutex<Option<(Instant, QueueView)>>,
}

/// A queue as the page shows it.
#[derive(Clone, Serialize)]
pub(crate) struct QueueView {
    /// Is there one?
    watched: bool,
    /// How it is; none while it does not answer.
    status: Option<Status>,
}

impl QueueWatch {
    pub(crate) fn new(options: Option<QueueOptions>) -> Self {
        Self { options, last: Mutex::default() }
    }

    /// How it is now, or was a moment ago. Waits for the network.
    pub(crate) fn view(&self) -> QueueView {
        let Some(options) = &self.options else { return QueueView { watched: false, status: None } };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, view)) = &*last
            && asked.elapsed() < ASK_EVERY
        {
            return view.clone();
        }
        let view = QueueView { watched: true, status: read_status(options).ok() };
        *last = Some((Instant::now(), view.clone()));
        view
    }
}

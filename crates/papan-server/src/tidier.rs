//! Old games go when there are too many; see docs/api.md.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::app::App;
use crate::store::{Change, StoreResult};

/// Games in one write: moves of others must not wait for many.
const AT_ONCE: usize = 20;

/// Looks now and then whether there are too many.
#[derive(Default)]
pub(crate) struct Tidier {
    made: AtomicUsize,
    at_work: AtomicBool,
}

impl Tidier {
    /// Called for each new game; the first one and then every hundredth part
    /// of what is kept has the store looked through.
    pub(crate) fn made_a_game(&self, app: &App) {
        let made = self.made.fetch_add(1, Ordering::Relaxed);
        let is_time = made.is_multiple_of(app.services().store.keep().step());
        if is_time && !self.at_work.swap(true, Ordering::Relaxed) {
            let app = app.clone();
            tokio::spawn(async move {
                if let Err(error) = tidy(&app).await {
                    tracing::warn!(%error, "old games could not be removed");
                }
                app.tidier().at_work.store(false, Ordering::Relaxed);
            });
        }
    }
}

async fn tidy(app: &App) -> StoreResult<()> {
    let store = &app.services().store;
    loop {
        let surplus = store.surplus(app.registry().ids()).await?;
        if surplus.is_empty() {
            return Ok(());
        }
        for games in surplus.chunks(AT_ONCE) {
            // Someone may have come to one of them since.
            let open = app.registry().ids();
            let games: Vec<_> = games.iter().filter(|id| !open.contains(*id)).cloned().collect();
            store.write(Change::Delete { games }).await?;
        }
    }
}

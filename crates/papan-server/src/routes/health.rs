//! How busy the server is.

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::app::App;

/// A few numbers for monitors and tests.
#[derive(Serialize)]
pub(super) struct Health {
    version: &'static str,
    /// Games in memory.
    live_games: usize,
    /// Open sockets.
    sockets: usize,
    /// Searches that run or wait for a thread.
    searches: usize,
    /// Tournaments that play.
    tournaments: usize,
    /// Bytes that searches and seated bots hold, and may hold together.
    memory: [u64; 2],
}

/// `GET /api/health`
pub(super) async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health {
        version: env!("CARGO_PKG_VERSION"),
        live_games: app.registry().len(),
        sockets: app.limits().sockets - app.sockets().available_permits(),
        searches: app.services().pool.unfinished(),
        tournaments: app.arena().running(),
        memory: [app.services().pool.memory().held(), app.services().pool.memory().limit()],
    })
}

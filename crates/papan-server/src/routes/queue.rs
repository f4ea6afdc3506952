//! The queue of work on many machines.

use axum::Json;
use axum::extract::State;

use super::aside;
use crate::app::App;
use crate::error::ApiError;
use crate::queue::QueueView;

/// `GET /api/queue`
pub(super) async fn queue(State(app): State<App>) -> Result<Json<QueueView>, ApiError> {
    aside(move || Ok(app.queue().view())).await.map(Json)
}

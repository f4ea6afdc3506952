//! A game's record in the format that is wanted.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use tokio::sync::oneshot;

use super::Query;
use crate::app::App;
use crate::error::ApiError;
use crate::messages::Command;
use crate::record::{self, Format};

/// How the record is wanted.
#[derive(Deserialize)]
pub(super) struct RecordQuery {
    #[serde(default)]
    format: Format,
}

/// `GET /api/games/{id}/record`
pub(super) async fn record(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(RecordQuery { format }): Query<RecordQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let (reply, answer) = oneshot::channel();
    app.tell(&id, Command::Table { reply }).await?;
    let (table, names) = answer.await.map_err(|_| ApiError::busy())?;
    let text = record::write(&*table, &names, format).ok_or_else(ApiError::no_such_format)?;
    Ok(([(header::CONTENT_TYPE, format.content_type())], text))
}

//! The record of a game, or of any line of moves, in the format that is
//! wanted.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use tokio::sync::oneshot;

use super::{Query, aside};
use crate::app::App;
use crate::error::ApiError;
use crate::messages::Command;
use crate::record::{self, Format};
use crate::roster;

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

/// A line of moves that need not be of a stored game.
#[derive(Deserialize)]
pub(super) struct LineQuery {
    game: String,
    position: Option<String>,
    /// The moves, with spaces between them.
    #[serde(default)]
    moves: String,
    #[serde(default)]
    format: Format,
}

/// `GET /api/record`
pub(super) async fn line(Query(query): Query<LineQuery>) -> Result<impl IntoResponse, ApiError> {
    let format = query.format;
    let text = aside(move || written(&query)).await?;
    Ok(([(header::CONTENT_TYPE, format.content_type())], text))
}

fn written(query: &LineQuery) -> Result<String, ApiError> {
    let mut table = roster::table(&query.game, query.position.as_deref().filter(|text| !text.is_empty()))?;
    for (index, mv) in query.moves.split_whitespace().enumerate() {
        table.play(mv).map_err(|error| ApiError::bad_move_at(index + 1, &error))?;
    }
    let names = table.players().map(|player| player.name.en.into_owned());
    record::write(&*table, &names, query.format).ok_or_else(ApiError::no_such_format)
}

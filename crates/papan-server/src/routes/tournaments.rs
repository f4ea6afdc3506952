//! Tournaments and matches between bots.

use std::path::Path as FilePath;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{Html, IntoResponse};
use papan_arena::tournament::TournamentFile;
use serde::{Deserialize, Serialize};

use super::{Body, aside};
use crate::app::App;
use crate::arena::CourseView;
use crate::error::ApiError;

/// The report's own program and style, and nothing of this server: as if it
/// came from another site.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts";

/// A tournament by name and state.
#[derive(Serialize)]
pub(super) struct Entry {
    id: String,
    #[serde(flatten)]
    view: CourseView,
}

/// All of them.
#[derive(Serialize)]
pub(super) struct Entries {
    tournaments: Vec<Entry>,
}

/// Should it play?
#[derive(Deserialize)]
pub(super) struct Wish {
    running: bool,
}

/// `POST /api/tournaments`
pub(super) async fn begin(
    State(app): State<App>,
    Body(keys): Body<serde_json::Value>,
) -> Result<impl IntoResponse, ApiError> {
    let entry = aside(move || {
        let file = TournamentFile::from_json(FilePath::new("tournament"), keys)
            .map_err(|error| ApiError::bad_tournament(&error))?;
        let id = app.arena().begin(&file)?;
        Ok(Entry { view: app.arena().find(&id)?.view(), id })
    });
    Ok((StatusCode::CREATED, Json(entry.await?)))
}

/// `GET /api/tournaments`
pub(super) async fn list(State(app): State<App>) -> Result<Json<Entries>, ApiError> {
    aside(move || {
        let all = app.arena().all().into_iter().map(|(id, course)| Entry { id, view: course.view() });
        Ok(Entries { tournaments: all.collect() })
    })
    .await
    .map(Json)
}

/// `GET /api/tournaments/{id}`
pub(super) async fn view(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Entry>, ApiError> {
    aside(move || Ok(Entry { view: app.arena().find(&id)?.view(), id })).await.map(Json)
}

/// `POST /api/tournaments/{id}`
pub(super) async fn steer(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(Wish { running }): Body<Wish>,
) -> Result<Json<Entry>, ApiError> {
    aside(move || Ok(Entry { view: app.arena().set_running(&id, running)?.view(), id })).await.map(Json)
}

/// `GET /api/tournaments/{id}/report`
pub(super) async fn report(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<([(HeaderName, &'static str); 1], Html<String>), ApiError> {
    let page = aside(move || Ok(app.arena().find(&id)?.report())).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, REPORT_POLICY)], Html(page)))
}

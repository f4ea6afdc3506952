//! Experiments: begun, watched, stopped, reported.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use papan_core::{Language, StopToken};
use papan_lab::experiment::{self, Experiment, Results};
use serde::Deserialize;

use super::lab::DOCUMENT_POLICY;
use super::{Body, Query, StopOnDrop, events};
use crate::app::App;
use crate::error::ApiError;
use crate::experiments::{self, Experiments, Standing};
use crate::pool::Visitor;

/// The longest that an experiment may take whose asker waits for it.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(120);

/// In which form an experiment's results are wanted.
#[derive(Deserialize)]
pub(super) struct ReportQuery {
    #[serde(default)]
    format: ReportFormat,
    #[serde(default)]
    language: Language,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReportFormat {
    #[default]
    Json,
    Csv,
    Html,
}

impl ReportQuery {
    fn written(&self, results: &Results) -> Result<Response, ApiError> {
        let (kind, text) = match self.format {
            ReportFormat::Json => ("application/json", serde_json::to_string(results).map_err(|_| ApiError::busy())?),
            ReportFormat::Csv => ("text/csv; charset=utf-8", experiment::csv(results)),
            ReportFormat::Html => ("text/html; charset=utf-8", experiment::html(results, self.language)),
        };
        Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY)], text).into_response())
    }
}

/// `POST /api/lab/experiment`
pub(super) async fn at_once(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<ReportQuery>,
    Body(wanted): Body<Experiment>,
) -> Result<Response, ApiError> {
    let guard = StopOnDrop(StopToken::new());
    let results = experiments::run(&app.services().pool, visitor, (wanted, None), LONGEST, guard.0.clone(), |_| {})?;
    let (results, _) = results.await.unwrap_or_else(|_| Err(ApiError::bot_failed()))?;
    app.lab().look(move || query.written(&results)).await
}

/// `POST /api/lab/experiments`
pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Body(wanted): Body<Experiment>,
) -> Result<(StatusCode, Json<Standing>), ApiError> {
    Ok((StatusCode::CREATED, Json(Experiments::begin(&app, &visitor, wanted)?)))
}

/// `GET /api/lab/experiments/{id}`
pub(super) async fn view(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Standing>, ApiError> {
    app.experiments().find(&id).map(Json)
}

/// `GET /api/lab/experiments/{id}/events`
pub(super) async fn follow(
    State(app): State<App>,
    visitor: Visitor,
    method: Method,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    Ok(events::follow(&method, Experiments::follow(&app, visitor, &id)?))
}

/// What is wanted of an experiment.
#[derive(Deserialize)]
pub(super) struct Wish {
    running: bool,
}

/// `POST /api/lab/experiments/{id}`
pub(super) async fn steer(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(Wish { running }): Body<Wish>,
) -> Result<Json<Standing>, ApiError> {
    if running { app.experiments().find(&id) } else { app.experiments().stop(&id) }.map(Json)
}

/// `GET /api/lab/experiments/{id}/report`
pub(super) async fn report(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<ReportQuery>,
) -> Result<Response, ApiError> {
    let results = app.experiments().find(&id)?.results.ok_or_else(ApiError::no_such_address)?;
    app.lab().look(move || query.written(&results)).await
}

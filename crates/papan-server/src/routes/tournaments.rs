//! Tournaments and matches between bots.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::response::{Html, IntoResponse};
use papan_arena::tournament::{OpeningPlan, TournamentFile};
use papan_core::StopToken;
use serde::{Deserialize, Serialize};

use super::{Body, StopOnDrop, aside, events};
use crate::app::App;
use crate::arena::{Course, CourseView};
use crate::audience::{Audience, News, Work};
use crate::error::ApiError;
use crate::lab::Watchdog;
use crate::pool::{Lane, Ticket, Visitor};

/// The report's own program and style, and nothing of this server: as if it
/// came from another site.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; sandbox allow-scripts";

/// What the judge of openings holds.
const JUDGE_MEMORY: u64 = 384 << 20;
/// Openings that take longer to judge are given up.
const LONGEST_JUDGING: Duration = Duration::from_secs(60);

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
    visitor: Visitor,
    Body(keys): Body<serde_json::Value>,
) -> Result<impl IntoResponse, ApiError> {
    let file = TournamentFile::from_json(FilePath::new("tournament"), keys)
        .map_err(|error| ApiError::bad_tournament(&error))?;
    app.arena().check(&file)?;
    let id = prepared(&app, visitor, file).await?;
    let course = app.arena().steer(&id, true)?;
    let view = aside(move || Ok(course.view())).await?;
    Ok((StatusCode::CREATED, Json(Entry { view, id })))
}

/// Lays a tournament out. Openings that have to be judged are a search like
/// any other: it waits for its turn, and ends if the asker leaves.
async fn prepared(app: &App, visitor: Visitor, file: TournamentFile) -> Result<String, ApiError> {
    let guard = StopOnDrop(StopToken::new());
    let (stop, there) = (guard.0.clone(), app.clone());
    if !matches!(file.openings, OpeningPlan::Balanced { .. }) {
        return aside(move || there.arena().prepare(&file, &stop)).await;
    }
    let ticket = Ticket { lane: Lane::Lab, visitor, memory: JUDGE_MEMORY, stop: stop.clone() };
    let prepared = app.services().pool.run(ticket, move || {
        let _watch = Watchdog::after(LONGEST_JUDGING, stop.clone());
        there.arena().prepare(&file, &stop)
    })?;
    prepared.await.unwrap_or_else(|_| Err(ApiError::busy()))
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
    aside(move || {
        let course = app.arena().steer(&id, running)?;
        Ok(Entry { view: course.view(), id })
    })
    .await
    .map(Json)
}

/// A tournament that is listened to.
struct Followed {
    app: App,
    id: String,
    course: Arc<Course>,
}

impl Work for Followed {
    fn audience(&self) -> &Audience {
        self.course.audience()
    }

    fn go_on(&self) -> bool {
        self.app.arena().go_on(self.app.services().pool.memory(), &self.course)
    }

    fn pause(&self) {
        self.course.pause();
    }

    fn news(&self) -> News {
        // Asked first: what is told last must be the end.
        let over = self.course.is_finished();
        let entry = Entry { id: self.id.clone(), view: self.course.view() };
        News { state: serde_json::to_string(&entry).expect("every view is JSON").into(), over }
    }
}

/// `GET /api/tournaments/{id}/events`
pub(super) async fn follow(
    State(app): State<App>,
    method: Method,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    let work = aside(move || Ok(Followed { course: app.arena().find(&id)?, app, id })).await?;
    Ok(events::follow(&method, Arc::new(work)))
}

/// `GET /api/tournaments/{id}/report`
pub(super) async fn report(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<([(HeaderName, &'static str); 1], Html<String>), ApiError> {
    let page = aside(move || Ok(app.arena().find(&id)?.report())).await?;
    Ok(([(header::CONTENT_SECURITY_POLICY, REPORT_POLICY)], Html(page)))
}

//! Looking at games, the library, and join links.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use papan_core::{Player, Text};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::new_game::clean_name;
use super::{Body, Query};
use crate::app::App;
use crate::error::ApiError;
use crate::messages::Command;
use crate::roster;
use crate::store::{Page, SummaryRow};
use crate::view::{ResultView, SeatView, View};

/// `GET /api/games/{id}`
pub(super) async fn view(State(app): State<App>, Path(id): Path<String>) -> Result<Json<View>, ApiError> {
    Ok(Json(current_view(&app, &id).await?))
}

pub(super) async fn current_view(app: &App, id: &str) -> Result<View, ApiError> {
    let (reply, answer) = oneshot::channel();
    app.tell(id, Command::View { reply }).await?;
    answer.await.map_err(|_| ApiError::busy())
}

/// What someone with a link sends.
#[derive(Deserialize)]
pub(super) struct JoinRequest {
    secret: String,
    #[serde(default)]
    name: String,
}

/// The seat they get.
#[derive(Serialize)]
pub(super) struct Joined {
    seat: Player,
    token: String,
    view: View,
}

/// `POST /api/games/{id}/join`
pub(super) async fn join(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(JoinRequest { secret, name }): Body<JoinRequest>,
) -> Result<Json<Joined>, ApiError> {
    let (reply, answer) = oneshot::channel();
    app.tell(&id, Command::Join { secret, name: clean_name(&name), reply }).await?;
    let (seat, token, view) = answer.await.map_err(|_| ApiError::busy())??;
    Ok(Json(Joined { seat, token, view }))
}

/// `DELETE /api/games/{id}`, with the maker's key as `Authorization: Bearer …`:
/// a key in an address would stay in logs.
pub(super) async fn delete(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let token = key.ok_or_else(ApiError::not_the_owner)?.trim().to_owned();
    let (reply, answer) = oneshot::channel();
    app.tell(&id, Command::Delete { token, reply }).await?;
    answer.await.map_err(|_| ApiError::busy())??;
    Ok(StatusCode::NO_CONTENT)
}

/// Which part of the library is wanted.
#[derive(Deserialize)]
pub(super) struct LibraryQuery {
    cursor: Option<String>,
    limit: Option<usize>,
    game: Option<String>,
}

/// A line of the library.
#[derive(Serialize)]
struct Summary {
    id: String,
    game: String,
    title: Text,
    seats: [SeatView; 2],
    ply: usize,
    points: [i32; 2],
    to_move: Player,
    over: bool,
    result: Option<ResultView>,
    /// Milliseconds since 1970.
    created_ms: u64,
    /// Milliseconds since 1970.
    updated_ms: u64,
}

impl Summary {
    /// `None` for a game that this program no longer knows.
    fn of(row: SummaryRow) -> Option<Self> {
        let table = roster::table(&row.game, None).ok()?;
        Some(Self {
            title: table.info().title,
            seats: row.seats.each_ref().map(|seat| SeatView::of(seat, false)),
            over: row.outcome.is_some(),
            result: row.outcome.map(|outcome| ResultView::of(&table.players(), row.points, outcome)),
            id: row.id,
            game: row.game,
            ply: row.ply,
            points: row.points,
            to_move: row.to_move,
            created_ms: row.created_ms,
            updated_ms: row.updated_ms,
        })
    }
}

/// One page of the library.
#[derive(Serialize)]
pub(super) struct Library {
    games: Vec<Summary>,
    /// Where the next page begins.
    next: Option<String>,
}

/// `GET /api/games`
pub(super) async fn library(
    State(app): State<App>,
    Query(query): Query<LibraryQuery>,
) -> Result<Json<Library>, ApiError> {
    const USUAL: usize = 20;
    const MOST: usize = 100;
    let before = match query.cursor.as_deref().filter(|cursor| !cursor.is_empty()) {
        Some(cursor) => Some(cursor.parse().map_err(|_| ApiError::malformed("cursor"))?),
        None => None,
    };
    let limit = query.limit.unwrap_or(USUAL).clamp(1, MOST);
    let name = query.game.filter(|name| !name.is_empty());
    let (rows, next) = app.services().store.library(Page { before, limit, name }).await?;
    let games = rows.into_iter().filter_map(Summary::of).collect();
    Ok(Json(Library { games, next: next.map(|next| next.to_string()) }))
}

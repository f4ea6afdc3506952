//! Every address of the server.

mod analyse;
mod board;
pub(crate) mod catalog;
mod events;
mod experiments;
pub(crate) mod fuzzing;
mod games;
mod health;
mod lab;
mod new_game;
mod openapi;
mod queue;
mod record;
mod review;
mod tournaments;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::{HeaderValue, header};
use axum::routing::{MethodRouter, get, post};
use axum::{Router, middleware};
use papan_core::StopToken;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::App;
use crate::error::ApiError;
use crate::limits::BODY_LIMIT;
use crate::{answers, assets, compress, ending, guard, ws};

/// The addresses of the API. The OpenAPI document lists the same ones, and a
/// test compares.
fn api() -> Vec<(&'static str, MethodRouter<App>)> {
    vec![
        ("/api/catalog", get(catalog::catalog)),
        ("/api/games", get(games::library).post(new_game::create)),
        ("/api/games/{id}", get(games::view).delete(games::delete)),
        ("/api/games/{id}/join", post(games::join)),
        ("/api/games/{id}/record", get(record::record)),
        ("/api/games/{id}/review", get(review::of_game)),
        ("/api/games/{id}/live", get(ws::live)),
        ("/api/board", post(board::boards)),
        ("/api/board/edit", post(board::edit)),
        ("/api/board.svg", get(board::picture)),
        ("/api/record", get(record::line)),
        ("/api/review", get(review::of_line)),
        ("/api/analyse", get(analyse::analyse)),
        ("/api/lab/tree", get(lab::tree)),
        ("/api/lab/tree/children", get(lab::children)),
        ("/api/lab/tree/node", get(lab::node)),
        ("/api/lab/tree/step", get(lab::step)),
        ("/api/lab/tree/cut", get(lab::cut)),
        ("/api/lab/tree/picture", get(lab::picture)),
        ("/api/lab/run", get(lab::run)),
        ("/api/lab/run/generation", get(lab::generation)),
        ("/api/lab/exercise", get(lab::exercise).post(lab::check)),
        ("/api/lab/counts", get(lab::counts)),
        ("/api/lab/experiment", post(experiments::at_once)),
        ("/api/lab/experiments", post(experiments::begin)),
        ("/api/lab/experiments/{id}", get(experiments::view).post(experiments::steer)),
        ("/api/lab/experiments/{id}/events", get(experiments::follow)),
        ("/api/lab/experiments/{id}/report", get(experiments::report)),
        ("/api/tournaments", get(tournaments::list).post(tournaments::begin)),
        ("/api/tournaments/{id}", get(tournaments::view).post(tournaments::steer)),
        ("/api/tournaments/{id}/events", get(tournaments::follow)),
        ("/api/tournaments/{id}/report", get(tournaments::report)),
        ("/api/queue", get(queue::queue)),
        ("/api/health", get(health::health)),
        ("/api/openapi.json", get(openapi::document)),
    ]
}

/// The router over everything.
pub(crate) fn router(app: App) -> Router {
    let no_store = SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let api = api()
        .into_iter()
        .fold(Router::new(), |router, (path, methods)| router.route(path, methods))
        .route("/api/{*rest}", get(nothing_here).post(nothing_here))
        .method_not_allowed_fallback(|| async { ApiError::wrong_method() })
        .layer(no_store)
        .layer(middleware::from_fn(compress::compress))
        .layer(middleware::from_fn_with_state(app.clone(), answers::hold));
    Router::new()
        .merge(api)
        .fallback(assets::page)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(app.clone(), ending::end_streams))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn nothing_here() -> ApiError {
    ApiError::no_such_address()
}

/// A JSON body; what cannot be read gets our kind of error, and so does what
/// never comes.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let reading = axum::Json::from_request(request, app);
        let axum::Json(body) = timeout(app.limits().door.body, reading).await.map_err(|_| ApiError::too_slow())??;
        Ok(Self(body))
    }
}

/// The part after the question mark; what cannot be read gets our kind of error.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub(crate) struct Query<T>(pub(crate) T);

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        match rejection {
            JsonRejection::BytesRejection(_) => Self::too_large(BODY_LIMIT),
            other => {
                let text = other.body_text();
                // The library names its own types first; what is wrong comes after.
                Self::malformed(text.split_once("target type: ").map_or(&text, |(_, reason)| reason))
            }
        }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::malformed(&rejection.body_text())
    }
}

/// Stops a search when the answer that waits for it is dropped.
pub(crate) struct StopOnDrop(pub(crate) StopToken);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs what takes a while, such as making a bot or drawing many boards, away
/// from the sockets.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ApiError::busy()))
}

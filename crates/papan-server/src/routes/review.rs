//! Reviews as streams of events: one position after the other, then the end.
//! When the last reader goes away, the work stops.

use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::response::sse::Event;
use papan_core::table::Table;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::events::{self, event};
use super::{Query, aside};
use crate::app::App;
use crate::error::ApiError;
use crate::pool::Visitor;
use crate::review::{Listener, Method};
use crate::roster;
use crate::store::GameRow;

/// `GET /api/games/{id}/review`
pub(super) async fn of_game(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    // What everyone sees of a game is stored before.
    let row = app.services().store.game(id.clone()).await.map_err(|_| ApiError::storage())?;
    let row = row.ok_or_else(ApiError::no_such_game)?;
    if row.outcome.is_none() {
        return Err(ApiError::not_over());
    }
    let table = aside(move || played(&row)).await?;
    let method = Method::new(&table.spec(), None, None);
    stream(&app, visitor, &*table, Some(id), method)
}

fn played(row: &GameRow) -> Result<Box<dyn Table>, ApiError> {
    let mut table = roster::table(&row.game, Some(&row.start))?;
    for mv in &row.moves[..row.ply.min(row.moves.len())] {
        table.play(&mv.text)?;
    }
    Ok(table)
}

/// A line of moves that need not be of a stored game.
#[derive(Deserialize)]
pub(super) struct LineQuery {
    game: String,
    position: Option<String>,
    /// The moves, with spaces between them.
    #[serde(default)]
    moves: String,
    bot: Option<String>,
    nodes: Option<u64>,
}

/// `GET /api/review`
pub(super) async fn of_line(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LineQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let LineQuery { game, position, moves, bot, nodes } = query;
    let table = aside(move || {
        let mut table = roster::table(&game, position.as_deref().filter(|text| !text.is_empty()))?;
        for (index, mv) in moves.split_whitespace().enumerate() {
            table.play(mv).map_err(|error| ApiError::bad_move_at(index + 1, &error))?;
        }
        Ok(table)
    })
    .await?;
    let method = Method::new(&table.spec(), bot.filter(|bot| !bot.is_empty()), nodes);
    stream(&app, visitor, &*table, None, method)
}

fn stream(
    app: &App,
    visitor: Visitor,
    table: &dyn Table,
    id: Option<String>,
    method: Method,
) -> Result<impl IntoResponse + use<>, ApiError> {
    let (tell, stream) = mpsc::unbounded_channel();
    let begin = json!({"positions": table.ply() + 1, "method": &method});
    let listener = app.reviews().listen(app.services(), visitor, table, id, method)?;
    let _ = tell.send(event("begin", &begin));
    tokio::spawn(forward(listener, tell));
    Ok(events::answer(UnboundedReceiverStream::new(stream)))
}

/// Passes a review on until it ends or the reader goes away.
async fn forward(mut listener: Listener, tell: mpsc::UnboundedSender<Event>) {
    let mut told = 0;
    loop {
        let (news, end) = {
            let progress = listener.borrow_and_update();
            (progress.positions[told..].to_vec(), progress.end.clone())
        };
        told += news.len();
        for position in news {
            let _ = tell.send(Event::default().event("position").data(&*position));
        }
        match end {
            Some(Ok(())) => return drop(tell.send(event("end", &json!({})))),
            Some(Err(error)) => return drop(tell.send(event("error", &error))),
            None => {}
        }
        tokio::select! {
            changed = listener.changed() => if changed.is_err() {
                return;
            },
            () = tell.closed() => return,
        }
    }
}

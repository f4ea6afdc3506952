//! Analysis as a stream of events: what the bot thinks, then what it found,
//! then how play would go on. When the reader goes away, the search stops.

use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use papan_core::{Budget, parse_time};
use papan_roster::advice::{self, Analysis};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::events::{self, event};
use super::{Query, StopOnDrop};
use crate::app::App;
use crate::error::ApiError;
use crate::messages::Found;
use crate::pool::{Lane, Search, Thinker, Visitor};
use crate::{analysis, lines, roster};

/// What to analyse, by whom and for how long.
#[derive(Deserialize)]
pub(super) struct AnalyseQuery {
    game: String,
    position: Option<String>,
    bot: Option<String>,
    time: Option<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

const USUAL_TIME: Duration = Duration::from_secs(2);
const LONGEST_TIME: Duration = Duration::from_secs(60);

/// `GET /api/analyse`
pub(super) async fn analyse(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<AnalyseQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let table = roster::table(&query.game, query.position.as_deref().filter(|text| !text.is_empty()))?;
    let budget = budget(&query)?;
    let spec = query.bot.filter(|bot| !bot.is_empty()).unwrap_or_else(|| advice::adviser(&table.spec()));
    let (tell, stream) = mpsc::unbounded_channel();
    let guard = StopOnDrop(budget.stop.clone());
    if table.is_over() {
        let _ = tell.send(event("result", &Analysis::blank(&*table, &spec)));
    } else {
        let (copy, here, thoughts) = (table.fork(), table.fork(), tell.clone());
        let (bot_here, bot_there) = (spec.clone(), spec.clone());
        let stop = budget.stop.clone();
        let search = Search {
            table,
            thinker: Thinker::Named(spec),
            budget,
            on_start: Box::new(|| {}),
            on_done: Box::new(move |bot, found, elapsed| {
                let choice = match found {
                    Found::Choice(choice) => choice,
                    Found::Stopped => return,
                    Found::Failed(error) => return drop(tell.send(event("error", &error))),
                };
                let found = analysis::of_choice(&*copy, &bot_there, &choice, elapsed);
                if let (Ok(()), Some(mut bot)) = (tell.send(event("result", &found)), bot) {
                    lines::follow(&mut *bot.bot, &*copy, &found, &stop, |moves| {
                        let _ = tell.send(event("line", &moves));
                    });
                }
            }),
        };
        let on_report = Box::new(move |report| {
            let _ = thoughts.send(event("thinking", &analysis::how_far(&*here, &bot_here, &report)));
        });
        app.services().pool.try_submit(Lane::Looks, visitor, search, on_report)?;
    }
    let stream = UnboundedReceiverStream::new(stream).map(move |event| {
        let _search = &guard;
        event
    });
    Ok(events::answer(stream))
}

/// Time is always limited, if only by the longest time.
fn budget(query: &AnalyseQuery) -> Result<Budget, ApiError> {
    let time = match query.time.as_deref().filter(|time| !time.is_empty()) {
        Some(time) => Some(parse_time(time).ok_or_else(|| ApiError::malformed("time is such as 5s or 100ms"))?),
        None => None,
    };
    let unlimited = query.depth.is_none() && query.nodes.is_none();
    let time = time.unwrap_or(if unlimited { USUAL_TIME } else { LONGEST_TIME }).min(LONGEST_TIME);
    Ok(Budget { nodes: query.nodes, depth: query.depth, every_move: true, ..Budget::time(time) })
}

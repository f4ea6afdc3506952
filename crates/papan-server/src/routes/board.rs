//! Boards without a game: setting up, pasting records, pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use papan_core::edit::{self, Content, Edit};
use papan_core::render::svg;
use papan_core::scene::Scene;
use papan_core::table::Table;
use papan_core::{Margin, Player, Text};
use serde::{Deserialize, Serialize};

use super::{Body, Query, aside};
use crate::app::App;
use crate::error::ApiError;
use crate::{record, roster};

/// A position and moves, or a record in any notation.
#[derive(Deserialize)]
pub(super) struct BoardRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    record: Option<String>,
    #[serde(default)]
    scenes: Scenes,
}

/// Which boards are wanted with their scene: a long line of them is large.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scenes {
    #[default]
    All,
    Last,
}

/// Every board of the line.
#[derive(Serialize)]
pub(super) struct Boards {
    game: String,
    start: String,
    /// No margin of this game is beyond plus or minus this.
    bound: i32,
    boards: Vec<Board>,
}

#[derive(Serialize)]
struct Board {
    ply: usize,
    position: String,
    scene: Option<Scene>,
    points: [i32; 2],
    margin: Margin,
    to_move: Player,
    over: bool,
    legal: Vec<String>,
    status: Vec<(Text, String)>,
    /// The move that led here and who made it.
    #[serde(rename = "move")]
    mv: Option<String>,
    by: Option<Player>,
}

impl Board {
    fn of(table: &dyn Table, by: Option<Player>, with_scene: bool) -> Self {
        Self {
            ply: table.ply(),
            position: table.position(),
            scene: with_scene.then(|| table.scene()),
            points: table.points(),
            margin: table.margin(),
            to_move: table.to_move(),
            over: table.is_over(),
            legal: table.legal_moves(),
            status: table.status(),
            mv: table.last_move(),
            by,
        }
    }
}

/// `POST /api/board`
pub(super) async fn boards(State(app): State<App>, Body(request): Body<BoardRequest>) -> Result<Response, ApiError> {
    // A scene has a hundred times the size of the rest of its board.
    let large = request.scenes == Scenes::All;
    let work = move || line(&request).map(Json);
    if large { app.answers().make(work).await } else { aside(move || work().map(Json::into_response)).await }
}

pub(super) fn line(request: &BoardRequest) -> Result<Boards, ApiError> {
    let table = match request.record.as_deref() {
        Some(text) => record::read(&request.game, text)?,
        None => {
            let mut table = roster::table(&request.game, request.position.as_deref().filter(|text| !text.is_empty()))?;
            for (index, mv) in request.moves.iter().enumerate() {
                table.play(mv).map_err(|error| ApiError::bad_move_at(index + 1, &error))?;
            }
            table
        }
    };
    Ok(Boards::of(&*table, request.scenes))
}

/// A change to be made by hand: to what is at a place (`place`, and `content`
/// or else whatever comes next there), to the turn, or to everything.
#[derive(Deserialize)]
pub(super) struct EditRequest {
    game: String,
    #[serde(default)]
    position: Option<String>,
    #[serde(flatten)]
    change: Change,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    Place {
        id: String,
        #[serde(default)]
        content: Option<Content>,
    },
    ToMove(Player),
    Clear(bool),
}

/// `POST /api/board/edit`
pub(super) async fn edit(Body(request): Body<EditRequest>) -> Result<Json<Boards>, ApiError> {
    aside(move || edited(&request)).await.map(Json)
}

pub(super) fn edited(request: &EditRequest) -> Result<Boards, ApiError> {
    let table = roster::table(&request.game, request.position.as_deref().filter(|text| !text.is_empty()))?;
    let edited = match &request.change {
        Change::Place { id, content: Some(content) } => table.edited(Edit::Put { place: id, content: *content })?,
        Change::Place { id, content: None } => edit::cycled(&*table, id)?,
        Change::ToMove(player) => table.edited(Edit::Turn(*player))?,
        Change::Clear(true) => edit::cleared(&*table),
        Change::Clear(false) => table,
    };
    Ok(Boards::of(&*edited, Scenes::All))
}

impl Boards {
    fn of(table: &dyn Table, scenes: Scenes) -> Self {
        Self {
            game: table.spec(),
            start: table.start_position(),
            bound: table.margin_bound(),
            boards: every_board(table, scenes),
        }
    }
}

fn every_board(played: &dyn Table, scenes: Scenes) -> Vec<Board> {
    let mut table = played.fork();
    while table.undo() {}
    let with_scene = |table: &dyn Table| scenes == Scenes::All || table.ply() == played.ply();
    let mut boards = vec![Board::of(&*table, None, with_scene(&*table))];
    for _ in 0..played.ply() {
        let by = table.to_move();
        table.redo();
        boards.push(Board::of(&*table, Some(by), with_scene(&*table)));
    }
    boards
}

/// A position to be drawn.
#[derive(Deserialize)]
pub(super) struct PictureQuery {
    game: String,
    position: Option<String>,
    last: Option<String>,
}

/// `GET /api/board.svg`
pub(super) async fn picture(Query(query): Query<PictureQuery>) -> Result<impl IntoResponse, ApiError> {
    let table = roster::table(&query.game, query.position.as_deref().filter(|text| !text.is_empty()))?;
    let marks = svg::Marks { last: query.last.as_deref(), legal: false };
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg::render(&table.scene(), marks)))
}

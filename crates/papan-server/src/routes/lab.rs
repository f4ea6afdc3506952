//! The lab: recorded searches piece by piece, exercises, experiments. Every
//! view is an address: the same question gives the same answer.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use papan_core::Language;
use papan_core::scene::Scene;
use papan_lab::draw;
use papan_lab::exercise::{Answer, Exercise, Verdict};
use papan_lab::runs::{ChildView, PlanView, RunView};
use papan_lab::tree::{NodeView, SearchTrace, StepView, Summary};
use serde::{Deserialize, Serialize};

use super::{Body, Query};
use crate::app::App;
use crate::error::ApiError;
use crate::lab::{Counts, Question};
use crate::pool::Visitor;

/// The most positions in one answer.
const MOST_NODES: usize = 1000;
const USUAL_NODES: usize = 100;
/// Children shown of each position that a step is in.
const NEAR: usize = 11;
/// The looks of a local search in one answer.
const SHOWN_STEPS: usize = 2000;
/// Documents of their own carry their own style and nothing that runs.
pub(super) const DOCUMENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals";

/// A question about one search, with what each address needs besides.
#[derive(Deserialize)]
pub(super) struct LabQuery {
    game: String,
    position: Option<String>,
    bot: String,
    depth: Option<u32>,
    /// A position's number.
    id: Option<u32>,
    /// A step's or a generation's number.
    n: Option<u64>,
    /// Backwards?
    #[serde(default)]
    back: bool,
    from: Option<usize>,
    nodes: Option<usize>,
    #[serde(default)]
    format: Format,
    #[serde(default)]
    language: Language,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Svg,
    Dot,
    Html,
}

impl LabQuery {
    fn question(&self) -> Question {
        let Self { game, position, bot, depth, .. } = self;
        Question { game: game.clone(), position: position.clone(), bot: papan_roster::current_spec(bot), depth: *depth }
    }

    fn nodes(&self) -> usize {
        self.nodes.unwrap_or(USUAL_NODES).clamp(1, MOST_NODES)
    }
}

/// Looks at a tree search away from the sockets.
async fn look<T: Send + 'static>(
    app: App,
    visitor: Visitor,
    query: LabQuery,
    view: impl FnOnce(&SearchTrace, &LabQuery) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let trace = app.lab().tree(&app.services().pool, visitor, query.question()).await?;
    app.lab().look(move || view(&trace, &query)).await
}

/// A search and the top of its tree.
#[derive(Serialize)]
pub(super) struct Tree {
    #[serde(flatten)]
    summary: Summary,
    shown: usize,
    tree: Vec<NodeView>,
}

/// `GET /api/lab/tree`
pub(super) async fn tree(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<Tree>, ApiError> {
    let tree = look(app, visitor, query, |trace, query| {
        let tree = trace.top(query.nodes());
        Ok(Tree { summary: trace.summary(), shown: tree.len(), tree })
    });
    tree.await.map(Json)
}

/// `GET /api/lab/tree/children`
pub(super) async fn children(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<Vec<NodeView>>, ApiError> {
    let children =
        look(app, visitor, query, |trace, query| Ok(trace.children(query.id, query.from.unwrap_or(0), query.nodes())));
    children.await.map(Json)
}

/// A position of the tree with its board.
#[derive(Serialize)]
pub(super) struct Node {
    node: NodeView,
    scene: Scene,
    position: String,
    /// The steps at which the search enters and leaves it.
    entered: u64,
    left: u64,
}

/// `GET /api/lab/tree/node`
pub(super) async fn node(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<Node>, ApiError> {
    let node = look(app, visitor, query, |trace, query| {
        let id = query.id.unwrap_or(0);
        let node = trace.node(id).ok_or_else(ApiError::no_such_address)?;
        let table = trace.table_at(id);
        let (entered, left) = (trace.entered(id), trace.left(id));
        Ok(Node { node, scene: table.scene(), position: table.position(), entered, left })
    });
    node.await.map(Json)
}

/// A step of the search with its board.
#[derive(Serialize)]
pub(super) struct Step {
    #[serde(flatten)]
    step: StepView,
    /// What is right below each position of the path, near the path.
    near: Vec<Vec<NodeView>>,
    scene: Scene,
    position: String,
}

/// `GET /api/lab/tree/step`
pub(super) async fn step(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<Step>, ApiError> {
    let step = look(app, visitor, query, |trace, query| {
        let step = trace.step(query.n.unwrap_or(0)).ok_or_else(ApiError::no_such_address)?;
        let table = trace.table_at(step.node.id);
        let path: Vec<u32> = step.path.iter().map(|standing| standing.node.id).collect();
        let near =
            path.iter().enumerate().map(|(place, &id)| trace.children_near(id, path.get(place + 1).copied(), NEAR));
        Ok(Step { near: near.collect(), step, scene: table.scene(), position: table.position() })
    });
    step.await.map(Json)
}

/// The step of the next cut, if there is one.
#[derive(Serialize)]
pub(super) struct CutStep {
    step: Option<u64>,
}

/// `GET /api/lab/tree/cut`
pub(super) async fn cut(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<CutStep>, ApiError> {
    let cut = look(app, visitor, query, |trace, query| {
        Ok(CutStep { step: trace.cut_step(query.n.unwrap_or(0), !query.back) })
    });
    cut.await.map(Json)
}

/// `GET /api/lab/tree/picture`
pub(super) async fn picture(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let (kind, text) = look(app, visitor, query, |trace, query| {
        let (nodes, language) = (query.nodes(), query.language);
        Ok(match query.format {
            Format::Svg => ("image/svg+xml", draw::svg(trace, nodes, language)),
            Format::Dot => ("text/vnd.graphviz", draw::dot(trace, nodes, language)),
            Format::Html => ("text/html; charset=utf-8", draw::html(trace, nodes, language)),
        })
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, DOCUMENT_POLICY)], text))
}

/// `GET /api/lab/counts`
pub(super) async fn counts(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<Counts>, ApiError> {
    app.lab().counts(&app.services().pool, visitor, query.question()).await.map(Json)
}

/// A run with the board that it looks at.
#[derive(Serialize)]
pub(super) struct RunAnswer {
    #[serde(flatten)]
    run: RunView,
    scene: Scene,
}

/// `GET /api/lab/run`
pub(super) async fn run(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<RunAnswer>, ApiError> {
    let run = app.lab().run(&app.services().pool, visitor, query.question()).await?;
    let answer = app.lab().look(move || Ok(RunAnswer { run: run.view(SHOWN_STEPS), scene: run.scene() }));
    answer.await.map(Json)
}

/// A generation: who lives in it, and how those born in it came to be.
#[derive(Serialize)]
pub(super) struct GenerationAnswer {
    population: Vec<PlanView>,
    children: Vec<ChildView>,
}

/// `GET /api/lab/run/generation`
pub(super) async fn generation(
    State(app): State<App>,
    visitor: Visitor,
    Query(query): Query<LabQuery>,
) -> Result<Json<GenerationAnswer>, ApiError> {
    let run = app.lab().run(&app.services().pool, visitor, query.question()).await?;
    let generation = app.lab().look(move || {
        let number = query.n.map_or(0, |n| u32::try_from(n).unwrap_or(u32::MAX));
        Ok(GenerationAnswer { population: run.population(number), children: run.children(number) })
    });
    generation.await.map(Json)
}

/// Which exercise.
#[derive(Deserialize)]
pub(super) struct ExerciseQuery {
    #[serde(default)]
    difficulty: u32,
    #[serde(default)]
    seed: u64,
    /// The worked example of the Othello report instead.
    #[serde(default)]
    example: bool,
}

impl ExerciseQuery {
    fn exercise(&self) -> Exercise {
        if self.example { Exercise::of_the_report() } else { Exercise::new(self.difficulty, self.seed) }
    }
}

/// `GET /api/lab/exercise`
pub(super) async fn exercise(Query(query): Query<ExerciseQuery>) -> Json<Exercise> {
    Json(query.exercise())
}

/// `POST /api/lab/exercise`
pub(super) async fn check(Query(query): Query<ExerciseQuery>, Body(answer): Body<Answer>) -> Json<Verdict> {
    Json(query.exercise().check(&answer))
}

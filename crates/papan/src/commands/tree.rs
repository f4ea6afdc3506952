//! `papan tree`: a search as a picture, a document or data.

use papan_core::Budget;
use papan_lab::draw;
use papan_lab::tree::{NodeView, SearchTrace, Summary};
use serde::Serialize;

use crate::cli::{TreeArgs, TreeFormat};
use crate::error::CliError;
use crate::output;

/// Positions kept of a search: 50 bytes each.
const KEPT: usize = 4_000_000;

/// What `--format json` prints.
#[derive(Serialize)]
struct TreeJson {
    #[serde(flatten)]
    summary: Summary,
    shown: usize,
    tree: Vec<NodeView>,
}

pub(crate) fn run(args: &TreeArgs) -> Result<(), CliError> {
    let table = papan_roster::table(&args.game, args.position.as_deref())?;
    if table.is_over() {
        return Err(CliError::Usage("position: the game is over, so there is nothing to search".to_owned()));
    }
    let spec = table.spec();
    let mut bot = papan_roster::bot(&spec, &args.bot)?;
    let budget = Budget { depth: args.depth, ..Budget::default() };
    let trace = SearchTrace::run(&*table, &args.bot, &mut *bot, &budget, KEPT);
    if !trace.is_tree() {
        let names = drawable(&spec)?;
        let words = format!("--bot: {} searches no tree that can be drawn; {} do", args.bot, names.join(", "));
        return Err(CliError::Usage(words));
    }
    let language = args.language.into();
    let format = if args.json { TreeFormat::Json } else { args.format };
    let text = match format {
        TreeFormat::Svg => draw::svg(&trace, args.nodes, language),
        TreeFormat::Dot => draw::dot(&trace, args.nodes, language),
        TreeFormat::Html => draw::html(&trace, args.nodes, language),
        TreeFormat::Json => {
            let tree = trace.top(args.nodes);
            let json = TreeJson { summary: trace.summary(), shown: tree.len(), tree };
            serde_json::to_string(&json).map_err(std::io::Error::from)? + "\n"
        }
    };
    output::to_file_or_screen(args.out.as_deref(), &text)
}

/// The bots of a game whose trees can be drawn.
fn drawable(game: &str) -> Result<Vec<&'static str>, CliError> {
    Ok(papan_roster::bots(game)?.into_iter().filter(|bot| bot.searches_tree).map(|bot| bot.name).collect())
}

//! `papan tree`: a search as a picture, a document or data.

use std::ffi::OsStr;
use std::path::Path;
use std::thread;
use std::time::Duration;

use papan_core::{Budget, StopToken};
use papan_lab::draw;
use papan_lab::tree::{NodeView, SearchTrace, Summary};
use serde::Serialize;

use crate::cli::{TreeArgs, TreeFormat};
use crate::error::CliError;
use crate::{interrupt, output};

/// Positions kept of a search: 50 bytes each.
const KEPT: usize = 4_000_000;

/// A search that takes longer is stopped and drawn as far as it came, as in the
/// lab on the page.
const LONGEST: Duration = Duration::from_secs(20);

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
    let stop = interrupt::token();
    stop_late(stop.clone());
    let budget = Budget { depth: args.depth, stop: stop.clone(), ..Budget::default() };
    let trace = SearchTrace::run(&*table, &args.bot, &mut *bot, &budget, KEPT);
    let stopped = stop.is_stopped();
    if !trace.is_tree() {
        let names = drawable(&spec)?;
        let words = format!("--bot: {} searches no tree that can be drawn; {} do", args.bot, names.join(", "));
        return Err(CliError::Usage(words));
    }
    let language = args.language.into();
    let format =
        if args.json { TreeFormat::Json } else { args.format.unwrap_or_else(|| by_ending(args.out.as_deref())) };
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
    output::to_file_or_screen(args.out.as_deref(), &text)?;
    if stopped {
        let words = "the search was stopped and is drawn as far as it came; --depth gives a smaller one";
        return Err(CliError::Interrupted(words.to_owned()));
    }
    Ok(())
}

/// What the ending of a file asks for; a picture if it says nothing.
fn by_ending(file: Option<&Path>) -> TreeFormat {
    match file.and_then(Path::extension).and_then(OsStr::to_str) {
        Some("dot") => TreeFormat::Dot,
        Some("json") => TreeFormat::Json,
        Some("html") => TreeFormat::Html,
        _ => TreeFormat::Svg,
    }
}

/// A limit of time in the budget would change how a bot searches, so that it
/// is stopped from outside.
fn stop_late(stop: StopToken) {
    thread::spawn(move || {
        thread::sleep(LONGEST);
        stop.stop();
    });
}

/// The bots of a game whose trees can be drawn.
fn drawable(game: &str) -> Result<Vec<&'static str>, CliError> {
    Ok(papan_roster::bots(game)?.into_iter().filter(|bot| bot.searches_tree).map(|bot| bot.name).collect())
}

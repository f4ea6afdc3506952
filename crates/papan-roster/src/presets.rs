//! General bots with fixed settings: `brute-force`, and those of the reports'
//! bots for which settings are enough. The others are in
//! `papan_engines::report`.

use papan_bots::common::shared_options;
use papan_core::error::Subject;
use papan_core::{Bits, BotEntry, BotInfo, Game, Settings, Spec, Text};
use papan_engines::report;
use papan_engines::report::tic_tac_toe::Report2023Minimax;
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

/// A general bot with fixed settings.
trait Preset {
    const NAME: &'static str;
    /// The general bot and its settings.
    const BOT: &'static str;
    const TITLE: Text;
    const ABOUT: Text;
}

/// The roster line of a preset. `seed`, `time` and `nodes` can still be given.
fn preset<G: Game, P: Preset>() -> BotEntry<G> {
    let searches_tree = general_bot::<G>(P::BOT).info.searches_tree;
    BotEntry {
        info: BotInfo { name: P::NAME, title: P::TITLE, about: P::ABOUT, options: shared_options(), searches_tree },
        build: |game, settings| {
            let given = settings.canonical("", &shared_options());
            let text = format!("{},{}", P::BOT, given.trim_start_matches(':'));
            let spec = Spec::split(&text);
            let entry = general_bot::<G>(P::BOT);
            let settings = Settings::read(Subject::Bot, &spec, &entry.info.options).expect("a preset can be read");
            (entry.build)(game, &settings)
        },
    }
}

/// The general bot that a preset is made of.
fn general_bot<G: Game>(spec: &str) -> BotEntry<G> {
    let name = Spec::split(spec).name;
    let entry = papan_bots::all::<G>().into_iter().find(|entry| entry.info.name == name);
    entry.expect("a preset names a general bot")
}

/// Minimax to the end of every line.
struct BruteForce;

impl Preset for BruteForce {
    const NAME: &'static str = "brute-force";
    const BOT: &'static str = "minimax:depth=0";
    const TITLE: Text = Text::new("Brute force", "Pencarian menyeluruh");
    const ABOUT: Text = Text::new(
        "Plain minimax to the end of the game, without any cut. On a large board only a limit of time or positions ends it: then it looks 1 ply ahead, then 2, and so on.",
        "Minimax biasa sampai akhir permainan, tanpa pemangkasan. Di papan besar hanya batas waktu atau posisi yang menghentikannya: ia melihat 1 ply (satu langkah satu pemain) ke depan, lalu 2, dan seterusnya.",
    );
}

/// The presets that play every game.
pub(crate) fn general<G: Game>() -> Vec<BotEntry<G>> {
    vec![preset::<_, BruteForce>()]
}

/// Tic-tac-toe (2014): the whole tree with alpha-beta, 100 − level for a win,
/// the first best move.
struct TicTacToeMinimax;

impl Preset for TicTacToeMinimax {
    const NAME: &'static str = "report-minimax";
    const BOT: &'static str = "alpha-beta:eval=level";
    const TITLE: Text = Text::new("Minimax of the 2014 report", "Minimax dari laporan 2014");
    const ABOUT: Text = Text::new(
        "The 2014 report's minimax: the whole tree with alpha-beta, quick wins and late losses first.",
        "Minimax dari laporan 2014: seluruh pohon dengan alpha-beta, menang cepat dan kalah lambat diutamakan.",
    );
}

/// Adjacency (2023): marks after the move by the true rules, first best.
struct AdjacencyHillClimbing;

impl Preset for AdjacencyHillClimbing {
    const NAME: &'static str = "report-hill-climbing";
    const BOT: &'static str = "hill-climbing:variant=steepest,eval=marks";
    const TITLE: Text = Text::new("Hill climbing of the report", "Hill climbing dari laporan");
    const ABOUT: Text = Text::new(
        "The 2023 report's steepest ascent: the first cell that gains most marks at once.",
        "Steepest ascent dari laporan 2023: kotak pertama yang langsung memberi marka terbanyak.",
    );
}

/// Dots and Boxes (2022): depth 3; whoever completes a box goes on. Under a
/// time limit too it is one search, so that the first best move stays first.
struct DotsAndBoxesMinimax;

impl Preset for DotsAndBoxesMinimax {
    const NAME: &'static str = "report-minimax";
    const BOT: &'static str = "alpha-beta:depth=3,eval=report-chains,deepening=off";
    const TITLE: Text = Text::new("Minimax of the report", "Minimax dari laporan");
    const ABOUT: Text = Text::new(
        "The 2022 report's minimax: three plies with alpha-beta; boxes, closed and open chains.",
        "Minimax dari laporan 2022: tiga langkah dengan alpha-beta; kotak, rantai tertutup dan terbuka.",
    );
}

/// Othello (2022): depth 4, discs 5 in a corner, 3 on an edge, 1 inside.
struct OthelloAlphaBeta;

impl Preset for OthelloAlphaBeta {
    const NAME: &'static str = "report-alpha-beta";
    const BOT: &'static str = "alpha-beta:depth=4,eval=report-table,deepening=off";
    const TITLE: Text = Text::new("Alpha-beta of the report", "Alpha-beta dari laporan");
    const ABOUT: Text = Text::new(
        "The 2022 report's alpha-beta: four plies; a disc counts 5 in a corner, 3 on an edge, 1 inside.",
        "Alpha-beta dari laporan 2022: empat langkah; cakram bernilai 5 di pojok, 3 di tepi, 1 di dalam.",
    );
}

/// The presets of Tic-tac-toe.
pub(crate) fn tic_tac_toe<B: Bits>() -> Vec<BotEntry<TicTacToe<B>>> {
    vec![preset::<_, TicTacToeMinimax>(), Report2023Minimax::entry()]
}

/// The board that `bot` is for, if that is not the one of `game`.
pub(crate) fn other_tic_tac_toe_for<B: Bits>(game: &TicTacToe<B>, bot: &str) -> Option<&'static str> {
    let misfit = bot == Report2023Minimax::NAME && !Report2023Minimax::plays(game);
    misfit.then_some("tic-tac-toe:rows=3,cols=3,k=3")
}

/// The presets of Adjacency.
pub(crate) fn adjacency() -> Vec<BotEntry<Adjacency>> {
    vec![
        report::adjacency::ReportMinimax::entry(),
        preset::<_, AdjacencyHillClimbing>(),
        report::adjacency::ReportGenetic::entry(),
    ]
}

/// The presets of Dots and Boxes.
pub(crate) fn dots_and_boxes<B: Bits>() -> Vec<BotEntry<DotsAndBoxes<B>>> {
    vec![report::dots_and_boxes::ReportHillClimbing::entry(), preset::<_, DotsAndBoxesMinimax>()]
}

/// The presets of Othello.
pub(crate) fn othello() -> Vec<BotEntry<Othello>> {
    vec![preset::<_, OthelloAlphaBeta>()]
}

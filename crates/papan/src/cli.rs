//! The command line: every command with its arguments, in one place.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::demand::DemandArgs;
use crate::error::CliError;
use crate::fleet::args::{AccessArgs, QueueArgs};
pub(crate) use crate::fleet::args::{SamplesArgs, WorkerArgs};

/// Threads of one command: more than any machine has cores, and few enough to
/// be started.
pub(crate) const MOST_JOBS: i64 = papan_arena::tournament::MOST_JOBS as i64;
/// Games of one command: their records are kept until its end.
pub(crate) const MOST_GAMES: i64 = papan_arena::tournament::MOST_GAMES as i64;

const AFTER_HELP: &str = "\
Games are written name:option=value,… — for example othello:size=6,first=white.
`papan games` lists every game with its options, ranges and defaults.";

/// Play, see, pit and solve Tic-tac-toe, Adjacency, Dots and Boxes and Othello.
#[derive(Debug, Parser)]
#[command(name = "papan", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do; without a command Papan opens the page in the browser.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the page on a local port and open it in the browser.
    Serve(ServeArgs),
    /// List every game with its options, their ranges and defaults.
    Games(GamesArgs),
    /// List every bot with its options, their ranges and defaults.
    Bots(BotsArgs),
    /// Value every move of a position, best first.
    Analyse(AnalyseArgs),
    /// Find the exact value of a position and its best moves.
    Solve(SolveArgs),
    /// Let two bots play each other, in pairs with the sides swapped.
    Match(MatchArgs),
    /// Play a tournament that a file describes; see docs/tournaments.md.
    Tournament(TournamentArgs),
    /// Do the jobs of a queue; see docs/many-machines.md.
    Worker(WorkerArgs),
    /// Make samples for training the Othello engine: its games with itself, or
    /// recorded ones, every position with a score.
    Samples(SamplesArgs),
    /// Run the reports' experiments again.
    Reproduce(ReproduceArgs),
    /// Draw the tree that a bot searches, with every cut explained.
    Tree(TreeArgs),
    /// Measure bots by depth and against each other; writes a report.
    Experiment(ExperimentArgs),
    /// Speak the Papan protocol on standard input and output.
    Engine(EngineArgs),
    /// Test an outside bot against the protocol.
    #[cfg(target_os = "linux")]
    CheckBot(CheckBotArgs),
    /// The sandbox's launcher: this program starting another one, shut in.
    #[cfg(target_os = "linux")]
    #[command(name = crate::contestant::LAUNCHER, hide = true)]
    Sandbox(SandboxArgs),
    /// Draw a position as text or as an SVG picture.
    Show(ShowArgs),
    /// Play in the terminal, with another person or against a bot.
    Play(PlayArgs),
    /// Count the leaves of a game tree, with the digest that tells rules apart.
    Perft(PerftArgs),
    /// Measure the speed of everything; prints one signature number.
    Bench(BenchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GamesArgs {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BotsArgs {
    /// Only the bots for this game.
    pub(crate) game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Default, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen, such as 127.0.0.1:8080; a free local port if left out.
    #[arg(long)]
    pub(crate) addr: Option<String>,
    /// The file that keeps the games; in your data folder if left out.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Let other machines in: needed for every address but this machine's own.
    /// The server then answers to the names given with --host, and to the
    /// address it was reached at, and to no other.
    #[arg(long)]
    pub(crate) open: bool,
    /// A name that people reach the server by, such as papan.example; may be
    /// given several times.
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// Games that are kept, 100000 if left out; beyond this many the oldest
    /// go, unplayed ones first.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) keep: Option<u32>,
    /// Megabytes that all searches may use together; a quarter of this
    /// machine's memory, 2048 at most, if left out.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(256..=1_048_576))]
    pub(crate) memory: Option<u64>,
    /// Show the workers of this queue in the arena: nats://HOST:PORT.
    #[arg(long, value_name = "URL")]
    pub(crate) queue: Option<String>,
    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Only the tables whose name begins so, such as adjacency.
    pub(crate) table: Option<String>,
    /// Games for each random figure.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: u32,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    /// The game, such as othello.
    pub(crate) game: String,
    /// The position, or the moves that lead to it such as "a1 b2"; the start if left
    /// out.
    #[arg(allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// The bot that analyses; the strongest for the game if left out.
    #[arg(long, value_name = "SPEC", value_parser = current_spec)]
    pub(crate) bot: Option<String>,
    /// How long it may think, such as 5s (the default without --bot).
    #[arg(long, conflicts_with = "depth")]
    pub(crate) time: Option<String>,
    /// How many plies it may look ahead; a ply is one move of one player.
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// The game, such as dots-and-boxes:rows=4,cols=4.
    pub(crate) game: String,
    /// The position, or the moves that lead to it such as "a1 b2"; the start if left
    /// out.
    #[arg(allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Solve every position of a file, one a line, and print one JSON object a line.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) suite: Option<PathBuf>,
    /// One best move is enough.
    #[arg(long, conflicts_with = "queue")]
    pub(crate) one: bool,
    /// Worker threads; all cores if left out.
    #[arg(long, conflicts_with = "queue", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) threads: Option<u16>,
    /// Megabytes for the hash table.
    #[arg(long, value_name = "MB", value_parser = table_size)]
    pub(crate) table: Option<usize>,
    /// Keep what has been learnt in this file, every ten minutes and when stopped.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "queue"])]
    pub(crate) save: Option<PathBuf>,
    /// Go on with what --save kept; the table has the size it had then.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "table", "queue"])]
    pub(crate) resume: Option<PathBuf>,
    /// Stop after this time, with the bounds found so far. Ctrl-C does the same.
    #[arg(long, conflicts_with = "queue")]
    pub(crate) time: Option<String>,
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The game, such as adjacency:rounds=28.
    pub(crate) game: String,
    /// One bot, such as alpha-beta:depth=4, or a program of yours:
    /// "exec:python3 bots/mine.py".
    #[arg(value_parser = current_spec)]
    pub(crate) first: String,
    /// The other bot.
    #[arg(value_parser = current_spec)]
    pub(crate) second: String,
    /// How many games; each opening is played twice, with the sides swapped.
    /// Left out it is 20, and with --sprt as many as it takes, 100000 at most.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    pub(crate) games: Option<u32>,
    /// Stop as soon as the result is clear: a test of one Elo difference
    /// against another, such as elo0=0,elo1=5 with alpha=0.05,beta=0.05.
    #[arg(long, value_name = "TEST")]
    pub(crate) sprt: Option<String>,
    /// A bot's time for each move, such as 5s or 500ms.
    #[arg(long)]
    pub(crate) time: Option<String>,
    /// Positions that a bot may visit for each move.
    #[arg(long)]
    pub(crate) nodes: Option<u64>,
    /// Plies that a bot may look ahead.
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// Random plies before the bots take over, or balanced, or balanced:PLIES:
    /// openings in which the game's engine sees neither side ahead. The first
    /// pair starts from the start position unless this is given.
    #[arg(long, value_name = "PLIES")]
    pub(crate) openings: Option<String>,
    /// What openings and bots draw from.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: u16,
    /// What a fault costs: lose, random (a random move instead), skip (the
    /// game does not count), or report-adjacency (as
    /// in that report: 5 s a move, a random move for a late one).
    #[arg(long, value_name = "POLICY", default_value = "lose")]
    pub(crate) faults: String,
    /// Keep the standard error of outside bots here, a file for each game.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) stderr: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) demand: DemandArgs,
    #[command(flatten)]
    pub(crate) files: ReportFiles,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where a report is written beside the terminal.
#[derive(Debug, Args)]
pub(crate) struct ReportFiles {
    /// Write the report as one page, every game replayable.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the games as CSV, a line each; a tournament's standings go to a second
    /// file, FILE-standings.csv.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TournamentArgs {
    /// The file that describes it, such as cup.toml.
    pub(crate) file: PathBuf,
    /// Go on where the tournament was interrupted; of a finished one, print
    /// the report again.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Where the games are stored; beside the file if left out.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Games at the same time; as many as there are cores if left out.
    #[arg(long, conflicts_with = "queue", value_parser = clap::value_parser!(u16).range(1..=MOST_JOBS))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) demand: DemandArgs,
    #[command(flatten)]
    pub(crate) queue: QueueArgs,
    #[command(flatten)]
    pub(crate) files: ReportFiles,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The language of a document.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum LanguageArg {
    #[default]
    En,
    Id,
}

impl From<LanguageArg> for papan_core::Language {
    fn from(language: LanguageArg) -> Self {
        match language {
            LanguageArg::En => Self::En,
            LanguageArg::Id => Self::Id,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TreeFormat {
    Svg,
    Dot,
    Json,
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// The game, such as tic-tac-toe.
    pub(crate) game: String,
    /// The position, or the moves that lead to it such as "a1 b2"; the start if left
    /// out.
    #[arg(allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// The bot whose search is drawn: minimax or alpha-beta with any options,
    /// or a preset that searches a tree (`searches_tree` in `papan bots --json`).
    #[arg(long, value_name = "SPEC", default_value = "alpha-beta", value_parser = current_spec)]
    pub(crate) bot: String,
    /// How many plies it may look ahead; a ply is one move of one player. A search
    /// is stopped after 20 s and drawn as far as it came, with exit code 130.
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// What to make of it; if left out, what the ending of --out says, else svg.
    #[arg(long, value_enum)]
    pub(crate) format: Option<TreeFormat>,
    /// The same as --format json.
    #[arg(long)]
    pub(crate) json: bool,
    /// How many nodes are shown, from the root down.
    #[arg(long, default_value_t = 400, value_parser = at_least_one)]
    pub(crate) nodes: usize,
    /// The language of the words.
    #[arg(long, value_enum, default_value = "en", value_name = "LANGUAGE")]
    pub(crate) language: LanguageArg,
    /// Write to this file instead of the screen.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Megabytes that this machine has.
fn table_size(text: &str) -> Result<usize, String> {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes =
        info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?.parse().ok());
    let most = kilobytes.map_or(1 << 20, |kilobytes: usize| kilobytes / 1024);
    let fits = |&size: &usize| (1..=most).contains(&size);
    text.parse().ok().filter(fits).ok_or_else(|| format!("expected 1 to {most} megabytes"))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "expected a number of at least 1".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    /// The game, such as othello:size=6.
    pub(crate) game: String,
    /// The bots to be measured.
    #[arg(required = true, value_parser = current_spec)]
    pub(crate) bots: Vec<String>,
    /// The depths at which each is measured.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4", value_name = "N,N,…")]
    pub(crate) depths: Vec<u32>,
    /// How many positions each figure is the mean of.
    #[arg(long, default_value_t = 5)]
    pub(crate) positions: usize,
    /// How many random plies (moves of one player) lead to each position.
    #[arg(long, default_value_t = 2)]
    pub(crate) plies: usize,
    /// How many games each two bots play at each depth; 0 for none.
    #[arg(long, default_value_t = 10)]
    pub(crate) games: usize,
    /// What positions and openings are drawn from; each seed gives as many
    /// positions and games.
    #[arg(long, value_delimiter = ',', default_value = "1", value_name = "N,N,…")]
    pub(crate) seed: Vec<u64>,
    /// Write the report as a web page of its own.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the figures as CSV.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// The language of the report.
    #[arg(long, value_enum, default_value = "en", value_name = "LANGUAGE")]
    pub(crate) language: LanguageArg,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The game, such as othello.
    pub(crate) game: String,
    /// The bot that answers, such as alpha-beta:depth=6; the strongest for the
    /// game if left out.
    #[arg(long, value_name = "SPEC", value_parser = current_spec)]
    pub(crate) bot: Option<String>,
    /// The protocol to speak. nboard and gtp are those of Othello programs, and
    /// the engine of Othello answers.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) protocol: Protocol,
    /// The most time for a move, in nboard and gtp.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Threads that think, in nboard and gtp; all cores if left out.
    #[arg(long)]
    pub(crate) threads: Option<u16>,
}

/// A protocol on standard input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// Our own, for every game.
    #[default]
    Papan,
    /// NBoard, version 2.
    Nboard,
    /// The Go Text Protocol, version 2, with Othello's squares.
    Gtp,
}

#[cfg(target_os = "linux")]
#[derive(Debug, Args)]
pub(crate) struct CheckBotArgs {
    /// The program and its arguments, such as "python3 bots/mine.py".
    pub(crate) command: String,
    /// Only this game; every game that the program names if left out.
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// The time for each move.
    #[arg(long, default_value = "5s")]
    pub(crate) time: String,
    #[command(flatten)]
    pub(crate) demand: DemandArgs,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(target_os = "linux")]
#[derive(Debug, Args)]
pub(crate) struct SandboxArgs {
    /// A task and its plan.
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The game, such as othello or tic-tac-toe:rows=5,cols=5,k=4.
    pub(crate) game: String,
    /// The position, or the moves that lead to it such as "a1 b2"; the start if left
    /// out.
    #[arg(allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Write an SVG picture to this file ("-" for standard output).
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Use only ASCII characters.
    #[arg(long)]
    pub(crate) ascii: bool,
    /// Print the position's scene and facts as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The game, such as adjacency:rounds=8.
    pub(crate) game: String,
    /// Who plays first: human, a bot, or a program, "exec:python3 mine.py".
    #[arg(long, default_value = "human", value_name = "WHO", value_parser = current_spec)]
    pub(crate) first: String,
    /// Who plays second: human, a bot, or a program.
    #[arg(long, default_value = "human", value_name = "WHO", value_parser = current_spec)]
    pub(crate) second: String,
    /// A bot's time for each move, such as 5s or 500ms.
    #[arg(long, default_value = "5s")]
    pub(crate) time: String,
    /// Start from this position.
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Plain lines instead of the full-screen board.
    #[arg(long)]
    pub(crate) plain: bool,
    /// Use only ASCII characters.
    #[arg(long)]
    pub(crate) ascii: bool,
    #[command(flatten)]
    pub(crate) demand: DemandArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// The game, such as othello.
    pub(crate) game: String,
    /// How many plies (moves of one player) deep.
    pub(crate) depth: u32,
    /// The position, or the moves that lead to it such as "a1 b2"; the start if left
    /// out.
    #[arg(allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Print JSON, for the given depth only.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A bot's name, with the names of today for those that were given up.
fn current_spec(typed: &str) -> Result<String, Infallible> {
    Ok(papan_roster::current_spec(typed))
}

/// Reads the command line. Help and version print and end the program; a
/// mistake becomes one line.
pub(crate) fn parse() -> Result<Cli, CliError> {
    Cli::try_parse().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => error.exit(),
        _ => CliError::Usage(one_line(&error.render().to_string())),
    })
}

/// The first paragraph of clap's message, without its own "error:", on one line.
fn one_line(message: &str) -> String {
    let paragraph = message.split("\n\n").next().unwrap_or_default();
    let line: Vec<_> = paragraph.split_whitespace().collect();
    let line = line.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    format!("{}; see papan --help", line.chars().flat_map(visible).collect::<String>())
}

fn visible(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}

//! What the arena itself costs: a round trip with an outside bot against a
//! bare echo over two pipes, and games a second between bots in this process.
//!
//! cargo run --release -p papan --example overhead

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use papan_arena::outside::Form;
use papan_arena::sandbox::{ResourceLimits, Sandbox, launcher};
use papan_arena::{Limits, OutsideProgram, Player, Rules, referee};
use papan_core::error::Subject;
use papan_core::table::{GameTable, SeatedBot, Table, TableBot};
use papan_core::{Game as _, Settings, Spec};
use papan_games::tic_tac_toe::TicTacToe;

type Small = TicTacToe<u64>;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.split_first() {
        Some((word, rest)) if word == "launch" => std::process::exit(launcher::main(rest)),
        Some((word, _)) if word == "echo" => answer_lines(),
        _ => measure(),
    }
}

/// The echo and the bot: answers each line with the first legal move in it.
fn answer_lines() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mv = line.rsplit(" | ").next().and_then(|moves| moves.split(' ').next()).unwrap_or_default();
        println!("{mv}");
    }
}

fn game(spec: &str) -> Small {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &Small::info().options).expect("a game");
    Small::from_settings(&settings).expect("a game")
}

fn random_bot(game: &Small) -> Box<dyn TableBot> {
    let entries = papan_bots::all::<Small>();
    let entry = entries.iter().find(|entry| entry.info.name == "random").expect("there is a random bot");
    let settings = Settings::read(Subject::Bot, &Spec::split("random"), &entry.info.options).expect("no options");
    Box::new(SeatedBot::<Small>::new((entry.build)(game, &settings)))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure() {
    let own = env::current_exe().expect("we have a path").to_string_lossy().into_owned();
    let board = game("tic-tac-toe:rows=7,cols=7,k=7");
    let table = GameTable::new(board.clone(), board.start());
    let (mut bare, mut outside) = (Vec::new(), Vec::new());
    // In turns, so that both meet the same noise.
    for _ in 0..20 {
        bare.extend(bare_echo(&own, &table));
        outside.extend(outside_bot(&own, &board));
    }
    let (bare, outside) = (median(bare), median(outside));
    println!("bare pipe echo      {bare:8.1} µs");
    println!("outside round trip  {outside:8.1} µs  ({:+.1} µs)", outside - bare);
    let small = game("tic-tac-toe");
    println!("in-process games    {:8.0} games/s on one core", games_a_second(&small));
}

/// Round trips of a request-long line with a child over blocking pipes.
fn bare_echo(own: &str, table: &dyn Table) -> Vec<f64> {
    let line = format!("{} | first | {} | {}\n", table.spec(), table.position(), table.legal_moves().join(" "));
    let mut child =
        Command::new(own).arg("echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let (mut input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let mut output = BufReader::new(output);
    let mut times = Vec::new();
    let mut answer = String::new();
    for _ in 0..50 {
        let started = Instant::now();
        input.write_all(line.as_bytes()).expect("it listens");
        answer.clear();
        output.read_line(&mut answer).expect("it answers");
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    drop(input);
    let _ = child.wait();
    times.split_off(5)
}

/// Times of the moves of a shut-in bot, in a game that it plays with itself.
fn outside_bot(own: &str, board: &Small) -> Vec<f64> {
    let launcher = vec![own.to_owned(), "launch".to_owned()];
    let sandbox = Arc::new(Sandbox::find(launcher, ResourceLimits::default(), false).expect("a sandbox"));
    let program = OutsideProgram::new(&format!("{own} echo"), Some(Form::Simple), sandbox).expect("a program");
    let mut first = Player::outside("first", program);
    let mut second = Player::in_process("second", random_bot(board));
    let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
    let rules = Rules { limits, ..Rules::default() };
    let mut table = GameTable::new(board.clone(), board.start());
    let record = referee::play(&mut table, [&mut first, &mut second], &rules);
    assert!(record.faults.is_empty(), "{:?}", record.faults);
    record.times.iter().step_by(2).skip(2).map(|&micros| f64::from(micros)).collect()
}

/// All games of some seconds over the time that this thread was on a core, so
/// that waiting for a core does not count. No best of several runs: the kernel
/// counts that time in steps, and a best would pick its errors.
fn games_a_second(game: &Small) -> f64 {
    let mut players = [Player::in_process("first", random_bot(game)), Player::in_process("second", random_bot(game))];
    let start = GameTable::new(game.clone(), game.start());
    let mut rules = Rules::default();
    let (started, on_core) = (Instant::now(), seconds_on_core());
    let mut games = 0u32;
    while started.elapsed() < Duration::from_secs(5) {
        for _ in 0..100 {
            rules.seed += 1;
            let [first, second] = &mut players;
            let record = referee::play(&mut *start.fork(), [first, second], &rules);
            assert!(record.counts);
        }
        games += 100;
    }
    f64::from(games) / (seconds_on_core() - on_core)
}

/// How long this thread has run; the kernel counts it in nanoseconds.
fn seconds_on_core() -> f64 {
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let nanoseconds = counts.split(' ').next().and_then(|field| field.parse::<f64>().ok()).expect("a number");
    nanoseconds / 1e9
}

//! `papan check-bot`: does a program keep to the protocol? In plain words.

use std::path::Path;
use std::time::Duration;

use papan_core::table::{Table, TableBot};
use papan_core::{Player as Side, StopToken};
use serde::Serialize;

use crate::outside::{Form, OutsideProgram, base_name, plays};
use crate::player::Player;
use crate::referee::{self, GameRecord, Limits, Rules, Verdict};

/// One thing that was tried, or left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// Was it right?
    pub ok: bool,
    /// Was it tried? A game that the program does not name is not.
    pub tried: bool,
    /// What was tried and what came of it.
    pub text: String,
}

/// A game to try a program on: a table at its start, and a bot to play against.
pub struct Trial {
    /// The table.
    pub table: Box<dyn Table>,
    /// The other player.
    pub opponent: Box<dyn TableBot>,
    /// Must the program play it even if its hello does not name it?
    pub demanded: bool,
}

/// Plays every trial with the program in both chairs, those of games that its
/// hello does not name left out. Stops at a game whose fault would only repeat
/// itself. `scratch` is a folder for its standard
/// error, of which the last lines are quoted.
pub fn check(program: &OutsideProgram, trials: Vec<Trial>, time: Duration, scratch: &Path) -> Vec<Finding> {
    let mut tested = Player::outside("tested", program.clone());
    greet(&mut tested, &trials);
    let mut findings = vec![Finding { ok: true, tried: true, text: form_words(program.form()).to_owned() }];
    let games = program.games().unwrap_or_else(|| vec!["*".to_owned()]);
    findings.extend(unknown_names(&games, &trials));
    for Trial { table, opponent, demanded } in trials {
        let name = table.info().name;
        if !demanded && !plays(&games, name) {
            let text = format!("{name}: left out, its hello does not name it");
            findings.push(Finding { ok: true, tried: false, text });
            continue;
        }
        let mut opponent = Player::in_process("opponent", opponent);
        for side in Side::BOTH {
            let rules = Rules {
                limits: Limits { time: Some(time), ..Limits::default() },
                stderr_folder: Some(scratch.to_owned()),
                label: format!("{name}-{}", findings.len()),
                ..Rules::default()
            };
            let players = match side {
                Side::First => [&mut tested, &mut opponent],
                Side::Second => [&mut opponent, &mut tested],
            };
            let record = referee::play(&mut *table.fork(), players, &rules);
            let finding = judged(&record, &*table, side);
            let hopeless = matches!(record.verdict, Verdict::Timeout | Verdict::Crash);
            findings.push(finding);
            if hopeless {
                return findings;
            }
        }
    }
    findings
}

/// Starts the program once, so that its form and its games are known.
fn greet(tested: &mut Player, trials: &[Trial]) {
    if let Some(Trial { table, .. }) = trials.first() {
        tested.seat().begin(&**table, Side::First, &Rules::default(), &StopToken::new());
        tested.seat().end();
    }
}

/// Names in its hello that are no game's: mistakes in spelling, mostly. Where
/// one game alone was demanded nothing is known of the others.
fn unknown_names(games: &[String], trials: &[Trial]) -> Option<Finding> {
    let is_known = |game: &str| {
        game == "*" || trials.iter().any(|trial| base_name(game).eq_ignore_ascii_case(trial.table.info().name))
    };
    // What is left of options with commas between them is no name.
    let unknown: Vec<&str> =
        games.iter().map(String::as_str).filter(|game| !game.contains('=') && !is_known(game)).collect();
    let demanded = trials.iter().any(|trial| trial.demanded);
    (!unknown.is_empty() && !demanded).then(|| {
        let known: Vec<&str> = trials.iter().map(|trial| trial.table.info().name).collect();
        let text = format!("its hello names {}; the games are {}", unknown.join(", "), known.join(", "));
        Finding { ok: false, tried: true, text }
    })
}

fn form_words(form: Option<Form>) -> &'static str {
    match form {
        Some(Form::Full) => "it answers hello: it speaks the full form of the protocol",
        Some(Form::Simple) => "it does not answer hello: it is taken to speak the simplest form, a line in, a line out",
        None => "it could not be started",
    }
}

/// How many moves the program itself made.
fn own_moves(record: &GameRecord, table: &dyn Table, side: Side) -> usize {
    let mut table = table.fork();
    let by_it = record.moves.iter().filter(|mv| {
        let own = table.to_move() == side;
        table.play_index(usize::from(**mv)) && own
    });
    by_it.count()
}

fn judged(record: &GameRecord, table: &dyn Table, side: Side) -> Finding {
    let game = table.spec();
    let chair = if side == Side::First { "first" } else { "second" };
    let Some(fault) = record.faults.iter().find(|fault| fault.side == side) else {
        let moves = own_moves(record, table, side);
        let longest = 1000.0 * record.longest_move[side.index()];
        return Finding {
            ok: true,
            tried: true,
            text: format!("{game} as {chair}: {moves} moves, every answer legal, the slowest after {longest:.0} ms"),
        };
    };
    let mut text = format!("{game} as {chair}, move {}: {}: {}", fault.ply + 1, fault.verdict, fault.detail);
    text += &format!(". {}", advice(fault.verdict));
    if let Some(said) = record.stderr[side.index()].as_deref().and_then(last_words) {
        text += &format!(" It wrote to standard error: {said}");
    }
    Finding { ok: false, tried: true, text }
}

/// What mostly helps.
const fn advice(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Timeout => "Does it flush standard output after each answer, and end each with a newline?",
        Verdict::Illegal => "The request lists every legal move; answer one of them, spelt the same way.",
        Verdict::Crash => "Run it by hand and type a request from docs/protocol.md.",
        Verdict::OutputLimit => "Print only answers to standard output, and everything else to standard error.",
        Verdict::Garbage => "Print only lines of the protocol to standard output, in UTF-8.",
        Verdict::Protocol => "Answer each request once, with its own number; see docs/protocol.md.",
        Verdict::Finished | Verdict::GivenUp => "",
    }
}

/// The last line of a file that is not empty, shortened.
fn last_words(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(papan_core::error::quoted(line.trim()))
}

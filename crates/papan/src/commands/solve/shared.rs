//! A solve whose root moves are shared out to the workers of a queue. Results
//! stay in the queue until all are there: a solve that is killed and begun
//! again with the same words goes on where it was.

use std::collections::HashMap;
use std::time::Duration;

use indicatif::ProgressBar;
use papan_core::solver::{Solution, SolveLimits};
use papan_core::table::{GameTable, Table as _, read_legal_move};
use papan_core::{Exactness, MoveOf, MoveValue, Position as _, Score, StopToken, seen_by};
use papan_nats::{Answer, Coordinator, Plan, QueueOptions, Run, Taken, Task, Work};
use papan_roster::Rostered;

use crate::cli::SolveArgs;
use crate::error::CliError;
use crate::fleet;
use crate::fleet::inspect::Draw;

/// What solves within this is solved again here.
const QUICK: Duration = Duration::from_secs(1);

/// What a worker found of one move: the value for the player to move after it,
/// its line, its nodes.
struct Found {
    value: i32,
    pv: Vec<String>,
    nodes: u64,
}

/// Solves the position of `table` move by move.
pub(super) fn solve<G: Rostered>(
    table: &GameTable<G>,
    queue: &QueueOptions,
    args: &SolveArgs,
    stop: &StopToken,
) -> Result<Solution<MoveOf<G>>, CliError> {
    let plan = Plan::Solve { game: table.spec(), position: table.position(), table_mb: args.table };
    let name = format!("solve {}", table.spec());
    let run = Run { version: papan_nats::VERSION, name, deliveries: args.queue.deliveries, plan };
    let coordinator = Coordinator::begin(queue, args.queue.terms()?, &run, fleet::teller())?;
    let mut draw = Draw::new(args.queue.verify());
    let mut inspect = |mv: &str, found: &Found, thorough: bool| {
        let position =
            table.current().after(read_legal_move(table.game(), table.current(), mv).map_err(|_| "no move")?);
        check_line(table.game(), position, found)?;
        if thorough || draw.next() { solve_again(table.game(), position, found, stop) } else { Ok(()) }
    };
    let found = collect(coordinator, &table.legal_moves(), stop, &mut inspect)?;
    put_together(table, &found)
}

/// The value must be one that the game can have, and the line must lead to it
/// where it reaches the end.
fn check_line<G: Rostered>(game: &G, position: G::Position, found: &Found) -> Result<(), String> {
    if found.value.abs() > game.margin_bound() {
        return Err(format!("a value of {} is beyond the game's", found.value));
    }
    let line = read_line(game, position, &found.pv).map_err(|_| "its line is not legal".to_owned())?;
    let end = line.iter().fold(position, |position, &mv| position.after(mv));
    if end.is_over() && end.margin().for_player(position.to_move()).0 != found.value {
        return Err("its line ends with another value".to_owned());
    }
    Ok(())
}

/// Solves it here, if that is quick.
fn solve_again<G: Rostered>(game: &G, position: G::Position, found: &Found, stop: &StopToken) -> Result<(), String> {
    let Some(mut solver) = game.solver().filter(|_| !position.is_over()) else { return Ok(()) };
    let limits = SolveLimits { threads: 1, table_mb: Some(64), one_best: true, time: Some(QUICK), stop: stop.clone() };
    match solver.solve(&position, &limits, &mut |_| {}).value() {
        Some(value) if value.0 != found.value => Err(format!("it is worth {}, not {}", value.0, found.value)),
        _ => Ok(()),
    }
}

/// Says what is wrong with what was found of a move; thoroughly, if asked to.
type Inspect<'a> = &'a mut dyn FnMut(&str, &Found, bool) -> Result<(), String>;

fn collect(
    mut coordinator: Coordinator,
    moves: &[String],
    stop: &StopToken,
    inspect: Inspect<'_>,
) -> Result<HashMap<String, Found>, CliError> {
    let (gauge, bar) = (coordinator.gauge(), ProgressBar::new(moves.len() as u64));
    let id_of = |number: usize| format!("m-{number}");
    let mut found: HashMap<String, Found> = HashMap::new();
    let tasks: Vec<Task> = moves
        .iter()
        .enumerate()
        .map(|(number, mv)| Task::new(&id_of(number), Work::SolveMove { mv: mv.clone() }))
        .collect();
    for task in &tasks {
        coordinator.offer(task).map_err(CliError::Usage)?;
    }
    while found.len() < moves.len() {
        gauge.set(found.len() as u64, moves.len() as u64);
        bar.set_position(found.len() as u64);
        if stop.is_stopped() {
            coordinator.end(false);
            let (have, all) = (found.len(), moves.len());
            let words = format!("stopped; {have} of {all} moves are solved; the same command goes on");
            return Err(CliError::Interrupted(words));
        }
        let answer = coordinator.take(Duration::from_millis(100)).map_err(CliError::Usage)?;
        let Some(Taken { id, worker, answer }) = answer else { continue };
        let Some((task, mv)) = tasks.iter().zip(moves).find(|(task, _)| task.id == id) else { continue };
        match answer {
            Answer::Solved { value, pv, nodes } => {
                // What may well be the answer is looked at thoroughly.
                let line = Found { value, pv, nodes };
                let least = found.values().map(|other| other.value).min();
                match inspect(mv, &line, least.is_none_or(|least| value < least)) {
                    Ok(()) => drop(found.insert(mv.clone(), line)),
                    Err(reason) => coordinator.refuse(task, &worker, &reason),
                }
            }
            Answer::GivenUp { log } => {
                coordinator.settled(&[id]);
                coordinator.end(false);
                return Err(CliError::Usage(format!("move {mv} was given up: {}", log.join("; "))));
            }
            Answer::Game(_) | Answer::Samples(_) => coordinator.refuse(task, &worker, "it is no solved move"),
        }
    }
    bar.finish_and_clear();
    coordinator.end(true);
    Ok(found)
}

/// The best of the moves, for the player to move.
fn put_together<G: Rostered>(
    table: &GameTable<G>,
    found: &HashMap<String, Found>,
) -> Result<Solution<MoveOf<G>>, CliError> {
    let (game, root) = (table.game(), table.current());
    let mut moves = Vec::new();
    let mut pv = Vec::new();
    for mv in root.legal_moves() {
        let Some(line) = found.get(&game.write_move(mv)) else { continue };
        let after = root.after(mv);
        let score = seen_by(Score(line.value), after.to_move(), root.to_move());
        if moves.iter().all(|other: &MoveValue<MoveOf<G>>| other.score < score) {
            pv = std::iter::once(mv).chain(read_line(game, after, &line.pv)?).collect();
        }
        moves.push(MoveValue { mv, score, exactness: Exactness::Exact });
    }
    moves.sort_by_key(|line| std::cmp::Reverse(line.score));
    let value = moves.first().map_or(Score(0), |line| line.score);
    let best = moves.iter().take_while(|line| line.score == value).map(|line| line.mv).collect();
    let nodes = found.values().map(|line| line.nodes).sum();
    Ok(Solution { lower: value, upper: value, best, best_complete: true, moves, pv, nodes })
}

fn read_line<G: Rostered>(game: &G, mut position: G::Position, line: &[String]) -> Result<Vec<MoveOf<G>>, CliError> {
    let mut moves = Vec::new();
    for text in line {
        let mv = read_legal_move(game, &position, text)?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

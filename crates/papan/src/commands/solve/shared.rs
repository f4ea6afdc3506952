//! A solve whose root moves are shared out to the workers of a queue. Results
//! stay in the queue until all are there: a solve that is killed and begun
//! again with the same words goes on where it was.

use std::collections::HashMap;
use std::time::Duration;

use indicatif::ProgressBar;
use papan_core::solver::Solution;
use papan_core::table::{GameTable, Table as _, read_legal_move};
use papan_core::{Exactness, MoveOf, MoveValue, Position as _, Score, StopToken, seen_by};
use papan_nats::{Answer, Coordinator, Plan, QueueOptions, Run, Task, Work};
use papan_roster::Rostered;

use crate::cli::SolveArgs;
use crate::error::CliError;
use crate::fleet;

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
    let found = collect(coordinator, &table.legal_moves(), stop)?;
    put_together(table, &found)
}

fn collect(
    mut coordinator: Coordinator,
    moves: &[String],
    stop: &StopToken,
) -> Result<HashMap<String, Found>, CliError> {
    let (gauge, bar) = (coordinator.gauge(), ProgressBar::new(moves.len() as u64));
    let id_of = |number: usize| format!("m-{number}");
    let mut found: HashMap<String, Found> = HashMap::new();
    for (number, mv) in moves.iter().enumerate() {
        coordinator.offer(&Task::new(&id_of(number), Work::SolveMove { mv: mv.clone() })).map_err(CliError::Usage)?;
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
        let Some((id, answer)) = answer else { continue };
        let Some(mv) = moves.iter().enumerate().find_map(|(number, mv)| (id_of(number) == id).then_some(mv)) else {
            continue;
        };
        match answer {
            Answer::Solved { value, pv, nodes } => {
                found.insert(mv.clone(), Found { value, pv, nodes });
            }
            Answer::GivenUp { log } => {
                coordinator.settled(&[id]);
                coordinator.end(false);
                return Err(CliError::Usage(format!("move {mv} was given up: {}", log.join("; "))));
            }
            Answer::Game(_) | Answer::Samples(_) => {}
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

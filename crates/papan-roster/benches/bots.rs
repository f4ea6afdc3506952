//! The speed of the general bots in nodes (or simulations) a second.
//!
//! `cargo bench -p papan-roster --bench bots`

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papan_core::error::Subject;
use papan_core::{AnyBot, Budget, Game, MoveSet as _, Position as _, Random, Settings, Spec};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

fn game<G: Game>(spec: &str) -> G {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &G::info().options).expect(spec);
    G::from_settings(&settings).expect(spec)
}

fn bot<G: Game>(game: &G, spec: &str) -> Box<dyn AnyBot<G::Position>> {
    let spec = Spec::split(spec);
    let entry = papan_bots::all::<G>().into_iter().find(|entry| entry.info.name == spec.name).expect(spec.name);
    let settings = Settings::read(Subject::Bot, &spec, &entry.info.options).expect(spec.name);
    (entry.build)(game, &settings)
}

/// A position in the middle of the game: the same each time.
fn middle<G: Game>(game: &G, plies: usize) -> G::Position {
    let mut random = Random::new(1);
    (0..plies).fold(game.start(), |position, _| {
        position.after(position.legal_moves().pick(random.bits()).expect("the game goes on"))
    })
}

/// Measures nodes a second.
fn search<G: Game>(criterion: &mut Criterion, game_spec: &str, plies: usize, bot_spec: &str) {
    let game: G = game(game_spec);
    let position = middle(&game, plies);
    let mut bot = bot(&game, bot_spec);
    let nodes = bot.choose(&position, &Budget::unlimited()).nodes;
    let mut group = criterion.benchmark_group(game_spec);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function(bot_spec, |bencher| {
        bencher.iter(|| bot.choose(black_box(&position), &Budget::unlimited()));
    });
}

/// Measures simulations a second.
fn simulations(criterion: &mut Criterion) {
    let game: Othello = game("othello");
    let mut bot = bot(&game, "mcts:simulations=20000");
    let mut group = criterion.benchmark_group("othello");
    group.throughput(Throughput::Elements(20_000));
    group.bench_function("mcts:simulations=20000", |bencher| {
        bencher.iter(|| bot.choose(black_box(&game.start()), &Budget::unlimited()));
    });
}

fn bots(criterion: &mut Criterion) {
    search::<TicTacToe<u64>>(criterion, "tic-tac-toe", 0, "alpha-beta");
    search::<TicTacToe<u64>>(criterion, "tic-tac-toe", 0, "minimax");
    search::<Adjacency>(criterion, "adjacency", 4, "alpha-beta:depth=4,eval=marks");
    search::<Othello>(criterion, "othello", 10, "alpha-beta:depth=6,eval=report-table");
    search::<DotsAndBoxes<u64>>(criterion, "dots-and-boxes", 6, "alpha-beta:depth=6,eval=boxes");
    simulations(criterion);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = bots
}
criterion_main!(benches);

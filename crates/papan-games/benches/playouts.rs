//! Random games a second, and leaves a second: `cargo bench -p papan-games`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papan_core::error::Subject;
use papan_core::{Bits256, Game, Random, Settings, Spec, perft, playout};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::othello::Othello;
use papan_games::tic_tac_toe::TicTacToe;

fn game<G: Game>(spec: &str) -> G {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &G::info().options).expect("the spec is right");
    G::from_settings(&settings).expect("the settings are right")
}

fn playouts<G: Game>(criterion: &mut Criterion, spec: &str) {
    let start = game::<G>(spec).start();
    let mut random = Random::new(1);
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function(spec, |bencher| bencher.iter(|| playout(black_box(start), &mut random)));
    group.finish();
}

fn leaves<G: Game>(criterion: &mut Criterion, spec: &str, depth: u32) {
    let start = game::<G>(spec).start();
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(&start, depth)));
    group.bench_function(spec, |bencher| bencher.iter(|| perft(black_box(&start), depth)));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    playouts::<TicTacToe<u64>>(criterion, "tic-tac-toe");
    playouts::<TicTacToe<u64>>(criterion, "tic-tac-toe:rows=7,cols=7,k=5");
    playouts::<TicTacToe<Bits256>>(criterion, "tic-tac-toe:rows=15,cols=15,k=5");
    playouts::<Adjacency>(criterion, "adjacency:rounds=28");
    playouts::<DotsAndBoxes<u64>>(criterion, "dots-and-boxes");
    playouts::<DotsAndBoxes<u64>>(criterion, "dots-and-boxes:rows=5,cols=5");
    playouts::<DotsAndBoxes<Bits256>>(criterion, "dots-and-boxes:rows=10,cols=10");
    playouts::<Othello>(criterion, "othello");
    leaves::<Othello>(criterion, "othello", 8);
}

criterion_group!(benches, all);
criterion_main!(benches);

//! Random playouts a second: `cargo bench -p papan-games --bench tic_tac_toe`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papan_core::error::Subject;
use papan_core::{Bits, Bits256, Game as _, Random, Settings, Spec, playout};
use papan_games::tic_tac_toe::{TicTacToe, options};

fn playouts<B: Bits>(criterion: &mut Criterion, spec: &str) {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &options()).expect("the spec is right");
    let start = TicTacToe::<B>::new(&settings).start();
    let mut random = Random::new(1);
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function(spec, |bencher| bencher.iter(|| playout(start, &mut random)));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    playouts::<u64>(criterion, "tic-tac-toe");
    playouts::<u64>(criterion, "tic-tac-toe:rows=7,cols=7,k=5");
    playouts::<Bits256>(criterion, "tic-tac-toe:rows=15,cols=15,k=5");
}

criterion_group!(benches, all);
criterion_main!(benches);

//! Random playouts a second: `cargo bench -p papan-games --bench dots_and_boxes`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use papan_core::error::Subject;
use papan_core::{Bits, Bits256, Game as _, Random, Settings, Spec, playout};
use papan_games::dots_and_boxes::{DotsAndBoxes, options};

fn playouts<B: Bits>(criterion: &mut Criterion, spec: &str) {
    let settings = Settings::read(Subject::Game, &Spec::split(spec), &options()).expect("the spec is right");
    let start = DotsAndBoxes::<B>::new(&settings).start();
    let mut random = Random::new(1);
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function(spec, |bencher| bencher.iter(|| playout(start, &mut random)));
    group.finish();
}

fn all(criterion: &mut Criterion) {
    playouts::<u64>(criterion, "dots-and-boxes");
    playouts::<u64>(criterion, "dots-and-boxes:rows=5,cols=5");
    playouts::<Bits256>(criterion, "dots-and-boxes:rows=10,cols=10");
}

criterion_group!(benches, all);
criterion_main!(benches);

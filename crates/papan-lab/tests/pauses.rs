//! An experiment that is stopped and goes on ends as one that was not.

use std::time::Duration;

use papan_core::StopToken;
use papan_lab::experiment::{Experiment, Results};

/// Without what depends on the machine.
fn timeless(mut results: Results) -> Results {
    for row in &mut results.measurements {
        row.seconds = 0.0;
    }
    results
}

fn wanted() -> Experiment {
    Experiment {
        game: "othello:size=6".to_owned(),
        bots: vec!["minimax".to_owned(), "alpha-beta".to_owned(), "minimax".to_owned()],
        depths: vec![3, 1, 4],
        positions: 6,
        games: 4,
        seeds: vec![1, 9],
        ..Experiment::default()
    }
}

#[test]
fn between_two_parts() {
    let wanted = wanted();
    let whole = wanted.run(&StopToken::new(), &|_| {}).unwrap();
    let mut so_far: Option<Results> = None;
    for part in 1..=wanted.pieces() {
        let stop = StopToken::new();
        let results = wanted.go_on(so_far, &stop, &|_| stop.enough()).unwrap();
        assert_eq!((results.progress.done, results.partial), (part, part < wanted.pieces()));
        so_far = Some(results);
    }
    assert_eq!(timeless(so_far.unwrap()), timeless(whole));
}

#[test]
fn inside_a_part() {
    let wanted = wanted();
    let whole = wanted.run(&StopToken::new(), &|_| {}).unwrap();
    let (mut so_far, mut time) = (None, Duration::from_micros(200));
    loop {
        let stop = StopToken::new();
        let results = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(time);
                stop.enough();
            });
            wanted.go_on(so_far, &stop, &|_| {}).unwrap()
        });
        if !results.partial {
            return assert_eq!(timeless(results), timeless(whole));
        }
        // In the end there is time for any search.
        time += time / 20;
        so_far = Some(results);
    }
}

//! What is said of the moves of any position: of one kind, within the game's range, the same for moves that are the
//! same.

use std::time::Duration;

use papan_core::table::Table;
use papan_core::{Budget, Exactness, Random};
use papan_roster::advice::{Analysis, MoveLine, Readable, analyse};

use super::common::{check_against, random_table, truth};

/// Every game in several sizes, with the positions visited by the engine and how many random positions to look at.
const GAMES: [(&str, u64, usize); 16] = [
    ("tic-tac-toe", 2000, 12),
    ("tic-tac-toe:misere=on", 2000, 8),
    ("tic-tac-toe:rows=4,cols=4,k=4", 2000, 8),
    ("tic-tac-toe:rows=6,cols=7,k=4", 2000, 6),
    ("tic-tac-toe:rows=15,cols=15,k=5", 1500, 5),
    ("adjacency", 3000, 8),
    ("adjacency:rounds=12", 3000, 6),
    ("adjacency:rounds=28", 3000, 6),
    ("adjacency:rounds=10,neighbours=8", 3000, 6),
    ("dots-and-boxes:rows=2,cols=2", 2000, 8),
    ("dots-and-boxes", 2000, 10),
    ("dots-and-boxes:rows=5,cols=5", 2000, 6),
    ("dots-and-boxes:rows=4,cols=6,border=icelandic", 2000, 6),
    ("othello:size=4", 5000, 8),
    ("othello:size=6", 5000, 8),
    ("othello", 5000, 8),
];

/// Bots that search trees, whose estimates are in units of their own: on small boards and on large ones.
const DEEP: [&str; 4] = ["alpha-beta:depth=2", "alpha-beta:depth=3,table=1", "minimax:depth=2", "mcts:simulations=300"];
const SHALLOW: [&str; 3] = ["alpha-beta:depth=2", "minimax:depth=1", "mcts:simulations=300"];
const LARGE: usize = 30;

/// The start, the position after the most symmetric moves, and random ones.
fn positions(spec: &str, count: usize, seed: u64) -> Vec<Box<dyn Table>> {
    let mut random = Random::new(seed);
    let start = papan_roster::table(spec, None).unwrap();
    let mut found = vec![start.fork()];
    let fewest = |table: &dyn Table| table.twins().into_iter().min_by_key(Vec::len).map(|group| group[0].clone());
    let mut table = start;
    for _ in 0..2 {
        if let Some(mv) = fewest(&*table).filter(|_| !table.is_over()) {
            table.play(&mv).unwrap();
        }
        if !table.is_over() {
            found.push(table.fork());
        }
    }
    let longest = 60;
    while found.len() < count + 3 {
        let plies = random.below(longest);
        found.extend(random_table(spec, plies, &mut random));
    }
    found
}

fn line<'a>(analysis: &'a Analysis, mv: &str) -> &'a MoveLine {
    analysis.moves.iter().find(|line| line.mv == mv).expect("every legal move is listed")
}

/// All that must hold whoever analyses.
fn check_kinds(table: &dyn Table, analysis: &Analysis) {
    let place = || format!("{} {} by {}: {:?}", analysis.game, analysis.position, analysis.bot, analysis);
    let legal = table.legal_moves();
    assert_eq!(analysis.moves.len(), legal.len(), "{}", place());
    assert!(analysis.best.iter().all(|mv| legal.contains(mv)), "{}", place());
    for group in table.twins() {
        let first = line(analysis, &group[0]).readable;
        assert!(group.iter().all(|mv| line(analysis, mv).readable == first), "{group:?} are the same: {}", place());
        let best = group.iter().filter(|mv| analysis.best.contains(mv)).count();
        assert!(best == 0 || best == group.len(), "{group:?} are the same: {}", place());
    }
    let exact = analysis.readable.exact;
    for MoveLine { mv, readable } in &analysis.moves {
        let Readable { value, bound, .. } = *readable;
        let one_kind =
            value.is_none() || bound.is_some() || readable.exact == (exact || analysis.readable.bound.is_some());
        assert!(one_kind, "{mv} is of another kind: {}", place());
        let is_best = analysis.best.contains(mv);
        assert!(!is_best || *readable == analysis.readable, "{mv} is called best: {}", place());
    }
    assert_eq!(analysis.moves[0].mv, analysis.best[0], "{}", place());
}

/// Values are margins, so none is beyond what the game can bring.
fn check_range(table: &dyn Table, analysis: &Analysis) {
    let bound = table.margin_bound();
    let now = if table.values_to_come() { table.margin().for_player(table.to_move()).0 } else { 0 };
    let all = analysis.moves.iter().map(|line| &line.readable).chain([&analysis.readable]);
    for readable in all {
        let whole = readable.final_margin.or(readable.value);
        assert!(
            whole.is_none_or(|value| value.abs() <= bound),
            "{} {}: {readable:?}",
            analysis.game,
            analysis.position
        );
        assert_eq!(readable.value.map(|value| value + now), whole, "{} {}", analysis.game, analysis.position);
    }
    let most = analysis.readable.value;
    let above = |line: &&MoveLine| line.readable.value > most;
    assert_eq!(analysis.moves.iter().find(above), None, "{} {}: {most:?}", analysis.game, analysis.position);
}

#[test]
fn engines_say_what_they_know_and_no_more() {
    for (seed, (spec, nodes, count)) in GAMES.into_iter().enumerate() {
        for table in positions(spec, count, seed as u64) {
            let analysis = analyse(&*table, "engine", &Budget::nodes(nodes)).unwrap();
            check_kinds(&*table, &analysis);
            check_range(&*table, &analysis);
            if let Some(truth) = analysis.readable.exact.then(|| truth(&*table, Duration::from_millis(300))).flatten() {
                check_against(&analysis, &truth);
            }
        }
    }
}

#[test]
fn every_search_says_what_it_knows_and_no_more() {
    for (seed, (spec, ..)) in GAMES.into_iter().enumerate() {
        for table in positions(spec, 2, 100 + seed as u64) {
            let bots = if table.legal_moves().len() > LARGE { &SHALLOW[..] } else { &DEEP };
            for bot in bots {
                let analysis = analyse(&*table, bot, &Budget::default()).unwrap();
                check_kinds(&*table, &analysis);
            }
        }
    }
}

/// A search that is stopped in the middle of a depth shows no value of it beside those of the depth before.
#[test]
fn a_search_that_is_cut_short_ranks_one_depth() {
    for nodes in [40, 100, 300, 1000, 3000] {
        for spec in ["tic-tac-toe:rows=4,cols=4,k=4", "dots-and-boxes", "othello:size=6", "adjacency"] {
            let mut random = Random::new(nodes);
            let table = random_table(spec, 6, &mut random).unwrap();
            for bot in ["alpha-beta", "minimax", "engine"] {
                let analysis = analyse(&*table, &format!("{bot}:nodes={nodes}"), &Budget::default()).unwrap();
                check_kinds(&*table, &analysis);
                let alone = analyse(&*table, &format!("{bot}:nodes={nodes}"), &Budget::default()).unwrap();
                assert_eq!(alone.moves, analysis.moves, "{bot} {spec}");
            }
        }
    }
}

#[test]
fn who_does_not_look_ahead_says_nothing_of_values() {
    let table = papan_roster::table("othello", None).unwrap();
    let analysis = analyse(&*table, "random", &Budget::default()).unwrap();
    assert_eq!(analysis.readable, Readable::UNKNOWN);
    assert!(analysis.moves.iter().all(|line| line.readable == Readable::UNKNOWN));
}

/// Bounds beside a bot's estimates are in the bot's own unit, as those are.
#[test]
fn bounds_beside_estimates_are_in_their_unit() {
    let table = papan_roster::table("dots-and-boxes", Some("a1-b1 a1-a2 a2-b2 b1-b2")).unwrap();
    let mut bot = papan_roster::bot("dots-and-boxes", "alpha-beta:depth=2").unwrap();
    let choice = bot.choose(&*table, &Budget::unlimited());
    let analysis = Analysis::of_choice(&*table, "alpha-beta:depth=2", &choice);
    assert_eq!(choice.exactness, Exactness::Estimate);
    let bounds: Vec<_> = analysis.moves.iter().filter(|line| line.readable.bound.is_some()).collect();
    assert!(!bounds.is_empty());
    for line in bounds.into_iter().filter(|line| !line.readable.decided) {
        let as_told = choice.per_move.iter().any(|told| Some(told.value.0) == line.readable.value);
        assert!(as_told && line.readable.final_margin.is_none(), "{}: {:?}", line.mv, line.readable);
    }
}

/// A search that ran out of positions names the depth that its values are of.
#[test]
fn the_depth_that_is_named_is_that_of_the_values() {
    for game in ["tic-tac-toe", "dots-and-boxes:rows=2,cols=2", "othello:size=6"] {
        let table = papan_roster::table(game, None).unwrap();
        for nodes in [150, 400, 1500, 3000] {
            let asked = |bot: &str| papan_roster::bot(game, bot).unwrap().choose(&*table, &Budget::unlimited());
            let stopped = asked(&format!("minimax:deepening=on,nodes={nodes}"));
            let whole = asked(&format!("minimax:deepening=off,depth={}", stopped.depth));
            assert!(!stopped.per_move.is_empty());
            for line in &stopped.per_move {
                let same = whole.per_move.iter().find(|other| other.mv == line.mv).unwrap();
                assert_eq!(line.value, same.value, "{game}, {nodes} nodes, depth {}: {}", stopped.depth, line.mv);
            }
        }
    }
}

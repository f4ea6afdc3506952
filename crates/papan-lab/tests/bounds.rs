//! No tree of alpha-beta shows a number as a value that is none: on random
//! positions of every game, with every order, with and without a table and
//! deepening, each unmarked number is minimax's own, and each bound holds.

use papan_core::table::{Table, TableBot};
use papan_core::{Bound, Budget, OptionKind, Random};
use papan_lab::tree::{Known, SearchTrace};

/// A tree of minimax should not be much larger.
const NODES: usize = 700;

const ORDERS: [&str; 4] = ["natural", "preference", "captures", "random"];

/// A position after some random moves, with the game not over.
fn random_position(start: &dyn Table, random: &mut Random) -> Box<dyn Table> {
    loop {
        let mut table = start.fork();
        let mut line = vec![table.fork()];
        while !table.is_over() {
            let moves = table.legal_moves();
            table.play(&moves[random.below(moves.len())]).expect("it is legal");
            line.push(table.fork());
        }
        line.pop();
        if !line.is_empty() {
            return line.swap_remove(random.below(line.len()));
        }
    }
}

/// As deep as minimax can look without growing too large.
fn depth_for(table: &dyn Table) -> u32 {
    let moves = table.legal_moves().len().max(2);
    (1..).take_while(|&depth| moves.pow(depth) <= NODES).last().unwrap_or(1).clamp(2, 5)
}

fn evaluations(game: &str) -> Vec<String> {
    let bots = papan_roster::bots(game).expect("the game is on the roster");
    let options = &bots.iter().find(|bot| bot.name == "alpha-beta").expect("alpha-beta plays every game").options;
    let eval = options.iter().find(|option| option.name == "eval").expect("a search has an evaluation");
    let OptionKind::Choice { values, .. } = &eval.kind else { panic!("evaluations are a choice") };
    values.iter().map(ToString::to_string).collect()
}

struct Searcher {
    spec: String,
    bot: Box<dyn TableBot>,
}

impl Searcher {
    fn new(game: &str, spec: String) -> Self {
        Self { bot: papan_roster::bot(game, &spec).expect("the bot is on the roster"), spec }
    }

    fn search(&mut self, table: &dyn Table, budget: &Budget) -> SearchTrace {
        SearchTrace::run(table, &self.spec, &mut *self.bot, budget, usize::MAX)
    }
}

/// Every way to search with one evaluation, and minimax to compare with.
struct Searchers {
    minimax: Searcher,
    alpha_beta: Vec<Searcher>,
}

impl Searchers {
    fn new(game: &str, eval: &str) -> Self {
        let mut alpha_beta = Vec::new();
        for order in ORDERS {
            for (table, deepening, values) in
                [(0, "off", "best"), (1, "off", "best"), (0, "on", "best"), (1, "on", "best"), (1, "on", "all")]
            {
                let spec = format!(
                    "alpha-beta:eval={eval},order={order},table={table},deepening={deepening},values={values},seed=3"
                );
                alpha_beta.push(Searcher::new(game, spec));
            }
        }
        Self { minimax: Searcher::new(game, format!("minimax:eval={eval},deepening=on")), alpha_beta }
    }
}

/// What was compared.
#[derive(Default)]
struct Compared {
    values: u64,
    bounds: u64,
    /// Bounds that are not the value as well.
    strict: u64,
}

/// Compares the tree below `node` with the tree of minimax below `twin`.
fn compare(trace: &SearchTrace, node: u32, minimax: &SearchTrace, twin: u32, sum: &mut Compared, what: &str) {
    let truth = minimax.known(twin).expect("minimax was not stopped");
    assert_eq!(truth.bound, Bound::Exact, "{what}: minimax has no bounds");
    if let Some(Known { score, bound }) = trace.known(node) {
        let holds = match bound {
            Bound::Exact => score == truth.score,
            Bound::AtLeast => score <= truth.score,
            Bound::AtMost => score >= truth.score,
        };
        assert!(holds, "{what}: {:?} is {} {}, minimax says {}", trace.path_to(node), bound.sign(), score, truth.score);
        match bound {
            Bound::Exact => sum.values += 1,
            Bound::AtLeast | Bound::AtMost => sum.bounds += 1,
        }
        sum.strict += u64::from(score != truth.score);
    }
    let twins: Vec<u32> = minimax.record().children_of(twin).collect();
    for child in trace.record().children_of(node) {
        let mv = trace.record().nodes[child as usize].mv;
        let twin = twins.iter().find(|&&twin| minimax.record().nodes[twin as usize].mv == mv);
        compare(trace, child, minimax, *twin.expect("minimax looks at every move"), sum, what);
    }
}

/// A number is marked if and only if it is a bound, and the line of best play
/// is there, has the root's value everywhere, and begins with the chosen move.
fn check_views(trace: &SearchTrace, what: &str) {
    for node in trace.top(200) {
        let (Some(bound), value) = (node.bound, &node.value) else { panic!("{what}: a finished search has no gaps") };
        assert_eq!(value.starts_with(['≤', '≥']), bound != Bound::Exact, "{what}: {value}");
        assert!(node.cut.is_none() || bound != Bound::Exact, "{what}: a cut leaves a bound");
    }
    let line: Vec<_> = trace.best_line().iter().map(|&id| trace.node(id).expect("kept")).collect();
    assert_eq!(line[1].mv.as_ref(), Some(&trace.choice().mv), "{what}");
    assert_eq!(line.len(), trace.choice().pv.len() + 1, "{what}: the whole line is in the tree");
    for node in &line {
        assert_eq!((node.bound, node.score), (Some(Bound::Exact), line[0].score), "{what}: best play keeps the value");
    }
}

/// A search that is stopped in the middle has found out less, not wrongly.
fn check_stopped(searcher: &mut Searcher, table: &dyn Table, budget: &Budget, nodes: u64, minimax: &SearchTrace) {
    let budget = Budget { nodes: Some(nodes / 2), ..budget.clone() };
    // A random order is another one each time, and so is the number of nodes.
    if budget.nodes == Some(0) || ["deepening=on", "order=random"].iter().any(|word| searcher.spec.contains(word)) {
        return;
    }
    let trace = searcher.search(table, &budget);
    let what = format!("{} {} after {} nodes", table.position(), searcher.spec, nodes / 2);
    assert_eq!(trace.node(0).map(|root| (root.score, root.value)), Some((None, "?".to_owned())), "{what}");
    let last = minimax.record().roots().last().expect("minimax has a root");
    compare(&trace, 0, minimax, last, &mut Compared::default(), &what);
}

fn check(game: &str, positions: usize) -> Compared {
    let mut random = Random::new(19);
    let start = papan_roster::table(game, None).expect("the game is on the roster");
    let mut searchers: Vec<Searchers> = evaluations(game).iter().map(|eval| Searchers::new(game, eval)).collect();
    let mut sum = Compared::default();
    for number in 0..positions {
        let table = random_position(&*start, &mut random);
        let budget = Budget::depth(depth_for(&*table));
        let count = searchers.len();
        let Searchers { minimax, alpha_beta } = &mut searchers[number % count];
        let minimax = minimax.search(&*table, &budget);
        let depths: Vec<u32> = minimax.record().roots().collect();
        for searcher in alpha_beta {
            let trace = searcher.search(&*table, &budget);
            let what = format!("{game} {} {}", table.position(), searcher.spec);
            let roots: Vec<u32> = trace.record().roots().collect();
            for (depth, &root) in roots.iter().enumerate() {
                // One search looks as deep as the last of several. Beyond the
                // end of the game nothing changes any more.
                let depth =
                    if roots.len() == 1 && !searcher.spec.contains("deepening=on") { usize::MAX } else { depth };
                compare(&trace, root, &minimax, depths[depth.min(depths.len() - 1)], &mut sum, &what);
            }
            if number % 25 == 0 {
                check_views(&trace, &what);
                check_stopped(searcher, &*table, &budget, trace.record().tally.nodes, &minimax);
            }
        }
    }
    sum
}

/// Checks so many positions of each game, and that there was something to
/// check.
fn check_all(games: &[(&str, usize)]) {
    for &(game, positions) in games {
        let Compared { values, bounds, strict } = check(game, positions);
        println!("{game}: {values} values, {bounds} bounds, {strict} of them not the value");
        assert!(values > 10_000 && bounds > 1000 && strict > 100, "{game}: {values} {bounds} {strict}");
    }
}

#[test]
fn unmarked_values_are_minimax_values_in_tic_tac_toe() {
    check_all(&[
        ("tic-tac-toe", 1000),
        ("tic-tac-toe:misere", 200),
        ("tic-tac-toe:rows=3,cols=4,k=3", 200),
        ("tic-tac-toe:rows=5,cols=5,k=4", 200),
    ]);
}

#[test]
fn unmarked_values_are_minimax_values_in_adjacency() {
    check_all(&[("adjacency", 1000), ("adjacency:rounds=28", 100), ("adjacency:rounds=4,neighbours=8,first=o", 100)]);
}

/// Whoever completes a box moves again, and neither value nor bound changes
/// sign.
#[test]
fn unmarked_values_are_minimax_values_in_dots_and_boxes() {
    check_all(&[
        ("dots-and-boxes:rows=2,cols=2", 1000),
        ("dots-and-boxes", 1000),
        ("dots-and-boxes:rows=2,cols=3,border=swedish", 200),
    ]);
}

#[test]
fn unmarked_values_are_minimax_values_in_othello() {
    check_all(&[("othello:size=4", 1000), ("othello:size=6", 1000), ("othello", 1000)]);
}

//! Which bots' trees can be drawn, and the trees of the reports' own searches.

use papan_core::table::Table;
use papan_core::{Bound, Budget, Random, Score, seen_by};
use papan_lab::tree::SearchTrace;

/// A bot says of itself whether its search can be drawn, and says the truth:
/// the presets of the reports that search trees are among those.
#[test]
fn every_bot_that_searches_a_tree_can_be_drawn_and_no_other() {
    for game in ["tic-tac-toe", "adjacency", "dots-and-boxes", "othello"] {
        let bots = papan_roster::bots(game).expect("the game is on the roster");
        for bot in &bots {
            let table = papan_roster::table(game, None).expect("the game is on the roster");
            let mut player = papan_roster::bot(game, bot.name).expect("the bot is on the roster");
            let budget = Budget { nodes: Some(5000), depth: Some(3), ..Budget::default() };
            let trace = SearchTrace::run(&*table, bot.name, &mut *player, &budget, 10_000);
            assert_eq!(trace.is_tree(), bot.searches_tree, "{game} {}", bot.name);
        }
        let presets = bots.iter().filter(|bot| bot.searches_tree && !["minimax", "alpha-beta"].contains(&bot.name));
        assert!(presets.count() > 0, "each report has a search of trees");
    }
}

/// The presets of Adjacency whose trees can be drawn.
fn presets_of_adjacency() -> Vec<&'static str> {
    let bots = papan_roster::bots("adjacency").expect("the game is on the roster");
    let own = bots.into_iter().filter(|bot| bot.searches_tree && bot.name.starts_with("report-"));
    own.map(|bot| bot.name).collect()
}

/// The report's look-ahead paints empty neighbours too. What is shown of a
/// position is the board that the search had in mind, not the one that the
/// rules would give: its value is the difference on that board.
#[test]
fn a_look_ahead_with_other_rules_is_shown_with_its_own_boards() {
    let mut random = Random::new(7);
    for bot in presets_of_adjacency() {
        for rounds in [1, 2, 8, 28] {
            let mut table = papan_roster::table(&format!("adjacency:rounds={rounds}"), None).expect("it is a game");
            for _ in 0..random.below(2 * rounds) {
                let moves = table.legal_moves();
                table.play(&moves[random.below(moves.len())]).expect("it is legal");
            }
            let mut player = papan_roster::bot(&table.spec(), bot).expect("the bot is on the roster");
            let trace = SearchTrace::run(&*table, bot, &mut *player, &Budget::unlimited(), usize::MAX);
            assert_eq!(u64::from(trace.kept()), trace.choice().nodes, "every position is reported");
            let leaves = (0..trace.kept()).filter(|&id| trace.record().nodes[id as usize].leaf.is_some());
            for id in leaves.step_by(97) {
                let (node, board) = (&trace.record().nodes[id as usize], trace.table_at(id));
                assert_eq!(board.to_move(), node.to_move);
                assert_eq!(node.score, Some(board.margin().for_player(node.to_move)), "{rounds} rounds: {id}");
            }
            assert_eq!(trace.best_line().len(), 2, "the chosen move is marked");
        }
    }
}

/// Plain minimax on the boards that the report's look-ahead has in mind.
fn slow_value(table: &dyn Table, depth: u32) -> Score {
    let mover = table.to_move();
    let moves = table.legal_moves();
    if depth == 0 {
        return table.margin().for_player(mover);
    }
    let values = moves.iter().map(|mv| {
        let mut next = table.fork();
        next.play(mv).expect("it is legal");
        seen_by(slow_value(&*next, depth - 1), next.to_move(), mover)
    });
    // A full board has no value of its own there.
    values.max().unwrap_or(Score(-9999))
}

#[test]
fn the_reports_own_trees_have_no_false_values_either() {
    let mut random = Random::new(11);
    let mut bounds = 0;
    for bot in presets_of_adjacency() {
        for _ in 0..40 {
            let mut table = papan_roster::table("adjacency:rounds=28", None).expect("it is a game");
            // At least three rounds are left, so that no count of rounds ends the look-ahead.
            for _ in 0..(40 + random.below(10)) {
                let moves = table.legal_moves();
                table.play(&moves[random.below(moves.len())]).expect("it is legal");
            }
            let mut player = papan_roster::bot(&table.spec(), bot).expect("the bot is on the roster");
            let trace = SearchTrace::run(&*table, bot, &mut *player, &Budget::unlimited(), usize::MAX);
            for id in 0..trace.kept() {
                let (ply, known) = (trace.record().nodes[id as usize].ply, trace.known(id).expect("not stopped"));
                let board = trace.table_at(id);
                let truth = slow_value(&*board, 3 - u32::from(ply));
                let truth = seen_by(truth, board.to_move(), trace.table_at(0).to_move());
                let holds = match known.bound {
                    Bound::Exact => known.score == truth,
                    Bound::AtLeast => known.score <= truth,
                    Bound::AtMost => known.score >= truth,
                };
                assert!(holds, "{bot}: {known:?}, in truth {truth}");
                bounds += u32::from(known.bound != Bound::Exact);
            }
        }
    }
    assert!(bounds > 100, "{bounds}");
}

//! What observers hear: counts, windows, cuts, neighbours, generations.

use papan_core::observer::{PlyCount, Redrawn};
use papan_core::{Budget, Game as _, Move as _, MoveSet as _, Position as _, Recorder, Score, Window};
use papan_games::adjacency::Adjacency;
use papan_games::dots_and_boxes::DotsAndBoxes;
use papan_games::tic_tac_toe::TicTacToe;

use super::common;

#[test]
fn a_recorded_tree_hangs_together() {
    let game: DotsAndBoxes<u64> = common::game("dots-and-boxes:rows=1,cols=2");
    let mut recorder = Recorder::new(usize::MAX);
    let decision = common::any_bot(&game, "alpha-beta:depth=0,eval=boxes").choose_observed(
        &game.start(),
        &Budget::unlimited(),
        &mut recorder,
    );
    assert_eq!(recorder.nodes.len() as u64, decision.nodes);
    assert_eq!(recorder.tally.nodes, decision.nodes);
    assert_eq!(recorder.nodes[0].score, Some(decision.score));
    let mut leaves = 0;
    let mut cuts = 0;
    let mut positions = vec![game.start()];
    for (number, node) in recorder.nodes.iter().enumerate() {
        assert!(node.score.is_some(), "every position is left again");
        assert!(node.window.alpha < node.window.beta, "no position is entered with a closed window");
        match node.parent {
            None => assert_eq!((number, node.window), (0, Window::FULL)),
            Some(parent) => {
                let above = &recorder.nodes[parent as usize];
                assert!((parent as usize) < number && above.ply + 1 == node.ply);
                let mv = usize::from(node.mv.expect("a move led here"));
                let parent = positions[parent as usize];
                let mv = parent.legal_moves().into_iter().find(|legal| legal.index() == mv);
                positions.push(parent.after(mv.expect("a legal move led here")));
            }
        }
        assert_eq!(positions[number].to_move(), node.to_move);
        leaves += u64::from(node.leaf.is_some());
        let children: Vec<u32> = recorder.children_of(number as u32).collect();
        assert!(children.iter().all(|&child| recorder.nodes[child as usize].parent == Some(number as u32)));
        if let Some(cut) = node.cut.map(|cut| &recorder.cuts[cut as usize]) {
            cuts += 1;
            assert_eq!(cut.node as usize, number);
            assert!(cut.window.alpha >= cut.window.beta && !cut.skipped.is_empty());
            assert_eq!(children.len() + cut.skipped.len(), positions[number].legal_moves().len());
        }
    }
    assert_eq!((leaves, cuts), (recorder.tally.leaves(), recorder.tally.cuts));
    assert!(cuts > 0);
    let sum = |count: fn(&PlyCount) -> u64| recorder.by_ply.iter().map(count).sum::<u64>();
    assert_eq!(sum(|ply| ply.nodes), recorder.tally.nodes);
    assert_eq!((sum(|ply| ply.leaves), sum(|ply| ply.cuts)), (leaves, cuts));
}

#[test]
fn a_bounded_recorder_counts_what_it_does_not_keep() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    let mut recorder = Recorder::new(100);
    common::any_bot(&game, "alpha-beta").choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
    assert_eq!((recorder.nodes.len(), recorder.tally.nodes), (100, 18_297));
    let unkept: u64 = recorder.nodes.iter().map(|node| node.unkept).sum();
    assert_eq!(unkept, 18_297 - 100);
    assert_eq!(recorder.nodes[0].score, Some(Score(0)));
    assert_eq!(recorder.tally.max_depth, 9);
}

#[test]
fn hill_climbing_tells_the_value_of_every_neighbour() {
    let game: Adjacency = common::game("adjacency");
    for variant in ["steepest", "sideways", "stochastic"] {
        let mut recorder = Recorder::new(1000);
        let spec = format!("hill-climbing:eval=marks,variant={variant}");
        let decision =
            common::any_bot(&game, &spec).choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
        let [step] = &recorder.steps[..] else { panic!("one step a move") };
        assert_eq!((step.neighbours.len(), step.taken), (56, Some(decision.mv.index() as u16)), "{variant}");
        let values: Vec<_> = step.neighbours.iter().map(|value| value.1).collect();
        if variant != "stochastic" {
            assert_eq!(values.iter().max(), Some(&decision.score), "{variant}");
        }
    }
    let mut recorder = Recorder::new(1000);
    let mut bot = common::any_bot(&game, "hill-climbing:eval=marks,variant=random-restart,restarts=5");
    bot.choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
    let climbs = recorder.steps.iter().filter(|step| step.taken.is_none()).count();
    assert_eq!(climbs, 5, "each climb ends at a peak");
}

#[test]
fn first_and_last_best_differ_where_several_are_best() {
    let game: Adjacency = common::game("adjacency");
    let choose = |variant: &str| {
        let spec = format!("hill-climbing:eval=marks,variant={variant}");
        common::any_bot(&game, &spec).choose(&game.start(), &Budget::unlimited()).mv
    };
    assert!(choose("steepest") < choose("sideways"));
}

#[test]
fn a_genetic_search_reports_every_generation() {
    let game: Adjacency = common::game("adjacency");
    let mut recorder = Recorder::new(1000);
    let mut bot = common::any_bot(&game, "genetic:population=20,generations=15");
    let decision = bot.choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
    assert_eq!(recorder.generations.len(), 15);
    assert!(recorder.generations.is_sorted_by_key(|generation| generation.best), "the elite lives on");
    let last = recorder.generations.last().expect("there are generations");
    assert_eq!(last.best, decision.score);
    assert!(last.mean <= f64::from(last.best.0) && (0.0..=1.0).contains(&last.diversity));
    assert!(recorder.best.is_sorted_by_key(|best| best.score));
}

#[test]
fn every_child_of_a_genetic_search_comes_from_its_parents() {
    let game: Adjacency = common::game("adjacency");
    let mut recorder = Recorder::new(10_000);
    let mut bot = common::any_bot(&game, "genetic:population=20,generations=10,elitism=2,length=6");
    bot.choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
    assert_eq!(recorder.children.len(), 20 + 9 * 18);
    for child in &recorder.children {
        assert_eq!(child.parents.is_empty(), child.generation == 0);
        assert_eq!(child.cut.is_some(), child.parents.len() == 2);
        for (place, mv) in child.plan.iter().enumerate() {
            let why = child.redrawn.iter().find(|(at, _)| *at as usize == place).map(|(_, why)| *why);
            match why {
                None => assert_eq!(child.inherited.get(place), Some(mv), "what was not drawn anew is inherited"),
                Some(Redrawn::Added) => assert!(place >= child.inherited.len()),
                Some(Redrawn::Mutated | Redrawn::Repaired) => assert!(place < child.inherited.len()),
            }
        }
    }
    for why in [Redrawn::Mutated, Redrawn::Repaired] {
        assert!(recorder.children.iter().any(|child| child.redrawn.iter().any(|(_, found)| *found == why)), "{why:?}");
    }
}

#[test]
fn a_monte_carlo_search_shows_its_visits_grow() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    let mut recorder = Recorder::new(10_000);
    let mut bot = common::any_bot(&game, "mcts:simulations=500");
    bot.choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
    assert!(recorder.visits.len() > 10);
    assert!(recorder.visits.is_sorted_by_key(|visits| visits.simulations));
    let last = recorder.visits.last().expect("there are snapshots");
    assert_eq!((last.simulations, last.moves.len()), (500, 9));
    assert_eq!(last.moves.iter().map(|(_, visits, _)| visits).sum::<u64>(), 500);
    assert!(last.moves.iter().all(|(_, _, mean)| (-1.0..=1.0).contains(mean)));
}

#[test]
fn annealing_cools() {
    let game: Adjacency = common::game("adjacency");
    for schedule in ["geometric", "linear"] {
        let mut recorder = Recorder::new(1000);
        let mut bot = common::any_bot(&game, &format!("annealing:steps=200,schedule={schedule}"));
        let decision = bot.choose_observed(&game.start(), &Budget::unlimited(), &mut recorder);
        let temperatures: Vec<_> = recorder.steps.iter().filter_map(|step| step.temperature).collect();
        assert_eq!(temperatures.len(), 200);
        assert!(temperatures.is_sorted_by(|a, b| a >= b), "{schedule}");
        assert_eq!(recorder.best.last().map(|best| best.score), Some(decision.score));
    }
}

//! Recorded searches of real bots: steps, cuts in words, pictures.

use papan_core::{Budget, Language};
use papan_lab::draw;
use papan_lab::tree::{Layer, NodeView, SearchTrace, StepKind};

fn trace(game: &str, position: Option<&str>, bot: &str, limit: usize) -> SearchTrace {
    let table = papan_roster::table(game, position).expect("the game is on the roster");
    let mut player = papan_roster::bot(game, bot).expect("the bot is on the roster");
    SearchTrace::run(table, bot, &mut *player, &Budget::unlimited(), limit)
}

fn games() -> [(&'static str, &'static str); 5] {
    [
        ("tic-tac-toe", "alpha-beta:depth=4"),
        ("adjacency:rounds=2", "alpha-beta:depth=2,order=evaluation"),
        ("dots-and-boxes:rows=1,cols=2", "alpha-beta:depth=0"),
        ("othello:size=4", "alpha-beta:depth=4,deepening=on"),
        ("tic-tac-toe", "alpha-beta:depth=5,table=1"),
    ]
}

/// The order of the steps, told the slow way: by walking the tree.
fn slow_steps(trace: &SearchTrace) -> Vec<(u32, bool)> {
    fn walk(trace: &SearchTrace, id: u32, steps: &mut Vec<(u32, bool)>) {
        steps.push((id, true));
        for child in trace.record().children_of(id).collect::<Vec<_>>() {
            walk(trace, child, steps);
        }
        steps.push((id, false));
    }
    let mut steps = Vec::new();
    for root in trace.record().roots().collect::<Vec<_>>() {
        walk(trace, root, &mut steps);
    }
    steps
}

#[test]
fn steps_follow_the_search_in_every_game() {
    for (game, bot) in games() {
        let trace = trace(game, None, bot, 3000);
        let expected = slow_steps(&trace);
        assert_eq!(trace.steps(), expected.len() as u64, "{game}");
        for (number, &(id, entered)) in expected.iter().enumerate() {
            let step = trace.step(number as u64).expect("there is such a step");
            assert_eq!((step.node.id, step.kind == StepKind::Enter), (id, entered), "{game} step {number}");
            assert_eq!(step.path.last().map(|standing| standing.node.id), Some(id));
        }
        assert!(trace.step(trace.steps()).is_none());
    }
}

/// What stands on the path is what the search itself knew: a position is
/// entered with the window of the one above as it stands then, and left with
/// the window that it shows in the end.
#[test]
fn the_windows_on_the_path_are_those_that_the_search_hands_down() {
    for (game, bot) in games() {
        let trace = trace(game, None, bot, usize::MAX);
        for number in 0..trace.steps().min(20_000) {
            let step = trace.step(number).expect("there is such a step");
            let standing = step.path.last().expect("a path ends somewhere");
            assert_eq!(
                (standing.node.entered, standing.node.left),
                (trace.entered(step.node.id), trace.left(step.node.id))
            );
            if step.kind != StepKind::Enter {
                assert_eq!(standing.window, step.node.exit, "{game} step {number}");
                assert_eq!(standing.best.as_deref(), Some(step.node.value.as_str()), "{game} step {number}");
            } else if let [.., above, _] = step.path.as_slice() {
                // A table narrows nothing in these searches, but the root's own
                // moves may be asked with a window of their own.
                if above.node.parent.is_some() {
                    assert_eq!(step.node.entry, above.window, "{game} step {number}");
                }
            }
        }
    }
}

#[test]
fn jumping_from_cut_to_cut_misses_none() {
    let trace = trace("tic-tac-toe", None, "alpha-beta:depth=4", usize::MAX);
    let all: Vec<u64> =
        (0..trace.steps()).filter(|&n| trace.step(n).is_some_and(|step| step.kind == StepKind::Cut)).collect();
    let forwards: Vec<u64> = std::iter::successors(trace.cut_step(0, true), |&n| trace.cut_step(n, true)).collect();
    let mut backwards: Vec<u64> =
        std::iter::successors(trace.cut_step(trace.steps(), false), |&n| trace.cut_step(n, false)).collect();
    backwards.reverse();
    assert_eq!(all.len() as u64, trace.summary().cuts);
    assert_eq!((&forwards, &backwards), (&all, &all));
}

/// Each explanation holds: on a MIN layer MIN has no more than alpha, on a MAX
/// layer MAX no less than beta; alpha and beta are those on entry; the words
/// say these numbers.
#[test]
fn every_explanation_matches_the_recorded_bound() {
    for (game, bot) in games() {
        let trace = trace(game, None, bot, usize::MAX);
        let mut cuts = 0;
        for id in trace.record().cuts.iter().map(|cut| cut.node) {
            let node = trace.node(id).expect("kept");
            let cut = node.cut.as_ref().expect("a cut was recorded here");
            cuts += 1;
            let record = &trace.record().cuts[cuts - 1];
            assert!(record.window.alpha >= record.window.beta, "a cut happens where the window is closed");
            let (bound, name) =
                if node.layer == Layer::Max { (&node.entry[1], "beta") } else { (&node.entry[0], "alpha") };
            let sentence = format!("{} already has {}, {name} is {bound}.", node.layer.name(), node.value);
            assert_eq!((&cut.has, &cut.bound), (&node.value, bound));
            assert!(cut.words.en.contains(&sentence), "{game}: {} / {sentence}", cut.words.en);
            assert!(cut.skipped.iter().take(6).all(|mv| cut.words.id.contains(mv.as_str())));
            let table = trace.table_at(id);
            assert_eq!(node.children as usize + cut.skipped.len(), table.legal_moves().len());
        }
        assert_eq!(cuts as u64, trace.summary().cuts, "{game}");
    }
}

#[test]
fn the_whole_search_can_be_looked_at_with_the_reports_counts() {
    let cut = trace("tic-tac-toe", None, "alpha-beta", usize::MAX);
    let summary = cut.summary();
    assert_eq!((summary.nodes, summary.kept), (18_297, 18_297));
    assert_eq!(summary.by_ply.iter().map(|ply| ply.nodes).sum::<u64>(), 18_297);
    let plain = trace("tic-tac-toe", None, "minimax", usize::MAX);
    assert_eq!((plain.summary().nodes, plain.summary().cuts), (549_946, 0));
    let root = plain.node(0).expect("the root is kept");
    assert_eq!((root.children, root.size, root.value.as_str()), (9, 549_946, "0"));
}

#[test]
fn what_is_shown_hangs_together_and_is_bounded() {
    let trace = trace("tic-tac-toe", None, "alpha-beta", 5000);
    for count in [1, 10, 400] {
        let top = trace.top(count);
        assert_eq!(top.len(), count);
        let ids: Vec<u32> = top.iter().map(|node| node.id).collect();
        assert!(top.iter().all(|node| node.parent.is_none_or(|parent| ids.contains(&parent))));
    }
    let summary = trace.summary();
    assert_eq!((summary.nodes, summary.kept), (18_297, 5000));
    assert_eq!(trace.node(0).map(|root| root.size), Some(18_297));
    assert_eq!(trace.node(5000), None);
    let pages: Vec<NodeView> = (0..9).flat_map(|from| trace.children(Some(0), from, 1)).collect();
    assert_eq!(pages, trace.children(Some(0), 0, 100));
}

#[test]
fn what_is_near_a_child_is_around_it() {
    let trace = trace("adjacency:rounds=2", None, "alpha-beta:depth=1", usize::MAX);
    let all: Vec<u32> = trace.children(Some(0), 0, 1000).iter().map(|node| node.id).collect();
    assert!(all.len() > 40);
    for (child, from) in [(None, 0), (Some(all[0]), 0), (Some(all[20]), 15), (Some(all[all.len() - 1]), all.len() - 11)]
    {
        let near: Vec<u32> = trace.children_near(0, child, 11).iter().map(|node| node.id).collect();
        assert_eq!(near, all[from..from + 11]);
    }
    assert_eq!(trace.children_near(0, None, 1000).len(), all.len());
    assert_eq!(trace.children_near(all[0], None, 11), []);
}

#[test]
fn documents_are_whole_in_both_languages() {
    let trace = trace("tic-tac-toe", Some("X.O/.X./..O X"), "alpha-beta", usize::MAX);
    let summary = trace.summary();
    for language in [Language::En, Language::Id] {
        let svg = draw::svg(&trace, 60, language);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("<rect x=") && svg.contains("<ellipse"));
        assert!(svg.contains(&format!("{}", summary.nodes)));
        let dot = draw::dot(&trace, 60, language);
        assert_eq!(dot.matches('{').count(), dot.matches('}').count());
        assert_eq!(dot.matches(" -> n").count(), trace.top(60).iter().filter(|node| node.parent.is_some()).count());
        let html = draw::html(&trace, 60, language);
        let outside = html.replace("http://www.w3.org/2000/svg", "");
        assert!(html.contains("<svg") && !outside.contains("http"), "a page needs nothing from anywhere");
    }
}

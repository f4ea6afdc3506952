//! Recorded searches of real bots: steps, cuts in words, pictures.

use papan_core::{Bound, Budget, Language};
use papan_lab::draw;
use papan_lab::tree::{Layer, NodeView, SearchTrace, Standing, StepKind};

fn trace(game: &str, position: Option<&str>, bot: &str, limit: usize) -> SearchTrace {
    let table = papan_roster::table(game, position).expect("the game is on the roster");
    let mut player = papan_roster::bot(game, bot).expect("the bot is on the roster");
    SearchTrace::run(&*table, bot, &mut *player, &Budget::unlimited(), limit)
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
            let sentence = format!("{} already has {}, {name} is {bound}.", node.layer.name(), cut.has);
            let mark = if node.layer == Layer::Max { "≥" } else { "≤" };
            assert_eq!((&node.value, &cut.bound), (&format!("{mark} {}", cut.has), bound), "a cut leaves a bound");
            assert!(cut.words.en.contains(&sentence), "{game}: {} / {sentence}", cut.words.en);
            let table = trace.table_at(id);
            let scene = table.scene();
            assert!(cut.skipped.iter().take(6).all(|mv| cut.words.id.contains(scene.move_name(mv))));
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

/// After c2 the search sees of a3 and b3 only that they are no better; minimax
/// says that they are worse.
#[test]
fn a_bound_is_marked_in_every_document() {
    let question = ("tic-tac-toe", Some("X.O/.X./..O X"));
    let (cut, plain) =
        (trace(question.0, question.1, "alpha-beta", 9999), trace(question.0, question.1, "minimax", 9999));
    let below_root = |trace: &SearchTrace, mv: &str| {
        trace.children(Some(0), 0, 9).into_iter().find(|node| node.mv.as_deref() == Some(mv)).expect("it is legal")
    };
    for mv in ["a3", "b3"] {
        let (bounded, true_value) = (below_root(&cut, mv), below_root(&plain, mv));
        assert_eq!((bounded.score, bounded.bound, bounded.value.as_str()), (Some(0), Some(Bound::AtMost), "≤ 0"));
        assert_eq!(
            (true_value.score, true_value.bound, true_value.value.as_str()),
            (Some(-1), Some(Bound::Exact), "−1")
        );
    }
    let marked = |text: &str, before: &str| {
        text.matches(&format!("{before}≤ ")).count() + text.matches(&format!("{before}≥ ")).count()
    };
    let nodes = cut.top(400);
    let bounds = nodes.iter().filter(|node| node.bound != Some(Bound::Exact)).count();
    assert_eq!(nodes.len() as u64, cut.summary().nodes, "all of it is shown");
    for language in [Language::En, Language::Id] {
        assert_eq!(marked(&draw::svg(&cut, 400, language), "font-weight=\"600\">"), bounds);
        assert_eq!(marked(&draw::html(&cut, 400, language), "font-weight=\"600\">"), bounds);
        assert_eq!(marked(&draw::dot(&cut, 400, language), "label=\""), bounds);
    }
    assert!(plain.top(400).iter().all(|node| node.bound == Some(Bound::Exact)));
}

/// A picture says by itself what each cut was for, in which window each
/// position was asked, what was chosen and how play goes on.
#[test]
fn pictures_carry_windows_the_words_of_each_cut_and_best_play() {
    let trace = trace("tic-tac-toe", Some("X.O/.X./..O X"), "alpha-beta", usize::MAX);
    let nodes = trace.top(400);
    let summary = trace.summary();
    assert_eq!(
        summary.conclusion.en,
        format!("Chosen: {}, worth 0. Best play: {}.", summary.best, summary.pv.join(", "))
    );
    let last = trace.step(trace.steps() - 1).expect("the root is left");
    assert!(last.words.en.ends_with(&*summary.conclusion.en) && last.words.id.ends_with(&*summary.conclusion.id));
    let marked: Vec<_> = nodes.iter().filter(|node| node.best_line).filter_map(|node| node.mv.clone()).collect();
    assert_eq!(marked, summary.pv);
    for language in [Language::En, Language::Id] {
        let svg = draw::svg(&trace, 400, language);
        let text: String =
            svg.lines().filter(|line| line.starts_with("<text")).map(words_of).collect::<Vec<_>>().join(" ");
        for node in &nodes {
            assert!(text.contains(&format!("[{}, {}]", node.entry[0], node.entry[1])));
        }
        let cuts: Vec<_> = nodes.iter().filter_map(|node| node.cut.as_ref()).collect();
        assert!(cuts.len() > 3 && cuts.iter().all(|cut| text.contains(cut.words.get(language))), "{text}");
        assert!(text.contains(summary.conclusion.get(language)));
        let thick = svg.matches("stroke-width=\"3.5\"").count();
        assert_eq!(thick, summary.pv.len(), "one thick branch for each move of best play");
        for document in [draw::dot(&trace, 400, language), draw::html(&trace, 400, language)] {
            assert!(document.contains(summary.conclusion.get(language)));
        }
    }
}

/// The words of a line `<text …>words</text>`.
fn words_of(line: &str) -> &str {
    line.split_once('>').and_then(|(_, rest)| rest.split_once("</text>")).map_or("", |(words, _)| words)
}

/// Best play is shown to its end, however little else is.
#[test]
fn best_play_is_among_what_is_shown() {
    let trace = trace("tic-tac-toe", None, "alpha-beta", usize::MAX);
    let top = trace.top(12);
    assert_eq!(top.len(), 12);
    assert_eq!(top.iter().filter(|node| node.best_line).count(), 10, "the root and nine moves");
    assert!(top.iter().all(|node| node.parent.is_none_or(|parent| top.iter().any(|other| other.id == parent))));
}

/// Where a game counts the points that are still to come, the tree shows whole
/// margins, and the chosen move has the same number below the tree as in it.
#[test]
fn the_chosen_move_is_worth_what_its_node_shows() {
    for (game, position, bot) in [
        ("dots-and-boxes:rows=2,cols=2", "2x2 111101 010111 2 0-1", "alpha-beta:depth=0"),
        ("othello:size=4", "-----OXX-XX-XXXO O", "alpha-beta:depth=4,deepening=on"),
        ("tic-tac-toe:rows=4,cols=4,k=4", "", "alpha-beta:depth=2,nodes=60"),
    ] {
        let position = Some(position).filter(|text| !text.is_empty());
        let trace = trace(game, position, bot, usize::MAX);
        let chosen = trace.node(trace.best_line()[1]).expect("kept");
        let words = trace.conclusion().en;
        let name = chosen.name.as_ref().expect("a move led here");
        assert!(words.starts_with(&format!("Chosen: {name}, worth {}.", chosen.value)), "{words}");
        assert_eq!(chosen.mv.as_ref(), Some(&trace.choice().mv));
    }
}

/// Each way back is told in words that fit what is known.
#[test]
fn the_words_of_a_way_back_fit_what_is_known() {
    let trace = trace("tic-tac-toe", Some("X.O/.X./..O X"), "alpha-beta", usize::MAX);
    let mut upper = 0;
    for number in 0..trace.steps() {
        let step = trace.step(number).expect("there is such a step");
        let text = &step.words.en;
        match (step.kind, step.node.bound) {
            (StepKind::Return, Some(Bound::Exact)) => assert!(text.contains("value that M"), "{text}"),
            (StepKind::Return, Some(Bound::AtMost)) => {
                upper += 1;
                assert!(text.contains("so only an upper bound is known"), "{text}");
            }
            (StepKind::Return, Some(Bound::AtLeast)) => {
                assert!(text.contains("so only a lower bound is known"), "{text}");
            }
            _ => {}
        }
    }
    assert!(upper > 1);
}

/// While the search is in a position, what stands there is a bound, and it
/// holds in the end.
#[test]
fn what_stands_on_the_path_is_a_bound_that_holds() {
    let number = |text: &str| text.trim_start_matches(['≤', '≥', ' ', '+']).replace('−', "-").parse::<i32>();
    let trace = trace("tic-tac-toe", Some("X.O/.../... X"), "alpha-beta", usize::MAX);
    let mut seen = 0;
    for at in 0..trace.steps() {
        for Standing { node, best, .. } in trace.step(at).expect("there is such a step").path {
            let Some(best) = best.filter(|_| at < node.left) else { continue };
            seen += 1;
            let (by_now, in_the_end) = (number(&best).expect("a number"), node.score.expect("not stopped"));
            match node.layer {
                Layer::Max => assert!(best.starts_with("≥ ") && by_now <= in_the_end, "step {at}: {best}"),
                Layer::Min => assert!(best.starts_with("≤ ") && by_now >= in_the_end, "step {at}: {best}"),
            }
        }
    }
    assert!(seen > 1000, "{seen}");
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

/// Values below a tree and in it are one: where a game counts the points that
/// are still to come, the whole margin stands beside them.
#[test]
fn the_value_below_a_tree_fits_the_one_in_it() {
    let game = "dots-and-boxes:rows=2,cols=2";
    let trace = trace(game, Some("a1-b1 a1-a2 a2-b2 b1-b2 b1-c1 c1-c2"), "alpha-beta:depth=12", usize::MAX);
    let (summary, root) = (trace.summary(), trace.node(0).expect("kept"));
    assert_eq!((summary.readable.final_margin, summary.partial), (root.score, false));
    assert!(summary.readable.exact && summary.readable.value != summary.readable.final_margin);
}

/// A search that valued nothing claims nothing.
#[test]
fn a_search_stopped_at_once_names_no_value_and_no_best_play() {
    let trace = trace("othello", None, "minimax:nodes=1", usize::MAX);
    let summary = trace.summary();
    assert_eq!((summary.readable.value, summary.partial), (None, true));
    assert!(summary.conclusion.en.starts_with("The search was stopped before"), "{}", summary.conclusion.en);
}

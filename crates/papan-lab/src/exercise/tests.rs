use std::collections::BTreeSet;

use papan_core::Random;

use super::*;

fn right_answer(exercise: &Exercise) -> Answer {
    let values = exercise.values();
    let inner = (0..exercise.nodes.len()).filter(|&node| exercise.nodes[node].value.is_none());
    Answer {
        values: inner.map(|node| (node, values[node])).collect(),
        pruned: Some(exercise.pruned_leaves().into_iter().collect()),
    }
}

#[test]
fn the_reports_example_has_value_4_and_skips_0_and_7() {
    let exercise = Exercise::of_the_report();
    assert_eq!(exercise.values()[0], 4);
    let pruned: Vec<_> = exercise.pruned_leaves().into_iter().map(|leaf| exercise.nodes[leaf].value).collect();
    assert_eq!(pruned, [Some(0), Some(7)]);
    assert!(exercise.check(&right_answer(&exercise)).right);
}

#[test]
fn the_same_seed_makes_the_same_exercise() {
    for difficulty in 1..=10 {
        assert_eq!(Exercise::new(difficulty, 7), Exercise::new(difficulty, 7));
        assert_ne!(Exercise::new(difficulty, 7), Exercise::new(difficulty, 8));
        assert!(!Exercise::new(difficulty, 7).pruned_leaves().is_empty());
    }
    assert!(Exercise::new(10, 1).nodes.len() > 4 * Exercise::new(1, 1).nodes.len());
}

/// What alpha-beta skips must not matter: whatever stands there, the root
/// keeps its value. What it looks at may matter, or it would be skipped by a
/// search that is told the values above it.
#[test]
fn skipped_leaves_cannot_change_the_root() {
    let mut random = Random::new(5);
    for seed in 0..200 {
        let exercise = Exercise::new(1 + seed as u32 % 10, seed);
        let value = exercise.values()[0];
        let mut changed = exercise.clone();
        for leaf in exercise.pruned_leaves() {
            changed.nodes[leaf].value = Some(random.below(201) as i32 - 100);
        }
        assert_eq!(changed.values()[0], value);
        assert_eq!(changed.pruned_leaves(), exercise.pruned_leaves());
    }
}

#[test]
fn too_much_and_too_little_are_told_apart() {
    for seed in 0..50 {
        let exercise = Exercise::new(1 + seed as u32 % 10, seed);
        let answer = right_answer(&exercise);
        let pruned = answer.pruned.clone().expect("the right answer marks leaves");
        for leaf in (0..exercise.nodes.len()).filter(|&node| exercise.nodes[node].value.is_some()) {
            let mut marked: BTreeSet<usize> = pruned.clone();
            let expected = if marked.remove(&leaf) { Mistake::TooLittle } else { Mistake::TooMuch };
            if expected == Mistake::TooMuch {
                marked.insert(leaf);
            }
            let verdict = exercise.check(&Answer { pruned: Some(marked), ..answer.clone() });
            assert_eq!((verdict.right, verdict.node, verdict.mistake), (false, Some(leaf), Some(expected)));
        }
    }
}

#[test]
fn the_first_wrong_value_is_named_from_the_leaves_up() {
    let exercise = Exercise::of_the_report();
    let mut answer = right_answer(&exercise);
    let first_inner = exercise.nodes[exercise.nodes[0].children[0]].children[0];
    answer.values.insert(first_inner, 5);
    answer.values.insert(0, 9);
    let verdict = exercise.check(&answer);
    assert_eq!((verdict.node, verdict.mistake), (Some(first_inner), Some(Mistake::Value)));
    assert_eq!(verdict.words.en, "5 is not right here: MAX takes the greatest of -1, 4.");
    answer.values.clear();
    answer.values.insert(0, 4);
    assert_eq!(exercise.check(&answer).mistake, Some(Mistake::Missing));
    answer.values.insert(99, 1);
    assert_eq!(exercise.check(&answer).mistake, Some(Mistake::Unknown));
}

#[test]
fn leaves_must_fill_the_tree() {
    assert_eq!(Exercise::with_leaves(2, &[1, 2, 3]), None);
    assert_eq!(Exercise::with_leaves(1, &[1, 2]), None);
    assert_eq!(Exercise::with_leaves(3, &[1]), None);
    assert_eq!(Exercise::with_leaves(3, &[1, 2, 3]).map(|exercise| exercise.nodes.len()), Some(4));
}

/// The reason names what the student has in the picture, not a bound that
/// stands for it: MIN has −3 there, although only "at most 4" matters.
#[test]
fn the_reason_of_the_reports_cut_is_in_its_own_numbers() {
    let exercise = Exercise::of_the_report();
    let answer = Answer { pruned: Some(BTreeSet::new()), ..right_answer(&exercise) };
    let verdict = exercise.check(&answer);
    assert_eq!(verdict.mistake, Some(Mistake::TooLittle));
    assert!(verdict.words.en.contains("MIN already has -3, alpha is 4"), "{}", verdict.words.en);
    assert!(verdict.words.id.contains("MIN sudah punya -3, alpha adalah 4"), "{}", verdict.words.id);
}

/// What a player "already has" is a value that the student has filled in, not
/// a bound that the search holds in its stead.
#[test]
fn every_reason_names_a_value_that_stands_in_the_picture() {
    let mut reasons = 0;
    for seed in 0..300 {
        let exercise = Exercise::new(1 + seed as u32 % 10, seed);
        let (values, skips) = (exercise.values(), exercise.skips());
        for skip in skips.iter().flatten() {
            let node = &exercise.nodes[skip.at];
            let looked_at = node.children.iter().filter(|&&child| skips[child].is_none()).map(|&child| values[child]);
            let has = if node.layer == Layer::Max { looked_at.max() } else { looked_at.min() };
            assert_eq!(Some(skip.has), has, "exercise {seed}, node {}", skip.at);
            assert!(values.contains(&skip.bound), "exercise {seed}: {}", skip.bound);
            reasons += 1;
        }
    }
    assert!(reasons > 1000, "{reasons}");
}

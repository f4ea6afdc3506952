//! A 128-bit fingerprint of a graph that is the same for isomorphic graphs and, but for chance, only
//! for them.
//!
//! 1. Each joint gets a colour by the kinds of its links, the ground one of its own.
//! 2. Colour refinement: mix into each colour those of the neighbours, until all are different and then
//!    once more. The sum over the joints of the mixed colours is the fingerprint. In two positions
//!    of three the colours are different from the start.
//! 3. If refinement stalls before, some joints look alike. If they are few, or the connected part is a
//!    tree, that tells parts apart all the same. Otherwise it does not (a cube looks like two complete
//!    graphs of four joints): mark each joint of one class in turn, refine again, and sum the outcomes.

use crate::common::random::scrambled;

use super::graph::{GROUND_MATE, Graph, NO_LINK, length, mate};

/// Fingerprint of a position; equal keys mean equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Key {
    pub(super) low: u64,
    pub(super) high: u64,
}

const fn random_words<const N: usize>(seed: u64, force_odd: u64) -> [u64; N] {
    let mut words = [0; N];
    let mut index = 0;
    while index < N {
        words[index] = scrambled(seed.wrapping_mul(0x1_0001).wrapping_add(index as u64)) | force_odd;
        index += 1;
    }
    words
}

/// Odd factors by length; a slot without a link has the length bits 127 and weighs nothing.
const fn link_weights() -> [u64; 128] {
    let mut weights = random_words(1, 1);
    weights[length(NO_LINK)] = 0;
    weights
}

static LINK: [u64; 128] = link_weights();
/// Colour of the ground, which is like a joint that never changes.
const GROUND_COLOUR: u64 = scrambled(0x6D0B_0000);
/// Colours before the first round: all joints are alike.
static BLANK: Colours = blank_colours();
static LONE_LOW: [u64; 256] = random_words(4, 0);
static LONE_HIGH: [u64; 256] = random_words(5, 0);
static SHORT_LOW: [u64; 4] = random_words(6, 0);
static SHORT_HIGH: [u64; 4] = random_words(7, 0);
const SELF: u64 = scrambled(0x5E1F_0000);
const MARK: u64 = scrambled(0xA11C_E000);
const INDIVIDUALISED: u64 = scrambled(0xB0B0_0000);

const fn blank_colours() -> Colours {
    let mut colours = [scrambled(0x7013_7000); PLACES];
    colours[GROUND] = GROUND_COLOUR;
    colours
}

#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ (x >> 29)
}

#[inline]
fn low_part(colour: u64) -> u64 {
    mix(colour).wrapping_mul(0x9FB2_1C65_1E98_DF25)
}

#[inline]
fn high_part(colour: u64) -> u64 {
    mix(colour.rotate_left(23) ^ 0x5851_F42D_4C95_7F2D)
}

impl Key {
    #[inline]
    fn add(&mut self, low: u64, high: u64) {
        self.low = self.low.wrapping_add(low);
        self.high = self.high.wrapping_add(high);
    }

    #[inline]
    fn add_colour(&mut self, colour: u64) {
        self.add(low_part(colour), high_part(colour));
    }
}

/// A colour for each joint; the last one is the ground's.
type Colours = [u64; PLACES];

const PLACES: usize = 128;
/// `mate / 4` of a link to the ground, and of no link.
const GROUND: usize = GROUND_MATE / 4;

/// Makes fingerprints; what it works in is kept to save clearing it each time.
pub(super) struct Scratch {
    joints: Joints,
    first: Colours,
    second: Colours,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { joints: Joints::none(), first: [GROUND_COLOUR; PLACES], second: [GROUND_COLOUR; PLACES] }
    }

    /// The fingerprint of a position.
    #[inline]
    pub(super) fn key<const J: usize, const L: usize>(&mut self, graph: &Graph<J, L>) -> Key {
        let mut key = Key::default();
        let short = graph.lone.short() as usize % 4;
        key.add(SHORT_LOW[short], SHORT_HIGH[short]);
        for &part in graph.lone.long() {
            key.add(LONE_LOW[part as usize], LONE_HIGH[part as usize]);
        }
        if graph.joints != 0 {
            self.add_joints(graph, &mut key);
        }
        key
    }

    fn add_joints<const J: usize, const L: usize>(&mut self, graph: &Graph<J, L>, key: &mut Key) {
        let Self { joints, first, second } = self;
        joints.list(graph, first);
        // Once all colours are different, one more round tells each joint's neighbours apart, so that the
        // colours describe the whole graph. A single joint has no neighbours.
        let telling = if joints.count == 1 {
            first
        } else if joints.all_different(first) {
            joints.refine(first, second);
            second
        } else {
            joints.refine(first, second);
            if !joints.all_different(second) {
                joints.mark_self_links(second);
                if !is_sure(joints.members(), second) {
                    return joints.add_alike(second, first, key);
                }
                joints.refine(second, first);
                joints.refine(first, second);
            }
            joints.refine(second, first);
            first
        };
        joints.members().iter().for_each(|&joint| key.add_colour(telling[joint as usize % PLACES]));
    }
}

/// The joints of a graph in a form that refines quickly.
struct Joints {
    list: [u8; PLACES],
    count: usize,
    /// What is at the other ends of each joint's links.
    ends: [[u8; 4]; PLACES],
    /// What the colours there weigh; 0 where there is no link.
    weights: [[u64; 4]; PLACES],
}

/// How many colours some joints have.
fn different(joints: &[u8], colours: &Colours) -> usize {
    let colour = |joint: u8| colours[joint as usize % PLACES];
    let is_new = |index: usize| !joints[..index].iter().any(|&before| colour(before) == colour(joints[index]));
    (0..joints.len()).filter(|&index| is_new(index)).count()
}

/// Whether refinement tells these joints from all others, links of joints to themselves being marked. It does
/// if there are no more than three, or only two look alike: the links of a joint to those that look like it
/// lead to the only other one or, between three, half to each.
fn is_sure(joints: &[u8], colours: &Colours) -> bool {
    joints.len() <= 3 || different(joints, colours) + 1 >= joints.len()
}

/// Joints connected with each other.
struct Part {
    list: [u8; PLACES],
    size: usize,
    /// Links between joints of the part, those from a joint to itself included.
    links: usize,
}

impl Part {
    fn members(&self) -> &[u8] {
        &self.list[..self.size]
    }

    fn is_tree(&self) -> bool {
        self.links < self.size
    }
}

impl Joints {
    fn none() -> Self {
        Self { list: [0; PLACES], count: 0, ends: [[0; 4]; PLACES], weights: [[0; 4]; PLACES] }
    }

    /// Step 1: lists the joints of a graph and colours them by the kinds of their links.
    #[inline]
    fn list<const J: usize, const L: usize>(&mut self, graph: &Graph<J, L>, colours: &mut Colours) {
        let mut count = 0;
        for joint in graph.joint_numbers() {
            self.list[count % PLACES] = joint as u8;
            count += 1;
            let mut colour = 0_u64;
            for (index, slot) in graph.slots[joint].into_iter().enumerate() {
                let (end, weight) = (mate(slot) / 4, LINK[length(slot)]);
                self.ends[joint][index] = end as u8;
                self.weights[joint][index] = weight;
                colour = colour.wrapping_add(BLANK[end % PLACES].wrapping_mul(weight));
            }
            colours[joint] = colour;
        }
        self.count = count;
    }

    fn members(&self) -> &[u8] {
        &self.list[..self.count]
    }

    /// One round: each joint's new colour is made of its own and of those at the other ends of its links.
    #[inline]
    fn refine(&self, old: &Colours, new: &mut Colours) {
        for &joint in self.members() {
            let joint = joint as usize % PLACES;
            let mut sum = old[joint].rotate_left(17);
            let (ends, weights) = (&self.ends[joint], &self.weights[joint]);
            for index in 0..4 {
                sum = sum.wrapping_add(old[ends[index] as usize % PLACES].wrapping_mul(weights[index]));
            }
            new[joint] = mix(sum);
        }
    }

    /// Makes a difference between links from a joint to itself and to one that looks like it.
    fn mark_self_links(&self, colours: &mut Colours) {
        for &joint in self.members() {
            let at = joint as usize;
            for (&end, &weight) in self.ends[at].iter().zip(&self.weights[at]) {
                if end == joint {
                    colours[at] = colours[at].wrapping_add(SELF.wrapping_mul(weight));
                }
            }
        }
    }

    #[inline]
    fn all_different(&self, colours: &Colours) -> bool {
        // Six bits of each colour mostly suffice to see it.
        let bit = |&joint: &u8| 1_u64 << (colours[joint as usize % PLACES] >> 58);
        let seen = self.members().iter().fold(0, |seen, joint| seen | bit(joint));
        seen.count_ones() as usize == self.count || different(self.members(), colours) == self.count
    }

    /// Refines until two more rounds have told nothing more apart; `spare` is room to work in.
    fn refine_until_stable(&self, colours: &mut Colours, spare: &mut Colours) {
        let mut before = different(self.members(), colours);
        loop {
            self.refine(colours, spare);
            self.refine(spare, colours);
            let now = different(self.members(), colours);
            if now == before {
                return;
            }
            before = now;
        }
    }

    /// The joints connected with `first`; adds them to `seen`.
    fn part(&self, first: usize, seen: &mut u128) -> Part {
        let mut part = Part { list: [first as u8; PLACES], size: 1, links: 0 };
        *seen |= 1 << first;
        let (mut next, mut ends) = (0, 0);
        while next < part.size {
            let joint = part.list[next] as usize;
            for (&end, &weight) in self.ends[joint].iter().zip(&self.weights[joint]) {
                if weight == 0 || end as usize == GROUND {
                    continue;
                }
                ends += 1;
                if *seen >> end & 1 == 0 {
                    *seen |= 1 << end;
                    part.list[part.size] = end;
                    part.size += 1;
                }
            }
            next += 1;
        }
        part.links = ends / 2;
        part
    }

    /// Step 3: some joints look alike.
    fn add_alike(&self, colours: &mut Colours, spare: &mut Colours, key: &mut Key) {
        self.refine_until_stable(colours, spare);
        let mut seen = 0_u128;
        for first in self.members().iter().map(|&joint| joint as usize) {
            if seen >> first & 1 == 1 {
                continue;
            }
            let part = self.part(first, &mut seen);
            if part.is_tree() {
                part.members().iter().for_each(|&joint| key.add_colour(colours[joint as usize]));
            } else {
                let outcome = self.individualise(colours, spare, part.members());
                key.add(outcome, high_part(outcome));
            }
        }
    }

    /// Sum over the joints of the rarest class of the part of what refinement says once one is marked;
    /// of all joints if that is sure.
    fn individualise(&self, colours: &Colours, spare: &mut Colours, members: &[u8]) -> u64 {
        let colour = |joint: u8| colours[joint as usize];
        if is_sure(members, colours) {
            return members.iter().fold(0, |sum, &joint| sum.wrapping_add(low_part(colour(joint))));
        }
        let class_size = |joint: u8| members.iter().filter(|&&other| colour(other) == colour(joint)).count();
        let classes = members.iter().map(|&joint| (class_size(joint), colour(joint)));
        let (_, class) = classes.filter(|&(size, _)| size > 1).min().expect("some joints look alike");
        let mut sum = 0_u64;
        for &marked in members.iter().filter(|&&joint| colour(joint) == class) {
            let mut trial = *colours;
            trial[marked as usize] = mix(colour(marked) ^ MARK);
            self.refine_until_stable(&mut trial, spare);
            sum = sum.wrapping_add(mix(self.individualise(&trial, spare, members) ^ INDIVIDUALISED));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::board::{Board, Lines};
    use crate::dots_and_boxes::contract::contract;
    use crate::dots_and_boxes::graph::slot;
    use std::collections::HashMap;

    type Small = Graph<16, 8>;

    fn key_of(board: Board, drawn: Lines) -> Key {
        Scratch::new().key(&contract(board, drawn).quiet.graph::<16, 8>().0)
    }

    fn mirrored(board: Board, line: usize) -> usize {
        let (cols, horizontal) = (board.cols(), board.horizontal_lines());
        if line < horizontal {
            return board.horizontal(line / cols, cols - 1 - line % cols);
        }
        let index = line - horizontal;
        board.vertical(index / (cols + 1), cols - index % (cols + 1))
    }

    #[test]
    fn mirror_images_have_the_same_key_and_other_positions_have_not() {
        let board = Board::new(3, 4).unwrap();
        let mut seed = 7_u64;
        let mut keys = HashMap::new();
        for _ in 0..2_000 {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let drawn = Lines::from_bits(seed >> 33 & seed >> 20 & ((1 << board.lines()) - 1));
            let key = key_of(board, drawn);
            assert_eq!(key, key_of(board, drawn.iter().map(|line| mirrored(board, line)).collect()));
            // The same key must at least mean the same number of boxes and links.
            let (graph, _) = contract(board, drawn).quiet.graph::<16, 8>();
            let shape = (graph.boxes, graph.links, graph.joints.count_ones());
            assert_eq!(*keys.entry((key.low, key.high)).or_insert(shape), shape);
        }
    }

    /// Joints by the three slots they use: pairs of slots that are linked.
    fn linked(pairs: &[(usize, usize)]) -> Small {
        let mut graph = Small::EMPTY;
        for &(a, b) in pairs {
            graph.set(a, slot(b, 1));
            graph.set(b, slot(a, 1));
            graph.joints |= 1 << (a / 4) | 1 << (b / 4);
        }
        graph
    }

    #[test]
    fn graphs_that_refinement_alone_confuses_are_told_apart() {
        let mut scratch = Scratch::new();
        let theta = linked(&[(0, 4), (1, 5), (2, 6)]);
        let dumbbell = linked(&[(0, 1), (4, 5), (2, 6)]);
        assert_ne!(scratch.key(&theta), scratch.key(&dumbbell));
        let cube = linked(&[
            (0, 4),
            (5, 8),
            (9, 12),
            (13, 1),
            (16, 20),
            (21, 24),
            (25, 28),
            (29, 17),
            (2, 18),
            (6, 22),
            (10, 26),
            (14, 30),
        ]);
        let two_complete_graphs = linked(&[
            (0, 4),
            (1, 8),
            (2, 12),
            (5, 9),
            (6, 13),
            (10, 14),
            (16, 20),
            (17, 24),
            (18, 28),
            (21, 25),
            (22, 29),
            (26, 30),
        ]);
        assert_ne!(scratch.key(&cube), scratch.key(&two_complete_graphs));
        let turned_cube = linked(&[
            (1, 5),
            (6, 9),
            (10, 13),
            (14, 2),
            (17, 21),
            (22, 25),
            (26, 29),
            (30, 18),
            (0, 16),
            (4, 20),
            (8, 24),
            (12, 28),
        ]);
        assert_eq!(scratch.key(&cube), scratch.key(&turned_cube));
    }

    /// A graph of `joints` joints with three or four links each, to others, to itself or to the ground. A
    /// plain one has three each, all alike and, if that can be, none to the ground.
    fn random_graph(joints: usize, plain: bool, roll: &mut impl FnMut(usize) -> usize) -> Small {
        let degrees = (0..joints).map(|_| if plain { 3 } else { 3 + roll(2) });
        let ends = degrees.enumerate().flat_map(|(joint, degree)| joint * 4..joint * 4 + degree);
        let mut ends: Vec<usize> = ends.collect();
        let mut graph = Small::EMPTY;
        graph.joints = (1 << joints) - 1;
        while let Some(a) = ends.pop() {
            let length = if plain { 1 } else { roll(2) };
            if ends.is_empty() || (!plain && roll(4) == 0) {
                graph.set(a, slot(GROUND_MATE, length));
            } else {
                let b = ends.swap_remove(roll(ends.len()));
                graph.set(a, slot(b, length));
                graph.set(b, slot(a, length));
            }
        }
        graph
    }

    /// The least list of links under all numberings of the joints.
    fn slow_canon(graph: &Small, numbers: &mut Vec<usize>, joints: usize) -> Vec<(usize, usize, usize)> {
        if numbers.len() < joints {
            let free: Vec<usize> = (0..joints).filter(|number| !numbers.contains(number)).collect();
            let mut trials = Vec::new();
            for number in free {
                numbers.push(number);
                trials.push(slow_canon(graph, numbers, joints));
                numbers.pop();
            }
            return trials.into_iter().min().expect("some number is free");
        }
        let mut links = Vec::new();
        for at in (0..joints * 4).filter(|&at| graph.slot_at(at) != NO_LINK) {
            let end = graph.slot_at(at);
            let here = numbers[at / 4];
            let there = numbers.get(mate(end) / 4).copied().unwrap_or(GROUND);
            links.push((here.min(there), here.max(there), length(end)));
        }
        links.sort_unstable();
        links
    }

    #[test]
    fn small_graphs_have_the_same_key_only_if_some_numbering_makes_them_equal() {
        let mut seed = 1_u64;
        let mut roll = |sides: usize| {
            seed = scrambled(seed);
            (seed % sides as u64) as usize
        };
        let mut scratch = Scratch::new();
        let (mut canons, mut keys) = (HashMap::new(), HashMap::new());
        let mut equals = 0;
        for joints in [1, 2, 3, 4, 5, 6] {
            for trial in 0..600 {
                let graph = random_graph(joints, trial % 2 == 0, &mut roll);
                let canon = slow_canon(&graph, &mut Vec::new(), joints);
                let key = scratch.key(&graph);
                equals += usize::from(canons.contains_key(&canon));
                assert_eq!(*canons.entry(canon.clone()).or_insert(key), key, "{canon:?}");
                assert_eq!(keys.entry(key).or_insert(canon.clone()), &canon);
            }
        }
        assert!(equals > 1_000, "{equals}");
    }
}

//! A 128-bit fingerprint of a graph that is the same for isomorphic graphs and, but for chance, only
//! for them.
//!
//! 1. Each joint gets a colour by the kinds of its links, the ground one of its own.
//! 2. Colour refinement: mix into each colour those of the neighbours, until all are different. The
//!    sum over the joints of the mixed colours is then the fingerprint.
//! 3. If refinement stalls before, some joints look alike. Connected parts that are trees are told
//!    apart by refinement, others are not (two equal loops joined by a path look like a theta graph):
//!    in those, mark each joint of one class in turn, refine again, and sum the outcomes.

use super::graph::{GROUND_MATE, Graph, NO_LINK, Slot, length, mate};

/// Fingerprint of a position; equal keys mean equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Key {
    pub(super) low: u64,
    pub(super) high: u64,
}

const fn scramble(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

const fn random_words<const N: usize>(seed: u64, force_odd: u64) -> [u64; N] {
    let mut words = [0; N];
    let mut index = 0;
    while index < N {
        words[index] = scramble(seed.wrapping_mul(0x1_0001).wrapping_add(index as u64)) | force_odd;
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

const fn link_kinds(seed: u64) -> [u64; 128] {
    let mut kinds = random_words(seed, 0);
    kinds[length(NO_LINK)] = 0;
    kinds
}

static LINK: [u64; 128] = link_weights();
/// First colours by what a link leads to (a joint, the ground) and its length.
static KIND: [[u64; 128]; 2] = [link_kinds(2), link_kinds(3)];
/// Rounds of refinement before joints that still look alike are taken to be alike.
const MOST_ROUNDS: usize = 3;
/// Double rounds of further refinement between two looks at whether all colours are different.
const CHECK_EVERY: usize = 4;
/// Colour of the ground, which is like a joint that never changes.
const GROUND_COLOUR: u64 = scramble(0x6D0B_0000);
/// What the colour of every joint is before refinement.
const JOINT_COLOUR: u64 = scramble(0x7013_7000);
static LONE_LOW: [u64; 256] = random_words(4, 0);
static LONE_HIGH: [u64; 256] = random_words(5, 0);
static SHORT_LOW: [u64; 4] = random_words(6, 0);
static SHORT_HIGH: [u64; 4] = random_words(7, 0);
const MARK: u64 = scramble(0xA11C_E000);
const INDIVIDUALISED: u64 = scramble(0xB0B0_0000);

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

/// Colours by joint number; the last one is the ground's.
#[derive(Clone, Copy)]
struct Colours([u64; 128]);

const GROUND_PLACE: usize = GROUND_MATE / 4;

impl Colours {
    fn start() -> Self {
        let mut colours = [JOINT_COLOUR; 128];
        colours[GROUND_PLACE] = GROUND_COLOUR;
        Self(colours)
    }

    /// The colour at the other end of a slot's link; anything if there is no link.
    #[inline]
    fn beyond(&self, slot: Slot) -> u64 {
        self.0[mate(slot) / 4]
    }
}

/// Room for the colours of one refinement, kept to save clearing it each time.
pub(super) struct Scratch {
    old: Colours,
    new: Colours,
    joints: [u8; 128],
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { old: Colours::start(), new: Colours::start(), joints: [0; 128] }
    }

    /// The fingerprint of a position.
    #[inline]
    pub(super) fn key<const J: usize, const L: usize>(&mut self, graph: &Graph<J, L>) -> Key {
        let mut key = Key::default();
        let short = graph.lone.short() as usize;
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
        let mut count = 0;
        for joint in graph.joint_numbers() {
            self.joints[count] = joint as u8;
            self.old.0[joint] = first_colour(graph.slots[joint % J]);
            count += 1;
        }
        let joints = &self.joints[..count];
        let (a, b) = (&mut self.old, &mut self.new);
        // Once all colours are different, one more round tells each joint's neighbours apart, so that the
        // colours describe the whole graph.
        refine(graph, joints, a, b);
        let mut latest = b;
        let mut spare = a;
        for _ in 0..MOST_ROUNDS {
            if all_different(joints, latest) {
                refine(graph, joints, latest, spare);
                for &joint in joints {
                    key.add_colour(spare.0[joint as usize % 128]);
                }
                return;
            }
            refine(graph, joints, latest, spare);
            std::mem::swap(&mut latest, &mut spare);
        }
        Alike { graph, joints }.add_to(latest, spare, key);
    }
}

/// The colour after one round from equal colours: what kinds of links the joint has.
#[inline]
fn first_colour(slots: [Slot; 4]) -> u64 {
    let mut sum = 0_u64;
    for slot in slots {
        let grounded = usize::from(mate(slot) == GROUND_MATE);
        sum = sum.wrapping_add(KIND[grounded][length(slot)]);
    }
    sum
}

/// One round: each joint's new colour is made of its own and of those at the other ends of its links.
#[inline]
fn refine<const J: usize, const L: usize>(graph: &Graph<J, L>, joints: &[u8], old: &Colours, new: &mut Colours) {
    for &joint in joints {
        let joint = joint as usize % 128;
        let mut sum = old.0[joint].rotate_left(17);
        for slot in graph.slots[joint] {
            sum = sum.wrapping_add(old.beyond(slot).wrapping_mul(LINK[length(slot)]));
        }
        new.0[joint] = mix(sum);
    }
}

#[inline]
fn all_different(joints: &[u8], colours: &Colours) -> bool {
    let mut equal = false;
    for (index, &joint) in joints.iter().enumerate() {
        let colour = colours.0[joint as usize % 128];
        for &earlier in &joints[..index] {
            equal |= colours.0[earlier as usize % 128] == colour;
        }
    }
    !equal
}

/// A graph in which refinement left some joints looking alike.
struct Alike<'a, const J: usize, const L: usize> {
    graph: &'a Graph<J, L>,
    joints: &'a [u8],
}

/// Joints connected with each other.
struct Part<const J: usize> {
    list: [u8; J],
    size: usize,
    /// Links between joints of the part, those from a joint to itself included.
    links: usize,
}

impl<const J: usize> Part<J> {
    fn members(&self) -> &[u8] {
        &self.list[..self.size]
    }

    fn is_tree(&self) -> bool {
        self.links < self.size
    }
}

impl<const J: usize, const L: usize> Alike<'_, J, L> {
    /// Refines as often as can make a difference among `size` joints; `spare` is room to work in.
    fn refine_until_stable(&self, size: usize, colours: &mut Colours, spare: &mut Colours) {
        for round in 1..=size.div_ceil(2) {
            refine(self.graph, self.joints, colours, spare);
            refine(self.graph, self.joints, spare, colours);
            // Once all are different, two more rounds say everything.
            if round % CHECK_EVERY == 0 && all_different(self.joints, colours) {
                refine(self.graph, self.joints, colours, spare);
                refine(self.graph, self.joints, spare, colours);
                return;
            }
        }
    }

    /// The joints connected with `first`; adds them to `seen`.
    fn part(&self, first: u8, seen: &mut u128) -> Part<J> {
        let mut part = Part { list: [first; J], size: 1, links: 0 };
        *seen |= 1 << first;
        let mut next = 0;
        let mut ends = 0;
        while next < part.size {
            for slot in self.graph.slots[part.list[next] as usize] {
                if mate(slot) >= GROUND_MATE {
                    continue;
                }
                ends += 1;
                let neighbour = mate(slot) / 4;
                if *seen >> neighbour & 1 == 0 {
                    *seen |= 1 << neighbour;
                    part.list[part.size] = neighbour as u8;
                    part.size += 1;
                }
            }
            next += 1;
        }
        part.links = ends / 2;
        part
    }

    /// Step 3: some joints look alike.
    fn add_to(&self, colours: &mut Colours, spare: &mut Colours, key: &mut Key) {
        self.refine_until_stable(self.joints.len(), colours, spare);
        let mut seen = 0_u128;
        for &first in self.joints {
            if seen >> first & 1 == 1 {
                continue;
            }
            let part = self.part(first, &mut seen);
            if part.is_tree() || all_different(part.members(), colours) {
                part.members().iter().for_each(|&joint| key.add_colour(colours.0[joint as usize]));
            } else {
                let outcome = self.individualise(colours, spare, part.members());
                key.add(outcome, high_part(outcome));
            }
        }
    }

    /// Sum over the joints of the rarest class of the part of what refinement says once one is marked.
    fn individualise(&self, colours: &Colours, spare: &mut Colours, members: &[u8]) -> u64 {
        let colour = |joint: u8| colours.0[joint as usize];
        let class_size = |joint: u8| members.iter().filter(|&&other| colour(other) == colour(joint)).count();
        let chosen =
            members.iter().map(|&joint| (class_size(joint), colour(joint))).filter(|&(size, _)| size > 1).min();
        let Some((_, class)) = chosen else {
            return members.iter().fold(0, |sum, &joint| sum.wrapping_add(low_part(colour(joint))));
        };
        let mut sum = 0_u64;
        for &marked in members.iter().filter(|&&joint| colour(joint) == class) {
            let mut trial = *colours;
            trial.0[marked as usize] = mix(colour(marked) ^ MARK);
            self.refine_until_stable(members.len(), &mut trial, spare);
            sum = sum.wrapping_add(mix(self.individualise(&trial, spare, members) ^ INDIVIDUALISED));
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{Board, Lines};
    use super::super::contract::contract;
    use super::super::graph::slot;
    use super::*;

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
        let mut keys = std::collections::HashMap::new();
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
}

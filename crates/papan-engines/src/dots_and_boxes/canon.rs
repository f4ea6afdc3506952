//! A 128-bit fingerprint of a graph that is the same for isomorphic graphs and, but for chance, only
//! for them.
//!
//! 1. Each joint gets a colour by the kinds of its links, the ground one of its own.
//! 2. Colour refinement: mix into each colour those of the neighbours, until all are different. The
//!    sum over the joints of the mixed colours is then the fingerprint.
//! 3. If refinement stalls before, some joints look alike. Connected parts that are trees are told
//!    apart by refinement, others are not (two equal loops joined by a path look like a theta graph):
//!    in those, mark each joint of one class in turn, refine again, and sum the outcomes.

use super::graph::{GROUND_MATE, Graph, NO_LINK, length, mate};

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
/// Colour of the ground, which is like a joint that never changes.
const GROUND_COLOUR: u64 = scramble(0x6D0B_0000);
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

/// A colour for each joint; the last one is the ground's.
type Colours = [u64; PLACES];

const PLACES: usize = 128;
const GROUND: usize = PLACES - 1;

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
        joints.number(graph, first);
        joints.refine(first, second);
        if !joints.all_different(second) {
            joints.refine(second, first);
            joints.refine(first, second);
            if !joints.all_different(second) {
                return joints.add_alike(second, first, key);
            }
        }
        // Now that all colours are different, one more round tells each joint's neighbours apart, so that
        // the colours describe the whole graph.
        joints.refine(second, first);
        first[..joints.count].iter().for_each(|&colour| key.add_colour(colour));
    }
}

/// A graph with its joints numbered from 0, in a form that refines quickly.
struct Joints {
    /// The new number of a joint; the ground keeps its place.
    numbers: [u8; PLACES],
    /// What is at the other ends of each joint's links.
    ends: [[u8; 4]; PLACES],
    /// What the colours there weigh; 0 where there is no link.
    weights: [[u64; 4]; PLACES],
    count: usize,
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
        Self { numbers: [GROUND as u8; PLACES], ends: [[0; 4]; PLACES], weights: [[0; 4]; PLACES], count: 0 }
    }

    /// Step 1: numbers the joints of a graph and colours them by the kinds of their links.
    #[inline]
    fn number<const J: usize, const L: usize>(&mut self, graph: &Graph<J, L>, colours: &mut Colours) {
        self.count = 0;
        for joint in graph.joint_numbers() {
            self.numbers[joint % PLACES] = self.count as u8;
            self.count += 1;
        }
        for (number, joint) in graph.joint_numbers().enumerate() {
            let number = number % PLACES;
            let mut colour = 0_u64;
            for (index, slot) in graph.slots[joint % J].into_iter().enumerate() {
                let (mate, length) = (mate(slot), length(slot));
                self.ends[number][index] = self.numbers[mate / 4];
                self.weights[number][index] = LINK[length];
                colour = colour.wrapping_add(KIND[usize::from(mate == GROUND_MATE)][length]);
            }
            colours[number] = colour;
        }
    }

    /// One round: each joint's new colour is made of its own and of those at the other ends of its links.
    #[inline]
    fn refine(&self, old: &Colours, new: &mut Colours) {
        let links = self.ends.iter().zip(&self.weights);
        for (joint, (ends, weights)) in links.enumerate().take(self.count) {
            let mut sum = old[joint].rotate_left(17);
            for (&end, &weight) in ends.iter().zip(weights) {
                sum = sum.wrapping_add(old[end as usize % PLACES].wrapping_mul(weight));
            }
            new[joint] = mix(sum);
        }
    }

    #[inline]
    fn all_different(&self, colours: &Colours) -> bool {
        self.different(colours) == self.count
    }

    /// How many colours there are.
    #[inline]
    fn different(&self, colours: &Colours) -> usize {
        let colours = &colours[..self.count];
        colours.iter().enumerate().filter(|&(index, colour)| !colours[..index].contains(colour)).count()
    }

    /// Refines until two more rounds have told nothing more apart; `spare` is room to work in.
    fn refine_until_stable(&self, colours: &mut Colours, spare: &mut Colours) {
        let mut before = self.different(colours);
        loop {
            self.refine(colours, spare);
            self.refine(spare, colours);
            let now = self.different(colours);
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
        for first in 0..self.count {
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
    /// of all joints if no two look alike.
    fn individualise(&self, colours: &Colours, spare: &mut Colours, members: &[u8]) -> u64 {
        let colour = |joint: u8| colours[joint as usize];
        let class_size = |joint: u8| members.iter().filter(|&&other| colour(other) == colour(joint)).count();
        let chosen =
            members.iter().map(|&joint| (class_size(joint), colour(joint))).filter(|&(size, _)| size > 1).min();
        let Some((_, class)) = chosen else {
            return members.iter().fold(0, |sum, &joint| sum.wrapping_add(low_part(colour(joint))));
        };
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

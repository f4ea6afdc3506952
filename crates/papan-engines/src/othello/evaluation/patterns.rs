//! The shapes that the evaluation looks at, where they lie on the board, and what one number says of one of them.
//!
//! A pattern of n squares has a *code*: the sum of v·3^i over its squares, where v is +1 for a disc of the side to
//! move, −1 for the other side's and 0 for an empty square. Changing sides changes the sign of every code, so one
//! vector negation does it, and codes of up to ten squares fit in 16 bits: the largest is (3^10 − 1) / 2 = 29,524.

use crate::othello::board::transform;

/// Kinds of patterns.
pub(super) const KINDS: usize = 12;
/// Patterns on the board: four rotations of each kind, two of the long diagonal.
pub const PATTERNS: usize = 46;
/// Patterns rounded up to whole vector registers of sixteen codes; the last two are always zero.
pub(super) const LANES: usize = 48;

const fn sq(name: &[u8; 2]) -> u8 {
    (name[1] - b'1') * 8 + name[0] - b'a'
}

macro_rules! squares_of {
    ($($name:literal)*) => { &[$(sq($name)),*] };
}

/// The squares of each kind, in the order of their digits.
pub(super) const KIND_SQUARES: [&[u8]; KINDS] = [
    squares_of!(b"a1" b"b1" b"c1" b"a2" b"b2" b"c2" b"a3" b"b3" b"c3"),
    squares_of!(b"a5" b"a4" b"a3" b"a2" b"a1" b"b2" b"b1" b"c1" b"d1" b"e1"),
    squares_of!(b"b2" b"a1" b"b1" b"c1" b"d1" b"e1" b"f1" b"g1" b"h1" b"g2"),
    squares_of!(b"a1" b"c1" b"d1" b"c2" b"d2" b"e2" b"f2" b"e1" b"f1" b"h1"),
    squares_of!(b"a2" b"b2" b"c2" b"d2" b"e2" b"f2" b"g2" b"h2"),
    squares_of!(b"a3" b"b3" b"c3" b"d3" b"e3" b"f3" b"g3" b"h3"),
    squares_of!(b"a4" b"b4" b"c4" b"d4" b"e4" b"f4" b"g4" b"h4"),
    squares_of!(b"a1" b"b2" b"c3" b"d4" b"e5" b"f6" b"g7" b"h8"),
    squares_of!(b"b1" b"c2" b"d3" b"e4" b"f5" b"g6" b"h7"),
    squares_of!(b"c1" b"d2" b"e3" b"f4" b"g5" b"h6"),
    squares_of!(b"d1" b"e2" b"f3" b"g4" b"h5"),
    squares_of!(b"e1" b"f2" b"g3" b"h4"),
];

/// The four rotations as arguments of [`transform`].
const ROTATIONS: [usize; 4] = [0, 5, 3, 6];

/// One pattern: its kind and its squares on the board.
pub(super) struct Pattern {
    /// Which kind.
    pub kind: usize,
    /// The squares, in the order of their digits.
    pub squares: Vec<u8>,
}

/// All patterns, in the order of the lanes: those of one kind are neighbours.
#[must_use]
pub(super) fn patterns() -> Vec<Pattern> {
    let mut list: Vec<Pattern> = Vec::with_capacity(PATTERNS);
    for (kind, squares) in KIND_SQUARES.iter().enumerate() {
        for rotation in ROTATIONS {
            let turned: Vec<u8> = squares.iter().map(|&square| transform_square(square, rotation)).collect();
            if !list.iter().any(|known| same_set(&known.squares, &turned)) {
                list.push(Pattern { kind, squares: turned });
            }
        }
    }
    list
}

fn transform_square(square: u8, symmetry: usize) -> u8 {
    transform(1 << square, symmetry).trailing_zeros() as u8
}

fn same_set(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().all(|square| b.contains(square))
}

/// Number of codes of a kind: 3^n.
#[must_use]
pub(super) fn code_count(kind: usize) -> usize {
    3_usize.pow(KIND_SQUARES[kind].len() as u32)
}

/// For each code of a kind (shifted to start at 0) the number of its class: a pattern and its mirror image, which
/// must be worth the same, are one class. Classes are numbered from 0 in the order of their least code.
#[must_use]
pub(super) fn classes(kind: usize) -> (Vec<u32>, usize) {
    let squares = KIND_SQUARES[kind];
    let mirror = mirror_permutation(squares);
    let mut class_of = vec![u32::MAX; code_count(kind)];
    let mut count = 0;
    for code in 0..class_of.len() {
        if class_of[code] == u32::MAX {
            class_of[code] = count;
            class_of[permuted(code, &mirror)] = count;
            count += 1;
        }
    }
    (class_of, count as usize)
}

/// Where the digits go under the symmetry of the board that maps the pattern onto itself and moves its squares.
fn mirror_permutation(squares: &[u8]) -> Vec<usize> {
    (1..8)
        .filter_map(|symmetry| {
            squares
                .iter()
                .map(|&square| squares.iter().position(|&other| other == transform_square(square, symmetry)))
                .collect::<Option<Vec<usize>>>()
        })
        .find(|permutation| permutation.iter().enumerate().any(|(from, &to)| from != to))
        .unwrap_or_else(|| (0..squares.len()).collect())
}

fn permuted(code: usize, permutation: &[usize]) -> usize {
    let mut rest = code;
    let mut result = 0;
    for &to in permutation {
        result += (rest % 3) * 3_usize.pow(to as u32);
        rest /= 3;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_forty_six_patterns_on_different_squares() {
        let list = patterns();
        assert_eq!(list.len(), PATTERNS);
        for (index, pattern) in list.iter().enumerate() {
            assert!(list[..index].iter().all(|other| !same_set(&other.squares, &pattern.squares)));
        }
    }

    #[test]
    fn every_kind_has_a_mirror_image() {
        for (kind, squares) in KIND_SQUARES.iter().enumerate() {
            let (class_of, count) = classes(kind);
            assert!(count < class_of.len() * 2 / 3, "kind {kind}");
            let mirror = mirror_permutation(squares);
            for code in 0..class_of.len() {
                assert_eq!(class_of[code], class_of[permuted(code, &mirror)]);
            }
        }
    }
}

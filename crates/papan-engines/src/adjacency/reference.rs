//! The slow, obvious reference of every search here: plain minimax on an array of cells, and a
//! generator of random positions of every kind. Only tests and checks use it.

pub use crate::common::random::SplitMix;

/// A position on plain arrays: 0 empty, 1 the side to move, 2 the other side.
#[derive(Clone, Debug)]
pub struct PlainPosition {
    cells: [u8; 64],
    plies: u32,
    eight: bool,
}

impl PlainPosition {
    /// Takes over a position from bitboards; `eight` selects the eight-neighbour rule.
    #[must_use]
    pub fn new(own: u64, opponent: u64, plies: u32, eight: bool) -> Self {
        let cells = std::array::from_fn(|cell| (own >> cell & 1) as u8 + 2 * (opponent >> cell & 1) as u8);
        Self { cells, plies, eight }
    }

    /// The marks of the side to move and of the other side.
    #[must_use]
    pub fn boards(&self) -> (u64, u64) {
        let of = |side| (0..64).fold(0u64, |set, c| set | u64::from(self.cells[c] == side) << c);
        (of(1), of(2))
    }

    fn near(&self, cell: usize) -> Vec<usize> {
        let (row, column) = (cell as i32 / 8, cell as i32 % 8);
        let mut found = Vec::new();
        for dr in -1..=1i32 {
            for dc in -1..=1i32 {
                let steps = dr.abs() + dc.abs();
                let (r, c) = (row + dr, column + dc);
                if steps > 0 && (steps == 1 || self.eight) && (0..8).contains(&r) && (0..8).contains(&c) {
                    found.push((8 * r + c) as usize);
                }
            }
        }
        found
    }

    fn margin(&self) -> i32 {
        let count = |side| self.cells.iter().filter(|&&c| c == side).count() as i32;
        count(1) - count(2)
    }

    /// The position after a move, from the other side's chair.
    #[must_use]
    pub fn after(&self, cell: usize) -> Self {
        let mut next = self.clone();
        next.cells[cell] = 1;
        for n in self.near(cell) {
            if next.cells[n] == 2 {
                next.cells[n] = 1;
            }
        }
        for c in &mut next.cells {
            *c = [0, 2, 1][*c as usize];
        }
        next.plies -= 1;
        next
    }

    /// All empty cells.
    pub fn moves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..64).filter(|&c| self.plies > 0 && self.cells[c] == 0)
    }

    /// The final margin for the side to move under best play.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.value_within(-99, 99)
    }

    /// Fail-hard alpha-beta in the textbook form, without any other knowledge.
    fn value_within(&self, mut alpha: i32, beta: i32) -> i32 {
        if self.plies == 0 {
            return self.margin().clamp(alpha, beta);
        }
        for cell in self.moves() {
            alpha = alpha.max(-self.after(cell).value_within(-beta, -alpha));
            if alpha >= beta {
                return beta;
            }
        }
        alpha
    }
}

/// A random board with `empties` empty cells: either scattered marks or marks played in
/// by random moves from the start, so that both wild and natural boards occur.
pub fn random_board(random: &mut SplitMix, empties: u32, eight: bool) -> (u64, u64) {
    if random.below(2) == 0 && empties <= 56 {
        let mut position = PlainPosition::new(START.0, START.1, 64, eight);
        for _ in 0..56 - empties {
            let moves: Vec<usize> = position.moves().collect();
            position = position.after(moves[random.below(moves.len() as u32) as usize]);
        }
        return position.boards();
    }
    let mut empty = 0u64;
    while empty.count_ones() < empties {
        empty |= 1 << random.below(64);
    }
    let own = random.next() & !empty;
    (own, !own & !empty)
}

/// The start: the first mover's marks bottom left, the other's top right.
pub const START: (u64, u64) = (0x0303_0000_0000_0000, 0x0000_0000_0000_c0c0);

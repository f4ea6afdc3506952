//! What a game's position promises.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Bits, Digest, Margin, Player};

/// A move, identified within its game by a small number.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Moves are numbered below this: searches index their tables with it.
    const LIMIT: usize = 256;

    /// The move's number, below [`Move::LIMIT`], the same in every position.
    fn index(self) -> usize;

    /// The move with this number, which must be below [`Move::LIMIT`].
    fn from_index(index: usize) -> Self;
}

/// The legal moves of one position, in the game's natural order.
pub trait MoveSet<M: Move>: Copy + IntoIterator<Item = M> {
    /// How many moves there are.
    fn len(&self) -> usize;
    /// Is `mv` among them?
    fn contains(&self, mv: M) -> bool;
    /// The `n`-th move (from 0), which must exist.
    fn nth(&self, n: usize) -> M;
    /// A move drawn with 64 random bits, `None` if there is none.
    fn pick(&self, random: u64) -> Option<M>;

    /// Is there no move?
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position of a two-player game: everything the rules need, and nothing of
/// bots, clocks or screens. Small, and copied freely.
///
/// The promises, all checked by [`crate::conformance`]:
/// - `legal_moves` is empty exactly when the game is over; a forced pass is a move;
/// - `to_move` is absolute: the same player may move twice in a row;
/// - `margin` is First minus Second at any time, and the outcome once over;
/// - equal keys mean equal values under best play, whoever made them.
pub trait Position: Copy + Eq + Debug + Send + Sync + 'static {
    /// The game's moves.
    type Move: Move;
    /// The set that [`Position::legal_moves`] gives.
    type Moves: MoveSet<Self::Move>;

    /// Whose turn it is. Once the game is over: whose it would be.
    fn to_move(&self) -> Player;

    /// Every legal move, and no other.
    fn legal_moves(&self) -> Self::Moves;

    /// The position after `mv`, which must be legal here: the trusted fast
    /// path. [`Position::play`] is the checked door.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self;

    /// The points of First and Second: marks, boxes, discs, wins.
    fn points(&self) -> [i32; 2];

    /// A 64-bit key over everything that affects the value: the board, the
    /// side to move, the points, the moves left.
    fn key(&self) -> u64;

    /// First's points minus Second's.
    #[inline(always)]
    fn margin(&self) -> Margin {
        let [first, second] = self.points();
        Margin(first - second)
    }

    /// Is the game over?
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.legal_moves().is_empty()
    }

    /// The digest of the positions one move on. The game is not over. Rules
    /// that can tell without making every move do so here.
    #[inline]
    fn digest_of_moves(&self) -> Digest {
        Digest::by_moving(self)
    }

    /// The position after `mv`, or `None` if `mv` is not legal here.
    #[inline]
    fn play(&self, mv: Self::Move) -> Option<Self> {
        self.legal_moves().contains(mv).then(|| self.after(mv))
    }
}

/// A move that names a place on the board: a cell, a square, a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(pub u8);

impl Move for Place {
    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline(always)]
    fn from_index(index: usize) -> Self {
        Self(index as u8)
    }
}

/// Legal moves that are a set of places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places<B>(pub B);

impl<B: Bits> MoveSet<Place> for Places<B> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.count() as usize
    }

    #[inline(always)]
    fn contains(&self, place: Place) -> bool {
        self.0.has(place.index())
    }

    #[inline(always)]
    fn nth(&self, n: usize) -> Place {
        Place(self.0.nth(n) as u8)
    }

    #[inline(always)]
    fn pick(&self, random: u64) -> Option<Place> {
        self.0.pick(random).map(|index| Place(index as u8))
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<B: Bits> IntoIterator for Places<B> {
    type Item = Place;
    type IntoIter = PlaceIter<B>;

    #[inline(always)]
    fn into_iter(self) -> PlaceIter<B> {
        PlaceIter(self.0)
    }
}

/// The places of a set from the smallest index up.
#[derive(Clone, Copy, Debug)]
pub struct PlaceIter<B>(B);

impl<B: Bits> Iterator for PlaceIter<B> {
    type Item = Place;

    #[inline(always)]
    fn next(&mut self) -> Option<Place> {
        if self.0.is_empty() {
            return None;
        }
        let place = Place(self.0.lowest() as u8);
        self.0 = self.0.without_lowest();
        Some(place)
    }
}

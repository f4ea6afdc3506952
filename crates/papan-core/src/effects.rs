//! What a move did to the board, seen as the difference of two scenes: no
//! game is known here.

use crate::Text;
use crate::scene::{Scene, Shape, ShapeKind};

/// What a move did to the board besides putting a piece on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Pieces that went from one player to the other.
    pub turned: usize,
    /// Boxes that were completed.
    pub completed: usize,
}

impl Effects {
    /// What changed between the board before a move and the board after it.
    /// Only pieces are counted: a cell says whose piece lies on it, and would
    /// count the same piece once more.
    #[must_use]
    pub fn between(before: &Scene, after: &Scene) -> Self {
        let mut effects = Self::default();
        for (index, now) in after.shapes.iter().enumerate().filter(|(_, shape)| !shape.is_ground()) {
            let then = before_of(before, index, now);
            let changed_hands = |then: &Shape| then.owner.is_some() && now.owner.is_some() && then.owner != now.owner;
            effects.turned += usize::from(then.is_some_and(changed_hands));
            let was_there = then.is_some_and(|then| then.present);
            effects.completed += usize::from(now.kind == ShapeKind::Box && !was_there);
        }
        effects
    }

    /// "2 turned", "1 box completed"; nothing where nothing else happened.
    #[must_use]
    pub fn text(self) -> Option<Text> {
        let turned =
            (self.turned > 0).then(|| Text::owned(counted(self.turned, "turned"), counted(self.turned, "dibalik")));
        let boxes = if self.completed == 1 { "box completed" } else { "boxes completed" };
        let completed = (self.completed > 0)
            .then(|| Text::owned(counted(self.completed, boxes), counted(self.completed, "kotak selesai")));
        match (turned, completed) {
            (Some(a), Some(b)) => Some(Text::owned(format!("{}, {}", a.en, b.en), format!("{}, {}", a.id, b.id))),
            (a, b) => a.or(b),
        }
    }
}

fn counted(count: usize, words: &str) -> String {
    format!("{count} {words}")
}

/// The shape that `now` was. Most scenes keep the order of their shapes from
/// one move to the next, so the same place is looked at first.
fn before_of<'a>(before: &'a Scene, index: usize, now: &Shape) -> Option<&'a Shape> {
    match before.shapes.get(index) {
        Some(shape) if shape.id == now.id => Some(shape),
        _ => before.shapes.iter().find(|shape| shape.id == now.id),
    }
}

//! Where the positions of a tree stand: leaves side by side, everything else
//! above the middle of what is below it.

use std::collections::HashMap;

use crate::tree::NodeView;

/// A position's place in the picture, in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spot {
    pub(super) x: f32,
    pub(super) y: f32,
}

/// Pixels between two leaves.
pub(super) const COLUMN: f32 = 84.0;
/// Pixels between two layers.
pub(super) const ROW: f32 = 96.0;
/// Pixels around the picture.
pub(super) const BORDER: f32 = 48.0;

/// A tree laid out.
pub(super) struct Layout {
    /// One for each position, in the order given.
    pub(super) spots: Vec<Spot>,
    /// Where the skipped moves of a position stand, by the position's number.
    pub(super) skipped: HashMap<u32, Spot>,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// Lays out positions of which every one's parent comes before it or is not
/// among them.
pub(super) fn layout(nodes: &[NodeView]) -> Layout {
    let index: HashMap<u32, usize> = nodes.iter().enumerate().map(|(index, node)| (node.id, index)).collect();
    let mut children = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        match node.parent.and_then(|parent| index.get(&parent)) {
            Some(&parent) => children[parent].push(number),
            None => roots.push(number),
        }
    }
    let mut builder = Builder {
        nodes,
        children: &children,
        next: 0,
        spots: vec![Spot { x: 0.0, y: 0.0 }; nodes.len()],
        skipped: HashMap::new(),
    };
    for root in roots {
        builder.place(root);
    }
    let deepest = builder.spots.iter().chain(builder.skipped.values()).map(|spot| spot.y).fold(0.0, f32::max);
    Layout {
        width: builder.next.max(1) as f32 * COLUMN + 2.0 * BORDER,
        height: deepest + 2.0 * BORDER,
        spots: builder.spots,
        skipped: builder.skipped,
    }
}

struct Builder<'a> {
    nodes: &'a [NodeView],
    children: &'a [Vec<usize>],
    /// The next free column.
    next: usize,
    spots: Vec<Spot>,
    skipped: HashMap<u32, Spot>,
}

impl Builder<'_> {
    /// Places a position and everything below it; a game is at most a few
    /// hundred plies deep, and so is the recursion.
    fn place(&mut self, number: usize) -> f32 {
        let node = &self.nodes[number];
        let y = BORDER + f32::from(node.ply) * ROW;
        let mut columns: Vec<f32> = self.children[number].iter().map(|&child| self.place(child)).collect();
        if node.cut.is_some() && !columns.is_empty() {
            let x = self.column();
            self.skipped.insert(node.id, Spot { x, y: y + ROW });
            columns.push(x);
        }
        let x = match (columns.first(), columns.last()) {
            (Some(first), Some(last)) => f32::midpoint(*first, *last),
            _ => self.column(),
        };
        self.spots[number] = Spot { x, y };
        x
    }

    fn column(&mut self) -> f32 {
        let x = BORDER + (self.next as f32 + 0.5) * COLUMN;
        self.next += 1;
        x
    }
}

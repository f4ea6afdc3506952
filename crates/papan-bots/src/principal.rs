//! The principal variation: the line that both players are expected to play.

/// The best line found from each ply of the path that a search is on. Row
/// `ply` holds moves from `ply` on; all rows are allocated once.
#[derive(Clone, Debug)]
pub(crate) struct PrincipalLine<M> {
    moves: Vec<M>,
    lengths: Vec<usize>,
    stride: usize,
}

impl<M: Copy> PrincipalLine<M> {
    /// Room for lines of `depth` moves; `filler` is any move.
    pub(crate) fn new(depth: u32, filler: M) -> Self {
        let stride = depth as usize;
        let rows = stride + 2;
        Self { moves: vec![filler; stride * rows], lengths: vec![0; rows], stride }
    }

    /// No line from `ply` on is known.
    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: u32) {
        self.lengths[ply as usize] = 0;
    }

    /// The best line from `ply` on is `mv` and then the best line from the
    /// next ply on.
    #[inline]
    pub(crate) fn extend(&mut self, ply: u32, mv: M) {
        let ply = ply as usize;
        let below = self.lengths[ply + 1];
        let (row, next) = (ply * self.stride, (ply + 1) * self.stride);
        self.moves[row] = mv;
        self.moves.copy_within(next..next + below, row + 1);
        self.lengths[ply] = below + 1;
    }

    /// The best line from `ply` on.
    pub(crate) fn line(&self, ply: u32) -> &[M] {
        let row = ply as usize * self.stride;
        &self.moves[row..row + self.lengths[ply as usize]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_from_the_end_to_the_root() {
        let mut line = PrincipalLine::new(3, '-');
        line.clear(3);
        line.extend(2, 'c');
        line.extend(1, 'b');
        line.clear(2);
        line.extend(1, 'x');
        assert_eq!(line.line(1), ['x']);
        line.extend(2, 'y');
        line.extend(1, 'x');
        line.extend(0, 'a');
        assert_eq!(line.line(0), ['a', 'x', 'y']);
    }
}

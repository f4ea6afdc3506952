//! What evaluations, editing and symmetries see on the board.

use papan_core::Player;

use super::position::{BOARD, COLUMNS, ConnectFourPosition, STRIDE};

/// The steps of the four directions.
const STEPS: [usize; 4] = [1, STRIDE - 1, STRIDE, STRIDE + 1];

impl ConnectFourPosition {
    /// Does a disc lie over an empty cell?
    pub(super) fn has_gaps(&self) -> bool {
        let taken = self.discs[0] | self.discs[1];
        taken << STRIDE & BOARD & !taken != 0
    }

    /// The mirror image.
    pub(super) fn mirrored(&self) -> Self {
        let mirrored = |discs: u64| discs.swap_bytes().reverse_bits() >> (STRIDE - COLUMNS);
        Self { discs: self.discs.map(mirrored), ..*self }
    }

    /// Lines of four without a disc of the opponent's, each counted by the
    /// square of how many discs `player` has on it.
    pub(super) fn open_lines(&self, player: Player) -> i32 {
        let own = self.discs[player.index()];
        let open = BOARD & !self.discs[player.other().index()];
        let mut sum = 0;
        for step in STEPS {
            let line = 1 | 1 << step | 1 << (2 * step) | 1 << (3 * step);
            let mut starts = open & open >> step & open >> (2 * step) & open >> (3 * step);
            while starts != 0 {
                let discs = (own >> starts.trailing_zeros() & line).count_ones() as i32;
                sum += discs * discs;
                starts &= starts - 1;
            }
        }
        sum
    }
}

//! Threat-space search: wins by threats that leave one reply each, and what a defender can do about them
//! (Allis, van den Herik and Huntjens, *Go-Moku and Threat-Space Search*, 1993).

use super::masks::{Cells, Masks, cells_of, is_one, is_one_at_most};

/// A win by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForcedWin {
    /// The first mark.
    pub(super) first: Cells,
    /// Every cell that the winner marks, or completes a row with.
    pub(super) marks: Cells,
    /// Every cell in which the defender may have to reply.
    pub(super) replies: Cells,
}

impl Masks {
    /// A win for `own`, who is to move, by threats that leave one reply each. Nothing if there is none or
    /// `nodes` run out.
    pub(super) fn forced_win(&self, own: Cells, other: Cells, nodes: &mut u32) -> Option<ForcedWin> {
        let wins = self.wins(own, other);
        if wins != 0 {
            let first = wins & wins.wrapping_neg();
            return Some(ForcedWin { first, marks: first, replies: 0 });
        }
        self.attack(own, other, self.wins(other, own), nodes)
    }

    /// As `forced_win`, where `own` cannot complete a row at once; `must` are the cells in which `other` can.
    fn attack(&self, own: Cells, other: Cells, must: Cells, nodes: &mut u32) -> Option<ForcedWin> {
        if !is_one_at_most(must) {
            return None;
        }
        for &row in &self.rows {
            let empty = row & !own;
            let rest = empty & empty.wrapping_sub(1);
            if other & row != 0 || !is_one(rest) {
                continue;
            }
            for first in [empty ^ rest, rest] {
                if must != 0 && first != must {
                    continue;
                }
                if *nodes == 0 {
                    return None;
                }
                *nodes -= 1;
                if let Some(win) = self.follow_up(own | first, other, first, nodes) {
                    return Some(win);
                }
            }
        }
        None
    }

    /// The rest of a forced win after the threat of marking `first`, which leaves the defender no row to
    /// complete.
    fn follow_up(&self, own: Cells, other: Cells, first: Cells, nodes: &mut u32) -> Option<ForcedWin> {
        // Only rows through the new mark can have come to lack a single one.
        let wins = self.wins_through(first, own, other);
        if !is_one_at_most(wins) {
            return Some(ForcedWin { first, marks: first | wins, replies: wins });
        }
        let replied = other | wins;
        let rest = self.attack(own, replied, self.wins_through(wins, replied, own), nodes)?;
        Some(ForcedWin { first, marks: first | wins | rest.marks, replies: wins | rest.replies })
    }

    /// The cells one of which `own`, to move, must mark if `other` threatens to win like this: any other
    /// mark leaves the threat as it is.
    ///
    /// A mark helps if it is in a cell that the win needs, or if, together with the replies, it gives `own`
    /// a row that lacks one mark at most.
    pub(super) fn defences(&self, own: Cells, other: Cells, threat: ForcedWin) -> Cells {
        let mut cells = threat.marks | threat.replies;
        for &row in &self.rows {
            if other & row == 0 && ((own | threat.replies) & row).count_ones() + 2 >= self.k {
                cells |= row;
            }
        }
        cells & !own & !other
    }
}

/// Gives up a search for pairs after so many attempts.
const PAIRING_ATTEMPTS: u32 = 40;
/// More rows than this are hardly ever paired.
const PAIRING_ROWS: usize = 14;

impl Masks {
    /// Whether each row that `attacker` could still complete can be given two free cells of its own: the
    /// other side then answers in the pair, and no row is ever completed. May say no where there are pairs.
    pub(super) fn is_paired(&self, attacker: Cells, defender: Cells) -> bool {
        let free = self.all & !attacker & !defender;
        let mut rows = [0; PAIRING_ROWS];
        let mut count = 0;
        for &row in self.rows.iter().filter(|&&row| row & defender == 0) {
            if count == PAIRING_ROWS {
                return false;
            }
            rows[count] = row & free;
            count += 1;
        }
        pair(&rows[..count], free, &mut { PAIRING_ATTEMPTS })
    }
}

/// Pairs the rows in free cells; each row has all its free cells.
fn pair(rows: &[Cells], free: Cells, attempts: &mut u32) -> bool {
    // The row with the least choice goes first.
    let Some(&hardest) = rows.iter().min_by_key(|&&row| (row & free).count_ones()) else { return true };
    if (hardest & free).count_ones() < 2 || *attempts == 0 {
        return false;
    }
    *attempts -= 1;
    for a in cells_of(hardest & free) {
        for b in cells_of(hardest & free & !((2 << a) - 1)) {
            let both = 1 << a | 1 << b;
            let mut left = [0; PAIRING_ROWS];
            let mut count = 0;
            for &row in rows.iter().filter(|&&row| row & both != both) {
                left[count] = row;
                count += 1;
            }
            if pair(&left[..count], free & !both, attempts) {
                return true;
            }
        }
    }
    false
}

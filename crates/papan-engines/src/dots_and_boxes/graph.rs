//! A quiet position as a graph of joints, in the words of Berlekamp's *The Dots and Boxes Game* (2000).
//!
//! A position is *quiet* if no box has exactly one open side. What matters then is:
//!
//! * the **joints**, boxes with three or four open sides;
//! * the **links** between joints, or from a joint to the ground outside the board, each labelled
//!   with the number of two-sided boxes strung along it (0 is a single line, which is safe to draw);
//! * the **lone** chains (ground to ground) and loops, which touch no joint.
//!
//! Each joint has four slots. A slot is one end of a link:
//!
//! ```text
//!  15       7 6      0
//! +----------+--------+
//! |   mate   | length |   mate: slot number of the other end, or GROUND_MATE
//! +----------+--------+   0xFFFF: no link
//! ```

use crate::common::bits::SetBits;

/// One end of a link, packed as drawn above.
pub(super) type Slot = u16;
/// A slot without a link.
pub(super) const NO_LINK: Slot = 0xFFFF;
/// The mate of a slot whose link ends at the ground.
pub(super) const GROUND_MATE: usize = 510;
const LENGTH_BITS: u32 = 7;
const LENGTH_MASK: u16 = 0x7F;
/// Marks a loop in a list of lone parts; the other bits are its length.
pub(super) const LOOP_FLAG: u8 = 0x80;
/// The most long lone parts (three boxes or more) any board of 100 boxes can have.
pub(super) const MAX_LONE: usize = 34;

/// Packs a slot.
pub(super) const fn slot(mate: usize, length: usize) -> Slot {
    ((mate as u16) << LENGTH_BITS) | length as u16
}

/// The mate of a slot that holds a link.
pub(super) const fn mate(slot: Slot) -> usize {
    (slot >> LENGTH_BITS) as usize
}

/// The length of a slot that holds a link.
pub(super) const fn length(slot: Slot) -> usize {
    (slot & LENGTH_MASK) as usize
}

/// The lone chains and loops of a position.
///
/// Two lone chains of one box cancel, and so do two of two boxes: the reply to opening one is to
/// take it and open the other. Only the parity of their number is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lone<const L: usize> {
    parts: [u8; L],
    count: u8,
    short: u8,
}

impl<const L: usize> Lone<L> {
    pub(super) const EMPTY: Self = Self { parts: [0; L], count: 0, short: 0 };

    /// Long chains, and loops marked with `LOOP_FLAG`, in no particular order.
    pub(super) fn long(&self) -> &[u8] {
        &self.parts[..self.count as usize]
    }

    /// Bit 0: a chain of one box. Bit 1: a chain of two boxes.
    pub(super) fn short(&self) -> u8 {
        self.short
    }

    /// Adds a chain; returns how many boxes that adds to the position, negative if a pair cancels.
    pub(super) fn add_chain(&mut self, length: usize) -> i32 {
        if length > 2 {
            self.push(length as u8);
            return length as i32;
        }
        self.short ^= length as u8;
        if self.short & length as u8 != 0 { length as i32 } else { -(length as i32) }
    }

    /// Adds a loop.
    pub(super) fn add_loop(&mut self, length: usize) {
        self.push(length as u8 | LOOP_FLAG);
    }

    fn push(&mut self, part: u8) {
        self.parts[self.count as usize] = part;
        self.count += 1;
    }

    fn remove(&mut self, part: u8) {
        let at = self.long().iter().position(|&p| p == part).expect("the part is there");
        self.count -= 1;
        self.parts[at] = self.parts[self.count as usize];
        self.parts[self.count as usize] = 0;
    }

    /// The shortest long chain. Opening it is at least as good as opening any longer one.
    pub(super) fn shortest_chain(&self) -> Option<u8> {
        self.long().iter().copied().filter(|part| part & LOOP_FLAG == 0).min()
    }

    /// The shortest loop, with its mark. Opening it is at least as good as opening any longer one.
    pub(super) fn shortest_loop(&self) -> Option<u8> {
        self.long().iter().copied().filter(|part| part & LOOP_FLAG != 0).min()
    }
}

/// What the opponent of a move may take, and what the taker may decline to stay in control.
///
/// With w the value of what is left, the taker gets `taken + max(w, -declined - w)`, or
/// `taken + w` if nothing can be declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// Boxes offered.
    pub taken: i8,
    /// 0, 4 (the last two boxes of a chain) or 8 (the last four of a loop).
    pub declined: i8,
}

impl Offer {
    /// A safe move offers nothing.
    pub(super) const NOTHING: Self = Self { taken: 0, declined: 0 };

    /// Value for the one who takes, if the value of what is left is `rest` for the one who moves there.
    pub(super) fn value_for_taker(self, rest: i32) -> i32 {
        let all = rest;
        let declining = if self.declined > 0 { -i32::from(self.declined) - rest } else { all };
        i32::from(self.taken) + all.max(declining)
    }
}

/// A move in a quiet position; lines of the same value are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// Draws the link of length 0 that ends at the slot.
    Safe(u16),
    /// Opens the longer link that ends at the slot.
    Link(u16),
    /// Opens a lone chain of one or two boxes.
    Short(u8),
    /// Opens a lone long chain, or a loop if marked.
    Long(u8),
}

/// A quiet position with up to `J` joints and `L` long lone parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Graph<const J: usize, const L: usize> {
    pub(super) slots: [[Slot; 4]; J],
    pub(super) joints: u128,
    pub(super) lone: Lone<L>,
    /// Boxes to come, cancelled pairs left out.
    pub(super) boxes: i8,
    /// Links plus lone parts: how much is left to play.
    pub(super) links: u8,
}

impl<const J: usize, const L: usize> Graph<J, L> {
    /// Nothing left to play.
    pub(super) const EMPTY: Self = Self { slots: [[NO_LINK; 4]; J], joints: 0, lone: Lone::EMPTY, boxes: 0, links: 0 };

    /// Joint numbers in ascending order.
    #[inline]
    pub(super) fn joint_numbers(&self) -> impl Iterator<Item = usize> + use<J, L> {
        let high = if J > 64 { (self.joints >> 64) as u64 } else { 0 };
        SetBits(self.joints as u64).map(|bit| bit as usize).chain(SetBits(high).map(|bit| 64 + bit as usize))
    }

    /// The slot with a given number.
    #[inline]
    pub(super) fn slot_at(&self, at: usize) -> Slot {
        self.slots.as_flattened()[at]
    }

    /// Replaces the slot with a given number.
    #[inline]
    pub(super) fn set(&mut self, at: usize, slot: Slot) {
        self.slots.as_flattened_mut()[at] = slot;
    }

    /// The position after a move and after everything it offers is taken.
    pub(super) fn after(&self, mv: Move) -> (Self, Offer) {
        let mut next = *self;
        let offer = next.play(mv);
        (next, offer)
    }

    fn play(&mut self, mv: Move) -> Offer {
        match mv {
            Move::Safe(slot) => {
                self.cut(slot as usize);
                Offer::NOTHING
            }
            Move::Link(slot) => self.open_link(slot as usize),
            Move::Short(length) => {
                self.boxes += self.lone.add_chain(length as usize) as i8;
                self.links -= 1;
                Offer { taken: length as i8, declined: 0 }
            }
            Move::Long(part) => {
                self.lone.remove(part);
                self.links -= 1;
                let taken = (part & !LOOP_FLAG) as i8;
                self.boxes -= taken;
                Offer { taken, declined: if part & LOOP_FLAG == 0 { 4 } else { 8 } }
            }
        }
    }

    fn open_link(&mut self, at: usize) -> Offer {
        let link = self.slot_at(at);
        let on_one_joint = mate(link) / 4 == at / 4;
        let taken_here = length(link) as i8;
        self.boxes -= taken_here;
        let swallowed = self.cut(at);
        // The middle line of a two-box link leaves nothing to decline.
        let declined = if taken_here > 2 || on_one_joint { 4 } else { 0 };
        Offer { taken: taken_here + swallowed, declined }
    }

    /// Removes a link with the boxes on it; returns the joint boxes that fall with it.
    fn cut(&mut self, at: usize) -> i8 {
        let other = mate(self.slot_at(at));
        self.set(at, NO_LINK);
        self.links -= 1;
        if other == GROUND_MATE {
            return self.settle(at / 4);
        }
        self.set(other, NO_LINK);
        let fallen = self.settle(at / 4);
        if other / 4 == at / 4 { fallen } else { fallen + self.settle(other / 4) }
    }

    /// Restores "every joint has three or four links" at a joint that has just lost some.
    /// Returns the boxes taken if the joint fell.
    fn settle(&mut self, joint: usize) -> i8 {
        let base = joint * 4;
        let mut ends = [0; 4];
        let mut degree = 0;
        for at in base..base + 4 {
            if self.slot_at(at) != NO_LINK {
                ends[degree] = at;
                degree += 1;
            }
        }
        match degree {
            1 => self.fall(joint, ends[0]),
            2 => {
                self.join(joint, ends[0], ends[1]);
                0
            }
            _ => 0,
        }
    }

    /// A joint left with one link is taken, with the whole link.
    fn fall(&mut self, joint: usize, end: usize) -> i8 {
        let taken = 1 + length(self.slot_at(end)) as i8;
        self.boxes -= taken;
        self.joints &= !(1 << joint);
        let other = mate(self.slot_at(end));
        self.set(end, NO_LINK);
        self.links -= 1;
        if other == GROUND_MATE {
            return taken;
        }
        self.set(other, NO_LINK);
        taken + self.settle(other / 4)
    }

    /// A joint left with two links becomes a box on the link that joins them.
    fn join(&mut self, joint: usize, a: usize, b: usize) {
        let (link_a, link_b) = (self.slot_at(a), self.slot_at(b));
        self.set(a, NO_LINK);
        self.set(b, NO_LINK);
        self.joints &= !(1 << joint);
        if mate(link_a) == b {
            self.lone.add_loop(length(link_a) + 1);
            return;
        }
        self.links -= 1;
        let joined = length(link_a) + 1 + length(link_b);
        match (mate(link_a), mate(link_b)) {
            (GROUND_MATE, GROUND_MATE) => self.add_lone_chain(joined),
            (GROUND_MATE, end) | (end, GROUND_MATE) => self.set(end, slot(GROUND_MATE, joined)),
            (end_a, end_b) => {
                self.set(end_a, slot(end_b, joined));
                self.set(end_b, slot(end_a, joined));
            }
        }
    }

    /// The boxes of the chain are counted already; a cancelled pair leaves the position.
    fn add_lone_chain(&mut self, chain: usize) {
        if self.lone.add_chain(chain) < 0 {
            self.boxes -= 2 * chain as i8;
            self.links -= 2;
        }
    }
}

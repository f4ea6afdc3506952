//! From drawn lines to what is there to take and the graph of the rest.

use super::board::{Board, Lines, MAX_BOXES};
use super::graph::{GROUND_MATE, Graph, MAX_LONE, NO_LINK, Offer, slot};

/// Where an open side of a box leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Ground,
    Cell(usize),
}

/// Any position: what the side to move may take now, and the quiet rest.
#[derive(Clone, Debug)]
pub(super) struct Contracted {
    /// What there is to take. Its value for the side to move is `offer.value_for_taker(rest)`.
    pub offer: Offer,
    /// Open sides of boxes that are not takeable.
    pub quiet: QuietBoxes,
}

/// The boxes that are left when everything takeable is taken.
#[derive(Clone, Debug)]
pub(super) struct QuietBoxes {
    board: Board,
    open: Lines,
    degree: [u8; MAX_BOXES],
}

/// Takes everything that can be taken.
pub(super) fn contract(board: Board, drawn: Lines) -> Contracted {
    let start = QuietBoxes::with_degrees(board, board.all().without(drawn));
    let mut quiet = start.clone();
    let mut fallen = [false; MAX_BOXES];
    let mut waiting: Vec<usize> = (0..board.boxes()).filter(|&cell| quiet.degree[cell] == 1).collect();
    while let Some(cell) = waiting.pop() {
        if fallen[cell] {
            continue;
        }
        fallen[cell] = true;
        for side in board.sides(cell) {
            if !quiet.open.contains(side) {
                continue;
            }
            quiet.open.remove(side);
            for beside in board.beside(side).into_iter().flatten() {
                quiet.degree[beside] -= 1;
                if quiet.degree[beside] <= 1 && !fallen[beside] {
                    waiting.push(beside);
                }
            }
        }
    }
    let taken = fallen.iter().filter(|&&taken| taken).count() as i8;
    Contracted { offer: Offer { taken, declined: start.cheapest_decline(&fallen) }, quiet }
}

impl QuietBoxes {
    fn with_degrees(board: Board, open: Lines) -> Self {
        let mut degree = [0; MAX_BOXES];
        for (cell, degree) in degree.iter_mut().enumerate().take(board.boxes()) {
            *degree = board.sides(cell).iter().filter(|&&side| open.contains(side)).count() as u8;
        }
        Self { board, open, degree }
    }

    fn exits(&self, cell: usize) -> impl Iterator<Item = (usize, Beyond)> {
        let board = self.board;
        board.sides(cell).into_iter().filter(|&side| self.open.contains(side)).map(move |side| {
            let [a, b] = board.beside(side);
            let other = if a == Some(cell) { b } else { a };
            (side, other.map_or(Beyond::Ground, Beyond::Cell))
        })
    }

    /// What the taker must give up to hand over the move, 0 if that is impossible.
    ///
    /// The boxes that fall form trees. A tree that still hangs on something lets the taker leave its
    /// last two boxes. A tree that hangs on nothing lets the taker leave two pairs if it has an inner
    /// line, one with another box behind each end.
    fn cheapest_decline(&self, fallen: &[bool; MAX_BOXES]) -> i8 {
        let inside = |beyond: Beyond| matches!(beyond, Beyond::Cell(cell) if fallen[cell]);
        let neighbours = |cell: usize| self.exits(cell).filter(|&(_, beyond)| inside(beyond)).count();
        let mut seen = [false; MAX_BOXES];
        let mut cheapest = 0;
        for first in (0..self.board.boxes()).filter(|&cell| fallen[cell]) {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let (mut tree, mut hangs, mut inner) = (vec![first], false, false);
            let mut next = 0;
            while next < tree.len() {
                let cell = tree[next];
                next += 1;
                for (_, beyond) in self.exits(cell) {
                    match beyond {
                        Beyond::Cell(other) if fallen[other] => {
                            inner |= neighbours(cell) > 1 && neighbours(other) > 1;
                            if !std::mem::replace(&mut seen[other], true) {
                                tree.push(other);
                            }
                        }
                        _ => hangs = true,
                    }
                }
            }
            if hangs && tree.len() > 1 {
                return 4;
            }
            if !hangs && inner {
                cheapest = 8;
            }
        }
        cheapest
    }

    /// Number of boxes.
    pub(super) fn boxes(&self) -> usize {
        self.degree.iter().filter(|&&degree| degree > 1).count()
    }

    /// Number of links and lone parts.
    pub(super) fn links(&self) -> u8 {
        self.graph::<MAX_BOXES, MAX_LONE>().0.links
    }

    /// Number of joints.
    pub(super) fn joints(&self) -> usize {
        self.degree.iter().filter(|&&degree| degree > 2).count()
    }

    /// The graph, and per link of length 0 the slot that stands for it, central lines first.
    ///
    /// Contract: `joints() <= J`.
    pub(super) fn graph<const J: usize, const L: usize>(&self) -> (Graph<J, L>, Vec<u16>) {
        self.numbered_graph(&self.joint_numbers())
    }

    /// Consecutive numbers for the joints.
    pub(super) fn joint_numbers(&self) -> [u8; MAX_BOXES] {
        let mut number = [u8::MAX; MAX_BOXES];
        let joints = (0..self.board.boxes()).filter(|&cell| self.degree[cell] > 2);
        joints.enumerate().for_each(|(index, cell)| number[cell] = index as u8);
        number
    }

    /// The graph with the joint numbers of this or of an earlier position of the same game.
    pub(super) fn numbered_graph<const J: usize, const L: usize>(
        &self,
        number: &[u8; MAX_BOXES],
    ) -> (Graph<J, L>, Vec<u16>) {
        let mut graph = Graph::<J, L>::EMPTY;
        let cells = || 0..self.board.boxes();
        for cell in cells().filter(|&cell| self.degree[cell] > 2) {
            graph.joints |= 1 << number[cell];
        }
        // Slots of a joint: its open sides in the order of `sides`.
        let slot_of = |cell: usize, line: usize| {
            let position = self.board.sides(cell).iter().position(|&side| side == line);
            number[cell] as usize * 4 + position.expect("the line is a side of the box")
        };
        let mut walked = [false; MAX_BOXES];
        let mut by_distance = Vec::new();
        for cell in cells().filter(|&cell| self.degree[cell] > 2) {
            graph.boxes += 1;
            for (line, beyond) in self.exits(cell) {
                let at = slot_of(cell, line);
                if graph.slot_at(at) != NO_LINK {
                    continue;
                }
                let walk = self.walk(line, beyond, &mut walked);
                graph.boxes += walk.boxes as i8;
                graph.links += 1;
                match walk.end {
                    Beyond::Ground => graph.set(at, slot(GROUND_MATE, walk.boxes)),
                    Beyond::Cell(end) => {
                        let other = slot_of(end, walk.last_line);
                        graph.set(at, slot(other, walk.boxes));
                        graph.set(other, slot(at, walk.boxes));
                    }
                }
                if walk.boxes == 0 {
                    by_distance.push((self.board.distance_from_centre(line), at as u16));
                }
            }
        }
        self.add_lone_parts(&mut graph, &mut walked);
        by_distance.sort_unstable();
        (graph, by_distance.into_iter().map(|(_, at)| at).collect())
    }

    fn add_lone_parts<const J: usize, const L: usize>(&self, graph: &mut Graph<J, L>, walked: &mut [bool; MAX_BOXES]) {
        let two_sided = |cell: &usize| self.degree[*cell] == 2;
        for cell in (0..self.board.boxes()).filter(two_sided) {
            if walked[cell] {
                continue;
            }
            walked[cell] = true;
            let mut boxes = 1;
            let mut closed = false;
            for (line, beyond) in self.exits(cell) {
                // In a loop the first walk comes back to the start, and the second finds it all walked.
                if matches!(beyond, Beyond::Cell(next) if walked[next]) {
                    closed = true;
                    continue;
                }
                boxes += self.walk(line, beyond, walked).boxes;
            }
            if closed {
                graph.lone.add_loop(boxes);
                graph.boxes += boxes as i8;
                graph.links += 1;
            } else {
                let added = graph.lone.add_chain(boxes);
                graph.boxes += added as i8;
                graph.links = graph.links.wrapping_add_signed(added.signum() as i8);
            }
        }
    }

    /// Follows two-sided boxes from a line to a joint, the ground or a box already walked.
    fn walk(&self, line: usize, beyond: Beyond, walked: &mut [bool; MAX_BOXES]) -> Walk {
        let mut walk = Walk { boxes: 0, end: beyond, last_line: line };
        while let Beyond::Cell(cell) = walk.end {
            if self.degree[cell] > 2 || walked[cell] {
                break;
            }
            walked[cell] = true;
            walk.boxes += 1;
            let (line, beyond) =
                self.exits(cell).find(|&(side, _)| side != walk.last_line).expect("the box has two open sides");
            walk.last_line = line;
            walk.end = beyond;
        }
        walk
    }
}

struct Walk {
    boxes: usize,
    end: Beyond,
    last_line: usize,
}

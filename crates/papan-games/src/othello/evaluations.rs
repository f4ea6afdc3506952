//! Estimates of a position: counts, square tables, and mobility.

use papan_core::{AtEnd, Evaluation, Player, Score, Text};

use super::position::OthelloPosition;
use super::tables::{CORNERS_AND_EDGES, SizedTables, WEIGHTED};

/// Every evaluation of the game, its own choice first.
pub(super) fn evaluations() -> Vec<Evaluation<OthelloPosition>> {
    vec![
        Evaluation {
            name: "mobility",
            about: Text::new(
                "Moves to choose from, few discs beside empty squares, corners and edges held from them.",
                "Banyaknya pilihan langkah, sedikit cakram di sebelah petak kosong, pojok dan tepi yang bertumpu padanya.",
            ),
            at_end: AtEnd::Outcome,
            estimate: mobility,
        },
        Evaluation {
            name: "weighted-squares",
            about: Text::new(
                "A weight for each square: corners high, the squares beside them low.",
                "Bobot untuk tiap petak: pojok tinggi, petak di sebelahnya rendah.",
            ),
            at_end: AtEnd::Outcome,
            estimate: weighted_squares,
        },
        Evaluation {
            name: "discs-most",
            about: Text::new("Own discs minus the opponent's.", "Cakram sendiri dikurangi cakram lawan."),
            at_end: AtEnd::Outcome,
            estimate: discs_most,
        },
        Evaluation {
            name: "discs-least",
            about: Text::new(
                "The opponent's discs minus own: few discs leave more moves.",
                "Cakram lawan dikurangi cakram sendiri: sedikit cakram menyisakan lebih banyak langkah.",
            ),
            at_end: AtEnd::Outcome,
            estimate: discs_least,
        },
        Evaluation {
            name: "report-table",
            about: Text::new(
                "Each disc counts 5 in a corner, 3 on an edge, 1 inside, also at the end of the game.",
                "Tiap cakram bernilai 5 di pojok, 3 di tepi, 1 di dalam, juga pada akhir permainan.",
            ),
            at_end: AtEnd::SameFormula,
            estimate: report_table,
        },
    ]
}

/// The discs of `chair` and of its opponent.
#[inline(always)]
fn own_and_other(position: &OthelloPosition, chair: Player) -> [u64; 2] {
    let discs = position.discs();
    [discs[chair.index()], discs[chair.other().index()]]
}

#[inline(always)]
fn difference([own, other]: [u64; 2]) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

fn discs_most(position: &OthelloPosition, chair: Player, _ply: u32) -> Score {
    Score(difference(own_and_other(position, chair)))
}

fn discs_least(position: &OthelloPosition, chair: Player, _ply: u32) -> Score {
    Score(-difference(own_and_other(position, chair)))
}

#[inline(always)]
fn table_difference(tables: &SizedTables, position: &OthelloPosition, chair: Player) -> Score {
    let table = tables.of(position.rules());
    let [own, other] = own_and_other(position, chair);
    Score(table.sum(own) - table.sum(other))
}

fn report_table(position: &OthelloPosition, chair: Player, _ply: u32) -> Score {
    table_difference(&CORNERS_AND_EDGES, position, chair)
}

fn weighted_squares(position: &OthelloPosition, chair: Player, _ply: u32) -> Score {
    table_difference(&WEIGHTED, position, chair)
}

// What each thing is worth in `mobility`: chosen by hand; the result beats every
// other evaluation here at depth 3, sides swapped.
const MOVE: i32 = 10;
const FRONTIER_DISC: i32 = -4;
const ANCHORED_DISC: i32 = 35;
const CORNER: i32 = 60;
const BESIDE_EMPTY_CORNER: i32 = -12;
const DIAGONAL_TO_EMPTY_CORNER: i32 = -35;

fn mobility(position: &OthelloPosition, chair: Player, _ply: u32) -> Score {
    let sides = own_and_other(position, chair);
    let empties = position.empties();
    let border = Border::of(position.rules().board());
    let open_corners = border.corners & empties;
    let moves = [chair, chair.other()].map(|player| position.squares_of(player));
    let count = |squares: u64| difference(sides.map(|discs| discs & squares));
    Score(
        MOVE * difference(moves)
            + FRONTIER_DISC * count(around(empties))
            + ANCHORED_DISC * difference(sides.map(|discs| border.anchored(discs)))
            + CORNER * count(border.corners)
            + BESIDE_EMPTY_CORNER * count(beside(open_corners))
            + DIAGONAL_TO_EMPTY_CORNER * count(diagonal_to(open_corners)),
    )
}

const NOT_COLUMN_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_COLUMN_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares left and right of `squares`.
#[inline(always)]
const fn sideways(squares: u64) -> u64 {
    (squares << 1) & NOT_COLUMN_A | (squares >> 1) & NOT_COLUMN_H
}

/// The squares left, right, above and below.
#[inline(always)]
const fn beside(squares: u64) -> u64 {
    sideways(squares) | squares << 8 | squares >> 8
}

#[inline(always)]
const fn diagonal_to(squares: u64) -> u64 {
    let sides = sideways(squares);
    sides << 8 | sides >> 8
}

/// The squares in all eight directions.
#[inline(always)]
const fn around(squares: u64) -> u64 {
    let row = squares | sideways(squares);
    row | row << 8 | row >> 8
}

/// The corners and edges of a board.
struct Border {
    corners: u64,
    edges: u64,
}

impl Border {
    #[inline(always)]
    const fn of(board: u64) -> Self {
        // Edge squares lack a neighbour on one axis, corners on both.
        let inside_rows = (board << 8) & (board >> 8) & board;
        let inside_columns = ((board << 1) & NOT_COLUMN_A) & ((board >> 1) & NOT_COLUMN_H) & board;
        Self { corners: board & !(inside_rows | inside_columns), edges: board & !(inside_rows & inside_columns) }
    }

    /// The discs on an edge that are joined to a corner of the same colour by
    /// discs of that colour: nobody can turn them.
    #[inline(always)]
    fn anchored(&self, discs: u64) -> u64 {
        let mut anchored = self.corners & discs;
        if anchored == 0 {
            return 0;
        }
        let edge_discs = self.edges & discs;
        loop {
            let grown = anchored | beside(anchored) & edge_discs;
            if grown == anchored {
                return anchored;
            }
            anchored = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use papan_core::{MoveSet as _, Position as _, Random};

    use super::super::position::Rules;
    use super::*;

    #[test]
    fn corners_and_edges_are_where_the_size_says() {
        for size in [4u8, 6, 8] {
            let border = Border::of(Rules { size, passing: true }.board());
            assert_eq!(border.corners.count_ones(), 4);
            assert_eq!(border.edges.count_ones(), 4 * (u32::from(size) - 1));
            assert_eq!(border.corners & !border.edges, 0);
        }
    }

    #[test]
    fn anchored_discs_are_joined_to_their_corner() {
        let border = Border::of(u64::MAX);
        assert_eq!(border.anchored(0b1011_0111), 0b1000_0111);
        assert_eq!(border.anchored(0b0111_1110), 0);
        assert_eq!(border.anchored(u64::MAX), border.edges);
    }

    #[test]
    fn every_evaluation_changes_sign_with_the_chair() {
        let mut random = Random::new(9);
        let rules = Rules { size: 8, passing: true };
        for _ in 0..50 {
            let discs = [0x0000_0008_1000_0000, 0x0000_0010_0800_0000];
            let mut position = OthelloPosition::new(discs, Player::First, rules);
            while let Some(mv) = position.legal_moves().pick(random.bits()) {
                for evaluation in evaluations() {
                    let of = |chair| evaluation.estimate(&position, chair, 0).0;
                    assert_eq!(of(Player::First), -of(Player::Second), "{}", evaluation.name);
                }
                position = position.after(mv);
            }
        }
    }
}

//! Estimates of Tic-tac-toe positions.

use papan_core::{AtEnd, Bits, Evaluation, Player, Position as _, Score, Text, seen_by};

use super::geometry::Geometry;
use super::position::TicTacToePosition;

/// What a row that nobody has blocked is worth by the marks it still lacks
/// (index 0: one). Even 900 rows that lack one mark stay far below a decided
/// game.
const WORTH: [i32; 4] = [256, 64, 16, 4];
/// A row with more marks missing than [`WORTH`] tells.
const DISTANT: i32 = 1;
/// For the player to move who can complete a row at once.
const WINS_NOW: i32 = 20_000;

pub(super) fn all<B: Bits>() -> Vec<Evaluation<TicTacToePosition<B>>> {
    vec![
        Evaluation {
            name: "lines",
            about: Text::new(
                "Rows that are still open, more for each own mark in them; a finished game counts beyond any estimate.",
                "Baris yang masih terbuka, makin banyak marka sendiri makin bernilai; hasil akhir selalu melampaui taksiran.",
            ),
            at_end: AtEnd::Outcome,
            estimate: lines,
        },
        Evaluation {
            name: "outcome",
            about: Text::new("1 for a win, -1 for a loss, otherwise 0.", "1 bila menang, -1 bila kalah, selain itu 0."),
            at_end: AtEnd::SameFormula,
            estimate: outcome,
        },
        Evaluation {
            name: "level",
            about: Text::new(
                "100 minus the level for a win, the level minus 100 for a loss, otherwise 0: quick wins, late losses.",
                "100 dikurangi kedalaman bila menang, kedalaman dikurangi 100 bila kalah, selain itu 0: menang cepat, kalah lambat.",
            ),
            at_end: AtEnd::SameFormula,
            estimate: level,
        },
    ]
}

fn outcome<B: Bits>(position: &TicTacToePosition<B>, chair: Player, _ply: u32) -> Score {
    position.margin().for_player(chair)
}

/// On boards where games last more than 100 plies a win stays worth something.
fn level<B: Bits>(position: &TicTacToePosition<B>, chair: Player, ply: u32) -> Score {
    let worth = (100 - ply.min(100) as i32).max(1);
    Score(outcome(position, chair, ply).0 * worth)
}

fn lines<B: Bits>(position: &TicTacToePosition<B>, chair: Player, _ply: u32) -> Score {
    let geometry = position.geometry();
    let mover = position.to_move();
    let [own, other] = [mover, mover.other()].map(|player| position.marks(player));
    let (own_lines, wins_now) = open_lines(geometry, own, other);
    let (other_lines, _) = open_lines(geometry, other, own);
    let mut value = own_lines - other_lines;
    if geometry.misere {
        // Here rows are what one is pushed into, not what one strives for.
        value = -value;
    } else if wins_now {
        value += WINS_NOW;
    }
    seen_by(Score(value), mover, chair)
}

/// The worth of the rows in which only `own` has marks, and whether one of
/// them lacks a single mark.
///
/// All rows of one direction are counted at once: bit `i` of plane `p` is
/// binary digit `p` of the number of own marks in the row that begins at `i`.
fn open_lines<B: Bits>(geometry: &Geometry<B>, own: B, other: B) -> (i32, bool) {
    let mut value = 0;
    let mut lacks_one = false;
    for (step, starts) in geometry.steps.into_iter().zip(geometry.starts) {
        let mut planes = [B::EMPTY; 4];
        let mut open = starts;
        for along in 0..geometry.k {
            open = open & !other.shifted_down(along * step);
            let mut carry = own.shifted_down(along * step);
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        for marks in 1..geometry.k {
            let missing = geometry.k - marks;
            let rows = with_count(open, &planes, marks).count() as i32;
            value += rows * WORTH.get(missing - 1).unwrap_or(&DISTANT);
            lacks_one |= missing == 1 && rows > 0;
        }
    }
    (value, lacks_one)
}

/// The members of `rows` whose number in the planes is `count`.
#[inline(always)]
fn with_count<B: Bits>(rows: B, planes: &[B; 4], count: usize) -> B {
    planes
        .iter()
        .enumerate()
        .fold(rows, |rows, (digit, &plane)| rows & if count >> digit & 1 != 0 { plane } else { !plane })
}

#[cfg(test)]
mod tests {
    use papan_core::{Bits256, MoveSet as _, Random};

    use super::*;

    /// The same worth from plain loops over every row of `k` cells.
    fn slow_lines<B: Bits>(position: &TicTacToePosition<B>, player: Player) -> i32 {
        let geometry = position.geometry();
        let (rows, cols, k) = (geometry.rows as i32, geometry.cols as i32, geometry.k as i32);
        let mut value = 0;
        for row in 0..rows {
            for col in 0..cols {
                for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
                    let cells: Vec<_> = (0..k).map(|along| (row + along * down, col + along * right)).collect();
                    if !cells.iter().all(|&(r, c)| (0..rows).contains(&r) && (0..cols).contains(&c)) {
                        continue;
                    }
                    let owner = |&(r, c): &(i32, i32)| position.mark_at(geometry.place(r as usize, c as usize));
                    let own = cells.iter().filter(|cell| owner(cell) == Some(player)).count();
                    let other = cells.iter().filter(|cell| owner(cell) == Some(player.other())).count();
                    if other == 0 && own > 0 && own < cells.len() {
                        value += [256, 64, 16, 4].get(cells.len() - own - 1).unwrap_or(&1);
                    }
                }
            }
        }
        value
    }

    fn compare<B: Bits>(rows: u8, cols: u8, k: u8, random: &mut Random) {
        let geometry = Geometry::<B>::interned(rows, cols, k, false);
        let mut position = TicTacToePosition::empty(geometry);
        while let Some(mv) = position.legal_moves().pick(random.bits()) {
            for player in Player::BOTH {
                let (fast, _) = open_lines(geometry, position.marks(player), position.marks(player.other()));
                assert_eq!(fast, slow_lines(&position, player), "{position:?}");
            }
            position = position.after(mv);
        }
    }

    #[test]
    fn counting_all_rows_at_once_equals_counting_one_by_one() {
        let mut random = Random::new(11);
        for _ in 0..20 {
            compare::<u64>(3, 3, 3, &mut random);
            compare::<u64>(5, 6, 4, &mut random);
            compare::<u64>(7, 4, 9, &mut random);
            compare::<Bits256>(9, 10, 5, &mut random);
            compare::<Bits256>(15, 15, 15, &mut random);
        }
    }

    #[test]
    fn a_row_within_reach_outweighs_rows_on_the_board() {
        let geometry = Geometry::<u64>::interned(3, 3, 3, false);
        let read = |text| crate::tic_tac_toe::notation::read_position(geometry, text).unwrap();
        let position = read("XX./OO./... X");
        assert!(lines(&position, Player::First, 0) > Score(WINS_NOW / 2));
        assert_eq!(lines(&position, Player::Second, 0), Score(-lines(&position, Player::First, 0).0));
    }

    #[test]
    fn the_level_counts_down_for_wins_and_up_for_losses() {
        let geometry = Geometry::<u64>::interned(3, 3, 3, false);
        let read = |text| crate::tic_tac_toe::notation::read_position(geometry, text).unwrap();
        let won = read("XXX/OO./... O");
        assert_eq!(level(&won, Player::First, 5), Score(95));
        assert_eq!(level(&won, Player::Second, 5), Score(-95));
        assert_eq!(level(&won, Player::First, 220), Score(1));
        assert_eq!(level(&read("XX./OO./... X"), Player::First, 4), Score(0));
    }
}

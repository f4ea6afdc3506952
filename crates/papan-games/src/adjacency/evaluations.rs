//! Estimates of a position: how many marks, and how lasting they are.

use papan_core::{AtEnd, Evaluation, Player, Score, Text};

use super::position::AdjacencyPosition;

/// What a mark that cannot be turned any more is worth in `permanence`.
const MARK: u32 = 100;

/// Every evaluation of the game, its own choice first.
pub(super) fn evaluations() -> Vec<Evaluation<AdjacencyPosition>> {
    vec![
        Evaluation {
            name: "permanence",
            about: Text::new(
                "Marks weighted by the chance that nobody moves beside them again, own minus the opponent's.",
                "Marka dibobot menurut peluang bahwa tak ada lagi langkah di sebelahnya, milik sendiri dikurangi milik lawan.",
            ),
            at_end: AtEnd::Outcome,
            estimate: permanence,
        },
        Evaluation {
            name: "marks",
            about: Text::new("Own marks minus the opponent's.", "Jumlah marka sendiri dikurangi marka lawan."),
            at_end: AtEnd::Outcome,
            estimate: marks,
        },
        Evaluation {
            name: "permanent",
            about: Text::new(
                "Marks without an empty neighbour, which nobody can turn: own minus the opponent's.",
                "Marka tanpa tetangga kosong, yang tak dapat dibalik lagi: milik sendiri dikurangi milik lawan.",
            ),
            at_end: AtEnd::Outcome,
            estimate: permanent,
        },
        Evaluation {
            name: "exposed",
            about: Text::new(
                "Marks with an empty neighbour, which can still be turned: the opponent's minus own.",
                "Marka dengan tetangga kosong, yang masih dapat dibalik: milik lawan dikurangi milik sendiri.",
            ),
            at_end: AtEnd::Outcome,
            estimate: exposed,
        },
    ]
}

/// The marks of `chair` and of its opponent.
#[inline(always)]
fn own_and_other(position: &AdjacencyPosition, chair: Player) -> [u64; 2] {
    let marks = position.marks();
    [marks[chair.index()], marks[chair.other().index()]]
}

#[inline(always)]
fn difference([own, other]: [u64; 2], among: u64) -> i32 {
    (own & among).count_ones() as i32 - (other & among).count_ones() as i32
}

fn marks(position: &AdjacencyPosition, chair: Player, _ply: u32) -> Score {
    Score(difference(own_and_other(position, chair), u64::MAX))
}

fn permanent(position: &AdjacencyPosition, chair: Player, _ply: u32) -> Score {
    let touched = position.neighbourhood().of(position.empties());
    Score(difference(own_and_other(position, chair), !touched))
}

fn exposed(position: &AdjacencyPosition, chair: Player, _ply: u32) -> Score {
    let touched = position.neighbourhood().of(position.empties());
    Score(-difference(own_and_other(position, chair), touched))
}

/// With p plies to come on e empty cells, each empty neighbour is left alone
/// with a chance of about 1 − p/e, and a mark stays if all of them are.
fn permanence(position: &AdjacencyPosition, chair: Player, _ply: u32) -> Score {
    let players = own_and_other(position, chair);
    let empties = position.empties();
    let count = empties.count_ones().max(1);
    let calm = count - position.plies_left();
    let touching = EmptyNeighbours::count(position.neighbourhood().shifts(empties));
    // The weight starts in 1/256 of a unit, so that eight roundings stay small.
    let mut weight = MARK << 8;
    let mut sum = 0;
    for number in 0..=8 {
        sum += weight as i32 * difference(players, touching.exactly(number));
        weight = weight * calm / count;
        if weight == 0 {
            break;
        }
    }
    Score(sum >> 8)
}

/// How many empty neighbours each cell has, as a binary number with its digits
/// in four words: 64 counts are made by one chain of logic.
struct EmptyNeighbours {
    digits: [u64; 4],
}

impl EmptyNeighbours {
    #[inline(always)]
    fn count(directions: [u64; 8]) -> Self {
        let mut digits = [0u64; 4];
        for mut carry in directions {
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        Self { digits }
    }

    /// The cells with exactly `number` empty neighbours.
    #[inline(always)]
    fn exactly(&self, number: u32) -> u64 {
        (0..4).fold(u64::MAX, |cells, place| {
            let digit = self.digits[place];
            cells & if number >> place & 1 == 1 { digit } else { !digit }
        })
    }
}

#[cfg(test)]
mod tests {
    use papan_core::{MoveSet as _, Position as _, Random};

    use super::super::position::{Neighbourhood, O_START, X_START};
    use super::*;

    /// The same estimate, cell by cell in floating point.
    fn slow_permanence(position: &AdjacencyPosition, chair: Player) -> f64 {
        let empties = position.empties();
        let calm = 1.0 - f64::from(position.plies_left()) / f64::from(empties.count_ones());
        let worth = |marks: u64| -> f64 {
            (0..64)
                .filter(|cell| marks >> cell & 1 == 1)
                .map(|cell| {
                    let free = position.neighbourhood().of(1 << cell) & empties;
                    calm.powi(free.count_ones() as i32) * f64::from(MARK)
                })
                .sum()
        };
        let marks = position.marks();
        worth(marks[chair.index()]) - worth(marks[chair.other().index()])
    }

    #[test]
    fn permanence_agrees_with_its_formula_and_the_parts_with_the_whole() {
        let mut random = Random::new(11);
        for neighbourhood in [Neighbourhood::Four, Neighbourhood::Eight] {
            for rounds in [1, 8, 20, 28] {
                let mut position = AdjacencyPosition::new([X_START, O_START], Player::First, rounds, neighbourhood);
                while let Some(mv) = position.legal_moves().pick(random.bits()) {
                    for chair in Player::BOTH {
                        let fast = f64::from(permanence(&position, chair, 0).0);
                        let slow = slow_permanence(&position, chair);
                        assert!((fast - slow).abs() < 3.0, "{fast} {slow} {position:?}");
                        let parts = permanent(&position, chair, 0).0 - exposed(&position, chair, 0).0;
                        assert_eq!(parts, marks(&position, chair, 0).0);
                    }
                    position = position.after(mv);
                }
            }
        }
    }

    #[test]
    fn a_mark_that_nobody_can_turn_counts_whole() {
        // Only a1 is empty: b1 and a2 are exposed, all else is for ever.
        let position = AdjacencyPosition::new([!3, 2], Player::First, 1, Neighbourhood::Four);
        assert_eq!(permanent(&position, Player::First, 0), Score(61));
        assert_eq!(exposed(&position, Player::First, 0), Score(0));
        assert_eq!(permanence(&position, Player::First, 0), Score(6100));
        assert_eq!(permanence(&position, Player::Second, 0), Score(-6100));
    }
}

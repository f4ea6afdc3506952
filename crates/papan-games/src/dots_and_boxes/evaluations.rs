//! Estimates of Dots and Boxes positions, all in boxes.

use papan_core::{AtEnd, Bits, Evaluation, Move as _, Place, Player, Position as _, Score, Text, seen_by};

use super::chains::{Draft, RegionKind};
use super::geometry::MOST_BOXES;
use super::position::DotsAndBoxesPosition;

pub(super) fn all<B: Bits>() -> Vec<Evaluation<DotsAndBoxesPosition<B>>> {
    let same = AtEnd::SameFormula;
    vec![
        Evaluation {
            name: "chains",
            about: Text::new(
                "Boxes, those that can be taken now, and what the chains bring to whoever need not open them.",
                "Kotak, kotak yang dapat diambil sekarang, dan hasil rantai bagi pemain yang tidak terpaksa membukanya.",
            ),
            at_end: same,
            estimate: chains,
        },
        Evaluation {
            name: "boxes",
            about: Text::new("Own boxes minus the opponent's.", "Kotak sendiri dikurangi kotak lawan."),
            at_end: same,
            estimate: boxes,
        },
        Evaluation {
            name: "report-lines",
            about: Text::new(
                "The box difference and the best line's worth: +1 for a box it completes, -1 for one it leaves to take.",
                "Selisih kotak dan nilai garis terbaik: +1 per kotak yang dilengkapi, -1 per kotak yang menjadi terbuka.",
            ),
            at_end: same,
            estimate: report_lines,
        },
        Evaluation {
            name: "report-chains",
            about: Text::new(
                "The box difference, plus boxes in closed chains (takeable now), minus boxes in open chains.",
                "Selisih kotak, ditambah kotak di rantai tertutup (dapat diambil), dikurangi kotak di rantai terbuka.",
            ),
            at_end: same,
            estimate: report_chains,
        },
    ]
}

fn boxes<B: Bits>(position: &DotsAndBoxesPosition<B>, chair: Player, _ply: u32) -> Score {
    position.margin().for_player(chair)
}

/// What the 2022 report's local search thinks of drawing `line`, which must
/// not be drawn yet. A box beside it that has 0 or 1 other lines counts 0,
/// with 2 lines −1 (it could be taken next), with 3 lines +1 (it is completed
/// now); but completing one box and making the other takeable counts +2, for
/// the same player goes on and takes both.
#[must_use]
pub fn report_line_value<B: Bits>(position: &DotsAndBoxesPosition<B>, line: Place) -> i32 {
    let geometry = position.geometry();
    let drawn = geometry.beside[line.index()].map(|number| {
        let sides = geometry.side_sets.get(usize::from(number)).copied().unwrap_or(B::EMPTY);
        (sides & position.lines()).count()
    });
    line_value(drawn)
}

/// The worth of a line by the lines that its two boxes have already.
fn line_value(drawn: [u32; 2]) -> i32 {
    let box_value = |lines| match lines {
        2 => -1,
        3 => 1,
        _ => 0,
    };
    match drawn {
        [3, 2] | [2, 3] => 2,
        [a, b] => box_value(a) + box_value(b),
    }
}

fn report_lines<B: Bits>(position: &DotsAndBoxesPosition<B>, chair: Player, ply: u32) -> Score {
    let draft = Draft::of(position);
    let value = |line: usize| {
        let mut drawn = [0; 2];
        for (drawn, number) in drawn.iter_mut().zip(draft.boxes_beside(line)) {
            *drawn = u32::from(4 - draft.open_sides(number));
        }
        line_value(drawn)
    };
    let best = position.open_lines().iter().map(value).max().unwrap_or(0);
    Score(boxes(position, chair, ply).0 + seen_by(Score(best), position.to_move(), chair).0)
}

/// As the 2022 report has it: the chain terms count for whoever asks, not for
/// whoever moves, so the estimates of the two chairs are not opposites.
fn report_chains<B: Bits>(position: &DotsAndBoxesPosition<B>, chair: Player, ply: u32) -> Score {
    let mut value = boxes(position, chair, ply).0;
    Draft::of(position).for_each_region(|region| match region.kind {
        RegionKind::HalfOpen | RegionKind::Closed => value += region.boxes as i32,
        RegionKind::Open | RegionKind::Loop => value -= region.boxes as i32,
    });
    Score(value)
}

fn chains<B: Bits>(position: &DotsAndBoxesPosition<B>, chair: Player, ply: u32) -> Score {
    let for_mover = still_to_come(Draft::of(position));
    Score(boxes(position, chair, ply).0 + seen_by(Score(for_mover), position.to_move(), chair).0)
}

/// An estimate of the boxes that the player to move will yet win, minus the
/// opponent's.
fn still_to_come<B: Bits>(mut draft: Draft<B>) -> i32 {
    // 1. What can be taken now, and the price of declining the end of it: two
    //    boxes of a half-open chain or four of a closed one change hands, and
    //    with them the duty to move.
    let price = price_of_declining(&draft);
    let taken = draft.take_everything() as i32;
    // 2. Then both sides draw safe lines while there are any; whoever runs out
    //    first must open a chain.
    let safe = draft.draw_safe_lines();
    let opener = value_for_opener(&draft);
    let rest = if safe.is_multiple_of(2) { opener } else { -opener };
    // 3. The more safe lines, the less their parity tells.
    let rest = match safe {
        0..=2 => rest,
        3..=6 => rest / 2,
        _ => rest / 4,
    };
    taken + price.map_or(rest, |price| rest.max(-price - rest))
}

fn price_of_declining<B: Bits>(draft: &Draft<B>) -> Option<i32> {
    let mut price = None;
    draft.for_each_region(|region| match region.kind {
        RegionKind::HalfOpen if region.boxes >= 2 => price = Some(4),
        RegionKind::Closed if region.boxes >= 4 => price = price.or(Some(8)),
        _ => {}
    });
    price
}

/// The value for a player who must open one region after another, the smallest
/// first, where the other may keep control by declining the end of each chain
/// of three or more and of each loop.
fn value_for_opener<B: Bits>(draft: &Draft<B>) -> i32 {
    let mut chains = [0u8; MOST_BOXES + 1];
    let mut loops = [0u8; MOST_BOXES + 1];
    let mut longest = 0;
    draft.for_each_region(|region| {
        let size = region.boxes as usize;
        let counts = if region.kind == RegionKind::Loop { &mut loops } else { &mut chains };
        counts[size] += 1;
        longest = longest.max(size);
    });
    let mut value = 0;
    for size in (1..=longest).rev() {
        let boxes = size as i32;
        for _ in 0..loops[size] {
            value = -boxes - value.max(-8 - value);
        }
        for _ in 0..chains[size] {
            value = -boxes - if size > 2 { value.max(-4 - value) } else { value };
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use papan_core::{MoveSet as _, Random};

    use super::*;
    use crate::dots_and_boxes::geometry::{Border, Geometry};
    use crate::dots_and_boxes::notation::read_position;

    fn read(rows: u8, cols: u8, text: &str) -> DotsAndBoxesPosition<u64> {
        read_position(Geometry::interned(rows, cols, Border::None), text).unwrap()
    }

    #[test]
    fn the_reports_line_values() {
        // Box 0 has 3 lines, box 1 has 2, and line 5 stands between them.
        let position = read(1, 2, "1x2 1111 100 1 0-0");
        assert_eq!(report_line_value(&position, Place(5)), 2);
        assert_eq!(report_line_value(&position, Place(6)), -1);
        let position = read(1, 2, "1x2 1111 101 1 0-0");
        assert_eq!(report_line_value(&position, Place(5)), 2);
        let position = read(1, 2, "1x2 1111 000 1 0-0");
        assert_eq!([4, 5, 6].map(|line| report_line_value(&position, Place(line))), [-1, -2, -1]);
        let position = read(1, 2, "1x2 1000 000 1 0-0");
        assert_eq!([1, 2, 4, 5].map(|line| report_line_value(&position, Place(line))), [0; 4]);
    }

    #[test]
    fn the_best_line_counts_for_the_mover() {
        let position = read(1, 2, "1x2 1111 100 2 0-0");
        assert_eq!(report_lines(&position, Player::Second, 0), Score(2));
        assert_eq!(report_lines(&position, Player::First, 0), Score(-2));
    }

    #[test]
    fn the_best_line_agrees_with_the_value_of_each_line() {
        let mut random = Random::new(3);
        let mut position = DotsAndBoxesPosition::start(Geometry::<u64>::interned(4, 4, Border::None));
        while let Some(mv) = position.legal_moves().pick(random.bits()) {
            let best = position.legal_moves().into_iter().map(|line| report_line_value(&position, line)).max().unwrap();
            let expected = position.margin().for_player(position.to_move()).0 + best;
            assert_eq!(report_lines(&position, position.to_move(), 0), Score(expected));
            position = position.after(mv);
        }
    }

    #[test]
    fn the_reports_chains_count_for_the_chair() {
        // A closed chain of two boxes on top, an open chain of two below.
        let position = read(2, 2, "2x2 111111 101000 1 0-0");
        assert_eq!(report_chains(&position, Player::First, 0), Score(0));
        let position = read(2, 2, "2x2 110000 101000 1 0-0");
        let position = Player::BOTH.map(|chair| report_chains(&position, chair, 0));
        assert_eq!(position, [Score(-2), Score(-2)]);
    }

    #[test]
    fn chains_know_that_the_last_long_chain_decides() {
        // Two chains of three, one opened: declining two boxes wins the other.
        let position = read(2, 3, "2x3 111111111 10000000 1 0-0");
        assert_eq!(chains(&position, Player::First, 0), Score(3 - 4 + 3));
        assert_eq!(chains(&position, Player::Second, 0), Score(-2));
        // Nothing opened yet: whoever opens loses 3 - 4 + 3.
        let position = read(2, 3, "2x3 111111111 00000000 1 0-0");
        assert_eq!(chains(&position, Player::First, 0), Score(-2));
    }
}

//! Setting up by hand: lines are drawn or wiped out, boxes change hands, and
//! the score follows.

use papan_core::edit::{self, Content, Edit};
use papan_core::error::Subject;
use papan_core::{Bits, Move as _, ParseError, Player, Position as _};

use super::geometry::Geometry;
use super::notation;
use super::position::DotsAndBoxesPosition;

/// A position in parts, in the order of First and Second.
struct Draft<B: Bits> {
    geometry: &'static Geometry<B>,
    lines: B,
    to_move: Player,
    points: [u8; 2],
    owned: [B; 2],
}

fn refused(message: &str) -> ParseError {
    ParseError::new(Subject::Position, message)
}

pub(super) fn edited<B: Bits>(
    position: &DotsAndBoxesPosition<B>,
    edit: Edit<'_>,
) -> Result<DotsAndBoxesPosition<B>, ParseError> {
    let geometry = position.geometry();
    let mut draft = Draft {
        geometry,
        lines: position.lines(),
        to_move: position.to_move(),
        points: position.points().map(|points| points as u8),
        owned: Player::BOTH.map(|player| position.owned(player)),
    };
    match edit {
        Edit::Turn(player) => draft.to_move = player,
        Edit::Put { place, content } => match place.strip_prefix("line-") {
            Some(name) => draft.put_line(notation::read_move(geometry, name)?.index(), content)?,
            None => draft.put_box(read_box(geometry, place)?, content)?,
        },
    }
    let Draft { lines, to_move, points, owned, .. } = draft;
    let edited = DotsAndBoxesPosition::from_parts(geometry, lines, to_move, points, owned);
    // What the text of a position may not say, an editor may not make.
    notation::read_position(geometry, &notation::write_position(&edited))
}

/// The number of `box-1,2`.
fn read_box<B: Bits>(geometry: &Geometry<B>, place: &str) -> Result<usize, ParseError> {
    let numbers = edit::name_of(place, "box-")?.split_once(',');
    let parsed = numbers.and_then(|(row, col)| Some((row.parse::<usize>().ok()?, col.parse::<usize>().ok()?)));
    let inside = parsed.filter(|&(row, col)| row < geometry.rows && col < geometry.cols);
    inside.map(|(row, col)| row * geometry.cols + col).ok_or_else(|| edit::no_such_place(place))
}

impl<B: Bits> Draft<B> {
    /// Draws or wipes out a line. A box that it completes goes to the player
    /// to move; one that it opens is taken from whoever has it.
    fn put_line(&mut self, line: usize, content: Content) -> Result<(), ParseError> {
        let bit = B::bit(line);
        let lines = match content {
            Content::Drawn => self.lines | bit,
            Content::Empty if self.geometry.drawn_at_start.has(line) && self.lines.has(line) => {
                return Err(refused("this line of the border is drawn in every game of this kind"));
            }
            Content::Empty => self.lines & !bit,
            Content::First | Content::Second => return Err(refused("a line is drawn or not, it is nobody's")),
        };
        let [before, after] = [self.lines, lines].map(|lines| self.geometry.complete_boxes(lines));
        self.lines = lines;
        for number in (before & !after).iter() {
            self.take_away(number);
        }
        for number in (after & !before).iter() {
            self.give(number, self.to_move);
        }
        Ok(())
    }

    fn put_box(&mut self, number: usize, content: Content) -> Result<(), ParseError> {
        let complete = self.geometry.complete_boxes(self.lines).has(number);
        let owner = self.owner(number);
        match (content, complete) {
            (Content::Empty, false) => Ok(()),
            (Content::Drawn, true) if owner.is_none() => Ok(()),
            (_, false) => Err(refused("this box is open; draw its lines first")),
            (Content::Empty | Content::Drawn, true) => Err(refused("a complete box belongs to a player")),
            (Content::First | Content::Second, true) => {
                let player = content.owner().expect("it is a player's");
                if owner != Some(player) {
                    self.hand_over(number, player)?;
                }
                Ok(())
            }
        }
    }

    fn owner(&self, number: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.owned[player.index()].has(number))
    }

    /// Someone whose points count more boxes than are known to be theirs.
    fn holder_of_unknown(&self) -> Option<Player> {
        let surplus = |player: &Player| u32::from(self.points[player.index()]) > self.owned[player.index()].count();
        Player::BOTH.into_iter().find(surplus)
    }

    fn give(&mut self, number: usize, player: Player) {
        self.points[player.index()] += 1;
        self.owned[player.index()] = self.owned[player.index()] | B::bit(number);
    }

    fn take_away(&mut self, number: usize) {
        let Some(player) = self.owner(number).or_else(|| self.holder_of_unknown()) else { return };
        self.points[player.index()] -= 1;
        self.owned[player.index()] = self.owned[player.index()] & !B::bit(number);
    }

    fn hand_over(&mut self, number: usize, player: Player) -> Result<(), ParseError> {
        if self.owner(number).or_else(|| self.holder_of_unknown()).is_none() {
            return Err(refused("this box was complete before the game, it is nobody's"));
        }
        self.take_away(number);
        self.give(number, player);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::geometry::Border;

    fn after(text: &str, place: &str, content: Content) -> Result<String, String> {
        let geometry = Geometry::<u64>::interned(2, 2, Border::None);
        let position = notation::read_position(geometry, text).unwrap();
        edited(&position, Edit::Put { place, content })
            .map(|position| notation::write_position(&position))
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_line_that_completes_a_box_gives_it_to_the_mover_and_wiping_it_out_takes_it_back() {
        let (open, complete) = ("2x2 101000 010000 2 0-0", "2x2 101000 110000 2 0-1 2...");
        assert_eq!(after(open, "line-v0,0", Content::Drawn).as_deref(), Ok(complete));
        assert_eq!(after(complete, "line-v0,0", Content::Empty).as_deref(), Ok(open));
        assert_eq!(after(complete, "box-0,0", Content::First).as_deref(), Ok("2x2 101000 110000 2 1-0 1..."));
    }

    #[test]
    fn boxes_of_unknown_owners_keep_the_score() {
        let text = "2x2 111100 111000 1 2-0";
        assert_eq!(after(text, "line-h2,0", Content::Drawn).as_deref(), Ok("2x2 111110 111000 1 2-0"));
        assert_eq!(after(text, "box-0,1", Content::Second).as_deref(), Ok("2x2 111100 111000 1 1-1 .2.."));
        assert_eq!(after(text, "line-v0,0", Content::Empty).as_deref(), Ok("2x2 111100 011000 1 1-0"));
    }

    #[test]
    fn what_cannot_be_says_why() {
        let text = "2x2 111100 111000 1 1-1 12..";
        let why = |place, content| after(text, place, content).unwrap_err();
        assert_eq!(why("line-h0,0", Content::First), "a line is drawn or not, it is nobody's");
        assert_eq!(why("box-1,0", Content::First), "this box is open; draw its lines first");
        assert_eq!(why("box-0,0", Content::Empty), "a complete box belongs to a player");
        assert_eq!(why("box-9,9", Content::First), "nothing can be put at 'box-9,9'");
        assert_eq!(why("dot-0,0", Content::First), "nothing can be put at 'dot-0,0'");
        let geometry = Geometry::<u64>::interned(2, 2, Border::Swedish);
        let border = Edit::Put { place: "line-h0,0", content: Content::Empty };
        let error = edited(&DotsAndBoxesPosition::start(geometry), border).unwrap_err();
        assert_eq!(error.message(), "this line of the border is drawn in every game of this kind");
    }
}

//! Positions with the score that they are to be given.

use std::io::{self, Read, Write};

use papan_core::Player;
use papan_games::othello::{OthelloPosition, Rules};

/// A position and its score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// The score, exact or of a strong game's end.
    pub score: i8,
    /// The game it comes from: positions of one game are never split between training and hold-out.
    pub game: u32,
}

/// Every so many games one is held out.
const HOLD_OUT_EVERY: u32 = 20;

impl Sample {
    /// Whether this sample only measures and never trains.
    #[must_use]
    pub fn held_out(&self) -> bool {
        self.game.is_multiple_of(HOLD_OUT_EVERY)
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> OthelloPosition {
        OthelloPosition::new([self.player, self.opponent], Player::First, Rules::STANDARD)
    }

    /// Number of discs on the board.
    #[must_use]
    pub fn discs(&self) -> u32 {
        (self.player | self.opponent).count_ones()
    }

    /// Writes 21 bytes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.player.to_le_bytes())?;
        out.write_all(&self.opponent.to_le_bytes())?;
        out.write_all(&self.score.to_le_bytes())?;
        out.write_all(&self.game.to_le_bytes())
    }
}

/// Reads all samples of a file.
///
/// # Errors
/// Those of the reader.
pub fn read_samples(input: &mut impl Read) -> io::Result<Vec<Sample>> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
    Ok(bytes
        .chunks_exact(21)
        .map(|record| Sample {
            player: word(&record[0..8]),
            opponent: word(&record[8..16]),
            score: record[16] as i8,
            game: word(&record[17..21]) as u32,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_written() {
        let sample = Sample { player: 0x1234_5678_9ABC_DEF0, opponent: 7, score: -12, game: 99_999 };
        let mut bytes = Vec::new();
        sample.write(&mut bytes).unwrap();
        sample.write(&mut bytes).unwrap();
        assert_eq!(read_samples(&mut bytes.as_slice()).unwrap(), [sample, sample]);
    }
}

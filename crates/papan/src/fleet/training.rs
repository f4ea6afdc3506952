//! Samples for training the Othello engine: positions of its games with itself,
//! or of recorded games, each with a score.

use papan_engines::othello::board::{parse_square, square_name};
use papan_engines::othello::evaluation::codec;
use papan_engines::othello::evaluation::embedded_weights;
use papan_engines::othello::evaluation::weights::Weights;
use papan_engines::othello::formats::wthor;
use papan_engines::othello::training::label::LabelOptions;
use papan_engines::othello::training::self_play::PlayOptions;
use papan_engines::othello::training::workshop::{Archive, SelfPlay, with_searcher};
use papan_nats::{Desk, Trouble, Work};

/// Plays and scores with some weights.
pub(crate) struct Scorer {
    own: Option<Weights>,
}

impl Scorer {
    /// With the weights of a file's bytes, or with the program's own.
    pub(crate) fn read(bytes: Option<&[u8]>) -> Result<Self, String> {
        let read = |bytes: &[u8]| codec::decode(bytes).map(|phases| Weights::new(&phases));
        let own = bytes.map(|bytes| read(bytes).ok_or("not a file of weights")).transpose()?;
        Ok(Self { own })
    }

    /// With weights from the queue's store.
    pub(crate) fn fetch(hash: Option<&str>, desk: &Desk<'_>) -> Result<Self, Trouble> {
        let bytes = hash.map(|hash| desk.shelf.bytes(hash)).transpose().map_err(Trouble::Declined)?;
        Self::read(bytes.as_deref()).map_err(Trouble::Failed)
    }

    /// The samples of a job, as their file has them.
    pub(crate) fn samples(&self, work: &Work, seed: u64, beat: &mut dyn FnMut()) -> Result<Vec<u8>, String> {
        let weights = self.own.as_ref().unwrap_or_else(|| embedded_weights());
        let (play, label) = (PlayOptions::default(), LabelOptions::default());
        let mut output = Vec::new();
        let written = match work {
            Work::SelfPlay { first, count } => {
                let (first, count, told) = (*first, *count, &mut |_| beat());
                let errand = SelfPlay { seed, first, count, play, label, output: &mut output, told };
                with_searcher(weights, errand)
            }
            Work::Label { first, games } => {
                for (number, text) in (*first..).zip(games) {
                    let games = [read_game(text).ok_or_else(|| format!("game {number} is no list of squares"))?];
                    let errand = Archive { games: &games, first: number, label, output: &mut output };
                    with_searcher(weights, errand).map_err(|error| error.to_string())?;
                    beat();
                }
                Ok(())
            }
            _ => return Err("no job of samples".to_owned()),
        };
        written.map_err(|error| error.to_string())?;
        Ok(output)
    }
}

/// `f5d6c3`, as jobs carry games; passes are left out.
pub(crate) fn write_game(game: &wthor::Game) -> String {
    game.moves.iter().map(|&square| square_name(square)).collect()
}

fn read_game(text: &str) -> Option<wthor::Game> {
    let letters: Vec<char> = text.chars().collect();
    let squares = letters.chunks(2).map(|pair| parse_square(&pair.iter().collect::<String>()));
    Some(wthor::Game { names: [0; 3], black_discs: 0, moves: squares.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_written() {
        let game = read_game("f5d6c3").unwrap();
        assert_eq!(write_game(&game), "f5d6c3");
        assert_eq!(read_game("f5d"), None);
        assert_eq!(read_game("z9"), None);
    }
}

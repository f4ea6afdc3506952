//! Where the weights of Othello's evaluation come from: games, scores for their positions, a fit to them, and the fit
//! of the error model that selective search needs.
//!
//! 1. [`SampleWriter`] plays games of the engine with itself, or takes recorded ones, and writes samples.
//! 2. [`fit::fit`] fits the weights to samples and reports the error on games that were held out;
//!    [`papan_engines::othello::evaluation::encode`] writes the file that is part of the binary.
//! 3. [`error_fit::fit_errors`] measures how far shallow searches are from deep ones; [`duel::duel`] plays two sets of
//!    weights against each other.

pub mod duel;
pub mod error_fit;
pub mod fit;
mod label;
mod sample;
mod self_play;

pub use label::LabelOptions;
pub use sample::{Sample, read_samples};
pub use self_play::PlayOptions;

use std::io::{self, Write};

use papan_engines::othello::TrainingSearch;
use papan_engines::othello::evaluation::Weights;
use papan_games::othello::formats::wthor;
use papan_games::othello::{OthelloMove, OthelloPosition};

/// Writes the samples of games.
pub struct SampleWriter<'a, W> {
    search: TrainingSearch<'a>,
    /// How games with itself are played.
    pub play: PlayOptions,
    /// How positions are labelled.
    pub label: LabelOptions,
    output: W,
}

impl<'a, W: Write> SampleWriter<'a, W> {
    /// Plays and labels with some weights, in the usual way.
    pub fn new(weights: &'a Weights, output: W) -> Self {
        let (play, label) = (PlayOptions::default(), LabelOptions::default());
        Self { search: TrainingSearch::new(weights), play, label, output }
    }

    /// The game with this number of the engine with itself. The same seed and weights give the same game.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn self_play(&mut self, seed: u64, game: u32) -> io::Result<()> {
        let positions = self_play::play_game(&self.search, self.play, seed << 32 | u64::from(game));
        self.write(&positions, game)
    }

    /// A recorded game, passes left out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn recorded(&mut self, moves: &[OthelloMove], game: u32) -> io::Result<()> {
        self.search.clear();
        self.write(&wthor::positions(moves), game)
    }

    fn write(&mut self, positions: &[OthelloPosition], game: u32) -> io::Result<()> {
        let samples = label::label_game(&self.search, positions, self.label, game);
        samples.iter().try_for_each(|sample| sample.write(&mut self.output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_engines::othello::evaluation::embedded_weights;

    fn samples(seed: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = SampleWriter::new(embedded_weights(), &mut bytes);
        writer.label = LabelOptions { depth: 2, exact_from: 8, ..LabelOptions::default() };
        writer.play = PlayOptions { depth: 2, ..PlayOptions::default() };
        (0..2).try_for_each(|game| writer.self_play(seed, game)).unwrap();
        bytes
    }

    #[test]
    fn the_same_seed_gives_the_same_samples() {
        let bytes = samples(3);
        assert_eq!(bytes, samples(3));
        assert_ne!(bytes, samples(4));
        let list = read_samples(&mut bytes.as_slice()).unwrap();
        assert!(list.len() > 40);
        assert!(list.iter().all(|sample| sample.player & sample.opponent == 0 && sample.score.abs() <= 64));
    }
}

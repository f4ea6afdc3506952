//! A searcher with small tables for making samples, and the commands that make them.

use super::label::{LabelOptions, label_game};
use super::self_play::{PlayOptions, play_game};
use crate::othello::board::{Board, Shape};
use crate::othello::cpu::{Cpu, Task, dispatch};
use crate::othello::endgame::parity::Endgame;
use crate::othello::endgame::quadrants::Quadrants;
use crate::othello::evaluation::features::PLACE_VALUES;
use crate::othello::evaluation::weights::Weights;
use crate::othello::formats::wthor;
use crate::othello::leaf_cache::LeafCache;
use crate::othello::search::Searcher;
use crate::othello::search::probcut::ErrorModel;
use crate::othello::stop_condition::StopCondition;
use crate::othello::transposition::TranspositionTable;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

/// Work that needs a searcher.
pub trait Errand {
    /// What it gives.
    type Output;
    /// Does the work.
    fn run<C: Cpu>(self, searcher: &Searcher<'_, C>) -> Self::Output;
}

/// Runs an errand with a searcher of its own: given weights, a table of one megabyte that is quick to clear, one
/// thread, no limit of time.
pub fn with_searcher<E: Errand>(weights: &Weights, errand: E) -> E::Output {
    let (table, cache) = (TranspositionTable::new(1), LeafCache::new(15));
    dispatch(Bench { weights, table: &table, cache: &cache, errand })
}

struct Bench<'a, E> {
    weights: &'a Weights,
    table: &'a TranspositionTable,
    cache: &'a LeafCache,
    errand: E,
}

impl<E: Errand> Task for Bench<'_, E> {
    type Output = E::Output;

    fn work<C: Cpu>(self, cpu: C) -> E::Output {
        let never = AtomicBool::new(false);
        let stop = StopCondition::new(&never, None, None);
        let shape = Shape::STANDARD;
        let searcher = Searcher {
            cpu,
            endgame: Endgame { shape, quadrants: Quadrants::new(shape), cache: self.cache, stop: &stop },
            table: self.table,
            weights: self.weights,
            places: &PLACE_VALUES,
            errors: ErrorModel::FITTED,
            caches: &[],
            parallel: false,
        };
        self.errand.run(&searcher)
    }
}

/// Writes the samples of self-play games `first..first + count` of a seed; `told` hears of each game.
pub struct SelfPlay<'a, W> {
    /// The seed.
    pub seed: u64,
    /// The first game.
    pub first: u32,
    /// How many games.
    pub count: u32,
    /// How they are played.
    pub play: PlayOptions,
    /// How they are labelled.
    pub label: LabelOptions,
    /// Where the samples go.
    pub output: &'a mut W,
    /// Hears of each game that is done.
    pub told: &'a mut dyn FnMut(u32),
}

impl<W: Write> Errand for SelfPlay<'_, W> {
    type Output = io::Result<()>;

    fn run<C: Cpu>(self, searcher: &Searcher<'_, C>) -> io::Result<()> {
        for game in self.first..self.first.saturating_add(self.count) {
            // Nothing limits these searches, so none is ever broken off.
            let Ok(boards) = play_game(searcher, self.play, self.seed << 32 | u64::from(game)) else { continue };
            write_samples(searcher, &boards, self.label, game, self.output)?;
            (self.told)(game);
        }
        Ok(())
    }
}

/// Writes the samples of recorded games.
pub struct Archive<'a, W> {
    /// The games.
    pub games: &'a [wthor::Game],
    /// The number of the first one.
    pub first: u32,
    /// How they are labelled.
    pub label: LabelOptions,
    /// Where the samples go.
    pub output: &'a mut W,
}

impl<W: Write> Errand for Archive<'_, W> {
    type Output = io::Result<()>;

    fn run<C: Cpu>(self, searcher: &Searcher<'_, C>) -> io::Result<()> {
        for (number, game) in (self.first..).zip(self.games) {
            searcher.table.clear();
            write_samples(searcher, &wthor::boards(&game.moves), self.label, number, self.output)?;
        }
        Ok(())
    }
}

fn write_samples<C: Cpu>(
    searcher: &Searcher<'_, C>,
    boards: &[(Board, bool)],
    label: LabelOptions,
    game: u32,
    output: &mut impl Write,
) -> io::Result<()> {
    for sample in label_game(searcher, boards, label, game).unwrap_or_default() {
        sample.write(output)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::evaluation::embedded_weights;
    use crate::othello::training::sample::read_samples;

    fn samples(seed: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let label = LabelOptions { depth: 2, exact_from: 8, ..LabelOptions::default() };
        let play = PlayOptions { depth: 2, ..PlayOptions::default() };
        let errand = SelfPlay { seed, first: 0, count: 2, play, label, output: &mut bytes, told: &mut |_| () };
        with_searcher(embedded_weights(), errand).unwrap();
        bytes
    }

    #[test]
    fn the_same_seed_gives_the_same_samples() {
        let bytes = samples(3);
        assert_eq!(bytes, samples(3));
        assert_ne!(bytes, samples(4));
        let list = read_samples(&mut bytes.as_slice()).unwrap();
        assert!(list.len() > 40);
        assert!(list.iter().all(|sample| sample.board.player & sample.board.opponent == 0 && sample.score.abs() <= 64));
    }
}

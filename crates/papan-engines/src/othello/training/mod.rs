//! Where the weights come from: games, scores for their positions, a fit to them, and the fit of the error model
//! that selective search needs.
//!
//! 1. [`workshop::SelfPlay`] (or [`workshop::Archive`] for recorded games) writes samples.
//! 2. [`fit::fit`] fits the weights to samples and reports the error on games that were held out;
//!    [`super::evaluation::codec::encode`] writes the file that is part of the binary.
//! 3. [`error_fit::FitErrors`] measures how far shallow searches are from deep ones.

pub mod duel;
pub mod error_fit;
pub mod fit;
pub mod label;
pub mod sample;
pub mod self_play;
pub mod workshop;

//! Protocols by which other programs use the engine of Othello, as loops over any reader and writer.

mod clock;
mod desk;
pub(crate) mod gtp;
mod lines;
pub(crate) mod nboard;

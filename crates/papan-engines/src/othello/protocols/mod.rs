//! Protocols by which other programs use the engine, as loops over any reader and writer.

pub mod clock;
pub mod desk;
pub mod gtp;
pub mod lines;
pub mod nboard;

//! Renderers of scenes. Neither knows a game.

pub mod svg;
pub mod text;

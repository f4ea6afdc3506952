//! Search trees as pictures and documents: SVG, DOT and a self-contained page.

mod dot;
mod html;
mod layout;
mod notes;
mod svg;

pub use dot::dot;
pub use html::html;
pub use svg::svg;

pub(crate) use papan_core::render::svg::escaped;

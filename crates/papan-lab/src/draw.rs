//! Search trees as pictures and documents: SVG, DOT and a self-contained page.

mod dot;
mod html;
mod layout;
mod svg;

pub use dot::dot;
pub use html::html;
pub use svg::svg;

/// What XML text must not contain as it is.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! The lab: its trees, presets and bounds.

mod bounds;
mod presets;
mod trees;

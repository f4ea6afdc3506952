//! Dots and Boxes.

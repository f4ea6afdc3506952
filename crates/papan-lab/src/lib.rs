//! The lab: how the algorithms think, made visible.
//!
//! A [`tree::SearchTrace`] is a recorded tree search that can be walked step by
//! step, with every cut explained in words; [`draw`] makes pictures of it. A
//! [`runs::Run`] shows local, genetic and Monte Carlo searches. [`exercise`]
//! sets trees for students to fill in and checks their answers, and
//! [`experiment`] makes the tables and plots of a report.

pub mod draw;
pub mod exercise;
pub mod experiment;
pub mod runs;
pub mod tree;
mod values;

pub use values::{shown, shown_mean, shown_plainly};

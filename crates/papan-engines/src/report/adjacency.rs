//! The minimax and the genetic player of the Adjacency report (2023).

mod genetic;
mod minimax;

pub use genetic::ReportGenetic;
pub use minimax::ReportMinimax;

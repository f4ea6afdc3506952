//! What is called best, and what is said of every move: never more than is known.

mod common;
mod endings;
mod five_in_a_row;
mod kinds;

//! Every general bot on every game, and what is called best.

mod advice;
mod bots;

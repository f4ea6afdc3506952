//! What outside programs may read, how well they must be shut in, and what of
//! passwords and names reaches people: with real programs, as whoever runs the
//! tests and, run by root, as an ordinary user too.
#![cfg(target_os = "linux")]

mod levels;
mod outputs;
mod reading;
mod stage;

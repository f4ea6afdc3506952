//! Work on many machines, with real servers on this one: `nats-server`, alone
//! and as a cluster of three, and real processes that are killed and paused.
#![cfg(target_os = "linux")]

mod chaos;
mod endings;
mod forged;
mod hostile;
mod kinds;
mod programs;
mod secrets;
mod session;
mod stage;

//! Tournaments, self-play and solves over many machines, on NATS JetStream.
//!
//! A [`Coordinator`] announces a [`Run`], publishes its jobs to a work queue
//! and takes in their results, each once; [`work`] pulls jobs, does them and
//! publishes what came of them. Whatever is killed, paused or cut off, nothing
//! is lost and nothing counts twice: a job's name is made of what is to be
//! done, and both sides go by it. See docs/many-machines.md.

mod coordinator;
#[doc(hidden)]
pub mod fuzzing;
mod link;
mod names;
mod queue;
mod shelf;
mod status;
mod streams;
mod wire;
mod worker;

pub use coordinator::{Conduct, Coordinator, Gauge, Taken, Terms};
pub use link::{Link, LinkError, QueueOptions, Secret, Teller};
pub use names::as_token;
pub use queue::{Inspector, NatsQueue, Objection};
pub use shelf::{Shelf, put_all};
pub use status::{RunStatus, Status, WorkerStatus, read_status};
pub use streams::Durability;
pub use wire::{Answer, Blob, Plan, Program, Report, Run, Task, VERSION, Work, hash};
pub use worker::{Desk, Performer, Pulse, Trouble, WorkerOptions, work};

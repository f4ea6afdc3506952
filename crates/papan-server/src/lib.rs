//! The Papan server: an HTTP API over live games, kept in SQLite, with the
//! built page inside.
//!
//! The life of a move: a socket ([`ws`]) reads a message, checks its size and
//! rate, and hands it to the task that owns the game ([`actor`]). The game
//! ([`game`]) checks seat, ply and rules; the event goes to the one writer
//! ([`store`]) and only when it is durable does everyone get a new view. If a
//! bot sits there, it thinks on a thread of the [`pool`], and its move comes
//! back through the same door.

mod actor;
mod analysis;
mod announce;
mod answers;
mod app;
mod arena;
mod assets;
mod audience;
mod caps;
mod clock;
mod compress;
mod door;
mod ending;
mod error;
mod experiments;
#[doc(hidden)]
pub mod fuzzing;
mod game;
mod guard;
mod ids;
mod indonesian;
mod lab;
mod limits;
mod lines;
mod messages;
mod pool;
mod queue;
mod record;
mod registry;
mod review;
mod roster;
mod routes;
mod serve;
mod signals;
mod site;
mod store;
mod tidier;
mod view;
mod watch;
mod ws;

pub use app::{AppOptions, app};
pub use door::DoorLimits;
pub use error::ApiError;
pub use limits::Limits;
pub use serve::{ServeOptions, Server, StartError, serve};
pub use store::{Keep, StoreError};

//! The server from outside: a real port, real sockets, a real process.

mod abuse;
mod faults;
mod http;
mod play;
mod support;
mod tournaments;

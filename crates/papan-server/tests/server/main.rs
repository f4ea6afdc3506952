//! The server from outside: a real port, real sockets, a real process.

mod abuse;
mod faults;
mod http;
mod lab;
mod old_names;
mod play;
mod review;
mod setting_up;
mod siege;
mod support;
mod thinking;
mod tournaments;

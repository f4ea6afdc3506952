//! The server from outside: a real port, real sockets, a real process.

mod abuse;
mod deleting;
mod door;
mod ending;
mod faults;
mod following;
mod http;
mod lab;
mod old_names;
mod play;
mod process;
mod review;
mod setting_up;
mod siege;
mod sites;
mod storage;
mod support;
mod thinking;
mod tournaments;

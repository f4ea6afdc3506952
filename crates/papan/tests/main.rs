//! The whole program, as people and other programs use it. One test program for
//! all, since each is linked with everything; only `fairness` has its own,
//! because nothing may run beside it.

mod bad_bots;
mod command_line;
mod interrupted;
mod lab;
mod many_machines;
mod matches;
mod old_names;
mod outside_bots;
mod reproduce;
mod rights;
mod serving;
mod solve;
mod tournament_library;
mod tournaments;

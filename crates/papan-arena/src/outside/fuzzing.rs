//! The referee's ears without a program on the other side: for fuzzing.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use papan_core::StopToken;

use super::pipes::{Lines, NoLine, never_wait};
use super::wire::{Hello, Line};

/// Every line that the referee takes from a program that writes `bytes`, which
/// must fit into a pipe, and ends.
///
/// # Errors
/// If there are no pipes to be had.
pub fn lines(bytes: &[u8]) -> io::Result<Vec<String>> {
    let (reader, writer): (OwnedFd, OwnedFd) = rustix::pipe::pipe()?;
    never_wait(&reader)?;
    never_wait(&writer)?;
    File::from(writer).write_all(bytes)?;
    let mut lines = Lines::new(File::from(reader), StopToken::new());
    let mut heard = Vec::new();
    loop {
        match lines.next(Some(Instant::now() + Duration::from_secs(1))) {
            Ok(line) => heard.push(line),
            Err(NoLine::NotText) => {}
            Err(NoLine::Late | NoLine::Stopped | NoLine::Closed | NoLine::LongLine | NoLine::Flood) => {
                return Ok(heard);
            }
        }
    }
}

/// The games and the name of a program's hello.
///
/// # Errors
/// What is wrong with it.
pub fn hello(line: &str) -> Result<(Vec<String>, Option<String>), String> {
    Hello::read(line).map(|hello| (hello.games, hello.name))
}

/// The number and the move of a program's answer; nothing for a line that is
/// passed over.
///
/// # Errors
/// What is wrong with it.
pub fn answer(line: &str) -> Result<Option<(u64, &str)>, String> {
    match Line::read(line) {
        Ok(Line::Info) => Ok(None),
        Ok(Line::BestMove { number, mv }) => Ok(Some((number, mv))),
        Ok(Line::Error(what)) => Err(what.to_owned()),
        Err((_, what)) => Err(what),
    }
}

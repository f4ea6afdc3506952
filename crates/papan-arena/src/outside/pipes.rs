//! Lines over pipes, with deadlines: no read or write ever waits for longer.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use papan_core::StopToken;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};

use super::wire::LONGEST_LINE;

/// Bytes that a program may write for one request.
const MOST_OUTPUT: usize = 1 << 20;

/// How long to wait for output before looking whether to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Why no line could be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoLine {
    /// The deadline has passed.
    Late,
    /// The game was stopped.
    Stopped,
    /// The other side is gone.
    Closed,
    /// A line is longer than allowed.
    LongLine,
    /// There was too much since the last request.
    Flood,
    /// A line is not UTF-8, or has control characters.
    NotText,
}

/// Makes reads and writes return at once.
pub(super) fn never_wait(end: &impl AsFd) -> io::Result<()> {
    Ok(fcntl_setfl(end, OFlags::NONBLOCK)?)
}

/// Waits until `end` is ready; false if the deadline passes first. Without a
/// deadline it waits for ever: the end of the other side counts as ready.
fn wait(end: &impl AsFd, flags: PollFlags, deadline: Option<Instant>) -> bool {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let timeout = left.map(|left| Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        });
        match poll(&mut [PollFd::new(end, flags)], timeout.as_ref()) {
            Ok(0) if left == Some(Duration::ZERO) => return false,
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
}

/// Writes all of `text` before the deadline.
pub(super) fn send<W: Write + AsFd>(end: &mut W, text: &str, deadline: Option<Instant>) -> Result<(), NoLine> {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match end.write(rest) {
            Ok(0) => return Err(NoLine::Closed),
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if !wait(end, PollFlags::OUT, deadline) {
                    return Err(NoLine::Late);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(NoLine::Closed),
        }
    }
    Ok(())
}

/// Reads lines from one end of a pipe.
pub(super) struct Lines<R> {
    end: R,
    buffer: Vec<u8>,
    /// What of `buffer` has been given out.
    taken: usize,
    /// Bytes since the last request.
    count: usize,
    closed: bool,
    stop: StopToken,
}

impl<R: Read + AsFd> Lines<R> {
    /// Reads until `stop` is thrown.
    pub(super) fn new(end: R, stop: StopToken) -> Self {
        Self { end, buffer: Vec::new(), taken: 0, count: 0, closed: false, stop }
    }

    /// A new request begins: the count of its output starts again.
    pub(super) fn start_request(&mut self) {
        self.count = 0;
    }

    /// A line that is there already, if there is one. It counts for the request
    /// that begins: there may be no end to them.
    pub(super) fn early(&mut self) -> Result<Option<String>, NoLine> {
        match self.next(Some(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(NoLine::Late) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The next line that is not empty, without its end.
    pub(super) fn next(&mut self, deadline: Option<Instant>) -> Result<String, NoLine> {
        loop {
            while let Some(line) = self.take_line() {
                let line = text_of(line?)?;
                if !line.is_empty() {
                    return Ok(line);
                }
            }
            self.fill(deadline)?;
        }
    }

    /// Takes a whole line out of the buffer, if there is one.
    fn take_line(&mut self) -> Option<Result<Vec<u8>, NoLine>> {
        let rest = &self.buffer[self.taken..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        if end.unwrap_or(rest.len()) > LONGEST_LINE + 1 {
            return Some(Err(NoLine::LongLine));
        }
        let line = rest[..end?].to_vec();
        self.taken += line.len() + 1;
        Some(Ok(line))
    }

    /// Waits for more output.
    fn fill(&mut self, deadline: Option<Instant>) -> Result<(), NoLine> {
        if self.closed {
            return Err(NoLine::Closed);
        }
        self.buffer.drain(..self.taken);
        self.taken = 0;
        let mut chunk = [0; 4 << 10];
        loop {
            match self.end.read(&mut chunk) {
                Ok(0) => {
                    self.closed = true;
                    return Err(NoLine::Closed);
                }
                Ok(length) => {
                    self.buffer.extend_from_slice(&chunk[..length]);
                    self.count += length;
                    return if self.count > MOST_OUTPUT { Err(NoLine::Flood) } else { Ok(()) };
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(deadline)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(NoLine::Closed),
            }
        }
    }

    /// Waits until there may be something to read.
    fn wait(&self, deadline: Option<Instant>) -> Result<(), NoLine> {
        loop {
            if self.stop.is_stopped() {
                return Err(NoLine::Stopped);
            }
            let soon = Instant::now() + LOOK_UP;
            if wait(&self.end, PollFlags::IN, Some(deadline.map_or(soon, |deadline| deadline.min(soon)))) {
                return Ok(());
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(NoLine::Late);
            }
        }
    }

    /// Waits until the other side is closed, throwing away what it says; false
    /// if it is not closed by `deadline`.
    pub(super) fn wait_for_end(&mut self, deadline: Instant) -> bool {
        self.count = 0;
        loop {
            self.taken = self.buffer.len();
            match self.fill(Some(deadline)) {
                Ok(()) if Instant::now() < deadline => {}
                Err(NoLine::Closed) => return true,
                _ => return false,
            }
        }
    }
}

/// The text of a line, a CR at its end dropped.
fn text_of(mut line: Vec<u8>) -> Result<String, NoLine> {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    let text = String::from_utf8(line).map_err(|_| NoLine::NotText)?;
    if text.chars().any(|c| c.is_control() && c != '\t') { Err(NoLine::NotText) } else { Ok(text.trim().to_owned()) }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::OwnedFd;

    use super::*;

    fn pipe() -> (Lines<File>, File) {
        let (reader, writer): (OwnedFd, OwnedFd) = rustix::pipe::pipe().unwrap();
        never_wait(&reader).unwrap();
        (Lines::new(File::from(reader), StopToken::new()), File::from(writer))
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(5))
    }

    #[test]
    fn lines_end_with_lf_or_crlf_and_empty_ones_are_passed_over() {
        let (mut lines, mut writer) = pipe();
        writer.write_all("a1\r\n\n  \nb2 é\nhalf".as_bytes()).unwrap();
        assert_eq!(lines.next(soon()).as_deref(), Ok("a1"));
        assert_eq!(lines.next(soon()).as_deref(), Ok("b2 é"));
        assert_eq!(lines.next(soon()), Err(NoLine::Late));
        writer.write_all(b" line\n").unwrap();
        assert_eq!(lines.next(soon()).as_deref(), Ok("half line"));
        drop(writer);
        assert_eq!(lines.next(None), Err(NoLine::Closed));
    }

    #[test]
    fn a_thrown_stop_ends_the_waiting() {
        let (mut lines, _writer) = pipe();
        let stop = lines.stop.clone();
        let thrower = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            stop.stop();
        });
        assert_eq!(lines.next(None), Err(NoLine::Stopped));
        thrower.join().unwrap();
    }

    #[test]
    fn what_is_not_text_and_what_is_too_long_is_told_apart() {
        let (mut lines, mut writer) = pipe();
        writer.write_all(b"\xff\xfe\nesc \x1b[0m\n").unwrap();
        assert_eq!(lines.next(soon()), Err(NoLine::NotText));
        assert_eq!(lines.next(soon()), Err(NoLine::NotText));
        writer.write_all(&[b'x'; LONGEST_LINE]).unwrap();
        writer.write_all(b"\r\n").unwrap();
        assert_eq!(lines.next(soon()).unwrap().len(), LONGEST_LINE);
        writer.write_all(&[b'x'; LONGEST_LINE + 2]).unwrap();
        assert_eq!(lines.next(soon()), Err(NoLine::LongLine));
    }

    #[test]
    fn a_flood_of_lines_is_stopped_and_counted_anew_for_each_request() {
        let (mut lines, mut writer) = pipe();
        let chunk = "info\n".repeat(4000);
        let mut seen = 0;
        let end = loop {
            writer.write_all(chunk.as_bytes()).unwrap();
            match (0..4000).find_map(|_| lines.next(soon()).err()) {
                Some(end) => break end,
                None => seen += chunk.len(),
            }
        };
        assert_eq!(end, NoLine::Flood);
        assert!(seen <= MOST_OUTPUT && seen + 2 * chunk.len() > MOST_OUTPUT);
        assert_eq!(lines.early(), Ok(Some("info".to_owned())));
        writer.write_all(chunk.as_bytes()).unwrap();
        assert_eq!((0..8000).find_map(|_| lines.early().err()), Some(NoLine::Flood), "it is still the same request");
        lines.start_request();
        writer.write_all(b"info\n").unwrap();
        assert_eq!(lines.early(), Ok(Some("info".to_owned())));
    }

    #[test]
    fn a_full_pipe_does_not_hold_the_writer() {
        let (reader, writer): (OwnedFd, OwnedFd) = rustix::pipe::pipe().unwrap();
        never_wait(&writer).unwrap();
        let mut writer = File::from(writer);
        assert_eq!(send(&mut writer, &"x".repeat(1 << 20), soon()), Err(NoLine::Late));
        drop(reader);
        assert_eq!(send(&mut writer, "x", soon()), Err(NoLine::Closed));
    }
}

//! A bot's standard error: its first bytes are kept, the rest is dropped.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::process::ChildStderr;

use rustix::fs::{OFlags, fcntl_setfl};

use super::plan::Plan;

/// Keeps the first bytes of the bot's standard error and drops the rest.
pub(super) struct StderrKeeper {
    pub(super) source: Option<ChildStderr>,
    file: Option<File>,
    room: usize,
}

impl StderrKeeper {
    pub(super) fn new(plan: &Plan) -> Self {
        let file = plan.stderr.as_ref().and_then(|path| File::options().create(true).append(true).open(path).ok());
        Self { source: None, file, room: usize::try_from(plan.limits.stderr).unwrap_or(usize::MAX) }
    }

    /// Keeps what comes from here.
    pub(super) fn listen(&mut self, source: Option<ChildStderr>) {
        if let Some(source) = &source {
            // Reading must never wait: the bot may hold its end open for ever.
            let _ = fcntl_setfl(source, OFlags::NONBLOCK);
        }
        self.source = source;
    }

    /// Takes what there is now, but not for ever: a flood is taken in parts.
    pub(super) fn drain(&mut self) {
        let mut buffer = [0; 16 << 10];
        for _ in 0..64 {
            let Some(source) = &mut self.source else { return };
            match source.read(&mut buffer) {
                Ok(0) => self.source = None,
                Ok(length) => self.keep(&buffer[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(self.room);
        self.room -= kept;
        if let Some(file) = &mut self.file {
            let _ = file.write_all(&bytes[..kept]);
        }
    }

    /// Adds a line of our own, even if there is no room left.
    pub(super) fn note(&mut self, words: &str) {
        self.drain();
        let line = format!("papan: sandbox: {words}\n");
        self.room = self.room.max(line.len());
        self.keep(line.as_bytes());
    }
}

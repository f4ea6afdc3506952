//! The supervisor between the arena and the sandbox's first process.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;

use super::cgroup::Cgroup;
use super::control::{FREEZE, FROZEN, Offence, SETTLE, THAWED};
use super::plan::Plan;

/// The arena on one side, the sandbox's first process on the other.
pub(super) struct Link {
    pub(super) arena: Option<UnixStream>,
    pub(super) first: UnixStream,
    pub(super) group: Option<Cgroup>,
}

impl Link {
    /// Does what the arena says, by the control group if it can freeze, else
    /// by passing it on. False once the arena is gone.
    pub(super) fn obey(&mut self) -> io::Result<bool> {
        let mut byte = [0];
        let Some(arena) = &mut self.arena else { return Ok(false) };
        if arena.read(&mut byte).unwrap_or(0) == 0 {
            return Ok(false);
        }
        match self.group.as_ref().filter(|group| group.has_freezer() && byte != [SETTLE]) {
            Some(group) => arena.write_all(&[by_group(group, byte[0])?])?,
            // Where the first process has ended, the arena is told by our own end.
            None => drop(self.first.write_all(&byte)),
        }
        Ok(true)
    }

    /// Did the control group end the program?
    pub(super) fn ran_out_of_memory(&self, plan: &Plan, code: &io::Result<i32>) -> bool {
        let killed = matches!(code, Ok(code) if *code == 128 + libc::SIGKILL);
        let peak = self.group.as_ref().and_then(Cgroup::memory_peak).unwrap_or(0);
        killed && peak >= plan.limits.memory / 10 * 9
    }

    /// Passes an answer on; gives the reason if the bot has to be ended.
    pub(super) fn hear(&mut self) -> Option<Offence> {
        let mut byte = [0];
        if self.first.read(&mut byte).unwrap_or(0) == 0 {
            return None;
        }
        let offence = Offence::read(byte[0]);
        if offence.is_none()
            && let Some(arena) = &mut self.arena
        {
            let _ = arena.write_all(&byte);
        }
        offence
    }
}

/// Freezes or thaws; gives the answer.
fn by_group(group: &Cgroup, word: u8) -> io::Result<u8> {
    match word {
        FREEZE => group.freeze().map(|()| FROZEN),
        _ => group.thaw().map(|()| THAWED),
    }
}

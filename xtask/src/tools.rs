//! Programs that checks need, and how to get them.

use std::process::{Command, Stdio};

/// A program that a check needs.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    /// The command that shows whether it is there.
    pub(crate) probe: &'static [&'static str],
    /// What puts it there: commands that are tried in order.
    pub(crate) install: &'static [&'static [&'static str]],
}

pub(crate) const CPP: Tool =
    Tool { probe: &["c++", "--version"], install: &[&["apt-get", "update"], &["apt-get", "install", "-y", "g++"]] };

impl Tool {
    /// Makes sure that the tool is there; false if it cannot be had.
    pub(crate) fn ensure(self) -> bool {
        if self.is_there() {
            return true;
        }
        println!("-- installing {}", self.name());
        self.install.iter().all(|command| succeeds(command)) && self.is_there()
    }

    pub(crate) fn name(self) -> &'static str {
        self.probe[0]
    }

    fn is_there(self) -> bool {
        command(self.probe).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

/// Runs a command with our own output; true if it ends well.
pub(crate) fn succeeds(words: &[&str]) -> bool {
    println!("$ {}", words.join(" "));
    command(words).status().is_ok_and(|status| status.success())
}

pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

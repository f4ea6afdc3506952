//! What the launcher is told: how to start one program.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::level::SandboxLevel;

/// What a program may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResourceLimits {
    /// Bytes of memory, of one process and of all together.
    pub memory: u64,
    /// Processes and threads at the same time.
    pub processes: u64,
    /// Bytes of one file.
    pub file_size: u64,
    /// Bytes of all files in the temporary folder together.
    pub temporary: u64,
    /// Open files of one process.
    pub open_files: u64,
    /// Seconds of CPU time of one process.
    pub cpu_seconds: u64,
    /// Bytes of standard error that are kept.
    pub stderr: u64,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self {
            memory: 2 << 30,
            processes: 128,
            file_size: 64 << 20,
            temporary: 256 << 20,
            open_files: 256,
            cpu_seconds: 3600,
            stderr: 1 << 20,
        }
    }
}

/// The writable folder inside namespaces.
pub(super) const BOX: &str = "/box";

/// Files and folders that a program may make: each takes memory even if it is
/// empty.
pub(super) const MOST_FILES: u64 = 20_000;

/// What makes the namespaces around a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Walls {
    /// Nothing: this machine does not let us, or no sandbox is wanted.
    None,
    /// We ourselves.
    Own,
    /// Bubblewrap, which is here.
    Bubblewrap(PathBuf),
}

/// A control group for a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Group {
    /// Where it is.
    pub(crate) folder: PathBuf,
    /// What it holds, for people.
    pub(crate) holds: String,
}

/// How to start one program: passed to the launcher as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Where it runs.
    pub(crate) folder: PathBuf,
    /// What it may read besides the system.
    pub(crate) readable: Vec<PathBuf>,
    /// Its private temporary folder, which exists. With walls it is only the
    /// place on which the new root is built.
    pub(crate) temporary: PathBuf,
    /// Where its standard error goes, if it is kept.
    pub(crate) stderr: Option<PathBuf>,
    /// What it may use up.
    pub(crate) limits: ResourceLimits,
    /// The level that must be reached; [`SandboxLevel::None`] applies no layer.
    pub(crate) level: SandboxLevel,
    /// A user id of its own, where that is possible.
    pub(crate) uid: Option<u32>,
    /// The one core that it and all that it starts may run on.
    pub(crate) core: Option<usize>,
    /// What makes its namespaces.
    pub(crate) walls: Walls,
    /// The numbers under which the program's standard input and output are
    /// handed from step to step.
    pub(crate) pipes: [i32; 2],
    /// The control group to join, where there is one.
    pub(crate) group: Option<Group>,
    /// Say what was reached instead of starting the program.
    pub(crate) probe: bool,
    /// How this program calls itself as the launcher.
    pub(crate) launcher: Vec<String>,
}

impl Plan {
    /// The one folder that the program may write to, as it sees it.
    pub(super) fn writable(&self) -> &Path {
        if self.walls == Walls::None { &self.temporary } else { Path::new(BOX) }
    }
}

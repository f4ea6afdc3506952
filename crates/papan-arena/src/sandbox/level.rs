//! How well a program is shut in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How well a program is shut in; each level includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SandboxLevel {
    /// Not at all: it runs with the arena's own rights. It is still ended with
    /// everything that it started.
    None,
    /// Limits on memory, processes, files and CPU time; an empty environment;
    /// a private temporary folder.
    Limited,
    /// Also Landlock and seccomp: it reads only the system and its own folder,
    /// writes only the temporary folder, and has no network.
    Confined,
    /// Also namespaces of its own, made by us or by bubblewrap: it sees no
    /// process, file, network or shared memory of anyone else's, and the one
    /// place that it can write to is in memory and of a limited size.
    Isolated,
}

impl SandboxLevel {
    /// Every level, lowest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Limited, Self::Confined, Self::Isolated];

    /// The level's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Limited => "limited",
            Self::Confined => "confined",
            Self::Isolated => "isolated",
        }
    }

    /// The level with this name.
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What shuts a program in on this machine: the level and its layers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// The level reached.
    pub level: SandboxLevel,
    /// The layers at work, `rlimits`, `landlock 7`.
    pub layers: Vec<String>,
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({})",
            self.level,
            if self.layers.is_empty() { "no layers".into() } else { self.layers.join(", ") }
        )
    }
}

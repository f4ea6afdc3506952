//! The sandbox: outside programs are shut in, in layers, each of which holds
//! alone if another is missing.
//!
//! | layer | stops |
//! |---|---|
//! | supervisor, first process inside | processes that are left behind, too much memory in all, running out of turn |
//! | empty environment, no inherited files | leaks from the arena and between bots |
//! | rlimits | fork bombs, memory hogs |
//! | own user id (if we are root) | anything against our own files and processes |
//! | namespaces (our own, else bubblewrap's) | seeing other processes and files at all, full disks, shared memory |
//! | Landlock | reading and writing outside the bot's files, TCP, signals |
//! | seccomp | sockets, tracing, mounts, other cores, memory that no limit counts |

mod level;
mod plan;

#[cfg(target_os = "linux")]
mod bubblewrap;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
pub mod cgroup;
#[cfg(target_os = "linux")]
pub(crate) mod control;
#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod herd;
#[cfg(target_os = "linux")]
mod init;
#[cfg(target_os = "linux")]
pub mod launcher;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod link;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod refused;
#[cfg(target_os = "linux")]
mod root;
#[cfg(target_os = "linux")]
mod stderr;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(target_os = "linux")]
mod usage;

pub use level::{Confinement, SandboxLevel};
pub(crate) use plan::Plan;
pub use plan::ResourceLimits;

#[cfg(target_os = "linux")]
pub use linux::{Sandbox, Wanted};

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::{env, fs, process};

    use rustix::fs::chown;
    use rustix::process::{Gid, Uid, geteuid};

    use super::plan::Walls;
    use super::{Confinement, Plan, ResourceLimits, SandboxLevel, bubblewrap, launcher, limits};

    /// How programs are shut in on this machine.
    #[derive(Clone, Debug)]
    pub struct Sandbox {
        launcher: Vec<String>,
        limits: ResourceLimits,
        reached: Confinement,
        walls: Walls,
    }

    /// Whose namespaces are wanted.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Wanted {
        /// The best that can be had.
        Best,
        /// Our own or none.
        Own,
        /// Bubblewrap's or none.
        Bubblewrap,
        /// None.
        Nothing,
    }

    impl Sandbox {
        /// Finds out what this machine can do. `launcher` is the command that
        /// ends up in [`launcher::main`]: this program's own path and the words
        /// that lead there. Bubblewrap is used if `wrap`, if we cannot make
        /// namespaces ourselves, and if it is installed and works.
        pub fn find(launcher: Vec<String>, limits: ResourceLimits, wrap: bool) -> io::Result<Self> {
            Self::find_with(launcher, limits, if wrap { Wanted::Best } else { Wanted::Own })
        }

        /// As [`Sandbox::find`], with the namespaces that are wanted.
        pub fn find_with(launcher: Vec<String>, limits: ResourceLimits, wanted: Wanted) -> io::Result<Self> {
            let reached = Confinement { level: SandboxLevel::Limited, layers: Vec::new() };
            let mut sandbox = Self { launcher, limits, reached, walls: Walls::None };
            let own = matches!(wanted, Wanted::Best | Wanted::Own).then_some(Walls::Own);
            let bubblewrap = matches!(wanted, Wanted::Best | Wanted::Bubblewrap).then(bubblewrap::find).flatten();
            for walls in own.into_iter().chain(bubblewrap.map(Walls::Bubblewrap)) {
                sandbox.walls = walls;
                if let Ok(reached) = sandbox.probe() {
                    sandbox.reached = reached;
                    return Ok(sandbox);
                }
            }
            sandbox.walls = Walls::None;
            sandbox.reached = sandbox.probe()?;
            Ok(sandbox)
        }

        /// No layers: programs run with our own rights, but are still ended
        /// with everything that they started.
        #[must_use]
        pub fn off(launcher: Vec<String>) -> Self {
            let reached = Confinement { level: SandboxLevel::None, layers: Vec::new() };
            Self { launcher, limits: ResourceLimits::default(), reached, walls: Walls::None }
        }

        /// The level reached, with its layers.
        #[must_use]
        pub fn reached(&self) -> &Confinement {
            &self.reached
        }

        /// Starts a program under its supervisor, with pipes to its standard
        /// input and output and a socket for the words of [`super::control`].
        pub(crate) fn start(
            &self,
            command: &[String],
            folder: &Path,
            readable: &[PathBuf],
            stderr: Option<&Path>,
            core: Option<usize>,
        ) -> io::Result<(Child, UnixStream, PathBuf)> {
            let mut plan = self.plan(command.to_vec(), folder.to_owned(), readable.to_vec())?;
            plan.stderr = stderr.map(Path::to_owned);
            plan.core = core;
            let words = launcher::next_step("supervise", &plan)?;
            let (control, theirs) = UnixStream::pair()?;
            let child = Command::new(&words[0])
                .args(&words[1..])
                .env_clear()
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(OwnedFd::from(theirs))
                .spawn();
            match child {
                Ok(child) => Ok((child, control, plan.temporary)),
                Err(error) => {
                    let _ = fs::remove_dir_all(&plan.temporary);
                    Err(error)
                }
            }
        }

        fn probe(&self) -> io::Result<Confinement> {
            let mut plan = self.plan(vec!["true".to_owned()], PathBuf::from("/"), Vec::new())?;
            plan.level = SandboxLevel::Limited;
            plan.probe = true;
            let words = launcher::next_step("supervise", &plan)?;
            let output = Command::new(&words[0]).args(&words[1..]).env_clear().stdin(Stdio::null()).output();
            let _ = fs::remove_dir_all(&plan.temporary);
            let output = output?;
            serde_json::from_slice(&output.stdout)
                .map_err(|_| io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
        }

        fn plan(&self, command: Vec<String>, folder: PathBuf, readable: Vec<PathBuf>) -> io::Result<Plan> {
            let shut_in = self.reached.level > SandboxLevel::None;
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let uid = (shut_in && geteuid().is_root()).then(|| fresh_uid(number));
            Ok(Plan {
                command,
                folder,
                readable,
                temporary: private_folder(number, uid)?,
                stderr: None,
                limits: self.limits,
                level: self.reached.level,
                uid,
                core: None,
                walls: self.walls.clone(),
                pipes: [0, 1],
                group: None,
                probe: false,
                launcher: self.launcher.clone(),
            })
        }
    }

    static NEXT: AtomicU64 = AtomicU64::new(0);

    /// A user id that no account has, and that no other bot of this or of
    /// another arena has at the same time.
    fn fresh_uid(number: u64) -> u32 {
        const BOTS: u32 = 256;
        limits::FIRST_UID + (process::id() % 4_000_000) * BOTS + (number % u64::from(BOTS)) as u32
    }

    /// A new folder that only the bot's user may enter.
    fn private_folder(number: u64, uid: Option<u32>) -> io::Result<PathBuf> {
        let folder = env::temp_dir().join(format!("papan-bot-{}-{number}", process::id()));
        // Left over from a process that had our number and was killed.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        if let Some(uid) = uid {
            chown(&folder, Some(Uid::from_raw(uid)), Some(Gid::from_raw(uid)))?;
        }
        fs::canonicalize(folder)
    }
}

//! A program by its command line: which files are its own, where it runs, and
//! which form of the protocol it speaks.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use papan_core::error::quoted;
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(target_os = "linux")]
use {crate::sandbox::Sandbox, crate::tournament::run_words};

use crate::tournament::RUNNERS;

/// Folders whose files are the system's, not a bot's.
pub(super) const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/dev", "/proc", "/nix"];

/// A form of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `hello`, `position`, `go`, `bestmove`.
    Full,
    /// A line in, a line out.
    Simple,
}

/// Why a command cannot be run.
#[derive(Debug, Error)]
pub enum CommandError {
    /// There is nothing in it.
    #[error("bot: the command is empty, expected a program and its arguments")]
    Empty,
    /// Its quotes do not match.
    #[error("bot: the command {0} has a quote that does not end")]
    Quotes(String),
    /// The program is not there.
    #[error("bot: {0} is not a program that can be found")]
    NotFound(String),
    /// It is there, but cannot be run.
    #[error("bot: {0} cannot be run: {1}")]
    NotRunnable(String, String),
    /// A file of the bot cannot be read by another user.
    #[error("bot: {} cannot be read by an ordinary user, under which bots run; give others the right to read it", .0.display())]
    Closed(PathBuf),
    /// Something else about its files.
    #[error("bot: {0}")]
    Io(#[from] io::Error),
}

/// What has been found out about a program.
#[derive(Clone, Debug, Default)]
struct Known {
    form: Option<Form>,
    /// The games of its hello.
    games: Option<Vec<String>>,
}

/// A program that can play: its command and how it is shut in. Clones share
/// what has been found out about it.
#[derive(Clone, Debug)]
pub struct OutsideProgram {
    pub(crate) words: Vec<String>,
    pub(crate) folder: PathBuf,
    pub(crate) readable: Vec<PathBuf>,
    name: String,
    known: Arc<Mutex<Known>>,
    #[cfg(target_os = "linux")]
    pub(crate) sandbox: Arc<Sandbox>,
}

impl OutsideProgram {
    /// Reads a command line in the manner of a shell: words, quotes, no
    /// variables. Arguments that are files or folders are made absolute; the
    /// first one's folder is where the program runs, and all of their folders
    /// may be read by it. `form` is found out if it is not given.
    #[cfg(target_os = "linux")]
    pub fn new(command: &str, form: Option<Form>, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        Self::new_in(Path::new(""), command, form, sandbox)
    }

    /// As [`OutsideProgram::new`], with relative paths from `base`.
    #[cfg(target_os = "linux")]
    pub fn new_in(base: &Path, command: &str, form: Option<Form>, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        let words = shlex::split(command).ok_or_else(|| CommandError::Quotes(quoted(command)))?;
        let (program, arguments) = words.split_first().ok_or(CommandError::Empty)?;
        let program = find_program(base, program).ok_or_else(|| CommandError::NotFound(quoted(program)))?;
        let mut files = Files::default();
        files.add(&program);
        let mut words = vec![text_of(&program)];
        for argument in arguments {
            match fs::canonicalize(base.join(argument)).ok().filter(|_| !argument.is_empty()) {
                Some(path) => {
                    files.add(&path);
                    words.push(text_of(&path));
                }
                None if is_script(argument) => return Err(CommandError::NotFound(quoted(argument))),
                None => words.push(argument.clone()),
            }
        }
        let folder = files.folders.first().cloned().unwrap_or_else(|| PathBuf::from("/"));
        if sandbox.reached().level > crate::sandbox::SandboxLevel::None && rustix::process::geteuid().is_root() {
            files.check_open(&program)?;
        }
        let name = name_of(&words);
        Ok(Self { words, folder, readable: files.folders, name, known: known(form), sandbox })
    }

    /// A program by its file or folder: what runs it follows from its name. It
    /// may read only its own file or folder, not its neighbours'.
    #[cfg(target_os = "linux")]
    pub fn at(path: &Path, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        let name = || quoted(&path.to_string_lossy());
        let path = fs::canonicalize(path).map_err(|_| CommandError::NotFound(name()))?;
        let (mut words, readable) = run_words(&path).map_err(|reason| CommandError::NotRunnable(name(), reason))?;
        let runner = find_program(Path::new(""), &words[0]).ok_or_else(|| CommandError::NotFound(quoted(&words[0])))?;
        words[0] = text_of(&runner);
        let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
        if sandbox.reached().level > crate::sandbox::SandboxLevel::None && rustix::process::geteuid().is_root() {
            Files { folders: vec![folder.to_owned()] }.check_open(&runner)?;
            readable.iter().try_for_each(|file| check_readable(file))?;
        }
        let name = file_name(path.file_name().unwrap_or_default());
        Ok(Self { words, folder: folder.to_owned(), readable, name, known: Arc::default(), sandbox })
    }

    /// A program that was packed elsewhere and unpacked into `folder`, which it
    /// may read and nothing else. A system's program is found by its name.
    #[cfg(target_os = "linux")]
    pub(super) fn unpacked_in(
        folder: &Path,
        words: Vec<String>,
        place: PathBuf,
        form: Option<Form>,
        sandbox: Arc<Sandbox>,
    ) -> Result<Self, CommandError> {
        let mut words = words;
        let program = words.first().ok_or(CommandError::Empty)?;
        let program = find_program(folder, program).ok_or_else(|| CommandError::NotFound(quoted(program)))?;
        words[0] = text_of(&program);
        if sandbox.reached().level > crate::sandbox::SandboxLevel::None && rustix::process::geteuid().is_root() {
            Files { folders: vec![folder.to_owned()] }.check_open(&program)?;
        }
        let (readable, name) = (vec![folder.to_owned()], name_of(&words));
        Ok(Self { words, folder: place, readable, name, known: known(form), sandbox })
    }

    /// The form that it speaks, as far as is known.
    #[must_use]
    pub fn form(&self) -> Option<Form> {
        self.known.lock().expect("no holder panics").form
    }

    pub(crate) fn learn_form(&self, form: Form) {
        self.known.lock().expect("no holder panics").form = Some(form);
    }

    /// The games that it has said to play, if it has said hello.
    pub(crate) fn games(&self) -> Option<Vec<String>> {
        self.known.lock().expect("no holder panics").games.clone()
    }

    pub(crate) fn learn_games(&self, games: &[String]) {
        self.known.lock().expect("no holder panics").games = Some(games.to_owned());
    }

    /// Its name in file names: that of its own file or folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(target_os = "linux")]
fn known(form: Option<Form>) -> Arc<Mutex<Known>> {
    Arc::new(Mutex::new(Known { form, games: None }))
}

/// The name of a command: its first file that is not the system's, else what
/// it runs, which is its last word (`java -cp FOLDER Starter`).
#[cfg(target_os = "linux")]
fn name_of(words: &[String]) -> String {
    let own = words
        .iter()
        .map(Path::new)
        .find(|path| path.is_absolute() && path.is_file() && !SYSTEM.iter().any(|system| path.starts_with(system)));
    let last = words.iter().rev().map(Path::new).find(|word| !word.is_dir());
    file_name(own.or(last).and_then(Path::file_name).unwrap_or_default())
}

/// Longest name of a program in a file name, in characters.
#[cfg(target_os = "linux")]
const LONGEST_NAME: usize = 40;

/// A name that every file system takes.
#[cfg(target_os = "linux")]
fn file_name(name: &OsStr) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.to_string_lossy().chars().take(LONGEST_NAME).map(safe).collect()
}

/// Is this argument meant to be a file that is run?
fn is_script(argument: &str) -> bool {
    let ending = Path::new(argument).extension().and_then(|ending| ending.to_str());
    !argument.starts_with('-') && ending.is_some_and(|ending| RUNNERS.iter().any(|(known, _)| *known == ending))
}

/// Can another user read this file?
#[cfg(target_os = "linux")]
fn check_readable(file: &Path) -> Result<(), CommandError> {
    use std::os::unix::fs::PermissionsExt as _;
    let open = fs::metadata(file)?.permissions().mode() & 0o004 != 0;
    if open { Ok(()) } else { Err(CommandError::Closed(file.to_owned())) }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A program named by a path, or one of the system's by its name. Links are
/// kept: some programs look at the name by which they are called.
#[cfg(target_os = "linux")]
fn find_program(base: &Path, name: &str) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return std::path::absolute(base.join(name)).ok().filter(is_program);
    }
    let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];
    folders.iter().map(|folder| Path::new(folder).join(name)).find(is_program)
}

/// The bot's own folders, in the order in which the command names them.
#[derive(Default)]
struct Files {
    folders: Vec<PathBuf>,
}

impl Files {
    fn add(&mut self, path: &Path) {
        if SYSTEM.iter().any(|system| path.starts_with(system)) {
            return;
        }
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        // Never the whole machine: a program in the root folder is alone there.
        let folder = if folder == Path::new("/") { path } else { folder };
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.to_owned());
        }
    }

    /// Can another user reach the program and every folder?
    #[cfg(target_os = "linux")]
    fn check_open(&self, program: &Path) -> Result<(), CommandError> {
        use std::os::unix::fs::PermissionsExt as _;
        for path in self.folders.iter().map(PathBuf::as_path).chain([program]) {
            for part in fs::canonicalize(path)?.ancestors() {
                if fs::metadata(part)?.permissions().mode() & 0o001 == 0 {
                    return Err(CommandError::Closed(part.to_owned()));
                }
            }
        }
        Ok(())
    }
}

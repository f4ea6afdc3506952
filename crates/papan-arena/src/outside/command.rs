//! A program by its command line: which files are its own, where it runs, and
//! which form of the protocol it speaks.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use papan_core::error::{one_line, quoted, redacted};
use serde::{Deserialize, Serialize};
use thiserror::Error;

#[cfg(target_os = "linux")]
use {
    crate::sandbox::Sandbox,
    crate::tournament::{own_files, run_words},
};

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
    #[error("bot: {} cannot be read by an ordinary user, under which bots run; give others the right to read it", one_line(&.0.display().to_string()))]
    Closed(PathBuf),
    /// It is a link to a file that lies elsewhere.
    #[error("bot: {} is a link that leads out of its folder; name the file itself", one_line(&.0.display().to_string()))]
    Link(PathBuf),
    /// A password stands in it.
    #[error("bot: the command has a password in a URL, which everyone could read; outside programs have no network")]
    Secret,
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
    /// What it may read besides the system; see [`super::keep_apart`].
    pub(crate) readable: Vec<PathBuf>,
    /// The files that its command names.
    pub(super) named: Vec<PathBuf>,
    /// Folders that it would like to read whole.
    pub(super) wishes: Vec<PathBuf>,
    name: String,
    known: Arc<Mutex<Known>>,
    #[cfg(target_os = "linux")]
    pub(crate) sandbox: Arc<Sandbox>,
}

impl OutsideProgram {
    /// Reads a command line in the manner of a shell: words, quotes, no
    /// variables. Arguments that are files or folders are made absolute; the
    /// folder of its own script is where the program runs. It may read the
    /// files that are named, and that folder where it is its own alone; among
    /// others [`keep_apart`](super::keep_apart) sets this anew. `form` is found
    /// out if it is not given.
    #[cfg(target_os = "linux")]
    pub fn new(command: &str, form: Option<Form>, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        Self::new_in(Path::new(""), command, form, sandbox)
    }

    /// As [`OutsideProgram::new`], with relative paths from `base`.
    #[cfg(target_os = "linux")]
    pub fn new_in(base: &Path, command: &str, form: Option<Form>, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        if redacted(command) != command {
            return Err(CommandError::Secret);
        }
        let words = shlex::split(command).ok_or_else(|| CommandError::Quotes(quoted(command)))?;
        let (program, arguments) = words.split_first().ok_or(CommandError::Empty)?;
        let program = find_program(base, program).ok_or_else(|| CommandError::NotFound(quoted(program)))?;
        let mut files = Files::default();
        files.add_program(&program)?;
        let mut words = vec![text_of(&program)];
        for argument in arguments {
            match fs::canonicalize(base.join(argument)).ok().filter(|_| !argument.is_empty()) {
                Some(path) => {
                    stays_inside(&base.join(argument), &path)?;
                    files.add_argument(&path, is_script(argument));
                    words.push(text_of(&path));
                }
                None if is_script(argument) => return Err(CommandError::NotFound(quoted(argument))),
                None => words.push(argument.clone()),
            }
        }
        files.add_classes(&words);
        let wishes = files.wishes();
        if sandbox.reached().level > crate::sandbox::SandboxLevel::None && rustix::process::geteuid().is_root() {
            check_open(wishes.iter().chain(&files.named).map(PathBuf::as_path).chain([program.as_path()]))?;
        }
        let folder = wishes.first().cloned().unwrap_or_else(|| PathBuf::from("/"));
        let name = name_of(&words);
        Ok(Self { words, folder, readable: Vec::new(), named: files.named, wishes, name, known: known(form), sandbox }
            .alone())
    }

    /// A program by its file or folder: what runs it follows from its name. It
    /// may read only its own file or folder, not its neighbours'.
    #[cfg(target_os = "linux")]
    pub fn at(path: &Path, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        let name = || quoted(&path.to_string_lossy());
        let given = path;
        let path = fs::canonicalize(given).map_err(|_| CommandError::NotFound(name()))?;
        stays_inside(given, &path)?;
        let (mut words, readable) = run_words(&path).map_err(|reason| CommandError::NotRunnable(name(), reason))?;
        let runner = find_program(Path::new(""), &words[0]).ok_or_else(|| CommandError::NotFound(quoted(&words[0])))?;
        words[0] = text_of(&runner);
        let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
        if sandbox.reached().level > crate::sandbox::SandboxLevel::None && rustix::process::geteuid().is_root() {
            check_open([folder, &runner].into_iter())?;
            readable.iter().try_for_each(|file| check_readable(file))?;
        }
        // A folder is read whole where it is the program's own; else only what is run.
        let own = |word: &String| Some(PathBuf::from(word)).filter(|file| file.is_file() && file.starts_with(&path));
        let (named, wishes) =
            if path.is_dir() { (words.iter().filter_map(own).collect(), readable) } else { (readable, Vec::new()) };
        let name = file_name(path.file_name().unwrap_or_default());
        let (folder, readable, known) = (folder.to_owned(), Vec::new(), Arc::default());
        Ok(Self { words, folder, readable, named, wishes, name, known, sandbox }.alone())
    }

    /// With what it may read if it is the only one.
    #[cfg(target_os = "linux")]
    fn alone(mut self) -> Self {
        super::keep_apart(&mut [&mut self], &[]);
        self
    }

    /// Everything that it names or would like to read.
    #[cfg(target_os = "linux")]
    pub(super) fn claims(&self) -> impl Iterator<Item = &PathBuf> {
        self.named.iter().chain(&self.wishes)
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
            check_open([folder, &program].into_iter())?;
        }
        // The folder was made for it.
        let (readable, name) = (vec![folder.to_owned()], name_of(&words));
        let (named, wishes) = (readable.clone(), Vec::new());
        Ok(Self { words, folder: place, readable, named, wishes, name, known: known(form), sandbox })
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
    if name.contains('/') {
        let path = std::path::absolute(base.join(name)).ok()?;
        let path = fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?);
        return Some(path).filter(|path| is_program(path));
    }
    let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];
    folders.iter().map(|folder| Path::new(folder).join(name)).find(|path| is_program(path))
}

/// The files and folders that a command names.
#[derive(Default)]
#[cfg(target_os = "linux")]
struct Files {
    /// Files, and what compilers made with them.
    named: Vec<PathBuf>,
    /// Folders that are named.
    folders: Vec<PathBuf>,
    /// The program, if it is not the system's.
    program: Option<PathBuf>,
    /// The first script among the arguments, else the first file.
    script: Option<(PathBuf, bool)>,
}

#[cfg(target_os = "linux")]
impl Files {
    /// The program is called by the name that was given, which may be a link.
    fn add_program(&mut self, program: &Path) -> Result<(), CommandError> {
        if is_system(program) {
            return Ok(());
        }
        let real = fs::canonicalize(program)?;
        stays_inside(program, &real)?;
        self.named.push(program.to_owned());
        if real != program && !is_system(&real) {
            self.named.push(real);
        }
        self.program = Some(program.to_owned());
        Ok(())
    }

    fn add_argument(&mut self, path: &Path, is_script: bool) {
        if is_system(path) {
            return;
        }
        if path.is_dir() {
            self.folders.push(path.to_owned());
            return;
        }
        self.named.push(path.to_owned());
        if self.script.as_ref().is_none_or(|(_, was_script)| is_script && !was_script) {
            self.script = Some((path.to_owned(), is_script));
        }
    }

    /// `java -cp FOLDER Starter` names Starter's classes.
    fn add_classes(&mut self, words: &[String]) {
        for folder in &self.folders {
            for class in
                words.iter().filter(|word| !word.contains('/')).map(|word| folder.join(format!("{word}.class")))
            {
                if class.is_file() {
                    self.named.extend(own_files(&class));
                }
            }
        }
    }

    /// The folder of its own script, which it runs in, and other folders that
    /// it would like to read.
    fn wishes(&self) -> Vec<PathBuf> {
        let script = self.script.as_ref().filter(|(_, is_script)| *is_script || self.program.is_none());
        let files = script.map(|(path, _)| path).into_iter().chain(&self.program);
        let parents = files.filter_map(|file| file.parent()).map(Path::to_owned);
        let mut wishes: Vec<PathBuf> = Vec::new();
        for folder in parents.chain(self.folders.iter().cloned()) {
            if !wishes.contains(&folder) {
                wishes.push(folder);
            }
        }
        wishes
    }
}

#[cfg(target_os = "linux")]
fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// A file that someone handed in may be a link to what is not theirs: naming
/// the link must not open what it leads to.
#[cfg(target_os = "linux")]
fn stays_inside(named: &Path, real: &Path) -> Result<(), CommandError> {
    let named = std::path::absolute(named)?;
    let is_link = fs::symlink_metadata(&named).is_ok_and(|data| data.is_symlink());
    let folder = named.parent().map(fs::canonicalize).transpose()?;
    if is_link && !is_system(real) && !folder.is_some_and(|folder| real.starts_with(folder)) {
        return Err(CommandError::Link(named));
    }
    Ok(())
}

/// Can another user pass through to each of these?
#[cfg(target_os = "linux")]
fn check_open<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), CommandError> {
    use std::os::unix::fs::PermissionsExt as _;
    for path in paths {
        let real = fs::canonicalize(path)?;
        // Data need not be something that can be run.
        let skip = usize::from(real.is_file() && !is_program(&real));
        for part in real.ancestors().skip(skip) {
            if fs::metadata(part)?.permissions().mode() & 0o001 == 0 {
                return Err(CommandError::Closed(part.to_owned()));
            }
        }
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

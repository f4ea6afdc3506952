//! A program with its files as one piece of bytes, so that another machine can
//! run it.
//!
//! ```text
//! papan-parcel 1\n
//! {"path":"0/mine.py","run":false,"size":812}\n   812 bytes   next file …
//! ```
//!
//! Each folder of the program has a number in the parcel; files are in the
//! order of their paths, so that the same files give the same bytes.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
use {
    super::command::{CommandError, OutsideProgram, SYSTEM},
    crate::sandbox::Sandbox,
    std::sync::Arc,
};

use super::command::Form;

const HEADER: &[u8] = b"papan-parcel 1\n";

/// Bytes and files of a parcel at most: a program, not a disk.
const MOST_BYTES: u64 = 64 << 20;
const MOST_FILES: usize = 4000;

/// How a packed program is run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parcel {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// The folder in the parcel that it runs in.
    pub folder: String,
    /// The form of the protocol, if that was said.
    pub form: Option<Form>,
}

/// A word of a packed program's command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// As it is; at the start of a command, a program of the system.
    Text(String),
    /// A file or folder of the parcel.
    Inside(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: String,
    run: bool,
    size: u64,
}

#[cfg(target_os = "linux")]
impl OutsideProgram {
    /// Packs the program with all files that it may read.
    ///
    /// # Errors
    /// If a file cannot be read, or there are too many or too large ones.
    pub fn pack(&self) -> io::Result<(Parcel, Vec<u8>)> {
        let mut roots: Vec<PathBuf> = Vec::new();
        let mut files: Vec<(String, PathBuf)> = Vec::new();
        for path in &self.readable {
            let root = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(path) };
            let number = roots.iter().position(|known| known == root).unwrap_or_else(|| {
                roots.push(root.to_owned());
                roots.len() - 1
            });
            collect(path, root, &number.to_string(), &mut files)?;
        }
        let inside = |path: &Path| {
            let found = roots.iter().enumerate().filter(|(_, root)| path.starts_with(root));
            // A folder may lie in another one's: the file is with the nearest.
            let (number, root) = found.max_by_key(|(_, root)| root.components().count())?;
            let rest = path.strip_prefix(root).ok()?.to_str()?;
            Some(format!("{number}/{rest}").trim_end_matches('/').to_owned())
        };
        let word = |(place, word): (usize, &String)| match inside(Path::new(word)) {
            Some(path) => Word::Inside(path),
            // The same program lies elsewhere on another machine.
            None if place == 0 && SYSTEM.iter().any(|system| Path::new(word).starts_with(system)) => {
                Word::Text(Path::new(word).file_name().unwrap_or_default().to_string_lossy().into_owned())
            }
            None => Word::Text(word.clone()),
        };
        let words = self.words.iter().enumerate().map(word).collect();
        let folder = inside(&self.folder).unwrap_or_default();
        Ok((Parcel { words, folder, form: self.form() }, bytes_of(files)?))
    }

    /// A program that was packed elsewhere and whose parcel was unpacked into
    /// `folder`.
    ///
    /// # Errors
    /// If it cannot be run here.
    pub fn unpacked(parcel: &Parcel, folder: &Path, sandbox: Arc<Sandbox>) -> Result<Self, CommandError> {
        let folder = fs::canonicalize(folder)?;
        let inside = |path: &str| {
            let path = safe(path).map(|path| folder.join(path)).filter(|path| path.exists());
            path.ok_or_else(|| CommandError::NotFound("a file that its parcel should have".to_owned()))
        };
        let word = |word: &Word| match word {
            Word::Text(text) => Ok(text.clone()),
            Word::Inside(path) => inside(path).map(|path| path.to_string_lossy().into_owned()),
        };
        let words = parcel.words.iter().map(word).collect::<Result<_, _>>()?;
        let place = if parcel.folder.is_empty() { folder.clone() } else { inside(&parcel.folder)? };
        Self::unpacked_in(&folder, words, place, parcel.form, sandbox)
    }
}

/// The files at `path`, under the name that the parcel gives to `root`. Links
/// that lead out of it are left out, and so is what version control and
/// compilers keep.
fn collect(path: &Path, root: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let real = fs::canonicalize(path)?;
    if !real.starts_with(fs::canonicalize(root)?) {
        return Ok(());
    }
    if real.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let hidden = entry.file_name().to_string_lossy().starts_with('.') || entry.file_name() == "__pycache__";
            if !hidden {
                collect(&entry.path(), root, name, files)?;
            }
        }
    } else if real.is_file() {
        let rest = path.strip_prefix(root).ok().and_then(Path::to_str);
        let rest = rest.ok_or_else(|| io::Error::other(format!("{}: its name is not UTF-8", path.display())))?;
        files.push((format!("{name}/{rest}"), path.to_owned()));
        if files.len() > MOST_FILES {
            return Err(too_much(root, &format!("more than {MOST_FILES} files")));
        }
    }
    Ok(())
}

fn too_much(root: &Path, what: &str) -> io::Error {
    io::Error::other(format!("{} has {what}; give the bot a folder of its own", root.display()))
}

fn bytes_of(mut files: Vec<(String, PathBuf)>) -> io::Result<Vec<u8>> {
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    let mut bytes = HEADER.to_vec();
    for (path, file) in files {
        let size = fs::metadata(&file)?.len();
        if bytes.len() as u64 + size > MOST_BYTES {
            return Err(too_much(file.parent().unwrap_or(&file), "more than 64 MiB"));
        }
        let content = fs::read(&file)?;
        let entry = Entry { path, run: is_executable(&file), size: content.len() as u64 };
        serde_json::to_writer(&mut bytes, &entry)?;
        bytes.push(b'\n');
        bytes.extend(content);
    }
    Ok(bytes)
}

/// Unpacks a parcel into a folder that is there already and empty.
///
/// # Errors
/// If it is no parcel, if it names a place outside the folder, or if it cannot
/// be written. Nothing is written outside the folder.
pub fn unpack(bytes: &[u8], folder: &Path) -> io::Result<()> {
    for (entry, content) in entries(bytes)? {
        let path = folder.join(&entry.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        // Never through a link, and never over another file.
        fs::File::options().write(true).create_new(true).open(&path)?.write_all(content)?;
        open_to_all(&path, folder, entry.run)?;
    }
    Ok(())
}

/// Are exactly these files in the folder? What lies on a disk for long may have
/// been changed.
#[must_use]
pub fn is_unpacked(bytes: &[u8], folder: &Path) -> bool {
    let Ok(entries) = entries(bytes) else { return false };
    let same = |entry: &Entry, content: &[u8]| {
        let path = folder.join(&entry.path);
        fs::symlink_metadata(&path).is_ok_and(|data| data.is_file() && data.len() == content.len() as u64)
            && is_executable(&path) == (entry.run && cfg!(unix))
            && fs::read(&path).is_ok_and(|found| found == content)
    };
    entries.iter().all(|(entry, content)| same(entry, content))
        && files_below(folder).is_ok_and(|files| files == entries.len())
}

/// How many things are below a folder that are no folders.
fn files_below(folder: &Path) -> io::Result<usize> {
    let mut files = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files += if entry.file_type()?.is_dir() { files_below(&entry.path())? } else { 1 };
    }
    Ok(files)
}

/// What a parcel has in it: every name once, in large and small letters taken
/// together, since some disks do not tell them apart.
fn entries(bytes: &[u8]) -> io::Result<Vec<(Entry, &[u8])>> {
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "not a parcel of a program");
    let mut rest = bytes.strip_prefix(HEADER).ok_or_else(broken)?;
    let (mut entries, mut names) = (Vec::new(), HashSet::new());
    while !rest.is_empty() {
        let end = rest.iter().take(10_000).position(|&byte| byte == b'\n').ok_or_else(broken)?;
        let entry: Entry = serde_json::from_slice(&rest[..end]).map_err(|_| broken())?;
        rest = &rest[end + 1..];
        let size = usize::try_from(entry.size).ok().filter(|&size| size <= rest.len()).ok_or_else(broken)?;
        let new = names.insert(entry.path.to_lowercase());
        if safe(&entry.path).is_none() || !new || names.len() > MOST_FILES {
            return Err(broken());
        }
        entries.push((entry, &rest[..size]));
        rest = &rest[size..];
    }
    Ok(entries)
}

/// A relative path that leads nowhere else.
fn safe(path: &str) -> Option<&Path> {
    let path = Path::new(path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && path.components().next().is_some()).then_some(path)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    false
}

/// Bots run as another user: it must be able to read the file and to pass
/// through the folders above it.
#[cfg(unix)]
fn open_to_all(path: &Path, folder: &Path, run: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(if run { 0o755 } else { 0o644 }))?;
    for above in path.ancestors().skip(1).take_while(|above| above.starts_with(folder)) {
        fs::set_permissions(above, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn open_to_all(_path: &Path, _folder: &Path, _run: bool) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("papan-parcel-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(path.join("bots/rina/data")).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.join(name), text).unwrap();
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn sandbox() -> Arc<Sandbox> {
        Arc::new(Sandbox::off(Vec::new()))
    }

    fn round_trip(program: &OutsideProgram, to: &Path) -> (OutsideProgram, Vec<u8>) {
        let (parcel, bytes) = program.pack().unwrap();
        let parcel = serde_json::from_str(&serde_json::to_string(&parcel).unwrap()).unwrap();
        let _ = fs::remove_dir_all(to);
        fs::create_dir_all(to).unwrap();
        unpack(&bytes, to).unwrap();
        (OutsideProgram::unpacked(&parcel, to, sandbox()).unwrap(), bytes)
    }

    #[test]
    fn a_file_alone_travels_without_its_neighbours() {
        let folder = Folder::new("file");
        folder.write("bots/mine.py", "print(1)");
        folder.write("bots/other.py", "print(2)");
        let program = OutsideProgram::at(&folder.0.join("bots/mine.py"), sandbox()).unwrap();
        let (there, bytes) = round_trip(&program, &folder.0.join("there"));
        assert!(there.words[0].ends_with("python3"));
        assert!(there.words[1].ends_with("there/0/mine.py"), "{:?}", there.words);
        assert!(!folder.0.join("there/0/other.py").exists());
        assert_eq!(bytes, program.pack().unwrap().1, "the same files give the same bytes");
    }

    #[test]
    fn a_folder_travels_whole_and_a_command_keeps_its_words() {
        let folder = Folder::new("folder");
        folder.write("bots/rina/main.py", "import data");
        folder.write("bots/rina/data/book.txt", "e4");
        std::os::unix::fs::symlink("/etc/hostname", folder.0.join("bots/rina/secret")).unwrap();
        let program = OutsideProgram::at(&folder.0.join("bots/rina"), sandbox()).unwrap();
        let (there, _) = round_trip(&program, &folder.0.join("there"));
        assert!(there.words[1].ends_with("there/0/main.py"));
        assert_eq!(fs::read_to_string(folder.0.join("there/0/data/book.txt")).unwrap(), "e4");
        assert!(!folder.0.join("there/0/secret").exists(), "links lead out of the parcel");
        let command = "python3 bots/rina/main.py --level 3 'two words'";
        let program = OutsideProgram::new_in(&folder.0, command, Some(Form::Simple), sandbox()).unwrap();
        let (there, _) = round_trip(&program, &folder.0.join("elsewhere"));
        assert!(there.words[1].ends_with("elsewhere/0/main.py"));
        assert_eq!(there.words[2..], ["--level", "3", "two words"]);
        assert_eq!(there.form(), Some(Form::Simple));
        assert_eq!(there.folder, fs::canonicalize(folder.0.join("elsewhere/0")).unwrap());
    }

    #[test]
    fn files_that_were_changed_are_noticed() {
        let folder = Folder::new("changed");
        folder.write("bots/rina/main.py", "print(1)");
        folder.write("bots/rina/data/book.txt", "e4");
        let program = OutsideProgram::at(&folder.0.join("bots/rina"), sandbox()).unwrap();
        let there = folder.0.join("there");
        let (_, bytes) = round_trip(&program, &there);
        assert!(is_unpacked(&bytes, &there));
        folder.write("there/0/more.py", "");
        assert!(!is_unpacked(&bytes, &there), "one more");
        fs::remove_file(there.join("0/more.py")).unwrap();
        folder.write("there/0/main.py", "print(2)");
        assert!(!is_unpacked(&bytes, &there), "another one");
        fs::remove_file(there.join("0/main.py")).unwrap();
        assert!(!is_unpacked(&bytes, &there), "one less");
    }

    #[test]
    fn a_parcel_that_leads_out_of_its_folder_is_refused() {
        let folder = Folder::new("hostile");
        let parcel = |path: &str, size: usize| {
            let line = serde_json::json!({ "path": path, "run": false, "size": size });
            [HEADER, line.to_string().as_bytes(), b"\nabc"].concat()
        };
        let to = folder.0.join("bots");
        for path in ["../x", "/tmp/x", "a/../../x", "", ".", "a/.."] {
            assert!(unpack(&parcel(path, 3), &to).is_err(), "{path}");
        }
        assert!(unpack(&parcel("a", 4), &to).is_err(), "shorter than it says");
        assert!(unpack(b"PK", &to).is_err());
        let again = |one: &str, other: &str| {
            let line = |path: &str| serde_json::json!({ "path": path, "run": false, "size": 0 }).to_string() + "\n";
            [HEADER, line(one).as_bytes(), line(other).as_bytes()].concat()
        };
        for (one, other) in [("0/b", "0/b"), ("0/Main.py", "0/main.PY"), ("0/c", "0/c/d")] {
            assert!(unpack(&again(one, other), &to).is_err(), "{one} and {other}");
        }
        std::os::unix::fs::symlink("/tmp/papan-must-not-be", to.join("link")).unwrap();
        assert!(unpack(&parcel("link", 3), &to).is_err() && !Path::new("/tmp/papan-must-not-be").exists());
        assert!(unpack(&parcel("0/a", 3), &to).is_ok());
    }
}

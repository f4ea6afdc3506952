//! A folder of programs: which of its files can play, and how each is run.

use std::fs;
use std::path::{Path, PathBuf};

use papan_core::error::one_line;

/// Runners by the end of a file's name.
pub(crate) const RUNNERS: &[(&str, &[&str])] = &[
    ("py", &["python3"]),
    ("js", &["node"]),
    ("mjs", &["node"]),
    ("jar", &["java", "-jar"]),
    ("java", &["java"]),
    ("pl", &["perl"]),
    ("rb", &["ruby"]),
    ("lua", &["lua"]),
    ("sh", &["sh"]),
];

/// A program in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundProgram {
    /// The name in the standings: the file's without its ending, or the
    /// folder's.
    pub name: String,
    /// The file, or the folder that holds the program's files.
    pub path: PathBuf,
}

/// The programs in `folder`, in the order of their names: each file that can
/// be run, and each folder that holds one. The second list has what was left
/// out, and why.
pub fn programs(folder: &Path) -> std::io::Result<(Vec<FoundProgram>, Vec<String>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for path in paths.into_iter().filter(|path| !is_hidden(path)) {
        match leads_out(&path, folder).map_or_else(|| run_words(&path), Err) {
            Ok(_) => found.push(FoundProgram { name: stem(&path), path }),
            Err(reason) => left_out.push(format!("{}: {reason}", one_line(&file_name(&path)))),
        }
    }
    for index in 0..found.len() {
        if found.iter().filter(|other| other.name == found[index].name).count() > 1 {
            found[index].name = file_name(&found[index].path);
        }
    }
    Ok((found, left_out))
}

/// What one hands in may be a link to what is not theirs.
fn leads_out(path: &Path, folder: &Path) -> Option<String> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    let inside = || Some(fs::canonicalize(path).ok()?.starts_with(fs::canonicalize(folder).ok()?));
    (is_link && inside() != Some(true)).then(|| "it is a link that leads out of the folder".to_owned())
}

/// The words that run a program, and the files that it may read; or why it
/// cannot be run.
pub(crate) fn run_words(path: &Path) -> Result<(Vec<String>, Vec<PathBuf>), String> {
    if path.is_dir() {
        let inside = main_file(path)?;
        return Ok((file_words(&inside)?, vec![path.to_owned()]));
    }
    if !path.is_file() {
        return Err("there is no such file".to_owned());
    }
    Ok((file_words(path)?, own_files(path)))
}

fn file_words(path: &Path) -> Result<Vec<String>, String> {
    let text = path.to_str().ok_or("its name is not UTF-8")?.to_owned();
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ending == "class" {
        let folder = path.parent().and_then(Path::to_str).unwrap_or(".").to_owned();
        return Ok(vec!["java".to_owned(), "-cp".to_owned(), folder, stem(path)]);
    }
    if let Some((_, runner)) = RUNNERS.iter().find(|(known, _)| *known == ending) {
        return Ok(runner.iter().map(|&word| word.to_owned()).chain([text]).collect());
    }
    if is_executable(path) {
        return Ok(vec![text]);
    }
    Err("it is neither executable nor of a known kind (py, js, java, class, jar, pl, rb, lua, sh)".to_owned())
}

/// A file alone may read itself, and what the compiler made with it; not its
/// neighbours, which are other people's programs.
pub(crate) fn own_files(path: &Path) -> Vec<PathBuf> {
    let mut files = vec![path.to_owned()];
    if path.extension().is_some_and(|ending| ending == "class") {
        let start = format!("{}$", stem(path));
        let entries = path.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| entry.path()).filter(|other| file_name(other).starts_with(&start)));
    }
    files
}

/// The file of a folder that is run: `main` or `run` with any ending, the one
/// named like the folder, or the only one that can be run.
fn main_file(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file() && !is_hidden(path) && file_words(path).is_ok());
    files.sort();
    let names = ["main".to_owned(), "run".to_owned(), stem(folder)];
    let named = names.iter().find_map(|name| files.iter().find(|file| stem(file).eq_ignore_ascii_case(name)));
    match (named, files.as_slice()) {
        (Some(file), _) | (None, [file]) => Ok(file.clone()),
        (None, []) => Err("there is nothing in it that can be run".to_owned()),
        (None, _) => Err("more than one of its files can be run; name one of them main".to_owned()),
    }
}

fn is_hidden(path: &Path) -> bool {
    let name = file_name(path);
    // A Java class inside another is no program of its own.
    name.starts_with('.') || name.starts_with("__") || name.contains('$')
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "exe")
}

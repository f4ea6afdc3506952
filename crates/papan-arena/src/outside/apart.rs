//! What programs may read, so that none reads what is not its own.
//!
//! A program may always read the files that its command names. It may read the
//! whole folder of its own script as well, with the modules and tables that lie
//! there, but only where that folder is the program's own: never a home folder,
//! a place that everyone shares, or a folder that holds another contestant's
//! files or something of the arena's. Then it is left with the files that are
//! named, and a note says so.

use std::path::{Path, PathBuf};
use std::{env, fs};

use papan_core::error::one_line;

use super::OutsideProgram;

/// Places that many share: neither they nor what they lie in is ever one
/// program's own.
const SHARED: &[&str] =
    &["/tmp", "/var/tmp", "/dev/shm", "/home", "/root", "/run/user", "/srv", "/mnt", "/media", "/Users"];

/// Trees that are the machine's.
const MACHINE: &[&str] = &["/etc", "/boot", "/proc", "/sys"];

/// What lies in a home folder, whoever's it is.
const SIGNS_OF_HOME: &[&str] = &[".ssh", ".gnupg", ".bashrc", ".profile", ".netrc", ".bash_history"];

/// Sets what each program may read, seen together: all the programs of a match
/// or tournament. `private` are files and folders of the arena's own: the
/// tournament's file, its store, the folder of standard errors, credentials.
/// Gives notes on those that may not read a folder.
pub fn keep_apart(programs: &mut [&mut OutsideProgram], private: &[PathBuf]) -> Vec<String> {
    let private: Vec<PathBuf> = private.iter().map(|path| real(path)).collect();
    let homes = homes();
    let claims: Vec<Vec<PathBuf>> = programs.iter().map(|program| program.claims().cloned().collect()).collect();
    let mut notes = Vec::new();
    for (index, program) in programs.iter_mut().enumerate() {
        let others = claims.iter().enumerate().filter(|(other, _)| *other != index).flat_map(|(_, claims)| claims);
        let others: Vec<&PathBuf> = others.filter(|claim| !claims[index].contains(claim)).collect();
        let mut readable = program.named.clone();
        for folder in &program.wishes {
            match why_not(folder, &others, &private, &homes) {
                None => readable.push(folder.clone()),
                Some(reason) => notes.push(note(program, folder, reason)),
            }
        }
        program.readable = outermost(&readable);
    }
    notes.sort();
    notes.dedup();
    notes
}

fn note(program: &OutsideProgram, folder: &Path, reason: &str) -> String {
    let (program, folder) = (one_line(program.name()), one_line(&folder.display().to_string()));
    format!(
        "{program} may read only the files that its command names: {folder} {reason}; \
         put each program into a folder of its own to let it read more"
    )
}

/// Why a folder is not one program's own.
fn why_not(folder: &Path, others: &[&PathBuf], private: &[PathBuf], homes: &[PathBuf]) -> Option<&'static str> {
    let holds = |path: &Path| path.starts_with(folder);
    if homes.iter().any(|home| holds(home)) || SIGNS_OF_HOME.iter().any(|sign| folder.join(sign).exists()) {
        return Some("is or holds a home folder");
    }
    let shared = SHARED.iter().map(PathBuf::from).chain([real(&env::temp_dir())]);
    if shared.into_iter().any(|place| holds(&place)) || MACHINE.iter().any(|tree| folder.starts_with(tree)) {
        return Some("is not for one program alone");
    }
    if private.iter().any(|path| holds(path)) {
        return Some("holds files of the tournament");
    }
    others.iter().any(|path| holds(path)).then_some("holds files of another program")
}

/// The home folders of this machine's users.
fn homes() -> Vec<PathBuf> {
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let listed = accounts.lines().filter_map(|line| line.split(':').nth(5)).map(PathBuf::from);
    let own = env::var_os("HOME").map(PathBuf::from);
    own.into_iter().chain(listed).filter(|home| home.is_absolute()).map(|home| real(&home)).collect()
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in path.ancestors() {
        if let (Ok(known), Ok(rest)) = (fs::canonicalize(above), path.strip_prefix(above)) {
            // Joining nothing would add a slash.
            return if rest.as_os_str().is_empty() { known } else { known.join(rest) };
        }
    }
    path
}

/// Without what lies in another of them.
fn outermost(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        let inside = paths.iter().any(|other| other != path && path.starts_with(other));
        if !inside && !kept.contains(path) {
            kept.push(path.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_place_that_people_share_is_one_programs_own() {
        for folder in ["/", "/tmp", "/home", "/var", "/etc/papan", "/root", "/dev"] {
            assert!(why_not(Path::new(folder), &[], &[], &[]).is_some(), "{folder}");
        }
        let home = [PathBuf::from("/people/rina")];
        for folder in ["/people", "/people/rina"] {
            assert_eq!(why_not(Path::new(folder), &[], &[], &home), Some("is or holds a home folder"));
        }
        assert_eq!(why_not(Path::new("/people/rina/bot"), &[], &[], &home), None);
        assert_eq!(why_not(Path::new("/people/rin"), &[], &[], &home), None);
    }

    #[test]
    fn what_is_read_is_listed_once() {
        let paths = ["/a/b/c.py", "/a/b", "/x/y", "/a/bc", "/x/y"].map(PathBuf::from).to_vec();
        assert_eq!(outermost(&paths), ["/a/b", "/x/y", "/a/bc"].map(PathBuf::from));
    }

    #[test]
    fn a_file_that_is_not_there_yet_has_a_place() {
        let place = fs::canonicalize(env::temp_dir()).unwrap();
        assert_eq!(real(&env::temp_dir().join("no-such/cup.sqlite")), place.join("no-such/cup.sqlite"));
    }
}

//! Files that are believed later: the old one or the new one is there, whole,
//! whatever is killed or cut off while it is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a disk must have left for a file that is to grow.
const LITTLE: usize = 64 << 10;

/// Writes a file beside `path`, has it on the disk, and puts it in its place.
///
/// # Errors
/// If it cannot be written; then what was there is there still.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let beside = beside(path);
    let written = || {
        let mut file = BufWriter::new(File::create(&beside)?);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        // A name is on the disk when its folder is.
        File::open(folder_of(path))?.sync_all()
    };
    written().inspect_err(|_| drop(fs::remove_file(&beside)))
}

/// Can a file be put there? To be asked before the work that it is to hold.
///
/// # Errors
/// Why not.
pub(crate) fn check_place(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let beside = beside(path);
    let tried = File::create(&beside).and_then(|mut file| {
        file.write_all(&vec![0; LITTLE])?;
        file.sync_all()
    });
    let removed = fs::remove_file(&beside);
    tried.and(removed)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_what_was_there() {
        let folder = std::env::temp_dir().join(format!("papan-safe-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"half of the new")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
        check_place(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(check_place(&folder).is_err() && check_place(&folder.join("no/file")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}

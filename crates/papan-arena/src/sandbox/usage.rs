//! What a folder holds.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Files and folders that a temporary folder may have: each takes room on the
/// disk even if it is empty.
const MOST_ENTRIES: usize = 20_000;

/// Do all files below `folder` together take at most `most` bytes, and are
/// they not too many? What cannot be looked into does not count. Links are not
/// followed.
pub(super) fn fits(folder: &Path, most: u64) -> bool {
    let (mut bytes, mut entries) = (0u64, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(data) = entry.metadata() else { continue };
            entries += 1;
            // What is on the disk counts: holes cost nothing.
            bytes += 512 * data.blocks();
            if bytes > most || entries > MOST_ENTRIES {
                return false;
            }
            if data.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_below_a_folder_count() {
        let folder = std::env::temp_dir().join(format!("papan-usage-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).unwrap();
        fs::write(folder.join("a/b/c"), vec![1; 100_000]).unwrap();
        fs::write(folder.join("d"), vec![1; 100_000]).unwrap();
        assert!(fits(&folder, 300_000));
        assert!(!fits(&folder, 150_000));
        let _ = fs::remove_dir_all(folder);
    }
}

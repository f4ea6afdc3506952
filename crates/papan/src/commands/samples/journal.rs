//! Parts that are done, on the disk beside the file that they will make: a line
//! each, so that one that was torn by a crash is told from whole ones.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use papan_nats::{Blob, hash};
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::safe_file;

/// The first line: what the parts are of.
#[derive(Serialize, Deserialize)]
struct Head {
    papan_samples: u32,
    of: String,
}

#[derive(Serialize, Deserialize)]
struct Part {
    id: String,
    /// The SHA-256 of the data: a wrong bit would be trained on.
    sum: String,
    data: Blob,
}

/// An open journal.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// A new journal, or, to resume, the one that is there with its parts.
    pub(super) fn open(out: &Path, of: &str, resume: bool) -> Result<(Self, BTreeMap<String, Vec<u8>>), CliError> {
        let mut name = out.as_os_str().to_owned();
        name.push(".parts");
        let path = PathBuf::from(name);
        let failed = |source| CliError::File { path: path.clone(), source };
        let mut parts = BTreeMap::new();
        let head = serde_json::to_string(&Head { papan_samples: 2, of: of.to_owned() }).expect("plain data");
        let mut whole = format!("{head}\n");
        if path.exists() {
            if !resume {
                let what = format!("{} has parts that are done; go on with --resume, or remove it", path.display());
                return Err(CliError::Usage(what));
            }
            let text = fs::read_to_string(&path).map_err(failed)?;
            let mut lines = text.split_inclusive('\n');
            if lines.next().map(str::trim_end) != Some(head.as_str()) {
                return Err(CliError::Usage(format!("{} has parts of something else", path.display())));
            }
            for line in lines.filter(|line| line.ends_with('\n')) {
                let Ok(Part { id, sum, data }) = serde_json::from_str(line) else { break };
                if sum != hash(&data.0) {
                    break;
                }
                whole += line;
                parts.insert(id, data.0);
            }
        }
        // A torn line at the end goes before anything is written after it.
        safe_file::replace(&path, |file| file.write_all(whole.as_bytes())).map_err(failed)?;
        let file = File::options().append(true).open(&path).map_err(failed)?;
        Ok((Self { path, file }, parts))
    }

    /// Keeps a part; it is on the disk when this returns.
    pub(super) fn add(&mut self, id: &str, bytes: &[u8]) -> Result<(), CliError> {
        let part = Part { id: id.to_owned(), sum: hash(bytes), data: Blob(bytes.to_vec()) };
        let line = serde_json::to_string(&part).expect("plain data") + "\n";
        let kept = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        kept.map_err(|source| CliError::File { path: self.path.clone(), source })
    }

    /// It is no longer needed.
    pub(super) fn remove(self) {
        let _ = fs::remove_file(self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_dropped_and_another_task_is_refused() {
        let out = std::env::temp_dir().join(format!("papan-journal-{}", std::process::id()));
        let parts = PathBuf::from(format!("{}.parts", out.display()));
        let _ = fs::remove_file(&parts);
        let (mut journal, known) = Journal::open(&out, "a", true).unwrap();
        assert!(known.is_empty());
        journal.add("s-0", &[1, 2]).unwrap();
        journal.add("s-1", &[3]).unwrap();
        drop(journal);
        let text = fs::read_to_string(&parts).unwrap();
        fs::write(&parts, &text[..text.len() - 3]).unwrap();
        let (mut journal, known) = Journal::open(&out, "a", true).unwrap();
        assert_eq!(known, BTreeMap::from([("s-0".to_owned(), vec![1, 2])]));
        journal.add("s-1", &[4]).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&out, "a", true).unwrap().1.len(), 2);
        assert!(Journal::open(&out, "b", true).is_err());
        assert!(Journal::open(&out, "a", false).is_err());
        fs::remove_file(&parts).unwrap();
    }
}

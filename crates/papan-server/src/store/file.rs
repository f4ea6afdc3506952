//! The file before it is opened: whose it is, who has it, who may read it.
//! Nothing is written before all of that is known.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::schema;
use super::{StoreError, StoreResult};

/// "PpnG": what `file` and SQLite see in the header.
pub(super) const APPLICATION: u32 = 0x5070_6e47;
/// The mark of a tournament of the arena, which is no place for games.
const TOURNAMENT: u32 = 0x5070_6e54;

const MAGIC: &[u8] = b"SQLite format 3\0";

/// A file that is ours to use: no other server has it while this lives.
pub(super) struct Claimed {
    pub(super) path: PathBuf,
    _lock: File,
}

/// Takes the file at `path`, which may not exist yet.
pub(super) fn claim(path: &Path) -> StoreResult<Claimed> {
    let said = |error: std::io::Error| StoreError::Unusable { path: path.to_owned(), what: error.to_string() };
    // 1. A file of something else is noticed before anything is made.
    check_header(path)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder).map_err(said)?;
    }
    // 2. One file has one lock, whatever name it is called by.
    owner_only().create(true).truncate(false).open(path).map_err(said)?;
    let path = fs::canonicalize(path).map_err(said)?;
    let lock = lock(&path)?;
    // 3. Nobody else writes to it now: what it says is so.
    check_tables(&path).inspect_err(|_| drop(fs::remove_file(beside(&path, "-lock"))))?;
    narrow(&path);
    for ending in ["-wal", "-shm"] {
        narrow(&beside(&path, ending));
    }
    Ok(Claimed { path, _lock: lock })
}

/// A companion of the file.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A file of its own: SQLite's locks come and go, and closing a second handle
/// on the games would drop them.
fn lock(path: &Path) -> StoreResult<File> {
    let name = beside(path, "-lock");
    let said = |what: String| StoreError::Unusable { path: name.clone(), what };
    let file = owner_only().create(true).truncate(false).open(&name).map_err(|error| said(error.to_string()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(said(error.to_string())),
    }
}

fn owner_only() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder that only its owner can look into; one that is there already
/// is left as it is.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a folder of ours, or narrows it with all that is in it: keys to games
/// and people's names are nobody else's business.
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    make_folder(folder)?;
    narrow(folder);
    for entry in fs::read_dir(folder)?.flatten() {
        narrow(&entry.path());
    }
    Ok(())
}

/// Takes every right away from everyone but the owner.
#[cfg(unix)]
pub(crate) fn narrow(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(found) = fs::metadata(path) else { return };
    let mode = found.permissions().mode();
    if mode & 0o077 != 0
        && let Err(error) = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))
    {
        // Another user's file; whoever gave it to us chose its rights.
        tracing::warn!(%error, path = %path.display(), "others may read this file");
    }
}

#[cfg(not(unix))]
pub(crate) fn narrow(_: &Path) {}

/// Is the file missing, empty or of SQLite, and not marked as another's? Only
/// read, and without SQLite: a text file must stay one.
fn check_header(path: &Path) -> StoreResult<()> {
    let said = |error: std::io::Error| StoreError::Unusable { path: path.to_owned(), what: error.to_string() };
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) if file.metadata().is_ok_and(|found| !found.is_file()) => {
            return Err(StoreError::Unusable { path: path.to_owned(), what: "this is not a file".to_owned() });
        }
        Ok(file) => file.take(100).read_to_end(&mut header).map_err(said)?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(said(error)),
    };
    if header.is_empty() {
        return Ok(());
    }
    if header.len() < 100 || !header.starts_with(MAGIC) {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    check_marks(path, number(68), number(60))
}

fn check_marks(path: &Path, application: u32, version: u32) -> StoreResult<()> {
    match application {
        TOURNAMENT => Err(StoreError::Tournament(path.to_owned())),
        // Earlier versions had no mark; their tables tell.
        0 | APPLICATION if version as usize <= schema::VERSION => Ok(()),
        APPLICATION => Err(StoreError::Newer { path: path.to_owned(), version, known: schema::VERSION }),
        _ => Err(StoreError::Foreign(path.to_owned())),
    }
}

/// Are the tables those of games? The header may be older than the log beside
/// it, so SQLite is asked, through a connection that cannot write.
fn check_tables(path: &Path) -> StoreResult<()> {
    let unreadable = |error: rusqlite::Error| StoreError::unreadable(path, &error);
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unreadable)?;
    let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
    let (application, version) =
        (number("application_id").map_err(unreadable)?, number("user_version").map_err(unreadable)?);
    if application == 0 && version as usize > schema::VERSION {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    check_marks(path, application, version)?;
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut query = db.prepare(names).map_err(unreadable)?;
    let tables = query.query_map([], |row| row.get::<_, String>(0)).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let tables = tables.map_err(unreadable)?;
    let is_ours = ["games", "seats", "moves"].iter().all(|name| tables.iter().any(|table| table == name));
    let is_new = tables.is_empty() && version == 0;
    if is_new || is_ours && version > 0 { Ok(()) } else { Err(StoreError::Foreign(path.to_owned())) }
}

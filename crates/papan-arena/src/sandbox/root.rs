//! A root folder of the program's own: the system and the program's files,
//! which cannot be changed, and one writable folder of a limited size.

use std::ffi::CString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change, mount_remount, unmount,
};

use super::files;
use super::plan::{BOX, MOST_FILES, Plan};

/// Devices that a program finds. `/dev/zero` is not among them: mapped, it is
/// shared memory that no limit counts.
const DEVICES: &[&str] = &["null", "full", "random", "urandom"];

/// Names that programs expect beside the devices.
const LINKS: &[(&str, &str)] = &[
    ("dev/fd", "/proc/self/fd"),
    ("dev/stdin", "/proc/self/fd/0"),
    ("dev/stdout", "/proc/self/fd/1"),
    ("dev/stderr", "/proc/self/fd/2"),
    ("dev/shm", BOX),
    ("tmp", BOX),
];

/// Builds the root on top of the plan's temporary folder and moves there; what
/// was there before cannot be reached any more. Needs mounts of its own.
pub(super) fn build(plan: &Plan) -> io::Result<()> {
    let root = &plan.temporary;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    memory("size=1m,nr_inodes=10000,mode=755", root).map_err(|error| failed(root, error))?;
    for path in files::system() {
        show_system(root, &path).map_err(|error| failed(&path, error))?;
    }
    for path in &plan.readable {
        show(root, path).map_err(|error| failed(path, error))?;
    }
    fs::create_dir_all(below(root, &plan.folder))?;
    fs::create_dir_all(root.join("dev"))?;
    for device in DEVICES {
        let place = root.join("dev").join(device);
        File::create(&place)?;
        mount_bind_recursive(Path::new("/dev").join(device), &place).map_err(|error| failed(&place, error))?;
    }
    writable(plan, &below(root, Path::new(BOX)))?;
    let proc = root.join("proc");
    fs::create_dir(&proc)?;
    let strict = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", &proc, "proc", strict, None).map_err(|error| failed(&proc, error))?;
    for (name, target) in LINKS {
        // A program's own folder may lie in one of these.
        let _ = symlink(target, root.join(name));
    }
    enter(root)?;
    make_unchangeable()
}

/// A file system in memory.
fn memory(options: &str, place: &Path) -> io::Result<()> {
    let options = CString::new(options).map_err(io::Error::other)?;
    Ok(mount("tmpfs", place, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?)
}

/// The one place that can be written to.
fn writable(plan: &Plan, place: &Path) -> io::Result<()> {
    fs::create_dir(place)?;
    let owner = plan.uid.map(|uid| format!(",uid={uid},gid={uid}")).unwrap_or_default();
    let size = plan.limits.temporary;
    memory(&format!("size={size},nr_inodes={MOST_FILES},mode=700{owner}"), place).map_err(|error| failed(place, error))
}

/// Shows a part of the system; `/bin` and its like may be links to another.
fn show_system(root: &Path, path: &Path) -> io::Result<()> {
    let is_top = path.parent() == Some(Path::new("/"));
    match fs::read_link(path) {
        Ok(target) if is_top => symlink(target, below(root, path)),
        _ => show(root, path),
    }
}

/// Shows a file or folder of the machine in the new root, if it exists.
fn show(root: &Path, path: &Path) -> io::Result<()> {
    let Ok(data) = fs::metadata(path) else { return Ok(()) };
    let place = below(root, path);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    if data.is_dir() {
        fs::create_dir_all(&place)?;
    } else if !place.exists() {
        File::create(&place)?;
    }
    Ok(mount_bind_recursive(path, &place)?)
}

fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// Makes `root` the root of everything and lets go of the old one.
fn enter(root: &Path) -> io::Result<()> {
    std::env::set_current_dir(root)?;
    nix::unistd::pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    std::env::set_current_dir("/")
}

/// Nothing but the box can be written to, and no file gives privileges or is a
/// device, except those of `/dev`.
fn make_unchangeable() -> io::Result<()> {
    for place in mounts(&fs::read("/proc/self/mountinfo")?) {
        if place == Path::new(BOX) || place.starts_with("/proc") {
            continue;
        }
        let mut flags = MountFlags::BIND | MountFlags::RDONLY | MountFlags::NOSUID;
        flags.set(MountFlags::NODEV, !place.starts_with("/dev"));
        // What was forbidden outside stays so, or the kernel refuses.
        let had = statvfs(&place)?.f_flag;
        flags.set(MountFlags::NOEXEC, had.contains(StatVfsMountFlags::NOEXEC));
        flags.set(MountFlags::NODEV, flags.contains(MountFlags::NODEV) || had.contains(StatVfsMountFlags::NODEV));
        mount_remount(&place, flags, "").map_err(|error| failed(&place, error))?;
    }
    Ok(())
}

/// The places in a list of mounts. Blanks and the like are octal numbers there.
fn mounts(list: &[u8]) -> Vec<PathBuf> {
    let place = |line: &[u8]| line.split(|&byte| byte == b' ').nth(4).map(unescaped);
    list.split(|&byte| byte == b'\n').filter_map(place).collect()
}

fn unescaped(field: &[u8]) -> PathBuf {
    let mut text = Vec::new();
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let number = (byte == b'\\').then(|| after.get(..3)).flatten().and_then(|digits| {
            digits.iter().try_fold(0u16, |sum, digit| Some(8 * sum + u16::from(digit.checked_sub(b'0')?)))
        });
        match number.and_then(|number| u8::try_from(number).ok()) {
            Some(number) => {
                text.push(number);
                rest = &after[3..];
            }
            None => {
                text.push(byte);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsStr::from_bytes(&text))
}

fn failed(place: &Path, error: impl Into<io::Error>) -> io::Error {
    let error = error.into();
    io::Error::new(error.kind(), format!("{} cannot be set up: {error}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_mounts_are_read_with_their_blanks() {
        let list = b"24 1 0:22 / /sys rw - sysfs sysfs rw\n25 1 0:5 / /my\\040bots/a\\134b rw - ext4 x rw\n\n";
        assert_eq!(mounts(list), [PathBuf::from("/sys"), PathBuf::from("/my bots/a\\b")]);
    }
}

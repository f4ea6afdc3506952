//! Where control groups may be made.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::{is_leftover, name, write};

/// What bots are held to where the controller can be had.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuset"];

/// The group in which those of bots are made.
///
/// A group that has processes cannot hand controllers down, so the bots' groups
/// are made beside our own, not below it; only the root of all is free of that
/// rule. Where nothing may be made beside us (our own group is all that we
/// see), they are made below, and can freeze and kill but not limit. Nothing of
/// ours is ever moved.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Place {
    parent: PathBuf,
}

impl Place {
    /// The first place in which this process may make groups and move its
    /// children into them.
    pub(super) fn find() -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        candidates(&mounts, &own).into_iter().find(Place::is_open)
    }

    /// Moving a process needs the right to write the list of the group that
    /// holds both its old and its new one: this one, in either case.
    fn is_open(&self) -> bool {
        use rustix::fs::{Access, AtFlags, CWD, accessat};
        accessat(CWD, &self.parent, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_ok()
            && File::options().write(true).open(self.parent.join("cgroup.procs")).is_ok()
    }

    /// Makes the group with this number.
    pub(super) fn make(&self, number: u64) -> Option<PathBuf> {
        self.hand_down();
        let folder = self.parent.join(name(number)?);
        fs::create_dir(&folder).ok()?;
        Some(folder)
    }

    /// Asks for the controllers, one by one: each may be missing or refused.
    fn hand_down(&self) {
        let read = |file| fs::read_to_string(self.parent.join(file)).unwrap_or_default();
        let (there, handed) = (read("cgroup.controllers"), read("cgroup.subtree_control"));
        let lists = |list: &str, name: &str| list.split_whitespace().any(|word| word == name);
        for controller in CONTROLLERS.into_iter().filter(|name| lists(&there, name) && !lists(&handed, name)) {
            let _ = write(&self.parent, "cgroup.subtree_control", format!("+{controller}"));
        }
    }

    /// Groups of arenas that were killed.
    pub(super) fn leftovers(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.parent) else { return Vec::new() };
        let is_left = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(is_leftover);
        entries.flatten().filter(is_left).map(|entry| entry.path()).collect()
    }
}

/// Where groups could be, best first, from the texts of `/proc/self/mountinfo`
/// and `/proc/self/cgroup`.
fn candidates(mounts: &str, own: &str) -> Vec<Place> {
    let Some((root, mounted)) = mounts.lines().find_map(version_two) else { return Vec::new() };
    let Some(own) = own.lines().find_map(|line| line.strip_prefix("0::")) else { return Vec::new() };
    // What lies outside the part that is mounted cannot be reached.
    let Ok(inside) = Path::new(own).strip_prefix(&root) else { return Vec::new() };
    let own = mounted.join(inside);
    // `join` of nothing ends with a slash.
    let own: PathBuf = own.components().collect();
    let beside = own.parent().filter(|_| own != mounted).map(Path::to_owned);
    beside.into_iter().chain([own]).map(|parent| Place { parent }).collect()
}

/// Which part of the tree of groups is mounted, and where, if this line is of
/// version 2: `31 23 0:28 /part /sys/fs/cgroup rw shared:1 - cgroup2 cgroup2 rw`.
fn version_two(line: &str) -> Option<(PathBuf, PathBuf)> {
    let (mount, kind) = line.split_once(" - ")?;
    if kind.split(' ').next() != Some("cgroup2") {
        return None;
    }
    let mut fields = mount.split(' ').skip(3);
    Some((unescaped(fields.next()?), unescaped(fields.next()?)))
}

/// Spaces and the like stand as `\040` in the list of mounts.
fn unescaped(field: &str) -> PathBuf {
    let mut parts = field.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.get(..3).and_then(|code| u8::from_str_radix(code, 8).ok()) {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(&part[3..]);
            }
            None => text.push_str(part),
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(mounts: &str, own: &str) -> Vec<String> {
        candidates(mounts, own).into_iter().map(|place| place.parent.display().to_string()).collect()
    }

    #[test]
    fn groups_are_made_beside_ours_before_below() {
        let mounts = "23 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        let session = "0::/user.slice/user-1000.slice/session-2.scope\n";
        let beside = "/sys/fs/cgroup/user.slice/user-1000.slice";
        assert_eq!(places(mounts, session), [beside.to_owned(), format!("{beside}/session-2.scope")]);
        assert_eq!(places(mounts, "0::/\n"), ["/sys/fs/cgroup"]);
    }

    #[test]
    fn a_second_tree_beside_version_one_is_found() {
        let mounts = "36 31 0:33 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n\
                      41 31 0:38 / /sys/fs/cgroup/uni\\040fied rw,relatime shared:7 - cgroup2 cgroup2 rw\n";
        assert_eq!(places(mounts, "6:freezer:/a\n0::/\n"), ["/sys/fs/cgroup/uni fied"]);
    }

    #[test]
    fn what_is_not_mounted_is_not_used() {
        let part = "30 23 0:26 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        assert_eq!(places(part, "0::/box\n"), ["/sys/fs/cgroup"]);
        assert_eq!(places(part, "0::/box/a\n"), ["/sys/fs/cgroup", "/sys/fs/cgroup/a"]);
        assert_eq!(places(part, "0::/other\n"), Vec::<String>::new());
        assert_eq!(places(part, "4:memory:/box\n"), Vec::<String>::new());
        assert_eq!(places("", "0::/\n"), Vec::<String>::new());
    }
}

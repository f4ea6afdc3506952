//! Layer three: Landlock. What may be read, what may be written, no network,
//! no signals to anyone outside.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

/// The newest rules that we know how to use; older kernels apply what they can.
const NEWEST: ABI = ABI::V7;

/// Programs, libraries and what runtimes look up at their start. Of `/etc`
/// only what is no secret and is needed: the linker's and Java's settings,
/// names of users and time zones.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/ssl/openssl.cnf",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/mono",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm",
];

/// What the kernel shows of itself. `/dev/zero` is not among it: mapped, it is
/// shared memory that no limit counts.
const KERNEL: &[&str] = &["/proc", "/dev/random", "/dev/urandom"];

/// Devices that may be written to.
const SINKS: &[&str] = &["/dev/null", "/dev/full"];

/// The parts of the system that programs see, `/proc` and `/dev` apart.
pub(super) fn system() -> Vec<PathBuf> {
    SYSTEM.iter().map(PathBuf::from).chain(java_settings()).collect()
}

/// Shuts this process and all that it starts out of everything but the
/// system, `readable` and `temporary`. Gives the kernel's version of Landlock,
/// `None` where there is none.
pub(super) fn confine(readable: &[PathBuf], temporary: &Path) -> Result<Option<u32>, RulesetError> {
    let read = AccessFs::from_read(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for path in system().iter().chain(readable) {
        rules = allow(rules, path, read)?;
    }
    for path in KERNEL {
        rules = allow(rules, Path::new(path), read)?;
    }
    for path in SINKS {
        rules = allow(rules, Path::new(path), AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    let everything = AccessFs::from_all(NEWEST) & !BitFlags::from(AccessFs::IoctlDev);
    rules = allow(rules, temporary, everything)?;
    let RestrictionStatus { ruleset, landlock, .. } = rules.restrict_self()?;
    Ok(match (ruleset, landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        (_, LandlockStatus::Available { effective_abi, .. }) => Some(effective_abi as u32),
        _ => None,
    })
}

/// Java's settings are links from `/usr` into folders of `/etc`.
fn java_settings() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/etc") else { return Vec::new() };
    let is_java = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("java"));
    entries.flatten().map(|entry| entry.path()).filter(is_java).collect()
}

/// A path that is not there needs no rule; a file gets only the rights that
/// files have.
fn allow(
    rules: landlock::RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, RulesetError> {
    let Ok(handle) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(handle, access))
}

//! Layer four: seccomp. System calls that no bot needs are refused.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::refused::{NEW, OLD, REFUSED, UNKNOWN};

/// The flags of `clone` that make namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u64;

/// The part of `clone`'s flags that is the signal sent at the child's end.
const EXIT_SIGNAL: u64 = 0xff;

/// The part of `mmap`'s flags that says what is mapped and for whom.
const MAPPING: u64 = (libc::MAP_TYPE | libc::MAP_ANONYMOUS) as u64;

/// `fcntl`'s command that chooses a signal; not in `libc`.
const F_SETSIG: u64 = 10;

/// Calls of the x32 form carry this bit. They have the right architecture but
/// numbers of their own, past every list.
const X32: u32 = 0x4000_0000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Applies all filters to this process and all that it starts. False where
/// the processor is not one that the filters are written for. Each of them
/// also ends a process that calls in the form of another architecture.
pub(super) fn confine() -> io::Result<bool> {
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(false) };
    let always = |calls: &[libc::c_long]| calls.iter().map(|&call| (call, Vec::new())).collect::<Rules>();
    let mut refused = always(REFUSED);
    refused.extend(always(OLD));
    refused.extend(always(NEW));
    refused.extend(by_arguments().map_err(io::Error::other)?);
    for (calls, errno) in [(refused, libc::EPERM), (always(UNKNOWN), libc::ENOSYS)] {
        let action = SeccompAction::Errno(errno as u32);
        let filter = SeccompFilter::new(calls, SeccompAction::Allow, action, arch).map_err(io::Error::other)?;
        let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
        apply_filter(&program).map_err(io::Error::other)?;
    }
    if arch == TargetArch::x86_64 {
        apply_filter(&no_x32()).map_err(io::Error::other)?;
    }
    Ok(true)
}

/// Calls that are refused with some arguments only: any of a call's rules is
/// enough.
fn by_arguments() -> Result<Rules, BackendError> {
    let namespaces = (0..64).map(|bit| 1u64 << bit).filter(|flag| NAMESPACES & flag != 0);
    let mut clone = namespaces.map(|flag| masked(0, flag, flag)).collect::<Result<Vec<_>, _>>()?;
    // A process can be stopped only as long as nothing sends it SIGCONT, and
    // the kernel itself must not be asked to: not at the end of a child, not
    // at that of a parent, not when a file is ready.
    clone.push(masked(0, EXIT_SIGNAL, libc::SIGCONT as u64)?);
    let parent = equal(0, libc::PR_SET_PDEATHSIG as u64)?;
    let file = equal(1, F_SETSIG)?;
    // Shared memory of no file is charged to nobody.
    let shared = [libc::MAP_SHARED, libc::MAP_SHARED_VALIDATE].map(|kind| (kind | libc::MAP_ANONYMOUS) as u64);
    let shared = shared.into_iter().map(|kind| masked(3, MAPPING, kind)).collect::<Result<_, _>>()?;
    let others = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    Ok(Rules::from([
        (libc::SYS_clone, clone),
        (libc::SYS_prctl, vec![parent]),
        (libc::SYS_fcntl, vec![file]),
        (libc::SYS_mmap, shared),
        (libc::SYS_prlimit64, vec![SeccompRule::new(vec![others])?]),
    ]))
}

fn equal(argument: u8, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?])
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompRule, BackendError> {
    let set = SeccompCmpOp::MaskedEq(mask);
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Qword, set, value)?])
}

/// A filter of three steps that ends a process which calls in the x32 form:
/// load the number, compare, end or allow.
fn no_x32() -> BpfProgram {
    let step = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    vec![
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

//! Privileges: who has which, and how they are given up for good.

use std::io;

use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, configure_capability_in_ambient_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// What making namespaces, building a root and giving everything up takes.
const BUILDING: CapabilitySet =
    CapabilitySet::SYS_ADMIN.union(CapabilitySet::SETPCAP).union(CapabilitySet::KILL).union(CapabilitySet::SYS_PTRACE);

/// What the first process of a namespace keeps: it stops the others and looks
/// at what they use.
const WATCHING: CapabilitySet = CapabilitySet::KILL.union(CapabilitySet::SYS_PTRACE);

/// What changing the user takes.
const CHANGING: CapabilitySet = CapabilitySet::SETUID.union(CapabilitySet::SETGID).union(CapabilitySet::SETPCAP);

/// Can this process make namespaces without one of its own for users?
pub(super) fn can_build() -> bool {
    geteuid().is_root() && capabilities(None).is_ok_and(|sets| sets.effective.contains(BUILDING))
}

/// Keeps what building takes when this process becomes another program, or
/// starts one: an ordinary user would lose it.
pub(super) fn pass_on() -> io::Result<()> {
    let sets = capabilities(None)?;
    set_capabilities(None, CapabilitySets { inheritable: sets.permitted & BUILDING, ..sets })?;
    for capability in BUILDING.iter() {
        configure_capability_in_ambient_set(capability, true)?;
    }
    Ok(())
}

/// Nothing that is started from here gets a privilege, except that it may
/// still become another user if it `changes_user`.
pub(super) fn pass_nothing_on(changes_user: bool) -> io::Result<()> {
    let _ = clear_ambient_capability_set();
    drop_bounds_but(if changes_user { CHANGING } else { CapabilitySet::empty() })?;
    let sets = capabilities(None)?;
    Ok(set_capabilities(None, CapabilitySets { inheritable: CapabilitySet::empty(), ..sets })?)
}

/// Gives up everything but what watching takes.
pub(super) fn keep_watching() -> io::Result<()> {
    let permitted = capabilities(None)?.permitted & WATCHING;
    let inheritable = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: permitted, permitted, inheritable })?)
}

/// No program that is started from here ever gets a privilege.
pub(super) fn drop_bounds() -> io::Result<()> {
    drop_bounds_but(CapabilitySet::empty())
}

/// Gives up every privilege.
pub(super) fn drop_all() -> io::Result<()> {
    drop_bounds()?;
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Takes everything but `kept` out of what programs may ever get. Without the
/// right to do that there is none to take away either.
fn drop_bounds_but(kept: CapabilitySet) -> io::Result<()> {
    if !capabilities(None)?.effective.contains(CapabilitySet::SETPCAP) {
        return Ok(());
    }
    // The numbers that this kernel knows: the first unknown one ends the list.
    for bit in 0..64 {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if !kept.contains(capability) && remove_capability_from_bounding_set(capability).is_err() {
            break;
        }
    }
    Ok(())
}

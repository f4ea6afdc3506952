//! Outside programs: found, started, spoken to, and ended for certain.

#[cfg(target_os = "linux")]
mod apart;
mod command;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod fuzzing;
mod parcel;
mod wire;

#[cfg(target_os = "linux")]
mod pipes;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod seat;

#[cfg(not(target_os = "linux"))]
mod elsewhere;

#[cfg(target_os = "linux")]
pub use apart::keep_apart;
pub use command::{CommandError, Form, OutsideProgram};
pub use parcel::{Parcel, Word, is_unpacked, unpack};
pub use wire::{LONGEST_LINE, VERSION};
pub(crate) use wire::{base_name, plays};

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::ProgramSeat;
#[cfg(target_os = "linux")]
pub(crate) use seat::ProgramSeat;

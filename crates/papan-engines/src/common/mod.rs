//! What every engine needs and none should write again: sets of bits, random numbers, memory for
//! transposition tables, files that end with a sum of their bytes, the choice of CPU instructions, deadlines,
//! levels, and the ways from an engine's numbers to a bot's and a solver's answers.

pub(crate) mod bits;
pub(crate) mod choice;
pub(crate) mod claims;
#[cfg(target_arch = "x86_64")]
pub(crate) mod cpu;
pub(crate) mod deadline;
pub(crate) mod levels;
pub(crate) mod random;
pub(crate) mod solving;
pub(crate) mod summed;
pub(crate) mod table_memory;

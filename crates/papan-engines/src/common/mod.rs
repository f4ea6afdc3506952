//! What every engine needs and none should write again: sets of bits, random numbers, memory for
//! transposition tables, files that end with a sum of their bytes, the choice of CPU instructions.

pub(crate) mod bits;
#[cfg(target_arch = "x86_64")]
pub(crate) mod cpu;
pub(crate) mod random;
pub(crate) mod summed;
pub(crate) mod table_memory;

//! What every engine needs and none should write again: sets of bits, random numbers, memory for
//! transposition tables, files that end with a sum of their bytes.

pub(crate) mod bits;
pub(crate) mod random;
pub(crate) mod summed;
pub(crate) mod table_memory;

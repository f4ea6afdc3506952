//! The words between arena, supervisor and a namespace's first process: one
//! byte each, and each is answered by one byte.

/// To the first process: it may start the program.
pub(super) const BEGIN: u8 = b'B';
/// Say when the program has nothing more to do, or not soon.
pub(crate) const SETTLE: u8 = b'S';
/// It waits for something, or a while has passed.
pub(crate) const SETTLED: u8 = b's';
/// Stop every process of the program.
pub(crate) const FREEZE: u8 = b'F';
/// All of them have stopped.
pub(crate) const FROZEN: u8 = b'f';
/// Let them go on.
pub(crate) const THAW: u8 = b'T';
/// They go on.
pub(crate) const THAWED: u8 = b't';

/// Why the first process ends a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offence {
    Memory,
    Disk,
    Restless,
    Unstoppable,
}

impl Offence {
    const ALL: [Self; 4] = [Self::Memory, Self::Disk, Self::Restless, Self::Unstoppable];

    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::Memory => b'm',
            Self::Disk => b'd',
            Self::Restless => b'r',
            Self::Unstoppable => b'u',
        }
    }

    pub(super) fn read(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|offence| offence.byte() == byte)
    }

    /// What is added to its standard error.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Memory => "ended, all its processes together used more memory than allowed",
            Self::Disk => "ended, its temporary folder held more than allowed",
            Self::Restless => "ended, it ran again and again while it was not its turn",
            Self::Unstoppable => "ended, it could not be stopped when it was not its turn",
        }
    }
}

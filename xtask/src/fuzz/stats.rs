//! What a fuzzer says of its coverage: `#2 INITED cov: 57 ft: 58 corp: 1/1b …`
//! when it has read what there was, `#131072 DONE cov: 310 ft: 1203 …` at its
//! end. Edges of the code are counted in `cov`; `ft`, features, are edges by
//! how often they were passed, and comparisons.

use std::fmt;

/// How far a run came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Coverage {
    /// Once the inputs at hand were read.
    pub(super) start: Reach,
    /// At the end.
    pub(super) now: Reach,
}

/// What inputs reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    edges: u64,
    features: u64,
}

/// From nothing a short run must find so many edges that the empty input does
/// not reach, and half as many features again: a target that turns everything
/// away at its door has neither.
const LEAST_NEW_EDGES: u64 = 100;

impl Coverage {
    /// Reads a fuzzer's report; `None` if it counts nothing, as it does when
    /// the code is not instrumented.
    pub(super) fn read(text: &str) -> Option<Self> {
        let reach = |word: &str| text.lines().filter(|line| line.contains(word)).find_map(Reach::read);
        let start = reach("\tINITED ")?;
        let now = text.lines().rev().filter(|line| line.starts_with('#')).find_map(Reach::read)?;
        Some(Self { start, now })
    }

    /// Did the run find its way into the code?
    pub(super) fn check_growth(self) -> Result<(), String> {
        let Self { start, now } = self;
        let grew = now.edges >= start.edges + LEAST_NEW_EDGES && 2 * now.features >= 3 * start.features;
        if grew { Ok(()) } else { Err(format!("it does not find its way into the code: {self}")) }
    }
}

impl Reach {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut after = |name: &str| words.by_ref().find(|&word| word == name).and_then(|_| words.next()?.parse().ok());
        Some(Self { edges: after("cov:")?, features: after("ft:")? })
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.start, self.now)
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} edges, {} features", self.edges, self.features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROWN: &str = "INFO: Running with entropic power schedule (0xFF, 100).\n\
        INFO: A corpus is not provided, starting from an empty corpus\n\
        #2\tINITED cov: 57 ft: 58 corp: 1/1b exec/s: 0 rss: 33Mb\n\
        #12\tNEW    cov: 60 ft: 63 corp: 2/3b lim: 4 exec/s: 0 rss: 33Mb L: 2/2 MS: 1 ChangeBit-\n\
        #2048\tDONE   cov: 310 ft: 1203 corp: 99/1b lim: 11 exec/s: 0 rss: 40Mb\n\
        Done 2048 runs in 1 second(s)\n";

    #[test]
    fn a_run_that_finds_its_way_is_told_from_one_that_does_not() {
        let grown = Coverage::read(GROWN).unwrap();
        assert_eq!(grown.to_string(), "from 57 edges, 58 features to 310 edges, 1203 features");
        assert_eq!(grown.check_growth(), Ok(()));
        let stuck = Coverage::read(&GROWN.replace("cov: 310 ft: 1203", "cov: 57 ft: 58")).unwrap();
        assert!(stuck.check_growth().unwrap_err().contains("57 edges, 58 features"));
    }

    #[test]
    fn a_build_without_instrumentation_counts_nothing() {
        let silent = "#2\tINITED exec/s: 0 rss: 33Mb\n\
            WARNING: no interesting inputs were found so far. Is the code instrumented for coverage?\n\
            #2048\tDONE   corp: 1/1b exec/s: 0 rss: 33Mb\n";
        assert_eq!(Coverage::read(silent), None);
    }
}

//! Which jobs are out, and which results are in: what decides whether a
//! message changes anything.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;

/// A job that has been given out and not come back.
pub(super) struct Open {
    pub(super) payload: Bytes,
    /// How often it had to be published anew.
    pub(super) again: u32,
}

/// What a result is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// The first of its job.
    New,
    /// Its job has one that is not settled yet: it waits with that one.
    Waits,
    /// Its job is settled.
    Late,
    /// Nobody asked for it.
    Unasked,
}

/// `A` is what lets go of a result.
pub(super) struct Ledger<A> {
    open: HashMap<String, Open>,
    /// What an earlier coordinator of this run gave out: jobs that were in the
    /// queue when we began, and results up to this place in their stream.
    given_before: HashSet<String>,
    results_before: u64,
    held: HashMap<String, Vec<A>>,
    settled: HashSet<String>,
}

impl<A> Ledger<A> {
    pub(super) fn new(given_before: HashSet<String>, results_before: u64) -> Self {
        Self { open: HashMap::new(), given_before, results_before, held: HashMap::new(), settled: HashSet::new() }
    }

    /// Notes a job as given out; false if it need not be, since its result is
    /// here.
    pub(super) fn give(&mut self, id: &str, payload: Bytes) -> bool {
        if self.held.contains_key(id) || self.settled.contains(id) {
            return false;
        }
        self.open.insert(id.to_owned(), Open { payload, again: 0 });
        true
    }

    /// Notes a result from place `sequence` of its stream. Gives `release` back
    /// if the result is of no use.
    pub(super) fn arrive(&mut self, id: &str, sequence: u64, release: A) -> (Fate, Option<A>) {
        if let Some(others) = self.held.get_mut(id) {
            others.push(release);
            return (Fate::Waits, None);
        }
        if self.settled.contains(id) {
            return (Fate::Late, Some(release));
        }
        let asked = self.open.remove(id).is_some();
        if !asked && !self.given_before.contains(id) && sequence > self.results_before {
            return (Fate::Unasked, Some(release));
        }
        self.held.insert(id.to_owned(), vec![release]);
        (Fate::New, None)
    }

    /// The results of these jobs are stored: gives what lets go of them.
    pub(super) fn settle(&mut self, ids: &[String]) -> Vec<A> {
        let release = ids.iter().filter_map(|id| {
            self.settled.insert(id.clone());
            self.held.remove(id)
        });
        release.flatten().collect()
    }

    /// The result of this job is refused: it is out again. Gives what lets go
    /// of what was held of it, and how often it has been published anew.
    pub(super) fn take_back(&mut self, id: &str, payload: Bytes, again: u32) -> Vec<A> {
        self.open.insert(id.to_owned(), Open { payload, again });
        self.held.remove(id).unwrap_or_default()
    }

    /// The results of these jobs do not count after all.
    pub(super) fn forget(&mut self, ids: &[String]) {
        for id in ids {
            self.settled.remove(id);
        }
    }

    /// How many jobs are out.
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }

    /// Which jobs are out.
    pub(super) fn open_ids(&self) -> Vec<String> {
        self.open.keys().cloned().collect()
    }

    /// The job, to be published anew, and how often that has been so.
    pub(super) fn again(&mut self, id: &str) -> Option<(Bytes, u32)> {
        let open = self.open.get_mut(id)?;
        open.again += 1;
        Some((open.payload.clone(), open.again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger() -> Ledger<u32> {
        Ledger::new(HashSet::from(["old".to_owned()]), 10)
    }

    #[test]
    fn a_result_counts_once_and_is_let_go_of_when_it_is_stored() {
        let mut ledger = ledger();
        assert!(ledger.give("a", Bytes::new()));
        assert_eq!(ledger.arrive("a", 11, 1), (Fate::New, None));
        assert_eq!(ledger.open(), 0);
        assert_eq!(ledger.arrive("a", 12, 2), (Fate::Waits, None));
        assert!(!ledger.give("a", Bytes::new()), "its result is here");
        assert_eq!(ledger.settle(&["a".to_owned()]), [1, 2]);
        assert_eq!(ledger.arrive("a", 13, 3), (Fate::Late, Some(3)));
        assert!(ledger.settle(&["a".to_owned()]).is_empty());
    }

    #[test]
    fn only_what_was_given_can_come_back() {
        let mut ledger = ledger();
        assert_eq!(ledger.arrive("never", 11, 1), (Fate::Unasked, Some(1)));
        assert_eq!(ledger.arrive("old", 11, 2), (Fate::New, None), "an earlier coordinator gave it");
        assert_eq!(ledger.arrive("older", 10, 3), (Fate::New, None), "it was done before we came");
        ledger.give("never", Bytes::new());
        assert_eq!(ledger.arrive("never", 12, 4), (Fate::New, None));
    }

    #[test]
    fn a_lost_job_is_published_under_another_name() {
        let mut ledger = ledger();
        ledger.give("a", Bytes::from_static(b"x"));
        assert_eq!(ledger.again("a"), Some((Bytes::from_static(b"x"), 1)));
        assert_eq!(ledger.again("a"), Some((Bytes::from_static(b"x"), 2)));
        assert_eq!(ledger.again("b"), None);
        assert_eq!(ledger.open_ids(), ["a"]);
    }
}

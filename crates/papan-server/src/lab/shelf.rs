//! Finished searches that are kept for a while.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::Question;

/// Searches that are kept, and the positions and entries of all of them
/// together: some tens of megabytes.
const KEPT_SEARCHES: usize = 6;
const KEPT_IN_ALL: usize = 1_500_000;

struct Kept<T> {
    question: Question,
    answer: Arc<T>,
    size: usize,
}

/// The newest few answers.
pub(super) struct Shelf<T>(Mutex<VecDeque<Kept<T>>>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Shelf<T> {
    pub(super) fn find(&self, question: &Question) -> Option<Arc<T>> {
        let mut shelf = self.0.lock().expect("no holder panics");
        let place = shelf.iter().position(|kept| kept.question == *question)?;
        let found = shelf.remove(place)?;
        let answer = Arc::clone(&found.answer);
        shelf.push_front(found);
        Some(answer)
    }

    /// Keeps an answer of so many entries; older ones make room.
    pub(super) fn keep(&self, question: Question, answer: &Arc<T>, size: usize) {
        let mut shelf = self.0.lock().expect("no holder panics");
        shelf.push_front(Kept { question, answer: Arc::clone(answer), size });
        shelf.truncate(KEPT_SEARCHES);
        while shelf.len() > 1 && shelf.iter().map(|kept| kept.size).sum::<usize>() > KEPT_IN_ALL {
            shelf.pop_back();
        }
    }
}

//! Memory for transposition tables: zeroed, aligned to cache lines, on large pages where that pays, and growing
//! while threads use it.
//!
//! Zeroed memory comes from the system untouched, so that a large table costs only what is used of it.
//! A random probe into gigabytes of small pages waits longer for the address translation than for the
//! data. Asking for large pages is a hint: where it is not understood, nothing changes but the speed.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Tables from this many bytes on are for long computations. A large page is cleared as a whole when it is
/// first touched, which takes milliseconds, and ten where the system has to make room for it: bad for a move
/// of a tenth of a second, and for the first position of a suite.
const LARGE: usize = 1 << 30;
/// A table that grows is used all over by the time it has this many bytes, so that large pages are not
/// cleared in vain.
const LARGE_WHEN_GROWN: usize = 8 << 20;

/// So many words, all zero, by preference on large pages if they are many.
pub(crate) fn zeroed_words(count: usize) -> Box<[AtomicU64]> {
    zeroed_words_with_large_pages_from(LARGE, count)
}

/// So many words, all zero, for a table that has outgrown a smaller one.
fn zeroed_words_for_growth(count: usize) -> Box<[AtomicU64]> {
    zeroed_words_with_large_pages_from(LARGE_WHEN_GROWN, count)
}

#[expect(unsafe_code, reason = "measured: a first move with a table of 512 MiB comes 0.3 s sooner")]
fn zeroed_words_with_large_pages_from(bytes: usize, count: usize) -> Box<[AtomicU64]> {
    let words = Box::<[AtomicU64]>::new_zeroed_slice(count);
    // SAFETY: all bits zero is a valid `AtomicU64`.
    let words = unsafe { words.assume_init() };
    if size_of_val(&*words) >= bytes {
        prefer_huge(&words);
    }
    words
}

/// Asks the system to back the memory of a slice with large pages.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[expect(unsafe_code, reason = "measured: Dots and Boxes 4x4 takes a sixth less time")]
fn prefer_huge<T>(slice: &[T]) {
    use std::ffi::{c_int, c_void};
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let start = (slice.as_ptr() as usize).next_multiple_of(PAGE);
    let end = (slice.as_ptr() as usize + size_of_val(slice)) / PAGE * PAGE;
    if start < end {
        // SAFETY: the range is page-aligned and inside memory that `slice` borrows; the advice changes
        // how the memory is backed, never its contents. A refusal is harmless, so the result is ignored.
        unsafe { madvise(start as *mut c_void, end - start, MADV_HUGEPAGE) };
    }
}

/// Nothing to ask for on this system.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn prefer_huge<T>(_: &[T]) {}

/// Brings a value closer, its first two cache lines at most, so that a later look does not wait for memory.
#[inline(always)]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "measured: probes wait for memory without it"))]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(value).cast::<i8>();
        // SAFETY: a prefetch reads nothing and never faults, and SSE is part of every x86-64 CPU.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address);
            if size_of::<T>() > 64 {
                _mm_prefetch::<_MM_HINT_T0>(address.wrapping_add(64));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// So many buckets of `WORDS` words, each at an address that is a multiple of its size.
///
/// The memory is asked for in words: the system hands those out page by page as they are first used. Memory with
/// a larger alignment would be cleared at once.
pub(crate) struct Buckets<const WORDS: usize> {
    words: Box<[AtomicU64]>,
    /// Words before the first bucket.
    offset: usize,
    count: usize,
}

impl<const WORDS: usize> Buckets<WORDS> {
    const BYTES: usize = WORDS * size_of::<AtomicU64>();

    /// So many buckets, all zero.
    pub(crate) fn new(count: usize) -> Self {
        Self::over(zeroed_words((count + 1) * WORDS), count)
    }

    /// As [`Buckets::new`], for a table that has outgrown a smaller one.
    pub(crate) fn for_growth(count: usize) -> Self {
        Self::over(zeroed_words_for_growth((count + 1) * WORDS), count)
    }

    fn over(words: Box<[AtomicU64]>, count: usize) -> Self {
        let misaligned = words.as_ptr() as usize % Self::BYTES;
        let offset = (Self::BYTES - misaligned) % Self::BYTES / size_of::<AtomicU64>();
        Self { words, offset, count }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The bucket with this number.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> &[AtomicU64; WORDS] {
        let start = self.offset + index * WORDS;
        self.words[start..].first_chunk().expect("the last bucket ends within the words")
    }

    /// The words of all buckets, one after the other.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.words[self.offset..self.offset + self.count * WORDS]
    }
}

/// One bucket in so many is watched to see how full the memory is.
const WATCHED: usize = 64;

/// Buckets of which more come into use as they fill: memory that is touched for the first time costs more than
/// anything else in a short search, and few buckets stay in the processor's caches.
pub(crate) struct GrowingBuckets<const WORDS: usize> {
    buckets: Buckets<WORDS>,
    first: usize,
    /// Buckets in use, less one: their number is a power of two.
    mask: AtomicUsize,
    /// Used entries of the watched buckets.
    watched_used: AtomicUsize,
    growing: AtomicBool,
}

impl<const WORDS: usize> GrowingBuckets<WORDS> {
    /// `first` buckets in use at the beginning and at most `full`, both powers of two.
    pub(crate) fn new(first: usize, full: usize) -> Self {
        Self {
            buckets: Buckets::new(full),
            first,
            mask: AtomicUsize::new(full.min(first) - 1),
            watched_used: AtomicUsize::new(0),
            growing: AtomicBool::new(false),
        }
    }

    /// The number of the bucket of a hash.
    #[inline(always)]
    pub(crate) fn index(&self, hash: u64) -> usize {
        hash as usize & self.mask.load(Relaxed)
    }

    /// The bucket with this number.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> &[AtomicU64; WORDS] {
        self.buckets.at(index)
    }

    /// Is this one of the buckets whose new entries are counted?
    #[inline(always)]
    pub(crate) fn is_watched(index: usize) -> bool {
        index.is_multiple_of(WATCHED)
    }

    /// Counts a new entry of a watched bucket. Where `is_crowded` (with about so many entries in so many buckets),
    /// the buckets in use are doubled: `split` moves what belongs there from each old bucket to its new partner,
    /// namely the entries whose hash has the given bit. Other threads go on meanwhile: an entry that one of them
    /// writes at the wrong moment is lost, as any entry may be.
    #[cold]
    pub(crate) fn count_new_entry(
        &self,
        is_crowded: impl Fn(usize, usize) -> bool,
        split: impl Fn(&[AtomicU64; WORDS], &[AtomicU64; WORDS], usize),
    ) {
        let used = (self.watched_used.fetch_add(1, Relaxed) + 1) * WATCHED;
        let in_use = self.in_use();
        if is_crowded(used, in_use) && in_use < self.buckets.count() && !self.growing.swap(true, Relaxed) {
            self.double(split);
            self.growing.store(false, Relaxed);
        }
    }

    /// Doubles the buckets in use; see [`GrowingBuckets::count_new_entry`].
    pub(crate) fn double(&self, split: impl Fn(&[AtomicU64; WORDS], &[AtomicU64; WORDS], usize)) {
        let in_use = self.in_use();
        for index in 0..in_use {
            split(self.at(index), self.at(index + in_use), in_use);
        }
        self.mask.store(2 * in_use - 1, Relaxed);
    }

    /// Buckets in use.
    pub(crate) fn in_use(&self) -> usize {
        self.mask.load(Relaxed) + 1
    }

    /// Buckets at full size.
    #[cfg(test)]
    pub(crate) fn full(&self) -> usize {
        self.buckets.count()
    }

    /// The share of entries in use at full size, 0 to 1, with `ways` entries a bucket.
    pub(crate) fn used(&self, ways: usize) -> f64 {
        let watched = ((self.buckets.count() - 1) / WATCHED + 1) * ways;
        self.watched_used.load(Relaxed) as f64 / watched as f64
    }

    /// Makes every word zero; what has grown stays.
    pub(crate) fn clear(&self) {
        self.buckets.words()[..self.in_use() * WORDS].iter().for_each(|word| word.store(0, Relaxed));
        self.watched_used.store(0, Relaxed);
    }

    /// Forgets everything by taking fresh memory: clearing would touch every page, also those never used, and a
    /// new game must not begin with a tenth of a second of that.
    pub(crate) fn renew(&mut self) {
        *self = Self::new(self.first, self.buckets.count());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_aligned_and_do_not_overlap() {
        for count in [1, 2, 5, 1000] {
            let buckets = Buckets::<16>::new(count);
            assert_eq!(buckets.words().len(), 16 * count);
            for index in 0..count {
                assert_eq!(buckets.at(index).as_ptr() as usize % 128, 0);
                buckets.at(index).iter().for_each(|word| word.store(index as u64, Relaxed));
            }
            assert!((0..count).all(|index| buckets.at(index).iter().all(|word| word.load(Relaxed) == index as u64)));
        }
    }
}

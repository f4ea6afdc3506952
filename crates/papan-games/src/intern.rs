//! Shared, immutable tables that positions point to.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

type Known = HashMap<(TypeId, [u8; 4]), &'static (dyn Any + Send + Sync)>;

/// The one `T` that belongs to these options, made at first use and kept for
/// good: positions stay `Copy` by holding a plain reference. What is kept is
/// bounded by the number of option sets.
pub(crate) fn interned<T: Send + Sync + 'static>(options: [u8; 4], make: impl FnOnce() -> T) -> &'static T {
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    // A panic in `make` leaves the map as it was, so a poisoned lock is sound.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let entry = known.entry((TypeId::of::<T>(), options)).or_insert_with(|| Box::leak(Box::new(make())));
    entry.downcast_ref().expect("the type is part of the map's key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_for_each_type_and_option_set() {
        let a: &'static String = interned([1, 2, 3, 4], || "a".to_owned());
        let again: &'static String = interned([1, 2, 3, 4], || "b".to_owned());
        assert!(std::ptr::eq(a, again));
        assert_eq!(*interned([1, 2, 3, 5], || "c".to_owned()), "c");
        assert_eq!(*interned([1, 2, 3, 4], || 7u32), 7);
    }
}

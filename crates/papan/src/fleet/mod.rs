//! Work on many machines: what the commands that ask and the worker share.

pub(crate) mod args;
pub(crate) mod caps;
pub(crate) mod games;
pub(crate) mod inspect;
pub(crate) mod performer;
pub(crate) mod solving;
pub(crate) mod training;

use std::sync::Arc;

use papan_nats::Teller;

/// Says lines on standard error.
pub(crate) fn teller() -> Teller {
    Arc::new(crate::output::note)
}

//! The evaluation: a weight for each pattern and phase, summed (Buro 1997, *Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello*). What is public here is what training needs.

mod codec;
pub(super) mod features;
mod patterns;
pub(super) mod weights;

pub use codec::{decode, encode};
pub use patterns::PATTERNS;
pub use weights::{ClassIndex, PHASES, RawPhase, STEPS_PER_DISC, Weights, phase_of};

use std::sync::LazyLock;
use weights::class_offsets;

/// The weights that training wrote; see `docs/othello-training.md` for the command and its log.
pub static WEIGHTS_FILE: &[u8] = include_bytes!("weights.bin");

/// The weights of the binary, laid out at the first use.
pub fn embedded_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
        // A file that is not one of weights would be a build gone wrong; zero weights still search to the end.
        let empty = || vec![RawPhase { bias: 0, weights: vec![0; class_offsets()[patterns::KINDS]] }; PHASES];
        Weights::new(&decode(WEIGHTS_FILE).unwrap_or_else(empty))
    });
    &WEIGHTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_one_of_weights() {
        assert!(decode(WEIGHTS_FILE).is_some());
    }
}

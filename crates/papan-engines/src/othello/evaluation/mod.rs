//! The evaluation: a weight for each pattern and phase, summed.

pub mod codec;
pub mod features;
pub mod patterns;
pub mod weights;

use std::sync::LazyLock;
use weights::{PHASES, RawPhase, Weights, class_offsets};

/// The weights that training wrote; see the project's documents for the command and its log.
static WEIGHTS_FILE: &[u8] = include_bytes!("weights.bin");

/// The weights of the binary, laid out at the first use.
pub fn embedded_weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
        // A file that is not one of weights would be a build gone wrong; zero weights still search to the end.
        let empty = || vec![RawPhase { bias: 0, weights: vec![0; class_offsets()[patterns::KINDS]] }; PHASES];
        Weights::new(&codec::decode(WEIGHTS_FILE).unwrap_or_else(empty))
    });
    &WEIGHTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_one_of_weights() {
        assert!(codec::decode(WEIGHTS_FILE).is_some());
    }
}

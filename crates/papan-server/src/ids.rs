//! Names that cannot be guessed, and their comparison.

use std::fmt::Write as _;

use subtle::ConstantTimeEq as _;

/// A game's name in addresses: 64 random bits.
pub(crate) fn game_id() -> String {
    random_hex::<8>()
}

/// The key to a seat, or the secret of a join link: 128 random bits.
pub(crate) fn token() -> String {
    random_hex::<16>()
}

fn random_hex<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes.iter().fold(String::with_capacity(2 * BYTES), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to a string");
        hex
    })
}

/// Are two keys the same? Takes as long whatever the first difference is.
pub(crate) fn same_token(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token(), token());
        assert_eq!((a.len(), game_id().len()), (32, 16));
        assert!(same_token(&a, &a.clone()));
        assert!(!same_token(&a, &b));
        assert!(!same_token(&a, &a[..31]));
    }
}

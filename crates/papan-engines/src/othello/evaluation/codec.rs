//! The weights as a small file: an adaptive binary range coder over the differences between phases.
//!
//! A general compressor does not see that a weight is almost its neighbour's in the phase before; coding that
//! difference, with a model chosen by how large the last differences were, takes half the bytes.

use super::patterns::KINDS;
use super::weights::{PHASES, RawPhase, class_offsets};

const MAGIC: &[u8; 4] = b"OTW1";
const PROBABILITY_BITS: u32 = 12;
const ADAPT_SHIFT: u32 = 5;
const CONTEXTS: usize = 24;
const UNARY: usize = 20;

/// Adaptive models of one context: is it zero, its sign, its size in unary, and the bits of an escape.
#[derive(Clone)]
struct Model {
    zero: u16,
    sign: [u16; 3],
    unary: [u16; UNARY],
    escape: [u16; 16],
}

impl Model {
    fn new() -> Self {
        let even = 1 << (PROBABILITY_BITS - 1);
        Self { zero: even, sign: [even; 3], unary: [even; UNARY], escape: [even; 16] }
    }
}

/// Reads or writes one bit with a probability that learns: the two directions share all code above them.
trait BitCoder {
    /// Codes a bit: a writer takes `bit` and returns it, a reader ignores it and returns what it read.
    fn bit(&mut self, probability_of_zero: &mut u16, bit: bool) -> bool;
}

fn learn(probability_of_zero: &mut u16, bit: bool) {
    if bit {
        *probability_of_zero -= *probability_of_zero >> ADAPT_SHIFT;
    } else {
        *probability_of_zero += ((1 << PROBABILITY_BITS) - *probability_of_zero) >> ADAPT_SHIFT;
    }
}

struct Writer {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl BitCoder for Writer {
    fn bit(&mut self, probability_of_zero: &mut u16, bit: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(*probability_of_zero);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        learn(probability_of_zero, bit);
        if self.low > u64::from(u32::MAX) {
            self.low &= u64::from(u32::MAX);
            self.carry();
        }
        while self.range < 1 << 24 {
            self.bytes.push((self.low >> 24) as u8);
            self.low = self.low << 8 & u64::from(u32::MAX);
            self.range <<= 8;
        }
        bit
    }
}

impl Writer {
    fn carry(&mut self) {
        for byte in self.bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(&(self.low as u32).to_be_bytes());
        self.bytes
    }
}

struct Reader<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..4 {
            reader.code = reader.code << 8 | reader.next_byte();
        }
        reader
    }

    fn next_byte(&mut self) -> u32 {
        self.bytes.next().map_or(0, |&byte| u32::from(byte))
    }
}

impl BitCoder for Reader<'_> {
    fn bit(&mut self, probability_of_zero: &mut u16, _: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * u32::from(*probability_of_zero);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        learn(probability_of_zero, bit);
        while self.range < 1 << 24 {
            self.code = self.code << 8 | self.next_byte();
            self.range <<= 8;
        }
        bit
    }
}

/// Codes one signed number.
fn number(coder: &mut impl BitCoder, model: &mut Model, sign_hint: usize, value: i32) -> i32 {
    if !coder.bit(&mut model.zero, value != 0) {
        return 0;
    }
    let negative = coder.bit(&mut model.sign[sign_hint], value < 0);
    let size = value.unsigned_abs() as usize;
    let mut read = 1;
    while read <= UNARY && coder.bit(&mut model.unary[read - 1], size > read) {
        read += 1;
    }
    if read > UNARY {
        let mut rest = 0;
        for place in (0..16).rev() {
            let bit = size.wrapping_sub(UNARY + 1) >> place & 1 == 1;
            rest = rest << 1 | usize::from(coder.bit(&mut model.escape[place], bit));
        }
        read = UNARY + 1 + rest;
    }
    if negative { -(read as i32) } else { read as i32 }
}

/// Codes all phases from the last to the first, each as its difference from the one after it.
fn all_phases(coder: &mut impl BitCoder, phases: &mut [RawPhase]) {
    let offsets = class_offsets();
    let count = offsets[KINDS];
    let mut models = vec![vec![Model::new(); CONTEXTS]; KINDS + 1];
    let mut known = vec![0_i32; count + 1];
    for phase in phases.iter_mut().rev() {
        let bias = number(coder, &mut models[KINDS][0], 1, i32::from(phase.bias) - known[count]) + known[count];
        (phase.bias, known[count]) = (bias as i16, bias);
        for kind in 0..KINDS {
            let mut recent = 0;
            let places = offsets[kind]..offsets[kind + 1];
            for (known, stored) in known[places.clone()].iter_mut().zip(&mut phase.weights[places]) {
                let before = *known;
                let context = (recent.min(11) as usize) * 2 + usize::from(before != 0);
                let hint = (before.signum() + 1) as usize;
                let wanted = i32::from(*stored) - before;
                let change = number(coder, &mut models[kind][context], hint, wanted);
                // An average of the last sizes, twice the size of the numbers themselves.
                recent = (recent * 3 + change.abs() * 2 + 2) / 4;
                *known = before + change;
                *stored = (before + change) as i8;
            }
        }
    }
}

/// The file of the weights.
#[must_use]
pub fn encode(phases: &[RawPhase]) -> Vec<u8> {
    let mut copy = phases.to_vec();
    let mut writer = Writer { low: 0, range: u32::MAX, bytes: Vec::new() };
    all_phases(&mut writer, &mut copy);
    let mut file = MAGIC.to_vec();
    file.extend(writer.finish());
    file
}

/// Reads a file of weights back; `None` if it is not one.
#[must_use]
pub fn decode(file: &[u8]) -> Option<Vec<RawPhase>> {
    let coded = file.strip_prefix(MAGIC)?;
    let count = class_offsets()[KINDS];
    let mut phases = vec![RawPhase { bias: 0, weights: vec![0; count] }; PHASES];
    all_phases(&mut Reader::new(coded), &mut phases);
    Some(phases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_core::Random;

    #[test]
    fn weights_come_back_as_they_were() {
        let mut rng = Random::new(77);
        let count = class_offsets()[KINDS];
        let phases: Vec<RawPhase> = (0..PHASES)
            .map(|phase| RawPhase {
                bias: rng.below(600) as i16 - 300,
                weights: (0..count)
                    .map(|_| match rng.below(40) {
                        0 => rng.below(256) as u8 as i8,
                        1..10 => rng.below(60) as i8 - 30,
                        _ => phase as i8 % 3,
                    })
                    .collect(),
            })
            .collect();
        assert!(decode(&encode(&phases)).as_ref() == Some(&phases));
        assert!(decode(b"nonsense").is_none());
    }
}

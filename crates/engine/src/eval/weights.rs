//! The file format of pattern weights.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `KBTZEVAL` |
//! | 4 | format version, little-endian as all numbers here |
//! | 4 | length of the description |
//! | 8 | [checksum](crate::checksum) of the uncompressed payload |
//! | … | description: stages, units and shapes as text; a reader accepts only its own |
//! | rest | zstd: for each stage, `i16` differences to the stage before, one per configuration up to mirror images |

use super::{
    pattern::{Pattern, STAGES, UNITS_PER_DISC},
    shapes::{Geometry, MOBILITY_OFFSET, SHAPES},
};
use crate::checksum::checksum;
use std::fmt::Write as _;

const MAGIC: &[u8; 8] = b"KBTZEVAL";
const VERSION: u32 = 1;
const HEADER: usize = 24;
// The tests compress tens of megabytes; how well is not what they are about. Under the address
// sanitizer of fuzzing, the strong levels of zstd raise a false alarm.
const ZSTD_LEVEL: i32 = if cfg!(any(test, fuzzing)) { 1 } else { 19 };

/// Why bytes are not weights for this program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    #[error("not a weights file: it does not begin with KBTZEVAL")]
    NotWeights,
    /// Written by a newer program.
    #[error("weights format {found} is newer than this program, which reads up to {VERSION}")]
    Newer { found: u32 },
    /// Weights for other shapes or stages.
    #[error(
        "weights for another evaluation: the file has {found:?}, this program uses {expected:?}"
    )]
    Foreign { found: String, expected: String },
    /// Cut short or changed.
    #[error("damaged weights file: {0}")]
    Damaged(String),
}

fn description() -> String {
    let mut text = format!("stages={STAGES} units={UNITS_PER_DISC} mobility=2");
    for shape in SHAPES {
        let _written = write!(text, "|{shape}");
    }
    text
}

/// The weights of a stage that are stored: one of each mirror pair, so those that stand for
/// themselves; and not the one that is always 0.
fn stored(sharing: &[u32]) -> Vec<usize> {
    (0..sharing.len())
        .filter(|&index| sharing[index] as usize == index && index + 1 != MOBILITY_OFFSET)
        .collect()
}

/// The weights that the program comes with; `docs/TRAINING.md` tells how they were made.
static SHIPPED: &[u8] = include_bytes!("../../../../assets/pattern.weights");

impl Pattern {
    /// The evaluator with the shipped weights.
    pub fn shipped() -> Result<Self, WeightsError> {
        Self::from_bytes(SHIPPED)
    }

    /// The weights as a file's bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WeightsError> {
        let geometry = Geometry::shipped();
        let stored = stored(&geometry.sharing());
        let mut payload = Vec::with_capacity(2 * STAGES * stored.len());
        let mut before = vec![0; stored.len()];
        for stage in 0..STAGES {
            let weights = self.stage(stage);
            for (before, &index) in before.iter_mut().zip(&stored) {
                let weight = weights[index];
                payload.extend(weight.wrapping_sub(*before).to_le_bytes());
                *before = weight;
            }
        }
        let description = description();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(checksum(&payload).to_le_bytes());
        bytes.extend(description.as_bytes());
        let compressed = zstd::encode_all(payload.as_slice(), ZSTD_LEVEL)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        bytes.extend(compressed);
        Ok(bytes)
    }

    /// Reads a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let damaged = |what: &str| WeightsError::Damaged(what.to_owned());
        if bytes.get(..8) != Some(MAGIC.as_slice()) {
            return Err(WeightsError::NotWeights);
        }
        let header = bytes
            .get(8..HEADER)
            .ok_or_else(|| damaged("the header is cut short"))?;
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
        let version = word(0);
        if version != VERSION {
            return Err(WeightsError::Newer { found: version });
        }
        let payload_at = HEADER + word(4) as usize;
        let found = bytes
            .get(HEADER..payload_at)
            .ok_or_else(|| damaged("the description is cut short"))?;
        let expected = description();
        if found != expected.as_bytes() {
            return Err(WeightsError::Foreign {
                found: String::from_utf8_lossy(found).into_owned(),
                expected,
            });
        }
        let geometry = Geometry::shipped();
        let sharing = geometry.sharing();
        let stored = stored(&sharing);
        let mut payload = vec![0; 2 * STAGES * stored.len()];
        let length = zstd::bulk::decompress_to_buffer(&bytes[payload_at..], &mut payload)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        if length != payload.len() {
            return Err(damaged("fewer weights than the description promises"));
        }
        let expected = u64::from(word(8)) | u64::from(word(12)) << 32;
        if checksum(&payload) != expected {
            return Err(damaged("the checksum does not match"));
        }
        Ok(Self::expand(&payload, &stored, &sharing))
    }

    fn expand(payload: &[u8], stored: &[usize], sharing: &[u32]) -> Self {
        let mut weights = Vec::with_capacity(STAGES * sharing.len());
        let mut table = vec![0i16; sharing.len()];
        for differences in payload.chunks_exact(2 * stored.len()) {
            for (&index, difference) in stored.iter().zip(differences.chunks_exact(2)) {
                let difference = i16::from_le_bytes([difference[0], difference[1]]);
                table[index] = table[index].wrapping_add(difference);
            }
            weights.extend(sharing.iter().map(|&shared| table[shared as usize]));
        }
        Self::from_weights(weights).expect("the number of weights follows from the geometry")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator as _, shapes::N_WEIGHTS};
    use othello::sample::{SplitMix64, random_boards};

    /// Random weights that respect mirror images.
    fn random_pattern() -> Pattern {
        let geometry = Geometry::shipped();
        let mut random = SplitMix64::new(1);
        let mut weights: Vec<i16> = (0..STAGES * N_WEIGHTS)
            // Mostly zeros, as in real weights, so that compressing them is quick.
            .map(|_| match random.below(50) {
                0 => random.below(2000) as i16 - 1000,
                _ => 0,
            })
            .collect();
        for table in weights.chunks_exact_mut(N_WEIGHTS) {
            for shape in &geometry.shapes {
                for index in 0..shape.size {
                    table[shape.offset + index] = table[shape.offset + shape.canonical(index)];
                }
            }
            // The weight of unused lanes is always 0.
            table[MOBILITY_OFFSET - 1] = 0;
        }
        Pattern::from_weights(weights).unwrap()
    }

    #[test]
    fn weights_round_trip_and_value_symmetric_boards_alike() {
        let pattern = random_pattern();
        let bytes = pattern.to_bytes().unwrap();
        let again = Pattern::from_bytes(&bytes).unwrap();
        for board in random_boards(61).take(200) {
            let value = pattern.evaluate(&pattern.root(board), board);
            for symmetry in othello::Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(again.evaluate(&again.root(image), image), value);
            }
        }
    }

    #[test]
    fn foreign_newer_and_damaged_files_are_told_apart() {
        let bytes = random_pattern().to_bytes().unwrap();
        let error = |bytes: &[u8]| Pattern::from_bytes(bytes).unwrap_err();
        assert_eq!(error(b"GIF89a"), WeightsError::NotWeights);
        assert!(matches!(error(&bytes[..12]), WeightsError::Damaged(_)));
        assert!(matches!(
            error(&bytes[..bytes.len() - 9]),
            WeightsError::Damaged(_)
        ));
        let changed = |at: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            error(&changed)
        };
        assert_eq!(changed(9), WeightsError::Newer { found: 257 });
        assert!(matches!(changed(30), WeightsError::Foreign { .. }));
        assert!(matches!(changed(17), WeightsError::Damaged(_)));
        assert!(matches!(
            changed(bytes.len() - 40),
            WeightsError::Damaged(_)
        ));
    }
}

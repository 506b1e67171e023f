//! The file format of pattern weights.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `KBTZEVAL` |
//! | 4 | format version, little-endian as all numbers here: 1 without a hidden layer, 2 with one |
//! | 4 | length of the description |
//! | 8 | checksum |
//! | … | description: stages, units and shapes as text; a reader accepts only its own |
//! | rest | the payload |
//!
//! The sum of weights is, for each stage, `i16` differences to the stage before, one per
//! configuration up to mirror images, as one frame of zstd. In version 1 this is the whole payload,
//! and the [checksum](crate::checksum) is that of the numbers. In version 2 the checksum is that of
//! the payload as it stands in the file, eight bytes a step:
//!
//! | bytes | what |
//! |---|---|
//! | 4 each | the lengths of all frames |
//! | 128 a head | for every number of empty squares the `i16` biases, then the weights of the units |
//! | … | the frame of the weights, then one for each phase of the hidden layer |
//!
//! The frame of a phase has, for each unit, an `i8` for every configuration up to mirror images and
//! one for every half.

use super::{
    hidden::{FULL, HEADS, Halves, Head, Hidden, PHASE_STARTS, PHASES, Phase, Row, UNITS},
    pattern::{Pattern, STAGES, UNITS_PER_DISC},
    shapes::{Geometry, MOBILITY_OFFSET, REACH, SHAPES},
};
use crate::checksum::{Checksum, checksum};
use std::{borrow::Cow, fmt::Write as _, ops::Range, sync::LazyLock};

const MAGIC: &[u8; 8] = b"KBTZEVAL";
const VERSION: u32 = 2;
const WITHOUT_HIDDEN: u32 = 1;
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

fn description(has_hidden: bool) -> String {
    let mut text = format!("stages={STAGES} units={UNITS_PER_DISC} mobility=2");
    for shape in SHAPES {
        let _written = write!(text, "|{shape}");
    }
    if has_hidden {
        let _written = write!(text, "|hidden={UNITS} full={FULL} phases={PHASE_STARTS:?}");
    }
    text
}

/// Which weights of a stage are stored.
struct Stored {
    /// For every weight the one that stands for it and its mirror images.
    sharing: Vec<u32>,
    /// Those that stand for themselves, but for the one that is always 0.
    indices: Vec<usize>,
}

impl Stored {
    fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Stored> = LazyLock::new(|| {
            let sharing = Geometry::shipped().sharing();
            let indices = (0..sharing.len())
                .filter(|&index| sharing[index] as usize == index && index + 1 != MOBILITY_OFFSET)
                .collect();
            Stored { sharing, indices }
        });
        &SHIPPED
    }
}

/// The weights that the program comes with; `docs/TRAINING.md` tells how they were made.
static SHIPPED: &[u8] = include_bytes!("../../../../assets/pattern.weights");

/// A file whose header was read.
struct File<'a> {
    has_hidden: bool,
    checksum: u64,
    payload: &'a [u8],
}

impl<'a> File<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, WeightsError> {
        if bytes.get(..8) != Some(MAGIC.as_slice()) {
            return Err(WeightsError::NotWeights);
        }
        let header = bytes
            .get(8..HEADER)
            .ok_or_else(|| damaged("the header is cut short"))?;
        let version = word(header, 0);
        if ![WITHOUT_HIDDEN, VERSION].contains(&version) {
            return Err(WeightsError::Newer { found: version });
        }
        let has_hidden = version == VERSION;
        let payload_at = HEADER + word(header, 4) as usize;
        let found = bytes
            .get(HEADER..payload_at)
            .ok_or_else(|| damaged("the description is cut short"))?;
        let expected = description(has_hidden);
        if found != expected.as_bytes() {
            return Err(WeightsError::Foreign {
                found: String::from_utf8_lossy(found).into_owned(),
                expected,
            });
        }
        Ok(Self {
            has_hidden,
            checksum: u64::from(word(header, 8)) | u64::from(word(header, 12)) << 32,
            payload: &bytes[payload_at..],
        })
    }

    /// Where the frames are in the payload, that of the weights first.
    fn frames(&self) -> Result<[Range<usize>; 1 + PHASES], WeightsError> {
        if checksum_of_words(self.payload) != self.checksum {
            return Err(damaged("the checksum does not match"));
        }
        let mut at = FRAMES_AT;
        let lengths = self
            .payload
            .get(..FRAMES_AT)
            .ok_or_else(|| damaged("the lengths are cut short"))?;
        let frames = std::array::from_fn(|frame| {
            let first = at;
            at = at.saturating_add(word(lengths, 4 * frame) as usize);
            first..at
        });
        if at != self.payload.len() {
            return Err(damaged("the lengths do not fit the file"));
        }
        Ok(frames)
    }

    /// What numbers of empty squares have of the hidden layer.
    fn heads(&self) -> Box<[Head; HEADS]> {
        let mut numbers = self.payload[LENGTHS..FRAMES_AT]
            .chunks_exact(2)
            .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]));
        let mut next = || std::array::from_fn(|_| numbers.next().unwrap_or(0));
        Box::new(std::array::from_fn(|_| Head {
            bias: next(),
            weight: next(),
        }))
    }
}

/// The lengths of the frames stand first.
const LENGTHS: usize = 4 * (1 + PHASES);

/// Where the first frame begins: behind the lengths and the heads.
const FRAMES_AT: usize = LENGTHS + 4 * UNITS * HEADS;

fn damaged(what: &str) -> WeightsError {
    WeightsError::Damaged(what.to_owned())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]))
}

/// The checksum with eight bytes a step: megabytes are read at every start.
fn checksum_of_words(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let sum = words.iter().fold(Checksum::default(), |sum, &word| {
        sum.and(u64::from_le_bytes(word))
    });
    let sum = rest.iter().fold(sum, |sum, &byte| sum.and(byte.into()));
    sum.value()
}

fn compressed(numbers: &[u8]) -> Result<Vec<u8>, WeightsError> {
    zstd::encode_all(numbers, ZSTD_LEVEL).map_err(|error| damaged(&error.to_string()))
}

/// The weights of a frame.
fn decompressed(frame: &[u8]) -> Result<Vec<u8>, WeightsError> {
    let mut numbers = vec![0; 2 * STAGES * Stored::shipped().indices.len()];
    let length = zstd::bulk::decompress_to_buffer(frame, &mut numbers)
        .map_err(|error| damaged(&error.to_string()))?;
    if length != numbers.len() {
        return Err(damaged("fewer weights than the description promises"));
    }
    Ok(numbers)
}

impl Pattern {
    /// The evaluator with the shipped weights.
    pub fn shipped() -> Result<Self, WeightsError> {
        Self::unpacked(SHIPPED, |frame| Cow::Borrowed(&SHIPPED[frame]))
    }

    /// Reads a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::unpacked(bytes, |frame| Cow::Owned(bytes[frame].to_vec()))
    }

    /// Reads a file's bytes; `keep` takes parts of it that are unpacked later.
    fn unpacked(
        bytes: &[u8],
        keep: impl Fn(Range<usize>) -> Cow<'static, [u8]>,
    ) -> Result<Self, WeightsError> {
        let file = File::read(bytes)?;
        if !file.has_hidden {
            let numbers = decompressed(file.payload)?;
            if checksum(&numbers) != file.checksum {
                return Err(damaged("the checksum does not match"));
            }
            return Ok(Self::expand(&numbers));
        }
        let [weights, phases @ ..] = file.frames()?;
        let numbers = decompressed(&file.payload[weights])?;
        let payload_at = bytes.len() - file.payload.len();
        let packed = phases.map(|frame| keep(payload_at + frame.start..payload_at + frame.end));
        let hidden = Hidden::packed(packed, file.heads());
        Ok(Self::expand(&numbers).with_hidden(Some(hidden)))
    }

    /// The weights as a file's bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WeightsError> {
        let stored = &Stored::shipped().indices;
        let mut numbers = Vec::with_capacity(2 * STAGES * stored.len());
        let mut before = vec![0; stored.len()];
        for stage in 0..STAGES {
            let weights = self.stage(stage);
            for (before, &index) in before.iter_mut().zip(stored) {
                let weight = weights[index];
                numbers.extend(weight.wrapping_sub(*before).to_le_bytes());
                *before = weight;
            }
        }
        let weights = compressed(&numbers)?;
        let (version, checksum, payload) = match self.hidden() {
            None => (WITHOUT_HIDDEN, checksum(&numbers), weights),
            Some(hidden) => {
                let payload = payload_with(weights, hidden)?;
                (VERSION, checksum_of_words(&payload), payload)
            }
        };
        let description = description(self.hidden().is_some());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(description.as_bytes());
        bytes.extend(payload);
        Ok(bytes)
    }

    fn expand(numbers: &[u8]) -> Self {
        let Stored { sharing, indices } = Stored::shipped();
        let mut weights = Vec::with_capacity(STAGES * sharing.len());
        let mut table = vec![0i16; sharing.len()];
        for differences in numbers.chunks_exact(2 * indices.len()) {
            for (&index, difference) in indices.iter().zip(differences.chunks_exact(2)) {
                let difference = i16::from_le_bytes([difference[0], difference[1]]);
                table[index] = table[index].wrapping_add(difference);
            }
            weights.extend(sharing.iter().map(|&shared| table[shared as usize]));
        }
        Self::from_weights(weights).expect("the number of weights follows from the geometry")
    }
}

/// The payload of a file with a hidden layer.
fn payload_with(weights: Vec<u8>, hidden: &Hidden) -> Result<Vec<u8>, WeightsError> {
    let mut frames = vec![weights];
    for phase in 0..PHASES {
        frames.push(compressed(&packed(hidden, phase))?);
    }
    let mut payload = Vec::new();
    for frame in &frames {
        payload.extend((frame.len() as u32).to_le_bytes());
    }
    for n_empties in 0..HEADS {
        let Head { bias, weight } = hidden.head(n_empties);
        payload.extend(bias.iter().chain(weight).flat_map(|n| n.to_le_bytes()));
    }
    payload.extend(frames.concat());
    Ok(payload)
}

/// The numbers of a phase, as its frame has them.
fn packed(hidden: &Hidden, phase: usize) -> Vec<u8> {
    let (rows, halves) = (hidden.rows(phase), hidden.halves(phase));
    let stored = Stored::shipped().indices.iter();
    let own = stored.map(|&index| rows[index].minus(Halves::shipped().sum(index, halves)));
    let rows: Vec<Row> = own.chain(halves.iter().copied()).collect();
    (0..UNITS)
        .flat_map(|unit| rows.iter().map(move |row| row.0[unit] as u8))
        .collect()
}

/// The rows of a phase from its frame. Its checksum was right; a frame that is none all the same was
/// made by hand, and its layer adds nothing.
pub(super) fn unpack(frame: &[u8]) -> Phase {
    let Stored { sharing, indices } = Stored::shipped();
    let of = Halves::shipped();
    let n_column = indices.len() + of.len;
    let mut columns = vec![0; UNITS * n_column];
    let length = zstd::bulk::decompress_to_buffer(frame, &mut columns);
    if length.ok() != Some(columns.len()) {
        columns.fill(0);
    }
    let row = |at: usize| {
        Row(std::array::from_fn(|unit| {
            columns[unit * n_column + at] as i8
        }))
    };
    let halves: Vec<Row> = (indices.len()..n_column).map(row).collect();
    let mut rows = Vec::with_capacity(REACH);
    rows.resize(sharing.len(), Row::ZERO);
    for (at, &index) in indices.iter().enumerate() {
        rows[index] = row(at).plus(of.sum(index, &halves));
    }
    // A mirror image stands behind its original.
    for (index, &shared) in sharing.iter().enumerate() {
        rows[index] = rows[shared as usize];
    }
    Phase { rows, halves }
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

    /// A random hidden layer that respects mirror images.
    fn random_hidden() -> Hidden {
        let sharing = Geometry::shipped().sharing();
        let mut random = SplitMix64::new(2);
        let mut row = || Row(std::array::from_fn(|_| random.below(40) as i8 - 20));
        let phases = std::array::from_fn(|_| {
            let of = Halves::shipped();
            let halves: Vec<Row> = (0..of.len).map(|_| row()).collect();
            let mut rows = vec![Row::ZERO; N_WEIGHTS];
            for index in 0..N_WEIGHTS {
                let shared = sharing[index] as usize;
                rows[index] = if shared != index {
                    rows[shared]
                } else if index + 1 == MOBILITY_OFFSET {
                    Row::ZERO
                } else if index % 20 == 0 {
                    row()
                } else {
                    of.sum(index, &halves)
                };
            }
            Phase { rows, halves }
        });
        let heads = std::array::from_fn(|_| Head {
            bias: std::array::from_fn(|_| random.below(256) as i16),
            weight: std::array::from_fn(|_| random.below(4000) as i16 - 2000),
        });
        Hidden::new(phases, Box::new(heads))
    }

    #[test]
    fn weights_round_trip_and_value_symmetric_boards_alike() {
        for has_hidden in [false, true] {
            let pattern = random_pattern().with_hidden(has_hidden.then(random_hidden));
            let bytes = pattern.to_bytes().unwrap();
            let again = Pattern::from_bytes(&bytes).unwrap();
            assert_eq!(again.hidden().is_some(), has_hidden);
            for board in random_boards(61).take(200) {
                let value = pattern.evaluate(&pattern.root(board), board);
                for symmetry in othello::Symmetry::ALL {
                    let image = symmetry.board(board);
                    assert_eq!(again.evaluate(&again.root(image), image), value);
                }
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

//! A game as bytes.

use super::{Choice, Ply, RecordedGame};
use engine::checksum::checksum;
use othello::{Bitboard, Position, Side, Square};

/// A board has no more squares.
pub(super) const PLIES_MAX: usize = 64;

const OWN_START: u8 = 1;
const WHITE_BEGINS: u8 = 2;

const GIVEN: u8 = 0;
const RANDOM: u8 = 254;
const EXACT: u8 = 255;

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// Checksums of 32 bits behind records, none elsewhere.
    One,
    Two,
}

impl Version {
    pub(super) const CURRENT: Self = Self::Two;

    pub(super) const fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    pub(super) fn from_number(number: u32) -> Option<Self> {
        [Self::One, Self::Two]
            .into_iter()
            .find(|version| version.number() == number)
    }

    /// Bytes of a record that say how long it is.
    pub(super) const fn head_length(self) -> usize {
        match self {
            Self::One => 2,
            Self::Two => 4,
        }
    }

    /// What the head says about its record: flags and number of placements.
    pub(super) fn head(self, bytes: &[u8]) -> Result<(u8, usize), String> {
        let (flags, n_plies) = (bytes[0], bytes[1]);
        let agrees = match self {
            Self::One => true,
            Self::Two => bytes[2..4] == [!flags, !n_plies],
        };
        let is_known = [0, OWN_START, OWN_START | WHITE_BEGINS].contains(&flags);
        if !agrees || !is_known || usize::from(n_plies) > PLIES_MAX {
            return Err(format!("flags {flags} and {n_plies} placements cannot be"));
        }
        Ok((flags, n_plies.into()))
    }

    pub(super) const fn record_length(self, flags: u8, n_plies: usize) -> usize {
        let start = if flags & OWN_START == 0 { 0 } else { 16 };
        let sum = match self {
            Self::One => 4,
            Self::Two => 8,
        };
        self.head_length() + start + 4 * n_plies + sum
    }

    /// The checksum that goes behind these bytes.
    fn sum(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            // 32-bit FNV-1a, which nothing else uses any more.
            Self::One => {
                let sum = bytes.iter().fold(0x811c_9dc5u32, |sum, &byte| {
                    (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
                });
                sum.to_le_bytes().to_vec()
            }
            Self::Two => checksum(bytes).to_le_bytes().to_vec(),
        }
    }

    /// The bytes of a game.
    pub(super) fn write(self, game: &RecordedGame) -> Vec<u8> {
        let n_plies = u8::try_from(game.plies.len()).expect("a board has 64 squares");
        let flags = match (game.start == Position::START, game.start.side) {
            (true, _) => 0,
            (false, Side::Black) => OWN_START,
            (false, Side::White) => OWN_START | WHITE_BEGINS,
        };
        let mut bytes = Vec::with_capacity(self.record_length(flags, game.plies.len()));
        bytes.extend([flags, n_plies]);
        if self == Self::Two {
            bytes.extend([!flags, !n_plies]);
        }
        if flags & OWN_START != 0 {
            for side in Side::BOTH {
                bytes.extend(game.start.discs(side).0.to_le_bytes());
            }
        }
        for ply in &game.plies {
            let choice = match ply.choice {
                Choice::Given => GIVEN,
                Choice::Random => RANDOM,
                Choice::Exact => EXACT,
                Choice::Search(depth) => depth.clamp(1, PLIES_MAX as u8),
            };
            bytes.extend([ply.square.index() as u8, choice]);
            bytes.extend(ply.value.to_le_bytes());
        }
        let sum = self.sum(&bytes);
        bytes.extend(sum);
        bytes
    }

    /// The game of a record whose length fits its head.
    pub(super) fn read(self, bytes: &[u8]) -> Result<RecordedGame, String> {
        let (flags, n_plies) = self.head(bytes)?;
        let n_sum = self.record_length(0, 0) - self.head_length();
        let (body, sum) = bytes.split_at(bytes.len() - n_sum);
        if self.sum(body) != sum {
            return Err("its checksum does not match".to_owned());
        }
        let (start, plies) =
            body[self.head_length()..].split_at(body.len() - self.head_length() - 4 * n_plies);
        let start = if flags & OWN_START == 0 {
            Position::START
        } else {
            own_start(start, flags)?
        };
        let plies = plies
            .chunks_exact(4)
            .map(read_ply)
            .collect::<Result<Vec<_>, String>>()?;
        let game = RecordedGame::new(start, plies).map_err(|error| error.to_string())?;
        // A start of its own that is the usual one would have been written without.
        if game.start == Position::START && flags != 0 {
            return Err("the usual start is written in full".to_owned());
        }
        Ok(game)
    }
}

fn own_start(discs: &[u8], flags: u8) -> Result<Position, String> {
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| discs[at + i]));
    let side = if flags & WHITE_BEGINS == 0 {
        Side::Black
    } else {
        Side::White
    };
    Position::from_colours(Bitboard(word(0)), Bitboard(word(8)), side)
        .map_err(|error| error.to_string())
}

fn read_ply(bytes: &[u8]) -> Result<Ply, String> {
    let square = Square::new(bytes[0])
        .ok_or_else(|| format!("expected a square below 64, found {}", bytes[0]))?;
    let choice = match bytes[1] {
        GIVEN => Choice::Given,
        RANDOM => Choice::Random,
        EXACT => Choice::Exact,
        depth if usize::from(depth) <= PLIES_MAX => Choice::Search(depth),
        other => {
            return Err(format!(
                "expected a depth up to {PLIES_MAX}, 254 or 255, found {other}"
            ));
        }
    };
    Ok(Ply {
        square,
        choice,
        value: i16::from_le_bytes([bytes[2], bytes[3]]),
    })
}

impl RecordedGame {
    /// The bytes of the game's record in the newest version of the format.
    pub fn to_bytes(&self) -> Vec<u8> {
        Version::CURRENT.write(self)
    }
}

//! The header of every file.

use super::HEADER_BYTES;

/// The day a file was made, as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WthorDate {
    pub century: u8,
    pub year: u8,
    pub month: u8,
    pub day: u8,
}

/// The header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WthorHeader {
    /// When the file was made.
    pub created: WthorDate,
    /// How many games follow; 0 in files of names.
    pub n_games: u32,
    /// How many names follow; 0 in files of games.
    pub n_names: u16,
    /// The year of the games.
    pub year: u16,
    /// Squares a side: 8, or 0 for 8.
    pub board_size: u8,
    /// 1 for a file of solitaires, 0 otherwise.
    pub kind: u8,
    /// At how many empty squares the theoretical score holds.
    pub depth: u8,
    pub reserved: u8,
}

impl WthorHeader {
    pub const fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Self {
        let [
            c,
            y,
            m,
            d,
            g0,
            g1,
            g2,
            g3,
            n0,
            n1,
            y0,
            y1,
            board_size,
            kind,
            depth,
            reserved,
        ] = *bytes;
        Self {
            created: WthorDate {
                century: c,
                year: y,
                month: m,
                day: d,
            },
            n_games: u32::from_le_bytes([g0, g1, g2, g3]),
            n_names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            board_size,
            kind,
            depth,
            reserved,
        }
    }

    pub const fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let date = self.created;
        let [g0, g1, g2, g3] = self.n_games.to_le_bytes();
        let [n0, n1] = self.n_names.to_le_bytes();
        let [y0, y1] = self.year.to_le_bytes();
        [
            date.century,
            date.year,
            date.month,
            date.day,
            g0,
            g1,
            g2,
            g3,
            n0,
            n1,
            y0,
            y1,
            self.board_size,
            self.kind,
            self.depth,
            self.reserved,
        ]
    }
}

//! Files of games: their header, reading, appending.

use super::{RecordedGame, record::Version};
use crate::data::{Cut, GrowingFile, fill, is_cut_short};
use engine::checksum::checksum;
use std::io::{self, Read, SeekFrom};

const MAGIC: &[u8; 12] = b"KIBITZGAMES\0";
const FIXED_HEADER: usize = MAGIC.len() + 4 + 2;
const HEADER_SUM: usize = 8;
const SETTINGS_MAX: usize = 4096;

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not one of ours.
    #[error("not a file of self-play games: it does not begin with KIBITZGAMES")]
    NotGames,
    /// Written by a newer program.
    #[error("games format {0} is newer than this program, which reads up to {newest}", newest = Version::CURRENT.number())]
    Newer(u32),
    /// Longer than any settings are.
    #[error("settings of {0} bytes; expected UTF-8 of at most {SETTINGS_MAX}")]
    Settings(usize),
    /// The header was changed since it was written.
    #[error("the header is damaged: its checksum does not match")]
    DamagedHeader,
    /// Made in another way than asked for now.
    #[error("the file was made with other settings: it has {found:?}, asked for was {expected:?}")]
    OtherSettings {
        /// What the file has.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A record that was not written like this.
    #[error("game {number}, which begins at byte {at}, is damaged: {reason}")]
    Damaged {
        number: u64,
        /// Where the record begins.
        at: u64,
        reason: String,
    },
    /// The last record is not all there.
    #[error(
        "the file is cut short: of game {number}, which begins at byte {at}, there are only \
         {n_bytes} bytes; the {n_whole} games before it are whole",
        number = .0.n_whole + 1, at = .0.at, n_bytes = .0.n_bytes, n_whole = .0.n_whole
    )]
    Cut(Cut),
}

/// Whether a file begins like a file of games.
pub fn is_games(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

fn header(version: Version, settings: &str) -> Result<Vec<u8>, GamesError> {
    let length = u16::try_from(settings.len())
        .ok()
        .filter(|&length| usize::from(length) <= SETTINGS_MAX)
        .ok_or(GamesError::Settings(settings.len()))?;
    let mut header = MAGIC.to_vec();
    header.extend(version.number().to_le_bytes());
    header.extend(length.to_le_bytes());
    header.extend(settings.as_bytes());
    if version == Version::Two {
        let sum = checksum(&header);
        header.extend(sum.to_le_bytes());
    }
    Ok(header)
}

/// Reads a file game by game.
#[derive(Debug)]
pub struct GamesReader<R> {
    source: R,
    version: Version,
    settings: String,
    /// Where the next record begins, and its number.
    at: u64,
    number: u64,
    is_done: bool,
}

impl<R: Read> GamesReader<R> {
    pub fn new(mut source: R) -> Result<Self, GamesError> {
        let mut fixed = [0; FIXED_HEADER];
        if fill(&mut source, &mut fixed)? < FIXED_HEADER || !is_games(&fixed) {
            return Err(GamesError::NotGames);
        }
        let number = u32::from_le_bytes(std::array::from_fn(|i| fixed[MAGIC.len() + i]));
        let version = Version::from_number(number).ok_or(GamesError::Newer(number))?;
        let length = usize::from(u16::from_le_bytes([
            fixed[FIXED_HEADER - 2],
            fixed[FIXED_HEADER - 1],
        ]));
        let mut settings = vec![0; length];
        if length > SETTINGS_MAX || fill(&mut source, &mut settings)? < length {
            return Err(GamesError::Settings(length));
        }
        let settings = String::from_utf8(settings).map_err(|_| GamesError::Settings(length))?;
        let header = header(version, &settings)?;
        if version == Version::Two {
            let mut sum = [0; HEADER_SUM];
            let n_read = fill(&mut source, &mut sum)?;
            if n_read < HEADER_SUM || !header.ends_with(&sum) {
                return Err(GamesError::DamagedHeader);
            }
        }
        Ok(Self {
            source,
            version,
            settings,
            at: header.len() as u64,
            number: 0,
            is_done: false,
        })
    }

    /// How the games were made.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Where the last whole record ends.
    pub const fn end(&self) -> u64 {
        self.at
    }

    /// Whether all bytes of the file are covered by checksums; those of version 1 are not.
    pub fn has_checksums(&self) -> bool {
        self.version != Version::One
    }

    fn read_record(&mut self) -> Result<Option<RecordedGame>, GamesError> {
        let cut = |n_bytes: usize| {
            GamesError::Cut(Cut {
                n_whole: self.number,
                at: self.at,
                n_bytes: n_bytes as u64,
            })
        };
        let damaged = |reason: String| GamesError::Damaged {
            number: self.number + 1,
            at: self.at,
            reason,
        };
        let head = self.version.head_length();
        let mut bytes = vec![0; head];
        match fill(&mut self.source, &mut bytes)? {
            0 => return Ok(None),
            n_read if n_read < head => return Err(cut(n_read)),
            _ => {}
        }
        let (flags, n_plies) = self.version.head(&bytes).map_err(damaged)?;
        let length = self.version.record_length(flags, n_plies);
        bytes.resize(length, 0);
        let n_read = head + fill(&mut self.source, &mut bytes[head..])?;
        if n_read < length {
            return Err(cut(n_read));
        }
        let game = self.version.read(&bytes).map_err(damaged)?;
        self.at += length as u64;
        self.number += 1;
        Ok(Some(game))
    }
}

/// After an error there is nothing more: where the next record begins is not known.
impl<R: Read> Iterator for GamesReader<R> {
    type Item = Result<RecordedGame, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let record = self.read_record().transpose();
        self.is_done = !matches!(record, Some(Ok(_)));
        record
    }
}

/// Appends to a file of games, which may be new.
#[derive(Debug)]
pub struct GamesAppender<F> {
    file: F,
    version: Version,
    n_games: u64,
}

impl<F: GrowingFile> GamesAppender<F> {
    /// Checks the file, or begins it, and takes off what a crash left of a last record.
    pub fn new(mut file: F, settings: &str) -> Result<Self, GamesError> {
        let header = header(Version::CURRENT, settings)?;
        if is_cut_short(&mut file, &header)? {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            file.flush()?;
            return Self::at(file, header.len() as u64, Version::CURRENT, 0);
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = GamesReader::new(io::BufReader::new(&mut file))?;
        if reader.settings() != settings {
            return Err(GamesError::OtherSettings {
                found: reader.settings().to_owned(),
                expected: settings.to_owned(),
            });
        }
        match reader.by_ref().try_for_each(|game| game.map(drop)) {
            Ok(()) | Err(GamesError::Cut(_)) => {}
            Err(error) => return Err(error),
        }
        let (end, version, n_games) = (reader.end(), reader.version, reader.number);
        Self::at(file, end, version, n_games)
    }

    fn at(mut file: F, end: u64, version: Version, n_games: u64) -> Result<Self, GamesError> {
        file.truncate(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self {
            file,
            version,
            n_games,
        })
    }

    /// How many games the file has.
    pub const fn n_games(&self) -> u64 {
        self.n_games
    }

    pub fn append(&mut self, game: &RecordedGame) -> io::Result<()> {
        // One write, so that an interrupted program leaves whole records behind.
        self.file.write_all(&self.version.write(game))?;
        self.file.flush()?;
        self.n_games += 1;
        Ok(())
    }

    /// Waits until the games are on the device.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::testing::games, *};
    use std::io::Cursor;

    const SETTINGS: &str = "seed=1";
    const HEADER: usize = FIXED_HEADER + SETTINGS.len() + HEADER_SUM;

    fn read_all(bytes: &[u8]) -> Result<Vec<RecordedGame>, GamesError> {
        GamesReader::new(bytes)?.collect()
    }

    fn file_of(games: &[RecordedGame]) -> Vec<u8> {
        let mut appender = GamesAppender::new(Cursor::new(Vec::new()), SETTINGS).unwrap();
        for game in games {
            appender.append(game).unwrap();
        }
        appender.file.into_inner()
    }

    /// A file as the first version of the program wrote it.
    fn old_file_of(games: &[RecordedGame]) -> Vec<u8> {
        let mut bytes = header(Version::One, SETTINGS).unwrap();
        bytes.extend(games.iter().flat_map(|game| Version::One.write(game)));
        bytes
    }

    #[test]
    fn a_cut_is_told_and_games_are_appended_in_its_place() {
        let (old, new) = (games(1, 6), games(2, 2));
        for whole in [file_of(&old), old_file_of(&old)] {
            let version = GamesReader::new(whole.as_slice()).unwrap().version;
            let last = whole.len() - version.write(&old[5]).len();
            for length in [last, last + 1, last + 2, last + 30, whole.len() - 1] {
                let torn = &whole[..length];
                let mut reader = GamesReader::new(torn).unwrap();
                let found: Vec<_> = reader.by_ref().take(5).map(Result::unwrap).collect();
                assert_eq!(found, old[..5]);
                match reader.next() {
                    None => assert_eq!(length, last),
                    Some(Err(GamesError::Cut(cut))) => assert_eq!(
                        (cut.n_whole, cut.at, cut.n_bytes),
                        (5, last as u64, (length - last) as u64)
                    ),
                    Some(other) => panic!("{other:?}"),
                }
                let file = Cursor::new(torn.to_vec());
                let mut appender = GamesAppender::new(file, SETTINGS).unwrap();
                assert_eq!(appender.n_games(), 5);
                for game in &new {
                    appender.append(game).unwrap();
                }
                let found = read_all(appender.file.get_ref()).unwrap();
                assert_eq!(found, [&old[..5], &new].concat());
            }
        }
        let whole = file_of(&old);
        for length in 0..HEADER {
            let file = Cursor::new(whole[..length].to_vec());
            let appender = GamesAppender::new(file, SETTINGS).unwrap();
            assert_eq!(appender.n_games(), 0);
        }
        assert_eq!(
            read_all(&whole[..whole.len() - 1]).unwrap_err().to_string(),
            "the file is cut short: of game 6, which begins at byte 548, there are only 127 bytes; \
             the 5 games before it are whole"
        );
    }

    #[test]
    fn no_changed_byte_is_accepted_or_taken_for_a_cut() {
        let bytes = file_of(&games(3, 4));
        for at in 0..bytes.len() {
            for change in [1, 0x10, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let error = read_all(&damaged).expect_err(&format!("byte {at}"));
                assert!(!matches!(error, GamesError::Cut(_)), "byte {at}: {error}");
                let appending = GamesAppender::new(Cursor::new(damaged), SETTINGS);
                assert!(appending.is_err(), "byte {at}");
            }
        }
        let mut damaged = bytes;
        damaged[HEADER + 9] ^= 1;
        assert_eq!(
            read_all(&damaged).unwrap_err().to_string(),
            "game 1, which begins at byte 32, is damaged: its checksum does not match"
        );
    }

    #[test]
    fn the_first_version_is_read_and_said_to_be_it() {
        let old = old_file_of(&games(5, 3));
        let reader = GamesReader::new(old.as_slice()).unwrap();
        assert!(!reader.has_checksums());
        let found: Vec<_> = reader.map(Result::unwrap).collect();
        assert_eq!(found, games(5, 3));
        let now = file_of(&found);
        assert!(GamesReader::new(now.as_slice()).unwrap().has_checksums());
    }

    #[test]
    fn foreign_files_and_other_settings_are_told() {
        assert!(matches!(read_all(b"PK"), Err(GamesError::NotGames)));
        let foreign = GamesAppender::new(Cursor::new(b"PK".to_vec()), SETTINGS);
        assert!(matches!(foreign, Err(GamesError::NotGames)));
        let file = Cursor::new(file_of(&games(3, 4)));
        let message = GamesAppender::new(file, "seed=2").unwrap_err().to_string();
        assert_eq!(
            message,
            "the file was made with other settings: it has \"seed=1\", asked for was \"seed=2\""
        );
        let mut newer = MAGIC.to_vec();
        newer.extend([9, 0, 0, 0, 0, 0]);
        assert!(matches!(read_all(&newer), Err(GamesError::Newer(9))));
    }
}

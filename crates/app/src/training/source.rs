//! Games and positions to learn from, wherever they are.

use learn::{
    data::{self, Cut, Labelled},
    games::{GamesError, GamesReader, is_games},
    label::Source,
};
use othello::{Board, Game, Move, notation::read_wthor};
use std::{
    fmt,
    fs::{self, File},
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
};

/// How files are read, and who hears about them.
pub struct Reading<'a> {
    /// Whether a file whose end is missing is used as far as it is whole; refused otherwise.
    pub allow_cut: bool,
    /// Told what is not as it should be.
    pub warn: &'a mut dyn FnMut(&str),
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading")
            .field("allow_cut", &self.allow_cut)
            .finish_non_exhaustive()
    }
}

/// Why there is nothing to learn from.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read { path: PathBuf, source: io::Error },
    /// Its contents are of no use.
    #[error("{path}: {reason}", path = path.display())]
    Contents { path: PathBuf, reason: String },
    /// Its end is missing, and that was not allowed.
    #[error("{}; {remedy}, or use what is whole with --allow-cut", told(path, *cut, what))]
    Cut {
        path: PathBuf,
        cut: Cut,
        /// What the file has.
        what: &'static str,
        /// How to get the rest.
        remedy: &'static str,
    },
}

fn told(path: &Path, cut: Cut, what: &str) -> String {
    let Cut {
        n_whole,
        at,
        n_bytes,
    } = cut;
    format!(
        "{} is cut short: {n_whole} whole {what}, then {n_bytes} bytes at byte {at} that are not",
        path.display()
    )
}

/// Which games are kept out of training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HoldOut {
    /// Tournament games of this year and later ones.
    pub from_year: u32,
    /// Every so many games of a file of self-play; none with 0.
    pub every: u64,
}

impl Reading<'_> {
    /// All games of a folder of WTHOR games or of a file of self-play, and in words which of them
    /// are held out.
    pub fn games(
        &mut self,
        path: &Path,
        hold_out: HoldOut,
    ) -> Result<(Vec<Source>, String), SourceError> {
        let HoldOut { from_year, every } = hold_out;
        if path.is_dir() {
            return Ok((wthor_games(path, from_year)?, format!("from {from_year}")));
        }
        let games = self.self_play_games(path, every)?;
        Ok((games, format!("every {every}")))
    }

    fn take_cut(
        &mut self,
        path: &Path,
        cut: Cut,
        what: &'static str,
        remedy: &'static str,
    ) -> Result<(), SourceError> {
        if self.allow_cut {
            (self.warn)(&told(path, cut, what));
            return Ok(());
        }
        Err(SourceError::Cut {
            path: path.to_owned(),
            cut,
            what,
            remedy,
        })
    }

    fn without_checksums(&mut self, path: &Path) {
        (self.warn)(&format!(
            "{} is of an older format without checksums: damage would not be noticed",
            path.display()
        ));
    }

    /// All games of a file; every `hold_out_every`th is held out, none with 0.
    pub fn self_play_games(
        &mut self,
        path: &Path,
        hold_out_every: u64,
    ) -> Result<Vec<Source>, SourceError> {
        let unusable = |error: GamesError| contents(path, &error);
        let reader = GamesReader::new(BufReader::new(open(path)?)).map_err(unusable)?;
        if !reader.has_checksums() {
            self.without_checksums(path);
        }
        let mut sources = Vec::new();
        for (game, number) in reader.zip(1u64..) {
            let held_out = number.checked_rem(hold_out_every) == Some(0);
            match game {
                Ok(game) => sources.push(game.source(held_out)),
                Err(GamesError::Cut(cut)) => {
                    let remedy = "the kibitz selfplay command that made it mends it";
                    self.take_cut(path, cut, "games", remedy)?;
                }
                Err(error) => return Err(unusable(error)),
            }
        }
        if sources.is_empty() {
            return Err(contents(path, &"there are no games yet"));
        }
        Ok(sources)
    }

    /// The positions of a data file.
    pub fn data(&mut self, path: &Path) -> Result<Vec<Labelled>, SourceError> {
        self.data_of(path, BufReader::new(open(path)?))
    }

    fn data_of(
        &mut self,
        path: &Path,
        reader: BufReader<File>,
    ) -> Result<Vec<Labelled>, SourceError> {
        let found = data::read(reader).map_err(|error| contents(path, &error))?;
        if !found.has_checksums {
            self.without_checksums(path);
        }
        if let Some(cut) = found.cut {
            let remedy = "make it again with kibitz train label";
            self.take_cut(path, cut, "positions", remedy)?;
        }
        Ok(found.positions)
    }

    /// All positions of a folder of WTHOR games, of a file of self-play games, or of a data file,
    /// where the side to move can move.
    pub fn positions(&mut self, path: &Path) -> Result<Vec<Board>, SourceError> {
        let boards = |games: Vec<Source>| games.iter().flat_map(|it| boards_of(&it.game)).collect();
        if path.is_dir() {
            return Ok(boards(wthor_games(path, u32::MAX)?));
        }
        let mut reader = BufReader::new(open(path)?);
        let beginning = reader.fill_buf().map_err(|source| SourceError::Read {
            path: path.to_owned(),
            source,
        })?;
        if is_games(beginning) {
            return Ok(boards(self.self_play_games(path, 0)?));
        }
        if !data::is_data(beginning) {
            let reason = "neither a folder of WTHOR games (*.wtb), nor a file of kibitz selfplay, \
                          nor one of kibitz train label";
            return Err(contents(path, &reason));
        }
        let data = self.data_of(path, reader)?;
        Ok(data.into_iter().map(|labelled| labelled.board).collect())
    }
}

/// All games of a folder, by file name, each with the value that its file proves.
pub fn wthor_games(folder: &Path, hold_out_from: u32) -> Result<Vec<Source>, SourceError> {
    let entries = fs::read_dir(folder).map_err(|source| SourceError::Read {
        path: folder.to_owned(),
        source,
    })?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("wtb"))
        })
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(contents(folder, &"there are no WTHOR games (*.wtb)"));
    }
    let mut sources = Vec::new();
    for path in paths {
        let reader = read_wthor(BufReader::new(open(&path)?));
        let reader = reader.map_err(|problem| contents(&path, &problem))?;
        let header = reader.header();
        for game in reader {
            let game = game.map_err(|problem| contents(&path, &problem))?;
            sources.push(Source {
                game: game.game().map_err(|error| contents(&path, &error))?,
                proven: (header.depth > 0).then(|| {
                    let black = 2 * i32::from(game.theoretical_score) - 64;
                    (u32::from(header.depth), black as i8)
                }),
                held_out: u32::from(header.year) >= hold_out_from,
                values: Vec::new(),
            });
        }
    }
    Ok(sources)
}

fn open(path: &Path) -> Result<File, SourceError> {
    File::open(path).map_err(|source| SourceError::Read {
        path: path.to_owned(),
        source,
    })
}

fn contents(path: &Path, reason: &dyn fmt::Display) -> SourceError {
    SourceError::Contents {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

/// The positions before each placement.
fn boards_of(game: &Game) -> Vec<Board> {
    let mut replay = Game::from_position(game.start());
    let mut boards = Vec::with_capacity(60);
    for action in game.moves() {
        if action != Move::Pass {
            boards.push(replay.position().board);
        }
        // The moves come from a game, so they are legal.
        if replay.play(action).is_err() {
            break;
        }
    }
    boards
}

//! Files of games that grow with a tournament.

use anyhow::Context as _;
use app::tournament::{GamesFile, PairLine, Settings, Tournament, game_record, write_game};
use std::{
    fs::{File, OpenOptions},
    io::{BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

/// A file to which finished games are added.
#[derive(Debug)]
pub(super) struct Games {
    file: BufWriter<File>,
    path: PathBuf,
    settings: Settings,
    is_transcript: bool,
    /// Where our games begin, if nothing but them is behind it.
    start: Option<u64>,
    /// How many bytes of our games are in the file.
    ours: u64,
}

/// What stands in a file behind the place where our games begin.
enum Found {
    /// So far the games of the tournament.
    Ours(BufReader<File>),
    /// They end; what is missing is written.
    End,
    /// Something else: games are added behind it as they come.
    Foreign,
}

impl Games {
    fn new(file: File, path: &Path, tournament: &Tournament) -> Self {
        let is_ggf = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("ggf"));
        Self {
            file: BufWriter::new(file),
            path: path.to_owned(),
            settings: tournament.settings.clone(),
            is_transcript: !is_ggf,
            start: None,
            ours: 0,
        }
    }

    /// All games that count, as a file of their own.
    pub(super) fn export(path: &Path, tournament: &Tournament) -> anyhow::Result<()> {
        let file = File::create(path).with_context(|| cannot(path))?;
        Self::new(file, path, tournament).add_all(tournament)
    }

    /// The file that a tournament's games are added to: the one that is wanted, or the one that it
    /// began with. What is in it stays. Games that were finished and did not come into it, because
    /// the program was killed in between, are added first.
    pub(super) fn follow(
        wanted: Option<&Path>,
        tournament: &Tournament,
    ) -> anyhow::Result<Option<Self>> {
        let kept = tournament.games_file();
        let wanted = wanted.map(std::path::absolute).transpose()?;
        let (path, start) = match (wanted, kept) {
            (None, None) => return Ok(None),
            (None, Some(kept)) => (kept.file, Some(kept.start)),
            (Some(path), Some(kept)) if path == kept.file => (path, Some(kept.start)),
            (Some(path), _) => (path, None),
        };
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).open(&path);
        let file = file.with_context(|| cannot(&path))?;
        let about = file.metadata().with_context(|| cannot(&path))?;
        let mut games = Self::new(file, &path, tournament);
        if !about.is_file() {
            // A pipe or a device has no past.
            games.catch_up(tournament, Found::End)?;
            return Ok(Some(games));
        }
        let start = start.unwrap_or(about.len()).min(about.len());
        let its = GamesFile {
            file: path.clone(),
            start,
        };
        tournament.keep_games_file(&its)?;
        let mut there = File::open(&path).with_context(|| cannot(&path))?;
        there.seek(SeekFrom::Start(start))?;
        let found = games.catch_up(tournament, Found::Ours(BufReader::new(there)))?;
        games.start = (!matches!(found, Found::Foreign)).then_some(start);
        Ok(Some(games))
    }

    /// Writes what is missing of the games that are finished.
    fn catch_up(&mut self, tournament: &Tournament, mut found: Found) -> anyhow::Result<Found> {
        let mut failure = None;
        tournament.for_each_finished(|pair| {
            for text in self.texts(pair) {
                self.ours += text.len() as u64;
                let written = match &mut found {
                    Found::Foreign => Ok(()),
                    Found::End => self.file.write_all(text.as_bytes()),
                    Found::Ours(reader) => match common(reader, text.as_bytes()) {
                        Ok(Some(n)) if n == text.len() => Ok(()),
                        Ok(Some(n)) => {
                            found = Found::End;
                            self.file.write_all(&text.as_bytes()[n..])
                        }
                        Ok(None) => {
                            found = Found::Foreign;
                            Ok(())
                        }
                        Err(error) => Err(error),
                    },
                };
                if let Err(error) = written {
                    failure.get_or_insert(error);
                }
            }
        })?;
        if let Found::Ours(reader) = &mut found
            && reader.read(&mut [0])? > 0
        {
            found = Found::Foreign;
        }
        let flushed = failure.map_or_else(|| self.file.flush(), Err);
        flushed.with_context(|| cannot(&self.path))?;
        Ok(found)
    }

    fn texts(&self, pair: &PairLine) -> Vec<String> {
        (0..pair.games.len())
            .filter_map(|number| game_record(&self.settings, pair, number))
            .map(|record| write_game(&record, self.is_transcript))
            .collect()
    }

    /// Adds the games of a pair. Whole games only, also for a reader of the file in between.
    pub(super) fn add(&mut self, pair: &PairLine) -> anyhow::Result<()> {
        for text in self.texts(pair) {
            self.ours += text.len() as u64;
            self.file
                .write_all(text.as_bytes())
                .with_context(|| cannot(&self.path))?;
        }
        self.file.flush().with_context(|| cannot(&self.path))
    }

    /// A game behind the one by which a test has decided may be in the file, and does not count: the
    /// tournament's part of the file is written anew, if it is only its own.
    pub(super) fn keep_what_counts(mut self, tournament: &Tournament) -> anyhow::Result<()> {
        let Some(start) = self.start else {
            return Ok(());
        };
        self.file.flush()?;
        // Another tournament may have added its games meanwhile.
        let about = self.file.get_ref().metadata();
        if about.with_context(|| cannot(&self.path))?.len() != start + self.ours {
            return Ok(());
        }
        // Not every system cuts a file that is open for adding.
        let whole = OpenOptions::new().write(true).open(&self.path);
        let cut = whole.and_then(|it| it.set_len(start));
        cut.with_context(|| cannot(&self.path))?;
        self.add_all(tournament)
    }

    fn add_all(mut self, tournament: &Tournament) -> anyhow::Result<()> {
        let mut failure = None;
        tournament.for_each_pair(|pair| {
            if failure.is_none() {
                failure = self.add(pair).err();
            }
        })?;
        failure.map_or(Ok(()), Err)
    }
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// How much of a text stands next in a file that may end within it; `None` if something else does.
fn common(reader: &mut impl Read, text: &[u8]) -> std::io::Result<Option<usize>> {
    let mut there = Vec::with_capacity(text.len());
    let n = reader.take(text.len() as u64).read_to_end(&mut there)?;
    Ok(text.starts_with(&there).then_some(n))
}

//! Files of games that grow with a tournament.

use anyhow::Context as _;
use app::tournament::{PairLine, Settings, Tournament, game_record, write_game};
use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

/// A file to which finished games are added.
#[derive(Debug)]
pub(super) struct Games {
    file: BufWriter<File>,
    path: PathBuf,
    settings: Settings,
    is_transcript: bool,
}

impl Games {
    /// Begins the file with all games that are finished already.
    pub(super) fn begin(path: &Path, tournament: &Tournament) -> anyhow::Result<Self> {
        let file = File::create(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        let is_ggf = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("ggf"));
        let mut games = Self {
            file: BufWriter::new(file),
            path: path.to_owned(),
            settings: tournament.settings.clone(),
            is_transcript: !is_ggf,
        };
        let mut failure = None;
        tournament.for_each_pair(|pair| {
            if failure.is_none() {
                failure = games.add(pair).err();
            }
        })?;
        failure.map_or(Ok(games), Err)
    }

    /// Adds the games of a pair. Whole games only, also for a reader of the file in between.
    pub(super) fn add(&mut self, pair: &PairLine) -> anyhow::Result<()> {
        for number in 0..pair.games.len() {
            if let Some(record) = game_record(&self.settings, pair, number) {
                let text = write_game(&record, self.is_transcript);
                self.file
                    .write_all(text.as_bytes())
                    .with_context(|| format!("cannot write {}", self.path.display()))?;
            }
        }
        Ok(self.file.flush()?)
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.file.flush();
        flushed.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

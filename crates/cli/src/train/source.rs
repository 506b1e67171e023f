//! Games and positions to learn from, wherever they are.

use anyhow::{Context as _, bail};
use app::{
    selfplay::{GamesReader, is_games},
    training::{self, Source},
};
use othello::{Board, Game, Move, notation::read_wthor};
use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
};

/// All games of a file; every `hold_out_every`th is held out.
pub(crate) fn self_play_games(path: &Path, hold_out_every: u64) -> anyhow::Result<Vec<Source>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let reader = GamesReader::new(BufReader::new(file)).with_context(|| shown.to_string())?;
    let sources = reader
        .zip(1u64..)
        .map(|(game, number)| {
            let held_out = number.checked_rem(hold_out_every) == Some(0);
            Ok(game.with_context(|| shown.to_string())?.source(held_out))
        })
        .collect::<anyhow::Result<Vec<Source>>>()?;
    if sources.is_empty() {
        bail!("{shown} has no games yet");
    }
    Ok(sources)
}

/// All games of a folder, by file name, each with the value that its file proves.
pub(crate) fn wthor_games(folder: &Path, hold_out_from: u32) -> anyhow::Result<Vec<Source>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("wtb"))
        })
        .collect();
    paths.sort();
    if paths.is_empty() {
        bail!("no WTHOR games (*.wtb) in {}", folder.display());
    }
    let mut sources = Vec::new();
    for path in paths {
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let reader =
            read_wthor(BufReader::new(file)).with_context(|| path.display().to_string())?;
        let header = reader.header();
        for game in reader {
            let game = game.with_context(|| path.display().to_string())?;
            sources.push(Source {
                game: game.game().with_context(|| path.display().to_string())?,
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

/// All positions of a folder of WTHOR games, of a file of self-play games, or of a data file, where
/// the side to move can move.
pub(crate) fn positions(path: &Path) -> anyhow::Result<Vec<Board>> {
    if path.is_dir() {
        let games = wthor_games(path, u32::MAX)?;
        return Ok(games.iter().flat_map(|it| boards_of(&it.game)).collect());
    }
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut reader = BufReader::new(file);
    let beginning = reader
        .fill_buf()
        .with_context(|| format!("cannot read {shown}"))?;
    if is_games(beginning) {
        let games = self_play_games(path, 0)?;
        return Ok(games.iter().flat_map(|it| boards_of(&it.game)).collect());
    }
    let data = training::read(reader).with_context(|| {
        format!("{shown} is neither a folder of WTHOR games nor a file of self-play games")
    })?;
    Ok(data.into_iter().map(|labelled| labelled.board).collect())
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

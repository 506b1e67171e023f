//! Reads and replays every WTHOR game of a folder and says how fast:
//! `cargo run --release -p othello --example wthor_replay -- FOLDER`.

use othello::Game;
use othello::notation::read_wthor;
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Write as _, stdout};
use std::path::PathBuf;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("expected a folder of .wtb files")?;
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("wtb"))
        {
            paths.push(path);
        }
    }
    let mut out = stdout().lock();
    for (name, replay) in [("board", board as fn(&_, &mut _) -> _), ("game", game)] {
        let (total, elapsed) = timed(|| run(&paths, replay))?;
        let per_second = f64::from(total.games) / elapsed.as_secs_f64();
        writeln!(
            out,
            "{name}: {total:?} in {elapsed:.3?}, {per_second:.0} games/s"
        )?;
    }
    Ok(())
}

/// Counts over all files that were replayed.
#[derive(Debug, Default)]
struct Total {
    games: u32,
    moves: usize,
    illegal: u32,
    complete: u32,
    wrong_score: u32,
}

type Replay = fn(&othello::notation::WthorGame, &mut Game) -> Option<(usize, Option<u8>)>;

fn run(paths: &[PathBuf], replay: Replay) -> Result<Total, Box<dyn Error>> {
    let mut total = Total::default();
    let mut scratch = Game::new();
    for path in paths {
        for item in read_wthor(BufReader::new(File::open(path)?))? {
            let wthor = item?;
            total.games += 1;
            match replay(&wthor, &mut scratch) {
                None => total.illegal += 1,
                Some((n_moves, score)) => {
                    total.moves += n_moves;
                    total.complete += u32::from(score.is_some());
                    total.wrong_score += u32::from(score.is_some_and(|s| s != wthor.black_score));
                }
            }
        }
    }
    Ok(total)
}

fn board(wthor: &othello::notation::WthorGame, _: &mut Game) -> Option<(usize, Option<u8>)> {
    let replay = wthor.replay().ok()?;
    Some((replay.n_moves, replay.black_score()))
}

fn game(wthor: &othello::notation::WthorGame, game: &mut Game) -> Option<(usize, Option<u8>)> {
    wthor.replay_into(game).ok()?;
    let placed = game.moves().filter(|action| action.square().is_some());
    let score = game.outcome().map(|outcome| outcome.black as u8);
    Some((placed.count(), score))
}

#[expect(
    clippy::disallowed_methods,
    reason = "measuring time is what this is for"
)]
fn timed<T>(
    work: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, Duration), Box<dyn Error>> {
    let start = std::time::Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

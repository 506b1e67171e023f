//! `kibitz import`, `fetch`, `games`, `explore` and `db`: the games that the user keeps.

mod edit;
mod explore;
mod fetch;
mod games;
mod import;
mod tools;

pub(crate) use explore::{Args as ExploreArgs, run as explore};
pub(crate) use fetch::{Args as FetchArgs, run as fetch};
pub(crate) use games::{Args as GamesArgs, run as games};
pub(crate) use import::{Args as ImportArgs, run as import};
pub(crate) use tools::{Args as DbArgs, run as db};

use crate::{configured::HomeArgs, position};
use anyhow::Context as _;
use app::{
    Home,
    library::{self, Store, StoredGame, date_text},
};
use game::{Kind, Position};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The flags that say which database a command works on.
#[derive(Debug, clap::Args)]
pub(crate) struct DbFile {
    /// The database; without it, kibitz.db in the home folder
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    #[command(flatten)]
    home: HomeArgs,
}

impl DbFile {
    fn path(&self) -> anyhow::Result<PathBuf> {
        path_of(self.db.as_deref(), self.home.folder())
    }

    /// The database, which must be there.
    fn open(&self) -> anyhow::Result<Store> {
        Ok(Store::open_existing(&self.path()?)?)
    }

    /// The database for games that come from elsewhere; the first of them make it.
    fn open_or_make(&self) -> anyhow::Result<Store> {
        Ok(Store::open(&self.path()?)?)
    }
}

/// The database that is meant: the named one, else the home's.
pub(crate) fn path_of(db: Option<&Path>, home: Option<&Path>) -> anyhow::Result<PathBuf> {
    Ok(match db {
        Some(path) => path.to_owned(),
        None => Home::open(home)?.database(),
    })
}

/// `38-26` in Othello, `1-0` in chess, or what there is instead.
fn result_text(game: &StoredGame) -> String {
    match (game.packed.kind, game.score) {
        (_, None) => "*".to_owned(),
        (Kind::Othello, Some(score)) => {
            // Empty squares go to the winner, so that both add up to 64.
            let black = (64 + i32::from(score)) / 2;
            format!("{black}-{}", 64 - black)
        }
        (Kind::Chess, Some(_)) => library::result_text(game.winner()).to_owned(),
    }
}

fn game_json(game: &StoredGame) -> Value {
    let known = |elo: u16| (elo != 0).then_some(elo);
    json!({
        "id": game.id,
        "game": game.packed.kind.name(),
        "black": game.black,
        "white": game.white,
        "event": game.event,
        "date": date_text(game.date),
        "score": game.score,
        "result": result_text(game),
        "blackElo": known(game.black_elo),
        "whiteElo": known(game.white_elo),
        "plies": game.length,
        "moves": library::moves_text(game),
    })
}

/// Which game a position or moves are of; without it, Othello is tried first.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum GameFlag {
    Othello,
    Chess,
}

impl GameFlag {
    const fn kind(self) -> Kind {
        match self {
            Self::Othello => Kind::Othello,
            Self::Chess => Kind::Chess,
        }
    }
}

/// A position as users type it, of either game.
fn position_of(text: &str, flag: Option<GameFlag>) -> anyhow::Result<Position> {
    if let Some(flag) = flag {
        let kind = flag.kind();
        let board = kind.parse_position(text).ok();
        let found = board.or_else(|| library::after_moves(kind, text));
        let expected = "expected a board, a FEN or moves from the start";
        return found.with_context(|| format!("{text:?} is no position of {kind}; {expected}"));
    }
    match position::parse(text) {
        Ok(game) => Ok(game.position().into()),
        Err(error) => library::position(text).ok_or(error),
    }
}

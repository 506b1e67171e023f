//! `kibitz import`, `games`, `explore` and `db`: the games that the user keeps.

mod explore;
mod games;
mod import;
mod tools;

pub(crate) use explore::{Args as ExploreArgs, run as explore};
pub(crate) use games::{Args as GamesArgs, run as games};
pub(crate) use import::{Args as ImportArgs, run as import};
pub(crate) use tools::{Args as DbArgs, run as db};

use crate::configured::HomeArgs;
use app::{
    Home,
    library::{Store, StoredGame, date_text},
};
use serde_json::{Value, json};
use std::path::PathBuf;

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
    fn open(&self) -> anyhow::Result<Store> {
        let path = match &self.db {
            Some(path) => path.clone(),
            None => Home::open(self.home.folder())?.database(),
        };
        Ok(Store::open(&path)?)
    }
}

/// `38–26`, or what there is instead.
fn result_text(score: Option<i8>) -> String {
    match score {
        None => "*".to_owned(),
        Some(score) => {
            // Empty squares go to the winner, so that both add up to 64.
            let black = (64 + i32::from(score)) / 2;
            format!("{black}-{}", 64 - black)
        }
    }
}

fn game_json(game: &StoredGame) -> Value {
    let known = |elo: u16| (elo != 0).then_some(elo);
    json!({
        "id": game.id,
        "black": game.black,
        "white": game.white,
        "event": game.event,
        "date": date_text(game.date),
        "score": game.score,
        "blackElo": known(game.black_elo),
        "whiteElo": known(game.white_elo),
        "plies": game.packed.moves.len(),
        "moves": moves_text(game),
    })
}

fn moves_text(game: &StoredGame) -> String {
    let record = game.packed.replay();
    record.map_or_else(
        |error| error.to_string(),
        |it| it.to_othello_game().transcript(),
    )
}

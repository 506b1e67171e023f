//! What a list shows of a game, read from the beginning of its file.

use super::{
    LoadError, Mode, People, PlayerKind, PlayerName, Session,
    people::{player_of, tag_of},
    rated::points_against,
    save::{Ended, MODES, SavedEnd, SavedOpponent, VERSION, kind_of, value_of},
    words::outcome_text,
};
use crate::{Profile, level_title};
use game::{Kind, Move, Outcome, Side};
use serde::Deserialize;

/// What a list shows of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    pub revision: u64,
    /// What it is for.
    pub mode: Mode,
    /// Which game is played.
    pub kind: Kind,
    /// What the user calls it.
    pub title: Option<String>,
    /// Moves of its main line.
    pub plies: usize,
    /// What is going on at the place that is shown.
    pub status: String,
    /// Who has Black and White, or had them.
    pub players: [PlayerName; 2],
    /// How the game ended that was played here, or that was recorded elsewhere.
    pub outcome: Option<Outcome>,
    /// The level and the person's points, if the game counts for the person's rating.
    pub rated: Option<(Profile, f64)>,
}

/// The beginning of a file, up to its first place.
#[derive(Deserialize)]
struct Beginning {
    version: u32,
    revision: u64,
    mode: String,
    game: Option<String>,
    title: Option<String>,
    plies: Option<usize>,
    status: Option<String>,
    people: String,
    level: String,
    outcome: Option<Ended>,
    opponent: Option<SavedOpponent>,
    played: Option<SavedEnd>,
    #[serde(default)]
    tags: Vec<(String, String)>,
}

impl Beginning {
    /// `None` if the places must be looked at: the file was edited or is damaged, or it is of a
    /// version that did not say how a game ended.
    fn header(self) -> Option<Header> {
        let people = value_of(&self.people, &People::NAMES).ok()?;
        let is_told = self.version == VERSION
            || (people == People::Both && self.mode == "analyse")
            || people == People::Nobody;
        if self.version > VERSION || !is_told {
            return None;
        }
        let level: Profile = self.level.parse().ok()?;
        let players = Side::BOTH.map(|side| {
            let mut tags = self.tags.iter();
            let tag = tags.find(|(name, _)| name == tag_of(side));
            let foreign = self.opponent.as_ref().map(|it| it.name.clone());
            let engine = || foreign.unwrap_or_else(|| level_title(&level));
            player_of(side, tag.map(|(_, name)| name.as_str()), people, engine)
        });
        let recorded = self.outcome.map(Ended::into_outcome);
        let is_plain = self.played.as_ref().is_some_and(|it| it.plain);
        let played = self.played.map(|it| it.outcome.into_outcome());
        let played = played.transpose().ok()?;
        let rated = played.filter(|_| is_plain);
        Some(Header {
            revision: self.revision,
            mode: value_of(&self.mode, &MODES).ok()?,
            kind: kind_of(self.game.as_deref()).ok()?,
            title: self.title,
            plies: self.plies?,
            status: self.status?,
            players,
            outcome: played.or(recorded.transpose().ok()?),
            rated: rated.and_then(|outcome| points_against(level, people, outcome)),
        })
    }
}

impl Header {
    /// The names of both players; `None` for a board that has none.
    pub fn names(&self) -> Option<[String; 2]> {
        let is_known = |it: &PlayerName| it.kind != PlayerKind::Human;
        let names = || self.players.each_ref().map(|it| it.name.clone());
        self.players.iter().any(is_known).then(names)
    }

    /// How the game ended, or else what is going on where the user has left it.
    pub fn summary(&self) -> String {
        self.outcome
            .map_or_else(|| self.status.clone(), outcome_text)
    }

    /// Reads what a list shows from the text of a file. Of a file that this program wrote, only
    /// the beginning is understood.
    pub fn read(id: &str, text: &str) -> Result<Self, LoadError> {
        let end = text.find("\n[[place]]").map_or(text.len(), |at| at + 1);
        let beginning = text
            .get(..end)
            .and_then(|it| toml::from_str::<Beginning>(it).ok());
        match beginning.and_then(Beginning::header) {
            Some(header) => Ok(header),
            None => Session::from_text(id, text).map(|session| session.header()),
        }
    }
}

impl Session {
    /// Moves of the main line; who has to pass does not move.
    pub(super) fn n_moves(&self) -> usize {
        let pass = Move::Othello(othello::Move::Pass);
        let moves = self.record().main_moves();
        moves.filter(|&action| action != pass).count()
    }

    /// What a list shows of it.
    pub fn header(&self) -> Header {
        let played = self.played_end().map(|(_, outcome)| outcome);
        Header {
            revision: self.revision(),
            mode: self.mode(),
            kind: self.kind(),
            title: self.title().map(str::to_owned),
            plies: self.n_moves(),
            status: self.status(),
            players: Side::BOTH.map(|side| self.player(side)),
            outcome: played.or(self.record().outcome),
            rated: self.rated_result(),
        }
    }
}

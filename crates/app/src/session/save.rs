//! A session as a file: TOML with a version, so that people can read it and we can change it.
//!
//! Places are written depth first, children in their order, and get new numbers when they are read
//! again.

use super::{
    Manner, Mode, Opponent, People, Session, Tried, Value,
    insight::Insight,
    rated::Played,
    walk::{Decision, Walk},
};
use crate::config::EngineName;
use game::{Clock, Glyph, Kind, NodeId, Outcome, Record, Score, Side, Termination, TimeControl};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The newest version. Version 1 had no title and no summary, version 2 no engine and no time for a
/// move, version 3 no game of the engine against itself and nothing about questions of the coach,
/// version 4 nothing about mistakes that a reader has tried, version 5 no chess and no foreign
/// engine, version 6 nothing about the end of a game that was played and no claimed draws.
pub(super) const VERSION: u32 = 7;

/// The version of a game of chess, or against a foreign engine, that has not ended.
const VERSION_CHESS: u32 = 6;

/// The version of a game of which a reader has tried mistakes.
const VERSION_TRIED: u32 = 5;

/// The version of a game of the engine against itself, or without questions of the coach.
const VERSION_QUIET: u32 = 4;

/// The version of a game whose level has an engine or a time for a move of its own.
const VERSION_MANNER: u32 = 3;

/// The version of a game without any of that: programs that know no newer one can read it, too.
const VERSION_PLAIN: u32 = 2;

/// Revisions beyond this are a mistake of whoever edited the file; JavaScript cannot count further.
const REVISION_MAX: u64 = 1 << 52;

/// A game that TOML cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SerialiseError(String);

/// A file that is no session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Not TOML, or not in this shape.
    #[error("not a saved game: {0}")]
    Shape(String),
    /// Bytes that are no text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// Written by a later program.
    #[error("it was made by a newer version (format {0}; this program reads {VERSION})")]
    Newer(u32),
    /// The parts do not fit together.
    #[error("a damaged saved game: {0}")]
    Damaged(String),
}

#[derive(Serialize, Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    revision: u64,
    /// Othello if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// For lists, which do not look at the places.
    #[serde(default)]
    plies: usize,
    #[serde(default)]
    status: String,
    mode: String,
    people: String,
    level: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    move_ms: Option<u64>,
    /// As text: TOML's numbers are signed.
    seed: String,
    show_values: bool,
    /// Whether the coach may not ask about moves that cost much.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unasked: bool,
    /// Index into the places.
    cursor: usize,
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_control: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    flagged: Option<Flagged>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Ended>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opponent: Option<SavedOpponent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<SavedEnd>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    #[serde(default, rename = "place")]
    places: Vec<Place>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flagged {
    place: usize,
    /// Who lost; left out where a draw was claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    /// Whether the side gave up; else its time ran out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    resigned: bool,
}

/// How the game that was played ended.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedEnd {
    place: usize,
    /// Whether it counts for the person's rating.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) plain: bool,
    pub(super) outcome: Ended,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOpponent {
    engine: String,
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    options: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// As text: TOML's numbers are signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ended {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black_centidiscs: Option<i32>,
    termination: String,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    /// The child that was looked at last.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<SavedValue>,
    /// How a reader stands with the mistake that was made here.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<String>,
    /// Milliseconds left for Black and White when this place was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<[u64; 2]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedValue {
    score: i32,
    /// Moves to a forced mate, as [`Score::mate`] has them; 0 with a negative score is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    solved: bool,
}

impl SavedValue {
    const fn score(&self) -> Score {
        match self.mate {
            None => Score::centi(self.score),
            Some(moves) if self.score < 0 => Score::mated_in(moves.unsigned_abs()),
            Some(moves) => Score::mate_in(moves.unsigned_abs()),
        }
    }
}

fn side_name(side: Side) -> String {
    side.to_string().to_ascii_lowercase()
}

fn side_of(name: &str) -> Result<Side, LoadError> {
    Side::BOTH
        .into_iter()
        .find(|&side| side_name(side) == name)
        .ok_or_else(|| LoadError::Damaged(format!("{name:?} is no side")))
}

const TRIED: [(&str, Tried); 2] = [("found", Tried::Found), ("seen", Tried::Seen)];

pub(super) const MODES: [(&str, Mode); 2] = [("play", Mode::Play), ("analyse", Mode::Analyse)];

fn name_of<T: PartialEq + Copy>(value: T, names: &[(&str, T)]) -> String {
    let found = names.iter().find(|(_, known)| *known == value);
    found.map_or_else(String::new, |(name, _)| (*name).to_owned())
}

pub(super) fn value_of<T: Copy>(name: &str, names: &[(&str, T)]) -> Result<T, LoadError> {
    let found = names.iter().find(|(known, _)| *known == name);
    found
        .map(|&(_, value)| value)
        .ok_or_else(|| LoadError::Damaged(format!("{name:?} means nothing here")))
}

/// The game that a file is of.
pub(super) fn kind_of(name: Option<&str>) -> Result<Kind, LoadError> {
    let names = Kind::ALL.map(|it| (it.name(), it));
    name.map_or(Ok(Kind::Othello), |name| value_of(name, &names))
}

impl Session {
    /// The oldest version that has a place for everything in this game.
    fn version(&self) -> u32 {
        // An end that was not played must be told from one that older files did not tell.
        if self.played.is_some() || self.end_by_record().is_some() {
            VERSION
        } else if self.kind() != Kind::Othello || self.opponent.is_some() {
            VERSION_CHESS
        } else if !self.insight.tried.is_empty() {
            VERSION_TRIED
        } else if self.people == People::Nobody || !self.asks {
            VERSION_QUIET
        } else if self.manner == Manner::default() {
            VERSION_PLAIN
        } else {
            VERSION_MANNER
        }
    }

    /// The session as the text of a file. A running clock is written as it stands at `now_ms`.
    /// Never a text that could not be read again.
    pub fn to_text(&self, now_ms: u64) -> Result<String, SerialiseError> {
        let record = self.record();
        let ids: Vec<NodeId> = std::iter::once(record.root())
            .chain(record.descendants(record.root()))
            .collect();
        let index: HashMap<NodeId, usize> =
            ids.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let file = File {
            version: self.version(),
            revision: self.revision,
            game: (self.kind() != Kind::Othello).then(|| self.kind().name().to_owned()),
            title: self.title.clone(),
            plies: self.n_moves(),
            status: self.status(),
            mode: name_of(self.mode, &MODES),
            people: name_of(self.people, &People::NAMES),
            level: self.level.name.to_owned(),
            engine: self.manner.engine.map(|it| name_of(it, &EngineName::NAMES)),
            move_ms: self.manner.move_ms,
            seed: self.seed.to_string(),
            show_values: self.insight.show_values,
            unasked: !self.asks,
            cursor: index.get(&self.cursor()).copied().unwrap_or(0),
            start: record.start().to_string(),
            time_control: self
                .clock()
                .map(|clock| clock.control(Side::Black).to_string()),
            flagged: self.walk.decision.map(|it| Flagged {
                place: index.get(&it.node).copied().unwrap_or(0),
                side: it.loser.map(side_name),
                resigned: it.by == Termination::Resignation,
            }),
            outcome: record.outcome.map(Ended::of),
            opponent: self.opponent.as_ref().map(SavedOpponent::of),
            played: self.played.map(|played| SavedEnd {
                place: index.get(&played.node).copied().unwrap_or(0),
                plain: played.is_plain,
                outcome: Ended::of(played.outcome),
            }),
            tags: record
                .tags
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            places: ids
                .iter()
                .map(|&id| self.place(id, &index, now_ms))
                .collect(),
        };
        // TOML's numbers end at 2^63, and the library writes greater ones all the same.
        let clocks = file.places.iter().filter_map(|place| place.clock);
        let greatest = clocks.flatten().chain([file.revision]).max();
        if greatest.is_some_and(|n| i64::try_from(n).is_err()) {
            let message = "a clock or a revision is too large for the file".to_owned();
            return Err(SerialiseError(message));
        }
        toml::to_string(&file).map_err(|error| SerialiseError(error.to_string()))
    }

    fn place(&self, id: NodeId, index: &HashMap<NodeId, usize>, now_ms: u64) -> Place {
        let Some(node) = self.record().node(id) else {
            return Place::default();
        };
        let clock = if id == self.cursor() {
            self.clock()
        } else {
            self.walk.clocks.get(&id)
        };
        Place {
            parent: node.parent().and_then(|parent| index.get(&parent).copied()),
            action: node.action().map(|action| action.to_string()),
            comment: node.note.comment.clone(),
            before: node
                .note
                .before
                .clone()
                .filter(|_| self.version() >= VERSION_CHESS),
            glyphs: node.note.glyphs.iter().map(|glyph| glyph.0).collect(),
            eval: node.note.eval.clone(),
            time: node.note.time.clone(),
            seen: self
                .walk
                .trail
                .get(&id)
                .and_then(|seen| index.get(seen).copied()),
            value: self.insight.values.get(&id).map(|value| SavedValue {
                score: value.score.hundredths(),
                mate: value.score.mate(),
                depth: value.depth,
                solved: value.solved,
            }),
            tried: self.tried(id).map(|it| name_of(it, &TRIED)),
            clock: clock.and_then(|clock| {
                let left = |side| clock.remaining_ms(side, now_ms);
                Some([left(Side::Black)?, left(Side::White)?])
            }),
        }
    }

    /// Reads a session of this name from the text of a file. Its clock stands still.
    pub fn from_text(id: &str, text: &str) -> Result<Self, LoadError> {
        let shape = |error: toml::de::Error| {
            let message = error.message().trim().to_owned();
            let place = error.span().map(|span| {
                let before = text.get(..span.start).unwrap_or(text);
                before.matches('\n').count() + 1
            });
            LoadError::Shape(match place {
                Some(line) => format!("line {line}: {message}"),
                None => message,
            })
        };
        let Version { version } = toml::from_str(text).map_err(shape)?;
        if version > VERSION {
            return Err(LoadError::Newer(version));
        }
        let file: File = toml::from_str(text).map_err(shape)?;
        file.into_session(id)
    }
}

fn damaged(error: impl std::fmt::Display) -> LoadError {
    LoadError::Damaged(error.to_string())
}

impl File {
    fn into_session(mut self, id: &str) -> Result<Session, LoadError> {
        let (mut record, ids) = self.tree()?;
        for (place, &id) in self.places.iter_mut().zip(&ids) {
            if let Some(note) = record.note_mut(id) {
                note.comment = place.comment.take();
                note.before = place.before.take();
                note.glyphs = place.glyphs.iter().copied().map(Glyph).collect();
                note.eval = place.eval.take();
                note.time = place.time.take();
            }
        }
        for (name, value) in &self.tags {
            record.tags.set(name, value);
        }
        record.outcome = self.outcome.take().map(Ended::into_outcome).transpose()?;
        let played = self.played.take().map(|it| it.read(&ids)).transpose()?;
        let mut session = Session {
            id: id.to_owned(),
            revision: self.revision.min(REVISION_MAX) + 1,
            title: self.title.take(),
            mode: value_of(&self.mode, &MODES)?,
            people: value_of(&self.people, &People::NAMES)?,
            level: self.level.parse().map_err(damaged)?,
            manner: manner(self.engine.as_deref(), self.move_ms)?,
            opponent: self.opponent.take().map(SavedOpponent::read).transpose()?,
            seed: self.seed.parse().map_err(damaged)?,
            insight: self.insight(&ids)?,
            walk: self.walk(record, &ids)?,
            played,
            thinking: None,
            held: None,
            asks: !self.unasked,
        };
        if self.version < VERSION {
            session.played = session.end_by_record();
        }
        Ok(session)
    }

    /// The moves, and the number of each place in the tree.
    fn tree(&self) -> Result<(Record, Vec<NodeId>), LoadError> {
        let kind = kind_of(self.game.as_deref())?;
        let start = kind.parse_position(&self.start).map_err(damaged)?;
        let mut record = Record::new(start);
        let mut ids = vec![record.root()];
        for (i, place) in self.places.iter().enumerate().skip(1) {
            let parent = place.parent.and_then(|parent| ids.get(parent));
            let (Some(&parent), Some(action)) = (parent, &place.action) else {
                return Err(damaged(format!("place {i} comes from nowhere")));
            };
            let position = record.position(parent).unwrap_or(record.start());
            let action = position.parse_move(action).map_err(damaged)?;
            ids.push(record.add_new(parent, action).map_err(damaged)?);
        }
        Ok((record, ids))
    }

    /// Cursor, way and clocks. The clock stands still.
    fn walk(&self, record: Record, ids: &[NodeId]) -> Result<Walk, LoadError> {
        let id_of = |index: usize| place_of(ids, index);
        let control = self.time_control.as_deref().map(str::parse::<TimeControl>);
        let control = control.transpose().map_err(damaged)?;
        let (mut trail, mut clocks) = (HashMap::new(), HashMap::new());
        for (place, &id) in self.places.iter().zip(ids) {
            if let Some(seen) = place.seen {
                trail.insert(id, id_of(seen)?);
            }
            if let (Some(control), Some(left_ms)) = (control, place.clock) {
                clocks.insert(id, Clock::with_remaining(control, left_ms));
            }
        }
        let cursor = id_of(self.cursor)?;
        let decision = match &self.flagged {
            Some(flagged) => Some(Decision {
                node: id_of(flagged.place)?,
                loser: flagged.side.as_deref().map(side_of).transpose()?,
                by: match &flagged.side {
                    None => Termination::Normal,
                    Some(_) if flagged.resigned => Termination::Resignation,
                    Some(_) => Termination::TimeForfeit,
                },
            }),
            None => None,
        };
        let clock = control.map(|control| {
            let kept = clocks.get(&cursor).cloned();
            kept.unwrap_or_else(|| Clock::new(control))
        });
        Ok(Walk {
            record,
            cursor,
            trail,
            clock,
            clocks,
            decision,
        })
    }

    fn insight(&self, ids: &[NodeId]) -> Result<Insight, LoadError> {
        let places = || self.places.iter().zip(ids);
        let values = places().filter_map(|(place, &id)| {
            let saved = place.value.as_ref()?;
            let value = Value {
                score: saved.score(),
                depth: saved.depth,
                solved: saved.solved,
            };
            Some((id, value))
        });
        let tried = places().filter_map(|(place, &id)| {
            let name = place.tried.as_deref()?;
            Some(value_of(name, &TRIED).map(|tried| (id, tried)))
        });
        Ok(Insight {
            show_values: self.show_values,
            values: values.collect(),
            blunder: None,
            tried: tried.collect::<Result<_, _>>()?,
        })
    }
}

fn manner(engine: Option<&str>, move_ms: Option<u64>) -> Result<Manner, LoadError> {
    let engine = engine.map(|name| value_of(name, &EngineName::NAMES));
    if move_ms.is_some_and(|ms| !Manner::MOVE_MS.contains(&ms)) {
        return Err(damaged("move_ms is from 100 to 600000"));
    }
    Ok(Manner {
        engine: engine.transpose()?,
        move_ms,
    })
}

impl SavedEnd {
    fn read(self, ids: &[NodeId]) -> Result<Played, LoadError> {
        Ok(Played {
            node: place_of(ids, self.place)?,
            outcome: self.outcome.into_outcome()?,
            is_plain: self.plain,
        })
    }
}

/// The place with this number in the file.
fn place_of(ids: &[NodeId], index: usize) -> Result<NodeId, LoadError> {
    let found = ids.get(index).copied();
    found.ok_or_else(|| damaged(format!("there is no place {index}")))
}

impl SavedOpponent {
    fn of(opponent: &Opponent) -> Self {
        Self {
            engine: opponent.id.to_string(),
            name: opponent.name.clone(),
            options: opponent.options.clone(),
            depth: opponent.depth,
            nodes: opponent.nodes.map(|it| it.to_string()),
        }
    }

    fn read(self) -> Result<Opponent, LoadError> {
        let nodes = self.nodes.map(|it| it.parse()).transpose();
        let opponent = Opponent {
            id: self.engine.parse().map_err(damaged)?,
            name: self.name,
            options: self.options,
            depth: self.depth,
            nodes: nodes.map_err(damaged)?,
        };
        opponent.check().map_err(damaged)?;
        Ok(opponent)
    }
}

impl Ended {
    fn of(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner.map(side_name),
            black_centidiscs: outcome.black_centidiscs,
            termination: outcome.termination.name().to_owned(),
        }
    }

    pub(super) fn into_outcome(self) -> Result<Outcome, LoadError> {
        let termination: Termination = self.termination.parse().map_err(damaged)?;
        Ok(Outcome {
            winner: self.winner.as_deref().map(side_of).transpose()?,
            black_centidiscs: self.black_centidiscs,
            termination,
        })
    }
}

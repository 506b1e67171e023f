//! Records from and to the notations of Othello.
//!
//! [`othello::notation::Record`] stands between all of them; it has one line of moves. What it has
//! no place for is counted in [`Lost`], so that the user loses no variation without being told:
//!
//! | notation   | main line | variations        | comments | evals and times | tags |
//! |------------|-----------|-------------------|----------|-----------------|------|
//! | transcript | yes       | no                | no       | no              | no   |
//! | GGF        | yes       | no                | yes      | yes             | yes  |
//! | OBF        | its end   | one ply, with evals | game's | of that ply     | no   |
//! | WTHOR      | yes       | no                | no       | no              | numbered names |

use crate::{
    AddMoveError, Kind, Move, Node, NodeId, Note, Outcome, Record, Tags, Termination, TreeError,
    annotations::append,
};
use othello::{
    Side,
    notation::{self, GgfError, GgfGame, GgfTag, MoveNote, RecordError, ScoredMove},
};

/// A record that cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// The notation cannot hold it.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Not a GGF game of ours.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// A move against the rules.
    #[error(transparent)]
    Move(#[from] AddMoveError),
    /// A place that does not exist.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The notations of Othello hold no other game.
    #[error("a game of {0} cannot be written in a notation of Othello; expected PGN")]
    NotOthello(Kind),
    /// PGN is written for chess alone.
    #[error("a game of {0} cannot be written as PGN; expected GGF")]
    NotChess(Kind),
}

/// What a notation had no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lost {
    /// Places outside of the main line.
    pub variation_moves: usize,
    /// Comments on single moves.
    pub comments: usize,
    pub glyphs: usize,
    /// Tags that mean nothing there.
    pub tags: usize,
    /// Scored moves that the rules forbid.
    pub illegal_candidates: usize,
}

impl Lost {
    /// Whether nothing was lost.
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// Tags that [`notation::Record`] has a field for.
const KNOWN_TAGS: [&str; 7] = [
    Tags::EVENT,
    Tags::DATE,
    Tags::BLACK,
    Tags::WHITE,
    Tags::BLACK_ELO,
    Tags::WHITE_ELO,
    Tags::TIME_CONTROL,
];

/// How tags are called that GGF alone has.
const GGF_TAG: &str = "GGF-";

/// Tags of GGF that a record has another place for.
const GGF_KNOWN: [&str; 13] = [
    "GM", "PC", "DT", "PB", "PW", "RB", "RW", "TI", "RE", "BO", "C", "B", "W",
];

/// Whether a tag of GGF has no other place. A board of eight is the usual type.
fn is_other(tag: &GgfTag) -> bool {
    !GGF_KNOWN.contains(&tag.name()) && (tag.name(), &*tag.value().to_str()) != ("TY", "8")
}

impl From<&othello::Game> for Record {
    fn from(game: &othello::Game) -> Self {
        let mut record = Self::new(game.start().into());
        let mut at = record.root();
        for action in game.moves() {
            // A game consists of legal moves.
            let Ok(next) = record.add(at, action.into()) else {
                break;
            };
            at = next;
        }
        record.outcome = record.outcome_at(at);
        record
    }
}

impl Record {
    /// The main line as an Othello game; `None` if the record is of another game.
    pub fn to_othello_game(&self) -> Option<othello::Game> {
        let mut game = othello::Game::from_position(self.start().othello()?);
        for action in self.main_moves().filter_map(Move::othello) {
            // Every move of a record was checked when it was added.
            if game.play(action).is_err() {
                break;
            }
        }
        Some(game)
    }

    fn othello_game(&self) -> Result<othello::Game, ConvertError> {
        let game = self.to_othello_game();
        game.ok_or(ConvertError::NotOthello(self.start().kind()))
    }

    /// A record from any notation. Scored moves of the last position become variations there.
    pub fn from_notation(from: &notation::Record) -> (Self, Lost) {
        let mut record = Self::from(&from.game);
        let mut lost = Lost::default();
        let tags = [
            (Tags::EVENT, &from.event),
            (Tags::DATE, &from.date),
            (Tags::BLACK, &from.players[0]),
            (Tags::WHITE, &from.players[1]),
            (Tags::BLACK_ELO, &from.ratings[0]),
            (Tags::WHITE_ELO, &from.ratings[1]),
            (Tags::TIME_CONTROL, &from.time),
        ];
        for (name, value) in tags {
            if let Some(value) = value {
                record.tags.set(name, value);
            }
        }
        if let Some(black_centidiscs) = from.result {
            let by_rules = record.outcome.and_then(|outcome| outcome.black_centidiscs);
            // A score that the moves do not give was decided from outside; the record does not say by whom.
            let termination = if by_rules == Some(black_centidiscs) {
                Termination::Normal
            } else {
                Termination::Adjudication
            };
            record.outcome = Some(Outcome::counted(black_centidiscs, termination));
        }
        let root = record.root();
        record.edit(root, |note| note.comment.clone_from(&from.comment));
        let main: Vec<NodeId> = record.main_line().collect();
        for (id, written) in main.into_iter().zip(&from.notes) {
            record.edit(id, |note| {
                note.eval.clone_from(&written.eval);
                note.time.clone_from(&written.time);
            });
        }
        let end = record.main_end();
        for candidate in &from.candidates {
            match record.add(end, candidate.action.into()) {
                Ok(id) => record.edit(id, |note| {
                    note.eval = candidate.score.as_ref().map(ToString::to_string);
                }),
                Err(_) => lost.illegal_candidates += 1,
            }
        }
        (record, lost)
    }

    /// The main line in the shape between notations, and what does not fit in there.
    pub fn to_notation(&self) -> Result<(notation::Record, Lost), ConvertError> {
        let main: Vec<NodeId> = self.main_line().collect();
        let notes: Vec<MoveNote> = main.iter().map(|&id| self.move_note(id)).collect();
        let silent = notes.iter().all(|note| *note == MoveNote::default());
        let record = notation::Record {
            notes: if silent { Vec::new() } else { notes },
            ..self.heading(self.othello_game()?)
        };
        let lost = self.lost(|id| main.contains(&id));
        Ok((record, lost))
    }

    /// A position with its scored moves, as in OBF: the children of a place, the best first, and
    /// what does not fit in there.
    pub fn to_scored_position(&self, id: NodeId) -> Result<(notation::Record, Lost), ConvertError> {
        let node = self.node(id).ok_or(TreeError::NoSuchNode(id))?;
        let position = node.position().othello();
        let position = position.ok_or(ConvertError::NotOthello(node.position().kind()))?;
        let candidates = node.children().iter().filter_map(|&child| {
            let child = self.node(child)?;
            let score = child
                .note
                .eval
                .as_deref()
                .and_then(|eval| eval.parse().ok());
            let action = child.action()?.othello()?;
            Some(ScoredMove { action, score })
        });
        let record = notation::Record {
            candidates: candidates.collect(),
            ..self.heading(othello::Game::from_position(position))
        };
        let kept = |other: NodeId| node.children().contains(&other);
        Ok((record, self.lost(kept)))
    }

    /// A GGF game. Keeps what [`notation::Record`] keeps, why the game ended, comments where they
    /// stand, and other tags under names that begin with `GGF-`.
    pub fn from_ggf(ggf: &GgfGame) -> Result<(Self, Lost), ConvertError> {
        let (mut record, lost) = Self::from_notation(&notation::Record::try_from(ggf)?);
        record.take_ggf_comments(ggf);
        for tag in ggf.tags.iter().filter(|it| is_other(it)) {
            let name = format!("{GGF_TAG}{}", tag.name());
            record.tags.set(&name, &tag.value().to_str());
        }
        let reason = ggf.result_reason();
        if let (Some(outcome), Some(reason)) = (&mut record.outcome, reason) {
            outcome.termination = match reason.trim() {
                "r" => Termination::Resignation,
                "t" => Termination::TimeForfeit,
                "l" => Termination::Abandoned,
                _ => outcome.termination,
            };
        }
        Ok((record, lost))
    }

    /// Puts the comments of a GGF game where they stand: before the first move, or after a move.
    fn take_ggf_comments(&mut self, ggf: &GgfGame) {
        let main: Vec<NodeId> = self.main_line().collect();
        let mut places = main.into_iter();
        let mut written = ggf.moves();
        let mut at = self.root();
        self.edit(at, |note| note.comment = None);
        for tag in &ggf.tags {
            match tag.name() {
                "B" | "W" => {
                    let action = written
                        .next()
                        .and_then(Result::ok)
                        .map(|it| it.action.into());
                    // A pass that was not written has a place of its own.
                    let is_it = |id: &NodeId| self.node(*id).and_then(Node::action) == action;
                    at = places.find(is_it).unwrap_or(at);
                }
                "C" => {
                    let text = tag.value().to_str();
                    self.edit(at, |note| append(&mut note.comment, &text));
                }
                _ => {}
            }
        }
    }

    /// Writes what [`Record::from_ggf`] keeps beside the shape between notations; how many comments
    /// on moves were written.
    fn add_ggf_tags(&self, ggf: &mut GgfGame) -> usize {
        let mut places = self.main_line();
        let mut tags = Vec::with_capacity(ggf.tags.len());
        let mut n_comments = 0;
        for tag in std::mem::take(&mut ggf.tags) {
            let kept = self.tags.get(&format!("{GGF_TAG}{}", tag.name()));
            let kept = kept.and_then(|value| GgfTag::new(tag.name(), value).ok());
            if tag.name() == "BO" {
                let names = self.tags.iter().filter_map(|(name, value)| {
                    let name = name.strip_prefix(GGF_TAG)?;
                    let is_there = tags.iter().any(|it: &GgfTag| it.name() == name);
                    (!is_there).then(|| GgfTag::new(name, value).ok()).flatten()
                });
                let others: Vec<GgfTag> = names.collect();
                tags.extend(others);
            }
            let is_move = matches!(tag.name(), "B" | "W");
            tags.push(kept.unwrap_or(tag));
            let node = is_move.then(|| places.next()).flatten();
            let comment = node.and_then(|id| self.node(id)?.note.comment.as_deref());
            if let Some(comment) = comment.and_then(|it| GgfTag::new("C", it).ok()) {
                tags.push(comment);
                n_comments += 1;
            }
        }
        ggf.tags = tags;
        n_comments
    }

    /// The main line as a GGF game, and what does not fit in there.
    pub fn to_ggf(&self) -> Result<(GgfGame, Lost), ConvertError> {
        let (record, mut lost) = self.to_notation()?;
        let mut ggf = record.to_ggf()?;
        lost.comments = lost.comments.saturating_sub(self.add_ggf_tags(&mut ggf));
        let kept = self.tags.iter().filter(|it| it.0.starts_with(GGF_TAG));
        lost.tags = lost.tags.saturating_sub(kept.count());
        let reason = match self.outcome.map(|outcome| outcome.termination) {
            Some(Termination::Resignation) => Some("r"),
            Some(Termination::TimeForfeit) => Some("t"),
            Some(Termination::Abandoned) => Some("l"),
            _ => None,
        };
        if let Some(reason) = reason {
            for tag in &mut ggf.tags {
                if tag.name() == "RE" {
                    let value = format!("{}:{reason}", tag.value().to_str());
                    *tag = GgfTag::new("RE", &value[..])?;
                }
            }
        }
        Ok((ggf, lost))
    }

    fn edit(&mut self, id: NodeId, change: impl FnOnce(&mut Note)) {
        if let Some(note) = self.note_mut(id) {
            change(note);
        }
    }

    fn move_note(&self, id: NodeId) -> MoveNote {
        let note = self.node(id).map(|node| node.note.clone());
        let note = note.unwrap_or_default();
        MoveNote {
            eval: note.eval,
            time: note.time,
        }
    }

    /// Everything that concerns the game as a whole.
    fn heading(&self, game: othello::Game) -> notation::Record {
        let tag = |name| self.tags.get(name).map(str::to_owned);
        let root = self.node(self.root());
        notation::Record {
            game,
            players: [tag(Tags::BLACK), tag(Tags::WHITE)],
            ratings: [tag(Tags::BLACK_ELO), tag(Tags::WHITE_ELO)],
            event: tag(Tags::EVENT),
            date: tag(Tags::DATE),
            time: tag(Tags::TIME_CONTROL),
            result: self.outcome.and_then(centidiscs),
            notes: Vec::new(),
            candidates: Vec::new(),
            comment: root.and_then(|root| root.note.comment.clone()),
        }
    }

    /// What is lost if only the places for which `kept` is true are written.
    fn lost(&self, kept: impl Fn(NodeId) -> bool) -> Lost {
        let below: Vec<(NodeId, &Node)> = self
            .descendants(self.root())
            .filter_map(|id| Some((id, self.node(id)?)))
            .collect();
        let glyphs = below.iter().map(|(_, node)| node.note.glyphs.len());
        Lost {
            variation_moves: below.iter().filter(|(id, _)| !kept(*id)).count(),
            comments: below
                .iter()
                .filter(|(_, node)| node.note.comment.is_some())
                .count(),
            glyphs: glyphs.sum(),
            tags: self
                .tags
                .iter()
                .filter(|(name, _)| !KNOWN_TAGS.contains(name))
                .count(),
            illegal_candidates: 0,
        }
    }
}

/// The score that files have; where only the winner is known, a win by all discs, as servers
/// count a resignation.
fn centidiscs(outcome: Outcome) -> Option<i32> {
    let whole = match outcome.winner {
        Some(Side::Black) => 6400,
        Some(Side::White) => -6400,
        None => 0,
    };
    Some(outcome.black_centidiscs.unwrap_or(whole))
}

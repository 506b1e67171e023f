//! Driving an Othello engine by the NBoard protocol.
//!
//! Every question carries its whole game, so that positions of any kind can be asked about. A search
//! with a time is a `hint` that a `ping` ends, and the best move is the one that it told last to be
//! so: the language has no other word for a time for each move. A search to a depth is a `go`, which
//! ends by itself.

use super::{LATE_MS, Patience, Talk, cannot, limit_ms, othello_game};
use crate::{
    process::{Clocks, Identity, Language, Question, Step, Trouble},
    protocol::nboard::{Command, Depth, Finding, Message},
    thought::{Thought, ThoughtLine},
};
use game::{Bound, Score};
use othello::{Game, notation::Record};
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

#[derive(Debug, Default)]
pub(crate) struct Client {
    n_pings: i64,
    depth: Option<u32>,
}

/// An engine that is asked for nothing in particular searches so deep.
const USUAL_DEPTH: u32 = 60;

impl Client {
    pub(super) fn greet(&mut self, talk: &mut Talk<'_>) -> Result<Identity, Trouble> {
        let mut identity = Identity::default();
        talk.link.say(&Command::NBoard(2).to_string())?;
        let id = self.ping(talk)?;
        talk.link.expect(talk.deadlines.greeting_ms, |line| {
            match line.parse().ok()? {
                Message::MyName(name) => identity.name = Some(name),
                Message::Pong(it) if it == id => return Some(()),
                _ => {}
            }
            None
        })?;
        Ok(identity)
    }

    fn ping(&mut self, talk: &mut Talk<'_>) -> Result<i64, Trouble> {
        self.n_pings += 1;
        talk.link.say(&Command::Ping(self.n_pings).to_string())?;
        Ok(self.n_pings)
    }

    /// Waits until what it says is about the present position.
    fn sync(&mut self, talk: &mut Talk<'_>) -> Result<(), Trouble> {
        let id = self.ping(talk)?;
        talk.link.expect(talk.deadlines.ready_ms, |line| {
            matches!(line.parse(), Ok(Message::Pong(it)) if it == id).then_some(())
        })
    }

    pub(super) fn think(
        &mut self,
        talk: &mut Talk<'_>,
        question: &Question,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        let limits = &question.limits;
        if let Some(reason) = Language::NBoard.refusal(limits) {
            return Err(cannot(reason));
        }
        let game = othello_game(question)?;
        talk.link.step = Step::Ready;
        let text = game_text(&game, limits.clocks.as_ref())?;
        talk.link.say(&Command::SetGame(text).to_string())?;
        let depth = limits.depth.unwrap_or(USUAL_DEPTH);
        if limits.clocks.is_none() && self.depth != Some(depth) {
            self.depth = Some(depth);
            talk.link.say(&Command::SetDepth(depth).to_string())?;
        }
        self.sync(talk)?;
        let board = game.position().board;
        let ends_itself = limits.time_ms.is_none() && !limits.is_endless() && limits.lines <= 1;
        let mut hearing = Hearing {
            thought: Thought::default(),
            n_empties: board.empties().len(),
            n_wanted: (limits.lines.max(1)).min(board.legal_moves().len().max(1)) as usize,
            depth: limits.depth,
        };
        if ends_itself {
            talk.link.say(&Command::Go.to_string())?;
            return self.hear_choice(talk, question, stop, hearing, observe);
        }
        talk.link
            .say(&Command::Hint(limits.lines.max(1)).to_string())?;
        self.n_pings += 1;
        let (id, word) = (self.n_pings, Command::Ping(self.n_pings).to_string());
        let patience = Patience {
            stop,
            limit_ms: limits.time_ms.or(limits.patience_ms),
            word: Some(&word),
            language: Language::NBoard,
        };
        // Nothing more is said once the depth is reached, or the position is solved.
        let is_done = talk.attend(&patience, |line| match line.parse() {
            Ok(Message::Pong(it)) if it == id => ControlFlow::Break(false),
            Ok(message) if hearing.take(&message, observe) => ControlFlow::Break(true),
            _ => ControlFlow::Continue(()),
        })?;
        if is_done {
            self.sync(talk)?;
        }
        Ok(hearing.finish_hint())
    }

    fn hear_choice(
        &mut self,
        talk: &mut Talk<'_>,
        question: &Question,
        stop: &AtomicBool,
        mut hearing: Hearing,
        observe: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, Trouble> {
        self.n_pings += 1;
        let (id, word) = (self.n_pings, Command::Ping(self.n_pings).to_string());
        let patience = Patience {
            stop,
            limit_ms: limit_ms(question).map(|ms| ms + LATE_MS),
            word: Some(&word),
            language: Language::NBoard,
        };
        talk.attend(&patience, |line| {
            match line.parse() {
                Ok(Message::Choice(choice)) => {
                    hearing.choose(choice.action, choice.score_centidiscs);
                    return ControlFlow::Break(());
                }
                // It was stopped before it had chosen.
                Ok(Message::Pong(it)) if it == id => return ControlFlow::Break(()),
                Ok(message) => {
                    hearing.take(&message, observe);
                }
                Err(_) => {}
            }
            ControlFlow::Continue(())
        })?;
        Ok(hearing.finish())
    }
}

/// What a search has told so far.
struct Hearing {
    thought: Thought,
    n_empties: u32,
    /// So many moves are to be told about.
    n_wanted: usize,
    depth: Option<u32>,
}

impl Hearing {
    /// Returns whether the search has told all that it was asked for.
    fn take(&mut self, message: &Message, observe: &mut dyn FnMut(&Thought)) -> bool {
        let thought = &mut self.thought;
        match message {
            Message::Search(finding) => {
                let line = self.line(finding);
                self.put(line);
                observe(&self.thought);
            }
            &Message::NodeStats { nodes, time_ms } => {
                thought.nodes = Some(nodes);
                thought.time_ms = Some(time_ms);
                let per_second = nodes.saturating_mul(1000).checked_div(time_ms);
                thought.nodes_per_second = per_second.or(thought.nodes_per_second);
            }
            Message::Status(text) => {
                thought.remark = Some(text.clone()).filter(|it| !it.is_empty());
            }
            _ => {}
        }
        let is_deep = |line: &ThoughtLine| {
            let reached = line
                .depth
                .zip(self.depth)
                .is_some_and(|(it, wanted)| it >= wanted);
            line.is_solved || reached
        };
        let lines = &self.thought.lines;
        lines.len() >= self.n_wanted && lines.iter().take(self.n_wanted).all(is_deep)
    }

    fn line(&self, finding: &Finding) -> ThoughtLine {
        let (depth, is_solved) = match finding.depth {
            Depth::Plies(plies) => (plies, plies >= self.n_empties),
            Depth::End { percent } => (self.n_empties, percent >= 100),
            // Who wins is not the value.
            Depth::Winner { .. } => (self.n_empties, false),
        };
        ThoughtLine {
            score: Some(Score::centi(finding.score_centidiscs)),
            bound: Bound::Exact,
            chances: None,
            depth: Some(depth),
            is_solved,
            moves: finding.line.iter().map(ToString::to_string).collect(),
        }
    }

    /// A move is told about again and again; the last word counts, and moves that the engine left
    /// behind do not stand beside those that it looked at much deeper. Best first.
    fn put(&mut self, line: ThoughtLine) {
        let lines = &mut self.thought.lines;
        lines.retain(|it| it.moves.first() != line.moves.first());
        lines.push(line);
        let deepest = lines.iter().filter_map(|it| it.depth).max();
        lines.retain(|it| it.is_solved || it.depth.map(|depth| depth + 1) >= deepest);
        // Whoever tells one line at a time changes its mind with the deeper one, whatever it is worth.
        let is_one = self.n_wanted == 1;
        let order = |line: &ThoughtLine| (line.depth.filter(|_| is_one), line.score);
        lines.sort_by_key(|line| std::cmp::Reverse(order(line)));
        self.thought.depth = lines.first().and_then(|it| it.depth);
    }

    /// What was asked for and no more.
    fn finish(mut self) -> Thought {
        self.thought.lines.truncate(self.n_wanted);
        self.thought
    }

    /// The same of a search that names no move as its choice: the best that it told about is.
    fn finish_hint(self) -> Thought {
        let mut thought = self.finish();
        let first = thought.lines.first().and_then(|it| it.moves.first());
        thought.best = first.cloned();
        thought
    }

    fn choose(&mut self, action: othello::Move, score: Option<i32>) {
        let text = action.to_string();
        let is_told = self
            .thought
            .lines
            .iter()
            .any(|it| it.moves.first() == Some(&text));
        if !is_told {
            let line = ThoughtLine {
                score: score.map(Score::centi),
                bound: Bound::Exact,
                chances: None,
                depth: self.depth,
                is_solved: false,
                moves: vec![text.clone()],
            };
            self.thought.lines.insert(0, line);
        }
        self.thought.best = Some(text);
    }
}

/// The game in one line of GGF, with the time that the side to move has.
fn game_text(game: &Game, clocks: Option<&Clocks>) -> Result<String, Trouble> {
    let mut record = Record::from(game.clone());
    // Some engines want to see names.
    record.players = ["Black", "White"].map(|name| Some(name.to_owned()));
    let ggf = record.to_ggf().map_err(|error| cannot(error.to_string()))?;
    let mut bytes = Vec::new();
    ggf.write_to(&mut bytes)
        .map_err(|error| cannot(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(clocks) = clocks {
        let seconds = clocks.own_ms() / 1000;
        let time = format!("TI[{}:{:02}]", seconds / 60, seconds % 60);
        text = text.replacen("(;", &format!("(;{time}"), 1);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_were_left_behind_are_not_shown_beside_deep_ones() {
        let mut hearing = Hearing {
            thought: Thought::default(),
            n_empties: 50,
            n_wanted: 2,
            depth: Some(6),
        };
        let mut told = 0;
        for (line, is_done) in [
            ("search F3 9.00 0 2", false),
            ("search F5 1.00 0 2", false),
            ("search F5 1.50 0 6", false),
            ("search D3 2.00 0 5", false),
            ("nodestats 1000 0.5", false),
            ("search D3 1.00 0 6", true),
        ] {
            let message: Message = line.parse().unwrap();
            assert_eq!(
                hearing.take(&message, &mut |_| told += 1),
                is_done,
                "{line}"
            );
        }
        let thought = hearing.finish();
        let firsts: Vec<&str> = thought
            .lines
            .iter()
            .map(|it| it.moves[0].as_str())
            .collect();
        assert_eq!(firsts, ["f5", "d3"]);
        assert_eq!(
            (thought.depth, thought.nodes, told),
            (Some(6), Some(1000), 5)
        );
        assert_eq!(thought.nodes_per_second, Some(2000));
    }

    #[test]
    fn who_tells_one_line_at_a_time_may_change_its_mind() {
        let mut hearing = Hearing {
            thought: Thought::default(),
            n_empties: 50,
            n_wanted: 1,
            depth: None,
        };
        for line in ["search F5 2.00 0 10", "search D3 1.00 0 11"] {
            hearing.take(&line.parse().unwrap(), &mut |_| ());
        }
        assert_eq!(hearing.finish_hint().best.as_deref(), Some("d3"));
    }
}

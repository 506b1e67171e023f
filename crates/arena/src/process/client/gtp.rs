//! Driving an Othello engine by the Go Text Protocol.
//!
//! GTP knows no values and no interruption: the answer to a question is a move. Games begin at the
//! usual start.

use super::{LATE_MS, Patience, Talk, cannot, limit_ms, othello_game};
use crate::{
    process::{Clocks, Identity, Language, Question, Step, Trouble},
    protocol::gtp::{Command, Request, Response, TimeSettings},
    thought::{Thought, ThoughtLine},
};
use game::Bound;
use othello::{Move, Side};
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// What the engine has been told.
#[derive(Debug, Default)]
pub(crate) struct Client {
    next_id: u32,
    /// The commands that it says it knows; `None` if it does not say.
    known: Option<Vec<String>>,
    /// The moves on its board; `None` if we cannot tell.
    moves: Option<Vec<Move>>,
    times: Option<TimeSettings>,
}

/// Collects the lines of an answer up to the empty one.
#[derive(Default)]
struct Collector {
    text: String,
}

/// An answer is not longer than this; a diagram has a few hundred letters.
const ANSWER_MAX: usize = 64 << 10;

impl Collector {
    fn take(&mut self, line: &str, id: u32) -> Option<Response> {
        let is_blank = line.trim().is_empty();
        if self.text.is_empty() {
            // What comes before an answer is chatter.
            if !line.starts_with(['=', '?']) {
                return None;
            }
            line.clone_into(&mut self.text);
            return None;
        }
        if !is_blank && self.text.len() < ANSWER_MAX {
            self.text.push('\n');
            self.text.push_str(line);
            return None;
        }
        let text = std::mem::take(&mut self.text);
        let response: Response = text.parse().ok()?;
        // An answer to something earlier is late; one without a number is ours.
        response.id.is_none_or(|it| it == id).then_some(response)
    }
}

impl Client {
    pub(super) fn greet(&mut self, talk: &mut Talk<'_>) -> Result<Identity, Trouble> {
        self.ask(talk, talk.deadlines.greeting_ms, Command::ProtocolVersion)?;
        let mut identity = Identity::default();
        let mut text =
            |client: &mut Self, command| match client.ask(talk, talk.deadlines.ready_ms, command) {
                Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
                Err(Trouble::Refused { .. }) => Ok(None),
                Err(trouble) => Err(trouble),
            };
        identity.name = text(self, Command::Name)?;
        identity.version = text(self, Command::Version)?;
        let known = text(self, Command::ListCommands)?;
        self.known = known.map(|list| list.split_whitespace().map(str::to_owned).collect());
        Ok(identity)
    }

    pub(super) fn forget(&mut self) {
        self.moves = None;
    }

    fn knows(&self, name: &str) -> bool {
        let list = self.known.as_ref();
        list.is_some_and(|known| known.iter().any(|it| it == name))
    }

    fn request(&mut self, talk: &mut Talk<'_>, command: Command) -> Result<u32, Trouble> {
        self.next_id = self.next_id % 1_000_000 + 1;
        let id = self.next_id;
        let request = Request {
            id: Some(id),
            command,
        };
        talk.link.say(&request.to_string())?;
        Ok(id)
    }

    fn ask(
        &mut self,
        talk: &mut Talk<'_>,
        limit_ms: u64,
        command: Command,
    ) -> Result<String, Trouble> {
        let name = command.to_string();
        let id = self.request(talk, command)?;
        let mut collector = Collector::default();
        let response = talk
            .link
            .expect(limit_ms, |line| collector.take(line, id))?;
        response.outcome.map_err(|reason| Trouble::Refused {
            command: name,
            reason,
        })
    }

    pub(super) fn think(
        &mut self,
        talk: &mut Talk<'_>,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<Thought, Trouble> {
        if let Some(reason) = Language::Gtp.refusal(&question.limits) {
            return Err(cannot(reason));
        }
        let game = othello_game(question)?;
        if game.start() != othello::Position::START {
            return Err(cannot(
                "GTP has no command for a position; give the moves from the start of the game",
            ));
        }
        talk.link.step = Step::Ready;
        self.set_time(talk, question)?;
        let moves: Vec<Move> = game.moves().collect();
        self.set_board(talk, &moves)?;
        let side = game.position().side;
        self.genmove(talk, side, question, stop)
    }

    fn set_time(&mut self, talk: &mut Talk<'_>, question: &Question) -> Result<(), Trouble> {
        let limits = &question.limits;
        let per_move = |ms| TimeSettings {
            main_ms: 0,
            overtime_ms: whole_seconds(ms),
            overtime_moves: 1,
        };
        let settings = match (limits.time_ms, limits.clocks) {
            (Some(ms), _) => Some(per_move(ms)),
            (None, Some(clocks)) => Some(settings(&clocks)),
            (None, None) => None,
        };
        if let Some(settings) = settings
            && self.times != Some(settings)
        {
            self.times = Some(settings);
            self.try_to(talk, Command::TimeSettings(settings))?;
        }
        if let (None, Some(clocks)) = (limits.time_ms, limits.clocks) {
            let moves = clocks.moves_to_go.unwrap_or(0);
            let time_ms = whole_seconds(clocks.own_ms());
            let side = clocks.side;
            let left = Command::TimeLeft {
                side,
                time_ms,
                moves,
            };
            self.try_to(talk, left)?;
        }
        Ok(())
    }

    /// A command that an engine need not know.
    fn try_to(&mut self, talk: &mut Talk<'_>, command: Command) -> Result<(), Trouble> {
        match self.ask(talk, talk.deadlines.ready_ms, command) {
            Ok(_) | Err(Trouble::Refused { .. }) => Ok(()),
            Err(trouble) => Err(trouble),
        }
    }

    /// Has the engine's board show a game, by as few commands as it takes.
    fn set_board(&mut self, talk: &mut Talk<'_>, moves: &[Move]) -> Result<(), Trouble> {
        let limit_ms = talk.deadlines.ready_ms;
        let shown = self.moves.take();
        let common = match &shown {
            Some(shown) if moves.starts_with(shown) => shown.len(),
            _ => {
                self.try_to(talk, Command::BoardSize(8))?;
                self.ask(talk, limit_ms, Command::ClearBoard)?;
                0
            }
        };
        let mut game = othello::Game::new();
        for (index, &action) in moves.iter().enumerate() {
            let side = game.position().side;
            if game.play(action).is_err() {
                return Err(cannot("the game has an illegal move"));
            }
            if index >= common {
                self.ask(talk, limit_ms, Command::Play { side, action })?;
            }
        }
        self.moves = Some(moves.to_vec());
        Ok(())
    }

    fn genmove(
        &mut self,
        talk: &mut Talk<'_>,
        side: Side,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<Thought, Trouble> {
        let keeps_board = self.knows("reg_genmove");
        let command = if keeps_board {
            Command::RegGenMove(side)
        } else {
            Command::GenMove(side)
        };
        let name = command.to_string();
        let shown = self.moves.take();
        let start_ms = talk.link.now_ms();
        let id = self.request(talk, command)?;
        let mut collector = Collector::default();
        let response = talk.attend(
            &Patience {
                stop,
                limit_ms: limit_ms(question).map(|ms| ms + LATE_MS),
                word: None,
                language: Language::Gtp,
            },
            |line| match collector.take(line, id) {
                Some(response) => ControlFlow::Break(response),
                None => ControlFlow::Continue(()),
            },
        )?;
        let text = response.outcome.map_err(|reason| Trouble::Refused {
            command: name,
            reason,
        })?;
        let best = text
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned();
        self.moves = match (keeps_board, shown, best.parse::<Move>()) {
            (true, shown, _) => shown,
            (false, Some(mut shown), Ok(action)) => {
                shown.push(action);
                Some(shown)
            }
            // What its board shows now, only the engine knows.
            _ => None,
        };
        // A stop that came with the answer is no reason to throw the answer away.
        stop.load(Ordering::Relaxed);
        let time_ms = talk.link.now_ms().saturating_sub(start_ms);
        Ok(thought(best, time_ms))
    }
}

fn thought(best: String, time_ms: u64) -> Thought {
    let line = ThoughtLine {
        score: None,
        bound: Bound::Exact,
        chances: None,
        depth: None,
        is_solved: false,
        moves: vec![best.clone()],
    };
    Thought {
        lines: vec![line],
        best: Some(best),
        time_ms: Some(time_ms),
        ..Thought::default()
    }
}

/// Many engines read whole seconds only. Less than one is left as it is: such an engine takes it for
/// none and hurries.
const fn whole_seconds(ms: u64) -> u64 {
    if ms < 1000 { ms } else { ms / 1000 * 1000 }
}

fn settings(clocks: &Clocks) -> TimeSettings {
    TimeSettings {
        main_ms: whole_seconds(clocks.own_ms()),
        overtime_ms: whole_seconds(clocks.increment_ms[clocks.side.index()]),
        overtime_moves: u32::from(clocks.increment_ms[clocks.side.index()] > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_collected_up_to_their_empty_line() {
        let mut collector = Collector::default();
        let mut take = |line: &str| collector.take(line, 7);
        assert_eq!(take("Edax 4.4, loading"), None);
        assert_eq!(take("=6 late"), None);
        assert_eq!(take(""), None, "an answer to another question");
        assert_eq!(take("=7 f5"), None);
        let response = take("").unwrap();
        assert_eq!(
            (response.id, response.outcome),
            (Some(7), Ok("f5".to_owned()))
        );
        assert_eq!(take("? unknown command"), None);
        assert!(take("\r").unwrap().outcome.is_err());
    }
}

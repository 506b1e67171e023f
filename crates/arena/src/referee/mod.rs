//! One game between two players: whose turn it is, whether a move is legal, what the clocks say,
//! and how it ends.

mod reason;
mod rules;

pub use reason::{ParseReasonError, Reason};
pub use rules::{Draw, MOVE_MARGIN_MS, Oracle, Resign, Rules};

use crate::player::{Choice, Failure, Player, Situation};
use game::{Clock, Control, NodeId, Outcome, Position, Record, Report, Score, Side, TimeControl};
use rules::{Opinions, drawn};
use std::sync::atomic::{AtomicBool, Ordering};

/// What happens in a game, as it happens.
#[derive(Debug)]
pub enum News<'a> {
    /// A move was made, or the game begins.
    Moved {
        record: &'a Record,
        at: NodeId,
        clock: &'a Clock,
    },
    /// What the side to move has found so far.
    Thinks(&'a Report),
}

/// What the referee sees of the world outside.
pub struct World<'a> {
    /// Milliseconds since whenever the caller likes; the clocks of the game run by it.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
    /// Ends the thinking of the player whose turn it is, and the game.
    pub stop: &'a AtomicBool,
    /// Asked after every move: a game that is not wanted any more ends as by `stop`, but at the end
    /// of the move.
    pub is_wanted: &'a (dyn Fn() -> bool + Sync),
    /// Told of every move, and of what the players find.
    pub watch: &'a (dyn Fn(News<'_>) + Sync),
    /// Whether the watcher wants to know just now what a player finds on its way. What it found when
    /// it moves is told in any case.
    pub wants_thoughts: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl World<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || !(self.is_wanted)()
    }
}

/// What a game is played by.
#[derive(Clone, Copy, Default)]
pub struct Conditions<'a> {
    /// Black's and White's time.
    pub controls: [TimeControl; 2],
    pub rules: Rules,
    /// Players may think while their opponent does.
    pub ponders: bool,
    /// Somebody who may know the result before the players do.
    pub oracle: Option<&'a dyn Oracle>,
}

impl std::fmt::Debug for Conditions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conditions")
            .field("controls", &self.controls)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// What is known about one move that a player chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub side: Side,
    /// The time between the question and the answer, which the clock counts.
    pub thinking_ms: u64,
    /// How long the player took to say that it is ready, before its clock was started.
    pub latency_ms: u64,
    /// What the player thought of its move.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A game that has a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The opening and what followed, with what the players thought of their moves and the time
    /// they took. Its outcome is there and says why the game ended.
    pub record: Record,
    /// Who won, and by how many discs where they are counted.
    pub outcome: Outcome,
    pub reason: Reason,
    /// Who failed and how, if that ended the game.
    pub failure: Option<(Side, Failure)>,
    /// The moves that players chose, in order; forced passes are not among them.
    pub steps: Vec<Step>,
    /// Plies of the opening.
    pub opening_plies: usize,
}

/// Plays a game from the end of the opening's main line. Players and time controls are Black's and
/// White's.
///
/// Whatever a player does, the game gets a result: an illegal move, a crash (panics are caught), a
/// flag that fell and a resignation lose it. `None` means that the game was stopped from outside,
/// and has no result.
pub fn play(
    opening: &Record,
    players: [&mut dyn Player; 2],
    conditions: &Conditions<'_>,
    world: &World<'_>,
) -> Option<Played> {
    let [black, white] = players;
    let at = opening.main_end();
    let margins_ms = conditions
        .controls
        .map(|it| conditions.rules.margin_of_ms(it));
    let mut game = Game {
        record: opening.clone(),
        at,
        clock: Clock::with_controls(conditions.controls).with_margins(margins_ms),
        conditions,
        world,
        opinions: Opinions::default(),
        steps: Vec::with_capacity(64),
        n_plies: opening.path(at).len() as u32 - 1,
    };
    let opening_plies = game.n_plies as usize;
    game.record.outcome = None;
    game.tell_move();
    black.new_game();
    white.new_game();
    let mut moved_last = None;
    let (outcome, reason, failure) = loop {
        if let Some((outcome, reason)) = game.end() {
            break (outcome, reason, None);
        }
        let side = game.side();
        match moved_last.filter(|it| conditions.ponders && *it != side) {
            Some(Side::Black) => game.let_ponder(&mut *black),
            Some(Side::White) => game.let_ponder(&mut *white),
            None => {}
        }
        moved_last = Some(side);
        let moved = game.turn(match side {
            Side::Black => &mut *black,
            Side::White => &mut *white,
        });
        if world.is_over() {
            // The last move may be that of a search cut short.
            black.game_over();
            white.game_over();
            return None;
        }
        if let Err(failure) = moved {
            let reason = Reason::from(&failure);
            let outcome = Outcome::lost_by(side, reason.termination());
            break (outcome, reason, Some((side, failure)));
        }
        game.tell_move();
    };
    black.game_over();
    white.game_over();
    game.record.outcome = Some(outcome);
    Some(Played {
        record: game.record,
        outcome,
        reason,
        failure,
        steps: game.steps,
        opening_plies,
    })
}

/// A game under way.
struct Game<'a> {
    record: Record,
    at: NodeId,
    clock: Clock,
    conditions: &'a Conditions<'a>,
    world: &'a World<'a>,
    opinions: Opinions,
    steps: Vec<Step>,
    n_plies: u32,
}

impl Game<'_> {
    fn side(&self) -> Side {
        let position = self.record.position(self.at);
        position.map_or(Side::Black, Position::side)
    }

    fn tell_move(&self) {
        (self.world.watch)(News::Moved {
            record: &self.record,
            at: self.at,
            clock: &self.clock,
        });
    }

    /// Whether the game is over, by the rules of the game first.
    fn end(&self) -> Option<(Outcome, Reason)> {
        let position = self.record.position(self.at)?;
        if let Some(ending) = self.record.ending_at(self.at) {
            return Some((self.record.outcome_at(self.at)?, ending.into()));
        }
        let rules = &self.conditions.rules;
        let claim = rules.claims.then(|| self.record.claim_at(self.at));
        if let Some(claim) = claim.flatten() {
            return Some(drawn(claim.into()));
        }
        let known = self
            .conditions
            .oracle
            .and_then(|oracle| oracle.outcome(position));
        let moves = self.n_plies / 2;
        known
            .or_else(|| self.opinions.verdict(rules, moves))
            .or_else(|| {
                let is_long = rules.max_moves.is_some_and(|most| moves >= most);
                is_long.then(|| drawn(Reason::Length))
            })
    }

    /// One move of the side to move.
    fn turn(&mut self, player: &mut dyn Player) -> Result<(), Failure> {
        let position = self.record.position(self.at);
        if let Some(forced) = position.and_then(Position::forced) {
            // No player is asked, and no time passes.
            return self.make(&Choice::silent(forced));
        }
        let side = self.side();
        let asked_ms = (self.world.now_ms)();
        player.prepare(&self.record, self.at)?;
        let start_ms = (self.world.now_ms)();
        self.clock.start(side, start_ms);
        let answer = self.ask(player);
        let now_ms = (self.world.now_ms)();
        let choice = match answer {
            // What comes after the flag does not matter any more.
            Err(Failure::Illegal(_)) if self.clock.flagged(now_ms).is_some() => {
                return Err(Failure::TimedOut);
            }
            other => other?,
        };
        self.clock.press(now_ms).map_err(|_| Failure::TimedOut)?;
        // The opponent's time runs from the moment at which it is asked, not while it gets ready.
        self.clock.stop(now_ms);
        self.make(&choice)?;
        let thinking_ms = now_ms.saturating_sub(start_ms);
        let score = choice.score();
        if let Some(note) = self.record.note_mut(self.at) {
            note.time = Some(format!("{}.{:03}", thinking_ms / 1000, thinking_ms % 1000));
        }
        self.opinions.count(&self.conditions.rules, side, score);
        let report = choice.report.as_ref();
        self.steps.push(Step {
            side,
            thinking_ms,
            latency_ms: start_ms.saturating_sub(asked_ms),
            score,
            depth: report.map(|it| it.depth).filter(|depth| *depth > 0),
            nodes: report.map(|it| it.nodes).filter(|nodes| *nodes > 0),
        });
        Ok(())
    }

    /// Whoever has moved may think on the opponent's time.
    fn let_ponder(&self, player: &mut dyn Player) {
        let now_ms = (self.world.now_ms)();
        player.ponder(&self.record, self.at, &self.clock, now_ms);
    }

    fn ask(&self, player: &mut dyn Player) -> Result<Choice, Failure> {
        let control = Control {
            now_ms: self.world.now_ms,
            stop: self.world.stop,
            observe: &mut |report| (self.world.watch)(News::Thinks(report)),
        };
        let situation = Situation::at(&self.record, self.at, &self.clock, control);
        let situation = situation.ok_or(Failure::NoAnswer)?;
        situation.with_wish(self.world.wants_thoughts).ask(player)
    }

    fn make(&mut self, choice: &Choice) -> Result<(), Failure> {
        let made = self.record.add(self.at, choice.action);
        self.at = made.map_err(|error| Failure::Illegal(error.to_string()))?;
        self.n_plies += 1;
        if let Some(note) = self.record.note_mut(self.at) {
            note.eval = choice.score().map(|value| value.to_string());
        }
        Ok(())
    }
}

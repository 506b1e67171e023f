//! One game between two players: whose turn it is, whether a move is legal, what the clocks say,
//! and how it ends.

use crate::player::{Choice, Failure, Player, Situation};
use game::{Clock, Control, NodeId, Outcome, Record, Side, TimeControl};
use std::sync::atomic::{AtomicBool, Ordering};

/// What the referee sees of the world outside.
pub struct World<'a> {
    /// Milliseconds since whenever the caller likes; the clocks of the game run by it.
    pub now_ms: &'a (dyn Fn() -> u64 + Sync),
    /// Ends the thinking of the player whose turn it is, and the game.
    pub stop: &'a AtomicBool,
    /// Asked after every move: a game that is not wanted any more ends as by `stop`, but at the end
    /// of the move.
    pub is_wanted: &'a (dyn Fn() -> bool + Sync),
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

/// A game that has a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The opening and what followed, with what the players thought of their moves and the time
    /// they took. Its outcome is there and says why the game ended.
    pub record: Record,
    /// Who failed and how, if that ended the game.
    pub failure: Option<(Side, Failure)>,
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
    controls: [TimeControl; 2],
    world: &World<'_>,
) -> Option<Played> {
    let [black, white] = players;
    let mut game = Game {
        record: opening.clone(),
        at: opening.main_end(),
        clock: Clock::with_controls(controls),
        world,
    };
    game.record.outcome = None;
    black.new_game();
    white.new_game();
    let failure = loop {
        if let Some(outcome) = game.record.outcome_at(game.at) {
            game.record.outcome = Some(outcome);
            break None;
        }
        let side = game.side();
        let moved = game.turn(match side {
            Side::Black => &mut *black,
            Side::White => &mut *white,
        });
        if world.is_over() {
            // The last move may be that of a search cut short.
            return None;
        }
        if let Err(failure) = moved {
            let outcome = Outcome::lost_by(side, failure.termination());
            game.record.outcome = Some(outcome);
            break Some((side, failure));
        }
    };
    Some(Played {
        record: game.record,
        failure,
    })
}

/// A game under way.
struct Game<'a> {
    record: Record,
    at: NodeId,
    clock: Clock,
    world: &'a World<'a>,
}

impl Game<'_> {
    fn side(&self) -> Side {
        let position = self.record.position(self.at);
        position.map_or(Side::Black, game::Position::side)
    }

    /// One move of the side to move.
    fn turn(&mut self, player: &mut dyn Player) -> Result<(), Failure> {
        let position = self.record.position(self.at);
        if let Some(forced) = position.and_then(game::Position::forced) {
            // No player is asked, and no time passes.
            return self.make(&Choice::silent(forced));
        }
        let start_ms = (self.world.now_ms)();
        self.clock.start(self.side(), start_ms);
        let choice = self.ask(player)?;
        let now_ms = (self.world.now_ms)();
        self.clock.press(now_ms).map_err(|_| Failure::TimedOut)?;
        self.make(&choice)?;
        if let Some(note) = self.record.note_mut(self.at) {
            let spent_ms = now_ms.saturating_sub(start_ms);
            note.time = Some(format!("{}.{:03}", spent_ms / 1000, spent_ms % 1000));
        }
        Ok(())
    }

    fn ask(&self, player: &mut dyn Player) -> Result<Choice, Failure> {
        let control = Control {
            now_ms: self.world.now_ms,
            stop: self.world.stop,
            observe: &mut |_| {},
        };
        let situation = Situation::at(&self.record, self.at, &self.clock, control);
        situation.ok_or(Failure::NoAnswer)?.ask(player)
    }

    fn make(&mut self, choice: &Choice) -> Result<(), Failure> {
        let made = self.record.add(self.at, choice.action);
        self.at = made.map_err(|error| Failure::Illegal(error.to_string()))?;
        if let Some(note) = self.record.note_mut(self.at) {
            note.eval = choice.score().map(|value| value.to_string());
        }
        Ok(())
    }
}

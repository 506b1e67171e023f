//! Plays the games of a tournament: one after the other, with engines of its own.

use super::{
    EntrantError, GameLine, Settings, entrant,
    runner::{Controls, Dealer, News, Runner, Watch},
};
use crate::matches::AtBoard;
use arena::{
    referee::{self, Conditions, Oracle, World},
    tournament::{Assignment, Coordinator as _, Pairing},
};
use game::Side;
use othello::sample::SplitMix64;
use std::sync::atomic::Ordering;

/// Plays one game after the other, with engines of its own.
pub(super) struct Worker<'a> {
    runner: &'a Runner,
    number: usize,
    /// The players at the board: only two engines run for each worker.
    seats: Vec<(usize, AtBoard)>,
    oracle: Option<Box<dyn Oracle + 'a>>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(runner: &'a Runner, number: usize) -> Self {
        Self {
            runner,
            number,
            seats: Vec::new(),
            oracle: runner.foresight.oracle(),
        }
    }

    pub(super) fn work(
        &mut self,
        desk: &Dealer<'_>,
        controls: &Controls,
        now_ms: &(dyn Fn() -> u64 + Sync),
        watch: Watch<'_>,
    ) {
        loop {
            match desk.next() {
                Assignment::Over => break,
                Assignment::Wait => desk.wait(),
                Assignment::Play(pairing) => {
                    let played = self.play(desk, pairing, controls, now_ms, watch);
                    match played {
                        Some(games) => {
                            if !desk.finished(pairing, games) {
                                break;
                            }
                        }
                        None => {
                            desk.give_back(pairing);
                            if controls.stop.load(Ordering::Relaxed) {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sees to it that both players of a pair sit at the board, and nobody else.
    fn sit_down(&mut self, players: [usize; 2]) -> Result<(), EntrantError> {
        self.seats.retain(|(player, _)| players.contains(player));
        for player in players {
            if !self.seats.iter().any(|(it, _)| *it == player) {
                let seat = self.runner.contenders[player].seat();
                let seat = seat.map_err(|source| EntrantError::Analyst {
                    name: self.runner.tournament.settings.engines[player].name.clone(),
                    source,
                })?;
                self.seats.push((player, seat));
            }
        }
        Ok(())
    }

    /// Plays a pair; `None` if it was stopped.
    fn play(
        &mut self,
        desk: &Dealer<'_>,
        pairing: Pairing,
        controls: &Controls,
        now_ms: &(dyn Fn() -> u64 + Sync),
        watch: Watch<'_>,
    ) -> Option<Vec<GameLine>> {
        let settings = &self.runner.tournament.settings;
        let first_side = settings.kind().start().side();
        let opening = self.runner.openings[self.runner.opening(&pairing)].record(settings.kind());
        let n_games = if pairing.is_double { 2 } else { 1 };
        let mut games = Vec::with_capacity(n_games);
        for game in 0..n_games {
            if settings.restart {
                self.seats.clear();
            }
            if let Err(error) = self.sit_down(pairing.players) {
                desk.fail(error.into());
                return None;
            }
            let first = if game == 0 {
                first_side
            } else {
                first_side.other()
            };
            self.reseed(&pairing, game, settings.seed);
            let world = World {
                now_ms,
                stop: &controls.stop,
                is_wanted: &|| !desk.is_decided.load(Ordering::Relaxed),
                watch: &|news| {
                    (watch.tell)(News::Game {
                        worker: self.number,
                        pairing,
                        game,
                        news,
                    });
                },
                wants_thoughts: &|| (watch.wants_thoughts)(self.number),
            };
            let oracle = self.oracle.as_deref();
            let conditions = conditions(settings, &pairing, first, oracle)?;
            let seats = std::mem::take(&mut self.seats);
            let (seats, played) = play_game(seats, &pairing, first, &opening, &conditions, &world);
            self.seats = seats;
            self.tell_options(desk);
            games.push(GameLine::of(&played?, first));
        }
        Some(games)
    }

    /// An engine that plays without what was asked for plays another tournament than the user thinks.
    fn tell_options(&self, desk: &Dealer<'_>) {
        for (player, seat) in &self.seats {
            if let Some(ready) = seat.ready() {
                let settings = &self.runner.tournament.settings;
                for problem in entrant::option_problems(settings, *player, ready) {
                    desk.note_once(&problem);
                }
            }
        }
    }

    /// Each player of each game has chance of its own, whoever plays it when.
    fn reseed(&mut self, pairing: &Pairing, game: usize, seed: u64) {
        for (player, seat) in &mut self.seats {
            let index = u64::from(*player == pairing.players[1]);
            let game = pairing.number << 2 | (game as u64) << 1 | index;
            seat.reseed(SplitMix64::new(seed ^ game.rotate_right(16)).next_u64());
        }
    }
}

pub(super) fn conditions<'a>(
    settings: &Settings,
    pairing: &Pairing,
    first: Side,
    oracle: Option<&'a dyn Oracle>,
) -> Option<Conditions<'a>> {
    let [a, b] = pairing.players;
    let controls = [settings.control(a).ok()?, settings.control(b).ok()?];
    Some(Conditions {
        controls: match first {
            Side::Black => controls,
            Side::White => [controls[1], controls[0]],
        },
        rules: settings.rules(),
        ponders: settings.ponder,
        oracle,
    })
}

/// One game between the two who sit there; the seats come back.
pub(super) fn play_game(
    mut seats: Vec<(usize, AtBoard)>,
    pairing: &Pairing,
    first: Side,
    opening: &game::Record,
    conditions: &Conditions<'_>,
    world: &World<'_>,
) -> (Vec<(usize, AtBoard)>, Option<referee::Played>) {
    seats.sort_by_key(|(player, _)| *player != pairing.players[0]);
    let played = match &mut seats[..] {
        [(_, a), (_, b)] => {
            let players: [&mut dyn arena::player::Player; 2] = match first {
                Side::Black => [a.player(), b.player()],
                Side::White => [b.player(), a.player()],
            };
            referee::play(opening, players, conditions, world)
        }
        _ => None,
    };
    (seats, played)
}

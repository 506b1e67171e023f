//! The engine against itself: games to learn from.
//!
//! A game follows from its number, the settings and the weights alone, as long as searches end by
//! depth or nodes: whichever thread plays it, and whatever was played before, it is the same game.

use crate::games::{Choice, Ply, RecordedGame};
use engine::{
    Control, Engine, Limits,
    checksum::Checksum,
    eval::{
        Evaluator,
        hidden::{HEADS, PHASES},
        pattern::{Pattern, STAGES},
    },
};
use othello::{Bitboard, Game, Move, Position, Square, sample::SplitMix64};
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// How games are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What ends a search; with `exact_empties` squares left the game is played perfectly.
    pub limits: Limits,
    /// So many moves after the opening are made at random.
    pub random_plies: u32,
    /// The share of later moves that are made at random, until the game is played perfectly.
    pub epsilon: f64,
    /// Where chance comes from, together with the game's number.
    pub seed: u64,
}

/// All that games depend on, as text: `seed=1 depth=6 exact=12 …`.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits {
            depth,
            nodes,
            time_ms,
            exact_empties,
            ..
        } = self.limits;
        write!(f, "seed={}", self.seed)?;
        if let Some(depth) = depth {
            write!(f, " depth={depth}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, " nodes={nodes}")?;
        }
        if let Some(time_ms) = time_ms {
            write!(f, " time-ms={time_ms}")?;
        }
        write!(
            f,
            " exact={exact_empties} random-plies={} epsilon={}",
            self.random_plies, self.epsilon
        )
    }
}

/// A number that tells weights apart.
pub fn weights_fingerprint(pattern: &Pattern) -> u64 {
    let weights = (0..STAGES).flat_map(|stage| pattern.stage(stage));
    let sum = weights.fold(Checksum::default(), |sum, &weight| {
        sum.and(u64::from(weight as u16))
    });
    let Some(hidden) = pattern.hidden() else {
        return sum.value();
    };
    let rows = (0..PHASES).flat_map(|phase| hidden.rows(phase));
    let sum = rows
        .flat_map(|row| row.0)
        .fold(sum, |sum, number| sum.and(u64::from(number as u8)));
    let heads = (0..HEADS).map(|n_empties| hidden.head(n_empties));
    let numbers = heads.flat_map(|head| head.bias.into_iter().chain(head.weight));
    numbers
        .fold(sum, |sum, number| sum.and(u64::from(number as u16)))
        .value()
}

/// A number that tells openings apart.
pub fn openings_fingerprint(openings: &[Game]) -> u64 {
    openings.iter().fold(openings.len() as u64, |sum, opening| {
        SplitMix64::new(sum ^ opening.start().hash().rotate_left(1) ^ opening.hash()).next_u64()
    })
}

/// The opening of a game: all are used once before any is used again, each time in another order.
pub fn opening_of(openings: &[Game], number: u64, seed: u64) -> Option<&Game> {
    let n = openings.len() as u64;
    let round = number.checked_div(n)?;
    let mut order: Vec<usize> = (0..openings.len()).collect();
    shuffle(&mut order, seed.wrapping_add(round));
    openings.get(order[(number % n) as usize])
}

fn shuffle(order: &mut [usize], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
}

/// Plays the game with this number; `None` if the stop flag was set before its end.
pub fn play<E: Evaluator>(
    engine: &mut Engine<E>,
    opening: Option<&Game>,
    number: u64,
    settings: &Settings,
    now_ms: &(dyn Fn() -> u64 + Sync),
    stop: &AtomicBool,
) -> Option<RecordedGame> {
    engine.clear();
    let mut random = SplitMix64::new(settings.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let start = opening.map_or(Position::START, Game::start);
    let mut table = Table {
        position: start,
        plies: Vec::with_capacity(60),
    };
    for square in opening
        .iter()
        .flat_map(|game| game.moves())
        .filter_map(Move::square)
    {
        table.place(square, Choice::Given, 0);
    }
    for _ in 0..settings.random_plies {
        let Some(square) = random_square(table.legal_moves(), &mut random) else {
            break;
        };
        table.place(square, Choice::Given, 0);
    }
    loop {
        let legal = table.legal_moves();
        let Some(first) = legal.first() else {
            break;
        };
        let board = table.position.board;
        let is_exact = board.empties().len() <= settings.limits.exact_empties;
        if !is_exact && random.unit_f64() < settings.epsilon {
            let square = random_square(legal, &mut random).unwrap_or(first);
            table.place(square, Choice::Random, engine.evaluate(board));
            continue;
        }
        let control = Control {
            now_ms,
            stop,
            observe: &mut |_| {},
        };
        let report = engine.search(board, &settings.limits, control);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let choice = if report.solved {
            Choice::Exact
        } else {
            Choice::Search(report.depth.max(1) as u8)
        };
        let best = report.best().and_then(Move::square);
        table.place(best.unwrap_or(first), choice, report.score);
    }
    Some(RecordedGame::new(start, table.plies).expect("only legal moves were made"))
}

/// A game being played: passes are made as they are due.
struct Table {
    position: Position,
    plies: Vec<Ply>,
}

impl Table {
    /// None if the game is over.
    fn legal_moves(&mut self) -> Bitboard {
        if let Ok(passed) = self.position.pass() {
            self.position = passed;
        }
        self.position.board.legal_moves()
    }

    fn place(&mut self, square: Square, choice: Choice, value: i32) {
        // Moves of an opening come without the passes between them.
        self.legal_moves();
        let value = value.clamp(-6400, 6400) as i16;
        if let Ok(next) = self.position.play(square) {
            self.position = next;
            self.plies.push(Ply {
                square,
                choice,
                value,
            });
        }
    }
}

fn random_square(legal: Bitboard, random: &mut SplitMix64) -> Option<Square> {
    if legal.is_empty() {
        return None;
    }
    legal.into_iter().nth(random.below(legal.len()) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::classic::Classic;
    use othello::notation::parse_transcript;

    fn settings() -> Settings {
        Settings {
            limits: Limits {
                depth: Some(2),
                exact_empties: 8,
                ..Limits::default()
            },
            random_plies: 4,
            epsilon: 0.2,
            seed: 11,
        }
    }

    fn engine() -> Engine<Classic> {
        Engine::new(Classic::default(), 1, 1).unwrap()
    }

    fn play_one(engine: &mut Engine<Classic>, opening: Option<&Game>, number: u64) -> RecordedGame {
        let stop = AtomicBool::new(false);
        play(engine, opening, number, &settings(), &|| 0, &stop).unwrap()
    }

    #[test]
    fn a_game_follows_from_its_number() {
        let mut engine = engine();
        let first: Vec<RecordedGame> = (0..6).map(|n| play_one(&mut engine, None, n)).collect();
        for number in (0..6).rev() {
            let again = play_one(&mut engine, None, number as u64);
            assert_eq!(again, first[number]);
        }
        assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn games_are_whole_and_say_how_each_move_was_chosen() {
        let mut engine = engine();
        let (mut n_random, mut n_searched) = (0, 0);
        for number in 0..20 {
            let recorded = play_one(&mut engine, None, number);
            let game = recorded.game();
            assert!(game.is_over());
            let outcome = game.outcome().unwrap();
            let mut replay = Game::new();
            for (index, ply) in recorded.plies().iter().enumerate() {
                if replay.position().board.must_pass() {
                    replay.play(Move::Pass).unwrap();
                }
                let position = replay.position();
                let n_empties = position.board.empties().len();
                match ply.choice {
                    Choice::Given => assert!(index < 4),
                    Choice::Random => n_random += 1,
                    Choice::Search(depth) => {
                        assert!(n_empties > 8);
                        assert_eq!(depth, 2);
                        n_searched += 1;
                    }
                    Choice::Exact => {
                        // From here on both play perfectly, so that the value is the result.
                        let result = 100 * outcome.score_for(position.side);
                        assert_eq!(i32::from(ply.value), result);
                    }
                }
                assert!(n_empties > 8 || ply.choice == Choice::Exact);
                replay.place(ply.square).unwrap();
            }
        }
        assert!(
            n_random > 50 && n_searched > 4 * n_random / 2,
            "{n_random} {n_searched}"
        );
    }

    #[test]
    fn openings_come_first_and_take_turns() {
        let openings = ["f5d6c3", "f5f6e6", "f5d6c5"].map(|it| parse_transcript(it).unwrap());
        let mut used: Vec<String> = (0..3)
            .map(|number| opening_of(&openings, number, 7).unwrap().transcript())
            .collect();
        let order = used.clone();
        used.sort();
        assert_eq!(used, ["f5d6c3", "f5d6c5", "f5f6e6"]);
        let rounds: Vec<String> = (0..30)
            .map(|number| opening_of(&openings, number, 7).unwrap().transcript())
            .collect();
        assert!(
            rounds.chunks(3).any(|round| round != order),
            "orders differ"
        );
        assert!(opening_of(&[], 0, 7).is_none());
        let recorded = play_one(&mut engine(), Some(&openings[1]), 0);
        assert!(recorded.game().transcript().starts_with("f5f6e6"));
        let others = [openings[0].clone(), openings[2].clone()];
        assert_ne!(
            openings_fingerprint(&openings),
            openings_fingerprint(&others)
        );
    }

    #[test]
    fn a_stopped_game_is_none() {
        let stop = AtomicBool::new(true);
        assert_eq!(
            play(&mut engine(), None, 0, &settings(), &|| 0, &stop),
            None
        );
    }
}

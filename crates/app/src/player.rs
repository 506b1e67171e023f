//! Somebody to play against: a level, a book, a clock, and one move at a time.

use crate::{Analyst, EngineChoice, Tuning, analyst::shared_report};
use arena::player::{Choice, Failure, Situation, words_of_panic};
use engine::{
    Limits,
    book::Book,
    levels::{self, Profile},
    time::{self, Allotment, Latency, Remaining},
};
use game::{Control, Report};
use othello::{Board, Move, Position, Side, sample::SplitMix64};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What ends a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The level's own depth and time.
    Own,
    /// The level's own depth, or a number of nodes if it has none, however long it takes: what
    /// replays on any machine.
    Untimed,
    /// So many plies, however long it takes; ends that the level promises are played perfectly
    /// all the same.
    Depth(u32),
    /// These limits in place of the level's own; only the number of lines is the level's.
    Limits(Limits),
    /// A clock. Only the strongest level makes use of all it is given.
    Clock(Remaining),
}

/// A search that ended in a bug instead of a move. It says what is needed to see it again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the search failed at {position} with seed {seed}: {reason}")]
pub struct SearchPanicError {
    pub position: Position,
    pub seed: u64,
    /// What the panic said.
    pub reason: String,
}

/// Where there is no time to think, so many nodes take a fraction of a millisecond, and beat one ply.
const NODES_WITHOUT_TIME: u64 = 2_000;

/// A player of some level.
///
/// On one thread the same seed and the same sequence of questions give the same moves, as long as
/// no search is cut short by time: at [`Pace::Untimed`] and [`Pace::Depth`] always, at
/// [`Pace::Own`] as long as the machine is fast enough for the level's depth (all but the slowest
/// are, below the two strongest levels). The chance in a choice comes from the seed and the
/// position, so that taking a move back and asking again changes nothing.
#[derive(Debug)]
pub struct Player {
    analyst: Analyst,
    profile: Profile,
    book: Arc<Book>,
    seed: u64,
    /// How late its searches end where a clock limits them.
    latency: Latency,
}

impl Player {
    /// A player who asks this analyst; an empty book is no book.
    pub fn new(analyst: Analyst, profile: Profile, book: impl Into<Arc<Book>>, seed: u64) -> Self {
        Self {
            analyst,
            profile,
            book: book.into(),
            seed,
            latency: Latency::default(),
        }
    }

    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Has all later searches go about it like this.
    pub const fn tune(&mut self, tuning: Tuning) {
        self.analyst.tune(tuning);
    }

    /// Has all later moves come from this book, where the level follows one.
    pub fn open_book(&mut self, book: Arc<Book>) {
        self.book = book;
    }

    /// The book, whether the level follows it or not.
    pub const fn book(&self) -> &Arc<Book> {
        &self.book
    }

    /// The book's moves, heaviest first, whether the level follows it or not.
    pub fn book_moves(&self, position: Position) -> Vec<othello::Square> {
        crate::book::squares(&self.book, position)
    }

    /// What searches for the player.
    pub const fn engine(&self) -> EngineChoice {
        self.analyst.engine()
    }

    /// Where the player's chance comes from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Another source of chance, for another game.
    pub const fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Goes on as another level with other chance, keeping engine and book.
    pub const fn become_level(&mut self, profile: Profile, seed: u64) {
        self.profile = profile;
        self.seed = seed;
    }

    /// Forgets earlier games, so that the next one does not depend on them.
    pub fn new_game(&mut self) {
        self.analyst.clear();
    }

    /// Chooses a move: the book's if there is one and the level follows books, else by a search and the level's choice among
    /// what it found. Set the stop flag to have the choice at once.
    ///
    /// A panic in the search is caught; the player stays usable.
    pub fn decide(
        &mut self,
        position: Position,
        pace: Pace,
        control: Control<'_>,
    ) -> Result<Choice, SearchPanicError> {
        let board = position.board;
        let legal = board.legal_moves();
        let Some(first) = legal.first() else {
            return Ok(Choice::silent(Move::Pass));
        };
        // Elsewhere somebody may want to see the only move's value.
        let is_hurried = matches!(pace, Pace::Clock(_) | Pace::Limits(_));
        if legal.len() == 1 && is_hurried {
            return Ok(Choice::silent(Move::Place(first)));
        }
        let mut random = SplitMix64::new(self.seed ^ position.hash());
        if self.profile.follows_book()
            && let Some(square) = self.book.choose(position, &mut random)
        {
            return Ok(Choice::silent(Move::Place(square)));
        }
        if let Some(square) = self.profile.choose_at_sight(board, &mut random) {
            return Ok(Choice::silent(Move::Place(square)));
        }
        let plan = plan(&self.profile, board, pace, self.latency);
        let found = self.search(position, &plan, control)?;
        let action = levels::choose(&self.profile, board, &found, &mut random)
            // A search without a line has not been seen; any move beats none.
            .unwrap_or(Move::Place(first));
        Ok(Choice {
            action: action.into(),
            report: Some(shared_report(self.analyst.source(), position, &found)),
        })
    }

    /// What the player's analyst says of the best `lines` moves, without the level's errors. The
    /// stop flag is used as in [`Player::decide`].
    pub fn analyse(
        &mut self,
        position: Position,
        lines: usize,
        pace: Pace,
        control: Control<'_>,
    ) -> Result<Report, SearchPanicError> {
        let mut plan = plan(&self.profile, position.board, pace, self.latency);
        plan.limits.lines = lines.max(1);
        let found = self.search(position, &plan, control)?;
        Ok(shared_report(self.analyst.source(), position, &found))
    }

    fn search(
        &mut self,
        position: Position,
        plan: &Plan,
        control: Control<'_>,
    ) -> Result<engine::Report, SearchPanicError> {
        let Control {
            now_ms,
            stop,
            observe,
        } = control;
        let start_ms = now_ms();
        // A share of the clock that is used up ends this search; the caller's flag may end more than
        // that. A search within a time looks at the clock often enough to hear of the caller's flag.
        let enough = AtomicBool::new(false);
        let pass_on = || {
            if stop.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
            now_ms()
        };
        let mut watch = |report: &Report| {
            observe(report);
            let is_due = |soft_ms| now_ms().saturating_sub(start_ms) >= soft_ms;
            if plan.soft_ms.is_some_and(is_due) {
                enough.store(true, Ordering::Relaxed);
            }
        };
        let control = match plan.soft_ms {
            None => Control {
                now_ms,
                stop,
                observe: &mut watch,
            },
            Some(_) => Control {
                now_ms: &pass_on,
                stop: &enough,
                observe: &mut watch,
            },
        };
        let analyst = &mut self.analyst;
        // Whatever state the panic left, clearing makes it a state like any other.
        let search = AssertUnwindSafe(|| analyst.search_raw(position, &plan.limits, control));
        let found = catch_unwind(search);
        if let (Some(_), Some(limit_ms)) = (plan.soft_ms, plan.limits.time_ms) {
            let used_ms = now_ms().saturating_sub(start_ms);
            self.latency.observe(limit_ms, used_ms);
        }
        found.map_err(|panic| {
            self.analyst.clear();
            SearchPanicError {
                position,
                seed: self.seed,
                reason: words_of_panic(&*panic),
            }
        })
    }
}

/// A player at a board: it takes the time that the clock of the game gives it, or its pace where
/// there is no clock.
#[derive(Debug)]
pub struct Seat {
    pub player: Player,
    /// What ends its searches where there is no clock. A time for each move counts beside a clock,
    /// too, as long as the clock has that much for all the moves to come.
    pub pace: Pace,
}

impl arena::player::Player for Seat {
    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn choose(&mut self, situation: Situation<'_>) -> Result<Choice, Failure> {
        let Some(position) = situation.position.othello() else {
            return Err(Failure::Crashed("it plays Othello and no chess".to_owned()));
        };
        let now_ms = (situation.control.now_ms)();
        let pace = beside(self.pace, position, situation.clock, now_ms);
        let choice = self.player.decide(position, pace, situation.control);
        choice.map_err(|error| Failure::Crashed(error.to_string()))
    }
}

/// The pace of a player beside the clock of its game.
fn beside(pace: Pace, position: Position, clock: &game::Clock, now_ms: u64) -> Pace {
    let Some(remaining) = remaining(clock, position.side, now_ms) else {
        return pace;
    };
    let is_affordable = |move_ms: u64| match remaining {
        Remaining::PerMove { ms } => move_ms <= ms,
        Remaining::Game { remaining_ms, .. } => {
            let moves = position.board.empties().len() / 2 + 1;
            move_ms.saturating_mul(u64::from(moves)) <= remaining_ms
        }
    };
    match pace {
        Pace::Clock(Remaining::PerMove { ms }) if is_affordable(ms) => pace,
        _ => Pace::Clock(remaining),
    }
}

/// What a side has left, for time management; `None` without a limit.
fn remaining(clock: &game::Clock, side: Side, now_ms: u64) -> Option<Remaining> {
    let remaining_ms = clock.remaining_ms(side, now_ms)?;
    match (clock.control(side), clock.moves_to_go(side)) {
        (game::TimeControl::Unlimited, _) => None,
        (game::TimeControl::PerMove { .. }, _) => Some(Remaining::PerMove { ms: remaining_ms }),
        (game::TimeControl::Game { .. }, Some(moves)) => Some(Remaining::PerMove {
            ms: remaining_ms / u64::from(moves.max(1)),
        }),
        (game::TimeControl::Game { increment_ms, .. }, None) => Some(Remaining::Game {
            remaining_ms,
            increment_ms,
        }),
    }
}

/// What a search may take, and when it should begin nothing new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    limits: Limits,
    soft_ms: Option<u64>,
}

fn plan(profile: &Profile, board: Board, pace: Pace, latency: Latency) -> Plan {
    let own = profile.limits(board);
    let (limits, soft_ms) = match pace {
        Pace::Own => (own, None),
        Pace::Untimed => (
            Limits {
                nodes: profile.replay_nodes(),
                time_ms: None,
                ..own
            },
            None,
        ),
        Pace::Depth(depth) => (
            Limits {
                depth: Some(depth),
                time_ms: None,
                ..own
            },
            None,
        ),
        Pace::Limits(limits) => (
            Limits {
                lines: own.lines,
                ..limits
            },
            None,
        ),
        Pace::Clock(control) => {
            let Allotment { soft_ms, hard_ms } = allot(profile, board, control, latency);
            let mut limits = profile.with_time_ms(hard_ms).limits(board);
            if hard_ms == 0 {
                limits.nodes = Some(NODES_WITHOUT_TIME);
                limits.time_ms = Some(1);
            }
            (limits, Some(soft_ms))
        }
    };
    Plan { limits, soft_ms }
}

fn allot(profile: &Profile, board: Board, control: Remaining, latency: Latency) -> Allotment {
    let n_empties = board.empties().len();
    let n_moves = u64::from(n_empties / 2 + 1);
    let ms_a_move = match control {
        Remaining::PerMove { ms } => ms,
        Remaining::Game {
            remaining_ms,
            increment_ms,
        } => (remaining_ms / n_moves).saturating_add(increment_ms),
    };
    let solve_empties = if profile.depth.is_some() {
        profile.exact_empties
    } else {
        solvable(ms_a_move)
    };
    time::allot(
        control,
        time::Situation {
            n_empties,
            solve_empties,
            lag_ms: latency.lag_ms(),
        },
    )
}

/// How many empty squares can be expected to be solved by a move that takes its share or somewhat
/// more. Rough on purpose: it only says for which move to keep a reserve.
const fn solvable(ms_a_move: u64) -> u32 {
    match ms_a_move {
        0..50 => 16,
        50..300 => 18,
        300..2_000 => 20,
        2_000..10_000 => 22,
        _ => 24,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EvaluatorChoice, Settings};
    use othello::Game;
    use std::sync::atomic::AtomicU64;

    fn player(level: &str, book: Book, seed: u64) -> Player {
        let analyst = Analyst::new(&Settings {
            evaluator: EvaluatorChoice::Classic,
            engine: EngineChoice::AlphaBeta,
            weights: None,
            hash_mb: 1,
            threads: 1,
        })
        .unwrap();
        Player::new(analyst, level.parse().unwrap(), book, seed)
    }

    fn decide(player: &mut Player, position: Position, pace: Pace) -> Choice {
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        player.decide(position, pace, control).unwrap()
    }

    fn self_play(player: &mut Player, pace: Pace) -> Game {
        player.new_game();
        let mut game = Game::new();
        while !game.is_over() {
            let decision = decide(player, game.position(), pace);
            game.play(decision.action.othello().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_seed_replays_a_game_and_another_seed_plays_another() {
        let game = |seed| self_play(&mut player("elo_400", Book::new(), seed), Pace::Untimed);
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
        let mut again = player("elo_400", Book::new(), 3);
        self_play(&mut again, Pace::Untimed);
        assert_eq!(self_play(&mut again, Pace::Untimed), game(3));
    }

    #[test]
    fn every_pace_finishes_a_game() {
        let clock = |ms| Pace::Clock(Remaining::PerMove { ms });
        let limits = Pace::Limits(Limits {
            nodes: Some(50),
            ..Limits::default()
        });
        for pace in [Pace::Own, Pace::Untimed, Pace::Depth(1), limits, clock(0)] {
            assert!(self_play(&mut player("elo_1400", Book::new(), 1), pace).is_over());
        }
    }

    #[test]
    fn the_book_comes_first() {
        let d3 = "d3".parse().unwrap();
        let mut book = Book::new();
        book.add(Position::START, d3, 1);
        let mut player = player("max", book, 0);
        let decision = decide(&mut player, Position::START, Pace::Own);
        assert_eq!(decision, Choice::silent(Move::Place(d3)));
        assert_eq!(decision.score(), None);
    }

    #[test]
    fn a_low_level_is_not_forced_by_the_book() {
        let d3 = "d3".parse().unwrap();
        for profile in crate::PROFILES {
            let decide_with = |book: Book| {
                let mut player = player(profile.name, book, 5);
                let decision = decide(&mut player, Position::START, Pace::Depth(2));
                (decision, player.book_moves(Position::START))
            };
            let mut book = Book::new();
            book.add(Position::START, d3, 1);
            let (without, none) = decide_with(Book::new());
            assert_eq!(none, []);
            let (with, moves) = decide_with(book);
            assert_eq!(moves, [d3]);
            if profile.follows_book() {
                assert_eq!(with, Choice::silent(Move::Place(d3)));
            } else {
                assert!(with.report.is_some());
                assert_eq!(with, without, "{}", profile.name);
            }
        }
    }

    #[test]
    fn a_decision_knows_its_own_score() {
        let mut player = player("elo_2300", Book::new(), 0);
        let decision = decide(&mut player, Position::START, Pace::Depth(3));
        let report = decision.report.clone().unwrap();
        assert_eq!(report.depth, 3);
        assert_eq!(decision.score(), Some(report.score));
    }

    #[test]
    fn the_clock_ends_a_search_of_any_depth() {
        let mut player = player("full", Book::new(), 0);
        // A clock that moves on whenever somebody looks.
        let now = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let control = Control {
            now_ms: &|| now.fetch_add(1, Ordering::Relaxed),
            stop: &stop,
            observe: &mut |_| {},
        };
        let pace = Pace::Clock(Remaining::Game {
            remaining_ms: 5_000,
            increment_ms: 0,
        });
        let decision = player.decide(Position::START, pace, control).unwrap();
        assert!(
            Position::START
                .board
                .legal_moves()
                .contains(decision.action.othello().unwrap().square().unwrap())
        );
        assert!(now.into_inner() < 5_000, "the flag has not fallen");
        assert!(!stop.into_inner(), "the flag is the caller's");
    }

    #[test]
    fn a_search_by_the_clock_obeys_the_callers_flag() {
        let mut player = player("full", Book::new(), 0);
        let now = AtomicU64::new(0);
        let stop = AtomicBool::new(false);
        let control = Control {
            // The caller stops at the hundredth look at a clock that gives an hour.
            now_ms: &|| {
                let looks = now.fetch_add(1, Ordering::Relaxed);
                stop.store(looks > 100, Ordering::Relaxed);
                looks
            },
            stop: &stop,
            observe: &mut |_| {},
        };
        let pace = Pace::Clock(Remaining::PerMove { ms: 3_600_000 });
        let decision = player.decide(Position::START, pace, control).unwrap();
        assert!(decision.report.is_some());
        assert!(now.into_inner() < 1_000, "it stopped soon after");
    }

    #[test]
    fn every_time_control_says_what_is_left() {
        let left = |control: &str| {
            let mut clock = game::Clock::new(control.parse().unwrap());
            clock.start(Side::White, 0);
            remaining(&clock, Side::White, 1_000)
        };
        let game = |remaining_ms, increment_ms| Remaining::Game {
            remaining_ms,
            increment_ms,
        };
        assert_eq!(left("-"), None);
        assert_eq!(left("300+2"), Some(game(299_000, 2_000)));
        assert_eq!(left("5/move"), Some(Remaining::PerMove { ms: 4_000 }));
        assert_eq!(left("40/61"), Some(Remaining::PerMove { ms: 1_500 }));
    }

    #[test]
    fn a_chosen_time_counts_as_long_as_the_clock_has_it() {
        let each = |ms| Pace::Clock(Remaining::PerMove { ms });
        let paced = |pace: Pace, control: &str| {
            let clock = game::Clock::new(control.parse().unwrap());
            beside(pace, Position::START, &clock, 0)
        };
        let five_minutes = Pace::Clock(Remaining::Game {
            remaining_ms: 300_000,
            increment_ms: 0,
        });
        assert_eq!(paced(Pace::Own, "-"), Pace::Own);
        assert_eq!(paced(each(3_000), "-"), each(3_000));
        assert_eq!(paced(Pace::Own, "300"), five_minutes);
        // 31 moves of three seconds fit into five minutes, of thirty they do not.
        assert_eq!(paced(each(3_000), "300"), each(3_000));
        assert_eq!(paced(each(30_000), "300"), five_minutes);
        assert_eq!(paced(each(3_000), "5/move"), each(3_000));
        assert_eq!(paced(each(6_000), "5/move"), each(5_000));
    }

    #[test]
    fn plans_follow_the_pace() {
        let max: Profile = "max".parse().unwrap();
        let full: Profile = "full".parse().unwrap();
        let weak: Profile = "elo_400".parse().unwrap();
        let board = Board::START;
        let plan = |profile: &Profile, board, pace| plan(profile, board, pace, Latency::default());
        assert_eq!(plan(&max, board, Pace::Own).limits, max.limits(board));
        let untimed = plan(&max, board, Pace::Untimed).limits;
        assert_eq!((untimed.depth, untimed.time_ms), (max.depth, None));
        let replayed = plan(&full, board, Pace::Untimed).limits;
        assert_eq!((replayed.depth, replayed.time_ms), (None, None));
        assert!(replayed.nodes.is_some(), "something ends it");
        let clock = Pace::Clock(Remaining::PerMove { ms: 1_000 });
        let timed = plan(&full, board, clock);
        assert_eq!(timed.limits.depth, None, "full strength uses its time");
        assert!(
            timed
                .limits
                .time_ms
                .is_some_and(|ms| (950..1_000).contains(&ms))
        );
        assert_eq!(plan(&weak, board, clock).limits.depth, weak.depth);
        assert_eq!(plan(&max, board, clock).limits.depth, max.depth);
        let asked = Limits {
            nodes: Some(7),
            lines: 5,
            ..Limits::default()
        };
        let given = plan(&weak, board, Pace::Limits(asked)).limits;
        assert_eq!((given.depth, given.nodes), (None, Some(7)));
        assert_eq!(given.lines, weak.limits(board).lines, "for its choice");
        let nothing = plan(&max, board, Pace::Clock(Remaining::PerMove { ms: 0 }));
        assert_eq!(nothing.limits.nodes, Some(NODES_WITHOUT_TIME));
    }

    #[test]
    fn a_panic_is_told_and_survived() {
        let mut player = player("elo_400", Book::new(), 7);
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| panic!("on purpose"),
        };
        let error = player
            .decide(Position::START, Pace::Own, control)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the search failed at ---------------------------OX------XO---------------------------\
             \u{20}X with seed 7: on purpose"
        );
        let decision = decide(&mut player, Position::START, Pace::Own);
        assert!(decision.report.is_some());
    }
}

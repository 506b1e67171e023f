//! Levels: how deep each one thinks, and how it chooses among what it found.
//!
//! A level turns into [`Limits`] before a search and chooses a move from the [`Report`] after it.
//! Errors are made by choosing, never by damaging the search: the scores that a coach shows beside
//! the move stay true. There are three kinds: [`PROFILES`] of fixed strength, [`OPPONENTS`] with
//! the weaknesses of people (`people`), and [`BOTS`], who do not search (`bots`).
//!
//! The names promise nothing by themselves; what each level is worth is measured by playing.

mod bots;
mod people;

pub use bots::Bot;
pub use people::{FADE_EMPTIES, Mind, OPPONENTS, PARITY_EMPTIES};

use crate::{Limits, Line, Report};
use othello::{Board, Move, Square, sample::SplitMix64};

/// The mildest blunder: so many centidiscs below the best move, or more.
pub const MILDEST_BLUNDER: i32 = 50;
/// The gravest blunder: so many centidiscs below the best move, or fewer.
pub const GRAVEST_BLUNDER: i32 = 300;

/// Enough lines for every legal move of any position.
const ALL_MOVES: usize = 64;

/// A level of play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// What it is called in configuration and on the ladder.
    pub name: &'static str,
    pub kind: Kind,
    /// Plies to search; `None` leaves it to the time.
    pub depth: Option<u32>,
    /// How long a move may take.
    pub time_ms: u64,
    /// With so many empty squares or fewer it plays perfectly, without noise or blunders;
    /// 0 promises nothing.
    pub exact_empties: u32,
    /// How it chooses among what it found.
    pub manner: Manner,
}

/// Which list a level belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Somebody to play against.
    Opponent,
    /// A fixed depth with noise and blunders.
    Fixed,
    /// One idea and no search, to measure the others by.
    Bot,
}

/// How a level chooses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Manner {
    Jitter(Jitter),
    Person(Mind),
    Bot(Bot),
}

impl Manner {
    /// The best move, always.
    pub const BEST: Self = Self::Jitter(Jitter {
        temperature: 0.0,
        blunder_probability: 0.0,
        top_k: 1,
    });
}

/// Noise among the best moves, and blunders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jitter {
    /// How freely it chooses among the top moves, in discs: at temperature 1, a move that is one
    /// disc worse is chosen e times less often. 0 always plays the best.
    pub temperature: f64,
    /// How often it plays a blunder where there is one.
    pub blunder_probability: f64,
    /// How many of the best moves it chooses among.
    pub top_k: usize,
}

/// The levels of fixed strength, weakest first.
///
/// A human of up to club strength does not play the last sixteen squares perfectly, and neither do
/// `elo_1400` and below: their depth alone decides when they see the end. The strong levels promise
/// perfect play from a number of empty squares that the solver is comfortable with in their time:
/// on one thread with the classic evaluation, the slowest of 40 self-play positions took 45 ms with
/// 16 empty squares and 0.5 s with 18, but 6 s with 20. Given less time than their own, levels keep
/// the promise as far as it goes.
pub const PROFILES: [Profile; 6] = [
    Profile::fixed("elo_400", 2, 150, 1.0, 0.10, 3, 0),
    Profile::fixed("elo_800", 4, 300, 0.6, 0.05, 3, 0),
    Profile::fixed("elo_1400", 6, 500, 0.3, 0.02, 2, 0),
    Profile::fixed("elo_2000", 9, 1200, 0.1, 0.005, 2, 16),
    Profile::fixed("elo_2300", 12, 2500, 0.0, 0.0, 1, 18),
    Profile::fixed("max", 14, 4000, 0.0, 0.0, 1, 18),
];

/// The bots, by how much they know.
pub const BOTS: [Profile; 4] = [
    Profile::bot("random", Bot::Random),
    Profile::bot("greedy", Bot::Greedy),
    Profile::bot("corner_lover", Bot::CornerLover),
    Profile::bot("mobility", Bot::Mobility),
];

/// The level if none is asked for: `elo_1400`.
pub const DEFAULT_PROFILE: Profile = PROFILES[2];

/// All that the engine can do in its time: `full`.
pub const STRONGEST: Profile = OPPONENTS[OPPONENTS.len() - 1];

/// Nodes that take the place of time for a level that has no depth, where games must replay.
const REPLAY_NODES: u64 = 1_000_000;

/// A level that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no level {name:?}; expected one of {names}", names = names())]
pub struct UnknownProfileError {
    /// What was asked for, shortened if long.
    pub name: String,
}

fn names() -> String {
    let names: Vec<&str> = Profile::all().map(|profile| profile.name).collect();
    names.join(", ")
}

impl Default for Profile {
    fn default() -> Self {
        DEFAULT_PROFILE
    }
}

/// Small and capital letters are the same here, and so are `_`, `-` and a space.
impl std::str::FromStr for Profile {
    type Err = UnknownProfileError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let plain = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        Self::all()
            .find(|profile| profile.name == plain)
            .ok_or_else(|| UnknownProfileError {
                name: crate::json::excerpt(name),
            })
    }
}

impl Profile {
    /// Every level: opponents, levels of fixed strength, bots.
    pub fn all() -> impl Iterator<Item = Self> {
        OPPONENTS.into_iter().chain(PROFILES).chain(BOTS)
    }

    const fn fixed(
        name: &'static str,
        depth: u32,
        time_ms: u64,
        temperature: f64,
        blunder_probability: f64,
        top_k: usize,
        exact_empties: u32,
    ) -> Self {
        Self {
            name,
            kind: Kind::Fixed,
            depth: Some(depth),
            time_ms,
            exact_empties,
            manner: Manner::Jitter(Jitter {
                temperature,
                blunder_probability,
                top_k,
            }),
        }
    }

    const fn bot(name: &'static str, bot: Bot) -> Self {
        Self {
            name,
            kind: Kind::Bot,
            // What it is asked about moves is looked up no further than this.
            depth: Some(1),
            time_ms: 100,
            exact_empties: 0,
            manner: Manner::Bot(bot),
        }
    }

    /// The profile with the caller's time for a move. Less time can make a level weaker, more
    /// never makes one stronger than its depth.
    #[must_use]
    pub const fn with_time_ms(self, time_ms: u64) -> Self {
        Self { time_ms, ..self }
    }

    /// How many of the available threads it should search with. Only `full` and `max` take them
    /// all: on one thread a search, and with it a whole game, replays from its seed.
    pub fn threads(&self, available: usize) -> usize {
        let is_greedy = self.depth.is_none() || self.name == PROFILES[PROFILES.len() - 1].name;
        if is_greedy { available.max(1) } else { 1 }
    }

    /// Nodes that end its searches where games must replay and no depth does.
    pub const fn replay_nodes(&self) -> Option<u64> {
        match self.depth {
            Some(_) => None,
            None => Some(REPLAY_NODES),
        }
    }

    /// Whether it plays what the book says. The levels below, which err often, would begin like
    /// experts and go on like beginners: the book only marks moves for whoever plays them.
    pub const fn follows_book(&self) -> bool {
        self.exact_empties > 0
    }

    /// Whether it plays this many empty squares perfectly.
    const fn is_exact(&self, n_empties: u32) -> bool {
        n_empties <= self.exact_empties
    }

    /// What to search for before [`choose`]: with as many lines as the choice needs.
    pub fn limits(&self, board: Board) -> Limits {
        let lines = match self.manner {
            _ if self.is_exact(board.empties().len()) => 1,
            Manner::Jitter(jitter) => jitter.lines(),
            Manner::Person(mind) => mind.candidates,
            Manner::Bot(_) => 1,
        };
        Limits {
            depth: self.depth,
            time_ms: Some(self.time_ms),
            exact_empties: self.exact_empties,
            lines,
            ..Limits::default()
        }
    }

    /// The move of a level that does not search; `None` for all others, and where a pass is due.
    pub fn choose_at_sight(&self, board: Board, random: &mut SplitMix64) -> Option<Square> {
        match self.manner {
            Manner::Bot(bot) => bot.choose(board, random),
            Manner::Jitter(_) | Manner::Person(_) => None,
        }
    }
}

/// The move that a level plays after the search that its limits asked for; `None` if the game is
/// over.
///
/// Where the level promises perfect play and the report has it solved, it is the best. The same
/// level, report and generator give the same move.
pub fn choose(
    profile: &Profile,
    board: Board,
    report: &Report,
    random: &mut SplitMix64,
) -> Option<Move> {
    let best = report.best()?;
    if report.solved && profile.is_exact(report.depth) {
        return Some(best);
    }
    match &profile.manner {
        Manner::Jitter(jitter) => jitter.choose(report, random),
        Manner::Person(mind) => mind.choose(board, report, random),
        Manner::Bot(bot) => bot
            .choose(board, random)
            .map_or(Some(Move::Pass), |square| Some(Move::Place(square))),
    }
}

impl Jitter {
    const fn lines(&self) -> usize {
        if self.blunder_probability > 0.0 {
            ALL_MOVES
        } else if self.temperature > 0.0 {
            self.top_k
        } else {
            1
        }
    }

    /// With its probability it is a blunder: one of the moves that are at least
    /// [`MILDEST_BLUNDER`] and at most [`GRAVEST_BLUNDER`] centidiscs worse than the best, all
    /// equally likely. Otherwise, and where there is no such move, it is one of the best `top_k`,
    /// each with a probability in proportion to e^(score in discs / temperature).
    fn choose(&self, report: &Report, random: &mut SplitMix64) -> Option<Move> {
        let first_of = |line: &Line| line.moves.first().copied();
        if self.blunder_probability > 0.0 && random.unit_f64() < self.blunder_probability {
            let blunders = blunders(report);
            if !blunders.is_empty() {
                let at = random.below(blunders.len() as u32) as usize;
                return first_of(blunders[at]);
            }
        }
        let top = &report.lines[..self.top_k.clamp(1, report.lines.len())];
        if self.temperature > 0.0 && top.len() > 1 {
            return first_of(sample(top, self.temperature, random));
        }
        report.best()
    }
}

/// A search is not quite sure of its order: the best score need not be the first.
fn best_score(lines: &[Line]) -> i32 {
    lines.iter().map(|line| line.score).max().unwrap_or(0)
}

fn blunders(report: &Report) -> Vec<&Line> {
    let best = best_score(&report.lines);
    let is_blunder =
        |line: &&Line| (MILDEST_BLUNDER..=GRAVEST_BLUNDER).contains(&(best - line.score));
    report.lines.iter().filter(is_blunder).collect()
}

/// Softmax. Scores count from the best one down, so that no power overflows.
fn sample<'a>(lines: &'a [Line], temperature: f64, random: &mut SplitMix64) -> &'a Line {
    let best = best_score(lines);
    let share = |line: &Line| (f64::from(line.score - best) / 100.0 / temperature).exp();
    let mut at = random.unit_f64() * lines.iter().map(share).sum::<f64>();
    for line in lines {
        at -= share(line);
        if at < 0.0 {
            return line;
        }
    }
    // Only rounding leads here.
    &lines[lines.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Control, Engine, Selectivity, TableStats, eval::classic::Classic};
    use othello::sample::random_boards;
    use std::sync::atomic::AtomicBool;

    /// A report with these scores; the move of line `n` is the square with index `n`.
    fn report(scores: &[i32]) -> Report {
        let lines = scores
            .iter()
            .zip(Square::all())
            .map(|(&score, square)| Line {
                score,
                bound: Bound::Exact,
                moves: vec![Move::Place(square)],
            })
            .collect();
        Report {
            lines,
            score: scores.first().copied().unwrap_or(0),
            bound: Bound::Exact,
            depth: 6,
            selectivity: Selectivity::FASTEST,
            solved: false,
            nodes: 1,
            time_ms: 0,
            cutoffs: 0,
            table: TableStats::default(),
        }
    }

    /// How often each line is chosen.
    fn counts(profile: &Profile, scores: &[i32], n: u32) -> Vec<u32> {
        let report = report(scores);
        let mut counts = vec![0; scores.len()];
        let mut random = SplitMix64::new(77);
        for _ in 0..n {
            let chosen = choose(profile, Board::START, &report, &mut random).unwrap();
            counts[chosen.square().unwrap().index()] += 1;
        }
        counts
    }

    /// Pearson's statistic; lines that are never expected must never be seen.
    fn chi_square(counts: &[u32], probabilities: &[f64]) -> f64 {
        let n = f64::from(counts.iter().sum::<u32>());
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let mut sum = 0.0;
        for (&count, &probability) in counts.iter().zip(probabilities) {
            if probability > 0.0 {
                sum += (f64::from(count) - n * probability).powi(2) / (n * probability);
            } else {
                assert_eq!(count, 0);
            }
        }
        sum
    }

    fn profile(name: &str) -> Profile {
        name.parse().unwrap()
    }

    fn jitter(profile: &Profile) -> Jitter {
        match profile.manner {
            Manner::Jitter(jitter) => jitter,
            other => panic!("{other:?}"),
        }
    }

    /// The level with another jitter.
    fn with_jitter(name: &str, change: impl Fn(Jitter) -> Jitter) -> Profile {
        let profile = profile(name);
        Profile {
            manner: Manner::Jitter(change(jitter(&profile))),
            ..profile
        }
    }

    #[test]
    fn the_table_is_as_documented() {
        let rows: Vec<String> = PROFILES
            .iter()
            .map(|p| {
                let (depth, time) = (p.depth.unwrap(), p.time_ms);
                let Jitter {
                    temperature,
                    blunder_probability,
                    top_k,
                } = jitter(p);
                format!(
                    "{}: d={depth}, {time} ms, {temperature}, {blunder_probability}, k={top_k}",
                    p.name
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "elo_400: d=2, 150 ms, 1, 0.1, k=3",
                "elo_800: d=4, 300 ms, 0.6, 0.05, k=3",
                "elo_1400: d=6, 500 ms, 0.3, 0.02, k=2",
                "elo_2000: d=9, 1200 ms, 0.1, 0.005, k=2",
                "elo_2300: d=12, 2500 ms, 0, 0, k=1",
                "max: d=14, 4000 ms, 0, 0, k=1",
            ]
        );
        assert_eq!(Profile::default().name, "elo_1400");
        let followers = Profile::all().filter(Profile::follows_book);
        let followers: Vec<&str> = followers.map(|profile| profile.name).collect();
        assert_eq!(
            followers,
            [
                "expert", "master", "champion", "full", "elo_2000", "elo_2300", "max"
            ]
        );
        assert_eq!(STRONGEST, profile("full"));
        assert_eq!(
            "elo_1600".parse::<Profile>().unwrap_err().to_string(),
            "there is no level \"elo_1600\"; expected one of first_day, collector, edge_fan, \
             stepper, hasty, spotlight, fader, club, tournament, expert, master, champion, full, \
             elo_400, elo_800, elo_1400, elo_2000, elo_2300, max, random, greedy, corner_lover, \
             mobility"
        );
        for same in [
            "corner_lover",
            "corner-lover",
            " Corner Lover",
            "CORNER_LOVER",
        ] {
            assert_eq!(profile(same).name, "corner_lover");
        }
        for level in Profile::all() {
            assert_eq!(profile(level.name), level, "names are unique");
        }
    }

    #[test]
    fn limits_ask_for_what_the_choice_needs() {
        let start = Board::START;
        for p in PROFILES {
            let limits = p.limits(start);
            assert_eq!(limits.depth, p.depth);
            assert_eq!(limits.time_ms, Some(p.time_ms));
            assert_eq!(limits.exact_empties, p.exact_empties);
            let errs = jitter(&p).blunder_probability > 0.0;
            let expected = if errs { 64 } else { 1 };
            assert_eq!(limits.lines, expected, "{}", p.name);
        }
        let late = random_boards(1).find(|b| b.empties().len() == 16).unwrap();
        assert_eq!(profile("elo_2000").limits(late).lines, 1);
        assert_eq!(profile("elo_1400").limits(late).lines, 64);

        let full = profile("full").with_time_ms(60_000);
        let limits = full.limits(start);
        assert_eq!((limits.depth, limits.time_ms), (None, Some(60_000)));
        assert_eq!((limits.lines, full.threads(8)), (1, 8));
        assert!(full.replay_nodes().is_some());
        let max = profile("max").with_time_ms(60_000);
        assert_eq!((max.depth, max.threads(8)), (Some(14), 8));
        assert_eq!(max.replay_nodes(), None);
        let weak = profile("elo_800").with_time_ms(60_000);
        assert_eq!(
            (weak.depth, weak.time_ms, weak.threads(8)),
            (Some(4), 60_000, 1)
        );
        assert_eq!(profile("max").threads(0), 1);
    }

    #[test]
    fn noise_follows_the_softmax() {
        let noisy = with_jitter("elo_400", |jitter| Jitter {
            blunder_probability: 0.0,
            ..jitter
        });
        // Temperature 1, three of four lines: 0, -0.5 and -2 discs.
        let weights = [1.0, (-0.5f64).exp(), (-2.0f64).exp()];
        let sum: f64 = weights.iter().sum();
        let expected = [weights[0] / sum, weights[1] / sum, weights[2] / sum, 0.0];
        let seen = counts(&noisy, &[310, 260, 110, 100], 50_000);
        // 13.8 is the 0.1 % point for two degrees of freedom.
        assert!(chi_square(&seen, &expected) < 13.8, "{seen:?}");
        // Extremes neither overflow nor starve the best.
        assert_eq!(counts(&noisy, &[6400, -6400, -6400], 100), [100, 0, 0]);
        let even = counts(&noisy, &[-6400; 3], 3_000);
        assert!(chi_square(&even, &[1.0 / 3.0; 3]) < 13.8, "{even:?}");
    }

    #[test]
    fn blunders_follow_their_probability() {
        let p = with_jitter("elo_400", |jitter| Jitter {
            temperature: 0.0,
            ..jitter
        });
        // Boundaries belong to the range: 50 and 300 below the best, not 49 and 301.
        let scores = [500, 451, 450, 300, 200, 199];
        let expected = [0.9, 0.0, 0.1 / 3.0, 0.1 / 3.0, 0.1 / 3.0, 0.0];
        let seen = counts(&p, &scores, 50_000);
        // 16.3 is the 0.1 % point for three degrees of freedom.
        assert!(chi_square(&seen, &expected) < 16.3, "{seen:?}");
        // Without a move in the range nothing happens.
        assert_eq!(counts(&p, &[500, 451, 199], 1_000), [1_000, 0, 0]);
        assert_eq!(counts(&p, &[500], 1_000), [1_000]);
    }

    #[test]
    fn noise_and_blunders_together() {
        for p in PROFILES {
            let scores = [120, 100, 60, 20, -500];
            let Jitter {
                temperature,
                blunder_probability,
                top_k,
            } = jitter(&p);
            let top = &scores[..top_k];
            let share = |score: i32| {
                if temperature > 0.0 {
                    (f64::from(score - 120) / 100.0 / temperature).exp()
                } else {
                    f64::from(u8::from(score == 120))
                }
            };
            let sum: f64 = top.iter().map(|&score| share(score)).sum();
            let mut expected = [0.0; 5];
            for (i, &score) in top.iter().enumerate() {
                expected[i] = (1.0 - blunder_probability) * share(score) / sum;
            }
            for blunder in [2, 3] {
                expected[blunder] += blunder_probability / 2.0;
            }
            let seen = counts(&p, &scores, 50_000);
            assert!(chi_square(&seen, &expected) < 18.5, "{} {seen:?}", p.name);
        }
    }

    #[test]
    fn choices_replay_from_the_seed() {
        let report = report(&[120, 110, 100, 60, 0, -100]);
        for p in PROFILES {
            let game = |seed| -> Vec<Option<Move>> {
                let mut random = SplitMix64::new(seed);
                (0..200)
                    .map(|_| choose(&p, Board::START, &report, &mut random))
                    .collect()
            };
            assert_eq!(game(3), game(3));
            assert_eq!(
                game(3) == game(4),
                jitter(&p).temperature == 0.0,
                "{}",
                p.name
            );
        }
    }

    #[test]
    fn promised_perfection_is_kept() {
        let always_wrong = with_jitter("elo_2000", |jitter| Jitter {
            temperature: 100.0,
            blunder_probability: 1.0,
            ..jitter
        });
        let mut solved = report(&[200, 100, 0]);
        solved.solved = true;
        solved.depth = 16;
        let mut random = SplitMix64::new(9);
        let mut all_best = |report: &Report| {
            (0..100)
                .all(|_| choose(&always_wrong, Board::START, report, &mut random) == report.best())
        };
        assert!(all_best(&solved));
        assert!(!all_best(&Report {
            depth: 17,
            ..solved.clone()
        }));
        assert!(!all_best(&Report {
            solved: false,
            ..solved
        }));
    }

    #[test]
    fn the_end_and_passes() {
        let mut random = SplitMix64::new(1);
        let mut pass = report(&[-300]);
        pass.lines[0].moves.insert(0, Move::Pass);
        for p in PROFILES {
            assert_eq!(choose(&p, Board::START, &report(&[]), &mut random), None);
            assert_eq!(
                choose(&p, Board::START, &pass, &mut random),
                Some(Move::Pass)
            );
        }
    }

    #[test]
    fn levels_play_legal_games() {
        let mut engine = Engine::new(Classic::default(), 1, 1).unwrap();
        for p in Profile::all().filter(|p| p.depth.is_some_and(|depth| depth <= 6)) {
            let mut random = SplitMix64::new(11);
            let mut board = Board::START;
            loop {
                let report = engine.search(
                    board,
                    &p.limits(board),
                    Control {
                        now_ms: &|| 0,
                        stop: &AtomicBool::new(false),
                        observe: &mut |_| {},
                    },
                );
                board = match choose(&p, board, &report, &mut random) {
                    Some(Move::Place(square)) => board.play(square).unwrap(),
                    Some(Move::Pass) => {
                        assert!(board.must_pass());
                        board.swapped()
                    }
                    None => break,
                };
            }
            assert!(board.is_game_over());
        }
    }
}

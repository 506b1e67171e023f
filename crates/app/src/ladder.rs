//! What the levels are worth: who plays whom, how it ended, and the ratings that follow from it.
//!
//! The results of a measurement ship with the program, and ratings are computed from them. The
//! zero is the bot that moves at random.

use crate::{
    Analyst, AnalystError, EngineChoice, Evaluation, Pace, Profile,
    engine_levels::{BOTS, OPPONENTS, PROFILES},
    matches::{self, Contender, End, Match, MatchError, OwnContender},
};
use arena::stats::{Encounter, Rating, RatingError, Trinomial, joint_ratings, rating_against};
use engine::Limits;
use game::Control;
use othello::{Game, Move, sample::SplitMix64};
use std::{
    collections::HashSet,
    fmt,
    str::FromStr,
    sync::{LazyLock, atomic::AtomicBool},
};

static SHIPPED: &str = include_str!("../../../assets/ladder.tsv");

/// The ladder that ships with the program.
pub fn shipped() -> &'static Ladder {
    static LADDER: LazyLock<Ladder> = LazyLock::new(|| {
        let results: Results = SHIPPED.parse().expect("a test reads the shipped results");
        Ladder::of(&results).expect("a test rates the shipped results")
    });
    &LADDER
}

/// What a level is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// Elo above a player who moves at random.
    pub rating: i32,
    /// The ends of the 95 % confidence interval.
    pub low: i32,
    pub high: i32,
    /// Games that it was measured by.
    pub games: u64,
}

impl Worth {
    /// The rating above a zero.
    fn new(rating: Rating, zero: f64) -> Self {
        let elo = rating.elo - zero;
        Self {
            rating: elo.round() as i32,
            low: (elo - rating.error).round() as i32,
            high: (elo + rating.error).round() as i32,
            games: rating.games,
        }
    }

    /// Half of the interval, rounded as the page rounds it.
    pub const fn error(&self) -> i32 {
        (self.high - self.low + 1) / 2
    }
}

/// Levels with what they are worth, weakest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder(Vec<(Profile, Worth)>);

impl Ladder {
    /// The joint rating of everybody in the results.
    pub fn of(results: &Results) -> Result<Self, LadderError> {
        let is_known = |level: &Profile| results.0.iter().any(|row| row.levels.contains(level));
        let levels: Vec<Profile> = Profile::all().filter(is_known).collect();
        let number = |level| levels.iter().position(|it| *it == level);
        let encounter = |row: &Row| {
            let [a, b] = row.levels;
            Some(Encounter {
                players: [number(a)?, number(b)?],
                games: row.games,
            })
        };
        let encounters: Vec<Encounter> = results.0.iter().filter_map(encounter).collect();
        let ratings = joint_ratings(levels.len(), &encounters).map_err(|error| match error {
            RatingError::Unbounded(players) => {
                let name = |player: usize| levels[player].name;
                LadderError::Unbounded(players.into_iter().map(name).collect())
            }
            other @ (RatingError::Players { .. } | RatingError::Strangers(_)) => {
                LadderError::Ratings(other)
            }
        })?;
        let zero = number(BOTS[0]).map_or(0.0, |at| ratings[at].elo);
        let worth = ratings.into_iter().map(|rating| Worth::new(rating, zero));
        let mut rated: Vec<_> = levels.into_iter().zip(worth).collect();
        rated.sort_by_key(|(_, worth)| worth.rating);
        Ok(Self(rated))
    }

    /// All levels with their ratings, the weakest first.
    pub fn levels(&self) -> &[(Profile, Worth)] {
        &self.0
    }

    /// What this level is worth; `None` if it was not measured.
    pub fn worth(&self, level: &Profile) -> Option<Worth> {
        let found = self.0.iter().find(|(it, _)| it.name == level.name);
        found.map(|(_, worth)| *worth)
    }
}

/// What a person is worth who has won so many points, 0 to 1 each, against these levels; `None`
/// with fewer than [`LEAST_GAMES`] against measured ones.
pub fn person(games: &[(Profile, f64)]) -> Option<Worth> {
    let ladder = shipped();
    let known = |&(level, points): &(Profile, f64)| {
        let worth = ladder.worth(&level)?;
        Some((f64::from(worth.rating), points))
    };
    let games: Vec<(f64, f64)> = games.iter().filter_map(known).collect();
    let rating = rating_against(&games).filter(|rating| rating.games >= LEAST_GAMES)?;
    Some(Worth::new(rating, 0.0))
}

/// Fewer games say too little about a person.
pub const LEAST_GAMES: u64 = 3;

/// Why results give no ratings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LadderError {
    #[error(
        "{} won nothing against the others, or everything; more games are needed",
        .0.join(", ")
    )]
    Unbounded(Vec<&'static str>),
    #[error(transparent)]
    Ratings(RatingError),
}

/// How games between two levels ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub levels: [Profile; 2],
    /// As the first of them sees it.
    pub games: Trinomial,
}

/// All results of a measurement, as they are kept in a file: a line for each two levels, with the
/// names and the first one's wins, draws and losses between tabs. `#` begins a remark.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results(pub Vec<Row>);

/// A line of results that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ResultsError {
    /// The line of the file, counted from 1.
    pub line: usize,
    pub problem: String,
}

impl FromStr for Results {
    type Err = ResultsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines = text.lines().enumerate();
        let rows = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let read = |(at, line): (usize, &str)| {
            row(line).map_err(|problem| ResultsError {
                line: at + 1,
                problem,
            })
        };
        rows.map(read).collect::<Result<_, _>>().map(Self)
    }
}

fn row(line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [a, b, counts @ ..] = &cells[..] else {
        return Err("expected two levels, wins, draws and losses between tabs".to_owned());
    };
    let level = |name: &&str| name.parse::<Profile>().map_err(|error| error.to_string());
    let counts: Vec<u64> = counts
        .iter()
        .map(|cell| cell.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| "expected whole numbers of wins, draws and losses".to_owned())?;
    let [wins, draws, losses] = counts[..] else {
        let n = counts.len();
        return Err(format!(
            "expected wins, draws and losses, found {n} numbers"
        ));
    };
    let levels = [level(a)?, level(b)?];
    if levels[0] == levels[1] {
        return Err(format!("{a} against itself says nothing"));
    }
    Ok(Row {
        levels,
        games: Trinomial {
            wins,
            draws,
            losses,
        },
    })
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Row { levels, games } in &self.0 {
            let [a, b] = levels.map(|level| level.name);
            let Trinomial {
                wins,
                draws,
                losses,
            } = games;
            writeln!(f, "{a}\t{b}\t{wins}\t{draws}\t{losses}")?;
        }
        Ok(())
    }
}

impl Results {
    /// The row of these two, in this order.
    pub fn row(&self, levels: [Profile; 2]) -> Option<&Row> {
        self.0.iter().find(|row| row.levels == levels)
    }
}

/// Who should meet whom: opponents their neighbours and the bots, levels of fixed strength the
/// opponents that they are about as strong as, bots each other.
pub fn pairings() -> Vec<[Profile; 2]> {
    let mut pairings = Vec::new();
    for distance in [1, 2] {
        for pair in OPPONENTS.windows(distance + 1) {
            pairings.push([pair[distance], pair[0]]);
        }
    }
    // Full strength takes a while, and nobody learns from its games against bots.
    for opponent in &OPPONENTS[..OPPONENTS.len() - 1] {
        pairings.extend(BOTS.map(|bot| [*opponent, bot]));
    }
    for (at, bot) in BOTS.iter().enumerate() {
        pairings.extend(BOTS[..at].iter().map(|other| [*bot, *other]));
    }
    for pair in PROFILES.windows(2) {
        pairings.push([pair[1], pair[0]]);
    }
    for (fixed, equals) in PROFILES.iter().zip(EQUALS) {
        let equals = OPPONENTS.iter().filter(|it| equals.contains(&it.name));
        pairings.extend(equals.map(|opponent| [*fixed, *opponent]));
    }
    pairings
}

/// Opponents near each of [`PROFILES`].
const EQUALS: [[&str; 2]; 6] = [
    ["hasty", "spotlight"],
    ["club", "tournament"],
    ["tournament", "expert"],
    ["master", "champion"],
    ["champion", "full"],
    ["champion", "full"],
];

/// How levels are measured.
#[derive(Debug, Clone)]
pub struct Plan {
    pub evaluation: Evaluation,
    /// Pairs of games between any two.
    pub pairs: usize,
    pub workers: usize,
    /// Chance of the openings and of the levels.
    pub seed: u64,
}

/// Megabytes of a player's table: their searches are small.
const HASH_MB: usize = 8;

/// Plays the pairings one after the other. `observe` is told of each result; what was finished
/// before a stop is the answer.
pub fn measure(
    plan: &Plan,
    pairings: &[[Profile; 2]],
    now_ms: &(dyn Fn() -> u64 + Sync),
    stop: &AtomicBool,
    mut observe: impl FnMut(&Row),
) -> Result<End, MatchError> {
    let openings = openings(plan)?;
    for &levels in pairings {
        let contenders = levels.map(|profile| {
            Contender::Own(OwnContender {
                evaluation: plan.evaluation.clone(),
                engine: EngineChoice::AlphaBeta,
                hash_mb: HASH_MB,
                threads: 1,
                profile,
                pace: Pace::Untimed,
            })
        });
        let plan = Match {
            contenders,
            openings: &openings,
            pairs: plan.pairs,
            workers: plan.workers,
            seed: plan.seed,
            sprt: None,
        };
        let outcome = matches::play(&plan, now_ms, stop, |_, _, _| {})?;
        if outcome.end == End::Stopped {
            return Ok(End::Stopped);
        }
        observe(&Row {
            levels,
            games: outcome.standing.results.trinomial(),
        });
    }
    Ok(End::Finished)
}

/// Moves before the levels begin to play.
const OPENING_PLIES: usize = 8;

/// An opening is fair if a quick search says that neither side is so many centidiscs ahead.
const FAIR: i32 = 300;
const FAIR_DEPTH: u32 = 8;

/// Random openings that are fair to both sides, all of them different.
fn openings(plan: &Plan) -> Result<Vec<Game>, AnalystError> {
    let engine = EngineChoice::AlphaBeta;
    let mut analyst = Analyst::with_evaluation(&plan.evaluation, engine, HASH_MB, 1)?;
    let mut random = SplitMix64::new(plan.seed);
    let mut known = HashSet::new();
    let mut openings = Vec::new();
    while openings.len() < plan.pairs {
        let game = random_opening(&mut random);
        let position = game.position();
        if game.is_over() || position.board.must_pass() || !known.insert(position.hash()) {
            continue;
        }
        let limits = Limits {
            depth: Some(FAIR_DEPTH),
            ..Limits::default()
        };
        let control = Control {
            now_ms: &|| 0,
            stop: &AtomicBool::new(false),
            observe: &mut |_| {},
        };
        analyst.clear();
        if analyst.search_raw(position, &limits, control).score.abs() <= FAIR {
            openings.push(game);
        }
    }
    Ok(openings)
}

fn random_opening(random: &mut SplitMix64) -> Game {
    let mut game = Game::new();
    for _ in 0..OPENING_PLIES {
        let legal = game.position().board.legal_moves();
        let at = random.below(legal.len().max(1)) as usize;
        let action = legal.into_iter().nth(at).map_or(Move::Pass, Move::Place);
        if game.play(action).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvaluatorChoice;

    fn level(name: &str) -> Profile {
        name.parse().unwrap()
    }

    fn games_of(a: &str, b: &str) -> Trinomial {
        let results: Results = SHIPPED.parse().unwrap();
        results.row([level(a), level(b)]).unwrap().games
    }

    #[test]
    fn the_shipped_ladder_rates_every_level() {
        let ladder = shipped();
        for level in Profile::all() {
            let worth = ladder
                .worth(&level)
                .unwrap_or_else(|| panic!("{}", level.name));
            assert!(worth.low < worth.rating && worth.rating < worth.high);
            assert!(worth.games > 0);
        }
        let random = ladder.worth(&level("random")).unwrap();
        assert_eq!(random.rating, 0);
    }

    #[test]
    fn every_step_of_the_ladder_is_a_step() {
        let ladder = shipped();
        for list in [&OPPONENTS[..], &PROFILES[..]] {
            for pair in list.windows(2) {
                let [one, next] = [pair[0], pair[1]].map(|it| ladder.worth(&it).unwrap().rating);
                let names = (pair[0].name, pair[1].name);
                assert!(one < next, "{names:?}: {one} and {next}");
            }
        }
        for pair in OPPONENTS[..OPPONENTS.len() - 1].windows(2) {
            let games = games_of(pair[1].name, pair[0].name);
            assert!(games.games() >= 200);
            assert!(games.wins > games.losses, "{}", pair[1].name);
        }
    }

    #[test]
    fn a_beginner_has_a_chance_on_the_first_day() {
        let share = |wins: u64, games: Trinomial| wins as f64 / games.games() as f64;
        let games = games_of("first_day", "corner_lover");
        assert!((0.4..=0.6).contains(&share(games.wins, games)));
        let games = games_of("first_day", "greedy");
        assert!(share(games.losses, games) >= 0.2);
    }

    #[test]
    fn results_are_read_as_they_are_written_and_mistakes_have_a_line() {
        let results: Results = SHIPPED.parse().unwrap();
        assert_eq!(results.to_string().parse(), Ok(results));
        for (text, expected) in [
            (
                "# remark\n\nclub\tmaster\t1\t2",
                "line 3: expected wins, draws and losses, found 2 numbers",
            ),
            (
                "club\tmaster\t1\t2\tx",
                "line 1: expected whole numbers of wins, draws and losses",
            ),
            (
                "club\tclub\t1\t2\t3",
                "line 1: club against itself says nothing",
            ),
            (
                "club",
                "line 1: expected two levels, wins, draws and losses between tabs",
            ),
        ] {
            let error = text.parse::<Results>().unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let error = "club\tnobody\t1\t2\t3".parse::<Results>().unwrap_err();
        assert!(error.to_string().contains("first_day"), "{error}");
        let lopsided: Results = "club\trandom\t9\t0\t0".parse().unwrap();
        assert_eq!(
            Ladder::of(&lopsided).unwrap_err().to_string(),
            "random won nothing against the others, or everything; more games are needed"
        );
    }

    #[test]
    fn a_measurement_replays_and_stops() {
        let plan = |workers| Plan {
            evaluation: Evaluation::shipped(EvaluatorChoice::Classic).unwrap(),
            pairs: 4,
            workers,
            seed: 9,
        };
        let pairings = [
            [level("first_day"), level("greedy")],
            [level("edge_fan"), level("mobility")],
        ];
        let run = |workers, is_stopped| {
            let mut rows = Vec::new();
            let stop = AtomicBool::new(is_stopped);
            let end = measure(&plan(workers), &pairings, &|| 0, &stop, |row| {
                rows.push(*row);
            });
            (rows, end.unwrap())
        };
        let (rows, end) = run(1, false);
        assert_eq!(end, End::Finished);
        assert!(rows.iter().all(|row| row.games.games() == 8));
        assert_eq!(rows, run(3, false).0);
        assert_eq!(run(1, true), (vec![], End::Stopped));
    }

    #[test]
    fn a_person_is_known_after_a_few_games() {
        let fader = (level("fader"), 0.5);
        assert_eq!(person(&[fader, fader]), None);
        let worth = person(&[fader; 20]).unwrap();
        let expected = shipped().worth(&level("fader")).unwrap();
        assert_eq!((worth.rating, worth.games), (expected.rating, 20));
        assert!(worth.low < worth.rating && worth.rating < worth.high);
    }

    #[test]
    fn everybody_meets_neighbours_and_bots() {
        let pairings = pairings();
        for (at, pair) in pairings.iter().enumerate() {
            assert_ne!(pair[0], pair[1]);
            let [a, b] = *pair;
            assert!(
                !pairings[at + 1..]
                    .iter()
                    .any(|it| *it == [a, b] || *it == [b, a])
            );
        }
        let meets = |level: &Profile| pairings.iter().any(|pair| pair.contains(level));
        assert!(Profile::all().all(|level| meets(&level)));
    }
}

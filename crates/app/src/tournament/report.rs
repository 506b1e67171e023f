//! How a tournament stands: everything that is told about one, made from its log.

use super::{Curve, GameLine, PairLine, Settings, SettingsError, curve::Thinned, log::LogLine};
use arena::{
    referee::Reason,
    stats::{
        Decision, Encounter, Estimate, GameResult, JointFit, Pentanomial, Results, Sprt, Trinomial,
        Verdict,
    },
    tournament::{Format, Plan},
};
use std::collections::{BTreeMap, BTreeSet};

/// A line of the standings.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which engine of the settings.
    pub player: usize,
    pub games: Trinomial,
    /// Half points, those for a bye included.
    pub half_points: u64,
    /// Elo above the mean and half of its 95 % interval; `None` as long as nothing can be said.
    pub elo: Option<(f64, f64)>,
    /// How likely it is that this player is better than the next of the standings.
    pub ahead_of_next: Option<f64>,
    pub faults: u64,
    /// The player's games with the first move and without.
    pub first: Trinomial,
    pub second: Trinomial,
    pub time: TimeUse,
}

impl Row {
    /// The share of points in games with the first move; `None` without any.
    pub fn first_share(&self) -> Option<f64> {
        share(self.first)
    }

    /// The share of points in games without the first move.
    pub fn second_share(&self) -> Option<f64> {
        share(self.second)
    }
}

fn share(games: Trinomial) -> Option<f64> {
    let n_games = games.games();
    (n_games > 0).then(|| half_points(games) as f64 / (2 * n_games) as f64)
}

impl Report {
    /// The openings, those with the most games first.
    pub fn openings_by_games(&self) -> impl Iterator<Item = &OpeningScore> {
        let mut all: Vec<&OpeningScore> = self.openings.iter().collect();
        all.sort_by_key(|it| (std::cmp::Reverse(it.games.games()), it.opening));
        all.into_iter()
    }
}

impl Test {
    /// Whether the first engine is better, once the test has decided.
    pub fn is_better(&self) -> Option<bool> {
        match self.verdict.decision {
            Decision::Continue => None,
            Decision::AcceptH0 => Some(false),
            Decision::AcceptH1 => Some(true),
        }
    }

    /// Pairs by the points of the first engine: 0, a half, 1, one and a half, 2.
    pub const fn pairs_by_points(&self) -> [u64; 5] {
        let pairs = &self.pairs;
        [
            pairs.loss_loss,
            pairs.loss_draw,
            pairs.win_loss + pairs.draw_draw,
            pairs.win_draw,
            pairs.win_win,
        ]
    }
}

/// How a player used its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeUse {
    pub moves: u64,
    pub thinking_ms: u64,
    pub longest_ms: u64,
    /// How long it took to say that it is ready, which no clock counted.
    pub latency_ms: u64,
    pub longest_latency_ms: u64,
}

/// How an opening went for the side with the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningScore {
    pub opening: usize,
    pub games: Trinomial,
}

/// How the first move did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ColourScore {
    pub games: Trinomial,
    /// What it is worth and half of its 95 % interval, beside the strength of the players.
    pub elo: Option<(f64, f64)>,
}

/// The sequential test between the first two engines.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    pub sprt: Sprt,
    pub verdict: Verdict,
    pub pairs: Pentanomial,
    pub estimate: Estimate,
}

/// Something that a person should know about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    pub seconds: u64,
    /// The pair and the game in it; `None` if it is about the tournament.
    pub game: Option<(u64, usize)>,
    pub text: String,
    /// Whether an engine did something that none should.
    pub is_fault: bool,
}

/// How a tournament stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The pairs that were finished and count, and how many there are in all.
    pub pairs: u64,
    pub pairs_asked: u64,
    /// Rounds of a Swiss that cannot be played, because the rules leave nobody to meet.
    pub rounds_missing: u32,
    pub games: u64,
    pub standings: Vec<Row>,
    /// Points of the row's player against the column's, in half points, and games between them.
    pub crosstable: Vec<Vec<(u64, u64)>>,
    /// How likely it is that the row's player is better than the column's.
    pub superiority: Vec<Vec<Option<f64>>>,
    pub first_move: ColourScore,
    /// The share of drawn games.
    pub draw_share: Option<f64>,
    /// Davidson's inclination to draw: how often equals draw, for each game that one of them wins.
    pub draw_model: Option<f64>,
    pub reasons: BTreeMap<Reason, u64>,
    pub openings: Vec<OpeningScore>,
    pub test: Option<Test>,
    /// The pairs of the first engine against the second, where these are the only two.
    pub tested: Option<Pentanomial>,
    /// The logarithm of the likelihood ratio, and the first engine's Elo against the second.
    pub llr_curve: Curve,
    pub elo_curve: Curve,
    /// With more than two players: the Elo of each, in the order of the settings.
    pub rating_curves: Vec<Curve>,
    pub incidents: Vec<Incident>,
    pub champion: Option<usize>,
}

/// Incidents that are kept; of more, the oldest are forgotten.
const INCIDENTS_MAX: usize = 500;

/// Collects what the lines of a log say, in memory that does not grow with the games.
#[derive(Debug)]
pub(super) struct Builder {
    settings: Settings,
    plan: Plan,
    sprt: Option<Sprt>,
    /// Games by who moved first and who second, seen by the first.
    met: BTreeMap<[usize; 2], Trinomial>,
    rows: Vec<Row>,
    reasons: BTreeMap<Reason, u64>,
    openings: BTreeMap<usize, Trinomial>,
    incidents: Vec<Incident>,
    pairs: u64,
    games: u64,
    /// Where the test ends the tournament, pairs count in the order of their numbers, so that it
    /// does not matter who was faster: what came early waits.
    next: u64,
    waiting: BTreeMap<u64, PairLine>,
    tested: Pentanomial,
    tested_games: Trinomial,
    decided: Option<Verdict>,
    llr_curve: Thinned,
    elo_curve: Thinned,
    rating_curves: Vec<Thinned>,
    seen: BTreeSet<u64>,
}

const fn turned(games: Trinomial) -> Trinomial {
    Trinomial {
        wins: games.losses,
        draws: games.draws,
        losses: games.wins,
    }
}

const fn sum(a: Trinomial, b: Trinomial) -> Trinomial {
    Trinomial {
        wins: a.wins + b.wins,
        draws: a.draws + b.draws,
        losses: a.losses + b.losses,
    }
}

fn half_points(games: Trinomial) -> u64 {
    2 * games.wins + games.draws
}

impl Builder {
    pub(super) fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let row = |player| Row {
            player,
            games: Trinomial::default(),
            half_points: 0,
            elo: None,
            ahead_of_next: None,
            faults: 0,
            first: Trinomial::default(),
            second: Trinomial::default(),
            time: TimeUse::default(),
        };
        Ok(Self {
            plan: Plan::new(settings.plan()?)?,
            sprt: settings.sprt()?,
            met: BTreeMap::new(),
            rows: (0..settings.engines.len()).map(row).collect(),
            reasons: BTreeMap::new(),
            openings: BTreeMap::new(),
            incidents: Vec::new(),
            pairs: 0,
            games: 0,
            next: 0,
            waiting: BTreeMap::new(),
            tested: Pentanomial::default(),
            tested_games: Trinomial::default(),
            decided: None,
            llr_curve: Thinned::default(),
            elo_curve: Thinned::default(),
            rating_curves: vec![Thinned::default(); settings.engines.len()],
            seen: BTreeSet::new(),
            settings: settings.clone(),
        })
    }

    /// Whether the test can end the tournament: it is between the only two.
    const fn is_ended_by_test(&self) -> bool {
        self.sprt.is_some() && self.rows.len() == 2
    }

    /// Whether the test has decided, and ends the tournament.
    pub(super) const fn is_decided(&self) -> bool {
        self.decided.is_some() && self.is_ended_by_test()
    }

    /// The pairs that are finished and count.
    pub(super) const fn n_pairs(&self) -> u64 {
        self.pairs
    }

    /// Takes a line of the log, and tells the pairs that count from now on. A pair that came twice,
    /// or stands behind the one by which the test has decided, does not count.
    pub(super) fn take(&mut self, line: LogLine, mut tell: impl FnMut(&PairLine)) {
        match line {
            LogLine::Note { seconds, text } => self.tell(Incident {
                seconds,
                game: None,
                text,
                is_fault: false,
            }),
            LogLine::Pair(pair) => {
                let number = pair.pairing.number;
                let players = pair.pairing.players;
                let is_known = players.iter().all(|it| *it < self.rows.len());
                if !is_known || !self.seen.insert(number) {
                    return;
                }
                if !self.is_ended_by_test() {
                    self.take_pair(&pair);
                    tell(&pair);
                    return;
                }
                self.waiting.insert(number, pair);
                while !self.is_decided()
                    && let Some(pair) = self.waiting.remove(&self.next)
                {
                    self.next += 1;
                    self.take_pair(&pair);
                    tell(&pair);
                }
            }
        }
    }

    /// Whether something was told about the tournament.
    pub(super) fn has_note(&self, text: &str) -> bool {
        let mut notes = self.incidents.iter().filter(|it| it.game.is_none());
        notes.any(|it| it.text == text)
    }

    fn tell(&mut self, incident: Incident) {
        self.incidents.push(incident);
        if self.incidents.len() > INCIDENTS_MAX {
            self.incidents.remove(0);
        }
    }

    fn take_pair(&mut self, pair: &PairLine) {
        self.plan
            .record_games(pair.pairing.number, pair.points(), pair.games_sum());
        self.pairs += 1;
        for (at, game) in pair.games.iter().enumerate() {
            self.take_game(pair, at, game);
        }
        self.take_test(pair);
        self.take_ratings();
    }

    /// With more than two players, what the joint fit says of each of them by now.
    fn take_ratings(&mut self) {
        let is_due = self.rating_curves.iter().any(|it| it.is_due(self.pairs));
        if self.rows.len() < 3 || !is_due {
            return;
        }
        let Some(fit) = self.fit() else {
            return;
        };
        let pairs = self.pairs;
        for (curve, rating) in self.rating_curves.iter_mut().zip(&fit.ratings) {
            if rating.games > 0 && curve.is_due(pairs) {
                curve.add(pairs, rating.elo, Some(rating.error));
            }
        }
    }

    fn take_game(&mut self, pair: &PairLine, at: usize, game: &GameLine) {
        self.games += 1;
        *self.reasons.entry(game.reason).or_default() += 1;
        let opens = self.settings.kind().start().side();
        let [a, b] = pair.pairing.players;
        let (first, second) = if game.first == opens { (a, b) } else { (b, a) };
        let result = match game.outcome.winner {
            None => GameResult::Draw,
            Some(winner) if winner == opens => GameResult::Win,
            Some(_) => GameResult::Loss,
        };
        let mut one = Trinomial::default();
        one.record(result);
        let met = self.met.entry([first, second]).or_default();
        *met = sum(*met, one);
        self.rows[first].first = sum(self.rows[first].first, one);
        self.rows[second].second = sum(self.rows[second].second, turned(one));
        if let Some(opening) = pair.opening {
            let known = self.openings.entry(opening).or_default();
            *known = sum(*known, one);
        }
        for step in &game.steps {
            let player = if step.side == opens { first } else { second };
            let time = &mut self.rows[player].time;
            time.moves += 1;
            time.thinking_ms += step.thinking_ms;
            time.longest_ms = time.longest_ms.max(step.thinking_ms);
            time.latency_ms += step.latency_ms;
            time.longest_latency_ms = time.longest_latency_ms.max(step.latency_ms);
        }
        if let Some(winner) = game.outcome.winner
            && game.reason.is_fault()
        {
            let loser = if winner == opens { second } else { first };
            self.rows[loser].faults += 1;
            let name = &self.settings.engines[loser].name;
            let text = format!("{name} {}; the game is lost.", game.detail);
            self.tell(Incident {
                seconds: pair.seconds,
                game: Some((pair.pairing.number, at)),
                text,
                is_fault: true,
            });
        }
    }

    /// Results of the first engine against the second.
    fn take_test(&mut self, pair: &PairLine) {
        let is_turned = match pair.pairing.players {
            [0, 1] => false,
            [1, 0] => true,
            _ => return,
        };
        if self.decided.is_some() || (self.sprt.is_none() && self.rows.len() > 2) {
            return;
        }
        let result = |game: &GameLine| match (game.half_points(), is_turned) {
            (1, _) => GameResult::Draw,
            (2, false) | (0, true) => GameResult::Win,
            _ => GameResult::Loss,
        };
        let results: Vec<GameResult> = pair.games.iter().map(result).collect();
        for result in &results {
            self.tested_games.record(*result);
        }
        if let [one, other] = results[..] {
            self.tested.record(one, other);
        }
        let n_counted = self.n_tested();
        if self.elo_curve.is_due(n_counted) {
            let estimate = Estimate::of(self.test_results());
            self.elo_curve
                .add(n_counted, estimate.elo.0, estimate.elo_error);
        }
        let Some(sprt) = self.sprt else {
            return;
        };
        let verdict = sprt.judge(self.test_results());
        if self.llr_curve.is_due(n_counted) {
            self.llr_curve.add(n_counted, verdict.llr, None);
        }
        if verdict.decision != Decision::Continue {
            self.decided = Some(verdict);
        }
    }

    fn test_results(&self) -> Results {
        let is_trinomial = self.settings.sprt.as_ref().is_some_and(|it| it.trinomial);
        if is_trinomial || self.settings.games == 1 {
            self.tested_games.into()
        } else {
            self.tested.into()
        }
    }

    /// The report after the last line.
    pub(super) fn report(&self) -> Report {
        let fit = self.fit();
        let standings = self.standings(fit.as_ref());
        let (crosstable, superiority) = self.tables(fit.as_ref());
        let all = self
            .met
            .values()
            .fold(Trinomial::default(), |all, it| sum(all, *it));
        let openings = self.openings.iter().map(|(opening, games)| OpeningScore {
            opening: *opening,
            games: *games,
        });
        let n_tested = self.n_tested();
        let estimate = Estimate::of(self.test_results());
        let llr = self.sprt.map(|it| it.judge(self.test_results()).llr);
        let llr = llr.unwrap_or(f64::NAN);
        Report {
            pairs: self.pairs,
            pairs_asked: self.plan.n_pairs(),
            rounds_missing: self.plan.rounds_missing(),
            games: self.games,
            standings,
            crosstable,
            superiority,
            first_move: ColourScore {
                games: all,
                elo: fit.as_ref().and_then(|fit| fit.first_move),
            },
            draw_share: (all.games() > 0).then(|| all.draws as f64 / all.games() as f64),
            draw_model: draw_model(&self.met),
            reasons: self.reasons.clone(),
            openings: openings.collect(),
            tested: (self.rows.len() == 2 && self.settings.games == 2).then_some(self.tested),
            test: self.sprt.map(|sprt| Test {
                sprt,
                verdict: sprt.judge(self.test_results()),
                pairs: self.tested,
                estimate,
            }),
            llr_curve: self.llr_curve.up_to(n_tested, llr, None),
            elo_curve: self
                .elo_curve
                .up_to(n_tested, estimate.elo.0, estimate.elo_error),
            rating_curves: self.rating_curves_up_to_now(fit.as_ref()),
            incidents: self.incidents.clone(),
            champion: self.plan.champion(),
        }
    }

    /// Pairs between the first two engines.
    const fn n_tested(&self) -> u64 {
        self.tested_games.games().div_ceil(2)
    }

    fn rating_curves_up_to_now(&self, fit: Option<&JointFit>) -> Vec<Curve> {
        let curves = self.rating_curves.iter().enumerate();
        let curve = |(player, curve): (usize, &Thinned)| {
            let rating = fit.and_then(|it| it.ratings.get(player));
            let rating = rating.filter(|it| it.games > 0 && self.rows.len() > 2);
            match rating {
                Some(it) => curve.up_to(self.pairs, it.elo, Some(it.error)),
                None => curve.kept(),
            }
        };
        curves.map(curve).collect()
    }

    /// The rows of the standings in their order.
    fn standings(&self, fit: Option<&JointFit>) -> Vec<Row> {
        let mut rows = self.rows.clone();
        let byes = self.plan.byes();
        for row in &mut rows {
            row.games = sum(row.first, row.second);
            row.half_points = half_points(row.games) + u64::from(byes[row.player]);
            row.elo = fit.and_then(|fit| {
                let rating = fit.ratings.get(row.player)?;
                (rating.games > 0).then_some((rating.elo, rating.error))
            });
        }
        // Before everybody has played as often, the share of points says more than their number.
        let is_swiss = self.settings.format == Format::Swiss.name();
        let share = |row: &Row| {
            let n_games = if is_swiss {
                1
            } else {
                row.games.games().max(1)
            };
            row.half_points as f64 / n_games as f64
        };
        rows.sort_by(|a, b| share(b).total_cmp(&share(a)).then(a.player.cmp(&b.player)));
        for at in 1..rows.len() {
            let next = rows[at].player;
            let row = &mut rows[at - 1];
            row.ahead_of_next = fit.map(|fit| fit.superiority(row.player, next));
        }
        rows
    }

    /// The crosstable, and the chances that one player is better than another.
    fn tables(&self, fit: Option<&JointFit>) -> (Vec<Vec<(u64, u64)>>, Vec<Vec<Option<f64>>>) {
        let n = self.rows.len();
        let cell = |a: usize, b: usize| {
            let of = |pair: [usize; 2]| self.met.get(&pair).copied().unwrap_or_default();
            let games = sum(of([a, b]), turned(of([b, a])));
            (half_points(games), games.games())
        };
        let chance = |a: usize, b: usize| Some(fit.filter(|_| a != b)?.superiority(a, b));
        let points = (0..n).map(|a| (0..n).map(|b| cell(a, b)).collect());
        let chances = (0..n).map(|a| (0..n).map(|b| chance(a, b)).collect());
        (points.collect(), chances.collect())
    }

    /// The joint ratings. Who has won or lost everything is lent one drawn game against each
    /// opponent, so that nobody is infinitely strong.
    fn fit(&self) -> Option<JointFit> {
        let encounter = |(players, games): (&[usize; 2], &Trinomial)| Encounter {
            players: *players,
            games: *games,
        };
        let encounters: Vec<Encounter> = self.met.iter().map(encounter).collect();
        JointFit::with_lent_draws(self.rows.len(), &encounters, true).ok()
    }
}

/// Davidson's ν: drawn games for each win between equals, so that `ν √(wins · losses)` are drawn.
/// Estimated from the totals of each two players.
fn draw_model(met: &BTreeMap<[usize; 2], Trinomial>) -> Option<f64> {
    let all = met
        .values()
        .fold(Trinomial::default(), |all, it| sum(all, *it));
    let decided: f64 = met
        .values()
        .map(|it| ((it.wins as f64 + 0.5) * (it.losses as f64 + 0.5)).sqrt())
        .sum();
    (all.games() > 0 && decided > 0.0).then(|| all.draws as f64 / decided)
}

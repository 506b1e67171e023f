//! One rating for everybody who played: the ratings that make all results together most likely.
//!
//! The model is Bradley and Terry's, `P(a beats b) = 1 / (1 + 10^((b - a)/400))`, in which a draw
//! counts as half a win and half a loss, so that a difference predicts a score. Its likelihood has exactly one peak if everybody can be
//! reached from everybody by a chain of points won (Ford 1957), which Newton's method finds; the
//! curvature there gives the errors. Ratings are relative: their mean is 0.

use super::{
    Trinomial,
    estimate::{Z_95, normal_below, ratio},
    score_of_elo,
};
use std::collections::BTreeSet;

/// Games between two of the players, seen by the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encounter {
    /// Numbers of the two players, counted from 0.
    pub players: [usize; 2],
    pub games: Trinomial,
}

/// What a player is worth among the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The distance from the mean of all players.
    pub elo: f64,
    /// Half of its 95 % confidence interval.
    pub error: f64,
    /// Games that the player has played.
    pub games: u64,
}

/// Why there are no ratings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// An encounter that names nobody, or somebody who met themselves.
    #[error("expected two different players below {players}, found {found:?}")]
    Players {
        /// How many there are.
        players: usize,
        found: [usize; 2],
    },
    /// Any rating below, or above, everybody else's would explain the results of these players.
    #[error("players {0:?} have no points against the others, or all of them; they need an equal")]
    Unbounded(Vec<usize>),
    /// Nothing connects these players with the others.
    #[error("players {0:?} met nobody of the others")]
    Strangers(Vec<usize>),
}

/// The joint ratings of `n_players`, in their order; who moved first does not matter.
pub fn joint_ratings(
    n_players: usize,
    encounters: &[Encounter],
) -> Result<Vec<Rating>, RatingError> {
    Ok(JointFit::of(n_players, encounters, false)?.ratings)
}

/// Everything that results say about many players together.
#[derive(Debug, Clone, PartialEq)]
pub struct JointFit {
    /// In the order of the players.
    pub ratings: Vec<Rating>,
    /// What the first move is worth, and half of its 95 % confidence interval; `None` if it was
    /// not asked for, or everybody had the first move against everybody in vain.
    pub first_move: Option<(f64, f64)>,
    /// Who was lent drawn games; see [`Self::with_lent_draws`].
    pub lent: Vec<usize>,
    /// How the ratings vary together.
    covariance: Matrix,
}

/// Games of two players as they are fitted.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    players: [usize; 2],
    games: Trinomial,
    /// Whether the first of them had the first move.
    has_first_move: bool,
}

impl JointFit {
    /// Fits ratings to results. With `has_first_move` the first of an encounter's players had the
    /// first move in all its games, and what that is worth is fitted, too.
    ///
    /// Errors are those of the points as they were won: drawn games vary less than the model, in
    /// which a draw is half a win and half a loss, would have it. (The curvature of the likelihood
    /// on both sides of the scatter of its slope.)
    pub fn of(
        n_players: usize,
        encounters: &[Encounter],
        has_first_move: bool,
    ) -> Result<Self, RatingError> {
        check_players(n_players, encounters)?;
        let leagues = leagues(n_players, encounters);
        match outside_the_largest(&leagues) {
            outside if outside.is_empty() => {}
            outside => return Err(RatingError::Unbounded(outside)),
        }
        Ok(Self::fitted(n_players, encounters, &[], has_first_move))
    }

    /// The same, where somebody who won everything, or nothing, is lent one drawn game against each
    /// opponent, so that nobody is infinitely strong. So are players of groups one of which won
    /// everything against the other. Nothing is added where points went both ways. A lent game has no
    /// first move if the two had both colours.
    pub fn with_lent_draws(
        n_players: usize,
        encounters: &[Encounter],
        has_first_move: bool,
    ) -> Result<Self, RatingError> {
        check_players(n_players, encounters)?;
        let leagues = leagues(n_players, encounters);
        let mut lent = BTreeSet::new();
        let mut connected: Vec<usize> = (0..n_players).collect();
        for &Encounter { players, games } in encounters {
            let [a, b] = players;
            if games.games() == 0 {
                continue;
            }
            if leagues[a] != leagues[b] {
                lent.insert(players);
            }
            let (from, to) = (connected[a], connected[b]);
            for it in &mut connected {
                if *it == from {
                    *it = to;
                }
            }
        }
        match outside_the_largest(&connected) {
            strangers if strangers.is_empty() => {}
            strangers => return Err(RatingError::Strangers(strangers)),
        }
        let is_lent_once = |&[a, b]: &[usize; 2]| a < b || !lent.contains(&[b, a]);
        let one_draw = |&[a, b]: &[usize; 2]| Meeting {
            players: [a, b],
            games: Trinomial {
                draws: 1,
                ..Trinomial::default()
            },
            has_first_move: !lent.contains(&[b, a]),
        };
        let lent: Vec<Meeting> = lent
            .iter()
            .filter(|it| is_lent_once(it))
            .map(one_draw)
            .collect();
        let mut fit = Self::fitted(n_players, encounters, &lent, has_first_move);
        if !lent.is_empty() {
            fit.lent = outside_the_largest(&leagues);
        }
        Ok(fit)
    }

    /// Fits ratings that the results, and the lent games, bound.
    fn fitted(
        n_players: usize,
        encounters: &[Encounter],
        lent: &[Meeting],
        has_first_move: bool,
    ) -> Self {
        let has_first_move = has_first_move && !encounters.is_empty();
        let real = encounters.iter().map(|it| Meeting {
            players: it.players,
            games: it.games,
            has_first_move,
        });
        let meetings: Vec<Meeting> = real.chain(lent.iter().copied()).collect();
        let meetings = &meetings[..];
        let mut values = vec![0.0; n_players + usize::from(has_first_move)];
        // Newton's steps shrink quadratically; a damped one at the beginning keeps them from leaping.
        for _ in 0..200 {
            let (gradient, information) = derivatives(&values, n_players, meetings);
            let step = multiply(&inverse(information, n_players), &gradient);
            let longest = step
                .iter()
                .fold(0.0f64, |longest, it| longest.max(it.abs()));
            let damping = (LONGEST_STEP / longest).min(1.0);
            for (value, step) in values.iter_mut().zip(&step) {
                *value += damping * step;
            }
            if longest < 1e-9 {
                break;
            }
        }
        let (_, information) = derivatives(&values, n_players, meetings);
        let bread = inverse(information, n_players);
        let scatter = scatter(&values, n_players, meetings);
        let covariance = product(&product(&bread, &scatter), &bread);
        let is_sane = |value: &f64| value.is_finite() && value.abs() < VALUE_MAX;
        let is_told = |at: usize| values.iter().all(is_sane) && is_sane(&bread[at][at].sqrt());
        if has_first_move && !is_told(n_players) {
            // Whoever moved first won all, or nobody had both colours: it cannot be told from strength.
            return Self::fitted(n_players, encounters, lent, false);
        }
        let error = |at: usize| Z_95 * covariance[at][at].max(0.0).sqrt();
        let rating = |player: usize| Rating {
            elo: values[player],
            error: error(player),
            games: encounters
                .iter()
                .filter(|it| it.players.contains(&player))
                .map(|it| it.games.games())
                .sum(),
        };
        Self {
            ratings: (0..n_players).map(rating).collect(),
            first_move: has_first_move.then(|| (values[n_players], error(n_players))),
            lent: Vec::new(),
            covariance,
        }
    }

    /// How likely it is that one player is better than another, from 0 to 1.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return 0.5;
        }
        let variance = self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b];
        let difference = self.ratings[a].elo - self.ratings[b].elo;
        // What is left of equal ratings by rounding is no lead.
        if difference.abs() < 1e-9 {
            return 0.5;
        }
        normal_below(ratio(difference, variance.max(0.0).sqrt()))
    }
}

/// The rating of one player from games against players whose ratings are known: pairs of a rating
/// and the points won, from 0 to 1. A win and a loss against the mean of them are added, so that a
/// handful of won games does not mean infinity. `None` without games.
pub fn rating_against(games: &[(f64, f64)]) -> Option<Rating> {
    if games.is_empty() {
        return None;
    }
    let mean = games.iter().map(|(rating, _)| rating).sum::<f64>() / games.len() as f64;
    let all = || games.iter().copied().chain([(mean, 1.0), (mean, 0.0)]);
    let mut elo = mean;
    let mut information = 0.0;
    for _ in 0..200 {
        let slope = |(rating, points): (f64, f64)| points - score_of_elo(elo - rating);
        let weight = |(rating, _): (f64, f64)| {
            let expected = score_of_elo(elo - rating);
            expected * (1.0 - expected)
        };
        information = ODDS_PER_ELO * all().map(weight).sum::<f64>();
        let step = all().map(slope).sum::<f64>() / information;
        elo += step.clamp(-LONGEST_STEP, LONGEST_STEP);
        if step.abs() < 1e-9 {
            break;
        }
    }
    Some(Rating {
        elo,
        error: Z_95 / (ODDS_PER_ELO * information).sqrt(),
        games: games.len() as u64,
    })
}

/// Less than a game that is a hundredth of a point off what was expected.
const STILL: f64 = 1e-4;

/// No first move, and no player, is worth more.
const VALUE_MAX: f64 = 20_000.0;

/// In points; greater ones overshoot where the logistic curve is flat.
const LONGEST_STEP: f64 = 200.0;

/// What one point of rating is worth in the logarithm of the odds.
const ODDS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

type Matrix = Vec<Vec<f64>>;

fn check_players(n_players: usize, encounters: &[Encounter]) -> Result<(), RatingError> {
    let is_wrong = |&[a, b]: &[usize; 2]| a == b || a.max(b) >= n_players;
    let mut all = encounters.iter().map(|it| it.players);
    all.find(is_wrong).map_or(Ok(()), |found| {
        Err(RatingError::Players {
            players: n_players,
            found,
        })
    })
}

/// Which league everybody is in: within one, there is a way from everybody to everybody along points
/// won, and back. Ratings are bounded if there is one league (Ford's condition).
fn leagues(n_players: usize, encounters: &[Encounter]) -> Vec<usize> {
    // Whom everybody won points from, and whom they lost points to.
    let mut ways = [vec![Vec::new(); n_players], vec![Vec::new(); n_players]];
    for &Encounter { players, games } in encounters {
        let points = [2 * games.wins + games.draws, 2 * games.losses + games.draws];
        for side in [0, 1] {
            let (winner, loser) = (players[side], players[1 - side]);
            if points[side] > 0 {
                ways[0][winner].push(loser);
                ways[1][loser].push(winner);
            }
        }
    }
    let reached = |from: usize, ways: &[Vec<usize>]| {
        let mut seen = vec![false; n_players];
        let mut queue = vec![from];
        while let Some(player) = queue.pop() {
            if !std::mem::replace(&mut seen[player], true) {
                queue.extend(&ways[player]);
            }
        }
        seen
    };
    let mut leagues = vec![usize::MAX; n_players];
    for player in 0..n_players {
        if leagues[player] == usize::MAX {
            let [below, above] = [0, 1].map(|way| reached(player, &ways[way]));
            for other in (0..n_players).filter(|&it| below[it] && above[it]) {
                leagues[other] = player;
            }
        }
    }
    leagues
}

/// Everybody who is not of the largest group, the first of equals.
fn outside_the_largest(groups: &[usize]) -> Vec<usize> {
    let size = |group: usize| groups.iter().filter(|it| **it == group).count();
    let sizes: Vec<usize> = groups.iter().map(|it| size(*it)).collect();
    let most = sizes.iter().max();
    let largest = sizes.iter().position(|it| Some(it) == most);
    let largest = largest.map(|at| groups[at]);
    let is_outside = |&player: &usize| Some(groups[player]) != largest;
    (0..groups.len()).filter(is_outside).collect()
}

/// What a meeting was expected to bring the first player, per game.
fn expected(values: &[f64], n_players: usize, meeting: &Meeting) -> f64 {
    let [a, b] = meeting.players;
    let first_move = values.get(n_players).filter(|_| meeting.has_first_move);
    score_of_elo(values[a] - values[b] + first_move.copied().unwrap_or(0.0))
}

/// Adds something to all parameters that a meeting depends on, with the sign of their influence.
fn spread(n_values: usize, n_players: usize, meeting: &Meeting, mut add: impl FnMut(usize, f64)) {
    let [a, b] = meeting.players;
    add(a, 1.0);
    add(b, -1.0);
    if n_values > n_players && meeting.has_first_move {
        add(n_players, 1.0);
    }
}

/// The slope of the logarithm of the likelihood, and its curvature with the sign changed. Values
/// are the ratings and, behind them, what the first move is worth.
fn derivatives(values: &[f64], n_players: usize, meetings: &[Meeting]) -> (Vec<f64>, Matrix) {
    let n = values.len();
    let mut gradient = vec![0.0; n];
    let mut information = vec![vec![0.0; n]; n];
    for meeting in meetings {
        let games = meeting.games;
        let n_games = games.games() as f64;
        let points = games.wins as f64 + 0.5 * games.draws as f64;
        let expected = expected(values, n_players, meeting);
        let excess = ODDS_PER_ELO * (points - n_games * expected);
        spread(n, n_players, meeting, |at, sign| {
            gradient[at] += sign * excess;
        });
        let weight = ODDS_PER_ELO * ODDS_PER_ELO * n_games * expected * (1.0 - expected);
        outer(&mut information, n_players, meeting, weight);
    }
    (gradient, information)
}

/// Adds a weight for each two parameters that a meeting depends on.
fn outer(matrix: &mut Matrix, n_players: usize, meeting: &Meeting, weight: f64) {
    let n = matrix.len();
    let mut influences = Vec::with_capacity(3);
    spread(n, n_players, meeting, |at, sign| {
        influences.push((at, sign));
    });
    for &(row, of_row) in &influences {
        for &(column, of_column) in &influences {
            matrix[row][column] += of_row * of_column * weight;
        }
    }
}

/// How much the slope scatters, by the points that were won.
fn scatter(values: &[f64], n_players: usize, meetings: &[Meeting]) -> Matrix {
    let n = values.len();
    let mut scatter = vec![vec![0.0; n]; n];
    for meeting in meetings {
        let games = meeting.games;
        let expected = expected(values, n_players, meeting);
        let Trinomial {
            wins,
            draws,
            losses,
        } = games;
        let squares: f64 = [(wins, 1.0), (draws, 0.5), (losses, 0.0)]
            .into_iter()
            .map(|(count, points)| count as f64 * (points - expected) * (points - expected))
            .sum();
        // Results that are all as expected, such as two draws, say nothing about how they vary: there
        // the model does.
        let squares = if squares < STILL {
            games.games() as f64 * expected * (1.0 - expected)
        } else {
            squares
        };
        outer(
            &mut scatter,
            n_players,
            meeting,
            ODDS_PER_ELO * ODDS_PER_ELO * squares,
        );
    }
    scatter
}

/// The inverse among ratings whose sum is 0: they can be shifted together without changing any
/// prediction, so that the plain inverse does not exist. With a constant added everywhere it does,
/// and taking the constant's part off again leaves the inverse that is wanted. Parameters behind
/// the ratings are not shifted; one that nothing depends on is left at 0.
fn inverse(mut matrix: Matrix, n_players: usize) -> Matrix {
    // Of the same size as the rest, for the sake of rounding.
    let diagonal: f64 = (0..n_players).map(|i| matrix[i][i]).sum();
    let constant = (diagonal / n_players.max(1) as f64).max(f64::MIN_POSITIVE);
    for row in &mut matrix[..n_players] {
        for cell in &mut row[..n_players] {
            *cell += constant;
        }
    }
    for (at, row) in matrix.iter_mut().enumerate().skip(n_players) {
        if row[at] <= 0.0 {
            row[at] = 1.0;
        }
    }
    let mut found = gauss_jordan(matrix);
    let part = 1.0 / (constant * (n_players * n_players) as f64);
    for row in &mut found[..n_players] {
        for cell in &mut row[..n_players] {
            *cell -= part;
        }
    }
    found
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let n = a.len();
    let cell = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
    (0..n)
        .map(|i| (0..n).map(|j| cell(i, j)).collect())
        .collect()
}

/// The inverse of a positive definite matrix, for which the diagonal gives good pivots.
fn gauss_jordan(mut matrix: Matrix) -> Matrix {
    let n = matrix.len();
    let mut found: Matrix = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot][pivot];
        for j in 0..n {
            matrix[pivot][j] *= scale;
            found[pivot][j] *= scale;
        }
        for row in (0..n).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for j in 0..n {
                matrix[row][j] -= factor * matrix[pivot][j];
                found[row][j] -= factor * found[pivot][j];
            }
        }
    }
    found
}

fn multiply(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    let times = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(times).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;
    use othello::sample::SplitMix64;

    fn met(a: usize, b: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter {
            players: [a, b],
            games: Trinomial {
                wins,
                draws,
                losses,
            },
        }
    }

    #[test]
    fn three_players_whose_results_agree() {
        // 75 %, 75 % and 90 %: 191 points, 191 points, and twice as many.
        let encounters = [
            met(0, 1, 150, 0, 50),
            met(1, 2, 140, 20, 40),
            met(0, 2, 180, 0, 20),
        ];
        let found = joint_ratings(3, &encounters).unwrap();
        let elo: Vec<i64> = found.iter().map(|it| it.elo.round() as i64).collect();
        assert_eq!(elo, [191, 0, -191]);
        assert!(found.iter().all(|it| it.games == 400));
        // Whoever has met stronger and weaker players is known best.
        assert!(found[1].error < found[0].error && found[1].error < found[2].error);
    }

    #[test]
    fn two_players_have_the_estimate_of_their_match() {
        let encounter = met(0, 1, 70, 0, 30);
        let found = joint_ratings(2, &[encounter]).unwrap();
        let estimate = Estimate::of(encounter.games);
        assert!((found[0].elo - found[1].elo - estimate.elo.0).abs() < 1e-6);
        // Each is half of the difference away from the mean, and so are the errors. The
        // estimate's own interval is not quite linear.
        let error = estimate.elo_error.unwrap();
        assert!((2.0 * found[0].error / error - 1.0).abs() < 0.05);
    }

    #[test]
    fn ratings_that_made_the_results_are_found_again() {
        let mut random = SplitMix64::new(4);
        let truth: Vec<f64> = (0..12).map(|i| 130.0 * f64::from(i) - 715.0).collect();
        let mut encounters = Vec::new();
        for (a, b) in (0..12).flat_map(|a| (a + 1..12).map(move |b| (a, b))) {
            let mut games = Trinomial::default();
            let chance = score_of_elo(truth[a] - truth[b]);
            for _ in 0..200 {
                if random.unit_f64() < chance {
                    games.wins += 1;
                } else {
                    games.losses += 1;
                }
            }
            encounters.push(Encounter {
                players: [a, b],
                games,
            });
        }
        let found = joint_ratings(12, &encounters).unwrap();
        let outside = found
            .iter()
            .zip(&truth)
            .filter(|(it, truth)| (it.elo - *truth).abs() > it.error)
            .count();
        assert!(outside <= 2, "{outside} of 12 outside of 95 %");
        let sum: f64 = found.iter().map(|it| it.elo).sum();
        assert!(sum.abs() < 1e-6);
        // The slope is 0 at the peak.
        let elo: Vec<f64> = found.iter().map(|it| it.elo).collect();
        let meeting = |it: &Encounter| Meeting {
            players: it.players,
            games: it.games,
            has_first_move: false,
        };
        let meetings: Vec<Meeting> = encounters.iter().map(meeting).collect();
        let (gradient, _) = derivatives(&elo, 12, &meetings);
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-6));
    }

    #[test]
    fn the_first_move_is_told_from_strength() {
        let mut random = SplitMix64::new(8);
        let truth = [80.0, 0.0, -80.0];
        let mut encounters = Vec::new();
        for (a, b) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let mut games = Trinomial::default();
            let score = score_of_elo(truth[a] - truth[b] + 40.0);
            for _ in 0..4_000 {
                match random.unit_f64() {
                    chance if chance < score - 0.15 => games.wins += 1,
                    chance if chance < score + 0.15 => games.draws += 1,
                    _ => games.losses += 1,
                }
            }
            encounters.push(Encounter {
                players: [a, b],
                games,
            });
        }
        let fit = JointFit::of(3, &encounters, true).unwrap();
        let (worth, error) = fit.first_move.unwrap();
        assert!((worth - 40.0).abs() < 2.0 * error, "{worth} ± {error}");
        for (rating, truth) in fit.ratings.iter().zip(truth) {
            assert!(
                (rating.elo - truth).abs() < 2.0 * rating.error,
                "{rating:?}"
            );
        }
        // Draws vary less: the error is smaller than that of games without draws.
        let decided: Vec<Encounter> = encounters
            .iter()
            .map(|it| Encounter {
                games: Trinomial {
                    wins: it.games.wins + it.games.draws / 2,
                    draws: 0,
                    losses: it.games.losses + it.games.draws.div_ceil(2),
                },
                ..*it
            })
            .collect();
        let without = JointFit::of(3, &decided, true).unwrap();
        assert!(fit.ratings[0].error < 0.95 * without.ratings[0].error);
        assert!(fit.superiority(0, 1) > 0.999 && fit.superiority(2, 1) < 0.001);
        assert!((fit.superiority(0, 1) + fit.superiority(1, 0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_first_move_that_cannot_be_told_is_left_out() {
        // Nobody had both colours.
        let fit = JointFit::of(2, &[met(0, 1, 6, 2, 2)], true).unwrap();
        assert_eq!(fit.first_move, None);
        assert!(fit.ratings[0].elo > fit.ratings[1].elo);
        // Whoever began has won.
        let fit = JointFit::of(2, &[met(0, 1, 5, 0, 0), met(1, 0, 5, 0, 0)], true).unwrap();
        assert_eq!(fit.first_move, None);
        assert!(fit.ratings[0].elo.abs() < 1e-6);
        assert!(fit.superiority(0, 1).is_finite());
    }

    #[test]
    fn superiority_of_two_players_is_that_of_their_match() {
        let encounter = met(0, 1, 60, 30, 40);
        let fit = JointFit::of(2, &[encounter], false).unwrap();
        let los = Estimate::of(encounter.games).los;
        assert!((fit.superiority(0, 1) - los).abs() < 0.01, "{los}");
    }

    #[test]
    fn who_never_lost_cannot_be_rated() {
        let chain = [met(0, 1, 5, 0, 5), met(1, 2, 10, 0, 0)];
        assert_eq!(
            joint_ratings(3, &chain),
            Err(RatingError::Unbounded(vec![2]))
        );
        // A single half point is enough.
        let chain = [met(0, 1, 5, 0, 5), met(1, 2, 10, 1, 0)];
        let found = joint_ratings(3, &chain).unwrap();
        assert!(found[2].elo < found[0].elo && found[2].elo.is_finite());
        assert_eq!(
            joint_ratings(2, &[]),
            Err(RatingError::Unbounded(vec![1])),
            "nobody met"
        );
        assert_eq!(joint_ratings(0, &[]), Ok(vec![]));
        assert_eq!(joint_ratings(1, &[]).unwrap()[0].games, 0);
        assert_eq!(
            joint_ratings(2, &[met(0, 2, 1, 0, 1)]),
            Err(RatingError::Players {
                players: 2,
                found: [0, 2]
            })
        );
    }

    #[test]
    fn who_won_everything_is_lent_a_draw_against_each_opponent() {
        // 0 beat both others, who drew: it is 0 that cannot be rated.
        let encounters = [met(0, 1, 2, 0, 0), met(0, 2, 2, 0, 0), met(1, 2, 0, 2, 0)];
        assert_eq!(
            joint_ratings(3, &encounters),
            Err(RatingError::Unbounded(vec![0]))
        );
        let fit = JointFit::with_lent_draws(3, &encounters, false).unwrap();
        assert_eq!(fit.lent, [0]);
        let by_hand = [met(0, 1, 2, 1, 0), met(0, 2, 2, 1, 0), met(1, 2, 0, 2, 0)];
        let by_hand = joint_ratings(3, &by_hand).unwrap();
        for (lent, drawn) in fit.ratings.iter().zip(&by_hand) {
            assert!((lent.elo - drawn.elo).abs() < 1e-6, "{lent:?} {drawn:?}");
        }
        assert_eq!(fit.ratings[0].games, 4, "lent games are not counted");
        // With both colours it is one game all the same, and says nothing about the first move.
        let colours = [met(0, 1, 2, 0, 0), met(1, 0, 0, 0, 2)];
        let fit = JointFit::with_lent_draws(2, &colours, true).unwrap();
        let one = joint_ratings(2, &[met(0, 1, 4, 1, 0)]).unwrap();
        assert!((fit.ratings[0].elo - one[0].elo).abs() < 1e-6);
        assert!(fit.first_move.unwrap().0.abs() < 1e-6);
        // Where points went both ways nothing changes.
        let equals = [met(0, 1, 3, 1, 2), met(1, 2, 2, 0, 3)];
        assert_eq!(
            JointFit::with_lent_draws(3, &equals, false),
            JointFit::of(3, &equals, false)
        );
        assert_eq!(
            JointFit::with_lent_draws(3, &[met(0, 1, 1, 0, 1)], false),
            Err(RatingError::Strangers(vec![2]))
        );
    }

    #[test]
    fn somebody_who_lost_everything_changes_little_for_the_others() {
        let others = [met(0, 1, 60, 10, 30), met(1, 0, 45, 10, 45)];
        let before = joint_ratings(2, &others).unwrap();
        let mut all = others.to_vec();
        all.extend([met(0, 2, 50, 0, 0), met(2, 1, 0, 0, 50)]);
        let fit = JointFit::with_lent_draws(3, &all, false).unwrap();
        assert_eq!(fit.lent, [2]);
        let difference = |it: &[Rating]| it[0].elo - it[1].elo;
        let change = difference(&fit.ratings) - difference(&before);
        assert!(change.abs() < 1.0, "{change}");
    }

    #[test]
    fn two_draws_are_no_certainty() {
        let found = joint_ratings(2, &[met(0, 1, 0, 2, 0)]).unwrap();
        assert!(
            found[0].elo.abs() < 1e-9 && found[0].error > 100.0,
            "{found:?}"
        );
        let estimate = Estimate::of(met(0, 1, 0, 2, 0).games);
        assert_eq!(estimate.elo_error, None);
        assert!(estimate.to_string().starts_with("Elo +0.0, "), "{estimate}");
    }

    #[test]
    fn two_draws_are_no_certainty_beside_many_games_of_others() {
        let games = [
            met(0, 1, 0, 1, 0),
            met(1, 0, 0, 1, 0),
            met(1, 2, 50, 20, 40),
            met(2, 1, 40, 20, 50),
        ];
        for has_first_move in [false, true] {
            let fit = JointFit::of(3, &games, has_first_move).unwrap();
            assert!(fit.ratings[0].error > 200.0, "{:?}", fit.ratings);
            assert!(
                (fit.superiority(0, 1) - 0.5).abs() < 0.1,
                "{:?}",
                fit.ratings
            );
        }
    }

    #[test]
    fn a_person_is_rated_by_known_opponents() {
        assert_eq!(rating_against(&[]), None);
        let even = rating_against(&[(500.0, 1.0), (500.0, 0.0)]).unwrap();
        assert!((even.elo - 500.0).abs() < 1e-6);
        assert_eq!(even.games, 2);
        // 75 of 100 points, with a win and a loss more: a little below 191.
        let games: Vec<(f64, f64)> = (0..100)
            .map(|game| (1_000.0, f64::from(u8::from(game % 4 > 0))))
            .collect();
        let good = rating_against(&games).unwrap();
        assert!((good.elo - 1_187.0).abs() < 1.0, "{good:?}");
        assert!(good.error < even.error);
        // Somebody who won everything is above them all, and not by infinity.
        let won = rating_against(&[(300.0, 1.0), (500.0, 1.0), (700.0, 1.0)]).unwrap();
        assert!(won.elo > 650.0 && won.elo < 900.0, "{won:?}");
    }

    #[test]
    fn lopsided_results_converge() {
        let encounters = [met(0, 1, 10_000, 1, 0), met(1, 2, 1, 0, 10_000)];
        let found = joint_ratings(3, &encounters).unwrap();
        assert!(found.iter().all(|it| it.elo.is_finite()));
        assert!(found[0].elo - found[1].elo > 1_500.0);
    }
}

//! `kibitz elo --glicko`: ratings that move with time, period by period.

use arena::stats::{Glicko, GlickoGame};
use serde_json::json;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// When a game was played: its day, or its round where no day is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Period {
    day: String,
    round: u64,
}

impl Period {
    /// From the tags `Date` and `Round`; what is not known there is all one period.
    pub(crate) fn of(date: Option<&str>, round: Option<&str>) -> Self {
        let is_known = |it: &&str| it.starts_with(|c: char| c.is_ascii_digit());
        if let Some(day) = date.filter(is_known) {
            let day = day.to_owned();
            return Self { day, round: 0 };
        }
        let whole = round.and_then(|it| it.split('.').next()?.parse().ok());
        Self {
            day: String::new(),
            round: whole.unwrap_or(0),
        }
    }
}

/// Games by their periods: White and Black by their numbers, and White's points.
pub(crate) type Periods = BTreeMap<Period, Vec<([usize; 2], f64)>>;

/// Everybody after all periods. Who does not play in one becomes less certain.
pub(crate) fn ratings(n_players: usize, periods: &Periods) -> Vec<Glicko> {
    let mut ratings = vec![Glicko::default(); n_players];
    let mut has_played = vec![false; n_players];
    for games in periods.values() {
        let mut played: Vec<Vec<GlickoGame>> = vec![Vec::new(); n_players];
        for &([white, black], points) in games {
            let game = |opponent: usize, points: f64| GlickoGame {
                opponent: ratings[opponent],
                points,
            };
            played[white].push(game(black, points));
            played[black].push(game(white, 1.0 - points));
        }
        for (player, games) in played.iter().enumerate() {
            has_played[player] |= !games.is_empty();
            // Somebody who is still to come is not known less by waiting.
            if has_played[player] {
                ratings[player] = ratings[player].after(games);
            }
        }
    }
    ratings
}

fn order(ratings: &[Glicko]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|a, b| ratings[*b].rating.total_cmp(&ratings[*a].rating));
    order
}

pub(crate) fn json(names: &[String], ratings: &[Glicko]) -> serde_json::Value {
    let row = |at: usize| {
        let it = ratings[at];
        json!({
            "name": names[at],
            "rating": it.rating,
            "deviation": it.deviation,
            "volatility": it.volatility,
        })
    };
    order(ratings).into_iter().map(row).collect()
}

pub(crate) fn print(
    out: &mut impl Write,
    names: &[String],
    ratings: &[Glicko],
    n_periods: usize,
) -> io::Result<()> {
    let width = names.iter().map(|it| it.chars().count()).max().unwrap_or(0);
    for (place, at) in order(ratings).into_iter().enumerate() {
        let it = ratings[at];
        writeln!(
            out,
            "{:>3}  {:width$}  {:>7.1} ± {:<6.1} volatility {:.4}",
            place + 1,
            names[at],
            it.rating,
            2.0 * it.deviation,
            it.volatility
        )?;
    }
    let plural = if n_periods == 1 { "" } else { "s" };
    writeln!(out, "Glicko-2 over {n_periods} period{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_periods_count_from_the_earlier_ones() {
        assert!(Period::of(Some("2026.01.02"), None) < Period::of(Some("2026.01.10"), Some("1")));
        assert!(Period::of(None, Some("2.1")) < Period::of(Some("????.??.??"), Some("10")));
        let mut periods = Periods::new();
        let day = |day: &str| Period::of(Some(day), None);
        periods.insert(day("2026.01.01"), vec![([0, 1], 1.0), ([1, 0], 0.0)]);
        let first = ratings(3, &periods);
        assert!(first[0].rating > 1_600.0 && first[1].rating < 1_400.0);
        assert_eq!(first[2], Glicko::default(), "who never played");
        assert!((first[0].rating + first[1].rating - 3_000.0).abs() < 1e-6);
        periods.insert(day("2026.01.02"), vec![([2, 1], 0.5)]);
        let second = ratings(3, &periods);
        assert!(second[0].deviation > first[0].deviation, "did not play");
        assert!(second[2].rating < 1_500.0, "drew against somebody weaker");
    }
}

//! What the reviews of many games show together: accuracy over time, mistakes by class, opening and
//! phase.

use super::{Filter, GameId, ReviewedSide};
use crate::review::Phase;
use std::collections::{BTreeMap, BTreeSet};

/// The accuracy of one game.
#[derive(Debug, Clone, PartialEq)]
pub struct GamePoint {
    pub game: GameId,
    /// yyyymmdd, with zeros for what is not known.
    pub date: u32,
    /// From 0 to 100.
    pub accuracy: f64,
}

/// A part of the games: a month, a class of mistakes, an opening, a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// `2024.05`, `corner opened`, `Tiger`, `endgame`.
    pub name: String,
    /// Games that have something of it.
    pub games: u64,
    /// Moves that were looked at; 0 for a class of mistakes.
    pub moves: u64,
    pub mistakes: u64,
    /// What all moves cost together, or those mistakes, in hundredths of discs.
    pub loss: i64,
    /// The mean accuracy of the moves with a choice, from 0 to 100; `None` for a class of mistakes.
    pub accuracy: Option<f64>,
    /// The words that, added to the query, find its games; `None` if no query tells them apart.
    pub query: Option<String>,
}

/// What reviews show about the sides that were asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Insights {
    /// Reviewed games, and all that pass the filter.
    pub games: u64,
    pub total: u64,
    /// The mean accuracy of all moves with a choice, from 0 to 100.
    pub accuracy: Option<f64>,
    /// In the order of dates.
    pub over_time: Vec<GamePoint>,
    /// By month, or by year where that is all that dates say; in their order.
    pub months: Vec<Bar>,
    /// What cost most in all comes first; mistakes without a class have the name `""`.
    pub classes: Vec<Bar>,
    /// The most frequent first; games without a name have the name `""`.
    pub openings: Vec<Bar>,
    /// In the order of a game.
    pub phases: Vec<Bar>,
}

#[derive(Default)]
struct Sum {
    games: BTreeSet<GameId>,
    moves: u64,
    mistakes: u64,
    loss: i64,
    choices: u64,
    accuracy: f64,
}

impl Sum {
    fn add(&mut self, side: &ReviewedSide, phase: Option<&str>) {
        let is_wanted = |it: &str| phase.is_none_or(|phase| phase == it);
        for part in side.parts.iter().filter(|it| is_wanted(&it.phase)) {
            self.games.insert(side.game);
            self.moves += u64::from(part.moves);
            self.choices += u64::from(part.choices);
            self.loss += part.loss;
            self.accuracy += part.accuracy;
        }
        let mistakes = side.mistakes.iter().filter(|it| is_wanted(&it.phase));
        self.mistakes += mistakes.count() as u64;
    }

    fn bar(self, name: String, query: Option<String>) -> Bar {
        Bar {
            name,
            games: self.games.len() as u64,
            moves: self.moves,
            mistakes: self.mistakes,
            loss: self.loss,
            accuracy: (self.choices > 0).then(|| self.accuracy / self.choices as f64),
            query,
        }
    }
}

/// Puts the sides of reviewed games together; `total` is how many games there are to review.
pub(super) fn insights(sides: &[ReviewedSide], total: u64) -> Insights {
    let mut all = Sum::default();
    let mut months: BTreeMap<String, Sum> = BTreeMap::new();
    let mut classes: BTreeMap<String, Sum> = BTreeMap::new();
    let mut openings: BTreeMap<String, Sum> = BTreeMap::new();
    let mut over_time = Vec::new();
    for side in sides {
        all.add(side, None);
        months.entry(month(side.date)).or_default().add(side, None);
        let opening = openings.entry(side.opening.clone());
        opening.or_default().add(side, None);
        for mistake in &side.mistakes {
            let class = mistake.class.clone().unwrap_or_default();
            let sum = classes.entry(class).or_default();
            sum.games.insert(side.game);
            sum.mistakes += 1;
            sum.loss += mistake.loss;
        }
        if let Some(accuracy) = side.accuracy() {
            let ReviewedSide { game, date, .. } = *side;
            over_time.push(GamePoint {
                game,
                date,
                accuracy,
            });
        }
    }
    let phase = |phase: Phase| {
        let mut sum = Sum::default();
        for side in sides {
            sum.add(side, Some(phase.name()));
        }
        sum.bar(
            phase.name().to_owned(),
            Some(format!("phase:{}", phase.name())),
        )
    };
    let key = |key: &'static str| {
        move |(name, sum): (String, Sum)| {
            let query = (!name.is_empty()).then(|| format!("{key}:\"{name}\" reviewed:yes"));
            sum.bar(name, query)
        }
    };
    let mut classes: Vec<Bar> = classes.into_iter().map(key("mistake")).collect();
    classes.sort_by_key(|it| std::cmp::Reverse(it.loss));
    let mut openings: Vec<Bar> = openings.into_iter().map(key("opening")).collect();
    openings.sort_by_key(|it| std::cmp::Reverse(it.games));
    let months = months.into_iter().map(|(name, sum)| {
        let query = name
            .get(..4)
            .map(|year| format!("year:{year} reviewed:yes"));
        sum.bar(name, query)
    });
    let months = months.collect();
    let all = all.bar(String::new(), None);
    Insights {
        games: all.games,
        total,
        accuracy: all.accuracy,
        over_time,
        months,
        classes,
        openings,
        phases: Phase::ALL.map(phase).into(),
    }
}

fn month(date: u32) -> String {
    super::date_text(date / 100 * 100)
}

/// The games that could be reviewed: those of Othello.
pub(super) fn reviewable(filter: &Filter) -> Filter {
    Filter {
        kind: Some(game::Kind::Othello),
        ..filter.clone()
    }
}

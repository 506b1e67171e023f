//! Counted results: of games, and of pairs of games.

/// How a game ended for the engine whose strength is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    Win,
    Draw,
    Loss,
}

/// Results of single games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Trinomial {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Trinomial {
    /// Counts one more game.
    pub const fn record(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// Results of pairs of games from the same opening with colours swapped.
///
/// There are six counts, not five: a win with a loss and two draws score the same, but only with
/// both known can the games be counted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pentanomial {
    pub loss_loss: u64,
    /// One lost, one drawn.
    pub loss_draw: u64,
    /// One won, one lost.
    pub win_loss: u64,
    pub draw_draw: u64,
    /// One won, one drawn.
    pub win_draw: u64,
    pub win_win: u64,
}

impl Pentanomial {
    /// Counts one more pair; the order of its games does not matter.
    pub const fn record(&mut self, first: GameResult, second: GameResult) {
        use GameResult::{Draw, Loss, Win};
        match (first, second) {
            (Loss, Loss) => self.loss_loss += 1,
            (Loss, Draw) | (Draw, Loss) => self.loss_draw += 1,
            (Win, Loss) | (Loss, Win) => self.win_loss += 1,
            (Draw, Draw) => self.draw_draw += 1,
            (Win, Draw) | (Draw, Win) => self.win_draw += 1,
            (Win, Win) => self.win_win += 1,
        }
    }

    pub const fn pairs(self) -> u64 {
        self.loss_loss
            + self.loss_draw
            + self.win_loss
            + self.draw_draw
            + self.win_draw
            + self.win_win
    }

    /// The same games, counted one by one.
    pub const fn trinomial(self) -> Trinomial {
        Trinomial {
            wins: 2 * self.win_win + self.win_draw + self.win_loss,
            draws: 2 * self.draw_draw + self.win_draw + self.loss_draw,
            losses: 2 * self.loss_loss + self.loss_draw + self.win_loss,
        }
    }
}

/// Either way to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Results {
    /// Games that do not come in pairs.
    Games(Trinomial),
    Pairs(Pentanomial),
}

impl From<Trinomial> for Results {
    fn from(games: Trinomial) -> Self {
        Self::Games(games)
    }
}

impl From<Pentanomial> for Results {
    fn from(pairs: Pentanomial) -> Self {
        Self::Pairs(pairs)
    }
}

impl Results {
    /// All games, counted one by one.
    pub const fn trinomial(self) -> Trinomial {
        match self {
            Self::Games(games) => games,
            Self::Pairs(pairs) => pairs.trinomial(),
        }
    }

    /// How many games one observation consists of.
    pub(super) const fn games_per_sample(self) -> f64 {
        match self {
            Self::Games(_) => 1.0,
            Self::Pairs(_) => 2.0,
        }
    }

    /// How often each score was observed, scores ascending in equal steps from 0 to 1.
    pub(super) fn histogram(self) -> Vec<f64> {
        let counts = match self {
            Self::Games(it) => vec![it.losses, it.draws, it.wins],
            Self::Pairs(it) => vec![
                it.loss_loss,
                it.loss_draw,
                it.win_loss + it.draw_draw,
                it.win_draw,
                it.win_win,
            ],
        };
        counts.into_iter().map(|count| count as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_count_their_games() {
        use GameResult::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        for first in [Win, Draw, Loss] {
            for second in [Win, Draw, Loss] {
                pairs.record(first, second);
                games.record(first);
                games.record(second);
            }
        }
        assert_eq!(pairs.pairs(), 9);
        assert_eq!(pairs.trinomial(), games);
        assert_eq!(games.games(), 18);
        assert_eq!(
            Results::from(pairs).histogram(),
            [1.0, 2.0, 3.0, 2.0, 1.0],
            "scores 0, 1/4, 1/2, 3/4, 1"
        );
    }
}

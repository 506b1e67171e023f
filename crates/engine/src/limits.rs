//! What a search is asked for: how far, how thorough, and what for.

use crate::search::{EXACT_LEVEL, LEVELS, MIDGAME_LEVEL};
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// What is asked of a search that goes to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal {
    /// The exact final score.
    #[default]
    Score,
    /// Only whether the game is won, drawn or lost: the score is +1, 0 or -1 disc as a bound.
    WinLossDraw,
}

/// How much pruning by prediction is allowed, from the fastest to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selectivity(u8);

impl Selectivity {
    pub const FASTEST: Self = Self(0);
    /// What midgame searches use unless told otherwise.
    pub const MIDGAME: Self = Self(MIDGAME_LEVEL);
    /// No predictions: what a search to the end needs for an exact score.
    pub const EXACT: Self = Self(EXACT_LEVEL);

    /// The level with this index, from 0 (fastest) to 5 (exact).
    pub const fn new(index: u8) -> Option<Self> {
        if index <= EXACT_LEVEL {
            Some(Self(index))
        } else {
            None
        }
    }

    /// 0 (fastest) to 5 (exact).
    pub const fn index(self) -> u8 {
        self.0
    }

    /// How likely a cut was right, in percent.
    pub fn percent(self) -> f32 {
        LEVELS[self.0 as usize].percent
    }
}

/// How late in the order a move must come to be asked less deep at first (late move reductions).
///
/// A reduced move that turns out better than those before it is searched again at full depth.
/// Nothing is reduced in a search to the end, at [`Selectivity::EXACT`] or on the principal
/// variation, whatever this says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LateMoves {
    /// From depth 7 on, moves after the first six are asked a ply less deep.
    Conservative,
    /// From depth 5 on, moves after the first three are asked a ply less deep.
    #[default]
    Normal,
    /// From depth 5 on, moves after the first two are asked a ply less deep, after the first six
    /// two plies.
    Aggressive,
}

// Against `Normal`, 200 pairs of 20,000 nodes a move: `Conservative` 48.2 % ± 4.4, `Aggressive`
// 46.1 % ± 4.5. docs/BENCHMARKS.md has the nodes.
impl LateMoves {
    /// From the most careful to the boldest.
    pub const ALL: [Self; 3] = [Self::Conservative, Self::Normal, Self::Aggressive];

    /// What it is called in configuration files and flags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conservative => "conservative",
            Self::Normal => "normal",
            Self::Aggressive => "aggressive",
        }
    }
}

impl fmt::Display for LateMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`LateMoves`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there are no late move reductions {0:?}; expected conservative, normal or aggressive")]
pub struct UnknownLateMoves(String);

impl FromStr for LateMoves {
    type Err = UnknownLateMoves;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|late_moves| late_moves.name() == text)
            .ok_or_else(|| UnknownLateMoves(text.to_owned()))
    }
}

/// When a search is finished. Without any limit it ends with the game solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// At most so many plies; a depth of the number of empty squares or more solves the game.
    pub depth: Option<u32>,
    /// Stop after so many nodes; a thread visits less than a hundred more.
    pub nodes: Option<u64>,
    /// Stop after so much time on the clock handed in.
    pub time_ms: Option<u64>,
    /// With at most so many empty squares the game is solved whatever `depth` says.
    pub exact_empties: u32,
    /// How selective midgame searches are.
    pub selectivity: Selectivity,
    /// How selective a search to the end may stay; [`Selectivity::EXACT`] proves it.
    pub end_selectivity: Selectivity,
    /// What a search to the end should find out.
    pub goal: Goal,
    /// How many of the best moves get a line of their own.
    pub lines: usize,
    /// How far to either side of the value of the depth before the first window of a midgame
    /// search reaches, in centidiscs; taken as the nearest of [`Limits::ASPIRATION`]. A window
    /// that was missed is searched again twice as wide, so that it decides how much is searched
    /// and not what is found. Searches to the end have a window of one even score whatever this
    /// says.
    pub aspiration: u32,
    /// Which moves a selective midgame search asks less deep at first.
    pub late_moves: LateMoves,
}

impl Limits {
    /// What [`Limits::aspiration`] may be: from a hundredth of a disc to every score that there is.
    pub const ASPIRATION: RangeInclusive<u32> = 1..=6400;
    /// The half window unless told otherwise. Wider ones take fewer nodes on the cases of the bench
    /// (to depth 14: 50 takes 2.64 M, 400 takes 2.33 M), and no match has told them apart yet:
    /// 400 against 50 scored 51.9 % ± 4.4 in 200 pairs of 20,000 nodes a move.
    pub const DEFAULT_ASPIRATION: u32 = 50;

    /// The half window in force.
    pub(crate) fn half_window(&self) -> i32 {
        let (least, most) = (*Self::ASPIRATION.start(), *Self::ASPIRATION.end());
        self.aspiration.clamp(least, most) as i32
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            time_ms: None,
            exact_empties: 0,
            selectivity: Selectivity::MIDGAME,
            end_selectivity: Selectivity::EXACT,
            goal: Goal::Score,
            lines: 1,
            aspiration: Self::DEFAULT_ASPIRATION,
            late_moves: LateMoves::Normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_moves_are_read_as_they_are_written() {
        for late_moves in LateMoves::ALL {
            assert_eq!(late_moves.to_string().parse(), Ok(late_moves));
        }
        let error = "bold".parse::<LateMoves>().unwrap_err().to_string();
        assert!(LateMoves::ALL.iter().all(|it| error.contains(it.name())));
    }

    #[test]
    fn half_windows_outside_the_range_are_the_nearest_inside_it() {
        let half_window = |aspiration| {
            Limits {
                aspiration,
                ..Limits::default()
            }
            .half_window()
        };
        assert_eq!(half_window(0), 1);
        assert_eq!(half_window(75), 75);
        assert_eq!(half_window(u32::MAX), 6400);
    }
}

//! What a search expects of a node: it decides how much is spent on the order of its moves, and
//! nothing else.

use super::last::Parity;

/// What is expected of a board that is asked whether its score is greater than alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hope {
    /// Some move should show that it is: it is worth while to look for the cheapest one.
    Refutes,
    /// None should, so that all will be searched and their order does not matter.
    Refuted,
}

impl Hope {
    /// For the board after a move. Should a move refute, then the first one that is tried does; if it
    /// did not, none will.
    #[inline(always)]
    pub(crate) const fn after_move(self, is_first: bool) -> Self {
        match self {
            Self::Refutes if is_first => Self::Refuted,
            Self::Refutes | Self::Refuted => Self::Refutes,
        }
    }

    /// For the same board after a pass.
    #[inline(always)]
    pub(crate) const fn passed(self) -> Self {
        match self {
            Self::Refutes => Self::Refuted,
            Self::Refuted => Self::Refutes,
        }
    }

    /// A bit that stands in one word with the parity: what callers hand on then stays in registers.
    #[inline(always)]
    pub(super) const fn beside_parity(self) -> Parity {
        match self {
            Self::Refutes => 1 << 4,
            Self::Refuted => 0,
        }
    }

    /// What [`Self::beside_parity`] put there.
    #[inline(always)]
    pub(super) const fn of_word(word: Parity) -> Self {
        if word >> 4 & 1 == 1 {
            Self::Refutes
        } else {
            Self::Refuted
        }
    }
}

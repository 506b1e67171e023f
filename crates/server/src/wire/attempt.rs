//! A try at a mistake.

use crate::wire;
use app::desk;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A move that a reader tries at a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttemptWish {
    #[serde(rename = "move")]
    pub action: String,
}

/// What a try was worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Found {
    /// As good as the best move, or nearly so.
    Yes,
    /// Better than the move of the game, and not good enough.
    Better,
    No,
}

/// A try at a mistake, judged without telling a better move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    #[serde(rename = "move")]
    pub action: String,
    pub found: Found,
    /// A sentence about it.
    pub text: String,
}

/// A part of the board that has the best move in it, and others, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WhereToLook {
    pub squares: Vec<u8>,
}

pub(crate) fn attempt(attempt: &desk::Attempt) -> wire::Attempt {
    wire::Attempt {
        action: attempt.action.to_string(),
        found: match attempt.found {
            desk::Found::Yes => wire::Found::Yes,
            desk::Found::Better => wire::Found::Better,
            desk::Found::No => wire::Found::No,
        },
        text: attempt.text.clone(),
    }
}

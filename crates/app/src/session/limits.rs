//! What a session refuses, and how large it may become.

use game::{AddMoveError, Record, Side, Termination, TreeError};

/// A wish that this state does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// There is no such place.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The move cannot be made.
    #[error(transparent)]
    Move(AddMoveError),
    /// It is the engine's turn.
    #[error("it is the engine's turn; wait for its move, or take one back")]
    EnginesTurn,
    /// A side has lost before the rules ended the game.
    #[error("the game is over: {0}{1}; take a move back or begin a new game")]
    Lost(Side, Loss),
    /// A draw was claimed.
    #[error("the game is over: a draw was claimed; take a move back or begin a new game")]
    Drawn,
    /// There is no draw to claim here.
    #[error(
        "there is no draw to claim: it takes a position for the third time, or 50 moves without a capture \
         or a pawn's move, in a game of yours at your turn"
    )]
    NothingToClaim,
    /// Somebody who does not play wants to give up.
    #[error("there is nothing to resign: a game of yours against an engine must be under way")]
    NothingToResign,
    /// A comment that is no comment any more.
    #[error("a comment may have {COMMENT_MAX} characters; this one has {0}")]
    LongComment(usize),
    /// All comments together are as long as they may be.
    #[error("the comments of a game may have {COMMENTS_MAX_BYTES} bytes together; shorten some")]
    LongComments,
    /// A title that is no title any more.
    #[error("a title may have {TITLE_MAX} characters; this one has {0}")]
    LongTitle(usize),
    /// The tree is as large as it may be.
    #[error("a game may have {NODES_MAX} positions with its variations; delete some")]
    TooManyNodes,
}

/// What a side has lost by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    Time,
    Resignation,
}

impl From<Termination> for Loss {
    fn from(by: Termination) -> Self {
        match by {
            Termination::Resignation => Self::Resignation,
            _ => Self::Time,
        }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Time => "'s time ran out",
            Self::Resignation => " resigned",
        })
    }
}

impl From<AddMoveError> for SessionError {
    fn from(error: AddMoveError) -> Self {
        match error {
            AddMoveError::Tree(error) => Self::Tree(error),
            other => Self::Move(other),
        }
    }
}

/// The longest comment, in characters.
pub const COMMENT_MAX: usize = 20_000;

/// All comments of a game together.
pub const COMMENTS_MAX_BYTES: usize = 1 << 20;

/// The longest title, in characters.
pub const TITLE_MAX: usize = 200;

/// Nobody looks at more positions by hand.
pub const NODES_MAX: usize = 20_000;

/// How long all comments are together.
pub(super) fn comment_bytes(record: &Record) -> usize {
    let all = std::iter::once(record.root()).chain(record.descendants(record.root()));
    all.filter_map(|id| record.node(id)?.note.comment.as_ref())
        .map(String::len)
        .sum()
}

/// Whether a record from outside is small enough to become a game on the desk.
pub fn check_size(record: &Record) -> Result<(), SessionError> {
    if record.n_nodes() > NODES_MAX {
        return Err(SessionError::TooManyNodes);
    }
    if comment_bytes(record) > COMMENTS_MAX_BYTES {
        return Err(SessionError::LongComments);
    }
    Ok(())
}

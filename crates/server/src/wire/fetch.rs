//! Games from Lichess and Chess.com: what can be asked for.

use crate::wire;
use app::{desk, live};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether games can be fetched from Lichess and Chess.com.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FetchState {
    /// Whether the user has allowed requests.
    pub may_fetch: bool,
    /// Whether a token for Lichess is kept. The token itself is never told.
    pub has_lichess_token: bool,
}

/// Where games are fetched from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum FetchSource {
    LichessPlayer,
    /// A round of a broadcast: its games that have a result.
    LichessRound,
    LichessStudy,
    ChessComPlayer,
}

/// Which games to fetch, from where, and how many at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FetchWish {
    pub source: FetchSource,
    /// A name, a round's or study's letters, or the address of a page.
    pub name: String,
    /// Only so many of the newest games of a player of Lichess.
    #[serde(default)]
    #[ts(optional)]
    pub most: Option<u32>,
    /// Only games of a player from this day on: `2024-03-15` or `2024-03`.
    #[serde(default)]
    #[ts(optional)]
    pub since: Option<String>,
    /// Everything again, also what was fetched before.
    #[serde(default)]
    #[ts(optional)]
    pub anew: Option<bool>,
    /// Stay with a round until all of its games have a result.
    #[serde(default)]
    #[ts(optional)]
    pub follow: Option<bool>,
}

/// A token for Lichess to keep; `null` forgets the one that is kept.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenWish {
    pub token: Option<String>,
}

/// A token is not for logs.
impl std::fmt::Debug for TokenWish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenWish").finish_non_exhaustive()
    }
}

pub(crate) fn fetch_state(state: desk::FetchState) -> wire::FetchState {
    wire::FetchState {
        may_fetch: state.may_fetch,
        has_lichess_token: state.has_lichess_token,
    }
}

/// What a wish means; the error is a sentence.
pub(crate) fn fetch_wish(wish: &wire::FetchWish) -> Result<live::Wish, String> {
    let player = |service| live::Source::player(service, &wish.name);
    let source = match wish.source {
        FetchSource::LichessPlayer => player(live::Service::Lichess),
        FetchSource::ChessComPlayer => player(live::Service::ChessCom),
        FetchSource::LichessRound => {
            live::Source::round(&wish.name, wish.follow.unwrap_or_default())
        }
        FetchSource::LichessStudy => live::Source::study(&wish.name),
    };
    let source = match source.map_err(|error| error.to_string())? {
        live::Source::LichessPlayer { name, .. } => live::Source::LichessPlayer {
            name,
            most: wish.most.filter(|most| *most > 0),
        },
        other => other,
    };
    let since = wish.since.as_deref().map(str::parse).transpose();
    Ok(live::Wish {
        source,
        since: since.map_err(|error: live::SinceError| error.to_string())?,
        anew: wish.anew.unwrap_or_default(),
    })
}

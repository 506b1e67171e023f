//! What the user types to find games: words of names, and `key:value` for everything else.

use coach::explain::Openings;
use game::{Kind, Pattern, Position, Side};
use store::{Filter, StoreError};

use super::LibraryError;

/// A query that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A word before a colon that is none of the keys.
    #[error(
        "unknown key {key:?} in {word:?}; expected player, black, white, event, text, year, result, \
         moves, rating, tag, own, game, opening, position, part, reviewed, mistake or phase"
    )]
    Key { key: String, word: String },
    /// The name of no opening.
    #[error(
        "no opening is called {0:?}; expected a name such as Tiger or Najdorf, or a code such as B90"
    )]
    Opening(String),
    #[error("{0}")]
    Part(String),
    /// A word for a game that has no letters.
    #[error("a tag needs a word")]
    EmptyTag,
    /// A name for a search that has no letters.
    #[error("a saved search needs a name")]
    EmptyName,
    /// The name of no saved search.
    #[error("no search is saved as {0:?}")]
    Saved(String),
    /// The openings that the program comes with are damaged.
    #[error(transparent)]
    Openings(#[from] coach::explain::OpeningsError),
    /// A value that its key does not take.
    #[error("{word:?}: expected {expected}")]
    Value {
        word: String,
        expected: &'static str,
    },
}

/// Reads a query. Words without a key are words of the players' names, each of either player's; a
/// name of several words is written in quotes (`player:"ann smith"`, `event:"world open"`).
///
/// ```
/// let filter = app::library::parse_query("tamenori year:1990-1995 result:draw")?;
/// assert_eq!(filter.player.as_deref(), Some("tamenori"));
/// assert_eq!(filter.years, Some((1990, 1995)));
/// # Ok::<(), app::library::QueryError>(())
/// ```
pub fn parse_query(text: &str) -> Result<Filter, QueryError> {
    let mut filter = Filter::default();
    for word in words(text) {
        add_word(&mut filter, &word)?;
    }
    Ok(filter)
}

/// The same for a query that may have `saved:NAME` among its words, which stands for the query that
/// was saved under this name.
pub fn parse_saved(
    text: &str,
    saved: &dyn Fn(&str) -> Result<Option<String>, StoreError>,
) -> Result<Filter, LibraryError> {
    // A name of several words may stand alone without quotes.
    if let Some(name) = text.trim().strip_prefix("saved:")
        && let Some(query) = saved(name)?
    {
        return Ok(parse_query(&query)?);
    }
    let mut filter = Filter::default();
    for word in words(text) {
        let Some(name) = word.strip_prefix("saved:") else {
            add_word(&mut filter, &word)?;
            continue;
        };
        let query = saved(name)?.ok_or_else(|| QueryError::Saved(name.to_owned()))?;
        for word in words(&query) {
            add_word(&mut filter, &word)?;
        }
    }
    Ok(filter)
}

fn add_word(filter: &mut Filter, word: &str) -> Result<(), QueryError> {
    let Some((key, value)) = word.split_once(':') else {
        add_name(&mut filter.player, word);
        return Ok(());
    };
    let wrong = |expected| QueryError::Value {
        word: word.to_owned(),
        expected,
    };
    match key {
        "text" => add(&mut filter.text, value),
        "tag" => filter.tags.push(value.to_owned()),
        "own" if value == "yes" => filter.is_own = true,
        "own" => return Err(wrong("own:yes")),
        "reviewed" if value == "yes" => filter.is_reviewed = true,
        "reviewed" => return Err(wrong("reviewed:yes")),
        "mistake" => filter.mistake = Some(value.to_owned()),
        "phase" => {
            let phases = crate::review::Phase::ALL;
            let phase = phases.into_iter().find(|it| it.name() == value);
            let phase = phase.ok_or_else(|| wrong("opening, middlegame or endgame"))?;
            filter.phase = Some(phase.name().to_owned());
        }
        "game" => filter.kind = Some(kind_of(value).ok_or_else(|| wrong("othello or chess"))?),
        "opening" => filter.opening = opening(value)?,
        "position" => {
            let found = position(value).ok_or_else(|| wrong("a board, a FEN or moves"))?;
            filter.position = Some(found);
        }
        "part" => {
            let is_chess = value.contains('/');
            let kind = if is_chess { Kind::Chess } else { Kind::Othello };
            let part = Pattern::parse(kind, value);
            filter.part = Some(part.map_err(|error| QueryError::Part(error.to_string()))?);
        }
        "player" => add_name(&mut filter.player, value),
        "black" => add(&mut filter.black, value),
        "white" => add(&mut filter.white, value),
        "event" => add(&mut filter.event, value),
        "year" => {
            let years = range(value).ok_or_else(|| wrong("a year or two, as in 1990-1995"))?;
            filter.years = Some(years);
        }
        "moves" => {
            let moves = range(value).ok_or_else(|| wrong("a number or two, as in 20-60"))?;
            filter.length = Some(moves);
        }
        "rating" => {
            let least = value.parse().map_err(|_| wrong("a number, as in 1800"))?;
            filter.rating = Some(least);
        }
        "result" => {
            filter.winner = Some(match value {
                "black" => Some(Side::Black),
                "white" => Some(Side::White),
                "draw" => None,
                _ => return Err(wrong("black, white or draw")),
            });
        }
        _ => {
            let (key, word) = (key.to_owned(), word.to_owned());
            return Err(QueryError::Key { key, word });
        }
    }
    Ok(())
}

fn kind_of(text: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == text)
}

/// The ends of all lines, of either game, whose opening has this in its name.
fn opening(text: &str) -> Result<Vec<Position>, QueryError> {
    let wanted = text.to_lowercase();
    let openings = Openings::shipped()?;
    let has_name = |it: &&coach::explain::Opening| {
        let names = it.also.iter().cloned().chain([it.title()]);
        names
            .into_iter()
            .any(|name| name.to_lowercase().contains(&wanted))
    };
    let end = |it: &coach::explain::Opening| {
        let mut game = othello::Game::new();
        let played = it.moves.iter().try_for_each(|action| game.play(*action));
        played.ok().map(|()| Position::from(game.position()))
    };
    let ends = openings.iter().filter(has_name).filter_map(end);
    let ends: Vec<Position> = ends.chain(game::eco::positions_of(text)).collect();
    if ends.is_empty() {
        return Err(QueryError::Opening(text.to_owned()));
    }
    Ok(ends)
}

/// A position as users write it: a board of Othello, a FEN, or moves of either game from its start.
pub fn position(text: &str) -> Option<Position> {
    let boards = Kind::ALL
        .into_iter()
        .find_map(|kind| kind.parse_position(text).ok());
    let moves = || {
        Kind::ALL
            .into_iter()
            .find_map(|kind| after_moves(kind, text))
    };
    boards.or_else(moves)
}

/// The position after moves from the start: `f5d6`, `f5 d6`, `1. e4 e5`, `e2e4 e7e5`.
pub fn after_moves(kind: Kind, text: &str) -> Option<Position> {
    if kind == Kind::Othello {
        let game = othello::notation::parse_transcript(text).ok()?;
        return Some(game.position().into());
    }
    let mut at = kind.start();
    for word in chess_words(text) {
        let action = at.parse_move(word).ok()?;
        at = at.play(action).ok()?;
    }
    Some(at)
}

/// The moves of a text of chess, without their numbers.
pub(super) fn chess_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| it.is_whitespace() || it == ',');
    let moves = words.map(|word| {
        let has_number = word.contains('.');
        let word = word.trim_start_matches(|it: char| it.is_ascii_digit() && has_number);
        word.trim_start_matches('.')
    });
    moves.filter(|it| !it.is_empty())
}

fn add(words: &mut Option<String>, more: &str) {
    let words = words.get_or_insert_default();
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(more);
}

/// Words that were in quotes stand in one name.
fn add_name(words: &mut Option<String>, name: &str) {
    if name.contains(char::is_whitespace) {
        add(words, &format!("\"{name}\""));
    } else {
        add(words, name);
    }
}

/// `5` or `3-5`.
fn range<T: std::str::FromStr + Copy + PartialOrd>(text: &str) -> Option<(T, T)> {
    let (from, to) = match text.split_once('-') {
        Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
        None => (text.parse().ok()?, text.parse().ok()?),
    };
    (from <= to).then_some((from, to))
}

/// Words at white space; what stands in double quotes is one word, without them.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            _ if letter.is_whitespace() && !is_quoted => words.push(String::new()),
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(letter);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_read() {
        let filter = parse_query("ann smith event:\"world open\" moves:20-60 rating:1800").unwrap();
        assert_eq!(filter.player.as_deref(), Some("ann smith"));
        assert_eq!(filter.event.as_deref(), Some("world open"));
        let named = parse_query("\"ann smith\" player:\"bob jones\" eve").unwrap();
        let players = "\"ann smith\" \"bob jones\" eve";
        assert_eq!(named.player.as_deref(), Some(players));
        assert_eq!(
            (filter.length, filter.rating),
            (Some((20, 60)), Some(1_800))
        );
        assert_eq!(parse_query("").unwrap(), Filter::default());
        let won = |text: &str| parse_query(text).unwrap().winner;
        assert_eq!(won("result:white"), Some(Some(Side::White)));
        assert_eq!(won("result:draw"), Some(None));
    }

    #[test]
    fn saved_searches_stand_beside_other_words() {
        let saved = |name: &str| {
            let query = match name {
                "fav" => "ann result:draw",
                "my own" => "bob",
                _ => return Ok(None),
            };
            Ok(Some(query.to_owned()))
        };
        let parse = |text: &str| parse_saved(text, &saved);
        let filter = parse("saved:fav year:1990 eve").unwrap();
        assert_eq!(
            filter,
            parse_query("ann result:draw year:1990 eve").unwrap()
        );
        for text in ["saved:my own", "saved:\"my own\""] {
            assert_eq!(parse(text).unwrap(), parse_query("bob").unwrap());
        }
        let told = parse("saved:other year:1990").unwrap_err().to_string();
        assert_eq!(told, "no search is saved as \"other\"");
    }

    #[test]
    fn openings_of_both_games_have_names() {
        let kinds = |text: &str| {
            let opening = parse_query(text).unwrap().opening;
            opening.iter().map(Position::kind).collect::<Vec<Kind>>()
        };
        assert!(kinds("opening:tiger").contains(&Kind::Othello));
        assert!(kinds("opening:najdorf").contains(&Kind::Chess));
        assert!(kinds("opening:C60").iter().all(|it| *it == Kind::Chess));
        assert!(parse_query("opening:nonsense").is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let told = |text: &str| parse_query(text).unwrap_err().to_string();
        assert!(told("colour:black").starts_with("unknown key \"colour\" in \"colour:black\""));
        assert_eq!(
            told("year:19x"),
            "\"year:19x\": expected a year or two, as in 1990-1995"
        );
        assert_eq!(
            told("year:1995-1990"),
            "\"year:1995-1990\": expected a year or two, as in 1990-1995"
        );
        assert_eq!(
            told("result:won"),
            "\"result:won\": expected black, white or draw"
        );
    }
}

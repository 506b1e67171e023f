//! What the user types to find games: words of names, and `key:value` for everything else.

use game::Side;
use store::Filter;

/// A query that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A word before a colon that is none of the keys.
    #[error(
        "unknown key {key:?} in {word:?}; expected player, black, white, event, year, result, \
         moves or rating"
    )]
    Key { key: String, word: String },
    /// A value that its key does not take.
    #[error("{word:?}: expected {expected}")]
    Value {
        word: String,
        expected: &'static str,
    },
}

/// Reads a query. Words without a key are words of a player's name; a name of several words is
/// written with several words or in quotes (`event:"world open"`).
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
        let Some((key, value)) = word.split_once(':') else {
            add(&mut filter.player, &word);
            continue;
        };
        let wrong = |expected| QueryError::Value {
            word: word.clone(),
            expected,
        };
        match key {
            "player" => add(&mut filter.player, value),
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
                let (key, word) = (key.to_owned(), word.clone());
                return Err(QueryError::Key { key, word });
            }
        }
    }
    Ok(filter)
}

fn add(words: &mut Option<String>, more: &str) {
    let words = words.get_or_insert_default();
    if !words.is_empty() {
        words.push(' ');
    }
    words.push_str(more);
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

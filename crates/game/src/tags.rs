//! What is known about a game as a whole: names with values, in order.

/// Tags of a game: each name at most once, in the order in which they were set.
///
/// Names are those of PGN, for both games: `Event`, `Site`, `Date`, `Round`, `White`, `Black`,
/// `Result`, `WhiteElo`, `BlackElo`, `TimeControl`, `Termination`.
///
/// ```
/// use game::Tags;
/// let mut tags = Tags::default();
/// tags.set(Tags::BLACK, "Ann");
/// tags.set(Tags::BLACK, "Bob");
/// assert_eq!(tags.get(Tags::BLACK), Some("Bob"));
/// assert_eq!(tags.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    pub const EVENT: &'static str = "Event";
    pub const SITE: &'static str = "Site";
    pub const ROUND: &'static str = "Round";
    pub const RESULT: &'static str = "Result";
    pub const TERMINATION: &'static str = "Termination";
    /// Chess: a start position that is not the usual one.
    pub const FEN: &'static str = "FEN";
    /// Chess: `1` if there is a `FEN`.
    pub const SET_UP: &'static str = "SetUp";
    /// Chess: which rules; standard chess has none.
    pub const VARIANT: &'static str = "Variant";
    /// When the game was played.
    pub const DATE: &'static str = "Date";
    pub const BLACK: &'static str = "Black";
    pub const WHITE: &'static str = "White";
    pub const BLACK_ELO: &'static str = "BlackElo";
    pub const WHITE_ELO: &'static str = "WhiteElo";
    /// The time control, as the source has it.
    pub const TIME_CONTROL: &'static str = "TimeControl";

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Sets a value, in its old place if the name is known.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.0.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Forgets a name and gives its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(at).1)
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Tags {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        let mut tags = Self::default();
        for (name, value) in pairs {
            tags.set(name, value);
        }
        tags
    }
}

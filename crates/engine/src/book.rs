//! The opening book: positions by their hash, and what to play there.
//!
//! A book is a JSON object. Each key is the hash of a position ([`Position::hash`]) as hexadecimal
//! digits; its value is one move as `[row, column]`, both from 0, or a list of weighted moves:
//!
//! ```json
//! {
//!   "version": 1,
//!   "42d09a77fb4dec28": [4, 5],
//!   "0123456789abcdef": [{ "move": "d6", "weight": 3 }, { "move": "f6" }]
//! }
//! ```
//!
//! `version` counts the editions of a book and may be left out.
//!
//! A bare hash does not say which board it belongs to, so an entry cannot be turned into its
//! symmetric images when the book is read. The question is turned instead: all eight images of a
//! position are looked up and the move is carried back. For the same reason whether a move is
//! legal can only be seen at the look-up; moves that are not are passed over.
//!
//! `tree` is a book that grows by searching, `file` its format, `entry` what it says and how a book
//! is made of it; `walk` goes through a book from the start position.

mod entry;
mod file;
#[cfg(test)]
mod testing;
mod tree;
mod walk;

pub use entry::{Branch, Entry};
pub use file::TreeError;
pub use tree::{AddError, Answer, Recipe, Tree, Values};
pub use walk::Walk;

use crate::json;
use othello::{Bitboard, Position, Square, Symmetry, sample::SplitMix64};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A move in the book and how often it is to be played compared with its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub square: Square,
    /// Its share; never 0.
    pub weight: u32,
}

/// Moves for positions, found by hash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    /// Ordered, so that the same book is always the same text.
    entries: BTreeMap<u64, Vec<Choice>>,
    version: Option<u32>,
}

/// The key of the version among the hashes.
const VERSION: &str = "version";

/// The book that the program comes with; `docs/BOOK.md` tells how it was made.
static SHIPPED: &str = include_str!("../../../assets/book.json");

/// Something in a book file that was left out. The rest of the book is there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// From some place on the text cannot be read.
    #[error("the book ends early with {n_read} entries read: {reason}")]
    Damaged {
        /// Entries before the damage, good or not.
        n_read: usize,
        /// What is wrong and where.
        reason: String,
    },
    /// A key that is not a hash.
    #[error("book entry {key:?} is left out: the key is not a hash; expected 1 to 16 hex digits")]
    Key {
        /// The key, shortened if long.
        key: String,
    },
    /// A hash that was there already; the first entry stays.
    #[error("book entry {key:?} is left out: the position has an entry already")]
    Duplicate { key: String },
    /// A version that is no whole number.
    #[error("the book's version is {found}; expected a whole number from 0 to {max}", max = u32::MAX)]
    Version {
        /// What stands there, shortened if long.
        found: String,
    },
    /// A value without any usable move.
    #[error(
        "book entry {key:?} is left out: {reason}; \
         expected [row, column] from 0 to 7, or a list of {{\"move\": \"f5\", \"weight\": 3}}"
    )]
    Value { key: String, reason: String },
    /// One of several moves that cannot be used; the others stay.
    #[error(
        "book entry {key:?}, move {index} is left out: {reason}; \
         expected {{\"move\": \"f5\", \"weight\": 3}} with a weight from 1 to {max}", max = u32::MAX
    )]
    Choice {
        key: String,
        /// Which one, from 0.
        index: usize,
        reason: String,
    },
}

impl Book {
    /// A book without entries.
    pub const fn new() -> Self {
        Self {
            entries: BTreeMap::new(),
            version: None,
        }
    }

    /// The book that the program comes with.
    pub fn shipped() -> Self {
        Self::from_json(SHIPPED).0
    }

    /// Reads a book and says what of it had to be left out. Text that is no book at all gives an
    /// empty one: playing without a book beats not playing.
    pub fn from_json(text: &str) -> (Self, Vec<Warning>) {
        let mut book = Self::new();
        let mut warnings = Vec::new();
        let (entries, error) = json::entries(text);
        let n_read = entries.len();
        for (key, value) in entries {
            if key == VERSION {
                book.version = value.as_u64().and_then(|it| u32::try_from(it).ok());
                if book.version.is_none() {
                    warnings.push(Warning::Version {
                        found: json::excerpt(&value.to_string()),
                    });
                }
                continue;
            }
            let Some(hash) = parse_hash(&key) else {
                warnings.push(Warning::Key {
                    key: json::excerpt(&key),
                });
                continue;
            };
            if book.entries.contains_key(&hash) {
                warnings.push(Warning::Duplicate { key });
                continue;
            }
            let choices = parse_choices(&key, &value, &mut warnings);
            if !choices.is_empty() {
                book.entries.insert(hash, choices);
            }
        }
        if let Some(error) = error {
            warnings.push(Warning::Damaged {
                n_read,
                reason: error.to_string(),
            });
        }
        (book, warnings)
    }

    /// The book as text that [`Book::from_json`] reads back, one position per line. A single move
    /// takes the short form.
    pub fn to_json(&self) -> String {
        let version = self.version.map(|it| format!("  \"{VERSION}\": {it}"));
        let entry = |(hash, choices): (&u64, &Vec<Choice>)| {
            format!("  \"{hash:016x}\": {}", value_of(choices))
        };
        let entries = self.entries.iter().map(entry);
        let lines: Vec<String> = version.into_iter().chain(entries).collect();
        if lines.is_empty() {
            "{}\n".to_owned()
        } else {
            format!("{{\n{}\n}}\n", lines.join(",\n"))
        }
    }

    /// How many positions have an entry.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no position has one.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The edition, if the book says it.
    pub const fn version(&self) -> Option<u32> {
        self.version
    }

    /// The same book as another edition.
    #[must_use]
    pub fn with_version(self, version: Option<u32>) -> Self {
        Self { version, ..self }
    }

    /// Every position with its heaviest move alone, and no version: the plainest form of the
    /// format.
    #[must_use]
    pub fn plain(&self) -> Self {
        let heaviest = |choices: &Vec<Choice>| {
            let key = |choice: &&Choice| (choice.weight, std::cmp::Reverse(choice.square));
            let choice = choices.iter().max_by_key(key)?;
            Some(vec![Choice {
                square: choice.square,
                weight: 1,
            }])
        };
        let entry = |(&hash, choices)| Some((hash, heaviest(choices)?));
        Self {
            entries: self.entries.iter().filter_map(entry).collect(),
            version: None,
        }
    }

    /// Adds weight to a move; a weight of 0 adds nothing. If a symmetric image of the position has
    /// an entry, it is the one that grows.
    pub fn add(&mut self, position: Position, square: Square, weight: u32) {
        if weight == 0 {
            return;
        }
        let (hash, symmetry) = Symmetry::ALL
            .into_iter()
            .map(|symmetry| (symmetry.position(position).hash(), symmetry))
            .find(|(hash, _)| self.entries.contains_key(hash))
            .unwrap_or_else(|| (position.hash(), Symmetry::Identity));
        let choices = self.entries.entry(hash).or_default();
        add_weight(choices, symmetry.square(square), weight);
    }

    /// The legal book moves of a position, heaviest first, squares in order among equals.
    ///
    /// Where the file has several images of the position, their weights add up. A position that
    /// is its own image finds its entry once, in the orientation in which it was written.
    pub fn choices(&self, position: Position) -> Vec<Choice> {
        let legal = position.board.legal_moves();
        let mut found = Vec::new();
        let mut images = Vec::with_capacity(Symmetry::ALL.len());
        for symmetry in Symmetry::ALL {
            let hash = symmetry.position(position).hash();
            if images.contains(&hash) {
                continue;
            }
            images.push(hash);
            for choice in self.entries.get(&hash).into_iter().flatten() {
                let square = symmetry.inverse().square(choice.square);
                if legal.contains(square) {
                    add_weight(&mut found, square, choice.weight);
                }
            }
        }
        found.sort_by_key(|choice| (std::cmp::Reverse(choice.weight), choice.square));
        found
    }

    /// A book move for a position, each as often as its weight says; `None` if there is none.
    pub fn choose(&self, position: Position, random: &mut SplitMix64) -> Option<Square> {
        let choices = self.choices(position);
        let total: u64 = choices.iter().map(|choice| u64::from(choice.weight)).sum();
        // The high half of a product: a number below `total`, which is below 2^38.
        let mut at = ((u128::from(random.next_u64()) * u128::from(total)) >> 64) as u64;
        for choice in choices {
            let weight = u64::from(choice.weight);
            if at < weight {
                return Some(choice.square);
            }
            at -= weight;
        }
        None
    }
}

fn add_weight(choices: &mut Vec<Choice>, square: Square, weight: u32) {
    match choices.iter_mut().find(|choice| choice.square == square) {
        Some(choice) => choice.weight = choice.weight.saturating_add(weight),
        None => choices.push(Choice { square, weight }),
    }
}

/// Hex digits, with or without `0x`; longer than 64 bits is no hash.
fn parse_hash(key: &str) -> Option<u64> {
    let digits = key
        .strip_prefix("0x")
        .or_else(|| key.strip_prefix("0X"))
        .unwrap_or(key);
    // `from_str_radix` would take a sign, too.
    let is_hash =
        (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
}

/// The usable moves of an entry; what is not usable becomes a warning.
fn parse_choices(key: &str, value: &Value, warnings: &mut Vec<Warning>) -> Vec<Choice> {
    let whole = |reason: String| Warning::Value {
        key: key.to_owned(),
        reason,
    };
    let Value::Array(items) = value else {
        warnings.push(whole(format!("it is {}", json::kind(value))));
        return Vec::new();
    };
    // Numbers are a square; anything else is a list of moves.
    if items.iter().any(Value::is_number) {
        return match parse_square(items) {
            Some(square) => vec![Choice { square, weight: 1 }],
            None => {
                let text = json::excerpt(&value.to_string());
                warnings.push(whole(format!("{text} is not a square")));
                Vec::new()
            }
        };
    }
    if items.is_empty() {
        warnings.push(whole("it has no moves".to_owned()));
    }
    let mut choices: Vec<Choice> = Vec::new();
    let mut seen = Bitboard::EMPTY;
    for (index, item) in items.iter().enumerate() {
        let parsed = parse_choice(item).and_then(|choice| {
            if seen.contains(choice.square) {
                Err(format!("{} is there already", choice.square))
            } else {
                Ok(choice)
            }
        });
        match parsed {
            Ok(choice) => {
                seen.insert(choice.square);
                choices.push(choice);
            }
            Err(reason) => warnings.push(Warning::Choice {
                key: key.to_owned(),
                index,
                reason,
            }),
        }
    }
    choices
}

/// `[row, column]`: the first row is rank 1, the first column is file a.
fn parse_square(items: &[Value]) -> Option<Square> {
    let [row, column] = items else {
        return None;
    };
    let small = |value: &Value| u8::try_from(value.as_u64()?).ok();
    Square::at(small(column)?, small(row)?)
}

fn parse_choice(item: &Value) -> Result<Choice, String> {
    let Value::Object(fields) = item else {
        return Err(format!("it is {}", json::kind(item)));
    };
    if let Some(unknown) = fields
        .keys()
        .find(|key| !["move", "weight"].contains(&key.as_str()))
    {
        return Err(format!("unknown key {:?}", json::excerpt(unknown)));
    }
    let square = match fields.get("move") {
        Some(Value::String(name)) => name.parse::<Square>().map_err(|error| error.to_string())?,
        Some(other) => return Err(format!("\"move\" is {}", json::kind(other))),
        None => return Err("\"move\" is missing".to_owned()),
    };
    let weight = match fields.get("weight") {
        None => 1,
        Some(value) => value
            .as_u64()
            .and_then(|weight| u32::try_from(weight).ok())
            .filter(|&weight| weight > 0)
            .ok_or_else(|| format!("the weight is {}", json::excerpt(&value.to_string())))?,
    };
    Ok(Choice { square, weight })
}

fn value_of(choices: &[Choice]) -> Value {
    match choices {
        [Choice { square, weight: 1 }] => json!([square.rank(), square.file()]),
        _ => choices
            .iter()
            .map(|choice| json!({ "move": choice.square.to_string(), "weight": choice.weight }))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::{Game, Side};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn after(moves: &[&str]) -> Position {
        let mut game = Game::new();
        for name in moves {
            game.place(square(name)).unwrap();
        }
        game.position()
    }

    fn names(choices: &[Choice]) -> Vec<String> {
        choices
            .iter()
            .map(|choice| format!("{}*{}", choice.square, choice.weight))
            .collect()
    }

    #[test]
    fn the_documented_format_is_read() {
        // The example of this module's documentation.
        assert_eq!(Position::START.hash(), 0x42d0_9a77_fb4d_ec28);
        let text = format!(
            r#"{{ "{:x}": [4, 5], "0x{:X}": [{{"move": "D6", "weight": 3}}, {{"move": "f4"}}] }}"#,
            Position::START.hash(),
            after(&["f5"]).hash(),
        );
        let (book, warnings) = Book::from_json(&text);
        assert_eq!(warnings, []);
        assert_eq!(book.len(), 2);
        assert_eq!(names(&book.choices(Position::START)), ["f5*1"]);
        assert_eq!(names(&book.choices(after(&["f5"]))), ["d6*3", "f4*1"]);
        assert!(book.choices(after(&["f5", "d6"])).is_empty());
        let mut random = SplitMix64::new(1);
        assert_eq!(
            book.choose(Position::START, &mut random),
            Some(square("f5"))
        );
        assert_eq!(book.choose(after(&["f5", "d6"]), &mut random), None);
    }

    #[test]
    fn symmetric_positions_are_found_and_moves_carried_back() {
        let mut book = Book::new();
        let line = ["f5", "d6", "c3", "d3", "c4"];
        for n in 0..line.len() {
            book.add(after(&line[..n]), square(line[n]), 1);
        }
        for symmetry in Symmetry::ALL {
            // Those symmetries that keep the start give games that can be played.
            for (n, name) in line.iter().enumerate() {
                let image = symmetry.position(after(&line[..n]));
                let found = book.choices(image);
                assert_eq!(found.len(), 1, "{image}");
                let played = image.play(found[0].square).unwrap();
                let expected = after(&line[..=n]);
                let canonical = |position: Position| position.board.canonical().0;
                assert_eq!(
                    canonical(played),
                    canonical(expected),
                    "{name} {symmetry:?}"
                );
            }
        }
        // Colours matter: the same board with the other side to move is another position.
        let start = Position::START;
        let other = Position {
            board: start.board,
            side: Side::White,
        };
        assert!(book.choices(other).is_empty());
    }

    #[test]
    fn images_of_one_position_share_an_entry() {
        let mut book = Book::new();
        let position = after(&["f5", "d6"]);
        for symmetry in Symmetry::ALL {
            book.add(
                symmetry.position(position),
                symmetry.square(square("c3")),
                2,
            );
        }
        assert_eq!(book.len(), 1);
        assert_eq!(names(&book.choices(position)), ["c3*16"]);
        // A file may have them apart.
        let mirrored = Symmetry::Transpose.position(position);
        let text = format!(
            r#"{{"{:016x}": [2, 2], "{:016x}": [{{"move": "e3", "weight": 4}}]}}"#,
            position.hash(),
            mirrored.hash()
        );
        let (book, warnings) = Book::from_json(&text);
        assert_eq!((book.len(), warnings), (2, vec![]));
        let carried = Symmetry::Transpose.square(square("e3"));
        assert!(position.board.legal_moves().contains(carried));
        assert_eq!(
            names(&book.choices(position)),
            [format!("{carried}*4"), "c3*1".into()]
        );
    }

    #[test]
    fn damaged_entries_are_named_and_the_others_stay() {
        let hash = Position::START.hash();
        let text = format!(
            r#"{{
                "xyz": [4, 5],
                "-1": [4, 5],
                "00000000000000001": [4, 5],
                "1": [8, 0],
                "2": [1],
                "3": "f5",
                "4": [],
                "5": [{{"move": "z9"}}],
                "6": [{{"weight": 1}}, {{"move": 7}}, 1.5],
                "7": [{{"move": "a1", "weight": 0}}, {{"move": "a2", "weight": 2}}],
                "8": [{{"move": "a1"}}, {{"move": "a1"}}, "a3", {{"move": "a4", "wieght": 2}}],
                "9": [-1, 3],
                "7": [0, 0],
                "{hash:016x}": [4, 5]
            }}"#
        );
        let (book, warnings) = Book::from_json(&text);
        assert_eq!(names(&book.choices(Position::START)), ["f5*1"]);
        assert_eq!(
            book.entries.keys().copied().collect::<Vec<_>>(),
            [7, 8, hash]
        );
        let text: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let expected = [
            "\"xyz\" is left out: the key is not a hash",
            "\"-1\" is left out: the key is not a hash",
            "\"00000000000000001\" is left out: the key is not a hash",
            "\"1\" is left out: [8,0] is not a square",
            "\"2\" is left out: [1] is not a square",
            "\"3\" is left out: it is a string; expected [row, column] from 0 to 7",
            "\"4\" is left out: it has no moves",
            "\"5\", move 0 is left out: \"z9\" is not a square",
            "\"6\" is left out: [{\"weight\":1},{\"move\":7},1.5] is not a sq",
            "\"7\", move 0 is left out: the weight is 0; expected",
            "\"8\", move 1 is left out: a1 is there already",
            "\"8\", move 2 is left out: it is a string",
            "\"8\", move 3 is left out: unknown key \"wieght\"",
            "\"9\" is left out: [-1,3] is not a square",
            "\"7\" is left out: the position has an entry already",
        ];
        assert_eq!(text.len(), expected.len(), "{text:#?}");
        for (text, expected) in text.iter().zip(expected) {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_damaged_file_gives_what_came_before_the_damage() {
        for broken in ["", "no book", "[]", "{\"1\"", "null", "\u{feff}{}"] {
            let (book, warnings) = Book::from_json(broken);
            assert!(book.is_empty());
            assert!(
                matches!(warnings[..], [Warning::Damaged { n_read: 0, .. }]),
                "{broken:?}"
            );
        }
        let (book, warnings) = Book::from_json("{\"1\": [4, 5], \"2\": [4,");
        assert_eq!(book.len(), 1);
        let text = warnings[0].to_string();
        assert!(text.starts_with("the book ends early with 1 entries read: after \"2\": EOF"));
        assert_eq!(Book::from_json("{}"), (Book::new(), vec![]));
    }

    #[test]
    fn illegal_moves_are_passed_over() {
        let text = format!(
            r#"{{"{:x}": [{{"move": "a1", "weight": 1000}}, {{"move": "c4"}}]}}"#,
            Position::START.hash()
        );
        let (book, warnings) = Book::from_json(&text);
        assert_eq!(warnings, []);
        for seed in 0..50 {
            let found = book.choose(Position::START, &mut SplitMix64::new(seed));
            assert_eq!(found, Some(square("c4")));
        }
    }

    #[test]
    fn text_round_trips() {
        let mut book = Book::new();
        assert_eq!(Book::from_json(&book.to_json()), (book.clone(), vec![]));
        book.add(Position::START, square("f5"), 1);
        book.add(after(&["f5"]), square("d6"), u32::MAX);
        book.add(after(&["f5"]), square("f4"), 7);
        book.add(after(&["f5"]), square("f6"), 0);
        let text = book.to_json();
        assert!(text.contains(&format!("\"{:016x}\": [4,5]", Position::START.hash())));
        assert_eq!(Book::from_json(&text), (book, vec![]));
    }

    #[test]
    fn a_version_is_kept_and_the_plain_form_has_one_move_a_position() {
        let mut book = Book::new();
        book.add(after(&["f5"]), square("f4"), 2);
        book.add(after(&["f5"]), square("d6"), 2);
        book.add(after(&["f5"]), square("f6"), 1);
        let book = book.with_version(Some(7));
        let text = book.to_json();
        assert!(text.starts_with("{\n  \"version\": 7,\n"), "{text}");
        assert_eq!(Book::from_json(&text), (book.clone(), vec![]));
        let hash = after(&["f5"]).hash();
        let plain = format!("{{\n  \"{hash:016x}\": [3,5]\n}}\n");
        assert_eq!(book.plain().to_json(), plain);
        let (book, warnings) = Book::from_json(r#"{"version": "new"}"#);
        assert_eq!(book.version(), None);
        assert!(
            warnings[0]
                .to_string()
                .starts_with("the book's version is \"new\"; expected")
        );
    }

    #[test]
    fn the_shipped_book_is_whole() {
        let (book, warnings) = Book::from_json(SHIPPED);
        assert_eq!(warnings, []);
        assert!(book.version().is_some());
        assert!(book.len() > 500, "{}", book.len());
        assert!(SHIPPED.len() <= 200_000, "{}", SHIPPED.len());
        assert!(!book.choices(Position::START).is_empty());
        let walk = book.walk();
        assert_eq!((walk.reached, walk.twins), (book.len(), 0));
        assert_eq!(walk.illegal, []);
        assert_eq!(book.to_json(), SHIPPED);
    }

    #[test]
    fn moves_come_as_often_as_they_weigh() {
        let mut book = Book::new();
        let position = after(&["f5"]);
        for (name, weight) in [("d6", 6), ("f4", 3), ("f6", 1)] {
            book.add(position, square(name), weight);
        }
        let n = 20_000;
        let mut random = SplitMix64::new(5);
        let mut counts = BTreeMap::new();
        for _ in 0..n {
            let found = book.choose(position, &mut random).unwrap();
            *counts.entry(found.to_string()).or_insert(0u32) += 1;
        }
        // Five standard deviations; the seed is fixed.
        for (name, share) in [("d6", 0.6), ("f4", 0.3), ("f6", 0.1)] {
            let expected = f64::from(n) * share;
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!(
                (f64::from(counts[name]) - expected).abs() < 5.0 * deviation,
                "{counts:?}"
            );
        }
        let again = |seed| book.choose(position, &mut SplitMix64::new(seed));
        for seed in 0..20 {
            assert_eq!(again(seed), again(seed));
        }
    }
}

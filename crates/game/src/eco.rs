//! Names of chess openings, by position: a game that comes to one by other moves has its name, too.
//!
//! The table is our own, written down from common knowledge: the codes of the Encyclopaedia, the
//! names and the moves that define them.

use crate::{Kind, NodeId, Position, Record};
use std::{collections::HashMap, sync::LazyLock};

/// An opening of chess with its code and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, such as `C60`.
    pub code: &'static str,
    pub name: &'static str,
}

impl Opening {
    /// Code and name, such as `C60 Ruy Lopez`.
    pub fn title(self) -> String {
        format!("{} {}", self.code, self.name)
    }
}

const TABLE: &str = include_str!("../../../assets/chess-openings.txt");

/// A line of the table: the opening and the moves that define it.
fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    TABLE.lines().filter_map(|line| {
        let (head, moves) = line.split_once(';')?;
        let (code, name) = head.trim().split_once(' ')?;
        let opening = Opening {
            code,
            name: name.trim(),
        };
        Some((opening, moves.trim()))
    })
}

/// The position after moves from the usual start; `None` if one of them is not legal.
fn reached(moves: &str) -> Option<Position> {
    let mut moves = moves.split_whitespace();
    moves.try_fold(Kind::Chess.start(), |position, text| {
        let action = position.parse_move(text).ok()?;
        position.play(action).ok()
    })
}

static NAMES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    lines()
        .filter_map(|(opening, moves)| Some((reached(moves)?.hash(), opening)))
        .collect()
});

/// The opening that a position has the name of.
pub fn name_of(position: &Position) -> Option<Opening> {
    (position.kind() == Kind::Chess)
        .then(|| NAMES.get(&position.hash()).copied())
        .flatten()
}

/// The positions of all openings that have this in their names, whatever the letters' case, or this
/// code.
pub fn positions_of(text: &str) -> Vec<Position> {
    let wanted = text.to_lowercase();
    let is_it = |it: &Opening| {
        it.name.to_lowercase().contains(&wanted) || it.code.eq_ignore_ascii_case(&wanted)
    };
    let found = lines().filter(|(opening, _)| is_it(opening));
    found.filter_map(|(_, moves)| reached(moves)).collect()
}

/// The opening of the moves up to a place, and after how many of them it stood on the board last.
pub fn of_line(record: &Record, node: NodeId) -> Option<(Opening, usize)> {
    let path = record.path(node);
    let named = path.iter().enumerate().rev();
    named
        .filter_map(|(ply, id)| Some((name_of(record.position(*id)?)?, ply)))
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_legal_and_reaches_a_position_of_its_own() {
        let mut seen = HashSet::new();
        for (opening, moves) in lines() {
            let position = reached(moves);
            let position = position.unwrap_or_else(|| panic!("{opening:?}: {moves}"));
            assert!(seen.insert(position.hash()), "twice: {opening:?} {moves}");
            let (letter, digits) = opening.code.split_at(1);
            assert!("ABCDE".contains(letter) && digits.parse::<u8>().is_ok_and(|it| it < 100));
            assert!(digits.len() == 2, "{opening:?}");
        }
        let n_lines = TABLE.lines().filter(|it| !it.starts_with('#')).count();
        assert_eq!(seen.len(), n_lines, "a line without a semicolon");
        assert!(n_lines > 300, "{n_lines}");
    }

    #[test]
    fn other_moves_to_the_same_position_have_the_same_name() {
        let game = |moves: &str| {
            let mut record = Record::new(Kind::Chess.start());
            let mut end = record.root();
            for text in moves.split_whitespace() {
                end = record.add_text(end, text).unwrap();
            }
            of_line(&record, end).map(|(it, ply)| (it.code, it.name, ply))
        };
        let slav = Some(("D10", "Slav Defence", 4));
        assert_eq!(game("d4 d5 c4 c6"), slav);
        assert_eq!(game("c4 c6 d4 d5"), slav);
        assert_eq!(game("d4 d5 c4 c6 h3 h6"), slav, "the last name stays");
        assert_eq!(game("Nf3 Nc6 e4 e5 Bb5"), Some(("C60", "Ruy Lopez", 5)));
        assert_eq!(game(""), None);
        let slavs = positions_of("slav defence");
        assert!(
            slavs
                .iter()
                .any(|it| name_of(it).is_some_and(|it| it.code == "D10"))
        );
        assert_eq!(
            name_of(&positions_of("c60")[0]).map(Opening::title),
            Some("C60 Ruy Lopez".to_owned())
        );
        assert!(positions_of("no such opening").is_empty());
    }
}

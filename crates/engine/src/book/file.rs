//! The file format of grown books.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `KBTZBOOK` |
//! | 4 | format version, little-endian as all numbers here |
//! | 8 | [checksum](crate::checksum) of everything after it |
//! | 1 | how deep positions are searched |
//! | 1 | how many moves from the start they may be |
//! | 2 | length of the name of who searched |
//! | 4 | number of positions |
//! | 4 | so many of them are what the others were chosen by |
//! | … | the name as UTF-8 text |
//! | rest | the positions in the order in which they were searched |
//!
//! A position is not written down: it follows from one before it and the move that leads here,
//! past a forced pass, turned so that its board is the least of its eight images. The first one is
//! the start, with zeros for both.
//!
//! | bytes | what of each position |
//! |---|---|
//! | 4 | the number of the position before, from 0 |
//! | 1 | the move there, a1 is 0, h8 is 63 |
//! | 1 | how deep this position was searched |
//! | 2 | what it is worth to the side to move in centidiscs: the best of its moves, each with the value of its position where that is in the book; it follows from the rest and is there for other readers |
//! | 2 each | what the search said of each legal move in the order of squares, or −32768 for nothing |

use super::tree::{Answer, MOST, Node, Recipe, Tree, Values, canonical, onward};
use crate::checksum::checksum;
use othello::{Position, Square};

const MAGIC: &[u8; 8] = b"KBTZBOOK";
const VERSION: u32 = 1;
/// What a move has that the search did not value.
const VALUELESS: i16 = i16::MIN;
/// Longer names of who searched are cut.
const LONGEST_SOURCE: usize = 1_000;

/// Why bytes are no grown book for this program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    #[error("not a grown book: it does not begin with KBTZBOOK")]
    NotGrown,
    /// Written by a newer program.
    #[error("book format {found} is newer than this program, which reads up to {VERSION}")]
    Newer { found: u32 },
    /// Cut short or changed.
    #[error("damaged book: {0}")]
    Damaged(String),
    /// A position that cannot be what was written.
    #[error("damaged book: position {number} of {of}: {reason}")]
    Position {
        /// Which one, from 1.
        number: usize,
        of: usize,
        reason: String,
    },
}

impl Tree {
    /// So many bytes at the beginning of a file tell it from others: all up to its checksum. What
    /// the checksum is of begins behind them.
    pub const STAMP: usize = MAGIC.len() + 4 + 8;

    /// Whether bytes begin as those of a grown book do.
    pub fn is_tree(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The tree as a file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Values(values) = self.values();
        let Recipe { depth, plies } = self.recipe();
        let source = cut(self.source());
        let mut body = vec![depth as u8, plies as u8];
        body.extend((source.len() as u16).to_le_bytes());
        body.extend((self.len() as u32).to_le_bytes());
        body.extend((self.settled as u32).to_le_bytes());
        body.extend(source.as_bytes());
        for (node, value) in self.nodes.iter().zip(values) {
            body.extend(node.parent.to_le_bytes());
            body.extend([node.last.index() as u8, node.depth]);
            body.extend((value as i16).to_le_bytes());
            for edge in &node.edges {
                body.extend(edge.estimate.unwrap_or(VALUELESS).to_le_bytes());
            }
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a file's bytes, and proves what follows from the rest: that every move is legal, and
    /// that every value is the best of its moves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TreeError> {
        let damaged = |what: &str| TreeError::Damaged(what.to_owned());
        let short = || damaged("the header is cut short");
        if !Self::is_tree(bytes) {
            return Err(TreeError::NotGrown);
        }
        let mut rest = Reader(&bytes[MAGIC.len()..]);
        let version = u32::from_le_bytes(rest.take().ok_or_else(short)?);
        if version != VERSION {
            return Err(TreeError::Newer { found: version });
        }
        let expected = u64::from_le_bytes(rest.take().ok_or_else(short)?);
        if checksum(rest.0) != expected {
            return Err(damaged("the checksum does not match"));
        }
        let [depth, plies] = rest.take().ok_or_else(short)?;
        let length = u16::from_le_bytes(rest.take().ok_or_else(short)?);
        let n = u32::from_le_bytes(rest.take().ok_or_else(short)?) as usize;
        let settled = u32::from_le_bytes(rest.take().ok_or_else(short)?) as usize;
        let source = rest.slice(length.into()).ok_or_else(short)?;
        let source = std::str::from_utf8(source);
        let source = source.map_err(|_| damaged("the name of who searched is not UTF-8 text"))?;
        if settled > n {
            return Err(damaged("it promises more positions than it has"));
        }
        if ![depth, plies].iter().all(|it| (1..=60).contains(it)) {
            return Err(damaged("depth and moves from the start go from 1 to 60"));
        }
        let mut tree = Self::new();
        let recipe = Recipe {
            depth: depth.into(),
            plies: plies.into(),
        };
        tree.grow_by(recipe, cut(source));
        tree.settled = settled;
        let values = tree.read_nodes(&mut rest, n)?;
        if !rest.0.is_empty() {
            return Err(damaged("something follows the last position"));
        }
        tree.prove(&values)?;
        Ok(tree)
    }

    /// Reads so many positions, and gives the values that stand with them.
    fn read_nodes(&mut self, rest: &mut Reader<'_>, n: usize) -> Result<Vec<i16>, TreeError> {
        let mut values = Vec::new();
        for number in 1..=n {
            let value = self.read_node(rest);
            values.push(value.map_err(|reason| TreeError::Position {
                number,
                of: n,
                reason,
            })?);
        }
        Ok(values)
    }

    fn read_node(&mut self, rest: &mut Reader<'_>) -> Result<i16, String> {
        let short = || "the file ends in it".to_owned();
        let parent = u32::from_le_bytes(rest.take().ok_or_else(short)?);
        let [last, depth] = rest.take().ok_or_else(short)?;
        let value = i16::from_le_bytes(rest.take().ok_or_else(short)?);
        let position = self.position_after(parent, last)?;
        if !(1..=Recipe::MOST).contains(&depth.into()) {
            return Err(format!("its depth is {depth}; expected 1 to 60"));
        }
        let mut moves = Vec::new();
        for square in position.board.legal_moves() {
            let estimate = i16::from_le_bytes(rest.take().ok_or_else(short)?);
            if estimate == VALUELESS {
                continue;
            }
            let score = i32::from(estimate);
            if score.abs() > MOST {
                return Err(format!(
                    "{square} is worth {score}; expected ±{MOST} at most"
                ));
            }
            moves.push((square, score));
        }
        let depth = depth.into();
        let added = self.add(position, &Answer { depth, moves });
        added.map_err(|error| error.to_string())?;
        Ok(value)
    }

    /// The position that a move leads to from one that was read before; the start has none before.
    fn position_after(&self, parent: u32, last: u8) -> Result<Position, String> {
        if self.is_empty() {
            return match (parent, last) {
                (0, 0) => Ok(canonical(Position::START)),
                _ => Err("the first one is not the start".to_owned()),
            };
        }
        let from: Option<&Node> = self.nodes.get(parent as usize);
        let from = from.ok_or_else(|| {
            format!("it follows position {parent} from 0, which is not before it")
        })?;
        let square = Square::new(last).ok_or_else(|| format!("{last} is no square"))?;
        if from.position.play(square).is_err() {
            return Err(format!("{square} cannot be played at {}", from.position));
        }
        onward(from.position, square).ok_or_else(|| format!("the game is over after {square}"))
    }

    /// Compares the values of a file with what follows from the rest of it.
    fn prove(&self, stored: &[i16]) -> Result<(), TreeError> {
        let Values(values) = self.values();
        let wrong = |&(_, (&stored, &value)): &(usize, (&i16, &i32))| i32::from(stored) != value;
        match stored.iter().zip(&values).enumerate().find(wrong) {
            None => Ok(()),
            Some((at, (stored, value))) => Err(TreeError::Position {
                number: at + 1,
                of: values.len(),
                reason: format!(
                    "it is worth {stored} centidiscs, but its best move is worth {value} at {}",
                    self.nodes[at].position
                ),
            }),
        }
    }
}

/// As much of a name as a file has room for.
fn cut(source: &str) -> &str {
    let end = source.floor_char_boundary(LONGEST_SOURCE);
    &source[..end]
}

/// Bytes that are taken from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::testing::{grow, grown};

    fn error(bytes: &[u8]) -> String {
        Tree::from_bytes(bytes).unwrap_err().to_string()
    }

    /// A file with other bytes from some place on, and the checksum that they have.
    fn changed(bytes: &[u8], at: usize, by: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[at..at + by.len()].copy_from_slice(by);
        let sum = checksum(&bytes[Tree::STAMP..]);
        bytes[Tree::STAMP - 8..Tree::STAMP].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn trees_of_all_sizes_round_trip() {
        let mut tree = grown(0, 60);
        for positions in 0..200 {
            grow(&mut tree, positions);
            let bytes = tree.to_bytes();
            let again = Tree::from_bytes(&bytes).unwrap();
            assert_eq!(again, tree);
            assert_eq!(again.to_bytes(), bytes);
        }
    }

    #[test]
    fn a_tree_that_was_written_in_between_is_the_same() {
        let whole = grown(300, 60);
        let mut tree = grown(1, 60);
        while tree.len() < 300 {
            let positions = (tree.len() + 13).min(300);
            grow(&mut tree, positions);
            tree = Tree::from_bytes(&tree.to_bytes()).unwrap();
        }
        assert_eq!(tree.to_bytes(), whole.to_bytes());
    }

    #[test]
    fn a_long_name_is_cut_where_a_character_ends() {
        let mut tree = Tree::new();
        tree.grow_by(Recipe::default(), &"ä—".repeat(900));
        let again = Tree::from_bytes(&tree.to_bytes()).unwrap();
        assert!(again.source().len() <= LONGEST_SOURCE && again.source().len() > 990);
    }

    #[test]
    fn foreign_newer_and_damaged_files_are_told_apart() {
        let bytes = grown(50, 60).to_bytes();
        assert_eq!(Tree::from_bytes(b"{}"), Err(TreeError::NotGrown));
        assert_eq!(Tree::from_bytes(b""), Err(TreeError::NotGrown));
        assert_eq!(error(&bytes[..15]), "damaged book: the header is cut short");
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert_eq!(Tree::from_bytes(&newer), Err(TreeError::Newer { found: 2 }));
        for at in [12, 20, 40, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(error(&damaged), "damaged book: the checksum does not match");
        }
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(error(cut), "damaged book: the checksum does not match");
        let cut = changed(cut, 20, &[3]);
        assert_eq!(
            error(&cut),
            "damaged book: position 50 of 50: the file ends in it"
        );
        let longer = changed(&[&bytes[..], &[0]].concat(), 20, &[3]);
        assert_eq!(
            error(&longer),
            "damaged book: something follows the last position"
        );
    }

    #[test]
    fn what_does_not_follow_is_refused_with_its_place() {
        let bytes = grown(50, 60).to_bytes();
        // Behind the header and the name stands the start, with four moves, and then the position
        // after the first one.
        let start = Tree::STAMP + 12 + "an opinion".len();
        let second = start + 8 + 8;
        let refused = |at: usize, by: &[u8]| error(&changed(&bytes, at, by));
        let of = "damaged book: position 2 of 50: ";
        assert_eq!(
            refused(second, &[9]),
            format!("{of}it follows position 9 from 0, which is not before it")
        );
        assert!(refused(second + 4, &[0]).starts_with(&format!("{of}a1 cannot be played at ")));
        assert_eq!(refused(second + 4, &[64]), format!("{of}64 is no square"));
        assert_eq!(
            refused(second + 5, &[61]),
            format!("{of}its depth is 61; expected 1 to 60")
        );
        let value = refused(second + 6, &[0x55, 0x05]);
        assert!(
            value.starts_with(&format!(
                "{of}it is worth 1365 centidiscs, but its best move "
            )),
            "{value}"
        );
        let most = refused(start + 8, &[0, 0x70]);
        assert!(
            most.contains("position 1 of 50: ") && most.contains("is worth 28672"),
            "{most}"
        );
        assert_eq!(
            refused(start + 4, &[1]),
            "damaged book: position 1 of 50: the first one is not the start"
        );
        assert_eq!(
            refused(20, &[61]),
            "damaged book: depth and moves from the start go from 1 to 60"
        );
        assert_eq!(
            refused(28, &[51]),
            "damaged book: it promises more positions than it has"
        );
        assert_eq!(
            refused(32, &[0xff]),
            "damaged book: the name of who searched is not UTF-8 text"
        );
    }
}

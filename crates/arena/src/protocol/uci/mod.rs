//! The Universal Chess Interface, as engines really speak it.
//!
//! The program that uses an engine sends [`Command`]s and reads [`Message`]s, a line each. Neither
//! knows a rule of chess: moves and positions are text, and whoever has the rules checks them.
//! What an engine sends beyond the protocol is skipped word by word, so that one odd token does not
//! cost the rest of a line.
//!
//! ```
//! use arena::protocol::uci::{Command, Message, Thinking};
//! let line = "info depth 20 seldepth 25 multipv 1 score cp 35 nodes 1500000 pv e2e4 e7e5 g1f3";
//! let Ok(Message::Info(info)) = line.parse() else { panic!("an info line") };
//! let mut thinking = Thinking::default();
//! thinking.take(&info);
//! let thought = thinking.thought();
//! assert_eq!(thought.lines[0].moves, ["e2e4", "e7e5", "g1f3"]);
//! assert_eq!(thought.depth, Some(20));
//! assert_eq!("go depth 20".parse::<Command>().unwrap().to_string(), "go depth 20");
//! ```

mod command;
mod info;
mod message;
mod option;
mod thinking;

pub use command::{Command, Go, ParseCommandError, Start};
pub use info::{Info, Value};
pub use message::{Guard, Message, ParseMessageError};
pub use option::{Declaration, Domain, OptionError};
pub use thinking::Thinking;

use super::one_word;

/// Whether a word has the form of a move: `e2e4`, `e7e8q`, `e1h1` (castling in Chess960), the drop
/// `N@f3` of variants, or the null move `0000`. No rule is looked at.
pub fn looks_like_move(word: &str) -> bool {
    let is_square = |file: u8, rank: u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
    match *word.as_bytes() {
        [b'0', b'0', b'0', b'0'] => true,
        [piece, b'@', file, rank] => piece.is_ascii_alphabetic() && is_square(file, rank),
        [f1, r1, f2, r2] => is_square(f1, r1) && is_square(f2, r2),
        [f1, r1, f2, r2, promoted] => {
            is_square(f1, r1) && is_square(f2, r2) && promoted.is_ascii_alphabetic()
        }
        _ => false,
    }
}

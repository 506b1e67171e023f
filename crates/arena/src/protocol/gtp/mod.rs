//! The Go Text Protocol, version 2, as Othello engines and match runners use it.
//!
//! A request is one line with an optional number; the answer is `=` or `?` with the same number,
//! some text, and an empty line. The driver of a [`Session`] does this:
//!
//! ```
//! use arena::protocol::gtp::{Session, Step};
//! use othello::Move;
//!
//! let mut session = Session::new("Kibitz", "0.1.0");
//! let mut transcript = String::new();
//! for line in ["1 boardsize 8", "clear_board", "3 play b f5", "genmove w", "5 play b a1", "quit"] {
//!     match session.receive(line) {
//!         Step::Nothing => {}
//!         Step::Answer(response) => transcript += &response.to_string(),
//!         Step::Think(think) => {
//!             // Search `think.position` within `think.clock`; here the first legal move will do.
//!             let best = think.position.board.legal_moves().first();
//!             let best = best.map_or(Move::Pass, Move::Place);
//!             transcript += &session.answer(&think, best).to_string();
//!         }
//!         Step::Quit(response) => {
//!             transcript += &response.to_string();
//!             break;
//!         }
//!     }
//! }
//! assert_eq!(transcript, "=1\n\n=\n\n=3\n\n= f4\n\n?5 illegal move\n\n=\n\n");
//! ```
//!
//! Lines are handled one after the other: while a search is under way the session is not touched.
//!
//! # Whose turn it is
//!
//! Passes need not be written. `play` and `genmove` name a colour; if it is not that colour's turn,
//! the turn is changed to it. Usually that is the pass that was due. If it was not, GTP lets a
//! colour move twice in a row, and so do we (match runners never do it, tools that set up positions
//! do). A placed disc must flip something and a pass must be due for its colour; anything else is an
//! `illegal move`. `genmove` without a legal move answers `PASS`, also after the end of the game.
//!
//! `undo` takes back one `play` or `genmove`, together with the change of turn it implied.

mod command;
mod response;
mod session;

pub use command::{BadRequest, Command, CommandError, Request, TimeSettings};
pub use response::{ParseResponseError, Response};
pub use session::{Clock, Overtime, Purpose, Session, Step, Think, TimeLeft};

use othello::Move;

/// A move as GTP writes it: `f5` or `PASS`. What engines write reads as [`Move`]; an engine may also
/// answer `resign`, which does not.
pub fn move_text(action: Move) -> String {
    match action {
        Move::Place(square) => square.to_string(),
        Move::Pass => "PASS".to_owned(),
    }
}

//! The NBoard protocol, version 2, by which Welty's board and other front ends use an engine.
//!
//! Lines go both ways at any time. The front end sends commands; the engine tells what it sees
//! fit, and must answer `ping` with `pong`, `go` with `===` and a move, and `learn` with `learned`.
//! A command that is not known is ignored, as the protocol demands; one that is known but wrong is
//! complained about in the status line. The driver of a [`Session`] does this:
//!
//! ```
//! use arena::protocol::nboard::{Depth, Finding, Message, MoveReport, Session, Step};
//! use othello::Move;
//!
//! let mut session = Session::new("Kibitz");
//! let mut transcript = String::new();
//! let mut tell = |messages: Vec<Message>| {
//!     for message in messages {
//!         transcript += &format!("{message}\n");
//!     }
//! };
//! for line in ["nboard 2", "set depth 8", "move F5", "ping 1", "go"] {
//!     match session.receive(line) {
//!         Step::Answer(messages) => tell(messages),
//!         Step::Work { messages, work } => {
//!             tell(messages);
//!             // Search `work.position` to `work.depth`, and tell what is found on the way.
//!             let best = work.position.board.legal_moves().first().unwrap();
//!             let finding = Finding {
//!                 line: vec![Move::Place(best)],
//!                 score_centidiscs: -125,
//!                 depth: Depth::Plies(8),
//!             };
//!             let choice = MoveReport {
//!                 action: Move::Place(best),
//!                 score_centidiscs: Some(-125),
//!                 time_ms: Some(250),
//!             };
//!             tell(vec![Message::Search(finding), Message::NodeStats { nodes: 1000, time_ms: 250 }]);
//!             tell(work.finished(choice));
//!         }
//!         Step::Quit => break,
//!     }
//! }
//! assert_eq!(
//!     transcript,
//!     "set myname Kibitz\n\
//!      set myname Kibitz8\n\
//!      pong 1\n\
//!      status Thinking\n\
//!      search F4 -1.25 0 8\n\
//!      nodestats 1000 0.250\n\
//!      === F4/-1.25/0.250\n\
//!      status Waiting\n"
//! );
//! ```
//!
//! Every line ends the search that is under way: stop it, tell what it still has to say, then hand
//! the line to the session. The front end throws away what it reads before the `pong`, so that
//! nothing is taken for a statement about the next position.

mod command;
mod message;
mod session;

pub use command::{Command, CommandError, MoveReport};
pub use message::{Depth, Finding, Message, ParseMessageError};
pub use session::{Session, Step, Task, Work};

use othello::Move;

/// A move as NBoard writes it: `F5` or `PA`.
fn move_text(action: Move) -> String {
    match action {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

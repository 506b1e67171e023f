//! The engine's end of a conversation: the game between the lines.

use super::{Command, CommandError, Message, MoveReport};
use othello::notation::{GgfError, ProblemKind, read_ggf};
use othello::{Game, Move, Position};

/// What a search is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Task {
    /// Choose a move. It is not made: the front end sends it back as `move` if it wants it.
    Go,
    /// Tell the values of about so many of the best moves.
    Hint { lines: u32 },
    /// Tell the value of each of these with [`Message::Analysis`].
    Analyse {
        /// The positions of the game and how many moves led there, last first: what was found
        /// about later positions helps with earlier ones.
        positions: Vec<(usize, Position)>,
    },
}

/// A search that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Work {
    pub task: Task,
    /// The position; for [`Task::Go`] its side has a legal move, for [`Task::Hint`] the game is
    /// not over.
    pub position: Position,
    /// How many plies in the midgame; `None` if the front end has not said. Ends may be searched
    /// deeper at the engine's discretion.
    pub depth: Option<u32>,
    /// How much worse than even a draw is.
    pub contempt: i32,
}

impl Work {
    /// What to tell when the search has ended, whether by itself or because it was stopped. Only a
    /// [`Task::Go`] tells the choice.
    pub fn finished(&self, choice: MoveReport) -> Vec<Message> {
        let mut messages = Vec::new();
        if self.task == Task::Go {
            messages.push(Message::Choice(choice));
        }
        messages.push(Message::Status("Waiting".to_owned()));
        messages
    }
}

/// What a line led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Tell these; there may be none.
    Answer(Vec<Message>),
    /// Tell these, search, tell what is found, and at the end what [`Work::finished`] says.
    Work {
        /// To be told first.
        messages: Vec<Message>,
        /// To be done then.
        work: Work,
    },
    Quit,
}

/// The engine's end of a conversation.
#[derive(Debug, Clone)]
pub struct Session {
    name: String,
    game: Game,
    depth: Option<u32>,
    contempt: i32,
}

impl Session {
    /// The version of the protocol that is spoken.
    pub const VERSION: u32 = 2;

    /// A new conversation for an engine of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            game: Game::new(),
            depth: None,
            contempt: 0,
        }
    }

    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Takes one line, without or with its line break. A search that is under way must have been
    /// stopped.
    pub fn receive(&mut self, line: &str) -> Step {
        match Command::parse(line) {
            Ok(command) => self.obey(&command),
            Err(CommandError::Unknown) => Step::Answer(Vec::new()),
            Err(error @ CommandError::Syntax(_)) => complaint(&error),
        }
    }

    pub fn obey(&mut self, command: &Command) -> Step {
        match command {
            Command::NBoard(version) => self.greet(*version),
            Command::SetDepth(depth) => {
                self.depth = Some(*depth);
                // As players are known in game records: by name and depth.
                Step::Answer(vec![Message::MyName(format!("{}{depth}", self.name))])
            }
            Command::SetContempt(contempt) => {
                self.contempt = *contempt;
                Step::Answer(Vec::new())
            }
            Command::SetGame(ggf) => match first_game(ggf) {
                Ok(game) => {
                    self.game = game;
                    Step::Answer(Vec::new())
                }
                Err(error) => complaint(&error),
            },
            Command::Move(report) => self.make_move(report.action),
            Command::Hint(lines) => self.hint(*lines),
            Command::Go => self.go(),
            Command::Ping(id) => Step::Answer(vec![Message::Pong(*id)]),
            Command::Learn => Step::Answer(vec![Message::Learned]),
            Command::Analyze => self.work(
                "Analysing the game",
                Task::Analyse {
                    positions: self.positions_last_first(),
                },
            ),
            Command::Quit => Step::Quit,
        }
    }

    fn greet(&self, version: u32) -> Step {
        let mut messages = vec![Message::MyName(self.name.clone())];
        if version != Self::VERSION {
            messages.push(Message::Status(format!(
                "Error: expected NBoard protocol {}, found {version}",
                Self::VERSION
            )));
        }
        Step::Answer(messages)
    }

    /// The pass that is due before a disc may be left out.
    fn make_move(&mut self, action: Move) -> Step {
        let made = match action {
            Move::Place(square) => self.game.place(square),
            Move::Pass => self.game.play(Move::Pass),
        };
        match made {
            Ok(()) => Step::Answer(Vec::new()),
            Err(error) => complaint(&error),
        }
    }

    fn hint(&self, lines: u32) -> Step {
        if self.game.is_over() {
            return Step::Answer(vec![Message::Status("The game is over".to_owned())]);
        }
        self.work(
            "Analysing",
            Task::Hint {
                lines: lines.max(1),
            },
        )
    }

    fn go(&self) -> Step {
        if self.game.position().board.legal_moves().is_empty() {
            // The front end waits for an answer, also after the end of the game.
            return Step::Answer(vec![Message::Choice(Move::Pass.into())]);
        }
        self.work("Thinking", Task::Go)
    }

    fn work(&self, status: &str, task: Task) -> Step {
        Step::Work {
            messages: vec![Message::Status(status.to_owned())],
            work: Work {
                task,
                position: self.game.position(),
                depth: self.depth,
                contempt: self.contempt,
            },
        }
    }

    fn positions_last_first(&self) -> Vec<(usize, Position)> {
        let mut game = self.game.clone();
        let mut positions = vec![(game.ply(), game.position())];
        while game.undo().is_some() {
            positions.push((game.ply(), game.position()));
        }
        positions
    }
}

/// The first game of a GGF text: of a synchro pair, the one on the left.
fn first_game(ggf: &str) -> Result<Game, ProblemKind> {
    match read_ggf(ggf.as_bytes()).next() {
        Some(Ok(record)) => Ok(record.game()?),
        Some(Err(problem)) => Err(problem.kind),
        None => Err(GgfError::Unterminated.into()),
    }
}

fn complaint(error: &dyn std::error::Error) -> Step {
    Step::Answer(vec![Message::Status(format!("Error: {error}"))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    /// Everything that is told, with the first legal move for every search.
    fn talk(session: &mut Session, lines: &str) -> String {
        let mut told = Vec::new();
        for line in lines.lines() {
            match session.receive(line) {
                Step::Answer(messages) => told.extend(messages),
                Step::Work { messages, work } => {
                    told.extend(messages);
                    let first = work.position.board.legal_moves().first();
                    let action = first.map_or(Move::Pass, Move::Place);
                    told.extend(work.finished(action.into()));
                }
                Step::Quit => break,
            }
        }
        told.iter().map(|message| format!("{message}\n")).collect()
    }

    #[test]
    fn a_conversation() {
        let lines = "nboard 2\nset depth 6\n\
             set game (;GM[Othello]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 \
             ---------------------------O*------*O--------------------------- *]\
             B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)\n\
             set contempt 0\nping 1\nhint 4\nping 2\ngo\nmove D6/-1.00/0.5\nmove D6\nmove PA\nlearn\n\
             what is this\nset game nonsense\nnboard 3\nhint many\nquit\ngo";
        let mut session = Session::new("Kibitz");
        expect![[r#"
            set myname Kibitz
            set myname Kibitz6
            pong 1
            status Analysing
            status Waiting
            pong 2
            status Thinking
            === G3
            status Waiting
            status Error: d6 is occupied
            status Error: a pass is not allowed while there are legal moves: c2 c3 e3 c4 c6 c7 d7 d8 f8
            learned
            status Error: unexpected "nonsense"; expected a game that begins with (;
            set myname Kibitz
            status Error: expected NBoard protocol 2, found 3
            status Error: expected hint and a number of moves
        "#]]
        .assert_eq(&talk(&mut session, lines));
        assert_eq!(session.game().transcript(), "f5f6d3c5e6f7e7f4d6");
    }

    #[test]
    fn work_is_described() {
        let mut session = Session::new("Kibitz");
        talk(&mut session, "set depth 12\nset contempt 3\nmove f5");
        let Step::Work { work, .. } = session.receive("hint 0") else {
            panic!("a search is due");
        };
        let position = Position::START.play("f5".parse().unwrap()).unwrap();
        assert_eq!(
            work,
            Work {
                task: Task::Hint { lines: 1 },
                position,
                depth: Some(12),
                contempt: 3
            }
        );
        let Step::Work { work, .. } = session.receive("analyze") else {
            panic!("a search is due");
        };
        let positions = vec![(1, position), (0, Position::START)];
        assert_eq!(work.task, Task::Analyse { positions });
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        let start = format!("set game (;BO[8 *O{} O];)\n", "-".repeat(62));
        let dialogue = |lines: &str| talk(&mut Session::new("Kibitz"), &format!("{start}{lines}"));
        assert_eq!(dialogue("go"), "=== PA\n");
        assert_eq!(dialogue("move PA\nmove C1"), "");
        assert_eq!(
            dialogue("move C1\ngo\nhint 1"),
            "=== PA\nstatus The game is over\n"
        );
        assert!(dialogue("move PA\nmove PA").starts_with("status Error: a pass is not allowed"));
    }
}

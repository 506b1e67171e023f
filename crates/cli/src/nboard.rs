//! `kibitz nboard`: the NBoard protocol on the standard input and output.
//!
//! Lines are read on the main thread. A search runs on a thread of its own and tells what it finds;
//! the next line, whatever it says, stops it before it is obeyed.

use crate::{
    clock::Stopwatch,
    failure,
    lines::next_line,
    opponent::{self, Opponent},
};
use app::{Control, Pace, SearchPanicError, Seat};
use arena::{
    player::Failure,
    protocol::nboard::{Depth, Finding, Message, MoveReport, Session, Step, Task, Work},
};
use game::{Report, Score, TimeControl};
use othello::{Move, Side};
use std::{
    io::{self, BufRead, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, Scope, ScopedJoinHandle},
};

const EXAMPLES: &str = "\
Examples:
  kibitz nboard
  kibitz nboard --level elo_1400 --threads 1

The front end sets the depth (set depth N); until it does, the level's own depth and time hold.
docs/PROTOCOLS.md has all commands.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    opponent: Opponent,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let configured = args.opponent.configured()?;
    let seat = args.opponent.seat(&configured, app::STRONGEST)?;
    let engine = Engine {
        without_depth: seat.pace,
        seat: Mutex::new(seat),
        output: Mutex::new(io::stdout()),
    };
    let mut session = Session::new("Kibitz");
    Ok(talk(&mut session, &engine, io::stdin().lock())?)
}

/// What the main thread and the searching one share.
struct Engine<W> {
    seat: Mutex<Seat>,
    without_depth: Pace,
    output: Mutex<W>,
}

/// A search under way.
struct Running<'scope> {
    thread: ScopedJoinHandle<'scope, ()>,
    stop: Arc<AtomicBool>,
}

impl Running<'_> {
    /// Stops the search; it has told everything when this returns.
    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            // Panics in searches are caught; this one was in our own telling.
            failure::complain("a search ended without its last word");
        }
    }
}

/// Obeys line after line until `quit` or the end of the input.
fn talk<W: Write + Send>(
    session: &mut Session,
    engine: &Engine<W>,
    mut input: impl BufRead,
) -> io::Result<()> {
    thread::scope(|scope| {
        let mut running: Option<Running<'_>> = None;
        loop {
            let line = next_line(&mut input);
            if let Some(search) = running.take() {
                search.stop();
            }
            let Some(line) = line? else {
                return Ok(());
            };
            match session.receive(&line) {
                Step::Answer(messages) => engine.tell(&messages)?,
                Step::Work { messages, work } => {
                    engine.tell(&messages)?;
                    running = Some(start(scope, engine, work));
                }
                Step::Quit => return Ok(()),
            }
        }
    })
}

fn start<'scope, W: Write + Send>(
    scope: &'scope Scope<'scope, '_>,
    engine: &'scope Engine<W>,
    work: Work,
) -> Running<'scope> {
    let stop = Arc::new(AtomicBool::new(false));
    let ours = Arc::clone(&stop);
    let thread = scope.spawn(move || engine.work(&work, &ours));
    Running { thread, stop }
}

impl<W: Write> Engine<W> {
    /// Writes each message on a line and sends them off.
    fn tell(&self, messages: &[Message]) -> io::Result<()> {
        let mut output = lock(&self.output);
        for message in messages {
            writeln!(output, "{message}")?;
        }
        output.flush()
    }

    /// Tells what a search has to say. If the front end does not read it any more, the main thread will notice.
    fn mention(&self, messages: &[Message]) {
        self.tell(messages).ok();
    }

    fn work(&self, work: &Work, stop: &AtomicBool) {
        match self.search(work, stop) {
            Ok(choice) => self.mention(&work.finished(choice)),
            Err(error) => {
                failure::complain(&format!("the engine {error}"));
                let status = "Error: the search failed".to_owned();
                self.mention(&[Message::Status(status)]);
            }
        }
    }

    /// The choice means something for [`Task::Go`] only.
    fn search(&self, work: &Work, stop: &AtomicBool) -> Result<MoveReport, Failure> {
        let seat = &mut *lock(&self.seat);
        seat.pace = work.depth.map_or(self.without_depth, Pace::Depth);
        let n_empties = work.position.board.empties().len();
        let watch = Stopwatch::start();
        let now_ms = || watch.elapsed().as_millis() as u64;
        let crashed = |error: SearchPanicError| Failure::Crashed(error.to_string());
        match &work.task {
            Task::Go => {
                let mut observe = |report: &Report| self.mention(&findings(report, n_empties, 1));
                let time = TimeControl::Unlimited;
                let choice = opponent::ask_until(seat, work.position, time, stop, &mut observe)?;
                Ok(MoveReport {
                    action: choice.action.othello().ok_or(Failure::NoAnswer)?,
                    score_centidiscs: choice.score().map(Score::hundredths),
                    time_ms: Some(now_ms()),
                })
            }
            Task::Hint { lines } => {
                let lines = *lines as usize;
                let mut observe =
                    |report: &Report| self.mention(&findings(report, n_empties, lines));
                let control = Control {
                    now_ms: &now_ms,
                    stop,
                    observe: &mut observe,
                };
                let Seat { player, pace } = seat;
                player
                    .analyse(work.position, lines, *pace, control)
                    .map_err(crashed)?;
                Ok(Move::Pass.into())
            }
            Task::Analyse { positions } => {
                for &(moves_made, position) in positions {
                    let control = Control {
                        now_ms: &now_ms,
                        stop,
                        observe: &mut |_| {},
                    };
                    let report = seat.player.analyse(position, 1, seat.pace, control);
                    let report = report.map_err(crashed)?;
                    if stop.load(Ordering::Relaxed) {
                        // Half a search is not what was asked for.
                        break;
                    }
                    self.mention(&[Message::Analysis {
                        moves_made,
                        score_centidiscs: report.score_for(Side::Black).hundredths(),
                    }]);
                }
                Ok(Move::Pass.into())
            }
        }
    }
}

/// A panic elsewhere leaves what is behind these locks usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The best lines of a report and what they cost.
fn findings(report: &Report, n_empties: u32, n_lines: usize) -> Vec<Message> {
    let lines = report.lines.iter().take(n_lines);
    let mut messages: Vec<Message> = lines
        .filter(|line| !line.moves.is_empty())
        .map(|line| {
            Message::Search(Finding {
                line: line.moves.iter().filter_map(|it| it.othello()).collect(),
                score_centidiscs: line.score.hundredths(),
                depth: depth(report, n_empties),
            })
        })
        .collect();
    messages.push(Message::NodeStats {
        nodes: report.nodes,
        time_ms: report.time_ms,
    });
    messages
}

fn depth(report: &Report, n_empties: u32) -> Depth {
    if report.solved {
        Depth::End { percent: 100 }
    } else if report.depth >= n_empties {
        // Down, for only a proof is 100 percent.
        let percent = u32::from(report.certainty_permille.unwrap_or(0) / 10);
        Depth::End { percent }
    } else {
        Depth::Plies(report.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::{Analyst, Book, EngineChoice, EvaluatorChoice, Player, Settings};

    /// Keeps what is written, but panics at the first finding: a bug in the middle of a search.
    #[derive(Default)]
    struct Trap {
        written: String,
        sprung: bool,
    }

    impl Write for Trap {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8_lossy(bytes);
            let is_finding = text.contains("search ");
            if is_finding && !std::mem::replace(&mut self.sprung, true) {
                panic!("on purpose");
            }
            self.written.push_str(&text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failed_search_is_told_and_the_conversation_goes_on() {
        let analyst = Analyst::new(&Settings {
            evaluator: EvaluatorChoice::Classic,
            engine: EngineChoice::AlphaBeta,
            weights: None,
            hash_mb: 1,
            threads: 1,
        });
        let seat = Seat {
            player: Player::new(analyst.unwrap(), app::STRONGEST, Book::new(), 7),
            pace: Pace::Depth(2),
        };
        let engine = Engine {
            seat: Mutex::new(seat),
            without_depth: Pace::Depth(2),
            output: Mutex::new(Trap::default()),
        };
        let mut session = Session::new("Kibitz");
        let Step::Work { work: go, .. } = session.receive("go") else {
            panic!("a search is due");
        };
        engine.work(&go, &AtomicBool::new(false));
        assert_eq!(
            lock(&engine.output).written,
            "status Error: the search failed\n"
        );
        engine.work(&go, &AtomicBool::new(false));
        let written = &lock(&engine.output).written;
        assert!(written.ends_with("status Waiting\n"), "{written}");
        assert!(written.contains("\n=== "), "{written}");
    }
}

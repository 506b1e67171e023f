//! What must hold for any bytes at all: nothing panics, a session goes on whatever it is told, and
//! what it says reads back. The fuzz targets of `fuzz/` and the seeded run of this test binary
//! share these functions.

use arena::protocol::{gtp, nboard, uci};
use othello::Move;

/// Every line that is not blank has one answer, which reads back.
pub(crate) fn gtp(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut session = gtp::Session::new("Kibitz", "0");
    for line in text.split('\n') {
        if let Some(response) = gtp_answer(&mut session, line) {
            let written = response.to_string();
            assert_eq!(written.find("\n\n"), Some(written.len() - 2));
            let read: gtp::Response = written.parse().expect("own text");
            assert_eq!(read.to_string(), written);
        }
        if let Ok(Some(request)) = gtp::Request::parse(line) {
            assert_eq!(gtp::Request::parse(&request.to_string()), Ok(Some(request)));
        }
        // Any answer of another engine reads or is refused.
        let _read = line.parse::<gtp::Response>();
    }
    let alive = gtp_answer(&mut session, "9 protocol_version").map(|it| it.to_string());
    assert_eq!(alive.as_deref(), Some("=9 2\n\n"));
}

fn gtp_answer(session: &mut gtp::Session, line: &str) -> Option<gtp::Response> {
    match session.receive(line) {
        gtp::Step::Nothing => None,
        gtp::Step::Answer(response) | gtp::Step::Quit(response) => Some(response),
        gtp::Step::Think(think) => {
            let first = think.position.board.legal_moves().first();
            let first = first.expect("a search is asked for only if there is a choice");
            Some(session.answer(&think, Move::Place(first)))
        }
    }
}

/// Every message is one line, which reads back.
pub(crate) fn nboard(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut session = nboard::Session::new("Kibitz");
    for line in text.split('\n') {
        for message in nboard_messages(&mut session, line) {
            let written = message.to_string();
            assert!(!written.contains('\n'));
            let read: nboard::Message = written.parse().expect("own text");
            assert_eq!(read.to_string(), written);
        }
        if let Ok(command) = nboard::Command::parse(line) {
            assert_eq!(nboard::Command::parse(&command.to_string()), Ok(command));
        }
        // Any message of another engine reads or is refused.
        let _read = line.parse::<nboard::Message>();
    }
    let alive = nboard_messages(&mut session, "ping 9");
    assert_eq!(alive, [nboard::Message::Pong(9)]);
}

fn nboard_messages(session: &mut nboard::Session, line: &str) -> Vec<nboard::Message> {
    match session.receive(line) {
        nboard::Step::Answer(messages) => messages,
        nboard::Step::Work { mut messages, work } => {
            let first = work.position.board.legal_moves().first();
            let choice = first.map_or(Move::Pass, Move::Place);
            messages.extend(work.finished(choice.into()));
            messages
        }
        nboard::Step::Quit => Vec::new(),
    }
}

/// Whatever an engine or its user sends is read or refused. What is read is one line when it is
/// written, and reads back as the same; what was told of a search stays within bounds.
pub(crate) fn uci(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut thinking = uci::Thinking::default();
    for line in text.split('\n') {
        if let Ok(message) = line.parse::<uci::Message>() {
            let written = message.to_string();
            assert!(!written.contains('\n'));
            assert_eq!(written.parse(), Ok(message.clone()), "{written:?}");
            if let uci::Message::Info(info) = &message {
                thinking.take(info);
            }
            if let uci::Message::Option(option) = &message
                && let Some(default) = option.default_text()
                && !matches!(option.domain, uci::Domain::Combo { ref choices, .. } if choices.is_empty())
            {
                assert!(
                    option.accept(&default).is_ok(),
                    "a default can be set: {option:?}"
                );
            }
        }
        if let Ok(command) = line.parse::<uci::Command>() {
            let written = command.to_string();
            assert!(!written.contains('\n'));
            assert_eq!(written.parse(), Ok(command), "{written:?}");
        }
    }
    let thought = thinking.thought();
    assert!(thought.lines.len() <= 500);
    assert!(thought.lines.iter().all(|line| !line.moves.is_empty()));
}

//! A game as text.

use super::{Desk, DeskError};
use crate::Session;
use game::{ChessPosition, epd::Epd};
use othello::notation::Format;

/// A notation that games leave the desk in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Othello(Format),
    /// A game of chess with everything that is said about it.
    Pgn,
    /// The position of chess at the current node.
    Fen,
    /// The same with what is known about it.
    Epd,
}

/// A game as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// A name for a file.
    pub file_name: String,
    pub text: String,
}

impl Desk {
    /// The line shown, or the position at the current node, as text.
    pub fn export(&self, id: &str, format: ExportFormat) -> Result<Exported, DeskError> {
        let snapshot = self.session(id)?;
        let session = &snapshot.session;
        let (text, ending) = match format {
            ExportFormat::Othello(format) => (othello_text(session, format)?, ending(format)),
            ExportFormat::Pgn => {
                let written = game::pgn::write(session.record());
                (written.map_err(|error| invalid(&error))?, "pgn")
            }
            ExportFormat::Fen | ExportFormat::Epd => {
                let position = session.position().chess();
                let position = position.ok_or_else(|| {
                    invalid(&"this is a game of Othello; choose another notation")
                })?;
                if format == ExportFormat::Fen {
                    (format!("{position}\n"), "fen")
                } else {
                    (format!("{}\n", epd(session, position)), "epd")
                }
            }
        };
        Ok(Exported {
            file_name: format!("kibitz-{}.{ending}", session.id()),
            text,
        })
    }
}

fn invalid(error: &dyn std::fmt::Display) -> DeskError {
    DeskError::Invalid(error.to_string())
}

const fn ending(format: Format) -> &'static str {
    match format {
        Format::Ggf => "ggf",
        Format::Obf => "obf",
        _ => "txt",
    }
}

/// The position with its value in hundredths of a pawn and the depth of that, where it is known.
fn epd(session: &Session, position: &ChessPosition) -> Epd {
    let mut epd = Epd::new(position.clone());
    if let Some(value) = session.value(session.cursor()) {
        epd.say("acd", &value.depth.to_string(), false);
        match value.score.mate() {
            Some(moves) => epd.say("dm", &moves.to_string(), false),
            None => epd.say("ce", &value.score.hundredths().to_string(), false),
        }
    }
    epd
}

fn othello_text(session: &Session, format: Format) -> Result<String, DeskError> {
    let record = session.record();
    let mut text = Vec::new();
    let written = match format {
        Format::Obf => {
            let scored = record
                .to_scored_position(session.cursor())
                .map_err(|error| invalid(&error))?;
            scored.0.write_text(format, &mut text)
        }
        Format::Board => {
            let position = session.position().to_string();
            text.extend(position.bytes());
            text.push(b'\n');
            Ok(())
        }
        _ => {
            // What the move list shows is what the reader expects to get.
            let mut shown = record.clone();
            if let Some(&end) = session.line().last() {
                shown.promote_to_main(end).ok();
            }
            let (notation, _) = shown.to_notation().map_err(|error| invalid(&error))?;
            notation.write_text(format, &mut text)
        }
    };
    written.map_err(|error| invalid(&error))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

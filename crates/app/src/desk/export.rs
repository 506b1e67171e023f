//! A game as text.

use super::{Desk, DeskError};
use othello::notation::Format;

/// A game as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// A name for a file.
    pub file_name: String,
    pub text: String,
}

impl Desk {
    /// The line shown, or the position at the current node, as text.
    pub fn export(&self, id: &str, format: Format) -> Result<Exported, DeskError> {
        let snapshot = self.session(id)?;
        let session = &snapshot.session;
        let record = session.record();
        let invalid = |error: &dyn std::fmt::Display| DeskError::Invalid(error.to_string());
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
        let ending = match format {
            Format::Ggf => "ggf",
            Format::Obf => "obf",
            _ => "txt",
        };
        Ok(Exported {
            file_name: format!("kibitz-{}.{ending}", session.id()),
            text: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

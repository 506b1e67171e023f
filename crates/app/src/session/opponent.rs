//! A foreign engine that plays against a person.

use crate::engines::Id;

/// Which engine plays, and how strong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    pub id: Id,
    /// What the user reads.
    pub name: String,
    /// Settings of this game, in the engine's own words, on top of those that it always has:
    /// `UCI_Elo`, `Skill Level`.
    pub options: Vec<(String, String)>,
    /// What ends its thinking, beside the clock and the time for a move.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// More settings than this are a mistake.
const OPTIONS_MAX: usize = 32;

impl Opponent {
    /// A wish that was made of its options, if they can be told to an engine at all: a line each.
    pub fn check(&self) -> Result<(), String> {
        if self.options.len() > OPTIONS_MAX {
            return Err(format!("a game may change {OPTIONS_MAX} settings"));
        }
        let is_line = |text: &String| text.len() <= 1_000 && !text.contains(char::is_control);
        match self
            .options
            .iter()
            .find(|(name, value)| name.is_empty() || !is_line(name) || !is_line(value))
        {
            Some((name, _)) => Err(format!(
                "{:?} cannot be told to an engine",
                name.chars().take(40).collect::<String>()
            )),
            None => Ok(()),
        }
    }
}

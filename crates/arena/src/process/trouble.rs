//! What can go wrong with an engine, in sentences for a person.

use super::Language;
use std::{fmt, time::Duration};

/// What an engine was asked to do when it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// To say who it is.
    Greeting,
    /// To say that it is ready, with its settings.
    Ready,
    /// It was asked to think.
    Thinking,
    /// To end its thinking.
    Stopping,
    /// Nothing was asked of it.
    Waiting,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Greeting => "while it started",
            Self::Ready => "while it got ready",
            Self::Thinking => "while it thought",
            Self::Stopping => "when it was told to stop",
            Self::Waiting => "while it had nothing to do",
        })
    }
}

/// Why an engine cannot be used, or not for this. Sentences begin with its name: `{name} {trouble}`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// There is no such program, or the system refuses to start it.
    #[error("cannot be started: {reason}")]
    CannotStart { reason: String },
    /// It did not say who it is.
    #[error(
        "did not answer {asked} within {time:?}; is it an engine that speaks {language}? Try \
         another protocol, or start it by hand and look at what it says"
    )]
    NoGreeting {
        language: Language,
        asked: &'static str,
        time: Duration,
    },
    /// It is there, but does not do what it was asked for in time.
    #[error("gave no answer within {time:?} {step}, and was ended")]
    NoAnswer { step: Step, time: Duration },
    /// It does not end its thinking.
    #[error("did not stop within {time:?}, and was ended")]
    IgnoredStop { time: Duration },
    /// It ended by itself.
    #[error("ended by itself {step}{how}{words}")]
    Exited {
        step: Step,
        /// ` (exit code 3)`, or nothing if the system does not say.
        how: String,
        /// `; it last said: …`, or nothing if it said nothing.
        words: String,
    },
    /// It closed its output but is still there.
    #[error("closed its output {step}, and was ended")]
    Mute { step: Step },
    /// It takes no more commands.
    #[error("reads no commands any more {step}, and was ended")]
    Deaf { step: Step },
    #[error("sent a line of more than {kilobytes} kB {step}, and was ended")]
    LongLine { step: Step, kilobytes: usize },
    #[error(
        "sent more than {megabytes} MB within moments {step}, which no engine needs, and was ended"
    )]
    Flood { step: Step, megabytes: usize },
    /// It refused a command that it must know.
    #[error("refused {command:?}: {reason}")]
    Refused { command: String, reason: String },
    /// What was asked for cannot be said in its language, or it cannot do it.
    #[error("cannot do this: {reason}")]
    Cannot { reason: String },
    /// It has no interruptible search, so it was ended.
    #[error("cannot be interrupted in {language}; it was ended and starts again when it is needed")]
    Interrupted { language: Language },
    /// It failed so often that it is not started again by itself.
    #[error("failed {failures} times and is not started again by itself; last, it {last}")]
    GaveUp { failures: u32, last: String },
    /// It failed a moment ago; it may be started again after a pause.
    #[error("failed and is started again in {wait_ms} ms; it {last}")]
    Pausing { wait_ms: u64, last: String },
}

/// What an engine wrote, for a terminal or a page: without control characters and the sequences that
/// move cursors or change colours.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' && letters.next_if_eq(&'[').is_some() {
            while letters
                .next_if(|it| !('\u{40}'..='\u{7e}').contains(it))
                .is_some()
            {}
            letters.next();
        } else if letter == '\t' {
            plain.push(' ');
        } else if !letter.is_control() {
            plain.push(letter);
        }
    }
    plain
}

impl Trouble {
    /// Whether the engine is gone by it; otherwise only this question went wrong.
    pub const fn is_fatal(&self) -> bool {
        !matches!(
            self,
            Self::Refused { .. } | Self::Cannot { .. } | Self::GaveUp { .. } | Self::Pausing { .. }
        )
    }

    /// Whether it counts as a failure of the engine. Being ended because a language knows no way
    /// to stop does not.
    pub(super) const fn is_failure(&self) -> bool {
        self.is_fatal() && !matches!(self, Self::Interrupted { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_cannot_paint_the_terminal() {
        assert_eq!(
            plain("\u{1b}[31;1mred\u{1b}[0m \u{1b}]0;title\u{7}\u{9b}2J"),
            "red ]0;title2J"
        );
        assert_eq!(plain("no\tnetwork\r\n§"), "no network§");
        assert_eq!(plain("\u{1b}[2"), "");
    }
}

//! How the program says that something went wrong: one line, and an exit code.
//!
//! 1 is a command that failed, 2 a command line that was not understood.

use clap::error::ErrorKind;
use std::{
    io::{self, Write as _},
    process::ExitCode,
};

/// Prints `kibitz: …` and gives the exit code of a failed command.
pub(crate) fn report(message: &str) -> ExitCode {
    complain(message);
    ExitCode::from(1)
}

/// An error and its causes in one line, each of them once.
///
/// Errors of our libraries tell their cause themselves, because the server and the log print them
/// without causes; and they hand it out, because a program may want to look at it. So a cause that
/// has been told already is left out here.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        if told.is_empty() {
            told = text;
        } else if !told.ends_with(&text) {
            told = format!("{told}: {text}");
        }
    }
    told
}

/// Prints help and versions as they are, and wrong usage in one line.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    match error.kind() {
        DisplayHelp | DisplayVersion => {
            // Help for a reader who has gone is no failure.
            error.print().ok();
            ExitCode::SUCCESS
        }
        DisplayHelpOnMissingArgumentOrSubcommand => {
            error.print().ok();
            ExitCode::from(2)
        }
        _ => {
            complain(&one_line(&error.to_string()));
            ExitCode::from(2)
        }
    }
}

/// Whether the reader of our output has gone, as in `kibitz perft --depth 12 | head -1`.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| {
            // JSON output wraps the error of the stream in its own.
            cause
                .downcast_ref::<io::Error>()
                .map(io::Error::kind)
                .or_else(|| cause.downcast_ref::<serde_json::Error>()?.io_error_kind())
        })
        .any(|kind| kind == io::ErrorKind::BrokenPipe)
}

/// Prints `kibitz: …`. It is lost when the standard error is closed, too.
pub(crate) fn complain(message: &str) {
    // Words of engines and names in files are among it; they do not paint the terminal.
    let is_plain = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
    let message: String = message.chars().filter(is_plain).collect();
    writeln!(io::stderr(), "kibitz: {message}").ok();
}

/// What clap spreads over several paragraphs: the problem, its hint, and where to read on.
fn one_line(text: &str) -> String {
    let joined = |paragraph: &str| {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        words.join(" ")
    };
    let mut paragraphs = text.split("\n\n").map(joined);
    let problem = paragraphs.next().unwrap_or_default();
    let mut line = problem.trim_start_matches("error: ").to_owned();
    for paragraph in paragraphs {
        if let Some(tip) = paragraph.strip_prefix("tip: ") {
            line.push_str("; ");
            line.push_str(tip);
        }
    }
    line + "; see kibitz --help"
}

#[cfg(test)]
mod tests {
    use super::{one_line, sentence};
    use anyhow::Context as _;
    use std::{fmt, io};

    /// Tells its cause and hands it out.
    #[derive(Debug)]
    struct ReadError(io::Error);

    impl fmt::Display for ReadError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "cannot read a.toml: {}", self.0)
        }
    }

    impl std::error::Error for ReadError {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_cause_is_told_once_whether_or_not_its_error_tells_it() {
        let source = || io::Error::other("no such file");
        let told = |result: anyhow::Result<()>| sentence(&result.unwrap_err());
        let read = || anyhow::Error::from(ReadError(source()));
        assert_eq!(told(Err(read())), "cannot read a.toml: no such file");
        assert_eq!(
            told(Err(read()).context("no settings")),
            "no settings: cannot read a.toml: no such file"
        );
        assert_eq!(
            told(Err(source()).context("cannot read b.toml")),
            "cannot read b.toml: no such file"
        );
    }

    #[test]
    fn usage_errors_fit_in_one_line() {
        let text = "error: unexpected argument '--jsn' found\n\n  \
                    tip: a similar argument exists: '--json'\n\nUsage: kibitz board\n";
        assert_eq!(
            one_line(text),
            "unexpected argument '--jsn' found; a similar argument exists: '--json'; \
             see kibitz --help"
        );
    }
}

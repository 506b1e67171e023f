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

/// Prints `kibitz: …`. There is nobody left to tell when the standard error is closed, too.
pub(crate) fn complain(message: &str) {
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
    use super::one_line;

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

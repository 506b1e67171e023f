//! Answers: success or failure, the request's number, and some text.

use super::BadRequest;
use std::fmt;

/// The answer to one request. It ends with an empty line, which its text therefore cannot contain.
///
/// ```
/// use arena::protocol::gtp::Response;
/// let response = Response { id: Some(7), outcome: Ok("f5".to_owned()) };
/// assert_eq!(response.to_string(), "=7 f5\n\n");
/// assert_eq!("=7 f5\n\n".parse(), Ok(response));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The number of the request.
    pub id: Option<u32>,
    /// What was asked for, or why it was refused.
    pub outcome: Result<String, String>,
}

/// The text is not an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an answer that begins with = or ?")]
pub struct ParseResponseError;

impl From<BadRequest> for Response {
    fn from(bad: BadRequest) -> Self {
        Self {
            id: bad.id,
            outcome: Err(bad.error.to_string()),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = match &self.outcome {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        write!(f, "{mark}")?;
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        let text = without_empty_lines(text);
        if !text.is_empty() && !text.starts_with('\n') {
            write!(f, " ")?;
        }
        write!(f, "{text}\n\n")
    }
}

/// Reads an answer as it was collected up to its empty line.
impl std::str::FromStr for Response {
    type Err = ParseResponseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text: String = text
            .chars()
            .filter(|&c| c == '\n' || c == '\t' || !c.is_control())
            .collect();
        let (is_success, rest) = match (text.strip_prefix('='), text.strip_prefix('?')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Err(ParseResponseError),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, rest) = rest.split_at(digits);
        let text = without_empty_lines(rest.strip_prefix(' ').unwrap_or(rest));
        Ok(Self {
            // A number that we never gave is no number of ours.
            id: id.parse().ok(),
            outcome: if is_success { Ok(text) } else { Err(text) },
        })
    }
}

/// The text may begin with a line break, so that a diagram starts below the sign of success; apart
/// from that an empty line would end the answer early.
fn without_empty_lines(text: &str) -> String {
    let mut clean = String::new();
    for (index, line) in text.split('\n').enumerate() {
        let line: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let line = line.trim_end();
        if index > 0 && line.is_empty() {
            continue;
        }
        if index > 0 {
            clean.push('\n');
        }
        clean.push_str(line);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{any, proptest};

    proptest! {
        #[test]
        fn answers_round_trip(
            id in any::<Option<u32>>(),
            success in any::<bool>(),
            text in "(\n?[a-z0-9]( ?[A-Za-z0-9=?])*){0,4}",
        ) {
            let outcome = if success { Ok(text) } else { Err(text) };
            let response = Response { id, outcome };
            assert_eq!(response.to_string().parse(), Ok(response));
        }

        #[test]
        fn any_text_makes_one_answer(text in any::<String>()) {
            let written = Response { id: None, outcome: Ok(text) }.to_string();
            assert_eq!(written.find("\n\n"), Some(written.len() - 2));
            let read: Response = written.parse().unwrap();
            assert_eq!(read.to_string(), written);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _read = text.parse::<Response>();
        }
    }

    #[test]
    fn other_engines_answers_are_read() {
        let read = |text: &str| text.parse::<Response>();
        let success = |id, text: &str| {
            Ok(Response {
                id,
                outcome: Ok(text.to_owned()),
            })
        };
        assert_eq!(read("= F5\r\n\r\n"), success(None, "F5"));
        assert_eq!(read("=\n\n"), success(None, ""));
        assert_eq!(read("=3"), success(Some(3), ""));
        assert_eq!(read("= 2\n\n"), success(None, "2"));
        assert_eq!(read("hello"), Err(ParseResponseError));
        assert_eq!(read(""), Err(ParseResponseError));
    }
}

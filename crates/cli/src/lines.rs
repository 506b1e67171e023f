//! Lines from the program or the user that talks to us: any bytes, any length.

use std::io::{self, BufRead, Read as _};

/// What a line has beyond this is thrown away: no command and no game record is so long.
const MAX_BYTES: u64 = 1 << 20;

/// The next line without its line break; `None` at the end. Bytes that are not UTF-8 are replaced,
/// so that garbage becomes a line that the protocol does not understand, and not the end of a
/// conversation.
pub(crate) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    reader
        .by_ref()
        .take(MAX_BYTES)
        .read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let mut rest = Vec::new();
    while !bytes.ends_with(b"\n") && !rest.ends_with(b"\n") {
        rest.clear();
        if reader
            .by_ref()
            .take(MAX_BYTES)
            .read_until(b'\n', &mut rest)?
            == 0
        {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds_are_read() {
        let long = "x".repeat(3 << 20);
        let text = [b"a\r\n\n\xff\xfe\n", long.as_bytes(), b"\nlast"].concat();
        let mut reader = text.as_slice();
        let mut next = || next_line(&mut reader).unwrap();
        assert_eq!(next().as_deref(), Some("a"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().map(|line| line.len()), Some(1 << 20));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        assert_eq!(next(), None);
    }
}

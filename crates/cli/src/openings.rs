//! Where games of matches and self-play begin.

use anyhow::{Context as _, bail};
use app::input::{OPENINGS_MAX, read_bounded};
use othello::{
    Game,
    notation::{WthorDirectory, detect, read_records},
};
use std::{io::Cursor, path::Path};

/// The openings of a file in any notation, each as the moves that lead to it.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Game>> {
    let shown = path.display();
    let bytes = read_bounded(path, OPENINGS_MAX)?;
    let format = detect(&bytes, path.to_str());
    let directory = WthorDirectory::default();
    let openings = read_records(format, Cursor::new(bytes), &directory)
        .map(|record| Ok(record.with_context(|| shown.to_string())?.game))
        .collect::<anyhow::Result<Vec<Game>>>()?;
    if openings.is_empty() {
        bail!("{shown} has no openings; expected transcripts such as f5d6c3, one a line");
    }
    Ok(openings)
}

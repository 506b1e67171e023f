//! `kibitz book show` of a grown book: values, depths and lines in place of weights.

use app::book::{Branch, Entry, Tree};
use game::Score;
use othello::{Position, Square};
use std::{collections::BTreeMap, io::Write};

/// What `show --json` prints of a whole grown book.
#[derive(Debug, serde::Serialize)]
struct Contents {
    positions: usize,
    /// How deep the latest were searched.
    depth: u32,
    /// Who searched them.
    source: String,
    /// What the start is worth to Black, in discs.
    value: Option<f64>,
    /// How many positions by the number of their discs.
    by_discs: BTreeMap<u32, usize>,
}

/// What `show --json` prints of a position.
#[derive(Debug, serde::Serialize)]
struct Shown {
    position: String,
    hash: String,
    /// In discs, for the side to move; `null` if the position is not in the book.
    value: Option<f64>,
    depth: Option<u32>,
    moves: Vec<Valued>,
}

#[derive(Debug, serde::Serialize)]
struct Valued {
    r#move: String,
    value: f64,
    depth: u32,
    expanded: bool,
    line: Vec<String>,
}

impl Valued {
    fn new(branch: &Branch) -> Self {
        Self {
            r#move: branch.square.to_string(),
            value: discs(branch.value),
            depth: branch.depth,
            expanded: branch.is_expanded,
            line: branch.line.iter().map(Square::to_string).collect(),
        }
    }
}

fn discs(centidiscs: i32) -> f64 {
    Score::centi(centidiscs).units()
}

pub(super) fn show_contents(tree: &Tree, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let start = tree.entry(&tree.values(), Position::START);
    let by_discs = tree.to_book().walk().by_discs;
    if json {
        let contents = Contents {
            positions: tree.len(),
            depth: tree.recipe().depth,
            source: tree.source().to_owned(),
            value: start.map(|it| discs(it.value)),
            by_discs,
        };
        writeln!(out, "{}", serde_json::to_string(&contents)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{} positions, searched by {} to depth {}",
        tree.len(),
        tree.source(),
        tree.recipe().depth
    )?;
    if let Some(start) = start {
        let value = Score::centi(start.value);
        writeln!(out, "The start is worth {value} to Black.")?;
    }
    for (discs, n) in &by_discs {
        writeln!(out, "{discs:>5} discs  {n:>6}")?;
    }
    Ok(())
}

pub(super) fn show_position(
    tree: &Tree,
    position: Position,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let entry = tree.entry(&tree.values(), position);
    if json {
        let moves = entry.iter().flat_map(|it| &it.moves);
        let shown = Shown {
            position: position.to_string(),
            hash: format!("{:016x}", position.hash()),
            value: entry.as_ref().map(|it| discs(it.value)),
            depth: entry.as_ref().map(|it| it.depth),
            moves: moves.map(Valued::new).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(());
    }
    let Some(Entry {
        value,
        depth,
        moves,
    }) = entry
    else {
        writeln!(out, "The position is not in the book.")?;
        return Ok(());
    };
    let value = Score::centi(value);
    writeln!(
        out,
        "Worth {value} to the side to move, searched to depth {depth}."
    )?;
    for branch in &moves {
        let value = Score::centi(branch.value).to_string();
        let line: Vec<String> = branch.line.iter().map(Square::to_string).collect();
        let state = if branch.is_expanded {
            format!("expanded: {}", line.join(" "))
        } else {
            "not expanded".to_owned()
        };
        let (square, depth) = (branch.square, branch.depth);
        writeln!(out, "{square}  {value:>6}  depth {depth:>2}  {state}")?;
    }
    Ok(())
}

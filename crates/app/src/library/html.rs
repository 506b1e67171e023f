//! Games as one HTML file: to print, to send, to keep. It needs nothing from outside.

use super::{
    date_text,
    export::{line_of, score_text},
};
use game::{Kind, Record};
use std::fmt::Write as _;
use store::StoredGame;

/// What stands before the first game.
pub(super) const BEGINNING: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Games from Kibitz</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
article { display: grid; grid-template-columns: minmax(0, 1fr) 15rem; gap: 0 1.5rem; padding: 1rem 0;
  border-top: 1px solid #8888; break-inside: avoid; }
article > * { grid-column: 1; margin: 0 0 .5rem; }
article > svg { grid-column: 2; grid-row: 1 / span 20; width: 100%; }
h2 { font-size: 1.1rem; }
.note { white-space: pre-wrap; padding-left: .8rem; border-left: 3px solid #8888; }
@media (max-width: 40rem) { article { display: block; } article > svg { width: 15rem; } }
</style>
<h1>Games from Kibitz</h1>
"#;

/// The text of one game, to stand behind the beginning.
pub(super) fn game(game: &StoredGame, record: &Record, note: Option<&str>) -> String {
    let mut text = String::from("<article>\n");
    let name = |name: &str| {
        if name.is_empty() {
            "?".to_owned()
        } else {
            escaped(name)
        }
    };
    // Who moves first stands first.
    let (first, second) = match game.packed.kind {
        Kind::Othello => (&game.black, &game.white),
        Kind::Chess => (&game.white, &game.black),
    };
    let result = score_text(game).unwrap_or_default();
    writeln!(
        text,
        "<h2>{} – {} &nbsp; {result}</h2>",
        name(first),
        name(second)
    )
    .ok();
    let facts = [escaped(&game.event), date_text(game.date)];
    let facts: Vec<String> = facts.into_iter().filter(|it| !it.is_empty()).collect();
    if !facts.is_empty() {
        writeln!(text, "<p>{}</p>", facts.join(", ")).ok();
    }
    if let Some(note) = note {
        writeln!(text, "<p class=\"note\">{}</p>", escaped(note)).ok();
    }
    writeln!(text, "<p>{}</p>", escaped(&line_of(record))).ok();
    comments(&mut text, record);
    if game.packed.kind == Kind::Othello {
        diagram(&mut text, record);
    }
    text.push_str("</article>\n");
    text
}

/// What is said about the moves of the main line.
fn comments(text: &mut String, record: &Record) {
    let mut before = record.start();
    let mut number = 0;
    for node in record.main_line().filter_map(|id| record.node(id)) {
        number += usize::from(node.action().is_some());
        if let Some(comment) = node
            .note
            .comment
            .as_deref()
            .filter(|it| !it.trim().is_empty())
        {
            let played = node.action().map(|action| before.san(action));
            let place = played.map_or_else(String::new, |it| format!("{number}. {it}: "));
            writeln!(
                text,
                "<p class=\"note\">{}{}</p>",
                escaped(&place),
                escaped(comment)
            )
            .ok();
        }
        before = node.position();
    }
}

/// The board as scoresheets have it: every disc where it was placed, with the number of its move.
fn diagram(text: &mut String, record: &Record) {
    text.push_str(
        "<svg viewBox=\"0 0 328 328\" role=\"img\" aria-label=\"Where each move was played\">\n\
         <rect width=\"328\" height=\"328\" fill=\"#1e5b41\"/>\n\
         <path d=\"M4 4h320v320H4z\" fill=\"none\" stroke=\"#0b2a1d\"/>\n",
    );
    for line in 1..8 {
        let at = 4 + 40 * line;
        writeln!(
            text,
            "<path d=\"M{at} 4v320M4 {at}h320\" stroke=\"#0b2a1d\"/>"
        )
        .ok();
    }
    let mut disc = |square: usize, is_black: bool, number: Option<usize>| {
        let (x, y) = (24 + 40 * (square % 8), 24 + 40 * (square / 8));
        let (fill, ink) = if is_black {
            ("#0d0f10", "#f7f7f2")
        } else {
            ("#f7f7f2", "#0d0f10")
        };
        write!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"{fill}\"/>"
        )
        .ok();
        if let Some(number) = number {
            let y = y + 5;
            write!(
                text,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" text-anchor=\"middle\" \
                 fill=\"{ink}\">{number}</text>"
            )
            .ok();
        }
        text.push('\n');
    };
    for (square, letter) in record.start().to_string().chars().take(64).enumerate() {
        if matches!(letter, 'X' | 'O') {
            disc(square, letter == 'X', None);
        }
    }
    let mut number = 0;
    for id in record.main_line() {
        let node = record.node(id);
        let square = node.and_then(|it| it.action()?.othello()?.square());
        let before = node.and_then(|it| record.position(it.parent()?));
        if let (Some(square), Some(before)) = (square, before) {
            number += 1;
            disc(
                square.index(),
                before.side() == game::Side::Black,
                Some(number),
            );
        }
    }
    text.push_str("</svg>\n");
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(letter),
        }
    }
    safe
}

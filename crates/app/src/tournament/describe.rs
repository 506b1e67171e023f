//! A tournament in a few words, and its crosstable for spreadsheets.

use super::{Report, Settings, Times};
use crate::engines::Game;
use game::TimeControl;
use std::fmt::Write as _;

/// Game, plan, time and openings, as a line below a heading.
pub fn describe(settings: &Settings) -> String {
    let game = match settings.game {
        Game::Chess => "Chess",
        Game::Othello => "Othello",
    };
    let plan = match settings.format.as_str() {
        "round-robin" => "everyone against everyone",
        "double-round-robin" => "everyone against everyone, twice",
        "gauntlet" if settings.seeds == 1 => "the first against all others",
        "gauntlet" => "the first ones against all others",
        "swiss" => "Swiss",
        "knockout" => "knockout",
        other => other,
    };
    let time = match settings.times() {
        Times::None => "no clock".to_owned(),
        Times::One(text) => text.parse().map_or_else(|_| text.to_owned(), time_words),
        Times::Several => "each with its own time".to_owned(),
    };
    let openings = match &settings.openings {
        None => "from the usual start".to_owned(),
        Some(it) if it.order == "random" => "random openings".to_owned(),
        Some(_) => "openings in order".to_owned(),
    };
    let colours = if settings.games == 2 {
        "each with both colours"
    } else {
        "colours in turns"
    };
    format!("{game} · {plan} · {time} · {openings}, {colours}")
}

/// `1 min + 0.5 s`, `0.1 s a move`.
fn time_words(control: TimeControl) -> String {
    let seconds = |ms: u64| {
        if ms >= 60_000 && ms.is_multiple_of(60_000) {
            format!("{} min", ms / 60_000)
        } else {
            format!("{} s", ms as f64 / 1000.0)
        }
    };
    match control {
        TimeControl::Unlimited => "no clock".to_owned(),
        TimeControl::PerMove { ms } => format!("{} a move", seconds(ms)),
        TimeControl::Game {
            initial_ms,
            increment_ms,
            period_moves,
        } => {
            let mut text = seconds(initial_ms);
            if increment_ms > 0 {
                write!(text, " + {}", seconds(increment_ms)).ok();
            }
            if let Some(moves) = period_moves {
                write!(text, " for {moves} moves").ok();
            }
            text
        }
    }
}

/// A field of a table with commas.
fn field(text: &str) -> String {
    // A spreadsheet would take these for a formula.
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Standings and crosstable as lines of fields with commas between them: place, name, games, points,
/// Elo, its error, then the points against each engine in the order of the standings.
pub fn crosstable_csv(settings: &Settings, report: &Report) -> String {
    let name = |player: usize| field(&settings.engines[player].name);
    let mut table = "place,engine,games,points,elo,elo_error".to_owned();
    for row in &report.standings {
        write!(table, ",{}", name(row.player)).ok();
    }
    table.push('\n');
    for (place, row) in report.standings.iter().enumerate() {
        let points = row.half_points as f64 / 2.0;
        let games = row.games.games();
        write!(table, "{},{},{games},{points}", place + 1, name(row.player)).ok();
        match row.elo {
            Some((elo, error)) => write!(table, ",{elo:.1},{error:.1}").ok(),
            None => write!(table, ",,").ok(),
        };
        for column in &report.standings {
            let (half_points, games) = report.crosstable[row.player][column.player];
            if games == 0 {
                table.push(',');
            } else {
                write!(table, ",{}", half_points as f64 / 2.0).ok();
            }
        }
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tournaments_are_told_in_words() {
        let mut settings = Settings::new("x", Game::Othello);
        settings.time = Some("60+0.5".to_owned());
        assert_eq!(
            describe(&settings),
            "Othello · everyone against everyone · 1 min + 0.5 s · from the usual start, each with \
             both colours"
        );
        settings.time = Some("0.1/move".to_owned());
        assert!(describe(&settings).contains("0.1 s a move"));
        settings.time = None;
        for time in ["10+0.1", "10+0.1"] {
            settings.engines.push(crate::tournament::EngineSettings {
                time: Some(time.to_owned()),
                ..Default::default()
            });
        }
        assert!(describe(&settings).contains("10 s + 0.1 s"));
        settings.engines[0].time = None;
        assert!(describe(&settings).contains("each with its own time"));
    }

    #[test]
    fn fields_cannot_become_formulas_or_columns() {
        assert_eq!(field("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("plain"), "plain");
    }
}

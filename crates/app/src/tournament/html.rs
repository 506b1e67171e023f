//! A tournament as one page that needs nothing else: no script, no font, no network.

use super::{Curve, Report, Tournament};
use std::fmt::Write as _;

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #8886}
th:nth-child(2),td:nth-child(2),th.name,td.name{text-align:left}
.scroll{overflow-x:auto}
svg{width:100%;max-width:48rem;height:auto}
svg text{font-size:12px;fill:currentColor}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn points(half_points: u64) -> String {
    format!("{:.1}", half_points as f64 / 2.0)
}

/// The page with all its parts, as one text.
pub fn page(tournament: &Tournament, report: &Report) -> String {
    let settings = &tournament.settings;
    let mut page = String::new();
    let name = escaped(&settings.name);
    // Writing into a string cannot fail.
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>{name}</title><style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n\
         <p>{}, {}, {} of {} pairs, {} games, seed {}</p>\n",
        settings.game,
        settings.format,
        report.pairs,
        report.pairs_asked,
        report.games,
        settings.seed
    )
    .ok();
    standings(&mut page, tournament, report);
    crosstable(&mut page, tournament, report);
    superiority(&mut page, tournament, report);
    test(&mut page, report);
    openings(&mut page, report);
    ends(&mut page, tournament, report);
    page.push_str("</body></html>\n");
    page
}

fn standings(page: &mut String, tournament: &Tournament, report: &Report) {
    page.push_str(
        "<h2>Standings</h2><div class=\"scroll\"><table><tr><th>#</th><th>Engine</th><th>Games</th>\
         <th>Points</th><th>W–D–L</th><th>Elo</th><th>Ahead of next</th><th>First move</th>\
         <th>Faults</th><th>Mean ms</th><th>Latency ms</th></tr>\n",
    );
    for (place, row) in report.standings.iter().enumerate() {
        let elo = row.elo.map_or_else(
            || "–".to_owned(),
            |(elo, error)| format!("{elo:+.0} ± {error:.0}"),
        );
        let ahead = row
            .ahead_of_next
            .map_or_else(|| "–".to_owned(), |it| format!("{:.1} %", 100.0 * it));
        let moves = row.time.moves.max(1) as f64;
        writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}–{}–{}</td><td>{elo}</td>\
             <td>{ahead}</td><td>{}–{}–{}</td><td>{}</td><td>{:.1}</td><td>{:.2}</td></tr>",
            place + 1,
            escaped(&tournament.settings.engines[row.player].name),
            row.games.games(),
            points(row.half_points),
            row.games.wins,
            row.games.draws,
            row.games.losses,
            row.first.wins,
            row.first.draws,
            row.first.losses,
            row.faults,
            row.time.thinking_ms as f64 / moves,
            row.time.latency_ms as f64 / moves
        )
        .ok();
    }
    page.push_str("</table></div>\n");
}

fn crosstable(page: &mut String, tournament: &Tournament, report: &Report) {
    page.push_str("<h2>Crosstable</h2>");
    everybody_against_everybody(page, tournament, report, |row, column| {
        let (half_points, games) = report.crosstable[row][column];
        (games > 0).then(|| format!("{} / {games}", points(half_points)))
    });
}

fn superiority(page: &mut String, tournament: &Tournament, report: &Report) {
    if report.standings.len() < 3 {
        return;
    }
    page.push_str(
        "<h2>Who is better</h2><p>How likely it is that the row is better than the column, in per \
         cent.</p>",
    );
    everybody_against_everybody(page, tournament, report, |row, column| {
        let chance = report.superiority[row][column];
        chance.map(|it| format!("{:.1}", 100.0 * it))
    });
}

/// A row and a column for each engine, in the order of the standings; a dash where there is nothing to
/// say about two of them.
fn everybody_against_everybody(
    page: &mut String,
    tournament: &Tournament,
    report: &Report,
    cell: impl Fn(usize, usize) -> Option<String>,
) {
    page.push_str("<div class=\"scroll\"><table><tr><th class=\"name\"></th>");
    let name = |player: usize| escaped(&tournament.settings.engines[player].name);
    for row in &report.standings {
        write!(page, "<th>{}</th>", name(row.player)).ok();
    }
    page.push_str("</tr>\n");
    for row in &report.standings {
        write!(page, "<tr><th class=\"name\">{}</th>", name(row.player)).ok();
        for column in &report.standings {
            let text = cell(row.player, column.player);
            write!(page, "<td>{}</td>", text.as_deref().unwrap_or("–")).ok();
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

/// How openings went for the side with the first move, the most played first.
fn openings(page: &mut String, report: &Report) {
    if report.openings.len() < 2 {
        return;
    }
    page.push_str(
        "<h2>Openings</h2><p>Won, drawn and lost by the first move.</p><div class=\"scroll\"><table>\
         <tr><th>#</th><th>W–D–L</th></tr>\n",
    );
    for it in report.openings_by_games().take(OPENINGS_SHOWN) {
        let games = it.games;
        writeln!(
            page,
            "<tr><td>{}</td><td>{}–{}–{}</td></tr>",
            it.opening + 1,
            games.wins,
            games.draws,
            games.losses
        )
        .ok();
    }
    page.push_str("</table></div>\n");
}

/// Files have many thousands.
const OPENINGS_SHOWN: usize = 100;

fn test(page: &mut String, report: &Report) {
    let Some(test) = &report.test else {
        return;
    };
    let (elo0, elo1) = test.sprt.elo_bounds();
    writeln!(
        page,
        "<h2>Test</h2><p>SPRT [{elo0}, {elo1}]: {}. {}.</p>",
        test.verdict, test.estimate
    )
    .ok();
    let bounds = [test.verdict.lower, test.verdict.upper];
    curve(
        page,
        "Log-likelihood ratio by pairs",
        &report.llr_curve,
        &bounds,
    );
    curve(page, "Elo by pairs", &report.elo_curve, &[0.0]);
}

/// A line with dashed marks.
fn curve(page: &mut String, title: &str, curve: &Curve, marks: &[f64]) {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 240.0;
    let Some(last) = curve.0.last() else {
        return;
    };
    let values = || {
        curve
            .0
            .iter()
            .map(|it| it.value)
            .chain(marks.iter().copied())
    };
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(1e-9);
    let x = |at: u64| 60.0 + (WIDTH - 80.0) * at as f64 / last.pairs.max(1) as f64;
    let y = |value: f64| 10.0 + (HEIGHT - 40.0) * (high - value) / span;
    write!(
        page,
        "<figure><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">"
    )
    .ok();
    for mark in marks {
        write!(
            page,
            "<line x1=\"60\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" \
             stroke-dasharray=\"6 4\"/><text x=\"0\" y=\"{:.1}\">{mark:+.2}</text>",
            WIDTH - 20.0,
            y(*mark) + 4.0,
            y = y(*mark)
        )
        .ok();
    }
    let line: Vec<String> = curve
        .0
        .iter()
        .map(|it| format!("{:.1},{:.1}", x(it.pairs), y(it.value)))
        .collect();
    writeln!(
        page,
        "<polyline fill=\"none\" stroke=\"#2b7fb8\" stroke-width=\"2\" points=\"{}\"/>\
         <text x=\"60\" y=\"{h}\">0</text><text x=\"{}\" y=\"{h}\">{}</text></svg>\
         <figcaption>{title}; now {:+.2}</figcaption></figure>",
        line.join(" "),
        WIDTH - 60.0,
        last.pairs,
        last.value,
        h = HEIGHT - 8.0
    )
    .ok();
}

fn ends(page: &mut String, tournament: &Tournament, report: &Report) {
    page.push_str("<h2>Ends</h2><table>");
    for (reason, count) in &report.reasons {
        write!(
            page,
            "<tr><td class=\"name\">{reason}</td><td>{count}</td></tr>"
        )
        .ok();
    }
    page.push_str("</table>\n");
    if let Some((elo, error)) = report.first_move.elo {
        let first = tournament.settings.kind().start().side();
        writeln!(
            page,
            "<p>The first move ({first}) is worth {elo:+.1} ± {error:.1} Elo.</p>"
        )
        .ok();
    }
    if let (Some(share), Some(model)) = (report.draw_share, report.draw_model) {
        writeln!(
            page,
            "<p>{:.1} % of the games were drawn; {model:.2} draws for each win between equals.</p>",
            100.0 * share
        )
        .ok();
    }
    if !report.incidents.is_empty() {
        page.push_str("<h2>Incidents</h2><ul>");
        for incident in &report.incidents {
            write!(page, "<li>{}</li>", escaped(&incident.text)).ok();
        }
        page.push_str("</ul>\n");
    }
}

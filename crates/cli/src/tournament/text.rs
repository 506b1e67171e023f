//! Tournaments as text for the terminal, in our words and in those of other runners.

use app::tournament::{GameLine, Report, Settings, Times, Tournament};
use arena::{
    referee::Reason,
    stats::{Estimate, Trinomial, Verdict},
};
use game::Side;
use std::io::{self, Write};

fn points(half_points: u64) -> String {
    if half_points.is_multiple_of(2) {
        (half_points / 2).to_string()
    } else {
        format!("{}.5", half_points / 2)
    }
}

/// Progress, standings and test.
pub(super) fn print_short(
    out: &mut impl Write,
    tournament: &Tournament,
    report: &Report,
) -> io::Result<()> {
    let settings = &tournament.settings;
    writeln!(
        out,
        "{} ({}, {}), {} of {} pairs, {} games",
        settings.name,
        settings.game,
        settings.format,
        report.pairs,
        report.pairs_asked,
        report.games
    )?;
    if report.rounds_missing > 0 {
        writeln!(
            out,
            "ended early, {} of {} rounds missing: the rules leave nobody to meet",
            report.rounds_missing, settings.rounds
        )?;
    }
    let names = settings.engines.iter().map(|it| it.name.chars().count());
    let width = names.max().unwrap_or(0).max(6);
    writeln!(
        out,
        "  #  {:width$}  points  games     won   drawn    lost     Elo   error   ahead  faults",
        "engine"
    )?;
    for (place, row) in report.standings.iter().enumerate() {
        let elo = row
            .elo
            .map_or_else(|| "-".to_owned(), |(elo, _)| format!("{elo:+.1}"));
        let error = row
            .elo
            .map_or_else(String::new, |(_, error)| format!("± {error:.1}"));
        let ahead = row.ahead_of_next;
        let ahead = ahead.map_or_else(|| "-".to_owned(), |it| format!("{:.1} %", 100.0 * it));
        writeln!(
            out,
            "{:>3}  {:width$}  {:>6}  {:>5}  {:>6}  {:>6}  {:>6}  {elo:>6}  {error:>6}  {ahead:>6}  {:>6}",
            place + 1,
            settings.engines[row.player].name,
            points(row.half_points),
            row.games.games(),
            row.games.wins,
            row.games.draws,
            row.games.losses,
            row.faults
        )?;
    }
    if let Some(champion) = report.champion {
        writeln!(out, "winner: {}", settings.engines[champion].name)?;
    }
    print_test(out, settings, report)
}

fn print_test(out: &mut impl Write, settings: &Settings, report: &Report) -> io::Result<()> {
    let Some(test) = &report.test else {
        return Ok(());
    };
    let (elo0, elo1) = test.sprt.elo_bounds();
    let model = settings.sprt.as_ref().map_or("", |it| it.model.as_str());
    let [a, b] = [0, 1].map(|at| settings.engines.get(at).map_or("", |it| it.name.as_str()));
    let pairs = test.pairs;
    writeln!(out, "{a} against {b}: {}", test.estimate)?;
    writeln!(
        out,
        "pairs  LL {}  LD {}  WL {}  DD {}  WD {}  WW {}",
        pairs.loss_loss,
        pairs.loss_draw,
        pairs.win_loss,
        pairs.draw_draw,
        pairs.win_draw,
        pairs.win_win
    )?;
    writeln!(out, "SPRT [{elo0}, {elo1}] {model} Elo  {}", test.verdict)
}

/// Everything that there is to say about a tournament.
pub(super) fn print(
    out: &mut impl Write,
    tournament: &Tournament,
    report: &Report,
) -> io::Result<()> {
    print_short(out, tournament, report)?;
    if tournament.settings.engines.len() > 2 {
        print_tables(out, tournament, report)?;
    }
    let Trinomial {
        wins,
        draws,
        losses,
    } = report.first_move.games;
    write!(
        out,
        "\nThe first move won {wins}, drew {draws}, lost {losses}"
    )?;
    match report.first_move.elo {
        Some((elo, error)) => writeln!(out, "; it is worth {elo:+.1} ± {error:.1} Elo")?,
        None => writeln!(out)?,
    }
    if let (Some(share), Some(model)) = (report.draw_share, report.draw_model) {
        writeln!(
            out,
            "{:.1} % of the games were drawn; {model:.2} draws for each win between equals",
            100.0 * share
        )?;
    }
    print_colours(out, tournament, report)?;
    print_ends(out, tournament, report)
}

/// So many openings are told.
const OPENINGS_SHOWN: usize = 20;

/// How everybody did with the first move and without, and how openings went for it.
fn print_colours(out: &mut impl Write, tournament: &Tournament, report: &Report) -> io::Result<()> {
    let share =
        |it: Option<f64>| it.map_or_else(|| "-".to_owned(), |it| format!("{:.1} %", 100.0 * it));
    writeln!(out, "\nPoints with the first move, and without")?;
    for row in &report.standings {
        writeln!(
            out,
            "  {:16} {:>8} {:>8}",
            tournament.settings.engines[row.player].name,
            share(row.first_share()),
            share(row.second_share())
        )?;
    }
    if report.openings.len() > 1 {
        writeln!(out, "\nOpenings: won, drawn and lost by the first move")?;
        for it in report.openings_by_games().take(OPENINGS_SHOWN) {
            let Trinomial {
                wins,
                draws,
                losses,
            } = it.games;
            writeln!(
                out,
                "  {:>6} {wins:>6} {draws:>6} {losses:>6}",
                it.opening + 1
            )?;
        }
    }
    Ok(())
}

/// Who won how much against whom, and who is probably better than whom.
fn print_tables(out: &mut impl Write, tournament: &Tournament, report: &Report) -> io::Result<()> {
    let name = |at: usize| tournament.settings.engines[at].name.as_str();
    writeln!(out, "\nCrosstable, points of games")?;
    for row in &report.standings {
        write!(out, "  {:16}", name(row.player))?;
        for column in &report.standings {
            let (half_points, games) = report.crosstable[row.player][column.player];
            let cell = match games {
                0 => "-".to_owned(),
                games => format!("{}/{games}", points(half_points)),
            };
            write!(out, " {cell:>9}")?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\nHow likely it is that the row is better than the column, in per cent"
    )?;
    for row in &report.standings {
        write!(out, "  {:16}", name(row.player))?;
        for column in &report.standings {
            let cell = report.superiority[row.player][column.player];
            let cell = cell.map_or_else(|| "-".to_owned(), |it| format!("{:.1}", 100.0 * it));
            write!(out, " {cell:>6}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// How games ended, how time was used, and who failed.
fn print_ends(out: &mut impl Write, tournament: &Tournament, report: &Report) -> io::Result<()> {
    let name = |at: usize| tournament.settings.engines[at].name.as_str();
    writeln!(out, "\nEnds")?;
    for (reason, count) in &report.reasons {
        writeln!(out, "  {:14} {count}", reason.name())?;
    }
    writeln!(
        out,
        "\nTime               moves   mean ms   most ms   latency ms   most"
    )?;
    for row in &report.standings {
        let time = row.time;
        let mean = |sum: u64| sum as f64 / time.moves.max(1) as f64;
        writeln!(
            out,
            "  {:16} {:>6} {:>9.1} {:>9} {:>12.2} {:>6}",
            name(row.player),
            time.moves,
            mean(time.thinking_ms),
            time.longest_ms,
            mean(time.latency_ms),
            time.longest_latency_ms
        )?;
    }
    if !report.incidents.is_empty() {
        writeln!(out, "\nIncidents")?;
        for incident in report.incidents.iter().rev().take(20) {
            let game = incident.game.map_or_else(String::new, |(pair, game)| {
                format!("pair {}, game {}: ", pair + 1, game + 1)
            });
            writeln!(out, "  {game}{}", incident.text)?;
        }
    }
    Ok(())
}

/// The first engine's games against the second.
fn first_against_second(report: &Report) -> Trinomial {
    report
        .standings
        .iter()
        .find(|row| row.player == 0)
        .map(|row| row.games)
        .unwrap_or_default()
}

/// As cutechess-cli prints it during a match.
fn cutechess_score(out: &mut impl Write, settings: &Settings, report: &Report) -> io::Result<()> {
    let games = first_against_second(report);
    let Estimate {
        score,
        elo,
        elo_error,
        los,
        draw_ratio,
        ..
    } = Estimate::of(games);
    let [a, b] = [0, 1].map(|at| settings.engines[at].name.as_str());
    writeln!(
        out,
        "Score of {a} vs {b}: {} - {} - {}  [{score:.3}] {}",
        games.wins,
        games.losses,
        games.draws,
        games.games()
    )?;
    let error = elo_error.map_or_else(|| "nan".to_owned(), |it| format!("{it:.1}"));
    writeln!(
        out,
        "Elo difference: {:.1} +/- {error}, LOS: {:.1} %, DrawRatio: {:.1} %",
        elo.0,
        100.0 * los,
        100.0 * draw_ratio
    )?;
    if let Some(test) = &report.test {
        let verdict = test.verdict;
        let share = share_of_bound(&verdict);
        writeln!(
            out,
            "SPRT: llr {:.3} ({share:.1}%), lbound {:.2}, ubound {:.2}",
            verdict.llr, verdict.lower, verdict.upper
        )?;
    }
    Ok(())
}

pub(super) fn cutechess(
    out: &mut impl Write,
    settings: &Settings,
    report: &Report,
) -> io::Result<()> {
    if settings.engines.len() == 2 {
        return cutechess_score(out, settings, report);
    }
    writeln!(
        out,
        "{:>4} {:25} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    )?;
    for (place, row) in report.standings.iter().enumerate() {
        let (elo, error) = row.elo.unwrap_or_default();
        let games = row.games.games().max(1) as f64;
        writeln!(
            out,
            "{:>4} {:25} {elo:>7.0} {error:>7.0} {:>7} {:>6.1}% {:>6.1}%",
            place + 1,
            settings.engines[row.player].name,
            row.games.games(),
            50.0 * row.half_points as f64 / games,
            100.0 * row.games.draws as f64 / games
        )?;
    }
    Ok(())
}

const RULE: &str = "--------------------------------------------------";

/// How much of the way to its nearer bound a test has gone, in per cent.
fn share_of_bound(verdict: &Verdict) -> f64 {
    let bound = if verdict.llr < 0.0 {
        verdict.lower
    } else {
        verdict.upper
    };
    100.0 * verdict.llr / bound
}

/// The time of both engines.
fn times(settings: &Settings) -> String {
    match settings.times() {
        Times::One(time) => time.to_owned(),
        Times::None => "-".to_owned(),
        Times::Several => {
            let [a, b] = [0, 1].map(|at| settings.time_of(at).unwrap_or("-"));
            format!("{a} - {b}")
        }
    }
}

/// As fastchess prints it during a match.
fn fastchess_score(out: &mut impl Write, settings: &Settings, report: &Report) -> io::Result<()> {
    let games = first_against_second(report);
    let estimate = match (&report.test, report.tested) {
        (Some(test), _) => test.estimate,
        (None, Some(pairs)) => Estimate::of(pairs),
        (None, None) => Estimate::of(games),
    };
    let number = |it: Option<f64>| it.map_or_else(|| "nan".to_owned(), |it| format!("{it:.2}"));
    let [a, b] = [0, 1].map(|at| settings.engines[at].name.as_str());
    let time = times(settings);
    writeln!(out, "{RULE}\nResults of {a} vs {b} ({time}):")?;
    writeln!(
        out,
        "Elo: {:.2} +/- {}, nElo: {:.2} +/- {}",
        estimate.elo.0,
        number(estimate.elo_error),
        estimate.normalised_elo.0,
        number(estimate.normalised_elo_error)
    )?;
    writeln!(
        out,
        "LOS: {:.2} %, DrawRatio: {:.2} %",
        100.0 * estimate.los,
        100.0 * estimate.draw_ratio
    )?;
    let half = 2 * games.wins + games.draws;
    writeln!(
        out,
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        half as f64 / 2.0,
        50.0 * half as f64 / games.games().max(1) as f64
    )?;
    if let Some(pairs) = report.tested {
        writeln!(
            out,
            "Ptnml(0-2): [{}, {}, {}, {}, {}]",
            pairs.loss_loss,
            pairs.loss_draw,
            pairs.win_loss + pairs.draw_draw,
            pairs.win_draw,
            pairs.win_win
        )?;
    }
    if let Some(test) = &report.test {
        let verdict = test.verdict;
        let share = share_of_bound(&verdict);
        let (elo0, elo1) = test.sprt.elo_bounds();
        writeln!(
            out,
            "LLR: {:.2} ({share:.1}%) ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]",
            verdict.llr, verdict.lower, verdict.upper
        )?;
    }
    writeln!(out, "{RULE}")
}

pub(super) fn fastchess(
    out: &mut impl Write,
    settings: &Settings,
    report: &Report,
) -> io::Result<()> {
    if settings.engines.len() == 2 {
        fastchess_score(out, settings, report)
    } else {
        cutechess(out, settings, report)
    }
}

/// Why a game ended, as these programs say it.
pub(super) fn their_reason(game: &GameLine) -> String {
    let side = |side: Side| match side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let Some(winner) = game.outcome.winner else {
        let draw = match game.reason {
            Reason::Stalemate => "Draw by stalemate",
            Reason::Material => "Draw by insufficient mating material",
            Reason::FiftyMoves => "Draw by fifty moves rule",
            Reason::Repetition => "Draw by 3-fold repetition",
            Reason::Length => "Draw by adjudication: maximum game length",
            Reason::Counted => "Draw by equal discs",
            _ => "Draw by adjudication",
        };
        return draw.to_owned();
    };
    let (winner, loser) = (side(winner), side(winner.other()));
    match game.reason {
        Reason::Checkmate => format!("{winner} mates"),
        Reason::Time => format!("{loser} loses on time"),
        Reason::IllegalMove => format!("{loser} makes an illegal move"),
        Reason::Crash => format!("{loser} disconnects"),
        Reason::NoAnswer => format!("{loser}'s connection stalls"),
        Reason::Resignation => format!("{loser} resigns"),
        Reason::Counted => format!("{winner} wins by discs"),
        _ => format!("{winner} wins by adjudication"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Outcome;

    #[test]
    fn scripts_of_other_runners_know_the_reasons() {
        let game = |winner: Option<Side>, reason: Reason| GameLine {
            first: Side::White,
            outcome: Outcome {
                winner,
                black_centidiscs: None,
                termination: reason.termination(),
            },
            reason,
            detail: String::new(),
            start: None,
            opening_plies: 0,
            moves: String::new(),
            steps: Vec::new(),
        };
        for (winner, reason, expected) in [
            (Some(Side::Black), Reason::Time, "White loses on time"),
            (Some(Side::White), Reason::Checkmate, "White mates"),
            (Some(Side::White), Reason::Crash, "Black disconnects"),
            (None, Reason::Repetition, "Draw by 3-fold repetition"),
            (None, Reason::DrawnScore, "Draw by adjudication"),
            (
                Some(Side::Black),
                Reason::LostScore,
                "Black wins by adjudication",
            ),
        ] {
            assert_eq!(their_reason(&game(winner, reason)), expected);
        }
    }
}

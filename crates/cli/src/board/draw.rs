//! The position as a page of text. It always carries colours; the stream that prints it takes
//! them out where the user does not want them.

use super::{Facts, RegionFacts, SideFacts, SquareSet};
use anstyle::{Ansi256Color, Style};
use othello::{Bitboard, Game, Move, Side, Square};
use std::fmt::{self, Display, Write as _};

/// The characters of a drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyphs {
    black: char,
    white: char,
    legal: char,
    /// Left corner, line and right corner of the frame's top, then of its bottom.
    top: [char; 3],
    bottom: [char; 3],
    side: char,
}

pub(crate) const UNICODE: Glyphs = Glyphs {
    black: '●',
    white: '○',
    legal: '·',
    top: ['┌', '─', '┐'],
    bottom: ['└', '─', '┘'],
    side: '│',
};

pub(crate) const ASCII: Glyphs = Glyphs {
    black: 'X',
    white: 'O',
    legal: '.',
    top: ['+', '-', '+'],
    bottom: ['+', '-', '+'],
    side: '|',
};

impl Glyphs {
    const fn disc(self, side: Side) -> char {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }
}

const FILES: &str = "    a b c d e f g h";
/// Long lists of squares go on in the next line, below the first square.
const SQUARES_PER_LINE: usize = 24;

const CLOTH: Style = Style::new().bg_color(Some(colour(22)));
const BLACK_DISC: Style = CLOTH.fg_color(Some(colour(16)));
const WHITE_DISC: Style = CLOTH.fg_color(Some(colour(231)));
const LEGAL: Style = CLOTH.fg_color(Some(colour(221)));
const BOLD: Style = Style::new().bold();

const fn colour(index: u8) -> anstyle::Color {
    anstyle::Color::Ansi256(Ansi256Color(index))
}

/// The board, whose turn it is, both sides' features, the regions and the position's names.
pub(super) fn page(game: &Game, facts: &Facts, glyphs: Glyphs) -> String {
    let mut text = String::new();
    write_page(&mut text, game, facts, glyphs).expect("writing to a string does not fail");
    text
}

/// The board, whose turn it is, and how many discs there are.
pub(crate) fn diagram(game: &Game, glyphs: Glyphs) -> String {
    let mut text = String::new();
    write_diagram(&mut text, game, glyphs).expect("writing to a string does not fail");
    text
}

fn write_page(text: &mut String, game: &Game, facts: &Facts, glyphs: Glyphs) -> fmt::Result {
    write_diagram(text, game, glyphs)?;
    if let Some(last) = &facts.last_move {
        writeln!(text, "last move {last} (move {})", game.ply())?;
    }
    for side in Side::BOTH {
        writeln!(text, "\n{BOLD}{} {side}{BOLD:#}", glyphs.disc(side))?;
        write_side(text, facts.side(side))?;
    }
    if !facts.regions.is_empty() {
        writeln!(text, "\n{BOLD}Regions{BOLD:#}")?;
    }
    for region in &facts.regions {
        write_region(text, region)?;
    }
    writeln!(text, "\nboard      {}", facts.board)?;
    writeln!(text, "canonical  {}", facts.canonical)?;
    writeln!(text, "hash       {}", facts.hash)
}

fn write_diagram(text: &mut String, game: &Game, glyphs: Glyphs) -> fmt::Result {
    write_grid(text, game, glyphs)?;
    writeln!(text, "\n{BOLD}{}{BOLD:#}", headline(game))?;
    let position = game.position();
    writeln!(
        text,
        "{} {}, {} {}, {} empty",
        glyphs.black,
        position.discs(Side::Black).len(),
        glyphs.white,
        position.discs(Side::White).len(),
        position.board.empties().len()
    )
}

fn write_grid(text: &mut String, game: &Game, glyphs: Glyphs) -> fmt::Result {
    writeln!(text, "{FILES}")?;
    write_frame(text, glyphs.top)?;
    for rank in 0..8 {
        write_rank(text, game, glyphs, rank)?;
    }
    write_frame(text, glyphs.bottom)?;
    writeln!(text, "{FILES}")
}

fn write_frame(text: &mut String, [left, line, right]: [char; 3]) -> fmt::Result {
    let line = String::from(line).repeat(17);
    writeln!(text, "  {CLOTH}{left}{line}{right}{CLOTH:#}")
}

/// The eight squares of a rank with a gap before, between and after them; the gaps beside the
/// last move are brackets.
fn write_rank(text: &mut String, game: &Game, glyphs: Glyphs, rank: u8) -> fmt::Result {
    let position = game.position();
    let legal = position.board.legal_moves();
    let last = game.moves().next_back().and_then(Move::square);
    let side = glyphs.side;
    write!(text, "{} {CLOTH}{side}", rank + 1)?;
    for file in 0..8 {
        let square = Square::at(file, rank);
        let before = file.checked_sub(1).and_then(|file| Square::at(file, rank));
        let gap = match last {
            Some(_) if last == square => '(',
            Some(_) if last == before => ')',
            _ => ' ',
        };
        write!(text, "{gap}")?;
        let Some(square) = square else { continue };
        write_square(text, position.disc_at(square), legal, square, glyphs)?;
    }
    let end = if last.is_some() && last == Square::at(7, rank) {
        ')'
    } else {
        ' '
    };
    writeln!(text, "{end}{side}{CLOTH:#} {}", rank + 1)
}

fn write_square(
    text: &mut String,
    disc: Option<Side>,
    legal: Bitboard,
    square: Square,
    glyphs: Glyphs,
) -> fmt::Result {
    let (style, glyph) = match disc {
        Some(Side::Black) => (BLACK_DISC, glyphs.black),
        Some(Side::White) => (WHITE_DISC, glyphs.white),
        None if legal.contains(square) => (LEGAL, glyphs.legal),
        None => (CLOTH, ' '),
    };
    // The cloth again, so that the gaps stay green after the disc.
    write!(text, "{style}{glyph}{style:#}{CLOTH}")
}

fn headline(game: &Game) -> String {
    let side = game.position().side;
    let Some(outcome) = game.outcome() else {
        return if game.position().board.must_pass() {
            format!("{side} must pass")
        } else {
            format!("{side} to move")
        };
    };
    match outcome.winner() {
        Some(winner) => {
            let (own, other) = match winner {
                Side::Black => (outcome.black, outcome.white),
                Side::White => (outcome.white, outcome.black),
            };
            format!("Game over: {winner} wins {own}-{other}")
        }
        None => "Game over: a draw, 32-32".to_owned(),
    }
}

fn write_side(text: &mut String, facts: &SideFacts) -> fmt::Result {
    for (label, set) in [
        ("mobility", &facts.mobility),
        ("potential", &facts.potential_mobility),
        ("frontier", &facts.frontier),
        ("stable", &facts.stable),
        ("corners", &facts.corners),
        ("X squares", &facts.x_squares),
        ("C squares", &facts.c_squares),
    ] {
        let SquareSet { count, squares } = set;
        write_squares(text, format_args!("  {label:<10}{count:>3}"), squares)?;
    }
    Ok(())
}

fn write_region(text: &mut String, region: &RegionFacts) -> fmt::Result {
    let parity = if region.odd { "odd" } else { "even" };
    let size = region.size;
    write_squares(
        text,
        format_args!("  {parity:<10}{size:>3}"),
        &region.squares,
    )
}

fn write_squares(text: &mut String, label: impl Display, squares: &[String]) -> fmt::Result {
    write!(text, "{label}")?;
    for (index, line) in squares.chunks(SQUARES_PER_LINE).enumerate() {
        if index > 0 {
            write!(text, "\n{:15}", "")?;
        }
        write!(text, "  {}", line.join(" "))?;
    }
    writeln!(text)
}

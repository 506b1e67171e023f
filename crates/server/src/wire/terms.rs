//! The words that all other parts of the wire use, from the domain and back.

use crate::wire;
use app::session;
use game::{Glyph, Side};

pub(crate) const fn side(side: Side) -> wire::Side {
    match side {
        Side::Black => wire::Side::Black,
        Side::White => wire::Side::White,
    }
}

pub(crate) const fn mode(mode: session::Mode) -> wire::Mode {
    match mode {
        session::Mode::Play => wire::Mode::Play,
        session::Mode::Analyse => wire::Mode::Analyse,
    }
}

pub(crate) const fn mode_of(mode: wire::Mode) -> session::Mode {
    match mode {
        wire::Mode::Play => session::Mode::Play,
        wire::Mode::Analyse => session::Mode::Analyse,
    }
}

pub(crate) const fn people(people: session::People) -> wire::People {
    match people {
        session::People::Black => wire::People::Black,
        session::People::White => wire::People::White,
        session::People::Both => wire::People::Both,
        session::People::Nobody => wire::People::Nobody,
    }
}

pub(crate) const fn people_of(people: wire::People) -> session::People {
    match people {
        wire::People::Black => session::People::Black,
        wire::People::White => session::People::White,
        wire::People::Both => session::People::Both,
        wire::People::Nobody => session::People::Nobody,
    }
}

const GLYPHS: [(wire::Glyph, Glyph); 6] = [
    (wire::Glyph::Brilliant, Glyph::BRILLIANT),
    (wire::Glyph::Good, Glyph::GOOD),
    (wire::Glyph::Interesting, Glyph::INTERESTING),
    (wire::Glyph::Dubious, Glyph::DUBIOUS),
    (wire::Glyph::Mistake, Glyph::MISTAKE),
    (wire::Glyph::Blunder, Glyph::BLUNDER),
];

pub(crate) fn glyph(glyph: Glyph) -> Option<wire::Glyph> {
    let found = GLYPHS.iter().find(|(_, known)| *known == glyph);
    found.map(|&(shown, _)| shown)
}

pub(crate) fn glyph_of(glyph: wire::Glyph) -> Glyph {
    let found = GLYPHS.iter().find(|(known, _)| *known == glyph);
    found.map_or(Glyph(0), |&(_, glyph)| glyph)
}

pub(crate) fn squares(set: impl IntoIterator<Item = impl Into<u8>>) -> Vec<u8> {
    set.into_iter().map(Into::into).collect()
}

pub(crate) fn texts(moves: &[impl ToString]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

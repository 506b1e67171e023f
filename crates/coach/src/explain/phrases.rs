//! Claims about the order of moves and about what the lines lead to, in words.

use super::{
    Claim, Deed, Fate, Telling,
    words::{owned, plural},
};
use othello::Bitboard;

/// `a1`, `a1 and b1`, `a1, b1 and c1`.
pub(super) fn list_of(squares: Bitboard) -> String {
    joined(squares, "and")
}

/// `a1 or b1`, `a1, b1 or c1`.
fn either_of(squares: Bitboard) -> String {
    joined(squares, "or")
}

fn joined(squares: Bitboard, word: &str) -> String {
    let names: Vec<String> = squares.into_iter().map(|it| it.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {word} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Squares of one edge: `a2–a6` for three or more in a row, otherwise a list.
pub(super) fn row_of(squares: Bitboard) -> String {
    let (Some(first), Some(last)) = (squares.first(), squares.into_iter().last()) else {
        return String::new();
    };
    let length = first.file().abs_diff(last.file()) + first.rank().abs_diff(last.rank()) + 1;
    if squares.len() >= 3 && u32::from(length) == squares.len() {
        format!("{first}–{last}")
    } else {
        list_of(squares)
    }
}

/// `none of the 3 discs it flips touches`
fn touch_nothing(flips: u32) -> String {
    match flips {
        1 => "the disc it flips does not touch".to_owned(),
        2 => "neither of the 2 discs it flips touches".to_owned(),
        n => format!("none of the {n} discs it flips touches"),
    }
}

/// `Black gets`, `you get`.
fn own_gets(at: Telling) -> String {
    format!("{} {}", at.own(), at.voice.verb(at.mover, "gets", "get"))
}

impl Deed {
    /// What the opponent's reply does, to stand behind what it is: ` and holds a2–a6`.
    fn clause(self, at: Telling) -> String {
        let opponent = at.mover.other();
        match self {
            Self::HoldsEdge { first, last } => {
                let holds = at.voice.verb(opponent, "holds", "hold");
                format!(" and {holds} {first}–{last}")
            }
            Self::TakesMoves { squares } => {
                let takes = at.voice.verb(opponent, "takes", "take");
                format!(" and {takes} {} away from {}", list_of(squares), at.own())
            }
            Self::LeavesMoves { moves } => {
                let leaves = at.voice.verb(opponent, "leaves", "leave");
                let (few, many) = (moves.that, moves.this);
                let one = if few == 1 { "move" } else { "moves" };
                format!(" and {leaves} {} {few} {one} instead of {many}", at.own())
            }
            Self::IsQuiet => ", a quiet move".to_owned(),
        }
    }
}

impl Claim {
    /// What comes first, what can wait, and what gives nothing away.
    pub(super) fn order_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        let (own, their) = (at.own(), at.their());
        let takes = at.voice.verb(at.mover.other(), "takes", "take");
        let clause = |deed: Option<Deed>| deed.map_or_else(String::new, |it| it.clause(at));
        Some(match *self {
            Self::KeepsFreeMove { .. } => {
                format!("{this} keeps {that} in hand: {their} cannot play there.")
            }
            Self::TakesSquareFirst { plies: 2, deed, .. } => format!(
                "{this} is the square that both want: after {that} {their} {takes} it at once{}.",
                clause(deed)
            ),
            Self::TakesSquareFirst { plies, .. } => format!(
                "{this} is the square that both want: after {that} {their} {takes} it within {plies} moves."
            ),
            Self::CannotWait {
                is_taken: true,
                deed,
                ..
            } => format!(
                "{this} cannot wait, {that} can: after {that} {their} {takes} {this}{}; after {this} {own} can \
                 still play {that}, whatever the reply.",
                clause(deed)
            ),
            Self::CannotWait { .. } => format!(
                "{this} cannot wait, {that} can: after {that} and the reply {this} is gone for good; after \
                 {this} {own} can still play {that}, whatever the reply."
            ),
            Self::ComesFirst { is_gone: true, .. } => format!(
                "{this} comes first: {that} can wait until the next turn; after {that} and the reply {this} \
                 is no longer possible."
            ),
            Self::ComesFirst { .. } => format!(
                "{this} comes first: {their} cannot play {that}, which can wait until the next turn, but \
                 could play {this}."
            ),
            Self::OpensSquares { squares, .. } => format!(
                "{that} opens {} for {their}; {this} opens none of them.",
                list_of(squares)
            ),
            Self::ClosesSquares { squares, .. } => format!(
                "{this} closes {} to {their}; after {that} {their} can still play there.",
                list_of(squares)
            ),
            Self::LosesMoves { squares, .. } => format!(
                "After {that} and the reply {own} can no longer play {}; after {this} and the reply {own} can.",
                either_of(squares)
            ),
            Self::DeniesReply {
                reply,
                is_opened,
                deed,
                ..
            } => {
                let goes = at.voice.verb(at.mover.other(), "goes", "go");
                let verb = if is_opened { "opens" } else { "allows" };
                format!(
                    "{that} {verb} {reply}: {their} {goes} there{}; after {this} {their} cannot.",
                    clause(deed)
                )
            }
            Self::StrongReply { .. } => self.reply_sentence(at)?,
            Self::Quiet { flips, .. } => {
                format!("{this} is quiet: {} an empty square.", touch_nothing(flips))
            }
            _ => return None,
        })
    }

    /// The one strong reply, what it does, and what becomes of it.
    fn reply_sentence(&self, at: Telling) -> Option<String> {
        let Self::StrongReply {
            reply,
            discs,
            reach,
            deed,
            fate,
            ..
        } = *self
        else {
            return None;
        };
        let Telling { this, that, .. } = at;
        let (opponent, their) = (at.mover.other(), at.their());
        let has = at.has(opponent);
        let does = deed.map_or_else(String::new, |it| {
            let goes = at.voice.verb(opponent, "goes", "go");
            format!(": {their} {goes} there{}", it.clause(at))
        });
        let becomes = match fate {
            Fate::Shut { for_good: true } => format!("after {this} {their} cannot play there"),
            Fate::Shut { .. } => format!("after {this} {their} cannot play there at once"),
            Fate::Taken => format!("{this} takes that square first"),
            Fate::Fails { discs, answer } => {
                let cost = format!(
                    "after {this} it would cost {their} {}",
                    plural(discs, "disc")
                );
                match answer {
                    Some(answer) => {
                        let answers = at.voice.verb(at.mover, "answers", "answer");
                        format!("{cost}, because {} {answers} {answer}", at.own())
                    }
                    None => cost,
                }
            }
        };
        Some(format!(
            "After {that} {has} one strong reply, {reply}, worth {} more than any other ({reach}){does}; \
             {becomes}.",
            plural(discs, "disc")
        ))
    }

    /// What the lines lead to on the board.
    pub(super) fn foresight_sentence(&self, at: Telling) -> Option<String> {
        let Telling { this, that, .. } = at;
        Some(match *self {
            Self::LosesSquare {
                square,
                plies: 2,
                deed,
                ..
            } => format!(
                "After {that} {} {} {square} at once{}; after {this} {} it.",
                at.their(),
                at.voice.verb(at.mover.other(), "takes", "take"),
                deed.map_or_else(String::new, |it| it.clause(at)),
                own_gets(at),
            ),
            Self::LosesSquare { square, plies, .. } => format!(
                "After {that} {} {} {square} within {plies} moves; after {this} {} it.",
                at.their(),
                at.voice.verb(at.mover.other(), "takes", "take"),
                own_gets(at),
            ),
            Self::GetsBoth { .. } => self.both_sentence(at)?,
            Self::CornerCanWait { corner, plies } => format!(
                "The {corner} corner can wait: {} cannot take it after {this}, and {} it within {plies} moves.",
                at.their(),
                own_gets(at),
            ),
            Self::WedgeLater {
                who,
                after,
                square,
                edge,
                plies,
            } => format!(
                "After {after} {} {} in between {} discs at {square} on {edge} within {plies} moves.",
                at.voice.name(who),
                at.voice.verb(who, "wedges", "wedge"),
                at.voice.of(who.other()),
            ),
            Self::OutOfSafeMoves { who, after, plies } => format!(
                "After {after} {} {} out of safe moves within {plies} moves: each one left opens a corner or is \
                 an X square.",
                at.voice.name(who),
                at.voice.verb(who, "runs", "run"),
            ),
            Self::DiscsInTheEnd { squares } => format!(
                "In the end {} {} {} after {this} and {} after {that}.",
                list_of(squares),
                if squares.len() == 1 { "is" } else { "are" },
                owned(at.voice, at.mover),
                owned(at.voice, at.mover.other()),
            ),
            _ => return None,
        })
    }

    /// Both moves, in the order that gets both.
    fn both_sentence(&self, at: Telling) -> Option<String> {
        let Self::GetsBoth {
            follows,
            taken,
            deed,
            ..
        } = *self
        else {
            return None;
        };
        let Telling { this, that, .. } = at;
        let takes = at.voice.verb(at.mover.other(), "takes", "take");
        let their = at.their();
        let then = match taken {
            Some(2) => format!("{their} {takes} {this} at once"),
            Some(plies) => format!("{their} {takes} {this} within {plies}"),
            None => format!("{this} does not follow within 10"),
        };
        Some(format!(
            "{this} first: {} both, {that} follows within {follows} moves; after {that} {then}{}.",
            own_gets(at),
            deed.map_or_else(String::new, |it| it.clause(at)),
        ))
    }
}

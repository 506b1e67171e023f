//! Whom sentences speak to: one voice through everything that a reader sees at once.

use othello::Side;

/// How the sides are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Voice {
    /// By their colours, for somebody who looks at a game of others.
    #[default]
    Colours,
    /// This side is "you", the other one has its colour.
    You(Side),
}

impl Voice {
    const fn is_you(self, side: Side) -> bool {
        matches!(
            (self, side),
            (Self::You(Side::Black), Side::Black) | (Self::You(Side::White), Side::White)
        )
    }

    /// Within a sentence: `White`, `you`.
    pub const fn name(self, side: Side) -> &'static str {
        match (self.is_you(side), side) {
            (true, _) => "you",
            (false, Side::Black) => "Black",
            (false, Side::White) => "White",
        }
    }

    /// At its beginning: `White`, `You`.
    pub const fn first(self, side: Side) -> &'static str {
        match self.is_you(side) {
            true => "You",
            false => self.name(side),
        }
    }

    /// Within a sentence: `White's`, `your`.
    pub const fn of(self, side: Side) -> &'static str {
        match (self.is_you(side), side) {
            (true, _) => "your",
            (false, Side::Black) => "Black's",
            (false, Side::White) => "White's",
        }
    }

    /// At its beginning: `White's`, `Your`.
    pub const fn first_of(self, side: Side) -> &'static str {
        match self.is_you(side) {
            true => "Your",
            false => self.of(side),
        }
    }

    /// The form of a verb: `takes` for a colour, `take` for you.
    pub const fn verb<'a>(self, side: Side, takes: &'a str, take: &'a str) -> &'a str {
        if self.is_you(side) { take } else { takes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_you_or_a_colour() {
        let you = Voice::You(Side::White);
        let say = |voice: Voice, side| {
            format!(
                "{} {} {} move; {} it",
                voice.first(side),
                voice.verb(side, "makes", "make"),
                voice.of(side),
                voice.name(side)
            )
        };
        assert_eq!(say(you, Side::White), "You make your move; you it");
        assert_eq!(say(you, Side::Black), "Black makes Black's move; Black it");
        assert_eq!(
            say(Voice::Colours, Side::White),
            "White makes White's move; White it"
        );
        assert_eq!(
            (you.first_of(Side::White), you.first_of(Side::Black)),
            ("Your", "Black's")
        );
    }
}

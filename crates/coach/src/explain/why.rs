//! One question, one answer: what an explanation says in its heading, in one sentence and in a
//! table comes from the same two moves and the same report, so that no name can stand beside the
//! numbers of another move.

use super::{
    Candidate, Claim, Explanation, Features, MistakeClass, Pair, Reason, SideFeatures, SpeaksFor,
    words::ends,
};
use game::{Reach, Report, Score, Source};
use othello::{Move, Position, Side, Square};

/// Which report an explanation was made from: enough to see whether a newer one has overtaken it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// How far the report looked.
    pub reach: Reach,
    pub source: Source,
    /// Positions visited: reports of one search with the same depth differ in this.
    pub nodes: u64,
    /// What the search took.
    pub time_ms: u64,
}

impl Origin {
    pub fn of(report: &Report) -> Self {
        Self {
            reach: report.reach(),
            source: report.source.clone(),
            nodes: report.nodes,
            time_ms: report.time_ms,
        }
    }
}

/// Two plies of one of the compared moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    pub square: Square,
    /// The expected reply; `None` if the game ends with the move.
    pub reply: Option<Move>,
    /// The position after both.
    pub position: Position,
}

impl Branch {
    fn of(candidate: &Candidate) -> Self {
        Self {
            square: candidate.square,
            reply: candidate.reply(),
            position: candidate.position_after(2),
        }
    }
}

/// The features whose counts stand in the two-ply table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    Mobility,
    /// Opposing discs next to empty squares.
    PotentialMobility,
    /// Own discs next to empty squares.
    Frontier,
    /// Discs that cannot be turned any more.
    Stable,
    Corners,
    Discs,
    Parity,
    /// Discs on X and C squares of empty corners.
    Risk,
}

impl Feature {
    /// All of them, in the order in which people look at them.
    pub const ALL: [Self; 8] = [
        Self::Mobility,
        Self::PotentialMobility,
        Self::Frontier,
        Self::Stable,
        Self::Corners,
        Self::Discs,
        Self::Parity,
        Self::Risk,
    ];

    const fn noun(self) -> &'static str {
        match self {
            Self::Mobility => "moves",
            Self::PotentialMobility => "potential moves",
            Self::Frontier => "frontier discs",
            Self::Stable => "stable discs",
            Self::Corners => "corners",
            Self::Discs => "discs",
            Self::Parity => "odd regions",
            Self::Risk => "risk beside corners",
        }
    }

    const fn count(self, of: &SideFeatures) -> u32 {
        match self {
            Self::Mobility => of.mobility,
            Self::PotentialMobility => of.potential_mobility,
            Self::Frontier => of.frontier,
            Self::Stable => of.stable,
            Self::Corners => of.corners,
            Self::Discs => of.discs,
            Self::Parity => of.parity,
            Self::Risk => of.x_c_risk,
        }
    }
}

/// One count after either branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub feature: Feature,
    pub side: Side,
    /// For people: `Black's moves`, `Your moves`.
    pub name: String,
    /// After the best move and the reply to it.
    pub best: u32,
    /// After the other move and the reply to it.
    pub other: u32,
}

/// Two plies of the best move beside two plies of the other one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The best move with its reply.
    pub best: Branch,
    /// The other one with its reply.
    pub other: Branch,
    /// All counts of both sides; the greatest difference first.
    pub rows: Vec<Row>,
}

impl Explanation {
    /// What changes within two plies; `None` if there is no other move.
    pub fn table(&self) -> Option<Table> {
        let (best, other) = (Branch::of(&self.best), Branch::of(self.other.as_ref()?));
        let (with_best, with_other) = (Features::of(best.position), Features::of(other.position));
        let mover = self.position.side;
        let mut rows = Vec::new();
        for side in [mover, mover.other()] {
            let whose = self.voice().first_of(side);
            rows.extend(Feature::ALL.map(|feature| Row {
                feature,
                side,
                name: format!("{whose} {}", feature.noun()),
                best: feature.count(with_best.side(side)),
                other: feature.count(with_other.side(side)),
            }));
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.best.abs_diff(row.other)));
        Some(Table { best, other, rows })
    }

    /// `Why not b2?` if a move was asked about and is not the best one, else `Why f5?`.
    pub fn title(&self) -> String {
        match self.played.filter(|&square| square != self.best.square) {
            Some(square) => format!("Why not {square}?"),
            None => format!("Why {}?", self.best.square),
        }
    }

    /// What a club player would say: what happens after the other move, and what the best one does
    /// about it. `None` if nothing simple speaks for the best move.
    pub fn headline(&self) -> Option<String> {
        let first = self.first_reason()?;
        if matches!(first.claim, Claim::ModelPrefers { .. })
            && let Some(theory) = self.theory_left()
        {
            return Some(theory);
        }
        let other = self.other.as_ref().unwrap_or(&self.best);
        let at = self.telling(first.speaks_for);
        Some(first.claim.headline(at, &first.line, other))
    }

    /// That the asked move leaves what is known of the opening: more than an evaluation can tell.
    fn theory_left(&self) -> Option<String> {
        let mistakes = self.judgement()?.mistakes;
        let mut theory = mistakes
            .into_iter()
            .filter(|it| it.class == MistakeClass::TheoryLeft);
        theory.next().map(|it| it.text)
    }

    /// What the headline says: the first reason for the best move, but not the bare result if
    /// something leads to it.
    fn first_reason(&self) -> Option<&Reason> {
        let best = |it: &&Reason| it.speaks_for == SpeaksFor::Best;
        Claim::to_say_first(self.card().iter().filter(best), |it| &it.claim)
    }

    /// What follows the corner that the headline speaks of.
    pub fn follow(&self) -> Option<super::Follow> {
        super::Follow::of(&self.first_reason()?.claim, self.other.as_ref()?)
    }

    /// The results of both moves, if they are proven, shown by their lines, not the same, and not
    /// said by the headline.
    fn turned_result(&self) -> Option<Pair> {
        let first = self.first_reason()?;
        if matches!(first.claim, Claim::EndsBetter { .. }) {
            return None;
        }
        self.reasons.iter().find_map(|it| match it.claim {
            Claim::EndsBetter { discs, .. } => {
                (discs.this.signum() != discs.that.signum()).then_some(discs)
            }
            _ => None,
        })
    }

    /// The headline and what the other move costs, or that there is no simple reason.
    pub fn summary(&self) -> String {
        let best = &self.best;
        let headline = self.headline().or_else(|| self.without_reason());
        let mut headline = headline.unwrap_or_default();
        if self.is_trade_off() {
            headline.push_str(" It is a trade-off.");
        }
        let Some(other) = &self.other else {
            return headline;
        };
        let certainty = self.certainty.words(best.reach());
        let (this, that) = (best.square, other.square);
        if self.loss() <= Score::ZERO {
            return format!("{that} is as good as {this} ({certainty}).");
        }
        match self.turned_result() {
            Some(discs) => format!(
                "{headline} {this} {}; {that} {} ({certainty}).",
                ends(discs.this),
                ends(discs.that)
            ),
            None => format!(
                "{headline} {that} is {} worse than {this} ({certainty}).",
                self.loss().amount_of_discs()
            ),
        }
    }
}

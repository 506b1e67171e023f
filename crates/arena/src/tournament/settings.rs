//! What a plan follows from, besides results.

/// What kind of tournament it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody, `rounds` times.
    RoundRobin,
    /// A round robin in which everybody meets everybody twice a round.
    DoubleRoundRobin,
    /// The first players against all the others.
    Gauntlet { seeds: usize },
    /// Who has as many points meets; nobody meets anybody twice. Encounters are pairs of games, or
    /// single games by the Dutch system.
    Swiss,
    /// Who loses an encounter is out. Players are seeded in their order.
    Knockout,
}

impl Format {
    /// The format with a name; a gauntlet has so many seeds.
    pub fn named(name: &str, seeds: usize) -> Option<Self> {
        let all = [
            Self::RoundRobin,
            Self::DoubleRoundRobin,
            Self::Gauntlet { seeds },
            Self::Swiss,
            Self::Knockout,
        ];
        all.into_iter().find(|it| it.name() == name)
    }

    /// The name in files and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::DoubleRoundRobin => "double-round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
        }
    }
}

/// Everything that a plan follows from, besides results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    pub format: Format,
    pub n_players: usize,
    /// How often everybody meets everybody; rounds of a Swiss tournament; not used in a knockout.
    pub rounds: u32,
    /// Pairs of games whenever two players meet, each from an opening of its own.
    pub pairs: u32,
    /// Two games with colours reversed make a pair; a single game in its place is not possible in a
    /// knockout.
    pub is_double: bool,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("a tournament needs two players at least, found {0}")]
    Players(usize),
    #[error("a gauntlet of {players} players has 1 to {} seeds, found {found}", players - 1)]
    Seeds { players: usize, found: usize },
    #[error("expected at least one round and one pair of games, found {rounds} and {pairs}")]
    Nothing { rounds: u32, pairs: u32 },
    #[error(
        "{players} players cannot play {rounds} rounds without meeting twice; at most {most} are \
         possible"
    )]
    Rounds {
        players: usize,
        rounds: u32,
        most: usize,
    },
    #[error(
        "{0} encounters are pairs of games with colours reversed; single games are not possible"
    )]
    Single(&'static str),
    #[error("in a Swiss of single games two meet once; expected 1 for pairs, found {0}")]
    SinglePairs(u32),
}

impl Settings {
    /// Whether there is a plan for them.
    pub(super) fn check(&self) -> Result<(), PlanError> {
        let Self {
            format,
            n_players,
            rounds,
            pairs,
            is_double,
        } = *self;
        if n_players < 2 {
            return Err(PlanError::Players(n_players));
        }
        if rounds == 0 || pairs == 0 {
            return Err(PlanError::Nothing { rounds, pairs });
        }
        match format {
            Format::Knockout if !is_double => Err(PlanError::Single(format.name())),
            Format::Swiss if !is_double && pairs > 1 => Err(PlanError::SinglePairs(pairs)),
            Format::Gauntlet { seeds } if seeds == 0 || seeds >= n_players => {
                Err(PlanError::Seeds {
                    players: n_players,
                    found: seeds,
                })
            }
            Format::Swiss => {
                let most = n_players - 1 + n_players % 2;
                let is_possible = rounds as usize <= most;
                is_possible.then_some(()).ok_or(PlanError::Rounds {
                    players: n_players,
                    rounds,
                    most,
                })
            }
            _ => Ok(()),
        }
    }
}

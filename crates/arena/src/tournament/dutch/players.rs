//! What the rounds before say about a player: points, colours, floats, rests.

/// What somebody did in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Played {
        opponent: usize,
        /// Whether the player had the first move.
        is_first: bool,
        half_points: u32,
    },
    /// The draw left the player without an opponent.
    Bye { half_points: u32 },
    /// The player was away, or the game was not played.
    Absent { half_points: u32 },
}

impl Turn {
    const fn half_points(self) -> u32 {
        match self {
            Self::Played { half_points, .. }
            | Self::Bye { half_points }
            | Self::Absent { half_points } => half_points,
        }
    }
}

/// Somebody in a tournament.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// One for each round before.
    pub turns: Vec<Turn>,
    /// Whether the player is away in the round to be drawn.
    pub is_absent: bool,
}

/// Half points of a win.
const WIN: u32 = 2;

/// Whether somebody met a stronger or a weaker group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    None,
    Down,
    Up,
}

/// A player of the round, with everything that the rules ask about. A colour is whether the player
/// has the first move.
#[derive(Debug, Clone)]
pub(super) struct Player {
    pub(super) id: usize,
    /// The place among all who ever took part.
    pub(super) seed: usize,
    pub(super) points: u32,
    pub(super) opponents: Vec<usize>,
    /// Colours of the games that were played, in order.
    colours: Vec<bool>,
    pub(super) preference: Option<bool>,
    /// How much more often the player had one colour than the other.
    pub(super) imbalance: usize,
    /// The colour of the last two games, if it was the same.
    pub(super) repeated: Option<bool>,
    /// One round back, and two.
    pub(super) floats: [Float; 2],
    pub(super) may_rest: bool,
    pub(super) n_played: usize,
}

impl Player {
    pub(super) const fn has_absolute_imbalance(&self) -> bool {
        self.imbalance > 1
    }

    /// Another colour than the preferred one is out of the question.
    pub(super) const fn is_absolute(&self) -> bool {
        self.has_absolute_imbalance() || self.repeated.is_some()
    }

    pub(super) const fn is_strong(&self) -> bool {
        !self.is_absolute() && self.imbalance > 0
    }

    fn of(entries: &[Entry], id: usize, seed: usize) -> Self {
        let turns = &entries[id].turns;
        let games = turns.iter().filter_map(|turn| match *turn {
            Turn::Played {
                opponent, is_first, ..
            } => Some((opponent, is_first)),
            Turn::Bye { .. } | Turn::Absent { .. } => None,
        });
        let (opponents, colours): (Vec<usize>, Vec<bool>) = games.unzip();
        let n_first = colours.iter().filter(|it| **it).count();
        let n_second = colours.len() - n_first;
        let imbalance = n_first.abs_diff(n_second);
        let rarer = n_first <= n_second;
        let repeated = match colours[..] {
            [.., a, b] if a == b => Some(a),
            _ => None,
        };
        let preference = if imbalance > 1 {
            Some(rarer)
        } else if let Some(colour) = repeated {
            Some(!colour)
        } else if imbalance > 0 {
            Some(rarer)
        } else {
            colours.last().map(|colour| !colour)
        };
        let rested = |turn: &Turn| match turn {
            Turn::Bye { .. } => true,
            Turn::Absent { half_points } => *half_points >= WIN,
            Turn::Played { .. } => false,
        };
        Self {
            id,
            seed,
            points: points(turns),
            n_played: colours.len(),
            opponents,
            colours,
            preference,
            imbalance,
            repeated,
            floats: [1, 2].map(|back| float(entries, id, back)),
            may_rest: !turns.iter().any(rested),
        }
    }
}

fn points(turns: &[Turn]) -> u32 {
    turns.iter().map(|turn| turn.half_points()).sum()
}

/// The float of a player so many rounds back.
fn float(entries: &[Entry], id: usize, back: usize) -> Float {
    let turns = &entries[id].turns;
    let Some(at) = turns.len().checked_sub(back) else {
        return Float::None;
    };
    match turns[at] {
        Turn::Played { opponent, .. } => {
            let before = |id: usize| {
                let turns = &entries[id].turns;
                points(&turns[..at.min(turns.len())])
            };
            match before(id).cmp(&before(opponent)) {
                std::cmp::Ordering::Greater => Float::Down,
                std::cmp::Ordering::Less => Float::Up,
                std::cmp::Ordering::Equal => Float::None,
            }
        }
        Turn::Bye { half_points } | Turn::Absent { half_points } if half_points > 0 => Float::Down,
        Turn::Bye { .. } | Turn::Absent { .. } => Float::None,
    }
}

/// Those who take part in the round, by points and seed.
pub(super) fn sorted(entries: &[Entry]) -> Vec<Player> {
    let mut players = Vec::new();
    let mut seed = 0;
    for (id, entry) in entries.iter().enumerate() {
        let took_part = |turn: &Turn| !matches!(turn, Turn::Absent { .. });
        if !entry.is_absent || entry.turns.iter().any(took_part) {
            if !entry.is_absent {
                players.push(Player::of(entries, id, seed));
            }
            seed += 1;
        }
    }
    players.sort_by_key(|it| (std::cmp::Reverse(it.points), it.seed));
    players
}

/// Both players, the one with the first move first. `upper` is the better placed one.
pub(super) fn with_colours(upper: &Player, lower: &Player) -> [usize; 2] {
    if is_upper_first(upper, lower) {
        [upper.id, lower.id]
    } else {
        [lower.id, upper.id]
    }
}

fn is_upper_first(upper: &Player, lower: &Player) -> bool {
    let (a, b) = match (upper.preference, lower.preference) {
        // Nobody has played: colours take turns by seed.
        (None, None) => return upper.seed.is_multiple_of(2),
        (Some(a), None) => return a,
        (None, Some(b)) => return !b,
        (Some(a), Some(b)) if a != b => return a,
        (Some(a), Some(b)) => (a, b),
    };
    // Both want the same: the stronger wish counts.
    let (one, other) = (upper.is_absolute(), lower.is_absolute());
    if one && (!other || upper.imbalance > lower.imbalance) {
        return a;
    }
    if other && (!one || lower.imbalance > upper.imbalance) {
        return !b;
    }
    if upper.is_strong() != lower.is_strong() {
        return if upper.is_strong() { a } else { !b };
    }
    // Turned from the last round in which their colours differed; else as the better one wishes.
    let both = upper.colours.iter().rev().zip(lower.colours.iter().rev());
    let differed = both.into_iter().find(|(one, other)| one != other);
    differed.map_or(a, |(_, other)| *other)
}

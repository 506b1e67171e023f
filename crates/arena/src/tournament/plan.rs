//! The order of play: numbered pairs from settings and results.

use super::{
    Points, dutch,
    future::Future,
    knockout::{self, equals, ties, winner},
    robin,
    settings::{Format, PlanError, Settings},
    swiss,
};
use std::collections::{BTreeMap, BTreeSet};

/// Two players, an opening, and what its number says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// Counted from 0 in the order of the tournament.
    pub number: u64,
    /// Counted from 1; the same for all pairs that can be played at the same time.
    pub round: u32,
    /// The first has the first move in the first game.
    pub players: [usize; 2],
    /// The place of the opening in the sequence of openings.
    pub opening: u64,
    /// Whether a second game follows with colours reversed.
    pub is_double: bool,
}

/// What the plan says about a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Play(Pairing),
    /// It follows from results that are not there yet.
    Wait,
    /// The tournament has no such pair.
    Over,
}

/// Half points for a round without an opponent, as for a game that was won.
const DUTCH_BYE: u32 = 2;

/// Who meets whom, as far as results tell.
#[derive(Debug, Clone)]
pub struct Plan {
    settings: Settings,
    /// Where everybody's opponents are known beforehand: what is played again and again.
    cycle: Vec<(u32, [usize; 2])>,
    /// Where they follow from results: what is known of it.
    drawn: Vec<Pairing>,
    points: BTreeMap<u64, Points>,
    /// The games of pairs, as far as equal ones matter: players and a number that tells games apart.
    seen: BTreeSet<(u32, [usize; 2], u64)>,
    /// The pairs that had the games of one before.
    repeated: BTreeSet<u64>,
    state: Drawing,
}

/// How far a tournament that follows from results has come.
#[derive(Debug, Clone)]
enum Drawing {
    Fixed,
    Swiss {
        entries: Vec<swiss::Entry>,
        /// How the rounds that are left can be played, where not every pairing lets them be.
        future: Option<Future>,
        round: u32,
        /// The first pair of the round under way.
        from: usize,
        is_over: bool,
    },
    /// A Swiss of single games.
    Dutch {
        entries: Vec<dutch::Entry>,
        round: u32,
        from: usize,
        is_over: bool,
    },
    Knockout {
        /// The encounters of the round under way; `None` is a free place.
        encounters: Vec<[Option<usize>; 2]>,
        /// Half points in them.
        points: Vec<[u32; 2]>,
        /// Pairs that were played to break ties.
        extra: Vec<u32>,
        /// Pairs with the same games as one before.
        repeats: Vec<u32>,
        /// Winner and loser of encounters that the better seed won.
        by_seed: Vec<[usize; 2]>,
        /// Which encounter each pair from `from` on belongs to.
        of_pair: Vec<usize>,
        round: u32,
        from: usize,
        is_over: bool,
    },
}

impl Plan {
    /// A plan of which nothing was played.
    pub fn new(settings: Settings) -> Result<Self, PlanError> {
        settings.check()?;
        let n = settings.n_players;
        let (cycle, state) = match settings.format {
            Format::RoundRobin | Format::DoubleRoundRobin => {
                (robin::round_robin(n), Drawing::Fixed)
            }
            Format::Gauntlet { seeds } => (robin::gauntlet(n, seeds), Drawing::Fixed),
            Format::Swiss if !settings.is_double => {
                let state = Drawing::Dutch {
                    entries: vec![dutch::Entry::default(); n],
                    round: 0,
                    from: 0,
                    is_over: false,
                };
                (Vec::new(), state)
            }
            Format::Swiss => {
                let state = Drawing::Swiss {
                    entries: vec![swiss::Entry::default(); n],
                    future: Future::new(n, settings.rounds),
                    round: 0,
                    from: 0,
                    is_over: false,
                };
                (Vec::new(), state)
            }
            Format::Knockout => {
                let state = Drawing::Knockout {
                    encounters: knockout::bracket(n),
                    points: Vec::new(),
                    extra: Vec::new(),
                    repeats: Vec::new(),
                    by_seed: Vec::new(),
                    of_pair: Vec::new(),
                    round: 0,
                    from: 0,
                    is_over: false,
                };
                (Vec::new(), state)
            }
        };
        let mut plan = Self {
            settings,
            cycle,
            drawn: Vec::new(),
            points: BTreeMap::new(),
            seen: BTreeSet::new(),
            repeated: BTreeSet::new(),
            state,
        };
        plan.draw();
        Ok(plan)
    }

    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pair with a number.
    pub fn pairing(&self, number: u64) -> Next {
        match &self.state {
            Drawing::Fixed => self.fixed(number).map_or(Next::Over, Next::Play),
            Drawing::Swiss { is_over, .. }
            | Drawing::Dutch { is_over, .. }
            | Drawing::Knockout { is_over, .. } => match self.drawn.get(number as usize) {
                Some(pairing) => Next::Play(*pairing),
                None if *is_over => Next::Over,
                None => Next::Wait,
            },
        }
    }

    /// How many pairs there are in all; an estimate where ties may add some.
    pub fn n_pairs(&self) -> u64 {
        let Settings {
            n_players,
            rounds,
            pairs,
            ..
        } = self.settings;
        let pairs = u64::from(pairs);
        match &self.state {
            Drawing::Fixed => self.cycle.len() as u64 * self.n_cycles(),
            Drawing::Knockout { is_over: true, .. } => self.drawn.len() as u64,
            Drawing::Swiss { .. } | Drawing::Dutch { .. } => {
                (n_players as u64 / 2) * u64::from(rounds) * pairs
            }
            Drawing::Knockout { extra, .. } => {
                let n_extra: u64 = extra.iter().map(|it| u64::from(*it)).sum();
                ((n_players as u64 - 1) * pairs + n_extra).max(self.drawn.len() as u64)
            }
        }
    }

    /// Rounds that were asked for and cannot be played, because the rules leave nobody to meet.
    pub const fn rounds_missing(&self) -> u32 {
        match &self.state {
            Drawing::Swiss { round, is_over, .. } | Drawing::Dutch { round, is_over, .. }
                if *is_over =>
            {
                self.settings.rounds - *round
            }
            _ => 0,
        }
    }

    /// The same as [`Self::record`], with a number that is the same for the same games.
    pub fn record_games(&mut self, number: u64, points: Points, games: u64) {
        if matches!(self.state, Drawing::Knockout { .. })
            && let Some(pairing) = self.drawn.get(number as usize)
        {
            let [a, b] = pairing.players;
            let key = (pairing.round, [a.min(b), a.max(b)], games);
            if !self.seen.insert(key) {
                self.repeated.insert(number);
            }
        }
        self.record(number, points);
    }

    /// The winners and losers of a knockout's encounters that nobody won, and that the better seed
    /// was given.
    pub fn won_by_seed(&self) -> &[[usize; 2]] {
        match &self.state {
            Drawing::Knockout { by_seed, .. } => by_seed,
            _ => &[],
        }
    }

    /// Whether who meets whom follows from results, so that another result of a pair changes the pairs
    /// behind it.
    pub const fn follows_results(&self) -> bool {
        !matches!(self.state, Drawing::Fixed)
    }

    /// A pair was played. The results of pairs may come in any order, each once.
    pub fn record(&mut self, number: u64, points: Points) {
        if matches!(self.state, Drawing::Fixed) {
            return;
        }
        self.points.insert(number, points);
        self.draw();
    }

    /// How often the whole cycle is played.
    fn n_cycles(&self) -> u64 {
        let times = match self.settings.format {
            Format::DoubleRoundRobin => 2,
            _ => 1,
        };
        times * u64::from(self.settings.rounds) * u64::from(self.settings.pairs)
    }

    fn fixed(&self, number: u64) -> Option<Pairing> {
        let size = self.cycle.len() as u64;
        let (lap, at) = (number.checked_div(size)?, (number % size) as usize);
        if lap >= self.n_cycles() {
            return None;
        }
        let (round, [a, b]) = self.cycle[at];
        let is_double = self.settings.is_double;
        // Single games take turns, so that every opening is played with both colours.
        let turns = lap % 2 == 1;
        let n_rounds = self.cycle.last().map_or(0, |(round, _)| *round);
        Some(Pairing {
            number,
            round: lap as u32 * n_rounds + round,
            players: if turns { [b, a] } else { [a, b] },
            opening: if is_double { lap } else { lap / 2 },
            is_double,
        })
    }

    /// Adds rounds as far as results allow.
    fn draw(&mut self) {
        while self.is_round_over() {
            let before = self.drawn.len();
            match self.settings.format {
                Format::Swiss if self.settings.is_double => self.draw_swiss(),
                Format::Swiss => self.draw_dutch(),
                Format::Knockout => self.draw_knockout(),
                _ => return,
            }
            if self.drawn.len() == before {
                // Over, or a round in which everybody rests.
                if self.is_drawn_to_the_end() {
                    return;
                }
            }
        }
    }

    const fn is_drawn_to_the_end(&self) -> bool {
        match &self.state {
            Drawing::Fixed => true,
            Drawing::Swiss { is_over, .. }
            | Drawing::Dutch { is_over, .. }
            | Drawing::Knockout { is_over, .. } => *is_over,
        }
    }

    fn is_round_over(&self) -> bool {
        let (from, is_over) = match &self.state {
            Drawing::Fixed => return false,
            Drawing::Swiss { from, is_over, .. }
            | Drawing::Dutch { from, is_over, .. }
            | Drawing::Knockout { from, is_over, .. } => (*from, *is_over),
        };
        let is_known = |number: usize| self.points.contains_key(&(number as u64));
        !is_over && (from..self.drawn.len()).all(is_known)
    }

    fn draw_swiss(&mut self) {
        let Settings { rounds, pairs, .. } = self.settings;
        let Drawing::Swiss {
            entries,
            future,
            round,
            from,
            is_over,
        } = &mut self.state
        else {
            return;
        };
        let mut met = Vec::new();
        for pairing in &self.drawn[*from..] {
            let [a, b] = pairing.players;
            let points = self
                .points
                .get(&pairing.number)
                .copied()
                .unwrap_or_default();
            entries[a].points += points.0[0];
            entries[b].points += points.0[1];
            if !met.contains(&[a, b]) && !met.contains(&[b, a]) {
                met.push([a, b]);
            }
        }
        for &[a, b] in &met {
            entries[a].opponents.push(b);
            entries[b].opponents.push(a);
            entries[a].firsts += 1;
            entries[b].firsts -= 1;
        }
        *from = self.drawn.len();
        let is_due = *round < rounds;
        let next = is_due.then(|| swiss::pair(entries, future.as_mut()));
        let Some(next) = next.flatten() else {
            *is_over = true;
            return;
        };
        *round += 1;
        if let Some(player) = next.bye {
            entries[player].had_bye = true;
            // As if both games had been won.
            entries[player].points += 4 * pairs;
        }
        for players in next.pairs {
            push_pairs(&mut self.drawn, *round, players, pairs, *round - 1);
        }
    }

    fn draw_dutch(&mut self) {
        let Settings { rounds, .. } = self.settings;
        let Drawing::Dutch {
            entries,
            round,
            from,
            is_over,
        } = &mut self.state
        else {
            return;
        };
        for pairing in &self.drawn[*from..] {
            let points = self.points.get(&pairing.number);
            let [first, second] = points.copied().unwrap_or_default().0;
            let [a, b] = pairing.players;
            let turn = |opponent, is_first, half_points| dutch::Turn::Played {
                opponent,
                is_first,
                half_points,
            };
            entries[a].turns.push(turn(b, true, first));
            entries[b].turns.push(turn(a, false, second));
        }
        *from = self.drawn.len();
        let is_due = *round < rounds;
        let next = is_due.then(|| dutch::pair(entries, rounds as usize));
        let Some(next) = next.flatten() else {
            *is_over = true;
            return;
        };
        if let Some(player) = next.bye {
            let half_points = DUTCH_BYE;
            entries[player].turns.push(dutch::Turn::Bye { half_points });
        }
        for players in next.pairs {
            self.drawn.push(Pairing {
                number: self.drawn.len() as u64,
                round: *round + 1,
                players,
                opening: u64::from(*round),
                is_double: false,
            });
        }
        *round += 1;
    }

    fn draw_knockout(&mut self) {
        let pairs = self.settings.pairs;
        let Drawing::Knockout {
            encounters,
            points,
            extra,
            repeats,
            by_seed,
            of_pair,
            round,
            from,
            is_over,
        } = &mut self.state
        else {
            return;
        };
        for (pairing, &encounter) in self.drawn[*from..].iter().zip(of_pair.iter()) {
            let won = self
                .points
                .get(&pairing.number)
                .copied()
                .unwrap_or_default();
            repeats[encounter] += u32::from(self.repeated.contains(&pairing.number));
            let is_turned = encounters[encounter][0] != Some(pairing.players[0]);
            for side in [0, 1] {
                points[encounter][usize::from(is_turned) ^ side] += won.0[side];
            }
        }
        *from = self.drawn.len();
        of_pair.clear();
        if *round > 0 {
            let ties = ties(encounters, points, extra, repeats);
            if !ties.is_empty() {
                for at in ties {
                    let [Some(a), Some(b)] = encounters[at] else {
                        continue;
                    };
                    extra[at] += 1;
                    let opening = *round * pairs + extra[at] - 1;
                    push_pairs(&mut self.drawn, *round, [a, b], 1, opening);
                    of_pair.push(at);
                }
                return;
            }
            by_seed.extend(equals(encounters, points));
            let winners: Vec<Option<usize>> = encounters
                .iter()
                .zip(points.iter())
                .map(|(players, points)| winner(*players, *points))
                .collect();
            if winners.len() == 1 {
                *is_over = true;
                return;
            }
            *encounters = winners.chunks(2).map(|two| [two[0], two[1]]).collect();
        }
        *round += 1;
        *points = vec![[0; 2]; encounters.len()];
        *extra = vec![0; encounters.len()];
        *repeats = vec![0; encounters.len()];
        for (at, players) in encounters.iter().enumerate() {
            if let [Some(a), Some(b)] = *players {
                push_pairs(&mut self.drawn, *round, [a, b], pairs, *round - 1);
                of_pair.extend((0..pairs).map(|_| at));
            }
        }
    }

    /// Who has won a knockout that is over.
    pub fn champion(&self) -> Option<usize> {
        match &self.state {
            Drawing::Knockout {
                encounters,
                points,
                is_over: true,
                ..
            } => winner(encounters[0], points[0]),
            _ => None,
        }
    }

    /// The half points that players got without playing, by player.
    pub fn byes(&self) -> Vec<u32> {
        let n = self.settings.n_players;
        match &self.state {
            Drawing::Swiss { entries, .. } => entries
                .iter()
                .map(|entry| u32::from(entry.had_bye) * 4 * self.settings.pairs)
                .collect(),
            Drawing::Dutch { entries, .. } => entries
                .iter()
                .map(|entry| {
                    let is_bye = |turn: &&dutch::Turn| matches!(turn, dutch::Turn::Bye { .. });
                    entry.turns.iter().filter(is_bye).count() as u32 * DUTCH_BYE
                })
                .collect(),
            _ => vec![0; n],
        }
    }
}

/// The pairs of an encounter; the first move of the first game goes back and forth.
fn push_pairs(drawn: &mut Vec<Pairing>, round: u32, players: [usize; 2], pairs: u32, from: u32) {
    let [a, b] = players;
    for at in 0..pairs {
        drawn.push(Pairing {
            number: drawn.len() as u64,
            round,
            players: if at % 2 == 0 { [a, b] } else { [b, a] },
            opening: u64::from(from) * u64::from(pairs) + u64::from(at),
            is_double: true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::SplitMix64;

    fn settings(format: Format, n_players: usize, rounds: u32) -> Settings {
        Settings {
            format,
            n_players,
            rounds,
            pairs: 1,
            is_double: true,
        }
    }

    /// Plays a plan to its end; results follow from the numbers, and come in an order that chance
    /// decides.
    fn play(settings: Settings, order: u64) -> (Vec<Pairing>, Plan) {
        let mut plan = Plan::new(settings).unwrap();
        let mut random = SplitMix64::new(order);
        let (mut open, mut next) = (Vec::new(), 0);
        let mut all = Vec::new();
        loop {
            let state = plan.pairing(next);
            if let Next::Play(pairing) = state {
                assert_eq!(pairing.number, next);
                open.push(pairing);
                all.push(pairing);
                next += 1;
            }
            if open.is_empty() {
                assert_eq!(state, Next::Over, "nobody plays and nobody may");
                break;
            }
            if state == Next::Wait || state == Next::Over || random.below(2) == 0 {
                let at = random.below(open.len() as u32) as usize;
                let pairing: Pairing = open.remove(at);
                let won = SplitMix64::new(pairing.number).below(5);
                plan.record(pairing.number, Points([won, 4 - won]));
            }
        }
        (all, plan)
    }

    #[test]
    fn plans_do_not_depend_on_who_was_faster() {
        for format in [
            Format::RoundRobin,
            Format::DoubleRoundRobin,
            Format::Gauntlet { seeds: 1 },
            Format::Swiss,
            Format::Knockout,
        ] {
            for n_players in [2, 3, 6, 9] {
                let settings = Settings {
                    pairs: 2,
                    ..settings(format, n_players, 1)
                };
                let (one, plan) = play(settings, 1);
                assert_eq!(one, play(settings, 2).0, "{format:?} {n_players}");
                assert_eq!(plan.n_pairs(), one.len() as u64, "{format:?} {n_players}");
                assert_eq!(
                    plan.champion().is_some(),
                    format == Format::Knockout,
                    "{format:?}"
                );
            }
        }
    }

    #[test]
    fn everybody_has_the_same_openings_and_both_colours() {
        let single = Settings {
            is_double: false,
            ..settings(Format::RoundRobin, 4, 4)
        };
        let (pairings, _) = play(single, 1);
        assert_eq!(pairings.len(), 24);
        for (a, b) in [(0, 1), (1, 3), (2, 3)] {
            let mut games: Vec<(u64, [usize; 2])> = pairings
                .iter()
                .filter(|it| it.players == [a, b] || it.players == [b, a])
                .map(|it| (it.opening, it.players))
                .collect();
            games.sort_unstable();
            assert_eq!(games, [(0, [a, b]), (0, [b, a]), (1, [a, b]), (1, [b, a])]);
        }
        let (pairings, _) = play(settings(Format::Gauntlet { seeds: 1 }, 4, 2), 1);
        let openings: Vec<u64> = pairings.iter().map(|it| it.opening).collect();
        assert_eq!(openings, [0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_swiss_has_all_the_rounds_that_were_asked_for() {
        for (n_players, rounds) in [(6, 5), (6, 4), (10, 8), (7, 7), (5, 4)] {
            for seed in 0..6 {
                let mut plan = Plan::new(settings(Format::Swiss, n_players, rounds)).unwrap();
                let mut number = 0;
                while let Next::Play(pairing) = plan.pairing(number) {
                    let won = SplitMix64::new(seed << 32 | pairing.number).below(5);
                    plan.record(number, Points([won, 4 - won]));
                    number += 1;
                }
                assert_eq!(number, plan.n_pairs(), "{n_players} {rounds} {seed}");
                assert_eq!(plan.rounds_missing(), 0);
            }
        }
    }

    #[test]
    fn a_swiss_that_ends_early_says_so() {
        let single = Settings {
            is_double: false,
            ..settings(Format::Swiss, 6, 5)
        };
        let n_short = (0..8)
            .filter(|seed| {
                let mut plan = Plan::new(single).unwrap();
                let mut number = 0;
                while let Next::Play(pairing) = plan.pairing(number) {
                    let won = SplitMix64::new(seed << 32 | pairing.number).below(3);
                    plan.record(number, Points([won, 2 - won]));
                    number += 1;
                }
                assert_eq!(plan.n_pairs(), 15, "what was asked for");
                assert_eq!(number, 15 - 3 * u64::from(plan.rounds_missing()));
                plan.rounds_missing() > 0
            })
            .count();
        assert!(n_short > 0, "colours and rematches end some of them");
    }

    #[test]
    fn a_tie_is_broken_by_more_pairs() {
        let mut plan = Plan::new(settings(Format::Knockout, 2, 1)).unwrap();
        plan.record(0, Points([2, 2]));
        let Next::Play(extra) = plan.pairing(1) else {
            panic!("the tie must be broken");
        };
        assert_ne!(extra.opening, 0);
        plan.record(1, Points([1, 3]));
        assert_eq!(plan.pairing(2), Next::Over);
        assert_eq!(plan.champion(), Some(1));
    }

    #[test]
    fn players_without_chance_do_not_repeat_themselves_for_ever() {
        let mut plan = Plan::new(settings(Format::Knockout, 2, 1)).unwrap();
        let mut number = 0;
        while let Next::Play(_) = plan.pairing(number) {
            plan.record_games(number, Points([2, 2]), 77);
            number += 1;
        }
        assert_eq!(number, 3, "the same games twice more are enough");
        assert_eq!(
            (plan.champion(), plan.won_by_seed()),
            (Some(0), &[[0, 1]][..])
        );
        // Other games may decide it.
        let mut plan = Plan::new(settings(Format::Knockout, 2, 1)).unwrap();
        for number in 0..6 {
            plan.record_games(number, Points([2, 2]), number);
        }
        plan.record_games(6, Points([1, 3]), 6);
        assert_eq!(plan.won_by_seed(), [[0; 2]; 0]);
        assert!(plan.champion().is_some());
    }

    #[test]
    fn impossible_plans_are_refused_with_what_is_possible() {
        let message = |settings| Plan::new(settings).unwrap_err().to_string();
        assert_eq!(
            message(settings(Format::Swiss, 4, 4)),
            "4 players cannot play 4 rounds without meeting twice; at most 3 are possible"
        );
        assert_eq!(
            message(settings(Format::Gauntlet { seeds: 3 }, 3, 1)),
            "a gauntlet of 3 players has 1 to 2 seeds, found 3"
        );
        assert_eq!(
            message(settings(Format::RoundRobin, 1, 1)),
            "a tournament needs two players at least, found 1"
        );
    }
}

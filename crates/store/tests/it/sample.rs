//! Games made by chance from a seed: openings repeat, later positions do not.

use game::{Kind, Move, Packed, Position, Record};
use store::{GameData, NewGame};

/// A small generator of numbers (SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

pub(crate) const PLAYERS: [&str; 6] = [
    "Ann Árvai",
    "Bob Smith",
    "Caroline Frost",
    "Dan O'Hara",
    "Eve",
    "",
];

/// A game: the first moves by a biased choice, so that games share them.
pub(crate) fn record(chance: &mut Chance, kind: Kind) -> Record {
    let mut record = Record::new(kind.start());
    let mut at = record.root();
    for ply in 0.. {
        let moves = record
            .position(at)
            .expect("a node of this record")
            .legal_moves();
        if moves.is_empty() || ply > 90 || (ply > 20 && chance.below(200) == 0) {
            break;
        }
        let n = if ply < 8 {
            chance.below(moves.len()).min(chance.below(moves.len()))
        } else {
            chance.below(moves.len())
        };
        at = record.add(at, moves[n]).expect("a legal move");
    }
    record
}

pub(crate) fn new_game(record: &Record, chance: &mut Chance) -> NewGame {
    let mut game = GameData::new(Packed::from(record));
    game.black = PLAYERS[chance.below(PLAYERS.len())].to_owned();
    game.white = PLAYERS[chance.below(PLAYERS.len())].to_owned();
    game.event = format!("Open {}", 1990 + chance.below(20));
    game.date = 10_000 * (1990 + chance.below(20) as u32) + 101;
    let outcome = record.outcome_at(record.main_end());
    game.score = match record.start().kind() {
        Kind::Othello => outcome
            .and_then(|it| it.black_centidiscs)
            .map(|it| (it / 100) as i8),
        Kind::Chess => Some(chance.below(3) as i8 - 1),
    };
    game.black_elo = 1_500 + 100 * chance.below(10) as u16;
    game.white_elo = 1_400 + 100 * chance.below(10) as u16;
    NewGame::new(game).expect("legal moves")
}

pub(crate) fn games(seed: u64, n: usize) -> Vec<(Record, NewGame)> {
    games_of(Kind::Othello, seed, n)
}

pub(crate) fn games_of(kind: Kind, seed: u64, n: usize) -> Vec<(Record, NewGame)> {
    let mut chance = Chance(seed);
    let one = |_| {
        let record = record(&mut chance, kind);
        let game = new_game(&record, &mut chance);
        (record, game)
    };
    (0..n).map(one).collect()
}

/// Positions of the main line with the move that follows.
pub(crate) fn positions(record: &Record) -> Vec<(Position, Option<Move>)> {
    let line: Vec<_> = std::iter::once(record.root())
        .chain(record.main_line())
        .collect();
    let mut seen = Vec::new();
    for (index, id) in line.iter().enumerate() {
        let next = line
            .get(index + 1)
            .and_then(|next| record.node(*next)?.action());
        seen.push((
            record.position(*id).expect("a node of this record").clone(),
            next,
        ));
    }
    seen
}

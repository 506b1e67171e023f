//! The finished games of a tournament: listed, opened, written to files.

use super::refusal;
use crate::{
    Mode,
    desk::{Desk, DeskError, NewGame, Snapshot, Start, lock},
    tournament::{
        GameLine, PairLine, Tournament, game_record,
        tuning::{KeptTuning, TuningReport},
    },
};
use arena::referee::Reason;
use game::Side;

/// Which finished games are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Only between these two, whoever has which colour.
    pub players: Option<[usize; 2]>,
    /// Only games that somebody lost by a fault.
    pub faults: bool,
    /// So many of the newest are left out, and so many given.
    pub from: usize,
    pub count: usize,
}

/// A finished game in a list.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// The number of the pair, counted from 0, and the game in it.
    pub pair: u64,
    pub game: usize,
    pub round: u32,
    /// Which of the openings, counted from 0.
    pub opening: Option<usize>,
    /// Black's and White's place among the engines of the settings.
    pub players: [usize; 2],
    pub winner: Option<Side>,
    /// Discs of Black more than of White, in hundredths, where they were counted.
    pub black_centidiscs: Option<i32>,
    pub reason: Reason,
    pub plies: usize,
}

/// A part of a list of finished games, the newest first.
#[derive(Debug, Clone, Default)]
pub struct PlayedGames {
    pub total: usize,
    pub games: Vec<PlayedGame>,
}

fn colours(pair: &PairLine, game: &GameLine) -> [usize; 2] {
    let [a, b] = pair.pairing.players;
    match game.first {
        Side::Black => [a, b],
        Side::White => [b, a],
    }
}

impl Wanted {
    fn is_it(&self, pair: &PairLine, game: &GameLine) -> bool {
        let [a, b] = pair.pairing.players;
        let met = |wanted: [usize; 2]| wanted == [a, b] || wanted == [b, a];
        self.players.is_none_or(met) && (!self.faults || game.reason.is_fault())
    }
}

impl Desk {
    /// Finished games that count, the newest first.
    pub fn tournament_games(&self, id: u64, wanted: &Wanted) -> Result<PlayedGames, DeskError> {
        let tournament = self.closed_tournament(id)?;
        let mut found = Vec::new();
        let read = tournament.for_each_pair(|pair| {
            for (at, game) in pair.games.iter().enumerate() {
                if wanted.is_it(pair, game) {
                    found.push(PlayedGame {
                        pair: pair.pairing.number,
                        game: at,
                        round: pair.pairing.round,
                        opening: pair.opening,
                        players: colours(pair, game),
                        winner: game.outcome.winner,
                        black_centidiscs: game.outcome.black_centidiscs,
                        reason: game.reason,
                        plies: game.n_plies(),
                    });
                }
            }
        });
        read.map_err(refusal)?;
        let total = found.len();
        let newest = found.into_iter().rev();
        let games = newest.skip(wanted.from).take(wanted.count).collect();
        Ok(PlayedGames { total, games })
    }

    /// Opens a finished game in Review. One that was opened before in this run is shown as it is.
    pub fn open_tournament_game(
        &self,
        id: u64,
        pair: u64,
        game: usize,
        leaves: Option<String>,
    ) -> Result<Snapshot, DeskError> {
        let key = (id, pair, game);
        let known = lock(&self.shared.tournaments).opened.get(&key).cloned();
        if let Some(view) = known.and_then(|known| self.session(&known).ok()) {
            return Ok(view);
        }
        let tournament = self.closed_tournament(id)?;
        let mut found = None;
        let read = tournament.for_each_pair(|line| {
            if line.pairing.number == pair {
                found = game_record(&tournament.settings, line, game);
            }
        });
        read.map_err(refusal)?;
        let Some(record) = found else {
            let message = format!(
                "tournament {id} has no finished game {} of pair {}",
                game + 1,
                pair + 1
            );
            return Err(DeskError::NoSuchTournament(message));
        };
        let view = self.new_game(&NewGame {
            mode: Some(Mode::Analyse),
            kind: Some(tournament.settings.kind()),
            start: Start::Record(Box::new(record)),
            leaves,
            ..NewGame::default()
        })?;
        let session = view.session.id().to_owned();
        lock(&self.shared.tournaments).opened.insert(key, session);
        Ok(view)
    }

    /// All tunings of the home, the newest first, with how they went.
    pub fn tunings(&self) -> Vec<(KeptTuning, TuningReport)> {
        let mut all = KeptTuning::all(&self.shared.home);
        all.reverse();
        let reported = all.into_iter().filter_map(|tuning| {
            let report = tuning.report().ok()?;
            Some((tuning, report))
        });
        reported.collect()
    }

    /// A tournament as it lies on the disk, for reading its games.
    pub fn closed_tournament(&self, id: u64) -> Result<Tournament, DeskError> {
        Tournament::open(&self.shared.home, Some(id)).map_err(refusal)
    }
}

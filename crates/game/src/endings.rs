//! Tables of chess endings (Syzygy): who wins with best play where few men are left. The files are
//! read where they lie, a few pages for each question.

use crate::{ChessPosition, chess::side_of};
use othello::Side;
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use std::{fmt, io, path::Path};

/// The tables of some folders.
pub struct Tables {
    tables: Tablebase<Chess>,
    most_men: usize,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("most_men", &self.most_men)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// No tables yet. `most_men` keeps larger tables from being asked.
    pub fn new(most_men: Option<u32>) -> Self {
        Self {
            tables: Tablebase::new(),
            most_men: most_men.map_or(usize::MAX, |it| it as usize),
        }
    }

    /// Adds the tables of a folder, and says how many files it has.
    pub fn add_folder(&mut self, folder: &Path) -> io::Result<usize> {
        self.tables.add_directory(folder)
    }

    /// Who wins with best play; `Some(None)` is a draw, `None` means that the tables do not know.
    ///
    /// A win that the fifty-move rule prevents is a draw, unless that rule is ignored. Where the
    /// count of moves so far leaves it open, nothing is said.
    pub fn winner(&self, position: &ChessPosition, ignores_fifty: bool) -> Option<Option<Side>> {
        let chess = &position.0;
        let n_men = chess.board().occupied().count();
        if n_men > self.most_men.min(self.tables.max_pieces()) || chess.castles().any() {
            return None;
        }
        let mover = side_of(chess.turn());
        match (self.tables.probe_wdl(chess).ok()?, ignores_fifty) {
            (AmbiguousWdl::Draw, _)
            | (AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss, false) => Some(None),
            (AmbiguousWdl::Win, _) | (AmbiguousWdl::CursedWin | AmbiguousWdl::MaybeWin, true) => {
                Some(Some(mover))
            }
            (AmbiguousWdl::Loss, _)
            | (AmbiguousWdl::BlessedLoss | AmbiguousWdl::MaybeLoss, true) => {
                Some(Some(mover.other()))
            }
            (AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_tables_nothing_is_known() {
        let tables = Tables::new(None);
        let position: ChessPosition = "8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1".parse().unwrap();
        assert_eq!(tables.winner(&position, false), None);
        let folder = Path::new("/there/is/no/such/folder");
        assert!(Tables::new(None).add_folder(folder).is_err());
    }

    #[test]
    #[ignore = "needs the Syzygy tables of four men in the folder KIBITZ_SYZYGY"]
    fn real_tables_know_who_wins() {
        let folder = std::env::var_os("KIBITZ_SYZYGY")
            .expect("KIBITZ_SYZYGY must name a folder with KQvK.rtbw and the others");
        let mut tables = Tables::new(None);
        assert!(tables.add_folder(Path::new(&folder)).unwrap() > 60);
        let mut few = Tables::new(Some(3));
        few.add_folder(Path::new(&folder)).unwrap();
        for (fen, winner) in [
            ("8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1", Some(Side::White)),
            ("8/8/8/4k3/8/8/3Q4/4K3 b - - 0 1", Some(Side::White)),
            ("4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", Some(Side::Black)),
            ("8/8/8/4k3/8/8/3B4/4K3 w - - 0 1", None),
            ("k7/2p5/8/8/8/8/5P2/7K w - - 0 1", None),
        ] {
            let position: ChessPosition = fen.parse().unwrap();
            assert_eq!(tables.winner(&position, false), Some(winner), "{fen}");
            assert_eq!(tables.winner(&position, true), Some(winner), "{fen}");
            let n_men = position.0.board().occupied().count();
            assert_eq!(few.winner(&position, false).is_some(), n_men <= 3, "{fen}");
        }
        // Who may castle is not in the tables.
        let castles: ChessPosition = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
        assert_eq!(tables.winner(&castles, false), None);
    }
}

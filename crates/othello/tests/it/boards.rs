//! Production kernels against the slow twin on boards of random play, with undo, hashes and
//! symmetries. `KIBITZ_SAMPLE` sets how many boards: a million takes seconds in a release build.

use othello::{Bitboard, Board, Game, Move, Position, Side, Symmetry, reference, sample};

const SAMPLE: usize = 20_000;

fn sample_size() -> usize {
    match std::env::var("KIBITZ_SAMPLE") {
        Ok(text) => text.parse().expect("KIBITZ_SAMPLE is a number"),
        Err(_) => SAMPLE,
    }
}

#[test]
fn kernels_undo_hashes_and_symmetries_hold_on_random_boards() {
    let mut game = Game::new();
    for (i, board) in sample::random_boards(2026).take(sample_size()).enumerate() {
        let position = Position {
            board,
            side: Side::BOTH[i % 2],
        };
        let legal = board.legal_moves();
        assert_eq!(legal, reference::legal_moves(board), "{board:?}");
        flips_agree(board, legal);
        moves_can_be_undone(&mut game, position, legal);
        symmetries_commute(board, legal);
    }
}

fn flips_agree(board: Board, legal: Bitboard) {
    for square in board.empties() {
        let flips = board.flips(square);
        assert_eq!(flips, reference::flips(board, square), "{board:?} {square}");
        assert_eq!(flips.is_empty(), !legal.contains(square));
    }
}

fn moves_can_be_undone(game: &mut Game, position: Position, legal: Bitboard) {
    game.restart(position);
    let hash = game.hash();
    let placed = legal.into_iter().map(Move::Place);
    let pass = position.board.must_pass().then_some(Move::Pass);
    for action in placed.chain(pass) {
        game.play(action).expect("a legal move");
        assert_eq!(game.hash(), game.position().hash());
        assert_ne!(game.hash(), hash);
        assert_eq!(game.undo(), Some(action));
        assert_eq!((game.position(), game.hash()), (position, hash));
    }
}

fn symmetries_commute(board: Board, legal: Bitboard) {
    let (canonical, _) = board.canonical();
    for symmetry in Symmetry::ALL {
        let image = symmetry.board(board);
        assert_eq!(symmetry.inverse().board(image), board);
        assert_eq!(image.legal_moves(), symmetry.bitboard(legal));
        assert_eq!(image.canonical().0, canonical);
        for square in legal {
            let flips = symmetry.bitboard(board.flips(square));
            assert_eq!(image.flips(symmetry.square(square)), flips);
        }
    }
}

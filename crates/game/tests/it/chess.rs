//! The rules of chess: counted, ended, and with kings on other squares.

use game::{ChessPosition, Claim, Ending, Kind, NodeId, Outcome, Position, Record, Side};

/// Positions and their published counts from depth 1 on: those of the Chess Programming Wiki, and
/// the first of its set for Chess960.
const COUNTS: [(&str, &[u64]); 12] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890],
    ),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        &[21, 528, 12_189],
    ),
    (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        &[21, 807, 18_002],
    ),
    (
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
        &[20, 479, 10_471],
    ),
    (
        "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
        &[22, 593, 13_440],
    ),
    (
        "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
        &[28, 1_120, 31_058],
    ),
    (
        "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9",
        &[29, 899, 26_578],
    ),
];

#[test]
fn counts_are_the_published_ones() {
    for (fen, counts) in COUNTS {
        let position: ChessPosition = fen.parse().unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(position.perft(depth), count, "{fen} at depth {depth}");
        }
    }
}

/// A game from a position, and where it ends.
fn game(fen: &str, moves: &[&str]) -> (Record, NodeId) {
    let start = Kind::Chess.parse_position(fen).unwrap();
    let mut record = Record::new(start);
    let mut end = record.root();
    for text in moves {
        end = record.add_text(end, text).unwrap();
    }
    (record, end)
}

#[test]
fn every_rule_that_ends_a_game_has_its_name() {
    let winner = |record: &Record, end| record.outcome_at(end).map(|it: Outcome| it.winner);
    let start = Kind::Chess.start().to_string();
    let (mate, end) = game(&start, &["f3", "e5", "g4", "Qh4"]);
    assert_eq!(mate.ending_at(end), Some(Ending::Checkmate));
    assert_eq!(winner(&mate, end), Some(Some(Side::Black)));
    for (fen, moves, ending) in [
        (
            "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
            &["Qf7"][..],
            Ending::Stalemate,
        ),
        ("7k/8/6K1/8/8/8/8/5n2 w - - 0 1", &[], Ending::Material),
        (
            "7k/8/6K1/8/8/8/8/5Q2 w - - 149 99",
            &["Qf2"],
            Ending::SeventyFiveMoves,
        ),
    ] {
        let (record, end) = game(fen, moves);
        assert_eq!(record.ending_at(end), Some(ending), "{fen}");
        assert_eq!(winner(&record, end), Some(None), "{fen}");
    }
    // The mate that is the 150th quiet move is a mate.
    let (mate, end) = game("7k/8/6K1/8/8/8/8/1Q6 w - - 149 99", &["Qb8"]);
    assert_eq!(mate.ending_at(end), Some(Ending::Checkmate));
}

#[test]
fn repetitions_and_fifty_moves_may_be_claimed_before_they_end_the_game() {
    let start = Kind::Chess.start().to_string();
    let round = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let rounds = |n: usize| game(&start, &round.repeat(n));
    let (record, end) = rounds(1);
    assert_eq!((record.claim_at(end), record.ending_at(end)), (None, None));
    let (record, end) = rounds(2);
    assert_eq!(record.claim_at(end), Some(Claim::Repetition));
    assert!(!record.is_over_at(end));
    let (record, end) = rounds(4);
    assert_eq!(record.ending_at(end), Some(Ending::Repetition));
    assert_eq!(record.claim_at(end), None);
    // Rights to castle that are gone make another position of it.
    let (record, end) = game(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        &["Ra2", "Ra7", "Ra1", "Ra8", "Ra2", "Ra7", "Ra1", "Ra8"],
    );
    assert_eq!(record.claim_at(end), None);
    let (record, end) = game("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", &["Qf2"]);
    assert_eq!(record.claim_at(end), Some(Claim::FiftyMoves));
}

#[test]
fn castling_of_chess960_comes_back_from_its_text() {
    let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
    let position = Kind::Chess.parse_position(fen).unwrap();
    let chess = position.chess().unwrap();
    assert!(chess.is_chess960());
    for (text, san) in [("e1g1", "O-O"), ("e1b1", "O-O-O")] {
        let castle = position.parse_move(san).unwrap();
        let written = castle.to_string();
        assert_eq!(position.parse_move(&written), Ok(castle), "{written}");
        assert_eq!(position.uci(castle), text);
    }
    // The same king one file on: its way to g1 is a step, and castling is not.
    let fen = "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1";
    let position = Kind::Chess.parse_position(fen).unwrap();
    let (step, castle) = (
        position.parse_move("f1g1").unwrap(),
        position.parse_move("O-O").unwrap(),
    );
    assert_ne!(step, castle);
    assert_eq!(castle.to_string(), "f1h1");
    assert_eq!(castle.chess().unwrap().to(), 6);
    assert_eq!(castle.chess().unwrap().castling_rook(), Some(7));
    // In usual chess engines get what they expect.
    let usual = Position::CHESS_START;
    assert!(!usual.chess().unwrap().is_chess960());
}

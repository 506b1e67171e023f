use super::*;
use othello::sample::SplitMix64;

fn games() -> impl Iterator<Item = othello::Game> {
    let mut random = SplitMix64::new(1);
    let random_game = move |_| {
        let mut game = othello::Game::new();
        loop {
            let moves: Vec<Square> = game.position().board.legal_moves().into_iter().collect();
            if moves.is_empty() {
                return game;
            }
            let n = random.next_u64() % moves.len() as u64;
            game.place(moves[n as usize]).unwrap();
        }
    };
    (0..200).map(random_game)
}

#[test]
fn a_line_comes_back() {
    for game in games() {
        let packed = Packed::from(&game);
        let again = packed.replay().unwrap().to_othello_game().unwrap();
        assert_eq!(again.transcript(), game.transcript());
        let prints = packed.footprints().unwrap();
        assert_eq!(prints.len(), packed.moves.len() + 1);
        assert!(prints.windows(2).all(|pair| pair[0].class < pair[1].class));
        assert_eq!(prints.last().unwrap().next, Footprint::END);
    }
}

#[test]
fn symmetric_positions_have_one_footprint_and_their_moves_come_back() {
    for game in games().take(40) {
        let packed = Packed::from(&game);
        packed
            .walk(|position, next| {
                let print = footprint(position, next);
                for symmetry in Symmetry::ALL {
                    let image = Position::from(symmetry.position(position));
                    let trail = Trail::of(&image);
                    assert_eq!((trail.class, trail.key), (print.class, print.key));
                    let Some(next) = next else { continue };
                    // The move that comes back leads to the same position up to symmetry.
                    let after = |position: &Position, action| {
                        Trail::of(&position.play(action).unwrap()).key
                    };
                    let back = trail.ways.iter().find(|way| way.next == print.next);
                    let back = back.unwrap().action;
                    let there = after(&position.into(), Move::from(next));
                    assert_eq!(after(&image, back), there);
                    assert_eq!(packed.meets(&trail).unwrap(), Some(Some(back)));
                }
            })
            .unwrap();
    }
}

#[test]
fn bytes_that_are_no_game_are_refused() {
    let packed = |moves: &[u8]| Packed {
        kind: Kind::Othello,
        start: None,
        moves: moves.to_vec(),
    };
    assert_eq!(
        packed(&[37, 37]).footprints().unwrap_err().to_string(),
        "move 2 of the stored game, byte 37, is not legal there"
    );
    assert!(packed(&[64]).replay().is_err());
    assert!(packed(&[]).footprints().unwrap().len() == 1);
}

/// Games of chess by chance, from the usual start and from others.
fn chess_games() -> Vec<Record> {
    let mut random = SplitMix64::new(5);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/PPPPPPPP/8/k6K/8/8/pppppppp/8 w - - 0 1",
        // All sixteen pieces below a pawn that promotes, and Chess960.
        "5b2/k5P1/8/8/8/PPP5/PPPPNNBB/RQKR4 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    let mut records = Vec::new();
    for n in 0..120 {
        let start = Kind::Chess.parse_position(starts[n % starts.len()]);
        let mut record = Record::new(start.unwrap());
        let mut at = record.root();
        for _ in 0..120 {
            let moves = record.position(at).unwrap().legal_moves();
            if moves.is_empty() {
                break;
            }
            let n = random.next_u64() % moves.len() as u64;
            at = record.add(at, moves[n as usize]).unwrap();
        }
        records.push(record);
    }
    records
}

#[test]
fn lines_of_chess_come_back_and_every_position_is_met() {
    for record in chess_games() {
        let packed = Packed::from(&record);
        let again = packed.replay().unwrap();
        let moves: Vec<Move> = record.main_moves().collect();
        assert_eq!(again.main_moves().collect::<Vec<_>>(), moves);
        assert!(packed.moves.len() <= 2 * moves.len());
        let prints = packed.footprints().unwrap();
        let line = std::iter::once(record.root()).chain(record.main_line());
        for (id, print) in line.zip(&prints) {
            let position = record.position(id).unwrap();
            let trail = Trail::of(position);
            assert_eq!((trail.class, trail.key), (print.class, print.key));
            assert_eq!(trail.key, position.hash());
            let next = packed.meets(&trail).unwrap().unwrap();
            if let Some(next) = next {
                let way = trail.ways.iter().find(|way| way.action == next).unwrap();
                let after = Trail::of(&position.play(next).unwrap());
                assert_eq!((way.class, way.key), (after.class, after.key));
            }
        }
    }
}

#[test]
fn every_legal_move_of_chess_has_bytes_of_its_own() {
    for record in chess_games() {
        for id in record.main_line() {
            let position = record.position(id).unwrap();
            for action in position.legal_moves() {
                let mut bytes = Vec::new();
                pack_move(position, action, &mut bytes);
                let mut read = bytes.iter();
                assert_eq!(
                    unpack_move(position, &mut read),
                    Some(action),
                    "{position} {action}"
                );
                assert_eq!(read.len(), 0);
                assert_eq!(position.parse_move(&position.san(action)), Ok(action));
            }
        }
    }
}

#[test]
fn parts_of_positions_are_recognised() {
    let square = |text: &str| text.parse::<Square>().unwrap().index();
    let mut text = ['?'; 64];
    text[square("f5")] = 'X';
    text[square("d6")] = 'O';
    text[square("c3")] = '-';
    let pattern = |text: &[char]| {
        let text: String = text.iter().collect();
        Pattern::parse(Kind::Othello, &text).unwrap()
    };
    let shows = |moves: &[&str], pattern: &Pattern| {
        let mut game = othello::Game::new();
        for it in moves {
            game.place(it.parse().unwrap()).unwrap();
        }
        Packed::from(&game).shows(pattern).unwrap()
    };
    assert!(shows(&["f5", "d6"], &pattern(&text)));
    // The same opening, mirrored.
    assert!(shows(&["e6", "f4"], &pattern(&text)));
    assert!(!shows(&["f5", "f6"], &pattern(&text)));
    text[0] = 'O';
    assert!(!shows(&["f5", "d6"], &pattern(&text)));
    let told = Pattern::parse(Kind::Othello, "XX").unwrap_err().to_string();
    assert!(told.contains("expected 64 of X, O, - and ?"), "{told}");
    let fried = "????????/?????k??/????????/????????/????????/????????/????????/????????";
    let fried = Pattern::parse(Kind::Chess, fried).unwrap();
    let mut record = Record::new(Position::CHESS_START);
    let mut at = record.root();
    assert!(!Packed::from(&record).shows(&fried).unwrap());
    for text in ["e4", "f6", "d4", "Kf7"] {
        at = record.add_text(at, text).unwrap();
    }
    assert!(Packed::from(&record).shows(&fried).unwrap());
    assert!(Pattern::parse(Kind::Chess, "8/8/8").is_err());
    assert!(Pattern::parse(Kind::Chess, "9/8/8/8/8/8/8/8").is_err());
    assert!(Pattern::parse(Kind::Chess, "x7/8/8/8/8/8/8/8").is_err());
}

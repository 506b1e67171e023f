//! Each class of mistakes at its threshold, and just short of it.

use coach::explain::{
    Evidence,
    MistakeClass::{self, FrontierBloat, MobilityLeak, ParityFlip, XSquarePoison},
    Severity,
};
use game::{Glyph, Score};
use othello::{Move, Position};

/// Black to move; the best move, the one played, and White's reply if it matters.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
);

/// A loss too small for a tempo waste.
const SMALL: i32 = -59;

fn evidence((position, best, played, reply): Case, score: i32) -> Evidence {
    evidence_after(position, &[best], &[Some(played), reply], score)
}

fn evidence_after(position: &str, best: &[&str], played: &[Option<&str>], score: i32) -> Evidence {
    let line =
        |names: &[&str]| -> Vec<Move> { names.iter().map(|name| name.parse().unwrap()).collect() };
    let played: Vec<&str> = played.iter().flatten().copied().collect();
    let (position, score) = (position.parse().unwrap(), Score::centi(score));
    Evidence::of(position, &line(best), &line(&played), score).unwrap()
}

fn classes(case: Case, score: i32) -> Vec<MistakeClass> {
    evidence(case, score).classes()
}

#[test]
fn mobility_leak() {
    const BOARD: &str = "---------OX------OX-----OOOXO---OOOOX---X---OX------------------ X";
    const OTHER: &str = "------------------X-------OXO------OO-------O------------------- X";
    let leak = (BOARD, "a3", "c6", None);
    let deltas = |case| {
        let evidence = evidence(case, SMALL);
        (evidence.mobility, evidence.opponent_mobility)
    };
    assert_eq!(deltas(leak), (-3, 2));
    assert_eq!(classes(leak, SMALL), [MobilityLeak]);
    // One reply short, and one own move short.
    assert_eq!(deltas((BOARD, "a3", "a2", None)), (-3, 1));
    assert_eq!(classes((BOARD, "a3", "a2", None), SMALL), []);
    assert_eq!(deltas((OTHER, "d6", "f4", None)), (-2, 2));
    assert_eq!(classes((OTHER, "d6", "f4", None), SMALL), []);
}

#[test]
fn parity_flip() {
    const FIVE: &str = "OX-O-O--XOX--O---XOXXO--OXOXOO--OOOOXO--XXOOOO----OOX-O--O--X--- X";
    const THREE: &str = "XO-X-XO-XXO--O--XXXOOX--XOXOXX--XXOXOX--OOOOXX----OXO-X--XOOOO-- X";
    // Every reply to the best move: those after which the region stays Black's make it a flip.
    let after_best = FIVE
        .parse::<Position>()
        .unwrap()
        .play("g1".parse().unwrap());
    let replies = after_best.unwrap().board.legal_moves().into_iter();
    let replies: Vec<String> = replies.map(|square| square.to_string()).collect();
    let found = |played: &str, reply: Option<&str>| -> Vec<Evidence> {
        let with =
            |answer: &String| evidence_after(FIVE, &["g1", answer], &[Some(played), reply], SMALL);
        replies.iter().map(with).collect()
    };
    let (kept, lost): (Vec<_>, Vec<_>) = found("a3", Some("a7"))
        .into_iter()
        .partition(|evidence| evidence.parity_flip.is_some());
    assert!(!kept.is_empty() && !lost.is_empty());
    for evidence in kept {
        let region = evidence.parity_flip.unwrap();
        assert_eq!(region.region.to_string(), "a7 b7 a8 c8 d8");
        assert_eq!(region.left.to_string(), "b7 a8 c8 d8");
        assert_eq!(evidence.classes(), [ParityFlip]);
    }
    // The region stays Black's with another move and reply; a region of three does not count; and
    // without replies nothing has happened yet.
    let never = found("d2", Some("c1"));
    assert!(never.iter().all(|evidence| evidence.parity_flip.is_none()));
    assert_eq!(classes((THREE, "c1", "a7", Some("e1")), SMALL), []);
    assert_eq!(classes((FIVE, "g1", "a3", Some("a7")), SMALL), []);
}

#[test]
fn frontier_bloat() {
    const EMPTIES_24: &str = "XO-X-XO-OXO--O---OXOOX--XOXOXX--XXOXOX--OOXOXX----XXO-X--X-XOO-- X";
    const EMPTIES_23: &str = "OX-O-OX-OOX--X--OOOXXO--OXOXOO--OOXOXO--XXOXOO----OOX-O--O-OXX-- X";
    let measures = |case| {
        let evidence = evidence(case, SMALL);
        (evidence.frontier, evidence.empties)
    };
    let bloat = (EMPTIES_24, "a3", "c1", None);
    assert_eq!(measures(bloat), (3, 24));
    assert_eq!(classes(bloat, SMALL), [FrontierBloat]);
    // One disc short, and one empty square short.
    assert_eq!(measures((EMPTIES_24, "a3", "b7", None)), (2, 24));
    assert_eq!(classes((EMPTIES_24, "a3", "b7", None), SMALL), []);
    assert_eq!(measures((EMPTIES_23, "d2", "g6", None)), (3, 23));
    assert_eq!(classes((EMPTIES_23, "d2", "g6", None), SMALL), []);
}

#[test]
fn x_square_poison() {
    const TRAP: &str = "-O-X----OOO------OXOXX--XXOOO---XXXOO---O--OOO------------------ X";
    const SAFE: &str = "------------------O------OOOX------XX-------X------------------- X";
    const C_SQUARE: &str = "---------OX-------X-----OOOOO------OO-------O------------------- X";
    let poison = (TRAP, "c1", "g7", None);
    let corner = evidence(poison, -100).poisoned_corner.unwrap();
    assert_eq!(corner.to_string(), "h8");
    assert_eq!(classes(poison, -100), [XSquarePoison]);
    // One centidisc short.
    assert_eq!(classes(poison, -99), []);
    // An X square whose corner White cannot take, and a C square whose corner White can.
    assert_eq!(classes((SAFE, "b3", "b2", None), -100), []);
    assert_eq!(classes((C_SQUARE, "a1", "a2", None), -100), []);
}

#[test]
fn a_move_that_costs_nothing_is_no_mistake() {
    const LEAK: &str = "---------OX------OX-----OOOXO---OOOOX---X---OX------------------ X";
    // A quarter of a disc is what searches cannot tell from nothing.
    assert_eq!(classes((LEAK, "a3", "c6", None), -25), []);
    assert_eq!(classes((LEAK, "a3", "c6", None), -26), [MobilityLeak]);
}

#[test]
fn evidence_needs_legal_moves() {
    let position = "---------------------------OX------XO--------------------------- X";
    let evidence = |best: &str, played: &str| {
        let line = |name: &str| [name.parse::<Move>().unwrap()];
        let position = position.parse().unwrap();
        Evidence::of(position, &line(best), &line(played), Score::centi(-100))
    };
    assert!(evidence("d3", "a1").is_none() && evidence("a1", "d3").is_none());
}

#[test]
fn severity_follows_the_lost_chances() {
    for (lost, severity, glyph) in [
        (0.0499, Severity::Fine, None),
        (0.05, Severity::Inaccuracy, Some(Glyph::DUBIOUS)),
        (0.0999, Severity::Inaccuracy, Some(Glyph::DUBIOUS)),
        (0.10, Severity::Mistake, Some(Glyph::MISTAKE)),
        (0.1999, Severity::Mistake, Some(Glyph::MISTAKE)),
        (0.20, Severity::Blunder, Some(Glyph::BLUNDER)),
    ] {
        assert_eq!(Severity::of(lost), severity, "{lost}");
        assert_eq!(severity.glyph(), glyph);
    }
}

#[test]
fn many_discs_are_a_mistake_in_a_lost_game_too() {
    for (discs, severity) in [
        (599, Severity::Fine),
        (600, Severity::Inaccuracy),
        (1199, Severity::Inaccuracy),
        (1200, Severity::Mistake),
        (5000, Severity::Mistake),
    ] {
        assert_eq!(
            Severity::of_loss(0.0, Score::centi(discs)),
            severity,
            "{discs}"
        );
        assert_eq!(
            Severity::of_loss(0.2, Score::centi(discs)),
            Severity::Blunder
        );
    }
    // Lost by ten discs or by forty-eight.
    let severity = Severity::of_scores(Score::centi(-1000), Score::centi(-4800), 10, true);
    assert_eq!(severity, Severity::Mistake);
}

//! Records from and to the notations of Othello.

use game::{Glyph, Lost, Outcome, Position, Record, Tags, Termination};
use othello::{
    notation::{self, ObfEntry, WthorDirectory, compact_transcript, parse_transcript, read_ggf},
    sample::SplitMix64,
};
use proptest::prelude::*;

/// A whole random game.
fn random_game(seed: u64) -> othello::Game {
    let mut random = SplitMix64::new(seed);
    let mut game = othello::Game::new();
    while !game.is_over() {
        let legal = game.position().board.legal_moves();
        let action = match legal.len() {
            0 => othello::Move::Pass,
            n => legal
                .into_iter()
                .nth(random.below(n) as usize)
                .unwrap()
                .into(),
        };
        game.play(action).unwrap();
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn a_main_line_survives_every_notation(seed: u64) {
        let game = random_game(seed);
        let record = Record::from(&game);
        prop_assert_eq!(&record.to_othello_game().unwrap(), &game);
        let (shape, lost) = record.to_notation().unwrap();
        prop_assert!(lost.is_nothing());
        prop_assert_eq!(&Record::from_notation(&shape), &(record.clone(), Lost::default()));

        let transcript = compact_transcript(&shape.game);
        let read = parse_transcript(&transcript).unwrap();
        prop_assert_eq!(&Record::from(&read), &record);

        let (ggf, _) = record.to_ggf().unwrap();
        prop_assert_eq!(&Record::from_ggf(&ggf).unwrap().0, &record);

        let directory = WthorDirectory::default();
        let wthor = shape.to_wthor(&directory).unwrap();
        let again = notation::Record::from_wthor(&wthor, 0, &directory).unwrap();
        prop_assert_eq!(&Record::from_notation(&again).0, &record);
    }
}

#[test]
fn ggf_keeps_tags_evals_times_the_comment_and_the_reason_of_the_result() {
    let text = "(;GM[Othello]PC[Club]DT[2026]PB[Ann]PW[Bob]RB[2000.5]TI[05:00]TY[8]RE[+64.000:r]\
                BO[8 ---------------------------O*------*O--------------------------- *]\
                C[well played]B[F5]W[D6/1.5/0.1]B[C3];)";
    let ggf = read_ggf(text.as_bytes()).next().unwrap().unwrap();
    let (record, lost) = Record::from_ggf(&ggf).unwrap();
    assert!(lost.is_nothing());
    assert_eq!(record.tags.get(Tags::BLACK), Some("Ann"));
    assert_eq!(record.tags.get(Tags::TIME_CONTROL), Some("05:00"));
    assert_eq!(
        record.outcome,
        Some(Outcome::counted(6400, Termination::Resignation))
    );
    let d6 = record.main_line().nth(1).unwrap();
    let note = &record.node(d6).unwrap().note;
    assert_eq!(note.eval.as_deref(), Some("1.5"));
    assert_eq!(note.time.as_deref(), Some("0.1"));
    let mut bytes = Vec::new();
    record.to_ggf().unwrap().0.write_to(&mut bytes).unwrap();
    assert_eq!(str::from_utf8(&bytes).unwrap(), text);
}

#[test]
fn ggf_keeps_other_tags_and_comments_in_their_places() {
    let text = "(;GM[Othello]PC[GGS/os]DT[2003-12-15 13:24:03.GMT]PB[Ann]PW[Bob]RB[2197.01]\
                RW[2683.2]TI[05:00//02:00]TY[8r18]RE[-64.000:r]KM[1.5]CO[a header comment]\
                BO[8 ---------------------------O*------*O--------------------------- *]\
                C[at first]B[F5/-1.25/3.2]W[D6//1.01]C[a move]C[comment]B[C3]C[the end];)";
    let ggf = read_ggf(text.as_bytes()).next().unwrap().unwrap();
    let (record, _) = Record::from_ggf(&ggf).unwrap();
    let comments: Vec<Option<&str>> = std::iter::once(record.root())
        .chain(record.main_line())
        .map(|id| record.node(id).unwrap().note.comment.as_deref())
        .collect();
    let expected = [
        Some("at first"),
        None,
        Some("a move\n\ncomment"),
        Some("the end"),
    ];
    assert_eq!(comments, expected);
    let (again, lost) = record.to_ggf().unwrap();
    assert!(lost.is_nothing(), "{lost:?}");
    let mut bytes = Vec::new();
    again.write_to(&mut bytes).unwrap();
    let written = str::from_utf8(&bytes).unwrap();
    let one = text.replace("C[a move]C[comment]", "C[a move\n\ncomment]");
    assert_eq!(written, one);
    assert_eq!(Record::from_ggf(&again).unwrap().0, record);
}

#[test]
fn what_does_not_fit_is_counted() {
    let mut record = Record::new(Position::OTHELLO_START);
    let f5 = record.add_text(record.root(), "f5").unwrap();
    let d6 = record.add_text(f5, "d6").unwrap();
    record.add_text(f5, "f6").unwrap();
    let note = record.note_mut(d6).unwrap();
    note.comment = Some("the tiger's way".to_owned());
    note.glyphs.push(Glyph::GOOD);
    record.tags.set("Annotator", "Ann");
    let (shape, lost) = record.to_notation().unwrap();
    assert_eq!(shape.game.transcript(), "f5d6");
    assert_eq!(
        lost,
        Lost {
            variation_moves: 1,
            comments: 1,
            glyphs: 1,
            tags: 1,
            illegal_candidates: 0
        }
    );
}

#[test]
fn obf_candidates_are_variations() {
    let line = "---------------------------OX------XO--------------------------- X; F5:+1; D3:-0.50; \
                --:-127; % x";
    let entry: ObfEntry = line.parse().unwrap();
    let (record, lost) = Record::from_notation(&entry.into());
    assert_eq!(lost.illegal_candidates, 1);
    assert_eq!(record.children(record.root()).len(), 2);
    let (shape, lost) = record.to_scored_position(record.root()).unwrap();
    assert!(lost.is_nothing());
    assert_eq!(shape.to_obf().to_string(), line.replace(" --:-127;", ""));
}

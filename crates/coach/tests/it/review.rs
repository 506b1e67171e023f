//! What is said about a whole game.

use crate::truth::analyst;
use app::{
    explain::{Effort, Witness},
    review::judge_game,
};
use coach::{
    Voice,
    explain::Severity,
    review::{Answers, GameReview, JudgedMove, MistakeOrder, Phase},
};
use game::{Outcome, Termination};
use othello::{Game, Side, sample::SplitMix64};
use std::sync::atomic::AtomicBool;

/// A game of chance, judged by a few plies.
fn judged(seed: u64) -> (Vec<JudgedMove>, Game) {
    let mut random = SplitMix64::new(seed);
    let mut game = Game::new();
    while !game.is_over() {
        let legal = game.position().board.legal_moves();
        if legal.is_empty() {
            game.play(othello::Move::Pass).unwrap();
            continue;
        }
        let choice = random.below(legal.len()) as usize;
        game.place(legal.into_iter().nth(choice).unwrap()).unwrap();
    }
    let effort = Effort {
        depth: 4,
        solve_empties: 8,
        ..Effort::REVIEW
    };
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, effort, &|| 0, &stop);
    let mut done = Vec::new();
    let judged = judge_game(&game, &mut witness, &mut |n| done.push(n)).unwrap();
    assert_eq!(done, (1..=judged.len()).collect::<Vec<_>>());
    (judged, game)
}

fn review<'a>(judged: &'a [JudgedMove], game: &Game) -> GameReview<'a> {
    let outcome = game.outcome().unwrap();
    GameReview {
        moves: judged.iter().collect(),
        outcome: Some(Outcome::counted(
            100 * outcome.score_for(Side::Black),
            Termination::Normal,
        )),
    }
}

#[test]
fn a_game_is_counted_by_side_and_phase() {
    let (judged, game) = judged(5);
    let review = review(&judged, &game);
    let numbers: Vec<u32> = judged.iter().map(|it| it.number).collect();
    assert_eq!(numbers, (1..=judged.len() as u32).collect::<Vec<_>>());
    for side in [Side::Black, Side::White] {
        let whole = review.side(side);
        let parts = Phase::ALL.map(|phase| review.phase(phase, side));
        assert_eq!(whole.moves, parts.iter().map(|it| it.moves).sum::<u32>());
        assert_eq!(whole.loss, parts.iter().map(|it| it.loss).sum());
        let lost = judged.iter().filter(|it| it.side() == side);
        assert_eq!(whole.loss, lost.map(|it| it.judgement.loss).sum());
        let accuracy = whole.accuracy.unwrap();
        assert!((0.0..100.0).contains(&accuracy), "{accuracy}");
    }
    let by_game = review.mistakes(MistakeOrder::Game);
    let mut by_size = review.mistakes(MistakeOrder::Size);
    assert!(by_game.len() > 5 && by_game.is_sorted());
    let loss = |&place: &usize| judged[place].judgement.loss;
    assert!(by_size.iter().map(loss).is_sorted_by(|a, b| a >= b));
    by_size.sort_unstable();
    assert_eq!(by_size, by_game);
}

#[test]
fn the_last_move_that_lost_the_lead_is_the_turning_point() {
    for seed in 0..6 {
        let (judged, game) = judged(seed);
        let review = review(&judged, &game);
        let turn = review.turning_point();
        let turns = |it: &JudgedMove| {
            let sign = |of: &coach::explain::Candidate| match of.score.hundredths() {
                0 => 0,
                it if of.solved || it.abs() >= 100 => it.signum(),
                _ => 0,
            };
            let judgement = &it.judgement;
            judgement.severity() > Severity::Fine && sign(&judgement.played) < sign(&judgement.best)
        };
        let last = judged.iter().rposition(turns);
        assert_eq!(turn, last);
    }
}

#[test]
fn three_sentences_in_one_voice() {
    for seed in 0..6 {
        let (judged, game) = judged(seed);
        let review = review(&judged, &game);
        for voice in [
            Voice::Colours,
            Voice::You(Side::Black),
            Voice::You(Side::White),
        ] {
            let summary = review.summary(voice, Answers::Told);
            assert_eq!(summary.len(), 3);
            assert!(summary.iter().all(|it| it.ends_with('.')), "{summary:?}");
            if let Voice::You(side) = voice {
                let text = summary.join(" ");
                assert!(!text.contains(&side.to_string()), "{text}");
            }
        }
        if let Some(place) = review.turning_point() {
            let it = &judged[place];
            let told = format!("{}. {}:", it.number, it.square());
            assert!(review.summary(Voice::Colours, Answers::Told)[1].contains(&told));
        }
    }
    let none = GameReview {
        moves: Vec::new(),
        outcome: None,
    };
    assert!(none.summary(Voice::Colours, Answers::Told).is_empty());
}

#[test]
fn a_summary_says_who_won_before_the_rules_ended_the_game() {
    let (judged, _) = judged(5);
    for (termination, told) in [
        (Termination::Resignation, ": you resigned."),
        (Termination::TimeForfeit, ": your time ran out."),
    ] {
        let lost = GameReview {
            moves: judged.iter().take(20).collect(),
            outcome: Some(Outcome::lost_by(Side::Black, termination)),
        };
        let course = &lost.summary(Voice::You(Side::Black), Answers::Told)[0];
        assert!(course.starts_with("White won with"), "{course}");
        assert!(course.ends_with(told), "{course}");
    }
}

/// A reader who is still to try a mistake is not told what was better.
#[test]
fn a_summary_can_withhold_the_answers() {
    let mut n_differ = 0;
    for seed in 0..6 {
        let (judged, game) = judged(seed);
        let review = review(&judged, &game);
        let told = review.summary(Voice::Colours, Answers::Told);
        let withheld = review.summary(Voice::Colours, Answers::Withheld);
        assert_eq!(withheld.len(), 3);
        assert_eq!(told[0], withheld[0]);
        let squares = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            let is_square = |word: &&str| word.parse::<othello::Square>().is_ok();
            words.filter(is_square).map(str::to_owned).collect()
        };
        // Whatever is named was played.
        for (name, sentence) in withheld
            .iter()
            .flat_map(|it| squares(it).into_iter().map(move |name| (name, it)))
        {
            let played = |it: &JudgedMove| {
                it.square().to_string() == name
                    && sentence.contains(&format!("{}. {name}", it.number))
            };
            assert!(judged.iter().any(played), "{sentence}");
        }
        n_differ += usize::from(told != withheld);
    }
    assert!(n_differ > 0);
}

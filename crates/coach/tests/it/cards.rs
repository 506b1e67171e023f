//! Cards as a reader sees them, to be read by somebody who plays well.

use crate::truth::{analyst_with, number, tournament_games};
use app::explain::{EXPLAIN_HASH_MB, Effort, Witness};
use coach::explain::{Explainer, Explanation, Judgement};
use game::Score;
use othello::{Position, Side, Square, sample::SplitMix64};
use std::sync::atomic::AtomicBool;

/// Enough to find the moves that cost most.
const GLANCE: Effort = Effort {
    depth: 8,
    solve_empties: 12,
    ..Effort::FIRST_LOOK
};

/// `KIBITZ_WTHOR=DIR cargo test -p coach --test it cards_of_tournament_games -- --ignored --nocapture`
/// prints three cards of each of `KIBITZ_CARDS_GAMES` games (20), those of the moves that cost most,
/// two discs or more; `KIBITZ_CARDS_SEED` says which games.
#[test]
#[ignore = "needs the WTHOR base and a reader"]
fn cards_of_tournament_games() {
    let games = tournament_games();
    let mut random = SplitMix64::new(u64::from(number("KIBITZ_CARDS_SEED", 60)));
    let mut analyst = analyst_with(EXPLAIN_HASH_MB as usize);
    let stop = AtomicBool::new(false);
    let mut n_cards = 0;
    for n_game in 1..=number("KIBITZ_CARDS_GAMES", 20) {
        let game = &games[random.below(games.len() as u32) as usize];
        let mut moves: Vec<(Position, Square)> = Vec::new();
        game.visit(|position, square, _| moves.push((position, square)))
            .unwrap();
        let mut glance = Witness::new(&mut analyst, GLANCE, &|| 0, &stop);
        let mut explainer = Explainer::new();
        let mut costly: Vec<(Score, Position, Square)> = Vec::new();
        for (position, square) in moves {
            let judgement = explainer.judge(&mut glance, position, square).unwrap();
            costly.push((judgement.loss, position, square));
        }
        costly.sort_by_key(|(loss, ..)| -*loss);
        let mut shown = 0;
        for (_, position, square) in costly {
            analyst.clear();
            let mut witness = Witness::new(&mut analyst, Effort::default(), &|| 0, &stop);
            let explanation = explainer.explain(&mut witness, position, Some(square));
            let explanation = explanation.unwrap();
            let judgement = explanation.judgement().unwrap();
            if judgement.loss >= Score::centi(200) {
                n_cards += 1;
                shown += 1;
                println!("\nCard {n_cards}, game {n_game}");
                print_card(&explanation, &judgement);
            }
            if shown == 3 {
                break;
            }
        }
    }
}

/// A card as a reader sees it.
fn print_card(explanation: &Explanation, judgement: &Judgement) {
    let position = explanation.position;
    let played = judgement.played.square;
    println!(
        "\n{} to move, {} empty; played {played}, better {}",
        position.side,
        position.board.empties().len(),
        explanation.best.square
    );
    println!("  a b c d e f g h");
    for rank in 0..8 {
        let row: Vec<&str> = (0..8)
            .map(|file| {
                let square = Square::at(file, rank).unwrap();
                match () {
                    () if square == played => "?",
                    () if square == explanation.best.square => "!",
                    () if position.discs(Side::Black).contains(square) => "X",
                    () if position.discs(Side::White).contains(square) => "O",
                    () => ".",
                }
            })
            .collect();
        println!("{} {}", rank + 1, row.join(" "));
    }
    println!("{position}");
    println!("{}: {}", explanation.title(), explanation.summary());
    for reason in explanation.card() {
        println!("  {:<9} {} [{}]", reason.tag(), reason.text, reason.squares);
    }
    for reason in explanation.more() {
        println!("  more: {:<9} {}", reason.tag(), reason.text);
    }
    for mistake in &judgement.mistakes {
        println!("  {}: {}", mistake.class, mistake.text);
    }
    for line in [&judgement.best, &judgement.played] {
        let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        println!("  {:>7} {}", line.score, moves.join(" "));
    }
}

//! Positions of many games: every fact and count must be true, and nearly every suggestion must
//! have a reason.

use crate::checker::{Tally, check, check_judgement};
use app::{
    Analyst, EngineChoice, EvaluatorChoice, Settings,
    explain::{Effort, Witness},
};
use coach::{
    Analyst as _, Question,
    explain::{Basis, Claim, Explainer, Explanation, Judgement, MistakeClass, SpeaksFor, Tag},
};
use game::Score;
use othello::{
    Move, Position, Square,
    notation::{WthorGame, read_wthor},
    sample::SplitMix64,
};
use std::{collections::BTreeMap, fs::File, io::BufReader, sync::atomic::AtomicBool};

/// What was found out.
#[derive(Debug, Default)]
struct Survey {
    tally: Tally,
    suggestions: usize,
    /// Suggestions with a reason.
    explained: usize,
    /// Suggestions with a reason that is a fact or a count.
    by_rules: usize,
    comparisons: usize,
    compared: usize,
    kinds: BTreeMap<String, usize>,
    /// Compared moves that lose two discs or more.
    costly: usize,
    /// Those whose first reason is a fact or a count, and those where it lies within eight plies.
    first_by_rules: [usize; 2],
    /// Those whose heaviest reason speaks for the worse move.
    trade_offs: usize,
    /// Those with nothing but the evaluation to say, or nothing at all.
    by_model: usize,
    silent: usize,
    on_cards: usize,
    /// Judged moves that lose four discs or more, and those with another class than tempo waste.
    heavy: usize,
    named: usize,
    /// Those with nothing but a proven count.
    miscounted: usize,
    classes: BTreeMap<&'static str, usize>,
    certainty: BTreeMap<&'static str, usize>,
}

impl Survey {
    fn see(&mut self, explanation: &Explanation) {
        self.tally.add(&check(explanation).unwrap());
        for reason in &explanation.reasons {
            let kind = format!("{:?}", reason.claim);
            let kind = kind.split(' ').next().unwrap_or_default().to_owned();
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    fn suggestion(&mut self, explanation: &Explanation) {
        self.see(explanation);
        self.suggestions += 1;
        // Where every move is as good, there is nothing to give a reason for.
        let has_no_rival = explanation.other.is_none();
        self.explained += usize::from(has_no_rival || explanation.has_reason());
        let by_rules = explanation.reasons.iter().any(|reason| {
            reason.speaks_for == SpeaksFor::Best && matches!(reason.tag(), Tag::Fact | Tag::Count)
        });
        self.by_rules += usize::from(by_rules);
    }

    fn comparison(&mut self, explanation: &Explanation) {
        self.see(explanation);
        self.comparisons += 1;
        self.compared += usize::from(explanation.has_reason());
    }

    /// What a card of a move that costs something looks like.
    fn card(&mut self, explanation: &Explanation, judgement: &Judgement) {
        if judgement.loss >= Score::centi(200) {
            self.costly += 1;
            self.on_cards += explanation.card().len();
            self.trade_offs += usize::from(explanation.is_trade_off());
            self.silent += usize::from(!explanation.has_reason());
            *self
                .certainty
                .entry(explanation.certainty.name())
                .or_default() += 1;
            if let Some(first) = explanation.reasons.first() {
                let by_rules = first.basis != Basis::Model && first.speaks_for == SpeaksFor::Best;
                let is_result = matches!(first.claim, Claim::EndsBetter { .. });
                let is_far = is_result || first.line.len() > 8;
                self.first_by_rules[0] += usize::from(by_rules);
                self.first_by_rules[1] += usize::from(by_rules && !is_far);
                self.by_model += usize::from(first.basis == Basis::Model);
            }
        }
        if judgement.loss >= Score::centi(400) {
            self.heavy += 1;
            let first = judgement.mistakes.first().map(|it| it.class);
            let is_named = first.is_some_and(|it| it != MistakeClass::TempoWaste);
            self.named += usize::from(is_named);
            self.miscounted += usize::from(first == Some(MistakeClass::EndgameMiscount));
            let name = first.map_or("none", MistakeClass::name);
            *self.classes.entry(name).or_default() += 1;
        }
    }

    fn print(&self) {
        println!("{self:#?}");
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        println!(
            "of {} moves that lose 2 discs or more: first reason by rules {:.1} %, within 8 plies \
             {:.1} %; heaviest for the worse move {:.1} %; model only {:.1} %, silent {:.1} %; {:.2} \
             reasons on a card. Of {} that lose 4 or more: {:.1} % named, {:.1} % by a proven count only",
            self.costly,
            share(self.first_by_rules[0], self.costly),
            share(self.first_by_rules[1], self.costly),
            share(self.trade_offs, self.costly),
            share(self.by_model, self.costly),
            share(self.silent, self.costly),
            self.on_cards as f64 / self.costly.max(1) as f64,
            self.heavy,
            share(self.named, self.heavy),
            share(self.miscounted, self.heavy),
        );
        let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        println!(
            "suggestions with a reason: {:.2} % of {} ({:.2} % by rules alone); moves played \
             instead: {:.2} % of {}",
            percent(self.explained, self.suggestions),
            self.suggestions,
            percent(self.by_rules, self.suggestions),
            percent(self.compared, self.comparisons),
            self.comparisons
        );
    }
}

pub(crate) fn analyst() -> Analyst {
    analyst_with(8)
}

pub(crate) fn analyst_with(hash_mb: usize) -> Analyst {
    Analyst::new(&Settings {
        evaluator: EvaluatorChoice::Pattern,
        engine: EngineChoice::AlphaBeta,
        weights: None,
        hash_mb,
        threads: 1,
    })
    .unwrap()
}

/// Explains the best move, and the played one if it is another; a played best move is compared
/// with some other legal one.
fn examine(
    survey: &mut Survey,
    witness: &mut Witness<'_>,
    position: Position,
    played: Square,
    random: &mut SplitMix64,
) {
    let mut explainer = Explainer::new();
    let explanation = explainer.explain(witness, position, None).unwrap();
    survey.suggestion(&explanation);
    let others: Vec<Square> = position
        .board
        .legal_moves()
        .into_iter()
        .filter(|&square| square != explanation.best.square)
        .collect();
    if others.is_empty() {
        return;
    }
    let other = match others.contains(&played) {
        true => played,
        false => others[random.below(others.len() as u32) as usize],
    };
    let comparison = explainer.explain(witness, position, Some(other)).unwrap();
    survey.comparison(&comparison);
    let judgement = comparison.judgement().unwrap();
    let tally = check_judgement(position, &judgement).unwrap();
    survey.tally.add(&tally);
    if other == played {
        survey.card(&comparison, &judgement);
    }
}

/// A game between the engine at two plies and chance, one move in three.
fn generated_game(witness: &mut Witness<'_>, random: &mut SplitMix64) -> Vec<(Position, Square)> {
    let mut moves = Vec::new();
    let mut position = Position::START;
    while !position.board.is_game_over() {
        if position.board.must_pass() {
            position = position.swapped();
            continue;
        }
        let legal = position.board.legal_moves();
        let square = if random.below(3) == 0 {
            let choice = random.below(legal.len()) as usize;
            legal.into_iter().nth(choice).unwrap()
        } else {
            let question = Question {
                lines: 1,
                plies_played: 4,
                depth_max: Some(2),
            };
            let best = witness.analyse(position, question).unwrap().best();
            let Some(Move::Place(square)) = best.and_then(|it| it.othello()) else {
                unreachable!("a legal move exists");
            };
            square
        };
        moves.push((position, square));
        position = position.play(square).unwrap();
    }
    moves
}

#[test]
fn facts_and_counts_of_generated_games_are_true() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let effort = Effort {
        depth: 6,
        solve_empties: 10,
        ..Effort::REVIEW
    };
    let mut witness = Witness::new(&mut analyst, effort, &|| 0, &stop);
    let mut random = SplitMix64::new(2026);
    let mut survey = Survey::default();
    for _ in 0..16 {
        let game = generated_game(&mut witness, &mut random);
        for &(position, played) in game.iter().skip(random.below(6) as usize).step_by(6) {
            examine(&mut survey, &mut witness, position, played, &mut random);
        }
    }
    survey.print();
    assert!(survey.suggestions > 100);
    assert!(survey.tally.facts > 100 && survey.tally.counts > 300);
    assert!(20 * survey.explained >= 19 * survey.suggestions);
}

/// Every line goes as far as its search, a proven one to the end of the game; and the parts of an
/// evaluation are a reason only where that evaluation is the score.
#[test]
fn lines_end_where_the_search_valued_them() {
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let effort = Effort {
        depth: 7,
        solve_empties: 10,
        ..Effort::REVIEW
    };
    let mut witness = Witness::new(&mut analyst, effort, &|| 0, &stop);
    let mut random = SplitMix64::new(5);
    let (mut n_lines, mut n_valued) = (0, 0);
    for _ in 0..6 {
        let game = generated_game(&mut witness, &mut random);
        for &(position, _) in game.iter().step_by(5) {
            let explanation = Explainer::new().explain(&mut witness, position, None);
            let explanation = explanation.unwrap();
            let lines = [Some(&explanation.best), explanation.other.as_ref()];
            let mut are_valued = true;
            for line in lines.into_iter().flatten() {
                let end = line.end();
                if line.solved {
                    assert!(line.is_complete(), "{position} {:?}", line.moves);
                } else if !end.board.is_game_over() {
                    let placed = line.moves.iter().filter(|it| **it != Move::Pass).count();
                    assert_eq!(placed as u32, line.depth, "{position} {:?}", line.moves);
                    let value = witness.attribute(end).unwrap().total();
                    let own = value.seen_by(position.side, end.side);
                    let is_valued = (own - line.score).hundredths().abs() <= 100;
                    are_valued &= is_valued;
                    n_lines += 1;
                    n_valued += usize::from(is_valued);
                }
            }
            let has_model = explanation
                .reasons
                .iter()
                .any(|reason| reason.basis == Basis::Model);
            assert!(are_valued || !has_model, "{position}");
        }
    }
    assert!(
        n_lines > 50 && 2 * n_valued > n_lines,
        "{n_valued} of {n_lines}"
    );
}

/// A number from the environment.
pub(crate) fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// All games of the WTHOR base in the folder that `KIBITZ_WTHOR` names.
pub(crate) fn tournament_games() -> Vec<WthorGame> {
    let folder = std::env::var("KIBITZ_WTHOR").expect("KIBITZ_WTHOR names the folder");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "wtb"))
        .collect();
    paths.sort();
    paths
        .iter()
        .flat_map(|path| read_wthor(BufReader::new(File::open(path).unwrap())).unwrap())
        .map(Result::unwrap)
        .collect()
}

/// `KIBITZ_WTHOR=DIR cargo test -p coach --test it tournament -- --ignored --nocapture`, with the
/// `.wtb` files in DIR; `KIBITZ_WTHOR_GAMES`, `KIBITZ_WTHOR_DEPTH` and `KIBITZ_WTHOR_POSITIONS` (of
/// each game) are 2000, 14 and 1 unless set; `KIBITZ_WTHOR_SEED` says which games.
#[test]
#[ignore = "needs the WTHOR base"]
fn facts_and_counts_of_tournament_games_are_true() {
    let games = tournament_games();
    let wanted = number("KIBITZ_WTHOR_GAMES", 2000) as usize;
    let effort = Effort {
        depth: number("KIBITZ_WTHOR_DEPTH", 14),
        solve_empties: 18,
        ..Effort::REVIEW
    };
    let n_positions = number("KIBITZ_WTHOR_POSITIONS", 1);
    let mut analyst = analyst();
    let stop = AtomicBool::new(false);
    let mut witness = Witness::new(&mut analyst, effort, &|| 0, &stop);
    let mut random = SplitMix64::new(u64::from(number("KIBITZ_WTHOR_SEED", 13)));
    let mut survey = Survey::default();
    for _ in 0..wanted {
        let game = &games[random.below(games.len() as u32) as usize];
        let mut moves = Vec::new();
        game.visit(|position, square, _| moves.push((position, square)))
            .unwrap();
        for _ in 0..if moves.is_empty() { 0 } else { n_positions } {
            let (position, played) = moves[random.below(moves.len() as u32) as usize];
            examine(&mut survey, &mut witness, position, played, &mut random);
        }
    }
    survey.print();
    assert!(20 * survey.explained >= 19 * survey.suggestions);
}

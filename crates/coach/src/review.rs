//! A whole game looked at: what each side lost and where, the move that turned it, and three sentences
//! about it.

use crate::{
    Voice,
    explain::{Judgement, Severity, winning_chances},
};
use game::{Outcome, Score, Termination};
use othello::{Position, Side, Square};

/// A move of a reviewed game.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedMove {
    /// Which move of the game it is, from 1; passes are not counted.
    pub number: u32,
    /// The position before it.
    pub position: Position,
    pub judgement: Judgement,
}

impl JudgedMove {
    pub const fn side(&self) -> Side {
        self.position.side
    }

    pub const fn square(&self) -> Square {
        self.judgement.played.square
    }

    pub fn phase(&self) -> Phase {
        Phase::of(self.position.board.empties().len())
    }

    /// Whether there was something to choose from.
    pub fn had_choice(&self) -> bool {
        self.position.board.mobility() > 1
    }

    /// How good the move was, from 0 to 100: 100 without a loss, 88 for a disc, 61 for four, 37 for
    /// eight.
    pub fn accuracy(&self) -> f64 {
        100.0 * (-self.judgement.loss.units() / ACCURACY_DISCS).exp()
    }

    /// Black's chances to win once the move was made, from 0 to 1.
    pub fn chances_of_black(&self) -> f64 {
        let played = &self.judgement.played;
        let empties = self.position.board.empties().len();
        let own = winning_chances(played.score, empties, played.solved);
        match self.side() {
            Side::Black => own,
            Side::White => 1.0 - own,
        }
    }
}

/// The loss that leaves a share of 1 / e of a move's accuracy.
const ACCURACY_DISCS: f64 = 8.0;

/// The parts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// More than 40 empty squares.
    Opening,
    /// 40 to 21 empty squares.
    Middlegame,
    /// 20 empty squares and fewer.
    Endgame,
}

impl Phase {
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// By the empty squares before a move.
    pub const fn of(empties: u32) -> Self {
        match empties {
            41.. => Self::Opening,
            21..=40 => Self::Middlegame,
            _ => Self::Endgame,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// What one side lost, in a game or in a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    pub moves: u32,
    /// What they cost together.
    pub loss: Score,
    /// The mean accuracy of the moves where there was a choice; `None` if there was none.
    pub accuracy: Option<f64>,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

impl Tally {
    fn of<'a>(moves: impl Iterator<Item = &'a JudgedMove>) -> Self {
        let mut tally = Self::default();
        let (mut sum, mut choices) = (0.0, 0);
        let mut loss = Vec::new();
        for it in moves {
            tally.moves += 1;
            loss.push(it.judgement.loss);
            if it.had_choice() {
                sum += it.accuracy();
                choices += 1;
            }
            match it.judgement.severity() {
                Severity::Fine => {}
                Severity::Inaccuracy => tally.inaccuracies += 1,
                Severity::Mistake => tally.mistakes += 1,
                Severity::Blunder => tally.blunders += 1,
            }
        }
        tally.loss = loss.into_iter().sum();
        tally.accuracy = (choices > 0).then(|| sum / f64::from(choices));
        tally
    }
}

/// How to list mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MistakeOrder {
    /// In the order of the game.
    #[default]
    Game,
    /// By what they cost, the dearest first.
    Size,
}

/// A game, or as much of it as has been looked at, in the order of its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct GameReview<'a> {
    pub moves: Vec<&'a JudgedMove>,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
}

/// Whether a summary says what would have been better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answers {
    Told,
    /// For a reader who is still to find the better moves.
    Withheld,
}

/// Scores within a disc of zero are even as long as they are not proven.
const EVEN: i32 = 100;

/// Less is level in a sentence.
const LEVEL: i32 = 50;

/// `: you resigned`, behind a sentence that says who won.
fn lost_by(termination: Termination, loser: Side, voice: Voice) -> String {
    match termination {
        Termination::Resignation => format!(": {} resigned", voice.name(loser)),
        Termination::TimeForfeit => format!(": {} time ran out", voice.of(loser)),
        _ => String::new(),
    }
}

/// Who is ahead for the mover: 1, 0 or -1.
fn standing(score: Score, solved: bool) -> i32 {
    let hundredths = score.hundredths();
    if solved || hundredths.abs() >= EVEN {
        hundredths.signum()
    } else {
        0
    }
}

impl GameReview<'_> {
    /// What a side lost in the whole game.
    pub fn side(&self, side: Side) -> Tally {
        Tally::of(self.moves.iter().copied().filter(|it| it.side() == side))
    }

    /// What a side lost in a part of it.
    pub fn phase(&self, phase: Phase, side: Side) -> Tally {
        let moves = self.moves.iter().copied();
        Tally::of(moves.filter(|it| it.side() == side && it.phase() == phase))
    }

    /// Places in `moves` of those that gave away something worth speaking of.
    pub fn mistakes(&self, order: MistakeOrder) -> Vec<usize> {
        let is_mistake = |&it: &usize| self.moves[it].judgement.severity() > Severity::Fine;
        let mut places: Vec<usize> = (0..self.moves.len()).filter(is_mistake).collect();
        if order == MistakeOrder::Size {
            places.sort_by_key(|&it| std::cmp::Reverse(self.moves[it].judgement.loss));
        }
        places
    }

    /// The last move worth speaking of after which its side was worse off than before, be it that a
    /// win became a draw or a loss, or a level game a loss.
    pub fn turning_point(&self) -> Option<usize> {
        (0..self.moves.len()).rev().find(|&place| {
            let judgement = &self.moves[place].judgement;
            let (best, played) = (&judgement.best, &judgement.played);
            judgement.severity() > Severity::Fine
                && standing(played.score, played.solved) < standing(best.score, best.solved)
        })
    }

    /// How it went, what turned it, and what followed.
    pub fn summary(&self, voice: Voice, answers: Answers) -> Vec<String> {
        if self.moves.is_empty() {
            return Vec::new();
        }
        let turn = self.turning_point();
        let story = match turn {
            Some(place) => turned(self.moves[place], voice, answers),
            None => self.without_turn(voice),
        };
        vec![
            self.course(voice),
            story,
            self.dearest(turn, voice, answers),
        ]
    }

    /// `Black won 40–24 with an accuracy of 84 % to White's 71 %.`
    fn course(&self, voice: Voice) -> String {
        let percent = |side| self.side(side).accuracy.map(|it| format!("{it:.0} %"));
        let compared = |first: Side| match (percent(first), percent(first.other())) {
            (Some(own), Some(other)) => {
                let theirs = voice.of(first.other());
                format!(" with an accuracy of {own} to {theirs} {other}")
            }
            _ => String::new(),
        };
        let Some(outcome) = self.outcome else {
            return self.unfinished(voice);
        };
        let discs = outcome.black_centidiscs.map(|it| it.abs() / 100);
        match (outcome.winner, discs) {
            (None, _) => {
                let black = compared(Side::Black);
                let black =
                    black.replacen(" with", &format!(": {} had", voice.name(Side::Black)), 1);
                format!("The game was drawn 32–32{black}.")
            }
            (Some(winner), Some(discs)) => {
                let own = (64 + discs) / 2;
                let (first, accuracy) = (voice.first(winner), compared(winner));
                format!("{first} won {own}–{}{accuracy}.", 64 - own)
            }
            (Some(winner), None) => {
                let why = lost_by(outcome.termination, winner.other(), voice);
                format!("{} won{}{why}.", voice.first(winner), compared(winner))
            }
        }
    }

    /// `After 34 moves Black is ahead by 4.2 discs (depth 14).`
    fn unfinished(&self, voice: Voice) -> String {
        let Some(last) = self.moves.last() else {
            return String::new();
        };
        let played = &last.judgement.played;
        let moves = plural(last.number as i32, "move");
        let (leader, lead) = if played.score >= Score::ZERO {
            (last.side(), played.score)
        } else {
            (last.side().other(), -played.score)
        };
        if lead.hundredths() < LEVEL {
            return format!("After {moves} the game is even ({}).", played.reach());
        }
        format!(
            "After {moves} {} {} ahead by {} ({}).",
            voice.name(leader),
            voice.verb(leader, "is", "are"),
            lead.amount_of_discs(),
            played.reach()
        )
    }

    fn without_turn(&self, voice: Voice) -> String {
        let leads = |side: Side| {
            self.moves.iter().all(|it| {
                let played = &it.judgement.played;
                let sign = if it.side() == side { 1 } else { -1 };
                sign * standing(played.score, played.solved) >= 0
            })
        };
        match [Side::Black, Side::White].map(leads) {
            [true, false] => format!("{} never behind.", was(voice, Side::Black)),
            [false, true] => format!("{} never behind.", was(voice, Side::White)),
            [true, true] => "The game was level throughout.".to_owned(),
            [false, false] => "No single move turned the game.".to_owned(),
        }
    }

    /// The dearest mistake behind the turning point, or of the whole game.
    fn dearest(&self, turn: Option<usize>, voice: Voice, answers: Answers) -> String {
        let later = self.mistakes(MistakeOrder::Size).into_iter();
        let mut later = later.filter(|&it| turn.is_none_or(|turn| it > turn));
        match (later.next(), turn) {
            (Some(place), turn) => {
                let it = self.moves[place];
                let when = if turn.is_some() {
                    "After that the dearest mistake was"
                } else {
                    "The dearest mistake was"
                };
                let better = match answers {
                    Answers::Told => format!("; {} was better", it.judgement.best.square),
                    Answers::Withheld => String::new(),
                };
                format!(
                    "{when} {} {}. {}, which cost {}{better}.",
                    voice.of(it.side()),
                    it.number,
                    it.square(),
                    it.judgement.loss.amount_of_discs(),
                )
            }
            (None, Some(_)) => {
                "After that neither side made a mistake worth speaking of.".to_owned()
            }
            (None, None) => "Neither side made a mistake worth speaking of.".to_owned(),
        }
    }
}

fn was(voice: Voice, side: Side) -> String {
    format!("{} {}", voice.first(side), voice.verb(side, "was", "were"))
}

/// `The turning point was White's 41. g7: c1 would have kept White 4 discs ahead, after g7 Black leads
/// by 6 discs.` Without the answer: `… g7: White was 4 discs ahead, after g7 Black leads by 6 discs.`
fn turned(it: &JudgedMove, voice: Voice, answers: Answers) -> String {
    let (side, judgement) = (it.side(), &it.judgement);
    let (best, played) = (&judgement.best, &judgement.played);
    let own = voice.name(side);
    let stood = match best.score {
        score if score.hundredths().abs() < LEVEL => "level".to_owned(),
        score if score > Score::ZERO => format!("{} ahead", score.amount_of_discs()),
        score => format!("within {}", score.amount_of_discs()),
    };
    let before = match answers {
        Answers::Told => format!("{} would have kept {own} {stood}", best.square),
        Answers::Withheld => format!("{own} {} {stood}", voice.verb(side, "was", "were")),
    };
    let other = side.other();
    let after = match played.score {
        score if score.hundredths().abs() < LEVEL => {
            format!("after {} the game is even", played.square)
        }
        score if score > Score::ZERO => format!(
            "after {} {own} {} ahead by only {}",
            played.square,
            voice.verb(side, "is", "are"),
            score.amount_of_discs()
        ),
        score => format!(
            "after {} {} {} by {}",
            played.square,
            voice.name(other),
            voice.verb(other, "leads", "lead"),
            score.amount_of_discs()
        ),
    };
    format!(
        "The turning point was {} {}. {}: {before}, {after}.",
        voice.of(side),
        it.number,
        it.square(),
    )
}

fn plural(n: i32, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

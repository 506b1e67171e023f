//! Players of one idea each, who do not search: fixed points to measure levels by.

use othello::{Bitboard, Board, Square, sample::SplitMix64};

/// What a bot goes by. Where its idea leaves several moves, chance decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Plays any legal move, each as often as the others.
    Random,
    /// Turns as many discs as it can.
    Greedy,
    /// Takes a corner if it can; else makes no move that lets the opponent take one, if it can.
    CornerLover,
    /// Leaves the opponent as few moves as it can.
    Mobility,
}

impl Bot {
    /// Its move; `None` if there is none to make. The same board and generator give the same move.
    pub fn choose(self, board: Board, random: &mut SplitMix64) -> Option<Square> {
        let legal = board.legal_moves();
        let wanted = match self {
            Self::Random => legal,
            Self::Greedy => most(board, legal, |board, square| {
                board.flips(square).len() as i32
            }),
            Self::CornerLover => most(board, legal, |board, square| {
                if Bitboard::CORNERS.contains(square) {
                    return 1;
                }
                let reply = after(board, square).legal_moves();
                -i32::from(reply.intersects(Bitboard::CORNERS))
            }),
            Self::Mobility => most(board, legal, |board, square| {
                -(after(board, square).mobility() as i32)
            }),
        };
        if wanted.is_empty() {
            return None;
        }
        let at = random.below(wanted.len()) as usize;
        wanted.into_iter().nth(at)
    }
}

fn after(board: Board, square: Square) -> Board {
    board.play_unchecked(square, board.flips(square))
}

/// The moves of the greatest worth.
fn most(board: Board, legal: Bitboard, worth: impl Fn(Board, Square) -> i32) -> Bitboard {
    let greatest = legal.into_iter().map(|square| worth(board, square)).max();
    legal
        .into_iter()
        .filter(|&square| Some(worth(board, square)) == greatest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::sample::random_boards;

    const ALL: [Bot; 4] = [Bot::Random, Bot::Greedy, Bot::CornerLover, Bot::Mobility];

    #[test]
    fn moves_are_legal_follow_the_idea_and_replay() {
        for board in random_boards(21).take(3_000) {
            let legal = board.legal_moves();
            for bot in ALL {
                let choose = |seed| bot.choose(board, &mut SplitMix64::new(seed));
                let Some(chosen) = choose(5) else {
                    assert!(legal.is_empty());
                    continue;
                };
                assert!(legal.contains(chosen));
                assert_eq!(choose(5), Some(chosen));
                let gives = |square| {
                    let replies = board.play(square).unwrap().legal_moves();
                    replies.intersects(Bitboard::CORNERS)
                };
                let has_corner = legal.intersects(Bitboard::CORNERS);
                match bot {
                    Bot::Random => {}
                    Bot::Greedy => assert!(
                        legal
                            .into_iter()
                            .all(|it| board.flips(it).len() <= board.flips(chosen).len())
                    ),
                    Bot::CornerLover if has_corner => {
                        assert!(Bitboard::CORNERS.contains(chosen));
                    }
                    Bot::CornerLover => {
                        assert!(!gives(chosen) || legal.into_iter().all(gives));
                    }
                    Bot::Mobility => {
                        let left = |it| board.play(it).unwrap().mobility();
                        assert!(legal.into_iter().all(|it| left(it) >= left(chosen)));
                    }
                }
            }
        }
    }

    #[test]
    fn chance_decides_among_equals() {
        let mut seen = Bitboard::EMPTY;
        for seed in 0..100 {
            let square = Bot::Random.choose(Board::START, &mut SplitMix64::new(seed));
            seen.insert(square.unwrap());
        }
        assert_eq!(seen, Board::START.legal_moves());
    }
}

//! WTHOR, the base of tournament games since 1977: games (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`).
//!
//! Every file begins with a header of 16 bytes; a game has 68 bytes, a player's name 20, a
//! tournament's 26. Numbers are little-endian. A move is 10 × row + column, counted from 1, and 0
//! after the last; passes are not written. All bytes are kept, so what was read is written back
//! the same.
//!
//! Replaying needs no memory of its own: [`WthorGame::replay`] walks a board, and
//! [`WthorGame::replay_into`] reuses a [`Game`](crate::Game).

mod error;
mod game;
mod header;
mod names;
mod reading;
mod writing;

pub use error::WthorError;
pub use game::{WthorGame, WthorReplay};
pub use header::{WthorDate, WthorHeader};
pub use names::{
    WthorName, WthorNames, WthorNamesReader, WthorPlayers, WthorTournaments, read_wthor_names,
};
pub use reading::{WthorReader, read_wthor};
pub use writing::WthorWriter;

/// Bytes of the header of every file.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a game.
pub const GAME_BYTES: usize = 68;
/// Bytes of a player's name.
pub const PLAYER_BYTES: usize = 20;
/// Bytes of a tournament's name.
pub const TOURNAMENT_BYTES: usize = 26;
/// Moves of a game, at most: the empty squares of the start position.
pub const MOVES_MAX: usize = 60;

const _: () = assert!(2 + 2 + 2 + 1 + 1 + MOVES_MAX == GAME_BYTES);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Position, notation::parse_transcript};
    use std::io::Cursor;

    fn sample_file() -> Vec<u8> {
        let header = WthorHeader {
            created: WthorDate {
                century: 20,
                year: 26,
                month: 11,
                day: 15,
            },
            year: 2026,
            board_size: 8,
            depth: 24,
            reserved: 7,
            ..WthorHeader::default()
        };
        let mut writer = WthorWriter::new(Cursor::new(Vec::new()), header).unwrap();
        for transcript in ["f5d6c3", "e6f4e3f6g5d6e7f5c5", ""] {
            let game = parse_transcript(transcript).unwrap();
            writer.write(&WthorGame::from_game(&game).unwrap()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn games_read_replay_and_write_back() {
        let file = sample_file();
        assert_eq!(file.len(), HEADER_BYTES + 3 * GAME_BYTES);
        let mut reader = read_wthor(&file[..]).unwrap();
        assert_eq!((reader.header().n_games, reader.header().depth), (3, 24));
        let games: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(games[1].moves[..3], [65, 46, 35]);
        assert_eq!(games[1].black_score, 64);
        assert_eq!(games[1].replay().unwrap().black_score(), Some(64));
        assert_eq!(games[0].replay().unwrap().black_score(), None);
        assert_eq!(games[0].game().unwrap().transcript(), "f5d6c3");
        let mut writer = WthorWriter::new(Cursor::new(Vec::new()), reader.header()).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        assert_eq!(writer.finish().unwrap().into_inner(), file);
    }

    #[test]
    fn truncated_and_overlong_files_give_their_games_and_one_problem() {
        let file = sample_file();
        let problems = |bytes: &[u8]| -> (usize, Vec<String>) {
            let items: Vec<_> = read_wthor(bytes).unwrap().collect();
            let n_games = items.iter().filter(|item| item.is_ok()).count();
            let problems = items.into_iter().filter_map(Result::err);
            (n_games, problems.map(|p| p.to_string()).collect())
        };
        assert_eq!(problems(&file), (3, vec![]));
        let truncated = "record 3, byte 152: the file ends after 2 of the 3 records that its \
                         header announces";
        assert_eq!(
            problems(&file[..file.len() - 1]),
            (2, vec![truncated.to_owned()])
        );
        let longer = [&file[..], b"x"].concat();
        let trailing = "record 4, byte 220: there is more after the 3 records that the header \
                        announces";
        assert_eq!(problems(&longer), (3, vec![trailing.to_owned()]));
    }

    #[test]
    fn bad_headers_say_what_was_expected() {
        let error = |bytes: &[u8]| read_wthor(bytes).map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            error(b"abc"),
            "record 0, byte 0: the file has 3 bytes; expected a header of 16"
        );
        let mut ten = sample_file();
        ten[12] = 10;
        assert_eq!(
            error(&ten),
            "record 0, byte 0: board size 10 is not supported; expected 8 (or 0, which means 8)"
        );
    }

    #[test]
    fn bad_moves_are_named() {
        let game = parse_transcript("f5d6c3").unwrap();
        let good = WthorGame::from_game(&game).unwrap();
        let error = |at: usize, byte: u8| {
            let mut game = good;
            game.moves[at] = byte;
            let error = game.replay().unwrap_err();
            assert_eq!(game.game().unwrap_err(), error);
            error.to_string()
        };
        assert_eq!(
            error(1, 99),
            "move 2 is the byte 99; expected 10 x row + column, 11 to 88"
        );
        assert_eq!(
            error(1, 11),
            "move 2 (\"a1\") is not legal for White; legal: f4 d6 f6"
        );
        assert_eq!(
            error(4, 11),
            "move 4 is missing, but others follow; expected zeros only after the last move"
        );
        let start = Position::START.swapped();
        assert!(WthorGame::from_game(&Game::from_position(start)).is_err());
    }

    #[test]
    fn names_keep_their_bytes() {
        let table = WthorPlayers {
            header: WthorHeader::default(),
            names: vec!["???".into(), "Pérenchies".into(), [0xff; 20].into()],
        };
        let mut bytes = Vec::new();
        table.write_to(&mut bytes).unwrap();
        let (again, problem) = WthorPlayers::read(&bytes[..]).unwrap();
        assert_eq!((again.names, problem), (table.names.clone(), None));
        assert_eq!(table.name(1).as_deref(), Some("Pérenchies"));
        assert_eq!(table.number("Pérenchies"), Some(1));
        assert_eq!(table.names[1].as_bytes()[1], 0xe9);
        let (cut, problem) = WthorPlayers::read(&bytes[..50]).unwrap();
        assert_eq!(cut.names.len(), 1);
        assert!(problem.unwrap().to_string().contains("1 of the 3 records"));
        let long: WthorName<20> = "x".repeat(30)[..].into();
        assert_eq!(long.to_str().len(), 19);
    }
}

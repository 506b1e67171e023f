//! Laws of the file formats; the fuzz targets use them, too.

mod laws;
#[path = "../../../../fuzz/src/seeded.rs"]
mod seeded;

use learn::{
    data::{Appender, Labelled, Origin},
    games::{Choice, GamesAppender, Ply, RecordedGame},
    td::{Settings, Trainer},
};
use othello::{
    Game, Position,
    sample::{SplitMix64, random_boards},
};
use std::io::Cursor;

/// A file of random games.
fn file(seed: u64, n: usize) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let path = std::env::temp_dir().join(format!("kibitz-laws-{}-{seed}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    let file = options.open(&path).expect("a folder for temporary files");
    let mut appender = GamesAppender::new(file, "seed=1").expect("the file is new");
    for _ in 0..n {
        let mut game = Game::new();
        let mut plies = Vec::new();
        while !game.is_over() {
            let mut legal = game.position().board.legal_moves();
            if legal.is_empty() {
                game.play(othello::Move::Pass).expect("there is no other");
                legal = game.position().board.legal_moves();
            }
            let at = random.below(legal.len()) as usize;
            let square = legal.into_iter().nth(at).expect("below their number");
            game.place(square).expect("it is legal");
            plies.push(Ply {
                square,
                choice: Choice::Search(6),
                value: random.below(100) as i16,
            });
        }
        let game = RecordedGame::new(Position::START, plies).expect("all were legal");
        appender.append(&game).expect("there is room");
    }
    drop(appender);
    let bytes = std::fs::read(&path).expect("it was just written");
    std::fs::remove_file(&path).expect("it is ours");
    bytes
}

#[test]
fn whole_damaged_and_cut_files_keep_the_law() {
    let bytes = file(1, 5);
    laws::games(&bytes);
    let mut random = SplitMix64::new(2);
    for _ in 0..2_000 {
        let mut changed = bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(changed.len() as u32) as usize;
            changed[at] = random.next_u64() as u8;
        }
        changed.truncate(random.below(bytes.len() as u32 + 1) as usize);
        laws::games(&changed);
    }
}

#[test]
fn whole_damaged_and_cut_data_keep_the_law() {
    let mut file = Cursor::new(Vec::new());
    let mut appender = Appender::new(&mut file).expect("the file is new");
    for seed in 0..3 {
        let block: Vec<Labelled> = random_boards(seed)
            .take(20)
            .map(|board| Labelled {
                board,
                value: seed as i16,
                origin: Origin::Later,
                held_out: seed == 1,
            })
            .collect();
        appender.append(&block).expect("there is room");
    }
    let bytes = file.into_inner();
    laws::data(&bytes);
    let mut random = SplitMix64::new(4);
    for _ in 0..2_000 {
        let mut changed = bytes.clone();
        for _ in 0..random.below(3) {
            let at = random.below(changed.len() as u32) as usize;
            changed[at] = random.next_u64() as u8;
        }
        changed.truncate(random.below(bytes.len() as u32 + 1) as usize);
        laws::data(&changed);
    }
}

#[test]
fn files_on_disk_and_in_memory_are_the_same() {
    let bytes = file(3, 2);
    let appender = GamesAppender::new(Cursor::new(bytes), "seed=1");
    assert_eq!(appender.expect("it is whole").n_games(), 2);
}

/// Real checkpoints with random damage, before and behind the checksum's back.
#[test]
fn damaged_checkpoints_are_errors() {
    let fresh = Trainer::new(Settings::default()).expect("there is memory");
    let whole = fresh.to_checkpoint().expect("memory can be written to");
    // Behind the header begins what the checksum is of.
    laws::checkpoint(&whole);
    let body = &whole[44..];
    let mut random = SplitMix64::new(3);
    for round in 0..60 {
        let mut damaged = if round % 2 == 0 { &whole } else { body }.to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(damaged.len() as u32) as usize;
            damaged[at] = random.next_u64() as u8;
        }
        if round % 5 == 0 {
            damaged.truncate(random.below(damaged.len() as u32) as usize);
        }
        laws::checkpoint(&damaged);
    }
}

#[test]
fn the_seeds_of_the_fuzz_targets_keep_their_laws() {
    seeded::hold(laws::games, "games", 500);
    seeded::hold(laws::data, "data", 500);
    seeded::hold(laws::linear_state, "linear_state", 2_000);
}

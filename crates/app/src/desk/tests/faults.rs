//! Every call of the disk fails in turn, over a whole game, settings and an import.

use super::*;
use crate::{disk::Files as _, session::Awaiting};

/// Small, fast, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }
}

/// Files that were read already: most checks meet the same ones again.
#[derive(Default)]
struct Reader {
    game: (Vec<u8>, usize),
    config: Vec<u8>,
}

impl Reader {
    /// Whatever happens to the power, no file is torn, and the game has no less than was
    /// acknowledged.
    fn check_crash(&mut self, memory: &Memory, id: &str, at_least: usize) {
        for crash in [Crash::NamesLost, Crash::NamesKept] {
            let left = memory.after(crash);
            let kept = left
                .contents(&file_of(id))
                .map_or(0, |text| self.nodes(text));
            assert!(kept >= at_least, "{kept} of {at_least} positions left");
            let config = left.contents(Path::new("/kibitz/config.toml")).unwrap();
            if config != self.config {
                assert!(ConfigText(config.clone()).is_whole(), "torn");
                self.config = config;
            }
        }
    }

    fn nodes(&mut self, text: Vec<u8>) -> usize {
        if text != self.game.0 {
            let session = Session::from_text("s1", std::str::from_utf8(&text).unwrap());
            self.game = (text, session.unwrap().record().n_nodes());
        }
        self.game.1
    }
}

struct ConfigText(Vec<u8>);

impl ConfigText {
    fn is_whole(&self) -> bool {
        let text = std::str::from_utf8(&self.0).unwrap();
        text.parse::<toml_edit::DocumentMut>().is_ok() && text.contains("tt_mb")
    }
}

/// Every call of every change of a game fails once, in every way.
#[test]
fn no_single_fault_loses_anything_of_a_game() {
    let room = Room::new();
    let id = room.board();
    let mut n_faults = 0;
    let mut acknowledged = 1;
    let mut reader = Reader::default();
    let mut chance = Chance(7);
    for failure in Failure::ALL {
        // Until the change needs fewer calls than go well.
        for after in 0..16 {
            for what in ["move", "comment", "delete", "settings"] {
                let before = room.memory.n_faults();
                room.memory.fail(Fault::nth(Call::Any, after, failure));
                let done = change(&room, &id, what, &mut chance);
                let failed = room.memory.n_faults() - before;
                room.memory.heal();
                let shown = room.desk.session(&id).unwrap();
                match done {
                    Ok(()) => {
                        acknowledged = shown.session.record().n_nodes();
                        assert_eq!(shown.not_saved, None);
                    }
                    Err(DeskError::NotSaved(_)) => {
                        assert!(failed > 0 && shown.not_saved.is_some());
                        acknowledged = acknowledged.min(shown.session.record().n_nodes());
                    }
                    Err(DeskError::Config(_)) => assert!(failed > 0),
                    Err(other) => panic!("{what} with {failure:?} after {after}: {other}"),
                }
                reader.check_crash(&room.memory, &id, acknowledged);
                n_faults += failed;
                room.pass_ms(60_000);
                room.desk.attend();
                let nodes = shown.session.record().n_nodes();
                assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &id), nodes);
                acknowledged = nodes;
            }
        }
    }
    assert!(n_faults >= 120, "{n_faults}");
}

fn change(room: &Room, id: &str, what: &str, chance: &mut Chance) -> Result<(), DeskError> {
    let desk = &room.desk;
    let session = desk.session(id)?.session;
    match what {
        "move" => {
            let mut legal = session.legal(session.cursor());
            if legal.is_empty() {
                desk.step(id, crate::session::Step::First)?;
                let session = desk.session(id)?.session;
                legal = session.legal(session.cursor());
            }
            let one = &legal[chance.below(legal.len() as u64) as usize];
            desk.play(id, None, &one.action.to_string()).map(|_| ())
        }
        "comment" => {
            let text = format!("comment {}", chance.below(1_000));
            let node = session.cursor().index();
            desk.comment(id, node, &text).map(|_| ())
        }
        "delete" => {
            // The newest leaf, so that the game goes on growing.
            let line = session.line();
            match line.last() {
                Some(last) if line.len() > 4 => desk.delete(id, last.index()).map(|_| ()),
                _ => Ok(()),
            }
        }
        _ => {
            let wanted = chance.below(2) == 0;
            let changed = desk.change_settings(|config| {
                config.ui.reduced_motion = wanted;
                Ok(())
            });
            changed.map(|_| ())
        }
    }
}

/// Whole games against a level on a disk that fails at random, in streaks: at least 2,000 times.
#[test]
fn two_thousand_faults_lose_nothing() {
    let mut chance = Chance(11);
    let mut n_faults = 0;
    let mut n_games = 0;
    let room = Room::new();
    while n_faults < 2_000 {
        n_games += 1;
        let mut id = None;
        while id.is_none() {
            plan(&room.memory, &mut chance);
            let begun = room.desk.new_game(&NewGame {
                level: Some("elo_400".to_owned()),
                ..NewGame::default()
            });
            id = match begun {
                Ok(begun) => Some(begun.session.id().to_owned()),
                // It has begun all the same, and is kept.
                Err(DeskError::NotSaved(problem)) => Some(problem.session),
                Err(DeskError::Archive(_)) => None,
                Err(other) => panic!("{other}"),
            };
        }
        let id = id.unwrap();
        n_faults += play_out(&room, &id, &mut chance);
        room.memory.heal();
        room.pass_ms(60_000);
        room.desk.attend();
        let shown = room.desk.session(&id).unwrap().session;
        let nodes = shown.record().n_nodes();
        assert_eq!(nodes_on(&room.memory.after(Crash::NamesLost), &id), nodes);
    }
    room.desk.close().unwrap();
    for path in room.memory.paths() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_game = name.starts_with('s') && name.ends_with(".toml");
        assert!(
            is_game || name == "config.toml" || name.ends_with(".new"),
            "{name}"
        );
        if is_game {
            let text = String::from_utf8(room.memory.contents(&path).unwrap()).unwrap();
            Session::from_text(name.strip_suffix(".toml").unwrap(), &text).unwrap();
        }
    }
    println!("{n_faults} faults in {n_games} games");
}

/// Some calls from now on will fail.
fn plan(memory: &Memory, chance: &mut Chance) {
    memory.heal();
    let failure = Failure::ALL[chance.below(6) as usize];
    let calls = [Call::Any, Call::Open, Call::Write, Call::Sync, Call::Rename];
    memory.fail(Fault {
        call: calls[chance.below(5) as usize],
        after: chance.below(6),
        times: 1 + chance.below(12),
        failure,
    });
}

/// Plays a game to its end; gives how many calls failed.
fn play_out(room: &Room, id: &str, chance: &mut Chance) -> u64 {
    let before = room.memory.n_faults();
    let mut acknowledged = 0;
    let mut reader = Reader::default();
    loop {
        let now = room.wait_for_reply(id);
        // A view without a warning is an acknowledgement, of the engine's moves, too.
        if now.not_saved.is_none() {
            acknowledged = now.session.record().n_nodes();
        }
        reader.check_crash(&room.memory, id, acknowledged);
        if now.session.awaiting() == Awaiting::Nobody {
            return room.memory.n_faults() - before;
        }
        plan(&room.memory, chance);
        let legal = now.session.legal(now.session.cursor());
        let one = &legal[chance.below(legal.len() as u64) as usize];
        match room.desk.play(id, None, &one.action.to_string()) {
            Ok(answered) => acknowledged = answered.session.record().n_nodes(),
            Err(DeskError::NotSaved(_)) => {}
            Err(other) => panic!("{other}"),
        }
        reader.check_crash(&room.memory, id, acknowledged);
        if chance.below(8) == 0 {
            let listed = room.desk.sessions();
            assert!(listed.is_err() || listed.unwrap().iter().any(|it| it.id == id));
            room.pass_ms(2_000);
            room.desk.attend();
        }
    }
}

/// The calls below the desk do not hide what they were told to do.
#[test]
fn the_testing_disk_fails_as_told() {
    let memory = Memory::new();
    memory.fail(Fault::nth(Call::List, 1, Failure::Device));
    memory.make_folder(Path::new("/a")).unwrap();
    memory.names(Path::new("/a")).unwrap();
    memory.names(Path::new("/a")).unwrap_err();
    memory.names(Path::new("/a")).unwrap();
    assert_eq!(memory.n_faults(), 1);
}

//! Othello in the two other languages: the first legal move, with faults.

use super::{hang, say, sleep};
use othello::{Game, Move, notation};
use std::{
    io::{self, BufRead as _, Cursor},
    process::ExitCode,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Gtp,
    NBoard,
}

/// `gtp` and `nboard` play, `gtp-silent` never names a move, `gtp-thinks-500` takes half a second.
pub(crate) struct Player {
    language: Language,
    fault: String,
    game: Game,
}

impl Player {
    pub(crate) fn of(fault: &str) -> Option<Self> {
        let (name, fault) = fault.split_once('-').unwrap_or((fault, ""));
        let language = match name {
            "gtp" => Language::Gtp,
            "nboard" => Language::NBoard,
            _ => return None,
        };
        Some(Self {
            language,
            fault: fault.to_owned(),
            game: Game::new(),
        })
    }

    pub(crate) fn obey_all(mut self) -> ExitCode {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            match self.language {
                Language::Gtp => self.obey_gtp(&line),
                Language::NBoard => self.obey_nboard(&line),
            }
            if line.ends_with("quit") {
                break;
            }
        }
        ExitCode::SUCCESS
    }

    /// The first legal move, when its time has come.
    fn chosen(&self) -> String {
        if self.fault == "silent" {
            hang();
        }
        if let Some(ms) = self.fault.strip_prefix("thinks-") {
            sleep(ms.parse().unwrap_or(0));
        }
        let first = self.game.position().board.legal_moves().into_iter().next();
        first.map_or_else(|| "pass".to_owned(), |square| square.to_string())
    }

    fn obey_gtp(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, command, rest @ ..] = &words[..] else {
            return;
        };
        let answer = match *command {
            "protocol_version" => "2".to_owned(),
            "list_commands" => "play\ngenmove\nclear_board".to_owned(),
            "clear_board" => {
                self.game = Game::new();
                String::new()
            }
            "play" => {
                let action = rest.get(1).and_then(|it| it.parse().ok());
                self.make(action.unwrap_or(Move::Pass));
                String::new()
            }
            "genmove" => {
                let chosen = self.chosen();
                self.make(chosen.parse().unwrap_or(Move::Pass));
                chosen
            }
            _ => String::new(),
        };
        say(&format!("={id} {answer}\n"));
    }

    fn make(&mut self, action: Move) {
        self.game.play(action).ok();
    }

    fn obey_nboard(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "nboard" => say("set myname Faulty"),
            "ping" => say(&format!("pong {rest}")),
            "set" => {
                if let Some(text) = rest.strip_prefix("game ") {
                    self.game = read(text);
                }
            }
            "go" => say(&format!("=== {}", self.chosen())),
            "hint" => say(&format!("search {} 1.00 0 3", self.chosen())),
            _ => {}
        }
    }
}

fn read(text: &str) -> Game {
    let directory = notation::WthorDirectory::default();
    let cursor = Cursor::new(text.as_bytes().to_vec());
    let mut records = notation::read_records(notation::Format::Ggf, cursor, &directory);
    let record = records.next().and_then(Result::ok);
    record.map_or_else(Game::new, |it| it.game)
}

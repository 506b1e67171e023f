//! Swiss rounds by the Dutch system as other pairing programs write them (TRF), so that they can be
//! compared.
//!
//! ```sh
//! # The next round of a tournament: the number of pairs, then a pair a line, the bye with 0.
//! cargo run --release -p arena --example dutch -- pair tournament.trf
//! # Every round of a tournament that was paired elsewhere, drawn again; tells those that differ.
//! cargo run --release -p arena --example dutch -- check tournament.trf
//! # Whole tournaments with results by chance, a file each, to be looked at by a checker.
//! cargo run --release -p arena --example dutch -- make FOLDER 5000 1
//! ```

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a program for measuring")]

use arena::tournament::dutch::{Entry, Turn, pair};
use othello::sample::SplitMix64;
use std::{env, error::Error, fmt::Write as _, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pair", file] => next_round(&fs::read_to_string(file)?),
        ["check", file] => check(&fs::read_to_string(file)?),
        ["make", folder, count, seed] => make(folder.as_ref(), count.parse()?, seed.parse()?),
        _ => Err("expected pair FILE, check FILE, or make FOLDER COUNT SEED".into()),
    }
}

/// A result in the columns of a round: points, and whether the game was played.
fn turn(field: &str) -> Option<Turn> {
    let opponent: usize = field.get(..4)?.trim().parse().unwrap_or(0);
    let colour = field.get(5..6)?;
    let half_points = match field.get(7..8)? {
        "1" | "W" | "+" | "U" | "F" => 2,
        "=" | "D" | "H" => 1,
        " " => return None,
        _ => 0,
    };
    let result = field.get(7..8)?;
    Some(match (opponent, result) {
        (0, "U") => Turn::Bye { half_points },
        (0, _) | (_, "+" | "-") => Turn::Absent { half_points },
        _ => Turn::Played {
            opponent: opponent - 1,
            is_first: colour == "w",
            half_points,
        },
    })
}

/// Players in the order of their numbers, and the rounds of the tournament.
fn read(text: &str) -> Result<(Vec<Vec<&str>>, usize), Box<dyn Error>> {
    let (mut players, mut n_rounds) = (Vec::new(), 0);
    for line in text.split(['\r', '\n']).filter(|line| !line.is_empty()) {
        if let Some(rounds) = line.strip_prefix("XXR ") {
            n_rounds = rounds.trim().parse()?;
        }
        if line.starts_with("001") {
            let fields = (91..).step_by(10).map_while(|at| line.get(at..at + 8));
            players.push(fields.take_while(|it| turn(it).is_some()).collect());
        }
    }
    Ok((players, n_rounds))
}

fn entries_of(players: &[Vec<&str>], n_turns: usize) -> Vec<Entry> {
    let entry = |fields: &Vec<&str>| Entry {
        turns: fields
            .iter()
            .take(n_turns)
            .filter_map(|it| turn(it))
            .collect(),
        is_absent: false,
    };
    players.iter().map(entry).collect()
}

/// Draws every round again. Who is paired in the file is not away.
fn check(text: &str) -> Result<(), Box<dyn Error>> {
    let (players, n_rounds) = read(text)?;
    let n_played = players.iter().map(Vec::len).max().unwrap_or(0);
    let n_rounds = n_rounds.max(n_played);
    let mut n_different = 0;
    for at in 0..n_played {
        let mut entries = entries_of(&players, at);
        let mut expected = Vec::new();
        for (id, fields) in players.iter().enumerate() {
            let field = fields.get(at).copied().unwrap_or_default();
            let opponent: usize = field.get(..4).unwrap_or("").trim().parse().unwrap_or(0);
            let is_bye = field.ends_with('U');
            entries[id].is_absent = opponent == 0 && !is_bye;
            if opponent > 0 && field.get(5..6) == Some("w") {
                expected.push([id, opponent - 1]);
            }
        }
        let round = pair(&entries, n_rounds).ok_or("there is no such round")?;
        let mut drawn = round.pairs;
        drawn.sort_unstable();
        let n = expected.iter().filter(|it| !drawn.contains(it)).count();
        if n > 0 {
            println!("round {}: {n} pairs differ", at + 1);
            n_different += 1;
        }
    }
    println!("{n_different} of {n_played} rounds differ");
    Ok(())
}

fn next_round(text: &str) -> Result<(), Box<dyn Error>> {
    let (players, n_rounds) = read(text)?;
    let mut entries = entries_of(&players, usize::MAX);
    // Who is away has a result for the round that is to be drawn.
    let n_played = entries.iter().map(|it| it.turns.len()).min().unwrap_or(0);
    for entry in &mut entries {
        entry.is_absent = entry.turns.len() > n_played;
        entry.turns.truncate(n_played);
    }
    let round = pair(&entries, n_rounds).ok_or("there is no such round")?;
    println!("{}", round.pairs.len() + usize::from(round.bye.is_some()));
    for [first, second] in round.pairs {
        println!("{} {}", first + 1, second + 1);
    }
    if let Some(bye) = round.bye {
        println!("{} 0", bye + 1);
    }
    Ok(())
}

/// Tournaments of 4 to 30 players with results that follow from strength and chance.
fn make(folder: &Path, count: u64, seed: u64) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut random = SplitMix64::new(seed);
    let mut n_rounds_drawn = 0;
    for number in 0..count {
        let n = 4 + random.below(27) as usize;
        let n_rounds = (3 + random.below(7) as usize).min(n - 2 + n % 2);
        // One tournament in four has players who are away now and then.
        let away = if random.below(4) == 0 { 12 } else { 0 };
        let mut entries = vec![Entry::default(); n];
        let mut n_done = 0;
        for _ in 0..n_rounds {
            for entry in &mut entries {
                entry.is_absent = away > 0 && random.below(100) < away;
            }
            let Some(round) = pair(&entries, n_rounds) else {
                break;
            };
            play(&mut entries, &round.pairs, round.bye, &mut random);
            n_done += 1;
        }
        n_rounds_drawn += n_done;
        let text = written(&entries, n_rounds);
        fs::write(folder.join(format!("{number}.trf")), text)?;
    }
    println!("{count} tournaments, {n_rounds_drawn} rounds");
    Ok(())
}

fn play(entries: &mut [Entry], pairs: &[[usize; 2]], bye: Option<usize>, random: &mut SplitMix64) {
    for &[first, second] in pairs {
        let lead = second as i64 - first as i64;
        let chance = i64::from(random.below(100)) + 2 * lead;
        let half_points = match chance {
            ..35 => 0,
            35..60 => 1,
            _ => 2,
        };
        let turn = |opponent, is_first, half_points| Turn::Played {
            opponent,
            is_first,
            half_points,
        };
        entries[first].turns.push(turn(second, true, half_points));
        entries[second]
            .turns
            .push(turn(first, false, 2 - half_points));
    }
    if let Some(bye) = bye {
        entries[bye].turns.push(Turn::Bye { half_points: 2 });
    }
    for entry in entries.iter_mut().filter(|it| it.is_absent) {
        let half_points = random.below(2);
        entry.turns.push(Turn::Absent { half_points });
    }
}

fn written(entries: &[Entry], n_rounds: usize) -> String {
    let mut text = format!("012 Made by chance\nXXR {n_rounds}\nXXC white1\n");
    for (at, entry) in entries.iter().enumerate() {
        let half_points: u32 = entry
            .turns
            .iter()
            .map(|turn| match turn {
                Turn::Played { half_points, .. }
                | Turn::Bye { half_points }
                | Turn::Absent { half_points } => *half_points,
            })
            .sum();
        // Writing into a string cannot fail.
        write!(
            text,
            "001 {:>4}      {:<33} {:>4}{:<28}{:>4.1} {:>4}",
            at + 1,
            format!("Player {}", at + 1),
            2800 - at,
            "",
            f64::from(half_points) / 2.0,
            at + 1
        )
        .ok();
        for turn in &entry.turns {
            match turn {
                Turn::Played {
                    opponent,
                    is_first,
                    half_points,
                } => {
                    let colour = if *is_first { 'w' } else { 'b' };
                    let result = ['0', '=', '1'][*half_points as usize];
                    write!(text, "  {:>4} {colour} {result}", opponent + 1).ok();
                }
                Turn::Bye { .. } => text.push_str("  0000 - U"),
                Turn::Absent { half_points: 0 } => text.push_str("  0000 - Z"),
                Turn::Absent { .. } => text.push_str("  0000 - H"),
            }
        }
        text.push('\n');
    }
    text
}

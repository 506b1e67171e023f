//! Several engines about the same position, ours and foreign ones, side by side.

use crate::{
    configured::Configured,
    engines::{Engines, now},
    evaluation, failure, interrupt,
    study::{Power, Source},
};
use anyhow::{Context as _, bail};
use app::{
    Analyst, Control, Limits,
    config::EngineName,
    engines::{
        Game,
        panel::{self, Judgement, Member, Mind, Opinion},
    },
};
use arena::{
    process::{self, Question, Trouble},
    thought::{Thought, ThoughtLine},
};
use game::{Bound, Kind, Record, Report};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
};

/// What was asked for.
pub(crate) struct Plan<'a> {
    pub(crate) names: &'a [String],
    pub(crate) source: &'a Source,
    pub(crate) power: &'a Power,
    pub(crate) configured: &'a Configured,
    pub(crate) seed: u64,
    pub(crate) limits: Limits,
    pub(crate) json: bool,
}

pub(crate) fn run(plan: &Plan<'_>) -> anyhow::Result<()> {
    let engines = Engines::open(plan.power.home())?;
    let (mut members, game) = members(plan, &engines)?;
    let stop = interrupt::flag()?;
    let limits = process::Limits {
        depth: plan.limits.depth,
        nodes: plan.limits.nodes,
        time_ms: plan.limits.time_ms,
        clocks: None,
        lines: plan.limits.lines as u32,
        margin_ms: 0,
        patience_ms: None,
    };
    let mut out = io::stdout().lock();
    let mut n_answers = 0;
    for (index, question) in questions(plan.source, game)?.into_iter().enumerate() {
        let question = question.with_limits(limits);
        let opinions = panel::ask(&mut members, &question, &stop, &|_, _| {});
        let judgements = panel::ask_about_others(&mut members, &opinions, &question, &stop);
        n_answers += opinions.iter().filter(|it| it.said.is_ok()).count();
        if plan.json {
            writeln!(
                out,
                "{}",
                to_json(index + 1, &question, &opinions, &judgements)
            )?;
        } else {
            print(&mut out, index + 1, &opinions, &judgements)?;
        }
        out.flush()?;
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
    }
    for member in &mut members {
        if let Mind::Foreign(engine) = &mut member.mind {
            engine.stop();
        }
    }
    if n_answers == 0 {
        bail!("no engine gave an answer");
    }
    Ok(())
}

/// The engines of a round, and the game that all of them play.
fn members<'a>(plan: &Plan<'_>, engines: &Engines) -> anyhow::Result<(Vec<Member<'a>>, Game)> {
    let now = now();
    let mut members = Vec::new();
    let mut games: Vec<(String, Game)> = Vec::new();
    for name in plan.names {
        let name = name.trim();
        let (game, mind) = match evaluation::find(&EngineName::NAMES, name) {
            Some(own) => {
                let analyst = plan
                    .power
                    .analyst(plan.configured, own.with_seed(plan.seed))?;
                (Game::Othello, Mind::Own(own_mind(analyst, plan.limits)))
            }
            None => {
                let (id, entry) = engines.shelf.find(name)?;
                let mut engine = engines.engine(&id, &entry, &now)?;
                // Settings that are wrong are told once, before anything else.
                if engine.start().is_ok() {
                    for refused in &engine.ready().refused {
                        failure::complain(&format!("{name}: {refused}; it is left out"));
                    }
                    for unknown in &engine.ready().unknown {
                        failure::complain(&format!("{name} has no setting {unknown:?}"));
                    }
                } else {
                    engine.forgive();
                }
                (entry.game, Mind::Foreign(Box::new(engine)))
            }
        };
        if members.iter().any(|it: &Member<'_>| it.name == name) {
            bail!("{name} is named twice");
        }
        games.push((name.to_owned(), game));
        members.push(Member {
            name: name.to_owned(),
            mind,
        });
    }
    let Some((first, game)) = games.first().cloned() else {
        bail!("name an engine");
    };
    if let Some((other, its)) = games.iter().find(|(_, it)| *it != game) {
        bail!(
            "{first} plays {game} and {other} plays {its}; they cannot look at the same position"
        );
    }
    Ok((members, game))
}

/// Our own engine, asked as a foreign one is.
fn own_mind<'a>(mut analyst: Analyst, limits: Limits) -> Box<panel::Own<'a>> {
    Box::new(
        move |question: &Question, stop: &AtomicBool, observe: &mut dyn FnMut(&Thought)| {
            let position = question.othello_game()?.position();
            let now = now();
            analyst.clear();
            let limits = Limits {
                lines: question.limits.lines.max(1) as usize,
                ..limits
            };
            let report: Report = analyst.search(
                position,
                &limits,
                Control {
                    now_ms: &*now,
                    stop,
                    observe: &mut |report| observe(&Thought::from(report)),
                },
            );
            let mut thought = Thought::from(&report);
            thought.time_ms = Some(now());
            Ok(thought)
        },
    )
}

/// What is asked about: with the moves that led there, if they are known.
fn questions(source: &Source, game: Game) -> anyhow::Result<Vec<Question>> {
    let (position, moves) = source.texts();
    match game {
        Game::Chess => chess_question(position, moves).map(|it| vec![it]),
        Game::Othello => {
            if let Some(text) = moves {
                let game = crate::position::parse(text).context("--moves")?;
                return Ok(vec![Question {
                    moves: game.moves().map(|it| it.to_string()).collect(),
                    ..Question::at(&game.start().into())
                }]);
            }
            let mut all = Vec::new();
            source.for_each(|task| {
                all.push(Question::at(&task.position.into()));
                Ok(())
            })?;
            Ok(all)
        }
    }
}

/// A position of chess, checked by the rules before any engine hears of it.
fn chess_question(position: Option<&str>, moves: Option<&str>) -> anyhow::Result<Question> {
    if position.is_none() && moves.is_none() {
        bail!("nothing to do: give --position with a FEN, or --moves such as \"e4 e5 Nf3\"");
    }
    let fen = position
        .map(str::trim)
        .filter(|it| !it.eq_ignore_ascii_case("startpos"));
    let start = match fen {
        Some(fen) => Kind::Chess.parse_position(fen).context("--position")?,
        None => Kind::Chess.start(),
    };
    let mut record = Record::new(start);
    let mut end = record.root();
    for text in moves.unwrap_or_default().split_whitespace() {
        // `1.` and `1...` stand before moves as players write them.
        let text = text.rsplit('.').next().unwrap_or(text);
        if !text.is_empty() {
            end = record.add_text(end, text).context("--moves")?;
        }
    }
    if let Some(ending) = record.ending_at(end) {
        bail!("the game is over there: {ending}");
    }
    Ok(Question::of(&record, end))
}

fn print(
    out: &mut impl Write,
    index: usize,
    opinions: &[Opinion],
    judgements: &[Judgement],
) -> io::Result<()> {
    let width = opinions
        .iter()
        .map(|it| it.name.len())
        .max()
        .unwrap_or(0)
        .max(8);
    for opinion in opinions {
        write!(out, "{index:>4}  {:<width$}  ", opinion.name)?;
        match &opinion.said {
            Ok(thought) => {
                writeln!(out, "{}", summary(thought))?;
                for line in &thought.lines {
                    writeln!(
                        out,
                        "      {:<width$}  {:>8}  {}",
                        "",
                        value(line),
                        line.moves.join(" ")
                    )?;
                }
            }
            Err(trouble) => writeln!(out, "{trouble}")?,
        }
    }
    if opinions.len() > 1 {
        writeln!(out, "      {}", agreement(opinions))?;
    }
    for judgement in judgements {
        let Judgement {
            judge,
            action,
            said,
        } = judgement;
        match said {
            Ok(thought) => {
                let value = thought.lines.first().map_or_else(|| "-".to_owned(), value);
                writeln!(out, "      {judge} gives {action} {value}")?;
            }
            Err(trouble) => writeln!(out, "      {judge} about {action}: it {trouble}")?,
        }
    }
    Ok(())
}

fn summary(thought: &Thought) -> String {
    let mut parts = vec![thought.choice().unwrap_or("no move").to_owned()];
    let is_solved = thought.lines.first().is_some_and(|it| it.is_solved);
    match thought.depth {
        _ if is_solved => parts.push("solved".to_owned()),
        Some(depth) => parts.push(format!("depth {depth}")),
        None => {}
    }
    let mut add = |number: Option<u64>, unit: &str| {
        parts.extend(number.map(|number| format!("{number} {unit}")));
    };
    add(thought.nodes, "nodes");
    add(thought.nodes_per_second, "nodes/s");
    add(thought.time_ms, "ms");
    add(
        thought.tablebase_hits.filter(|&it| it > 0),
        "tablebase hits",
    );
    parts.join("  ")
}

/// The value of a line; engines that tell none have a dash.
fn value(line: &ThoughtLine) -> String {
    let Some(score) = line.score else {
        return "-".to_owned();
    };
    match line.bound {
        Bound::Exact => score.to_string(),
        Bound::Lower => format!("≥{score}"),
        Bound::Upper => format!("≤{score}"),
    }
}

/// The first moves of all that gave an answer.
fn choices(opinions: &[Opinion]) -> Vec<(&str, &str)> {
    let said = opinions.iter().filter_map(|opinion| {
        let choice = opinion.said.as_ref().ok()?.choice()?;
        Some((opinion.name.as_str(), choice))
    });
    said.collect()
}

fn agree(opinions: &[Opinion]) -> bool {
    let choices = choices(opinions);
    choices
        .windows(2)
        .all(|pair| pair[0].1.eq_ignore_ascii_case(pair[1].1))
}

fn agreement(opinions: &[Opinion]) -> String {
    let choices = choices(opinions);
    match choices.first() {
        None => "no engine gave an answer".to_owned(),
        Some((name, choice)) if choices.len() == 1 => {
            format!("only {name} gave an answer: {choice}")
        }
        Some((_, choice)) if agree(opinions) => format!("all play {choice}"),
        Some(_) => {
            let each: Vec<String> = choices
                .iter()
                .map(|(name, choice)| format!("{name} {choice}"))
                .collect();
            format!("they differ: {}", each.join(", "))
        }
    }
}

fn to_json(
    index: usize,
    question: &Question,
    opinions: &[Opinion],
    judgements: &[Judgement],
) -> Value {
    json!({
        "index": index,
        "position": question.root,
        "moves": question.moves.iter().collect::<Vec<_>>(),
        "engines": opinions.iter().map(|it| {
            let mut value = said_json(&it.said);
            value["name"] = it.name.as_str().into();
            value
        }).collect::<Vec<_>>(),
        "agree": agree(opinions),
        "about_others": judgements.iter().map(|it| {
            let mut value = said_json(&it.said);
            value["name"] = it.judge.as_str().into();
            value["move"] = it.action.as_str().into();
            value
        }).collect::<Vec<_>>(),
    })
}

fn said_json(said: &Result<Thought, Trouble>) -> Value {
    let thought = match said {
        Ok(thought) => thought,
        Err(trouble) => return json!({ "error": trouble.to_string() }),
    };
    let lines: Vec<Value> = thought
        .lines
        .iter()
        .map(|line| {
            json!({
                "score": line.score.filter(|it| it.mate().is_none()).map(game::Score::hundredths),
                "mate": line.score.and_then(game::Score::mate),
                "bound": match line.bound {
                    Bound::Exact => "exact",
                    Bound::Lower => "lower",
                    Bound::Upper => "upper",
                },
                "wdl": line.chances.map(|it| [it.win_permille, it.draw_permille, it.loss_permille]),
                "depth": line.depth,
                "solved": line.is_solved,
                "pv": line.moves,
            })
        })
        .collect();
    json!({
        "best": thought.choice(),
        "depth": thought.depth,
        "selective_depth": thought.selective_depth,
        "nodes": thought.nodes,
        "nodes_per_second": thought.nodes_per_second,
        "time_ms": thought.time_ms,
        "hash_permille": thought.hash_permille,
        "tablebase_hits": thought.tablebase_hits,
        "lines": lines,
    })
}

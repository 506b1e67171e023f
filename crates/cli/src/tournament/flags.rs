//! The flags of cutechess-cli and fastchess.

use super::{
    OutArgs,
    run::{self, Style, Voice},
};
use crate::failure;
use anyhow::{Context as _, anyhow, bail};
use app::{
    Home,
    engines::{Game, Setting},
    tournament::{
        DrawSettings, EngineSettings, OpeningSettings, ResignSettings, Settings, SprtSettings,
        TablebaseSettings, Times, Tournament,
    },
};
use std::{collections::BTreeMap, path::PathBuf};

/// What the flags ask for.
#[derive(Debug)]
struct Wish {
    settings: Settings,
    out: OutArgs,
    style: Style,
    home: Option<PathBuf>,
    /// What is not supported and does no harm, told once.
    ignored: Vec<String>,
}

pub(super) fn run(flags: &[String]) -> anyhow::Result<()> {
    let wish = parse(flags)?;
    for note in &wish.ignored {
        failure::complain(note);
    }
    let home = Home::open(wish.home.as_deref())?;
    let tournament = Tournament::create(&home, wish.settings)?;
    run::play(&home, tournament, &wish.out, &wish.style)
}

/// A flag with the words behind it.
fn groups(words: &[String]) -> anyhow::Result<Vec<(&str, &[String])>> {
    let is_flag = |word: &String| {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        name.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    let mut groups = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !is_flag(&words[at]) {
            bail!(
                "{:?} stands where a flag such as -engine is expected",
                words[at]
            );
        }
        let rest = &words[at + 1..];
        let n = rest.iter().position(is_flag).unwrap_or(rest.len());
        groups.push((words[at].trim_start_matches('-'), &rest[..n]));
        at += 1 + n;
    }
    Ok(groups)
}

/// `key=value` words.
fn pairs<'a>(flag: &str, words: &'a [String]) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    words
        .iter()
        .map(|word| {
            word.split_once('=')
                .ok_or_else(|| anyhow!("-{flag} expects key=value, found {word:?}"))
        })
        .collect()
}

/// The same of an engine, whose switches may stand alone.
fn engine_pairs<'a>(flag: &str, words: &'a [String]) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    let mut found = Vec::with_capacity(words.len());
    for word in words {
        match word.as_str() {
            "ponder" => found.push(("ponder", "on")),
            _ => found.extend(pairs(flag, std::slice::from_ref(word))?),
        }
    }
    Ok(found)
}

fn one<'a>(flag: &str, words: &'a [String]) -> anyhow::Result<&'a str> {
    match words {
        [word] => Ok(word),
        _ => bail!("-{flag} expects one value, found {}", words.len()),
    }
}

fn number<T: std::str::FromStr>(what: &str, text: &str) -> anyhow::Result<T> {
    let parsed = text.parse();
    parsed.map_err(|_| anyhow!("{what} expects a number, found {text:?}"))
}

fn switch(what: &str, text: &str) -> anyhow::Result<bool> {
    match text {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => bail!("{what} expects on or off, found {text:?}"),
    }
}

/// What the games are counted by before they are put together.
#[derive(Debug, Default)]
struct Counts {
    games: Option<u32>,
    repeats: bool,
    reverses: bool,
}

impl Counts {
    /// An even number of games are pairs with both colours, an odd one single games.
    fn apply(&self, wish: &mut Wish) -> anyhow::Result<()> {
        let games = self.games.unwrap_or(if self.repeats { 2 } else { 1 });
        let settings = &mut wish.settings;
        match (games, self.repeats) {
            (0, _) => bail!("-games expects 1 or more"),
            (1, true) => settings.games = 2,
            (games, _) if games.is_multiple_of(2) => {
                settings.games = 2;
                settings.pairs = games / 2;
            }
            (games, true) => bail!(
                "-repeat plays every opening with both colours; expected an even number of games, \
                 found {games}"
            ),
            (games, false) => {
                settings.games = 1;
                settings.pairs = games;
            }
        }
        if self.reverses {
            if settings.games == 1 {
                bail!("-reverse is not supported for single games, whose colours take turns");
            }
            wish.ignore("-reverse");
        }
        Ok(())
    }
}

fn parse(words: &[String]) -> anyhow::Result<Wish> {
    let mut wish = Wish {
        settings: Settings::new("Tournament", Game::Chess),
        out: OutArgs::default(),
        style: Style::ours(),
        home: None,
        ignored: Vec::new(),
    };
    let mut each: Vec<(&str, &str)> = Vec::new();
    let mut engines = Vec::new();
    let mut counts = Counts::default();
    let mut game = None;
    for (flag, words) in groups(words)? {
        match flag {
            "engine" => engines.push(engine_pairs(flag, words)?),
            "each" => each.extend(engine_pairs(flag, words)?),
            "reverse" => counts.reverses = true,
            "games" => counts.games = Some(number("-games", one(flag, words)?)?),
            "repeat" => counts.repeats = true,
            "variant" | "game" => game = Some(one(flag, words)?),
            _ => wish.take(flag, words)?,
        }
    }
    for (at, own) in engines.iter().enumerate() {
        let all = each.iter().chain(own).copied();
        let engine = wish.engine(at, all)?;
        wish.settings.engines.push(engine);
    }
    wish.share_time();
    wish.settings.game = match game {
        Some("othello" | "reversi") => Game::Othello,
        Some("standard" | "chess" | "fischerandom") => Game::Chess,
        Some(other) => bail!("there is no game {other:?}; expected chess or othello"),
        None => {
            let is_othello = |it: &EngineSettings| {
                let language = it.protocol.as_deref();
                language.is_some_and(|it| it != "uci")
            };
            if wish.settings.engines.iter().any(is_othello) {
                Game::Othello
            } else {
                Game::Chess
            }
        }
    };
    counts.apply(&mut wish)?;
    Ok(wish)
}

/// Flags without which everything goes on as asked: it is so anyway, or it only changes printing.
const HARMLESS: &[&str] = &[
    "recover",
    "wait",
    "autosaveinterval",
    "scoreinterval",
    "site",
    "log",
    "debug",
    "crc32",
    "force-concurrency",
    "show-latency",
    "report",
    "bookmode",
    "quick",
    "outcomeinterval",
    "epdout",
    "livepgnout",
    "startup-ms",
    "resultformat",
];

impl Wish {
    fn ignore(&mut self, what: &str) {
        let note = format!("{what} changes nothing here");
        if !self.ignored.contains(&note) {
            self.ignored.push(note);
        }
    }

    /// A time that all engines have is the tournament's.
    fn share_time(&mut self) {
        let settings = &mut self.settings;
        if let Times::One(time) = settings.times() {
            settings.time = Some(time.to_owned());
            for engine in &mut settings.engines {
                engine.time = None;
            }
        }
    }

    fn take(&mut self, flag: &str, words: &[String]) -> anyhow::Result<()> {
        let settings = &mut self.settings;
        match flag {
            "rounds" => settings.rounds = number("-rounds", one(flag, words)?)?,
            "concurrency" => settings.concurrency = number("-concurrency", one(flag, words)?)?,
            "srand" | "seed" => settings.seed = number("-srand", one(flag, words)?)?,
            "event" => settings.name = words.join(" "),
            "maxmoves" => settings.max_moves = Some(number("-maxmoves", one(flag, words)?)?),
            "seeds" => settings.seeds = number("-seeds", one(flag, words)?)?,
            "use-affinity" => settings.affinity = true,
            "solve" => settings.solve_empties = number("-solve", one(flag, words)?)?,
            "ratinginterval" => self.style.every_games = number(flag, one(flag, words)?)?,
            "home" => self.home = Some(one(flag, words)?.into()),
            "json" => self.out.json = true,
            "tournament" => settings.format = format(one(flag, words)?)?,
            "openings" => settings.openings = Some(openings(words)?),
            "sprt" => settings.sprt = Some(sprt(words)?),
            "resign" => settings.resign = Some(resign(words)?),
            "draw" => settings.draw = Some(draw(words)?),
            "pgnout" | "gameout" => {
                self.out.games = Some(self.games_file(flag, words)?);
            }
            "output" => {
                for (key, value) in pairs(flag, words)? {
                    self.style.voice = match (key, value) {
                        ("format", "cutechess") => Voice::Cutechess,
                        ("format", "fastchess") => Voice::Fastchess,
                        _ => bail!("-output expects format=cutechess or format=fastchess"),
                    };
                }
            }
            _ if HARMLESS.contains(&flag) => self.ignore(&format!("-{flag}")),
            "ponder" => settings.ponder = true,
            "tb" => {
                let folders = one(flag, words)?;
                let tables = tables(settings);
                tables.folders = std::env::split_paths(folders).collect();
            }
            "tbpieces" => {
                tables(settings).pieces = Some(number("-tbpieces", one(flag, words)?)?);
            }
            "tbadjudicate" => match one(flag, words)?.to_ascii_uppercase().as_str() {
                "BOTH" => self.ignore("-tbadjudicate BOTH"),
                _ => bail!("-tbadjudicate expects BOTH: tables say who wins and what is drawn"),
            },
            "config" if words.iter().all(|it| it.starts_with("outname=")) => self.ignore("-config"),
            "config" => bail!(
                "-config reads fastchess's own files; kibitz tournament resume goes on with a \
                 tournament of ours"
            ),
            "noswap" => bail!("-noswap is not supported: colours are always swapped"),
            "tbignore50" => tables(settings).ignore_fifty_moves = true,
            _ => bail!("there is no flag -{flag}; kibitz tournament cli --help lists them"),
        }
        Ok(())
    }

    /// The file among the words of `-pgnout`: the one with its key, or the first. The others change
    /// how games are written, which they are in one way here.
    fn games_file(&mut self, flag: &str, words: &[String]) -> anyhow::Result<PathBuf> {
        let named = words.iter().find_map(|it| it.strip_prefix("file="));
        let first = words.first().map(String::as_str);
        let file = named.or(first.filter(|it| !it.contains('=')));
        let file = file.with_context(|| format!("-{flag} expects a file, as file=games.pgn"))?;
        for word in words {
            let key = word.split_once('=').map_or(word.as_str(), |(key, _)| key);
            match key {
                "append" if word.ends_with("=false") => {
                    bail!("-{flag} adds to a file and never empties it; remove the file before")
                }
                "notation" if !word.ends_with("=san") => {
                    bail!("-{flag} writes moves as SAN; expected notation=san")
                }
                "min" | "fi" | "nodes" | "seldepth" | "nps" | "hashfull" | "tbhits"
                | "timeleft" | "latency" | "pv" | "match_line" => {
                    self.ignore(&format!("-{flag} {word}"));
                }
                _ => {}
            }
        }
        Ok(file.into())
    }

    fn engine<'a>(
        &mut self,
        at: usize,
        keys: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> anyhow::Result<EngineSettings> {
        let mut engine = EngineSettings {
            name: format!("engine {}", at + 1),
            ..EngineSettings::default()
        };
        let mut options = BTreeMap::new();
        for (key, value) in keys {
            match key {
                "name" => value.clone_into(&mut engine.name),
                "cmd" => engine.command = Some(value.into()),
                "dir" => engine.folder = Some(value.into()),
                "args" | "arg" => engine
                    .args
                    .extend(value.split_whitespace().map(str::to_owned)),
                "proto" => engine.protocol = Some(value.to_owned()),
                "conf" | "engine" => engine.engine = Some(value.to_owned()),
                "level" => engine.level = Some(value.to_owned()),
                "tc" => engine.time = Some(time_control(value)?),
                "st" => engine.time = Some(format!("{value}/move")),
                "depth" | "plies" => engine.depth = Some(number(key, value)?),
                "nodes" => engine.nodes = Some(number(key, value)?),
                "timemargin" => {
                    let margin = number(key, value)?;
                    self.settings.margin_ms = self.settings.margin_ms.max(margin);
                }
                "restart" => self.settings.restart |= value != "auto" && switch(key, value)?,
                "ponder" => self.settings.ponder |= switch(key, value)?,
                "trust" | "stderr" | "whitepov" => self.ignore(key),
                _ => match key.strip_prefix("option.") {
                    Some(option) => {
                        options.insert(option.to_owned(), Setting(value.to_owned()));
                    }
                    None => bail!("-engine has no key {key:?}"),
                },
            }
        }
        engine.options = options;
        Ok(engine)
    }
}

/// `40/1:30+0.5` has minutes in front of the colon; `inf` is no limit.
fn time_control(text: &str) -> anyhow::Result<String> {
    if text == "inf" {
        return Ok("-".to_owned());
    }
    let (moves, clock) = text
        .split_once('/')
        .map_or(("", text), |(moves, it)| (moves, it));
    let (base, increment) = clock.split_once('+').unwrap_or((clock, "0"));
    let seconds = match base.split_once(':') {
        None => number::<f64>("tc", base)?,
        Some((minutes, seconds)) => {
            60.0 * number::<f64>("tc", minutes)? + number::<f64>("tc", seconds)?
        }
    };
    let increment: f64 = number("tc", increment)?;
    let trimmed = |it: f64| {
        let text = format!("{it:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let moves = if moves.is_empty() || moves == "0" {
        String::new()
    } else {
        format!("{moves}/")
    };
    Ok(format!(
        "{moves}{}+{}",
        trimmed(seconds),
        trimmed(increment)
    ))
}

fn format(name: &str) -> anyhow::Result<String> {
    Ok(match name {
        "round-robin" | "roundrobin" => "round-robin",
        "double-round-robin" | "gauntlet" | "knockout" | "swiss" => name,
        _ => bail!(
            "-tournament expects round-robin, double-round-robin, gauntlet, swiss or knockout, found {name:?}"
        ),
    }
    .to_owned())
}

fn openings(words: &[String]) -> anyhow::Result<OpeningSettings> {
    let mut openings = OpeningSettings {
        file: PathBuf::new(),
        order: "sequential".to_owned(),
        start: 1,
        plies: None,
    };
    for (key, value) in pairs("openings", words)? {
        match key {
            "file" => openings.file = value.into(),
            "order" => value.clone_into(&mut openings.order),
            "start" => openings.start = number("start", value)?,
            "plies" => openings.plies = Some(number("plies", value)?),
            // What a file is follows from what is in it; the policy is ours: the same for every pair.
            "format" | "policy" => {}
            _ => bail!("-openings has no key {key:?}; it has file, order, start and plies"),
        }
    }
    if openings.file.as_os_str().is_empty() {
        bail!("-openings needs file=…");
    }
    Ok(openings)
}

/// The tables of endings, whichever of their flags comes first.
fn tables(settings: &mut Settings) -> &mut TablebaseSettings {
    settings
        .tablebases
        .get_or_insert_with(|| TablebaseSettings {
            folders: Vec::new(),
            pieces: None,
            ignore_fifty_moves: false,
        })
}

fn sprt(words: &[String]) -> anyhow::Result<SprtSettings> {
    let mut sprt = SprtSettings {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
        model: "logistic".to_owned(),
        trinomial: false,
    };
    for (key, value) in pairs("sprt", words)? {
        match key {
            "elo0" => sprt.elo0 = number(key, value)?,
            "elo1" => sprt.elo1 = number(key, value)?,
            "alpha" => sprt.alpha = number(key, value)?,
            "beta" => sprt.beta = number(key, value)?,
            "model" => value.clone_into(&mut sprt.model),
            "trinomial" => sprt.trinomial = switch(key, value)?,
            _ => bail!("-sprt has no key {key:?}; it has elo0, elo1, alpha, beta and model"),
        }
    }
    Ok(sprt)
}

fn resign(words: &[String]) -> anyhow::Result<ResignSettings> {
    let (mut score, mut moves, mut two_sided) = (None, None, false);
    for (key, value) in pairs("resign", words)? {
        match key {
            "score" => score = Some(number(key, value)?),
            "movecount" => moves = Some(number(key, value)?),
            "twosided" => two_sided = switch(key, value)?,
            _ => bail!("-resign has no key {key:?}; it has movecount, score and twosided"),
        }
    }
    let (Some(score), Some(moves)) = (score, moves) else {
        bail!("-resign needs both movecount=… and score=…");
    };
    Ok(ResignSettings {
        score,
        moves,
        two_sided,
    })
}

fn draw(words: &[String]) -> anyhow::Result<DrawSettings> {
    let (mut score, mut moves, mut from_move) = (None, None, 0);
    for (key, value) in pairs("draw", words)? {
        match key {
            "score" => score = Some(number(key, value)?),
            "movecount" => moves = Some(number(key, value)?),
            "movenumber" => from_move = number(key, value)?,
            _ => bail!("-draw has no key {key:?}; it has movenumber, movecount and score"),
        }
    }
    let (Some(score), Some(moves)) = (score, moves) else {
        bail!("-draw needs both movecount=… and score=…");
    };
    Ok(DrawSettings {
        score,
        moves,
        from_move,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Wish> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        parse(&words)
    }

    #[test]
    fn scripts_carry_over() {
        let wish = read(
            "-engine name=a cmd=./a args=--x proto=uci option.Hash=16 -engine name=b cmd=./b \
             -each tc=40/1:30+0.1 timemargin=50 -rounds 100 -games 2 -repeat -concurrency 2 \
             -srand 7 -openings file=book.epd format=epd order=random plies=8 -sprt elo0=-1.5 \
             elo1=3 -resign movecount=3 score=600 twosided=true -draw movenumber=34 movecount=8 \
             score=20 -maxmoves 200 -pgnout file=out.pgn -recover -ratinginterval 5 \
             -output format=cutechess",
        )
        .unwrap();
        let settings = &wish.settings;
        assert_eq!(settings.game, Game::Chess);
        assert_eq!(
            (settings.rounds, settings.pairs, settings.games),
            (100, 1, 2)
        );
        assert_eq!(settings.time.as_deref(), Some("40/90+0.1"));
        assert_eq!(settings.engines[0].args, ["--x"]);
        assert_eq!(settings.engines[0].options["Hash"].0, "16");
        assert_eq!(settings.margin_ms, 50);
        let sprt = settings.sprt.as_ref().unwrap();
        assert!((sprt.elo0 + 1.5).abs() < 1e-12);
        assert!(settings.resign.unwrap().two_sided);
        assert_eq!(wish.out.games, Some("out.pgn".into()));
        assert_eq!(wish.style.voice, Voice::Cutechess);
        assert_eq!(wish.ignored, ["-recover changes nothing here"]);
        settings.check().unwrap();
    }

    #[test]
    fn othello_is_known_by_its_protocols() {
        let wish = read("-engine cmd=a proto=gtp -engine cmd=b proto=nboard -each st=0.5").unwrap();
        assert_eq!(wish.settings.game, Game::Othello);
        assert_eq!(wish.settings.time.as_deref(), Some("0.5/move"));
        let wish = read("-engine cmd=a tc=1 -engine cmd=b tc=2 -each proto=gtp").unwrap();
        assert_eq!(wish.settings.time, None);
        assert_eq!(wish.settings.time_of(1), Some("2+0"));
        assert_eq!(wish.settings.games, 1);
        let wish = read("-engine level=elo_800 -engine level=max -variant othello").unwrap();
        assert_eq!(wish.settings.game, Game::Othello);
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        let games = |text: &str| read(text).map(|it| it.out.games.unwrap());
        let file = Some(PathBuf::from("all.pgn"));
        assert_eq!(games("-pgnout notation=san file=all.pgn").ok(), file);
        assert_eq!(games("-pgnout all.pgn min").ok(), file);
        assert!(games("-pgnout notation=uci file=a").is_err());
        assert!(games("-pgnout notation=san").is_err());
        let counted = |text: &str| {
            read(text).map(|it| (it.settings.rounds, it.settings.pairs, it.settings.games))
        };
        assert_eq!(counted("-games 3 -rounds 2").ok(), Some((2, 3, 1)));
        assert_eq!(counted("-games 4 -rounds 2").ok(), Some((2, 2, 2)));
        assert_eq!(counted("-repeat --rounds 5").ok(), Some((5, 1, 2)));
        assert!(counted("-games 3 -repeat").is_err());
        assert!(counted("-games 1 -reverse").is_err());
        let wish = read("-engine cmd=a ponder -each ponder=off -reverse -repeat -epdout x.epd");
        assert!(wish.as_ref().unwrap().settings.ponder);
        let ignored = wish.unwrap().ignored;
        assert_eq!(ignored.len(), 2, "{ignored:?}");
        assert_eq!(read("--home /x").unwrap().home, Some("/x".into()));
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("-engine cmd").contains("expects key=value"));
        assert!(error("-rounds many").contains("expects a number"));
        assert!(error("-frobnicate").contains("there is no flag -frobnicate"));
        assert!(error("-resign movecount=3").contains("needs both"));
        assert!(error("-draw score=10").contains("needs both"));
        assert!(error("-resign movecount=3 score=9 twosided=perhaps").contains("on or off"));
        assert!(error("engine").contains("where a flag"));
    }
}

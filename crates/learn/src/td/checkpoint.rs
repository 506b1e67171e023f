//! A training as bytes, to go on with another day.
//!
//! | bytes | what |
//! |---|---|
//! | 24 | `KIBITZ_TD_CHECKPOINT_V1` and a zero |
//! | 4 | format version, little-endian as all numbers here |
//! | 8 | length of the rest after the next field |
//! | 8 | [checksum](engine::checksum) of that rest |
//! | rest | zstd: shapes, settings, counters, curve, weights (`u16`), first and second moments (`f32`) |
//!
//! Of mirror images only one is stored. The same training gives the same bytes, but for the time that
//! it took.

use super::{
    FailureWindow, Layout, Learner, MatchPoint, Settings, Tally, Trainer, WindowPoint,
    adam::{Adam, MemoryError},
    monitor::Progress,
    score,
};
use crate::settings::{SettingError, Settings as _};
use engine::{
    checksum::checksum,
    eval::{
        pattern::{Pattern, STAGES},
        shapes::SHAPES,
    },
};
use std::{
    collections::BTreeMap,
    io::{self, BufReader, BufWriter, Read, Write},
};

const SIGNATURE: &[u8; 24] = b"KIBITZ_TD_CHECKPOINT_V1\0";
const VERSION: u32 = 1;
const HEADER: usize = 44;
/// Fast; most of what there is to gain are the zeros.
const ZSTD_LEVEL: i32 = 1;

/// Why bytes are not a training to go on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("not a checkpoint: it does not begin with KIBITZ_TD_CHECKPOINT_V1")]
    NotCheckpoint,
    /// Written by a newer program.
    #[error("checkpoint format {found} is newer than this program, which reads {VERSION}")]
    Newer { found: u32 },
    #[error("the checkpoint is cut short: it should have {expected} bytes and has {found}")]
    Truncated {
        /// As the header has it, or at least the header's own length.
        expected: u64,
        found: u64,
    },
    /// More bytes than the header promises.
    #[error("the checkpoint has {found} bytes; it should have {expected}")]
    TooLong {
        /// As the header has it.
        expected: u64,
        found: u64,
    },
    /// Changed since it was written.
    #[error("the checkpoint is damaged: its checksum does not match")]
    Checksum,
    /// For other shapes or stages.
    #[error("the checkpoint is for other shapes than this program's")]
    Foreign,
    /// A constant that this program does not know or take.
    #[error("the checkpoint's settings: {0}")]
    Setting(#[from] SettingError),
    /// Whole, but it cannot be right.
    #[error("the checkpoint contradicts itself: {0}")]
    Inconsistent(String),
    /// Too large for this machine.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The compressed part cannot be read.
    #[error("the checkpoint is damaged: {0}")]
    Unreadable(#[from] io::Error),
}

fn inconsistent(what: impl Into<String>) -> CheckpointError {
    CheckpointError::Inconsistent(what.into())
}

fn description() -> String {
    format!("stages={STAGES}|{}", SHAPES.join("|"))
}

/// Puts the header before a compressed body, whatever that is.
pub fn seal(body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend(SIGNATURE);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Checks the header; the body.
fn unseal(bytes: &[u8]) -> Result<&[u8], CheckpointError> {
    if !bytes.starts_with(SIGNATURE) {
        return Err(CheckpointError::NotCheckpoint);
    }
    let found = bytes.len() as u64;
    let (Some(header), Some(body)) = (bytes.get(..HEADER), bytes.get(HEADER..)) else {
        let expected = HEADER as u64;
        return Err(CheckpointError::Truncated { expected, found });
    };
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| header[at + i]));
    let version = word(24) as u32;
    if version != VERSION {
        return Err(CheckpointError::Newer { found: version });
    }
    let expected = word(28).saturating_add(HEADER as u64);
    match found.cmp(&expected) {
        std::cmp::Ordering::Less => Err(CheckpointError::Truncated { expected, found }),
        std::cmp::Ordering::Greater => Err(CheckpointError::TooLong { expected, found }),
        std::cmp::Ordering::Equal if checksum(body) != word(36) => Err(CheckpointError::Checksum),
        std::cmp::Ordering::Equal => Ok(body),
    }
}

impl Trainer {
    /// The training as a checkpoint's bytes.
    pub fn to_checkpoint(&self) -> io::Result<Vec<u8>> {
        let encoder = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
        let mut out = Out(BufWriter::with_capacity(1 << 16, encoder));
        out.text(&description())?;
        out.text(&self.settings.to_text())?;
        out.counters(self)?;
        let (layout, learner) = (Layout::shipped(), &self.learner);
        for number in layout.learned() {
            out.0.write_all(&learner.weight(number).to_le_bytes())?;
        }
        for moments in [&learner.adam().m, &learner.adam().v] {
            for number in layout.learned() {
                out.0.write_all(&moments[number].to_le_bytes())?;
            }
        }
        let encoder = out.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(seal(&encoder.finish()?))
    }

    /// Reads a checkpoint and checks that it makes sense.
    pub fn from_checkpoint(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let decoder = zstd::Decoder::with_buffer(unseal(bytes)?)?;
        let mut source = In(BufReader::with_capacity(1 << 16, decoder));
        if source.text()? != description() {
            return Err(CheckpointError::Foreign);
        }
        let settings = Settings::from_text(&source.text()?)?;
        let counters = source.counters()?;
        counters.check()?;
        let layout = Layout::shipped();
        let mut pattern = Pattern::blank();
        for number in layout.learned() {
            let weight = score::to_signed(u16::from_le_bytes(source.bytes()?));
            let (stage, images) = layout.places(number);
            for index in images {
                pattern.set_weight(stage, index, weight);
            }
        }
        let mut adam = Adam::new(layout.n_weights())?;
        adam.t = counters.t;
        for (moments, least) in [(&mut adam.m, f32::MIN), (&mut adam.v, 0.0)] {
            for number in layout.learned() {
                let moment = f32::from_le_bytes(source.bytes()?);
                if !moment.is_finite() || moment < least {
                    return Err(inconsistent(format!(
                        "a moment of weight {number} is {moment}"
                    )));
                }
                moments[number] = moment;
            }
        }
        if source.0.read(&mut [0])? > 0 {
            return Err(inconsistent("there is more after the last moment"));
        }
        Ok(counters.into_trainer(settings, pattern, adam))
    }
}

/// The small part of a checkpoint.
struct Counters {
    games: u64,
    t: u64,
    n_updates: u64,
    n_touched: u64,
    elapsed_ms: u64,
    recent: Tally,
    window: Tally,
    total: Tally,
    progress: Progress,
    failures: FailureWindow,
    curve: Vec<WindowPoint>,
    matches: Vec<MatchPoint>,
}

impl Counters {
    fn check(&self) -> Result<(), CheckpointError> {
        let n_learned = Layout::shipped().n_learned() as u64;
        let games = self.games as f64;
        let whole = |counted: f64, is: f64| (counted - is).abs() < 0.5;
        if !whole(self.total.games + self.total.failed, games) {
            return Err(inconsistent("finished and failed games are not all games"));
        }
        if !whole(self.total.updates, self.t as f64) {
            return Err(inconsistent(
                "the optimizer's clock is not the number of updates",
            ));
        }
        if self.n_touched > n_learned || self.n_touched > self.n_updates {
            return Err(inconsistent("more weights changed than there are or were"));
        }
        let ascends = |games: Vec<u64>| {
            let sorted = games.windows(2).all(|pair| pair[0] < pair[1]);
            sorted && games.last() <= Some(&self.games)
        };
        if !ascends(self.curve.iter().map(|point| point.games).collect())
            || !ascends(self.matches.iter().map(|point| point.games).collect())
        {
            return Err(inconsistent("the learning curve does not go forward"));
        }
        Ok(())
    }

    fn into_trainer(self, settings: Settings, pattern: Pattern, adam: Adam) -> Trainer {
        Trainer {
            settings,
            learner: Learner::from_parts(pattern, adam, self.n_updates, self.n_touched),
            games: self.games,
            recent: self.recent,
            window: self.window,
            total: self.total,
            progress: self.progress,
            failures: self.failures,
            curve: self.curve,
            matches: self.matches,
            elapsed_ms: self.elapsed_ms,
        }
    }
}

struct Out<W: Write>(W);

impl<W: Write> Out<W> {
    fn whole(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    fn real(&mut self, number: f64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.whole(text.len() as u64)?;
        self.0.write_all(text.as_bytes())
    }

    fn counters(&mut self, trainer: &Trainer) -> io::Result<()> {
        let learner = &trainer.learner;
        self.whole(trainer.games)?;
        self.whole(learner.adam().t)?;
        self.whole(learner.n_updates)?;
        self.whole(learner.n_touched)?;
        self.whole(trainer.elapsed_ms)?;
        for tally in [trainer.recent, trainer.window, trainer.total] {
            for number in tally.to_array() {
                self.real(number)?;
            }
        }
        self.real(trainer.progress.best_error)?;
        self.whole(trainer.progress.best_games)?;
        self.whole(trainer.progress.warned_games)?;
        self.whole(trainer.failures.games)?;
        self.whole(trainer.failures.failures.len() as u64)?;
        for (way, &n) in &trainer.failures.failures {
            self.text(way)?;
            self.whole(n)?;
        }
        self.whole(trainer.curve.len() as u64)?;
        for point in &trainer.curve {
            self.whole(point.games)?;
            for number in [point.error, point.deviation, point.difference] {
                self.real(number)?;
            }
        }
        self.whole(trainer.matches.len() as u64)?;
        for point in &trainer.matches {
            self.whole(point.games)?;
            self.real(point.win_rate)?;
        }
        Ok(())
    }
}

struct In<R: Read>(R);

impl<R: Read> In<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn whole(&mut self) -> Result<u64, CheckpointError> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn real(&mut self) -> Result<f64, CheckpointError> {
        Ok(f64::from_le_bytes(self.bytes()?))
    }

    /// A length that memory can bear, whatever the file says.
    fn length(&mut self, most: u64) -> Result<usize, CheckpointError> {
        let length = self.whole()?;
        if length > most {
            let message = format!("a list of {length} where at most {most} are possible");
            return Err(inconsistent(message));
        }
        Ok(length as usize)
    }

    fn text(&mut self) -> Result<String, CheckpointError> {
        let mut bytes = vec![0; self.length(1 << 16)?];
        self.0.read_exact(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| inconsistent("a text is not UTF-8"))
    }

    fn tally(&mut self) -> Result<Tally, CheckpointError> {
        let mut numbers = [0.0; Tally::LEN];
        for number in &mut numbers {
            *number = self.real()?;
        }
        Ok(Tally::from_array(numbers))
    }

    fn counters(&mut self) -> Result<Counters, CheckpointError> {
        /// More points than any training has.
        const MOST_POINTS: u64 = 1 << 20;
        Ok(Counters {
            games: self.whole()?,
            t: self.whole()?,
            n_updates: self.whole()?,
            n_touched: self.whole()?,
            elapsed_ms: self.whole()?,
            recent: self.tally()?,
            window: self.tally()?,
            total: self.tally()?,
            progress: Progress {
                best_error: self.real()?,
                best_games: self.whole()?,
                warned_games: self.whole()?,
            },
            failures: FailureWindow {
                games: self.whole()?,
                failures: {
                    let mut failures = BTreeMap::new();
                    for _ in 0..self.length(MOST_POINTS)? {
                        failures.insert(self.text()?, self.whole()?);
                    }
                    failures
                },
            },
            curve: {
                let mut curve = Vec::new();
                for _ in 0..self.length(MOST_POINTS)? {
                    curve.push(WindowPoint {
                        games: self.whole()?,
                        error: self.real()?,
                        deviation: self.real()?,
                        difference: self.real()?,
                    });
                }
                curve
            },
            matches: {
                let mut matches = Vec::new();
                for _ in 0..self.length(MOST_POINTS)? {
                    matches.push(MatchPoint {
                        games: self.whole()?,
                        win_rate: self.real()?,
                    });
                }
                matches
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        playing::GameFailure,
        settings::{MoveLimit, Schedule},
        td::play,
    };
    use engine::Engine;
    use std::sync::atomic::AtomicBool;

    fn settings() -> Settings {
        Settings {
            games: 60,
            limit: MoveLimit::Depth(2),
            epsilon: Schedule::new(vec![(0, 0.15), (30, 0.05)]).unwrap(),
            batch: 7,
            checkpoint_every: 20,
            detail_every: 25,
            match_games: 0,
            ..Settings::default()
        }
    }

    fn run(trainer: &mut Trainer, until: u64) {
        while trainer.games() < until {
            let batch: Vec<_> = {
                let mut engine = Engine::new(trainer.learner().pattern(), 1, 1).unwrap();
                let stop = AtomicBool::new(false);
                trainer
                    .next_batch()
                    .map(|number| {
                        let settings = trainer.settings();
                        play(
                            settings.searcher(&mut engine, &|| 0, &stop),
                            settings,
                            number,
                        )
                    })
                    .map(|game| match &game {
                        // One failure, so that there is something to keep.
                        Ok(history) if history.result == 2 => Err(GameFailure::NoMove),
                        _ => game,
                    })
                    .collect()
            };
            trainer.absorb(batch, |_, _| {});
        }
    }

    #[test]
    fn a_resumed_training_ends_with_the_same_bytes() {
        let mut whole = Trainer::new(settings()).unwrap();
        run(&mut whole, 60);
        let end = whole.to_checkpoint().unwrap();
        for first in [7, 20, 41] {
            let mut before = Trainer::new(settings()).unwrap();
            run(&mut before, first);
            let saved = before.to_checkpoint().unwrap();
            drop(before);
            let mut after = Trainer::from_checkpoint(&saved).unwrap();
            assert_eq!(after.to_checkpoint().unwrap(), saved, "nothing is lost");
            run(&mut after, 60);
            assert!(after.to_checkpoint().unwrap() == end, "after {first} games");
        }
    }

    #[test]
    fn damage_is_told_apart() {
        let bytes = Trainer::new(settings()).unwrap().to_checkpoint().unwrap();
        let error = |bytes: &[u8]| Trainer::from_checkpoint(bytes).unwrap_err();
        let message = |bytes: &[u8]| error(bytes).to_string();
        assert!(matches!(error(b""), CheckpointError::NotCheckpoint));
        assert!(matches!(error(b"GIF89a"), CheckpointError::NotCheckpoint));
        assert_eq!(
            message(&bytes[..30]),
            "the checkpoint is cut short: it should have 44 bytes and has 30"
        );
        let n = bytes.len();
        assert_eq!(
            message(&bytes[..n - 5]),
            format!(
                "the checkpoint is cut short: it should have {n} bytes and has {}",
                n - 5
            )
        );
        let longer = [bytes.as_slice(), b"!"].concat();
        assert!(matches!(error(&longer), CheckpointError::TooLong { .. }));
        let changed = |at: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            error(&changed)
        };
        assert!(matches!(changed(3), CheckpointError::NotCheckpoint));
        assert!(matches!(changed(24), CheckpointError::Newer { found: 5 }));
        for at in [36, HEADER, HEADER + 9, n - 1] {
            assert!(matches!(changed(at), CheckpointError::Checksum), "{at}");
        }
    }

    /// Whole and with the right checksum, but not what was saved.
    #[test]
    fn contradictions_are_found() {
        let resealed = |change: fn(&mut Vec<u8>)| {
            let bytes = Trainer::new(settings()).unwrap().to_checkpoint().unwrap();
            let mut payload = zstd::decode_all(unseal(&bytes).unwrap()).unwrap();
            change(&mut payload);
            let body = zstd::encode_all(payload.as_slice(), 1).unwrap();
            Trainer::from_checkpoint(&seal(&body)).unwrap_err()
        };
        assert!(matches!(
            resealed(|payload| payload[20] ^= 1),
            CheckpointError::Foreign
        ));
        assert!(matches!(
            resealed(|payload| payload[7] = 1),
            CheckpointError::Inconsistent(_)
        ));
        assert!(matches!(
            resealed(|payload| payload.truncate(payload.len() - 1)),
            CheckpointError::Unreadable(_)
        ));
        assert!(matches!(
            resealed(|payload| payload.push(0)),
            CheckpointError::Inconsistent(_)
        ));
        let nan = resealed(|payload| {
            let at = payload.len() - 4;
            payload[at..].copy_from_slice(&f32::NAN.to_le_bytes());
        });
        assert!(nan.to_string().contains("is NaN"), "{nan}");
        assert!(matches!(
            seal_text("not zstd"),
            CheckpointError::Unreadable(_)
        ));
    }

    fn seal_text(body: &str) -> CheckpointError {
        Trainer::from_checkpoint(&seal(body.as_bytes())).unwrap_err()
    }
}

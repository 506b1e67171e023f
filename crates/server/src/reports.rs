//! Reports of analyses on their way to the streams: only the latest of each matters, and ten a second
//! of each are plenty.

use crate::events::EventsWish;
use app::desk::AnalysisKey;
use axum::body::Bytes;
use std::time::Duration;
use tokio::time::Instant;

/// A stream gets the reports of one analysis no more often than this.
const EVERY: Duration = Duration::from_millis(100);

/// Analyses whose latest reports are remembered.
const KEPT: usize = 16;

/// What an analysis has come to.
#[derive(Debug, Clone)]
pub(crate) struct Latest {
    pub(crate) key: AnalysisKey,
    /// Which of the analyses under this key it is: a step of the user begins a new one.
    pub(crate) generation: u64,
    /// Whether it says anything about the position yet.
    pub(crate) has_lines: bool,
    /// The event as it stands in the streams.
    pub(crate) frame: Bytes,
}

/// The latest report of each analysis, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    n: u64,
    latest: Vec<(u64, Latest)>,
}

impl Reports {
    pub(crate) fn put(&mut self, report: Latest) {
        self.n += 1;
        self.latest.retain(|(_, known)| known.key != report.key);
        self.latest.push((self.n, report));
        if self.latest.len() > KEPT {
            self.latest.remove(0);
        }
    }
}

/// What a stream may get next.
#[derive(Debug)]
pub(crate) enum Due {
    Now(Bytes),
    /// Something, but not before then.
    At(Instant),
    Nothing,
}

/// The last report of an analysis that a stream got.
#[derive(Debug)]
struct Got {
    n: u64,
    key: AnalysisKey,
    generation: u64,
    has_lines: bool,
    at: Instant,
}

/// Which reports a stream has got.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Reports up to this one came before the stream did.
    before: u64,
    got: Vec<Got>,
}

impl Seen {
    /// A stream that begins now.
    pub(crate) const fn all_of(reports: &Reports) -> Self {
        Self {
            before: reports.n,
            got: Vec::new(),
        }
    }

    /// The oldest report that this stream has not got and may get now; it counts as got. The first word
    /// about a position and the first line wait for nothing: whoever has just moved looks at them.
    pub(crate) fn next(&mut self, reports: &Reports, wish: &EventsWish, now: Instant) -> Due {
        let mut later: Option<Instant> = None;
        for (n, report) in &reports.latest {
            let known = self.got.iter().position(|it| it.key == report.key);
            let last = known.map(|at| &self.got[at]);
            let is_new = *n > last.map_or(self.before, |it| it.n);
            if !is_new || !wish.wants(Some(&report.key.session)) {
                continue;
            }
            let due = last
                .filter(|it| it.generation == report.generation)
                .filter(|it| it.has_lines || !report.has_lines)
                .map(|it| it.at + EVERY)
                .filter(|&due| due > now);
            if let Some(due) = due {
                later = Some(later.map_or(due, |it| it.min(due)));
                continue;
            }
            let got = Got {
                n: *n,
                key: report.key.clone(),
                generation: report.generation,
                has_lines: report.has_lines,
                at: now,
            };
            match known {
                Some(at) => self.got[at] = got,
                None => self.got.push(got),
            }
            let is_kept = |it: &Got| {
                reports
                    .latest
                    .iter()
                    .any(|(_, latest)| latest.key == it.key)
            };
            self.got.retain(is_kept);
            return Due::Now(report.frame.clone());
        }
        later.map_or(Due::Nothing, Due::At)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::{config::EngineName, desk::Thinker};

    fn report(session: &str, engine: EngineName, generation: u64, text: &'static str) -> Latest {
        Latest {
            key: AnalysisKey {
                session: session.to_owned(),
                engine: Thinker::Own(engine),
            },
            generation,
            has_lines: !text.is_empty(),
            frame: Bytes::from_static(text.as_bytes()),
        }
    }

    const FIRST: EngineName = EngineName::AlphaBeta;
    const SECOND: EngineName = EngineName::Mcts;

    /// What a stream gets at one moment.
    fn got(seen: &mut Seen, reports: &Reports, wish: &EventsWish, now: Instant) -> String {
        let mut texts = String::new();
        while let Due::Now(frame) = seen.next(reports, wish, now) {
            texts.push_str(std::str::from_utf8(&frame).unwrap());
            texts.push('.');
        }
        texts
    }

    #[test]
    fn every_analysis_has_its_latest_report_and_none_hides_another() {
        let all = EventsWish::default();
        let one = EventsWish::of_session("s1");
        let mut reports = Reports::default();
        let mut both = [&all, &one].map(|wish| (wish, Seen::all_of(&reports)));
        for (session, engine, text) in [
            ("s1", FIRST, "a"),
            ("s2", FIRST, "b"),
            ("s1", SECOND, "c"),
            ("s1", FIRST, "d"),
        ] {
            reports.put(report(session, engine, 1, text));
        }
        let now = Instant::now();
        let texts = both
            .each_mut()
            .map(|(wish, seen)| got(seen, &reports, wish, now));
        assert_eq!(texts, ["b.c.d.", "c.d."]);
        // Whoever comes now has got the whole state.
        let mut late = Seen::all_of(&reports);
        assert_eq!(got(&mut late, &reports, &all, now), "");
        for session in 0..2 * KEPT {
            reports.put(report(&session.to_string(), FIRST, 1, "x"));
        }
        assert_eq!(reports.latest.len(), KEPT);
        let (all, seen) = &mut both[0];
        got(seen, &reports, all, now);
        assert_eq!(seen.got.len(), KEPT);
    }

    #[test]
    fn one_analysis_is_told_ten_times_a_second_and_the_first_line_at_once() {
        let all = EventsWish::default();
        let mut reports = Reports::default();
        let mut seen = Seen::all_of(&reports);
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut tell = |generation, text, now| {
            reports.put(report("s1", FIRST, generation, text));
            got(&mut seen, &reports, &all, now)
        };
        // It begins without a line, and the first line follows.
        assert_eq!(tell(1, "", at(0)), ".");
        assert_eq!(tell(1, "a", at(5)), "a.");
        assert_eq!(tell(1, "b", at(10)), "");
        assert_eq!(tell(1, "c", at(104)), "");
        assert_eq!(tell(1, "d", at(105)), "d.");
        // A step of the user: nothing of what came before delays it.
        assert_eq!(tell(2, "", at(110)), ".");
        assert_eq!(tell(2, "e", at(111)), "e.");
        assert_eq!(tell(2, "f", at(112)), "");
        // A stream knows when to look again, and another engine does not wait for this one.
        let due = seen.next(&reports, &all, at(112));
        assert!(matches!(due, Due::At(when) if when == at(211)), "{due:?}");
        reports.put(report("s1", SECOND, 1, "g"));
        assert_eq!(got(&mut seen, &reports, &all, at(113)), "g.");
        assert_eq!(got(&mut seen, &reports, &all, at(211)), "f.");
        let due = seen.next(&reports, &all, at(400));
        assert!(matches!(due, Due::Nothing), "{due:?}");
    }
}

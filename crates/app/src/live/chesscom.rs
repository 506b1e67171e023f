//! Chess.com: a list of the months in which a player played, and the games of each month as PGN.

use super::{
    LiveError, Wish,
    asking::{Asker, Stumble},
    dates::Month,
    lichess::games,
};
use crate::library::Intake;
use std::{collections::HashSet, io::Read as _};

/// No list of months is longer.
const LIST_MAX: u64 = 1 << 20;

#[derive(serde::Deserialize)]
struct Archives {
    archives: Vec<String>,
}

/// Fetches the games of a player, month by month. Months that are over are fetched once.
pub(super) fn player(
    asker: &Asker<'_>,
    intake: &mut Intake<'_>,
    wish: &Wish,
    name: &str,
) -> Result<u64, LiveError> {
    let name = name.to_ascii_lowercase();
    let is_usual = wish.since.is_none();
    let until = intake.fetched_until()?.filter(|_| is_usual && !wish.anew);
    let since = wish.since.map(|it| it.seconds).or(until);
    asker.tell(
        intake,
        &format!("Asking {} for the months of {name}.", asker.host()),
    );
    let mut months = asker.persist(intake, |_| archives(asker, &name))?;
    if let Some(since) = since {
        months.retain(|month| month.next().start() > since);
    }
    let this_month = Month::of(((asker.outside.now_ms)() / 1000) as i64);
    let n_months = months.len() as u64;
    for (at, month) in months.into_iter().enumerate() {
        asker.months.set(Some((at as u64, n_months)));
        let Month {
            year,
            month: number,
        } = month;
        asker.tell(intake, &format!("Games of {name} in {year}-{number:02}."));
        let path = format!("/pub/player/{name}/games/{year}/{number:02}/pgn");
        // After a cut the month comes again from its beginning.
        let mut seen = HashSet::new();
        asker.persist(intake, |intake| {
            games(asker, intake, &path, |intake, text| {
                if seen.insert(engine::checksum::checksum(text)) {
                    asker.gain();
                    intake.take(text);
                }
            })
        })?;
        intake.store(false)?;
        if is_usual && month < this_month {
            intake.set_fetched_until(month.next().start())?;
        }
    }
    asker.months.set(Some((n_months, n_months)));
    Ok(0)
}

/// The months that there are, oldest first. Their addresses are made by us: a list cannot send us
/// elsewhere.
fn archives(asker: &Asker<'_>, name: &str) -> Result<Vec<Month>, Stumble> {
    let path = format!("/pub/player/{name}/games/archives");
    let answer = asker.open(&path, "application/json")?;
    let mut text = Vec::new();
    let read = answer.take(LIST_MAX + 1).read_to_end(&mut text);
    read.map_err(|_| asker.cut())?;
    if text.len() as u64 > LIST_MAX {
        return Err(asker.odd("its list of months is too long").into());
    }
    let list: Archives = serde_json::from_slice(&text)
        .map_err(|error| asker.odd(format!("its list of months cannot be read ({error})")))?;
    let month = |address: &String| {
        let mut parts = address.trim_end_matches('/').rsplit('/');
        let number = |text: Option<&str>| text?.parse::<i64>().ok();
        let (month, year) = (number(parts.next())?, number(parts.next())?);
        let is_month = (1..=12).contains(&month) && (1990..=9999).contains(&year);
        is_month.then_some(Month { year, month })
    };
    let mut months: Vec<Month> = list
        .archives
        .iter()
        .map(|address| {
            month(address).ok_or_else(|| {
                let address: String = address.chars().take(100).collect();
                asker.odd(format!("{address:?} is no month"))
            })
        })
        .collect::<Result<_, _>>()?;
    months.sort_unstable();
    months.dedup();
    Ok(months)
}

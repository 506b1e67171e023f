//! Reading in one notation and writing in another.

use super::Log;
use app::output::Output;
use othello::notation::{
    Format, GgfWriter, ObfLine, WthorDate, WthorDirectory, WthorHeader, WthorWriter, read_ggf,
    read_obf, read_records, read_wthor,
};
use std::{
    io::{self, BufRead, Write as _},
    time::SystemTime,
};

pub(super) fn convert(
    from: Format,
    to: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    match (from, to) {
        (Format::Ggf, Format::Ggf) => copy_ggf(reader, output, log),
        (Format::Obf, Format::Obf) => copy_obf(reader, output, log),
        (Format::Wthor, Format::Wthor) => copy_wthor(reader, output, log),
        (_, Format::Wthor) => into_wthor(from, reader, output, directory, log),
        _ => into_text(from, to, reader, output, directory, log),
    }
}

fn into_text(
    from: Format,
    to: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    for item in read_records(from, reader, directory) {
        if let Some(record) = log.take(item) {
            log.took(record.write_text(to, output))?;
        }
    }
    Ok(())
}

/// A file has one year: that of the first game.
fn into_wthor(
    from: Format,
    reader: Box<dyn BufRead>,
    output: &mut Output,
    directory: &WthorDirectory,
    log: &mut Log,
) -> io::Result<()> {
    let mut writer = WthorWriter::new(output, new_header())?;
    for item in read_records(from, reader, directory) {
        let Some(record) = log.take(item) else {
            continue;
        };
        if log.read == 1 {
            writer.header_mut().year = year_of(record.date.as_deref());
        }
        let written = match record.to_wthor(directory) {
            Ok(game) => writer.write(&game).map_err(Into::into),
            Err(error) => Err(error.into()),
        };
        log.took(written)?;
    }
    writer.finish()?;
    Ok(())
}

fn copy_ggf(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    let mut writer = GgfWriter::new(output);
    for item in read_ggf(reader) {
        if let Some(game) = log.take(item) {
            log.took(writer.write(&game).map_err(Into::into))?;
        }
    }
    writer.finish()?;
    Ok(())
}

fn copy_obf(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    for item in read_obf(reader) {
        // Comments are kept, but are no records.
        if let Ok(ObfLine::Comment(comment)) = &item {
            writeln!(output, "{comment}")?;
        } else if let Some(line) = log.take(item) {
            log.took(writeln!(output, "{line}").map_err(Into::into))?;
        }
    }
    Ok(())
}

fn copy_wthor(reader: Box<dyn BufRead>, output: &mut Output, log: &mut Log) -> io::Result<()> {
    let reader = match read_wthor(reader) {
        Ok(reader) => reader,
        Err(problem) => {
            log.take::<()>(Err(problem));
            return Ok(());
        }
    };
    let mut writer = WthorWriter::new(output, reader.header())?;
    for item in reader {
        if let Some(game) = log.take(item) {
            log.took(writer.write(&game).map_err(Into::into))?;
        }
    }
    writer.finish()?;
    Ok(())
}

/// The header of a file made today.
fn new_header() -> WthorHeader {
    WthorHeader {
        created: today(),
        board_size: 8,
        ..WthorHeader::default()
    }
}

/// The year that a date begins with, or 0.
fn year_of(date: Option<&str>) -> u16 {
    let year = date.and_then(|date| date.get(..4)?.parse().ok());
    year.unwrap_or(0)
}

fn today() -> WthorDate {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let days = since_1970.map_or(0, |time| time.as_secs() / 86_400);
    date_of_day(days)
}

/// The date of a day counted from 1 January 1970.
fn date_of_day(days: u64) -> WthorDate {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    WthorDate {
        century: (year / 100) as u8,
        year: (year % 100) as u8,
        month,
        day: day as u8 + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::date_of_day;

    #[test]
    fn days_become_dates() {
        let date = |days| {
            let date = date_of_day(days);
            let year = u32::from(date.century) * 100 + u32::from(date.year);
            (year, date.month, date.day)
        };
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(58), (1970, 2, 28));
        assert_eq!(date(59), (1970, 3, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_772), (2026, 11, 15));
        assert_eq!(date(20_818), (2026, 12, 31));
    }
}

//! Logs of IRC clients, as irssi, WeeChat, ZNC and HexChat write them, and plain lines such as `[10:15] <ada> text`.
//!
//! Many logs have times without a date. The day then comes from the log's own lines (`--- Day changed …`), from the name of the
//! file (`2026-01-31.log`), or from the caller; at midnight the next day begins. As everywhere, times without a zone are UTC.

use crate::gather::{Draft, Gathering};
use crate::irc_line::{Date, Day, Line, Moment, line};
use jiff::civil::{DateTime, Time};
use recordar_domain::{Invalid, Timestamp};

/// How many lines of a file that is not declared a log must say something.
const MIN_SAID: usize = 2;
/// Clocks are set back a little, and by an hour in autumn; by more only because a day has ended.
const JITTER_S: i64 = 120;
const HOUR_S: i64 = 3600;

/// Whether a file that is not declared a log is one: somebody speaks, and most lines are those of a log.
pub(super) fn is_one(text: &str) -> bool {
    let (mut said, mut known, mut all) = (0, 0, 0);
    for line in text.lines().map(line) {
        match line {
            Line::Blank => continue,
            // `<b>` may be a tag as well.
            Line::Said { nick, .. } if nick.len() > 1 => said += 1,
            Line::Said { .. } => known += 1,
            Line::Event { .. } | Line::Day(_) | Line::Closed => known += 1,
            Line::Other => {}
        }
        all += 1;
    }
    said >= MIN_SAID && (said + known) * 10 >= all * 8
}

/// The day that a caller names.
pub(super) fn parse_date(text: &str) -> Result<Date, Invalid> {
    text.trim().parse::<Date>().map_err(|_| {
        Invalid::new(format!("{text:?} is not a date"), "use the day of the first line, for example 2026-01-31")
    })
}

pub(super) fn read(gathering: &mut Gathering<'_>, text: &str, file: &str, date: Option<Date>) -> Result<(), Invalid> {
    let place = gathering.open(None, Some(file), None);
    let thread = format!("irc:{file}");
    let mut days = Days::new(text, date.or_else(|| date_in(file)));
    let (mut said, mut others) = (0_usize, 0_usize);
    for (index, written) in text.lines().enumerate() {
        if gathering.is_over() {
            return Ok(());
        }
        match line(written) {
            Line::Day(day) => days.begin(day),
            Line::Said { moment, nick, text, is_action } => {
                said += 1;
                let time = days.time(moment).ok_or_else(|| no_date(file, index + 1))?;
                let time = time.ok_or_else(|| written.chars().take(40).collect::<String>());
                let mut draft = Draft { speaker: Some(nick.to_owned()), time: Some(time), ..Draft::default() };
                draft.text = without_colours(text);
                if is_action {
                    draft.text = format!("{nick} {}", draft.text);
                    draft.extras.insert("action".to_owned(), true.into());
                }
                gathering.add(place, draft);
            }
            Line::Event { moment, text, reason } => {
                // Events move the clock as well; one without a day is no reason to refuse the log.
                let _ = moment.and_then(|moment| days.time(moment));
                gathering.leave_out(&thread, reason, without_colours(text));
            }
            Line::Other => {
                others += 1;
                gathering.leave_out(
                    &thread,
                    "other_line",
                    format!("line {} says nothing that is recognised", index + 1),
                );
            }
            Line::Blank | Line::Closed => {}
        }
    }
    if said == 0 {
        let what = format!("{file} has no lines in which somebody speaks, of {}", others);
        return Err(Invalid::new(what, gathering.format().remedy()));
    }
    Ok(())
}

fn no_date(file: &str, line: usize) -> Invalid {
    Invalid::new(
        format!("{file} has times without a date, from line {line} on"),
        "name the day of its first line with --date (date=), for example --date 2026-01-31 (later days are found by \
         the times); or leave the times out, with --format transcript",
    )
}

/// The day that a file is named after: `2026-01-31.log`, `#rust_20260131.log`.
fn date_in(file: &str) -> Option<Date> {
    let digits = file.as_bytes();
    let is_apart = |at: Option<usize>| at.and_then(|at| digits.get(at)).is_none_or(|byte| !byte.is_ascii_digit());
    (0..digits.len()).find_map(|at| {
        [10, 8].into_iter().find_map(|length| {
            let part = file.get(at..at + length)?;
            let is_whole = is_apart(at.checked_sub(1)) && is_apart(Some(at + length));
            let is_dashed = length == 8 || part.as_bytes()[4] == b'-';
            part.parse::<Date>().ok().filter(|_| is_whole && is_dashed)
        })
    })
}

/// The day that the lines are of, while they are read.
struct Days {
    today: Option<Date>,
    /// When the last line with a time of day was written, in seconds of its day.
    last_s: i64,
    /// Whether the log says itself when a day ends.
    has_changes: bool,
}

impl Days {
    fn new(text: &str, today: Option<Date>) -> Self {
        let has_changes = text.lines().any(|written| matches!(line(written), Line::Day(Day { is_change: true, .. })));
        Self { today, last_s: 0, has_changes }
    }

    fn begin(&mut self, day: Day) {
        (self.today, self.last_s) = (Some(day.date), 0);
    }

    /// None where the day is not known; the inner None where no calendar has it.
    fn time(&mut self, moment: Moment) -> Option<Option<Timestamp>> {
        match moment {
            Moment::At(time) => {
                self.today = date_of(time).or(self.today);
                self.last_s = 0;
                Some(Some(time))
            }
            Moment::InYear { month, day, clock } => {
                let today = self.today?;
                // A log that goes on over New Year's Eve.
                let year =
                    if month < today.month() && today.month() - month > 6 { today.year() + 1 } else { today.year() };
                let date = Date::new(year, month, day).ok();
                self.today = date.or(self.today);
                Some(date.and_then(|date| at(date, clock)))
            }
            Moment::OfDay(clock) => {
                let mut today = self.today?;
                let now_s =
                    i64::from(clock.hour()) * HOUR_S + i64::from(clock.minute()) * 60 + i64::from(clock.second());
                let back_s = self.last_s - now_s;
                let is_summer_end = back_s <= HOUR_S && (HOUR_S..4 * HOUR_S).contains(&self.last_s);
                if back_s > JITTER_S && !is_summer_end && !self.has_changes {
                    today = today.tomorrow().ok()?;
                }
                (self.today, self.last_s) = (Some(today), now_s);
                Some(at(today, clock))
            }
        }
    }
}

fn at(date: Date, clock: Time) -> Option<Timestamp> {
    Timestamp::parse(&DateTime::from_parts(date, clock).to_string()).ok()
}

fn date_of(time: Timestamp) -> Option<Date> {
    time.to_string().get(..10)?.parse().ok()
}

/// Without the codes for colours and bold type.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{3}' => {
                // One or two digits, and perhaps the background.
                let digits = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
                    (0..2).filter(|_| rest.next_if(char::is_ascii_digit).is_some()).count()
                };
                if digits(&mut rest) > 0 {
                    let mut ahead = rest.clone();
                    if ahead.next() == Some(',') && ahead.peek().is_some_and(char::is_ascii_digit) {
                        rest.next();
                        digits(&mut rest);
                    }
                }
            }
            '\u{4}' => (0..6).for_each(|_| {
                rest.next_if(char::is_ascii_hexdigit);
            }),
            '\u{2}' | '\u{f}' | '\u{11}' | '\u{16}' | '\u{1d}' | '\u{1e}' | '\u{1f}' => {}
            c => plain.push(c),
        }
    }
    plain
}

//! Redaction of everything shown: stored texts and names in replies are shown without secrets, if configured.
//!
//! It happens in one place, `Recordar::showing`, which every call and every public method that shows something goes through. Inside,
//! texts are unchanged: indexes, digests and receipts do not depend on it, and prompts are cleared by the guard before. A reply whose type
//! does not say what it shows cannot be the reply of a verb.

use super::redactor::Redactor;
use crate::error::{Error, NoPath};
use crate::noun::item::StoredWith;
use recordar_domain::Invalid;
use serde_json::Value;
use std::time::{Duration, Instant};

/// A reply that can be redacted. Users' texts and names must be redacted; ids,
/// digests, numbers, space names and our own words need not be.
pub trait Hide {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error>;
}

/// Redacts the parts of one reply.
pub struct Hiding<'a> {
    redactor: &'a Redactor,
    /// The deadline, which grows with the size of the reply.
    deadline: Instant,
}

/// A piece of a text.
pub struct PieceOf<'t> {
    /// Its offset in the text, in bytes.
    pub start: usize,
    pub text: &'t mut String,
    /// How many bytes at its start repeat the previous piece.
    pub overlap: &'t mut usize,
}

/// Time limit of patterns for each mebibyte of a reply, in addition to the base limit.
const TIME_PER_MEBIBYTE: Duration = Duration::from_secs(2);

impl<'a> Hiding<'a> {
    pub fn new(redactor: &'a Redactor) -> Self {
        Self { redactor, deadline: Instant::now() + Redactor::MAX_TIME }
    }

    /// Redacts several parts of a reply, in order.
    pub fn all<const N: usize>(&mut self, parts: [&mut dyn Hide; N]) -> Result<(), Error> {
        parts.into_iter().try_for_each(|part| part.hide(self))
    }

    /// Redacts a text.
    pub fn text(&mut self, text: &mut String) -> Result<(), Error> {
        self.allow(text.len());
        if let Some(redacted) = self.redactor.hide(text, self.deadline)? {
            *text = redacted;
        }
        Ok(())
    }

    fn allow(&mut self, bytes: usize) {
        self.deadline += TIME_PER_MEBIBYTE.mul_f64(bytes as f64 / f64::from(1 << 20));
    }

    /// Redacts a text that is shown as a whole and in pieces. A secret across the border of two pieces is redacted in both.
    pub fn pieces(&mut self, whole: &mut String, pieces: Vec<PieceOf<'_>>) -> Result<(), Error> {
        self.allow(whole.len());
        let secrets = self.redactor.secrets(whole, self.deadline)?;
        for PieceOf { start, text, overlap } in pieces {
            self.allow(text.len());
            let end = start + text.len();
            let first = secrets.partition_point(|secret| secret.end <= start);
            let of_whole = secrets[first..].iter().take_while(|secret| secret.start < end);
            let of_whole = of_whole.map(|secret| secret.start.max(start) - start..secret.end.min(end) - start);
            // If a chunk was forgotten, the text has a gap, and a piece may differ from the text.
            let mut within: Vec<_> = of_whole.filter(|part| text.get(part.clone()).is_some()).collect();
            within.extend(self.redactor.secrets(text, self.deadline)?);
            within.sort_by_key(|secret| (secret.start, secret.end));
            // A secret across the end of the repeated part counts as repeated.
            let border = within
                .iter()
                .filter(|secret| secret.start < *overlap)
                .map(|secret| secret.end)
                .fold(*overlap, usize::max);
            let repeated: Vec<_> = within.iter().filter(|secret| secret.start < border).cloned().collect();
            *overlap = Redactor::without(&text[..border], &repeated).len();
            *text = Redactor::without(text, &within);
        }
        *whole = Redactor::without(whole, &secrets);
        Ok(())
    }

    /// An error may quote data.
    pub fn error(&mut self, error: Error) -> Result<Error, Error> {
        Ok(match error {
            Error::Invalid(Invalid { mut what, mut remedy }) => {
                self.all([&mut what, &mut remedy])?;
                Error::Invalid(Invalid { what, remedy })
            }
            Error::Input { code, mut what, mut remedy } => {
                self.all([&mut what, &mut remedy])?;
                Error::Input { code, what, remedy }
            }
            Error::Paths(mut paths) => {
                let NoPath { code: _, what, remedy, considered, dropped_paths } = paths.as_mut();
                self.all([what, remedy, considered, dropped_paths])?;
                Error::Paths(paths)
            }
            // Messages of the database and the model are unchanged, unless they contain a secret.
            Error::Store(_) | Error::Model(_) => {
                let (mut what, mut remedy) = (error.to_string(), error.remedy());
                self.all([&mut what, &mut remedy])?;
                if what == error.to_string() && remedy == error.remedy() {
                    return Ok(error);
                }
                Error::Input { code: error.code().to_owned(), what, remedy }
            }
            Error::Config { .. } => error,
        })
    }
}

impl Hide for String {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        hiding.text(self)
    }
}

/// A count is not user data.
impl Hide for u32 {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Result<(), Error> {
        Ok(())
    }
}

impl<T: Hide> Hide for Option<T> {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        self.iter_mut().try_for_each(|part| part.hide(hiding))
    }
}

impl<T: Hide> Hide for Vec<T> {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        self.iter_mut().try_for_each(|part| part.hide(hiding))
    }
}

impl<T: Hide> Hide for Box<T> {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        self.as_mut().hide(hiding)
    }
}

impl Hide for StoredWith {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        let Self { own_id, metadata, version: _ } = self;
        let mut fields = Value::Object(std::mem::take(metadata));
        hiding.all([own_id, &mut fields])?;
        if let Value::Object(hidden) = fields {
            *metadata = hidden;
        }
        Ok(())
    }
}

/// Every text in it, including field names.
impl Hide for Value {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Result<(), Error> {
        match self {
            Self::String(text) => hiding.text(text),
            Self::Array(list) => list.hide(hiding),
            Self::Object(fields) => {
                for (mut key, mut value) in std::mem::take(fields) {
                    hiding.all([&mut key, &mut value])?;
                    fields.insert(key, value);
                }
                Ok(())
            }
            // A number may match a pattern, such as a card number. The digits of a score only look like one.
            Self::Number(number) if !number.is_f64() => {
                let mut text = number.to_string();
                hiding.text(&mut text)?;
                if text != number.to_string() {
                    *self = Self::String(text);
                }
                Ok(())
            }
            Self::Null | Self::Bool(_) | Self::Number(_) => Ok(()),
        }
    }
}

//! Chats: Slack's export, logs of IRC, and archives of any of them.

use crate::contract::{assert_told, choice};
use recordar_convert::{Archive, Files, Foreign, ForeignFormat, Hints, Parts};
use recordar_domain::Invalid;
use std::io::Write;
use std::ops::ControlFlow;

/// Files in memory.
struct Folder(Vec<String>, Vec<Vec<u8>>);

impl Folder {
    /// Each file begins with a line `=== NAME`.
    fn of(input: &[u8]) -> Self {
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        for line in input.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_prefix(b"=== ") {
                Some(name) => {
                    names.push(String::from_utf8_lossy(name.trim_ascii()).into_owned());
                    texts.push(Vec::new());
                }
                None => texts.last_mut().into_iter().for_each(|text: &mut Vec<u8>| text.extend(line)),
            }
        }
        Self(names, texts)
    }
}

impl Files for Folder {
    fn names(&self) -> &[String] {
        &self.0
    }

    fn bytes(&self, index: usize) -> Result<u64, Invalid> {
        Ok(self.1[index].len() as u64)
    }

    fn copy(&self, index: usize, to: &mut dyn Write) -> Result<(), Invalid> {
        to.write_all(&self.1[index]).map_err(|error| Invalid::new(error.to_string(), "never"))
    }
}

/// Slack's export.
pub(crate) fn slack(input: &[u8]) {
    slack_in(&Folder::of(input));
}

fn slack_in(files: &dyn Files) {
    match Parts::find(files, None, "export") {
        Ok(Parts::Slack { root }) => told(Foreign::open_slack(files, &root, "export").and_then(|read| all(&read))),
        Ok(Parts::Conversations(parts)) => {
            assert!(parts.iter().all(|part| *part < files.names().len()), "{parts:?}");
        }
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
}

/// A log of IRC, with and without a date.
pub(crate) fn irc(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let format = (chosen & 1 == 0).then_some(ForeignFormat::Irc);
    let date = (chosen & 2 == 0).then_some("2026-01-31");
    told(Foreign::open(&bytes, &Hints { format, date }, "chat.log").and_then(|read| all(&read)));
}

/// An archive: every file that it holds, within what it says of itself.
pub(crate) fn archives(input: &[u8]) {
    let _ = Archive::is_one(&input);
    let archive = match Archive::open(&input, "export.zip") {
        Ok(archive) => archive,
        Err(refused) => return assert_told(&refused.what, &refused.remedy),
    };
    for index in 0..archive.names().len() {
        let mut held = Vec::new();
        match (archive.bytes(index), archive.copy(index, &mut held)) {
            (Ok(bytes), Ok(())) => assert_eq!(bytes, held.len() as u64),
            (Ok(bytes), Err(refused)) => {
                assert!(held.len() as u64 <= bytes, "more than it said");
                assert_told(&refused.what, &refused.remedy);
            }
            (Err(refused), copied) => {
                assert!(copied.is_err());
                assert_told(&refused.what, &refused.remedy);
            }
        }
    }
    slack_in(&archive);
}

fn told(read: Result<(), Invalid>) {
    if let Err(refused) = read {
        assert_told(&refused.what, &refused.remedy);
    }
}

/// What was counted is passed on, and `remember` accepts it.
fn all(read: &Foreign<'_>) -> Result<(), Invalid> {
    let survey = read.survey()?;
    let mut counts = vec![0; survey.conversations.len()];
    read.hand_over(&survey, &mut |piece| {
        counts[piece.conversation] += piece.messages.len();
        for (id, message) in &piece.messages {
            assert!(!id.is_empty() && message.check().is_ok(), "{message:?}");
        }
        ControlFlow::Continue(())
    })?;
    assert!(survey.conversations.iter().map(|one| one.messages).eq(counts), "all that were counted came");
    Ok(())
}

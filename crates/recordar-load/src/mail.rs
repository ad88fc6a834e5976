//! Mails and mailboxes: who wrote to whom, when and about what, then the text. Attachments are named, not read.
//!
//! A mailbox is one document. Its mails are separated by form feeds, and each begins with its subject, which is its section.

use crate::html::text_of;
use crate::loaded::{Loaded, Note, Refused};
use mail_parser::{Address, Message, MessageParser, MimeHeaders, PartType};

/// Text stands before attachments; of a longer mail, the rest is not looked at.
const MAX_MAIL_BYTES: usize = 4 * 1024 * 1024;
/// A mail with more lines that may begin a part or a header is not a mail.
const MAX_PARTS: usize = 10_000;
const MAX_ATTACHMENTS: usize = 100;

pub(crate) fn load(bytes: &[u8], limit: usize) -> Result<Loaded, Refused> {
    let mails = if bytes.starts_with(b"From ") { divided(bytes) } else { vec![bytes] };
    let (mut text, mut unread, mut description) = (String::new(), 0_usize, Vec::new());
    let is_single = mails.len() == 1;
    for raw in mails {
        let raw = &raw[..raw.len().min(MAX_MAIL_BYTES)];
        let parsed = if is_mail(raw) { MessageParser::default().parse(raw) } else { None };
        let Some(mail) = parsed.filter(|mail| !mail.headers().is_empty()) else {
            unread += 1;
            continue;
        };
        if !text.is_empty() {
            text.push('\u{c}');
        }
        write(&mail, limit.saturating_sub(text.len()), &mut text)?;
        if text.len() > limit {
            return Err(Refused::too_large(limit as u64));
        }
        if is_single {
            let author = mail.from().map(addresses).unwrap_or_default();
            let date = mail.date().map(|date| date.to_rfc3339()).unwrap_or_default();
            description = vec![("title", subject(&mail)), ("author", author), ("date", date)];
        }
    }
    if text.is_empty() {
        return Err(Refused::new("damaged", "it is not a mail: it has no headers", "ingest it with --type text"));
    }
    let mut notes = Vec::new();
    if unread > 0 {
        let what = format!("{unread} of its mails could not be read");
        notes.push(Note::new("unread_parts", what, "save them as single .eml files to see which"));
    }
    Ok(Loaded { text, notes, description })
}

/// The mails of a mailbox: each begins with a line `From …` behind a blank one.
fn divided(bytes: &[u8]) -> Vec<&[u8]> {
    let mut mails = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut is_after_blank = true;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"From ") && is_after_blank {
            if at > start {
                mails.push(&bytes[start..at]);
            }
            start = at + line.len();
        }
        is_after_blank = matches!(line, b"\n" | b"\r\n");
        at += line.len();
    }
    mails.push(&bytes[start.min(bytes.len())..]);
    mails.retain(|mail| !mail.trim_ascii().is_empty());
    mails
}

fn is_mail(raw: &[u8]) -> bool {
    let lines = || raw.split(|byte| *byte == b'\n');
    let headers = lines().take_while(|line| !line.trim_ascii().is_empty()).take(MAX_PARTS + 1).count();
    let parts = lines().filter(|line| line.starts_with(b"--")).take(MAX_PARTS + 1).count();
    let is_headed = lines().next().is_some_and(|line| line.contains(&b':'));
    is_headed && headers <= MAX_PARTS && parts <= MAX_PARTS
}

fn subject(mail: &Message<'_>) -> String {
    let subject = mail.subject().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    if subject.is_empty() { "(no subject)".to_owned() } else { subject }
}

fn write(mail: &Message<'_>, limit: usize, text: &mut String) -> Result<(), Refused> {
    let mut header = |name: &str, value: &str| {
        if !value.is_empty() {
            *text += &format!("{name}: {}\n", value.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    };
    header("Subject", &subject(mail));
    header("From", &mail.from().map(addresses).unwrap_or_default());
    header("To", &mail.to().map(addresses).unwrap_or_default());
    header("Cc", &mail.cc().map(addresses).unwrap_or_default());
    header("Date", &mail.date().map(|date| date.to_rfc3339()).unwrap_or_default());
    let names: Vec<String> = mail.attachments().take(MAX_ATTACHMENTS).filter_map(attachment).collect();
    header("Attachments", &names.join(", "));
    let mut left = limit;
    for part in mail.text_bodies() {
        let body = match &part.body {
            PartType::Text(body) => body.replace(['\u{c}', '\r'], "").replace("\n>From ", "\nFrom "),
            PartType::Html(page) => text_of(page, left)?,
            _ => continue,
        };
        if body.trim().is_empty() {
            continue;
        }
        left = left.checked_sub(body.len()).ok_or_else(|| Refused::too_large(limit as u64))?;
        text.push('\n');
        text.push_str(body.trim_end());
        text.push('\n');
    }
    Ok(())
}

/// The name of an attachment. Parts of the text that are given in two ways have none.
fn attachment(part: &mail_parser::MessagePart<'_>) -> Option<String> {
    if let PartType::Message(inner) = &part.body {
        return Some(format!("mail \"{}\"", subject(inner)));
    }
    part.attachment_name().map(str::to_owned)
}

fn addresses(address: &Address<'_>) -> String {
    const MAX_ADDRESSES: usize = 50;
    let shown = |one: &mail_parser::Addr<'_>| match (one.name(), one.address()) {
        (Some(name), Some(address)) => format!("{name} <{address}>"),
        (Some(name), None) => name.to_owned(),
        (None, address) => address.unwrap_or_default().to_owned(),
    };
    let all: Vec<String> = address.iter().take(MAX_ADDRESSES).map(shown).filter(|one| !one.is_empty()).collect();
    all.join(", ")
}

//! Collects what the readers found into conversations of messages that `remember` accepts: names, ids, lengths and
//! metadata are brought within its limits here, in one place.
//!
//! A file is read twice. The first pass only counts messages; the second passes them on, as soon as a
//! conversation is complete or fills one transaction. Memory use is bounded.

use crate::survey::{ForeignFormat, LeftOut, Piece, Survey, Surveyed};
use recordar_domain::Message;
use recordar_domain::{Digest, Hasher, ItemKind, MAX_TEXT_BYTES, Metadata, Role, Timestamp};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

/// Longer ids are replaced by their digests; a thread name contains one besides the format.
const MAX_ID_BYTES: usize = 256;
/// Maximum bytes of a title or a speaker.
const MAX_NAME_BYTES: usize = 1024;
/// Maximum passed on at a time: one transaction.
const MAX_MESSAGES: usize = 5_000;
const MAX_PIECE_BYTES: usize = 4 * 1024 * 1024;
/// Maximum held of incomplete conversations.
const MAX_HELD_BYTES: usize = 8 * 1024 * 1024;
/// How many of a reason are listed individually.
const MAX_LEFT_OUT: usize = 10_000;

/// Stands for an id or a text: there may be millions.
pub(super) type Mark = [u8; 16];

pub(super) fn mark(words: &[&str]) -> Mark {
    let digest = words.iter().fold(Hasher::default(), Hasher::field).finish();
    let mut mark = Mark::default();
    mark.copy_from_slice(&digest.0[..16]);
    mark
}

/// A message as a reader found it, before the limits are applied.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) id: Option<String>,
    pub(super) text: String,
    pub(super) role: Role,
    pub(super) speaker: Option<String>,
    /// The time; or the given text, if it is not a time.
    pub(super) time: Option<Result<Timestamp, String>>,
    /// The time as written, if a longer export may change its meaning.
    pub(super) stamp: Option<String>,
    pub(super) kind: Option<ItemKind>,
    pub(super) extras: Map<String, Value>,
}

/// A conversation to add messages to.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

pub(super) struct Gathering<'a> {
    format: ForeignFormat,
    open: Vec<Open>,
    /// For lookups only: the output is in the order of `open`.
    places: HashMap<(Option<String>, Option<String>), Slot>,
    /// For the second pass.
    handing: Option<Handing<'a>>,
}

/// How many messages each conversation has, who takes them, and other results.
struct Handing<'a> {
    expected: &'a [Surveyed],
    take: &'a mut dyn FnMut(Piece) -> ControlFlow<()>,
    left_out: LeftOuts,
    held_bytes: usize,
    is_over: bool,
}

#[derive(Default)]
struct LeftOuts {
    listed: Vec<LeftOut>,
    counts: BTreeMap<&'static str, usize>,
}

struct Open {
    user_id: Option<String>,
    thread: Option<String>,
    title: Option<String>,
    ids: HashSet<Mark>,
    equals: HashMap<Mark, usize>,
    /// For messages of a thread without a time: that of the previous one, or of the conversation.
    last_time: Option<Timestamp>,
    /// How many messages were kept, and those not passed on yet.
    kept: usize,
    held: Vec<(String, Message)>,
    held_bytes: usize,
}

impl<'a> Gathering<'a> {
    /// Counts.
    pub(super) fn counting(format: ForeignFormat) -> Self {
        Self { format, open: Vec::new(), places: HashMap::new(), handing: None }
    }

    /// Passes on the messages counted before.
    pub(super) fn handing(survey: &'a Survey, take: &'a mut dyn FnMut(Piece) -> ControlFlow<()>) -> Self {
        let handing = Handing {
            expected: &survey.conversations,
            take,
            left_out: LeftOuts::default(),
            held_bytes: 0,
            is_over: false,
        };
        Self { handing: Some(handing), ..Self::counting(survey.format) }
    }

    pub(super) fn format(&self) -> ForeignFormat {
        self.format
    }

    /// Whether the receiver has stopped.
    pub(super) fn is_over(&self) -> bool {
        self.handing.as_ref().is_some_and(|handing| handing.is_over)
    }

    pub(super) fn leave_out(&mut self, subject: &str, reason: &'static str, detail: impl Into<String>) {
        let Some(handing) = &mut self.handing else { return };
        let count = handing.left_out.counts.entry(reason).or_default();
        *count += 1;
        if *count <= MAX_LEFT_OUT {
            let detail = shown(&detail.into());
            handing.left_out.listed.push(LeftOut { subject: shown(subject), reason, detail });
        }
    }

    /// The conversation of this user and id, which may have begun earlier in the file.
    pub(super) fn open(&mut self, user_id: Option<&str>, id: Option<&str>, title: Option<&str>) -> Slot {
        let thread = id.map(|id| format!("{}:{}", self.format.name(), bounded_id(id)));
        let title = title.filter(|_| thread.is_some());
        let title = title.and_then(|title| self.name(thread.as_deref().unwrap_or_default(), "title", title));
        let key = (user_id.map(str::to_owned), thread);
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        let place = Slot(self.open.len());
        let (user_id, thread) = key.clone();
        self.places.insert(key, place);
        self.open.push(Open {
            user_id,
            thread,
            title,
            ids: HashSet::new(),
            equals: HashMap::new(),
            last_time: None,
            kept: 0,
            held: Vec::new(),
            held_bytes: 0,
        });
        place
    }

    /// When the conversation began: the time of its first messages if they have none.
    pub(super) fn begin(&mut self, place: Slot, time: Option<Result<Timestamp, String>>) {
        let open = &mut self.open[place.0];
        open.last_time = open.last_time.or(time.and_then(Result::ok));
    }

    /// The name of a message in `left_out`.
    pub(super) fn subject(&self, place: Slot, id: &str) -> String {
        let thread = &self.open[place.0].thread;
        format!("{}/{id}", thread.as_deref().unwrap_or(self.format.name()))
    }

    pub(super) fn add(&mut self, place: Slot, draft: Draft) {
        let id = draft.id.as_deref().map_or_else(|| self.made_id(place, &draft), bounded_id);
        let subject = self.subject(place, &id);
        if draft.text.trim().is_empty() {
            return self.leave_out(&subject, "empty", "it has no text");
        }
        if draft.text.contains('\0') {
            return self.leave_out(&subject, "nul", "its text contains a NUL character, which databases cannot store");
        }
        if !self.open[place.0].ids.insert(mark(&[&id])) {
            return self.leave_out(&subject, "duplicate", "a message with this id occurs earlier in the file");
        }
        let pieces = pieces(&draft.text);
        if self.handing.is_none() {
            self.open[place.0].kept += pieces.len();
            return;
        }
        let time = match draft.time {
            Some(Ok(time)) => Some(time),
            Some(Err(given)) => {
                self.leave_out(&subject, "bad_time", format!("{given} is not a valid time; the message is kept"));
                None
            }
            None => None,
        };
        let speaker = draft.speaker.and_then(|speaker| self.name(&subject, "speaker", &speaker));
        for (index, piece) in pieces.iter().enumerate() {
            let part = index + 1;
            let part_id = if part == 1 { id.clone() } else { format!("{id}#{part}") };
            let mut extras = draft.extras.clone();
            if pieces.len() > 1 {
                extras.extend([("part".to_owned(), part.into()), ("parts".to_owned(), pieces.len().into())]);
            }
            let metadata = self.metadata(&subject, &part_id, extras);
            let open = &mut self.open[place.0];
            if open.thread.is_some() {
                open.last_time = time.or(open.last_time);
            }
            let mut message = Message::new(piece);
            message.thread.clone_from(&open.thread);
            // The store looks up a title whenever one is given, and one message is enough to give it.
            if open.kept == 0 {
                message.title.clone_from(&open.title);
            }
            message.role = draft.role;
            message.source = Some(self.format.name().to_owned());
            message.speaker.clone_from(&speaker);
            message.time = time.or(open.last_time);
            message.metadata = metadata;
            message.kind = draft.kind.unwrap_or(ItemKind::Message);
            self.hold(place, part_id, message);
        }
    }

    /// Keeps a message until there is enough to pass on.
    fn hold(&mut self, place: Slot, id: String, message: Message) {
        let bytes = message.text.len() + message.metadata.to_json().len();
        let open = &self.open[place.0];
        if open.held.len() == MAX_MESSAGES || (open.held_bytes + bytes > MAX_PIECE_BYTES && !open.held.is_empty()) {
            self.hand_over(place);
        }
        let open = &mut self.open[place.0];
        open.held.push((id, message));
        open.held_bytes += bytes;
        open.kept += 1;
        let kept = open.kept;
        let Some(handing) = &mut self.handing else { return };
        handing.held_bytes += bytes;
        if handing.expected.get(place.0).is_some_and(|expected| expected.messages == kept) {
            self.hand_over(place);
        } else if handing.held_bytes > MAX_HELD_BYTES {
            self.make_room();
        }
    }

    /// Passes on the largest part, if many conversations are interleaved.
    fn make_room(&mut self) {
        let mut largest: Vec<usize> = (0..self.open.len()).filter(|place| self.open[*place].held_bytes > 0).collect();
        largest.sort_by_key(|place| (std::cmp::Reverse(self.open[*place].held_bytes), *place));
        for place in largest {
            self.hand_over(Slot(place));
            if self.handing.as_ref().is_none_or(|handing| handing.held_bytes <= MAX_HELD_BYTES / 2) {
                break;
            }
        }
    }

    fn hand_over(&mut self, Slot(place): Slot) {
        let Some(handing) = &mut self.handing else { return };
        let open = &mut self.open[place];
        handing.held_bytes -= std::mem::take(&mut open.held_bytes);
        let messages = std::mem::take(&mut open.held);
        if !messages.is_empty() && !handing.is_over {
            handing.is_over = (handing.take)(Piece { conversation: place, messages }).is_break();
        }
    }

    /// The counts, by conversation.
    pub(super) fn survey(self) -> Survey {
        let conversations = self.open.into_iter().map(|open| Surveyed {
            user_id: open.user_id,
            thread: open.thread,
            title: open.title,
            messages: open.kept,
        });
        Survey { format: self.format, conversations: conversations.collect() }
    }

    /// Passes on the rest, and returns what was left out.
    pub(super) fn finish(mut self) -> Vec<LeftOut> {
        for place in 0..self.open.len() {
            self.hand_over(Slot(place));
            if self.open[place].kept == 0 {
                let subject = self.open[place].thread.clone().unwrap_or_else(|| self.format.name().to_owned());
                self.leave_out(&subject, "empty", "none of its messages was kept");
            }
        }
        let Some(handing) = self.handing else { return Vec::new() };
        let LeftOuts { mut listed, counts } = handing.left_out;
        listed.extend(counts.into_iter().filter(|(_, count)| *count > MAX_LEFT_OUT).map(|(reason, count)| LeftOut {
            subject: "…".to_owned(),
            reason,
            detail: format!("{} more with this reason", count - MAX_LEFT_OUT),
        }));
        listed
    }

    /// An id for a message that has none: from speaker, text, time and the number of repetitions.
    fn made_id(&mut self, place: Slot, draft: &Draft) -> String {
        let time = match (&draft.stamp, &draft.time) {
            (Some(stamp), _) | (None, Some(Err(stamp))) => stamp.clone(),
            (None, Some(Ok(time))) => time.to_string(),
            (None, None) => String::new(),
        };
        let said = Hasher::default().field(draft.role.name()).field(draft.speaker.as_deref().unwrap_or_default());
        let digest = said.field(time).field(&draft.text).finish();
        let mut key = Mark::default();
        key.copy_from_slice(&digest.0[..16]);
        let equals = self.open[place.0].equals.entry(key).or_default();
        *equals += 1;
        if *equals == 1 { made(digest) } else { format!("{}-{equals}", made(digest)) }
    }

    /// A title or a speaker within the limits of `remember`.
    fn name(&mut self, subject: &str, what: &str, given: &str) -> Option<String> {
        let name: String = given.trim().chars().filter(|c| *c != '\0').collect();
        let name = &name[..name.floor_char_boundary(MAX_NAME_BYTES)];
        if name.len() < given.trim().len() {
            self.leave_out(subject, "name_cut", format!("its {what} was truncated, or contained a NUL character"));
        }
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// Origin and id always; of the rest as much as metadata may hold.
    fn metadata(&mut self, subject: &str, id: &str, extras: Map<String, Value>) -> Metadata {
        let mut kept = Map::new();
        kept.insert("origin".to_owned(), self.format.name().into());
        kept.insert("origin_id".to_owned(), id.into());
        let all: Map<String, Value> = kept.iter().map(|(k, v)| (k.clone(), v.clone())).chain(extras.clone()).collect();
        if let Ok(metadata) = Metadata::new(all) {
            return metadata;
        }
        for (key, value) in extras {
            let mut more = kept.clone();
            more.insert(key.clone(), value);
            match Metadata::new(more.clone()) {
                Ok(_) => kept = more,
                Err(invalid) => self.leave_out(subject, "metadata", format!("{key}: {}", invalid.what)),
            }
        }
        Metadata::new(kept).unwrap_or_default()
    }
}

/// The id itself, or its digest if it is not a valid name.
fn bounded_id(id: &str) -> String {
    if id.len() > MAX_ID_BYTES || id.contains('\0') { made(Digest::of(id)) } else { id.to_owned() }
}

/// A generated id, marked as such.
pub(super) fn made(digest: Digest) -> String {
    format!("sha256-{}", &digest.to_string()[..32])
}

/// Splits a text into pieces that fit one message, at the end of a line or word if possible.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > MAX_TEXT_BYTES {
        let most = &rest[..rest.floor_char_boundary(MAX_TEXT_BYTES)];
        let border = most.rfind('\n').filter(|at| *at > most.len() / 2).or_else(|| most.rfind(' '));
        let (piece, next) = rest.split_at(border.filter(|at| *at > most.len() / 2).map_or(most.len(), |at| at + 1));
        pieces.push(piece);
        rest = next;
    }
    pieces.push(rest);
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// The beginning of a foreign text, for display.
fn shown(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

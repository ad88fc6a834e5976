//! The conversation of a composition: its last turns, and what else was said that matters.

use super::files::Injected;
use super::{At, Composing, Documents};
use recordar_compose::{Lexicon, MAX_EPISODES, Reader, Said, Speaker, choose_earlier, item_name};
use recordar_core::error::Error;
use recordar_domain::{Action, ItemKind, Role, Stage};
use recordar_store::{AboutRow, ItemRow};
use std::collections::{BTreeMap, BTreeSet};

/// How many messages of the thread are looked at, and how many found by searching.
const TAIL: usize = 400;
const FOUND: usize = 80;
/// Older messages may be shown by their summary.
const OLD_TURNS: usize = 50;

/// Messages, and facts that were stored: whatever is not a document's, nor derived from messages.
const SAID: [&str; 2] = ["!kind=chunk", "!kind=summary"];

/// At most this many messages are recent, whatever their turns are.
const MAX_RECENT: usize = 64;

/// Replies of other systems that were stored by hand (CH-12).
const EXTERNAL: &str = "external";

/// Both layers, before conflicts are settled.
#[derive(Default)]
pub(super) struct Talk {
    pub(super) recent: Vec<Said>,
    pub(super) earlier: Vec<Said>,
    /// What the user said in the last turns, the newest first.
    pub(super) asked: Vec<String>,
    /// Every message that the trace may name.
    pub(super) found: BTreeSet<i64>,
}

/// A message with what is known of it.
struct Candidate {
    row: ItemRow,
    turns_ago: usize,
    relevance: f64,
    /// Whether a person marked it.
    is_important: bool,
}

pub(super) fn read_talk(
    composing: &Composing<'_>,
    lexicon: &Lexicon,
    files: &Injected,
    off: &Documents,
    reader: &mut Reader,
) -> Result<(Talk, Vec<Stage>), Error> {
    let (request, mut talk) = (composing.request, Talk::default());
    // The newest first.
    let tail = composing.read(|reading, At { space, revision, .. }| {
        let Some(thread) = request.thread.as_deref() else { return Ok(Vec::new()) };
        match reading.thread(space, thread)? {
            Some(thread) => reading.last_messages(space, thread.id, revision, TAIL),
            None => Ok(Vec::new()),
        }
    })?;
    let mut stage = Stage::new("history candidates");
    if let (Some(thread), true) = (&request.thread, tail.is_empty()) {
        stage.decide(thread, Action::Dropped, "no_such_thread", "nothing is stored in that thread");
    }
    let (mut ago, mut turns) = (BTreeMap::new(), 0);
    for row in &tail {
        ago.insert(row.id, turns);
        turns += usize::from(row.role.as_deref() == Some(Role::User.name()));
    }
    let recent = tail.iter().map(|row| row.id).filter(|id| ago[id] < request.turns).take(MAX_RECENT);
    let recent: BTreeSet<i64> = recent.collect();
    talk.found.clone_from(&recent);
    let newest = tail.first().map_or(composing.asked_at, |newest| newest.occurred_at);
    let (rows, older): (Vec<ItemRow>, Vec<ItemRow>) = tail.into_iter().partition(|row| recent.contains(&row.id));
    for row in rows.into_iter().rev() {
        let (turns_ago, is_user) = (ago[&row.id], row.role.as_deref() == Some(Role::User.name()));
        let said = said(composing, Candidate { row, turns_ago, relevance: 1.0, is_important: false })?;
        if is_user {
            talk.asked.insert(0, said.text.as_str().to_owned());
        }
        talk.recent.push(said);
    }
    if request.lock {
        let mut chosen = Stage::new("history");
        chosen.decide("earlier", Action::Dropped, "lock", "with lock, only files are used");
        return Ok((talk, vec![stage, chosen]));
    }
    let (candidates, found) = candidates(composing, lexicon, older, &recent, (&ago, turns), reader)?;
    talk.found.extend(candidates.iter().map(|candidate| candidate.row.id));
    let candidates = eligible(composing, candidates, files, off, &mut stage, reader)?;
    let mut earlier = Vec::with_capacity(candidates.len());
    for candidate in shortened(composing, candidates, off, &mut stage)? {
        talk.found.insert(candidate.row.id);
        earlier.push(said(composing, candidate)?);
    }
    count_uses(composing, &mut earlier)?;
    let idle_hours = (composing.asked_at.as_micros() - newest.as_micros()).max(0) as f64 / 3.6e9;
    let counter = &composing.memory.counter;
    let (earlier, chosen) = choose_earlier(earlier, idle_hours, request.history_tokens, counter);
    talk.earlier = earlier;
    Ok((talk, found.into_iter().chain([stage, chosen]).collect()))
}

/// Messages that a search finds, and those of the thread that a person marked.
fn candidates(
    composing: &Composing<'_>,
    lexicon: &Lexicon,
    older: Vec<ItemRow>,
    recent: &BTreeSet<i64>,
    (ago, turns): (&BTreeMap<i64, usize>, usize),
    reader: &mut Reader,
) -> Result<(Vec<Candidate>, Vec<Stage>), Error> {
    if composing.request.history_tokens == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let query = &composing.request.query;
    let others = lexicon.others(&reader.stems_in_order(query)).join(" ");
    let query = format!("{query} {others}");
    let found = composing.in_time(|memory| composing.find(memory, &query, &SAID, FOUND))?;
    let mut found = match found {
        Ok(found) => found,
        Err(left_out) => {
            let stage = left_out.stage("search (history)", "messages", "only the last turns are used");
            return Ok((Vec::new(), vec![stage]));
        }
    };
    let mut stages = std::mem::take(&mut found.stages);
    stages.iter_mut().for_each(|stage| stage.name = format!("{} (history)", stage.name));
    let mut relevance = composing.relevance_of_talk(&composing.request.query, &found, &mut stages)?;
    relevance.retain(|id, _| !recent.contains(id));
    let ids: Vec<i64> = relevance.keys().copied().collect();
    let all: Vec<i64> = ids.iter().copied().chain(older.iter().map(|row| row.id)).collect();
    let (mut rows, marked) = composing.read(|reading, At { space, revision, .. }| {
        Ok((reading.items(space, &ids)?, reading.important_items(space, &all, revision)?))
    })?;
    rows.extend(older.into_iter().filter(|row| marked.contains(&row.id) && !relevance.contains_key(&row.id)));
    rows.truncate(MAX_EPISODES);
    let candidate = |row: ItemRow| {
        let days = (composing.asked_at.as_micros() - row.occurred_at.as_micros()).max(0) / 86_400_000_000;
        let turns_ago = ago.get(&row.id).copied().unwrap_or(turns + days as usize);
        let relevance = relevance.get(&row.id).copied().unwrap_or(0.0);
        Candidate { turns_ago, relevance, is_important: marked.contains(&row.id), row }
    };
    Ok((rows.into_iter().map(candidate).collect(), stages))
}

/// Without what is about a file that is off (CH-03.9), and what an injected file says already (CH-06).
fn eligible(
    composing: &Composing<'_>,
    mut candidates: Vec<Candidate>,
    files: &Injected,
    off: &Documents,
    stage: &mut Stage,
    reader: &mut Reader,
) -> Result<Vec<Candidate>, Error> {
    let ids: Vec<i64> = candidates.iter().map(|candidate| candidate.row.id).collect();
    let abouts = match off.is_empty() {
        true => Vec::new(),
        false => composing.read(|reading, At { space, revision, .. }| reading.abouts(space, &ids, revision))?,
    };
    let is_off = |about: &&AboutRow| {
        let is_injected = files.views.iter().any(|file| file.document_id == about.document_id);
        off.contains_key(&about.document_id) && !is_injected
    };
    candidates.retain(|candidate| {
        let about = abouts.iter().filter(|about| about.item_id == candidate.row.id).find(is_off);
        if let Some(about) = about {
            let detail = format!("it is about document {}, which is off", about.document_id);
            stage.decide(item_name(candidate.row.id), Action::Dropped, "off", detail);
            return false;
        }
        let repeated = files.texts.iter().position(|file| file.repeatable.is_repeated_by(&candidate.row.text, reader));
        if let Some(file) = repeated {
            let detail = format!("{} says it", files.injected[file].name);
            stage.decide(item_name(candidate.row.id), Action::Dropped, "duplicate_of_file", detail);
        }
        repeated.is_none()
    });
    Ok(candidates)
}

/// Old messages that a summary stands for are shown by it (CH-08): by the best of them in its place.
fn shortened(
    composing: &Composing<'_>,
    candidates: Vec<Candidate>,
    off: &Documents,
    stage: &mut Stage,
) -> Result<Vec<Candidate>, Error> {
    // What a person marked is shown itself.
    let is_old = |candidate: &&Candidate| candidate.turns_ago > OLD_TURNS && !candidate.is_important;
    let old: Vec<i64> = candidates.iter().filter(is_old).map(|candidate| candidate.row.id).collect();
    if old.is_empty() {
        return Ok(candidates);
    }
    let summaries = composing.read(|reading, At { space, revision, .. }| {
        let mut summaries = Vec::new();
        for (id, messages) in reading.summaries_made(space, &old, revision)? {
            let abouts = reading.abouts(space, &messages, revision)?;
            if !abouts.iter().any(|about| off.contains_key(&about.document_id)) {
                let is_important = !reading.important_items(space, &[id], revision)?.is_empty();
                summaries.extend(reading.item(space, id)?.map(|row| (row, messages, is_important)));
            }
        }
        Ok(summaries)
    })?;
    let mut candidates = candidates;
    for (row, messages, is_important) in summaries {
        let is_of = |candidate: &Candidate| old.contains(&candidate.row.id) && messages.contains(&candidate.row.id);
        let of: Vec<(usize, f64)> = candidates
            .iter()
            .filter(|candidate| is_of(candidate))
            .map(|candidate| (candidate.turns_ago, candidate.relevance))
            .collect();
        // One message alone is shorter than the summary of ten.
        if of.len() < 2 {
            continue;
        }
        candidates.retain(|candidate| {
            let is_of = is_of(candidate);
            if is_of {
                stage.decide(
                    item_name(candidate.row.id),
                    Action::Changed,
                    "summarised",
                    format!("{} stands for it", item_name(row.id)),
                );
            }
            !is_of
        });
        let turns_ago = of.iter().map(|(ago, _)| *ago).min().unwrap_or_default();
        let relevance = of.iter().map(|(_, relevance)| *relevance).fold(0.0, f64::max);
        candidates.push(Candidate { row, turns_ago, relevance, is_important });
    }
    Ok(candidates)
}

fn said(composing: &Composing<'_>, candidate: Candidate) -> Result<Said, Error> {
    let Candidate { row, turns_ago, relevance, is_important } = candidate;
    let role = row.role.as_deref().and_then(|role| Role::parse(role).ok());
    let speaker = match (&row.speaker, role) {
        (Some(name), _) => Speaker::Name(composing.name(name)?),
        (None, Some(role)) => Speaker::Role(role.name()),
        (None, None) => Speaker::Role(row.kind.name()),
    };
    let (title, text) = row.text.split_at(title_bytes(row.kind, &row.text));
    let title = (!title.is_empty()).then(|| composing.name(title)).transpose()?;
    Ok(Said {
        item_id: row.id,
        speaker,
        at: row.occurred_at,
        text: composing.guard.cleared(text)?,
        turns_ago,
        relevance,
        is_important,
        importance: row.importance.map_or(0.0, |importance| importance.millionths() as f64 / 1e6),
        uses: 0,
        is_external: row.source.is_some_and(|source| source.starts_with(EXTERNAL)),
        title,
    })
}

/// A summary begins with its title, on a line of its own. How many bytes that is.
pub(super) fn title_bytes(kind: ItemKind, text: &str) -> usize {
    if kind == ItemKind::Summary { text.find('\n').map_or(0, |end| end + 1) } else { 0 }
}

/// Adds how often things were used (CH-05).
fn count_uses(composing: &Composing<'_>, earlier: &mut [Said]) -> Result<(), Error> {
    let items: Vec<i64> = earlier.iter().map(|said| said.item_id).collect();
    if items.is_empty() {
        return Ok(());
    }
    let uses = composing.read(|reading, At { space, .. }| reading.uses_of(space, &items))?;
    for said in earlier {
        said.uses = uses.get(&said.item_id).map_or(0, |uses| u32::try_from(*uses).unwrap_or(u32::MAX));
    }
    Ok(())
}

//! Statements that contradict each other: an injected file wins, otherwise the newer one (CH-06, CH-07, CH-03.4). Each conflict is shown.

use super::chain::Chained;
use super::files::Injected;
use super::flagged_in;
use super::history::Talk;
use recordar_compose::{CondensedContext, GatedChunk, History, Reader, Statement, statements};
use recordar_core::compose::{Conflict, FlaggedText};
use recordar_domain::{Action, Stage, Timestamp};
use std::collections::BTreeSet;

/// At most this many conflicts become open issues.
const MAX_ISSUES: usize = 8;

/// What is left after conflicts were settled.
pub(super) struct Settled {
    pub(super) context: CondensedContext,
    pub(super) history: History,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) chunks: Vec<GatedChunk>,
}

/// Something that states something.
struct Voice {
    who: Who,
    name: String,
    /// When it was said or written; nothing for an injected file, which wins whenever it was written.
    at: Option<Timestamp>,
    text: String,
    statements: Vec<Statement>,
}

/// What voices that contradict each other come to.
struct Judged {
    losers: BTreeSet<Who>,
    conflicts: Vec<Conflict>,
    /// What a reader of the context must know, without the texts: no message may enter the context.
    issues: Vec<String>,
    stage: Stage,
}

impl Voice {
    /// Its name with its day, which the name of a message has already.
    fn dated(&self) -> String {
        match (self.who, self.at) {
            (Who::Fact(..), Some(at)) => format!("{} ({})", self.name, at.day()),
            _ => self.name.clone(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    File,
    /// A message of layer E.
    Earlier(i64),
    /// A message of the last turns, which stay word for word.
    Recent(i64),
    /// A fact or constraint, by its place among all, and its chunk.
    Fact(usize, i64),
}

pub(super) fn settle(found: Chained, files: &Injected, talk: Talk, reader: &mut Reader) -> (Settled, Option<Stage>) {
    let Chained { mut context, chunks, written, .. } = found;
    let mut voices: Vec<Voice> = Vec::new();
    for (file, text) in files.injected.iter().zip(&files.texts) {
        let statements = text.statements.clone();
        voices.push(Voice { who: Who::File, name: file.name.clone(), at: None, text: text.body.clone(), statements });
    }
    let earlier = talk.earlier.iter().map(|said| (Who::Earlier(said.item_id), said));
    for (who, said) in earlier.chain(talk.recent.iter().map(|said| (Who::Recent(said.item_id), said))) {
        let text = said.text.as_str().to_owned();
        let statements = statements(&text, reader);
        let name = format!("the message of {} ({})", said.at.day(), said.name());
        voices.push(Voice { who, name, at: Some(said.at), text, statements });
    }
    for (place, fact) in context.facts.iter().chain(&context.constraints).enumerate() {
        let item = fact.citations.first().map_or(0, |citation| citation.item_id);
        let chunk = chunks.iter().find(|chunk| chunk.item_id == item);
        let name = chunk.map_or_else(String::new, |chunk| chunk.document.clone());
        let (at, text) = (written.get(&item).copied(), fact.text.clone());
        let statements = statements(&text, reader);
        voices.push(Voice { who: Who::Fact(place, item), name, at, text, statements });
    }
    let Judged { losers, conflicts, issues, stage } = judged(voices);
    let facts = context.facts.len();
    let is_lost = |place: usize| losers.iter().any(|who| matches!(who, Who::Fact(lost, _) if *lost == place));
    let mut place = 0..;
    context.facts.retain(|_| !is_lost(place.next().unwrap_or_default()));
    let mut place = facts..;
    context.constraints.retain(|_| !is_lost(place.next().unwrap_or_default()));
    context.open_issues.extend(issues.into_iter().take(MAX_ISSUES));
    let cited: BTreeSet<i64> = context
        .facts
        .iter()
        .chain(&context.constraints)
        .flat_map(|fact| &fact.citations)
        .map(|cited| cited.item_id)
        .collect();
    context.sources.retain(|source| cited.contains(&source.item_id));
    let mut history = History { recent: talk.recent, earlier: talk.earlier };
    history.earlier.retain(|said| !losers.contains(&Who::Earlier(said.item_id)));
    let stage = (!stage.decisions.is_empty()).then_some(stage);
    (Settled { context, history, conflicts, chunks }, stage)
}

/// Goes through voices by their authority, files first and then the newest: one that contradicts another that stands loses, and says nothing against
/// those after it.
fn judged(mut voices: Vec<Voice>) -> Judged {
    voices.sort_by(|one, other| {
        let by_time = |voice: &Voice| voice.at.unwrap_or(Timestamp::from_micros(i64::MAX));
        (one.who != Who::File, by_time(other), one.who).cmp(&(other.who != Who::File, by_time(one), other.who))
    });
    let (mut losers, mut conflicts, mut stage) = (BTreeSet::new(), Vec::new(), Stage::new("conflicts"));
    let mut issues = Vec::new();
    let mut standing: Vec<&Voice> = Vec::new();
    for voice in &voices {
        let against = standing.iter().filter(|other| may_contradict(other, voice));
        let lost =
            against.filter_map(|other| Some((other, contradiction(&other.statements, &voice.statements)?))).next();
        let Some((winner, (won, own))) = lost else {
            standing.push(voice);
            continue;
        };
        let rule = if winner.who == Who::File { "file" } else { "newer" };
        let (action, detail) = match voice.who {
            Who::Recent(_) => {
                (Action::Kept, format!("{} says otherwise; the last turns stay word for word", winner.name))
            }
            _ => (Action::Dropped, format!("{} says otherwise", winner.name)),
        };
        stage.decide(&voice.name, action, rule, detail);
        if winner.who != Who::File {
            let (newer, older) = (winner.dated(), voice.dated());
            issues.push(format!("{newer} and {older} contradict each other; the newer one is used."));
        }
        losers.insert(voice.who);
        conflicts.push(Conflict {
            winner: winner.name.clone(),
            winner_text: winner.text.get(won.span.clone()).unwrap_or_default().to_owned(),
            loser: voice.name.clone(),
            loser_text: voice.text.get(own.span.clone()).unwrap_or_default().to_owned(),
            rule,
        });
    }
    Judged { losers, conflicts, issues, stage }
}

/// A file contradicts whatever it likes; others only what is older. A document does not contradict itself, and messages do not contradict each other:
/// they are shown in the order of time.
fn may_contradict(winner: &Voice, other: &Voice) -> bool {
    let are_one_document =
        matches!((winner.who, other.who), (Who::Fact(..), Who::Fact(..))) && winner.name == other.name;
    let are_messages = [winner, other].iter().all(|voice| matches!(voice.who, Who::Earlier(_) | Who::Recent(_)));
    other.who != Who::File && !are_one_document && !are_messages && (winner.who == Who::File || winner.at > other.at)
}

/// The first pair of statements that contradict each other.
fn contradiction<'a>(one: &'a [Statement], other: &'a [Statement]) -> Option<(&'a Statement, &'a Statement)> {
    let against = |own: &'a Statement| other.iter().find(|other| own.contradicts(other)).map(|other| (own, other));
    one.iter().find_map(against)
}

impl Settled {
    /// Instructions in what was retrieved, injected or said.
    pub(super) fn flagged(&self, files: &Injected) -> Vec<FlaggedText> {
        let source = |chunk: &GatedChunk| format!("{}, {}", chunk.document, chunk.name());
        let chunks = self.chunks.iter().flat_map(|chunk| flagged_in(&source(chunk), &chunk.text));
        let files = files.injected.iter().flat_map(|file| flagged_in(&file.name, &file.text));
        let said = self.history.earlier.iter().chain(&self.history.recent);
        chunks.chain(files).chain(said.flat_map(|said| flagged_in(&said.name(), &said.text))).collect()
    }
}

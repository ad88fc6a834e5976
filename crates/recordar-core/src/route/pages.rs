//! What a page says of its chunks: its name and title are evidence for them, a change log speaks of everything and is seldom the answer, and one
//! page in several languages is one page. Only what was found is looked at.

use super::question::Question;
use crate::noun::hit::HitView;
use crate::noun::item::item_name;
use recordar_domain::text::{Language, Terms};
use recordar_domain::{Action, SpaceName, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// What a name and a title that have all words of a question add, as a share of what the score lacks. Of 0.05 to 0.4, the best on `eval/docs`.
const NAME_WEIGHT: f64 = 0.2;
/// The same for a page without a heading: its name is its title, as in a folder of notes.
const TITLE_WEIGHT: f64 = 0.45;
/// What the score of a change log counts. Of 0.5 to 0.95, all from 0.8 down do the same on `eval/docs`.
const CHANGE_LOG_FACTOR: f64 = 0.8;
/// File names and folders of change logs, without signs and in lower case.
const CHANGE_LOGS: [&str; 6] = ["changelog", "changelogs", "changes", "releasenote", "releasenotes", "releases"];
/// File names of change logs, but not of folders.
const CHANGE_LOG_NAMES: [&str; 2] = ["news", "whatsnew"];
/// In capitals: the history of a project, and not a command of that name.
const HISTORY: &str = "HISTORY";
/// Words between "was" and "removed".
const MAX_BETWEEN: usize = 3;
/// Words of questions that a change log answers, whatever stands around them.
const ASKS_FOR_CHANGES: [&str; 7] =
    ["changelog", "release", "releases", "released", "deprecated", "deprecation", "introduced"];
/// What was done to something: "was the flag removed?", but not "when a file is removed".
const DONE: [&str; 4] = ["changed", "removed", "added", "renamed"];
const BEFORE_DONE: [&str; 3] = ["was", "were", "been"];
/// "Which version", but not "a new version".
const VERSION: [&str; 2] = ["version", "versions"];
const BEFORE_VERSION: [&str; 5] = ["which", "what", "since", "latest", "newest"];
/// A list of pages: much like a change log, it names everything.
const CONTENTS: &str = "tableofcontents";
/// ISO 639-1 codes of languages that documentation is often translated to, and that can be told from English by their words or letters.
const PATH_LANGUAGES: [&str; 38] = [
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "it",
    "ja", "ko", "lt", "lv", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "ta", "tr", "uk", "vi", "zh",
];
/// A page's text in the language of the question is preferred to that of its best hit if it scores at least this part of it.
const LEAST_OF_BEST: f64 = 0.5;

/// Rescores and sorts the hits of a search. `rarities` has, for each space, how rare each word of the question is. Nothing is done without chunks.
pub(super) fn by_page(
    hits: Vec<HitView>,
    question: (&Question, &str),
    (spaces, rarities): (&[SpaceName], &[Vec<f64>]),
    setting: Language,
) -> (Vec<HitView>, Option<Stage>) {
    if hits.iter().all(|hit| hit.item.document.is_none()) {
        return (hits, None);
    }
    let mut stage = Stage::new("pages");
    let mut reader = Names { question: question.0, terms: Terms::new(setting) };
    let wants_changes = asks_for_changes(question.0, question.1);
    let asked = Language::recognised_in(question.1).or_else(|| setting.is_fixed().then_some(setting));
    let asked = asked.map_or("", Language::code);
    let mut kept = one_language(hits, &mut stage, asked);
    for hit in &mut kept {
        let Some(path) = hit.item.source().filter(|_| hit.item.document.is_some()).map(str::to_owned) else { continue };
        let rarities = spaces.iter().zip(rarities).find(|(space, _)| space.as_str() == hit.item.space);
        let named = rarities.map_or(0.0, |(_, rarities)| {
            let title = hit.item.section.as_deref().and_then(|section| section.split(" > ").next());
            let parts = [file_stem(&path), title.unwrap_or_default()];
            parts.into_iter().map(|part| reader.share(part, rarities)).sum::<f64>().min(1.0)
        });
        let tells_of_all = tells_of_all(&path).filter(|_| !wants_changes);
        let before = hit.score;
        let is_untitled = hit.item.section.is_none() && hit.item.sections.is_empty();
        let weight = if is_untitled { TITLE_WEIGHT } else { NAME_WEIGHT };
        rescore(hit, named * weight, if tells_of_all.is_some() { CHANGE_LOG_FACTOR } else { 1.0 });
        if tells_of_all.is_some() || named > 0.0 {
            let reason = tells_of_all.unwrap_or("named");
            let has = format!("its name and title have {:.3} of the question", named.max(0.0));
            let detail = format!("{has}; score {before:.6} becomes {:.6}", hit.score);
            stage.decide(item_name(&hit.item.space, hit.item.item_id), Action::Changed, reason, detail);
        }
    }
    // Stable, so that equal ones stay in their order.
    kept.sort_by(|one, other| other.score.total_cmp(&one.score));
    (kept, Some(stage).filter(|stage| !stage.decisions.is_empty()))
}

/// Every part of the score alike, and what the name adds to what its document does.
fn rescore(hit: &mut HitView, named: f64, factor: f64) {
    let parts = &mut hit.parts;
    for part in [
        &mut parts.keyword,
        &mut parts.semantic,
        &mut parts.neighbours,
        &mut parts.thread,
        &mut parts.speaker,
        &mut parts.period,
    ] {
        *part *= factor;
    }
    hit.words.iter_mut().for_each(|word| (word.own, word.place) = (word.own * factor, word.place * factor));
    let added = (1.0 - hit.score * factor) * named;
    parts.thread += added;
    hit.score = hit.score * factor + added;
}

struct Names<'a> {
    question: &'a Question,
    terms: Terms,
}

impl Names<'_> {
    /// How much of the question's weight stands in a name.
    fn share(&mut self, name: &str, rarities: &[f64]) -> f64 {
        let name: String = name.chars().map(|c| if matches!(c, '_' | '-' | '.') { ' ' } else { c }).collect();
        let mut stems = BTreeSet::new();
        self.terms.each(self.terms.language_of(&name), &name, |term| {
            stems.insert(term.stem.to_owned());
        });
        let weighed = || self.question.words.iter().zip(rarities);
        let has = |stem: &str| !stem.is_empty() && stems.contains(stem);
        let own = weighed().filter(|(word, _)| word.stems.split(' ').any(has));
        let all: f64 = weighed().map(|(_, weight)| weight).sum();
        if all > 0.0 { own.map(|(_, weight)| weight).sum::<f64>() / all } else { 0.0 }
    }
}

/// A page in one language, with the score of its best hit.
struct Translation<'a> {
    document: Option<&'a str>,
    language: &'a str,
    score: f64,
}

/// Keeps one language of each page: the question's, if that text is nearly as good as the best one, otherwise that of the best hit. What stands in one
/// document stays together.
fn one_language(hits: Vec<HitView>, stage: &mut Stage, asked: &str) -> Vec<HitView> {
    let pages: Vec<Option<(String, String)>> = hits.iter().map(page_of).collect();
    // By page, in the order of their best hits.
    let mut translations: BTreeMap<&str, Vec<Translation<'_>>> = BTreeMap::new();
    for (hit, (page, language)) in hits.iter().zip(&pages).filter_map(|(hit, page)| Some((hit, page.as_ref()?))) {
        let known = translations.entry(page).or_default();
        if !known.iter().any(|other| other.language == language) {
            known.push(Translation { document: hit.item.document.as_deref(), language, score: hit.score });
        }
    }
    let is_kept = |hit: &HitView, page: &Option<(String, String)>, stage: &mut Stage| {
        let Some((page, language)) = page else { return true };
        let known = &translations[page.as_str()];
        let is_asked = |one: &&Translation<'_>| one.language == asked && one.score >= LEAST_OF_BEST * known[0].score;
        let best = known.iter().find(is_asked).unwrap_or(&known[0]);
        let is_kept = best.language == language || best.document == hit.item.document.as_deref();
        if !is_kept {
            let detail = format!("the same page is there in another language: {}", best.language);
            stage.decide(item_name(&hit.item.space, hit.item.item_id), Action::Dropped, "translation", detail);
        }
        is_kept
    };
    let kept: Vec<bool> = hits.iter().zip(&pages).map(|(hit, page)| is_kept(hit, page, stage)).collect();
    hits.into_iter().zip(kept).filter_map(|(hit, is_kept)| is_kept.then_some(hit)).collect()
}

/// The page of a hit in any language, and the language. `None` if the text does not bear out what the path says, since a folder "it" may be a
/// department.
fn page_of(hit: &HitView) -> Option<(String, String)> {
    let (page, named) = in_language(hit.item.document.as_deref()?);
    let text = hit.item.text.as_str();
    let spoken = Language::recognised_in(text).map(Language::code);
    let language = match spoken {
        Some(code) => Some(code).filter(|_| named.is_empty() || named == code)?,
        // Too little to tell, such as code; or a language that has letters of its own.
        None if named.is_empty() || Language::is_recognised_code(&named) || text.is_ascii() => return None,
        None => &named,
    };
    Some((format!("{}/{page}", hit.item.space), language.to_owned()))
}

/// A path without the parts that name a language, and that language.
fn in_language(path: &str) -> (String, String) {
    let mut language = String::new();
    let mut is_other = |part: &&str| match language_code(part) {
        Some(code) => {
            language = code;
            false
        }
        None => true,
    };
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folders.split('/').filter(&mut is_other).collect();
    // `page.de.md`
    let pieces: Vec<&str> = file.split('.').collect();
    let middle = |at: usize| at > 0 && at + 1 < pieces.len();
    let named = pieces.iter().enumerate().filter(|(at, piece)| !middle(*at) || is_other(piece));
    let file = named.map(|(_, piece)| *piece).collect::<Vec<_>>().join(".");
    ([folders.join("/"), file].join("/"), language)
}

/// The language of `de`, `pt-br` or `zh_CN`.
fn language_code(part: &str) -> Option<String> {
    let mut pieces = part.split(['-', '_']);
    let code = pieces.next().filter(|code| PATH_LANGUAGES.contains(code))?;
    let is_region = |region: &str| matches!(region.len(), 2 | 4) && region.chars().all(|c| c.is_ascii_alphabetic());
    let is_whole = pieces.next().is_none_or(is_region) && pieces.next().is_none();
    is_whole.then(|| code.to_owned())
}

fn file_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Why a page is about everything rather than about one thing, if it is.
fn tells_of_all(path: &str) -> Option<&'static str> {
    let plain =
        |part: &str| -> String { part.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect() };
    let stem = file_stem(path);
    let folders = path.rsplit('/').skip(1).take(2);
    let is_change_log = stem == HISTORY
        || CHANGE_LOG_NAMES.contains(&plain(stem).as_str())
        || std::iter::once(stem).chain(folders).any(|part| CHANGE_LOGS.contains(&plain(part).as_str()));
    if is_change_log { Some("change_log") } else { (plain(stem) == CONTENTS).then_some("contents") }
}

fn asks_for_changes(question: &Question, text: &str) -> bool {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let has_number = |word: &&str| {
        let number = word.strip_prefix('v').unwrap_or(word);
        number.split('.').filter(|part| part.parse::<u32>().is_ok()).count() > 1
    };
    let words = lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<&str> = words.collect();
    // Up to three words may lie between: "was the flag removed".
    let behind = |at: usize, before: &[&str]| {
        words[at.saturating_sub(MAX_BETWEEN + 1)..at].iter().any(|word| before.contains(word))
    };
    let is_whats_new = |at: usize| matches!(words[..at], [.., "what's"] | [.., "what", "is"] | [.., "what"]);
    let asks = |(at, word): (usize, &&str)| {
        ASKS_FOR_CHANGES.contains(word)
            || has_number(word)
            || (DONE.contains(word) && (behind(at, &BEFORE_DONE) || is_whats_new(at)))
            || (VERSION.contains(word) && behind(at, &BEFORE_VERSION))
            || (*word == "new" && is_whats_new(at))
    };
    question.period.is_some() || words.iter().enumerate().any(asks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i43_a_path_tells_its_language_and_whether_it_is_a_change_log() {
        let check = |path: &str, page: &str, language: &str| {
            assert_eq!(in_language(path), (page.to_owned(), language.to_owned()), "{path}");
        };
        check("/docs/de/guide/use.md", "/docs/guide/use.md", "de");
        check("/docs/zh_CN/use.md", "/docs/use.md", "zh");
        check("/docs/use.pt-br.md", "/docs/use.md", "pt");
        check("/docs/use.md", "/docs/use.md", "");
        check("/docs/de.md", "/docs/de.md", "");
        check("de", "/de", "");
        for path in [
            "CHANGELOG.md",
            "CHANGELOG-1.24.md",
            "docs/release-notes/v2.md",
            "releasenotes/3/x.md",
            "HISTORY",
            "NEWS.md",
            "docs/2026-news.md",
            "docs/what's new.md",
        ] {
            assert_eq!(tells_of_all(path), Some("change_log"), "{path}");
        }
        let read = |text: &str| Question::read(text, Language::ENGLISH, recordar_domain::Timestamp::from_micros(0)).0;
        for text in [
            "In which version is pruning new?",
            "What's new in Django 5?",
            "Was the flag removed?",
            "Is it there since 1.24?",
            "What does v2.0 break?",
            "When was --force added?",
            "Is cron deprecated?",
            "What changed for plugins?",
            "Has the flag been renamed?",
        ] {
            assert!(asks_for_changes(&read(text), text), "{text}");
        }
        for text in [
            "How do I make it pick up my code changes while I am developing?",
            "When do I need gevent instead of the normal workers?",
            "How do I switch to a new version without dropping connections?",
            "How do I upgrade?",
            "How is a new user added?",
            "What happens when a file is removed?",
            "Is a new worker started after a crash?",
        ] {
            assert!(!asks_for_changes(&read(text), text), "{text}");
        }
        assert_eq!(tells_of_all("docs/table_of_contents.md"), Some("contents"));
        for path in ["docs/history.md", "docs/change-a-key.md", "news/rome.md", "guide.md", ""] {
            assert_eq!(tells_of_all(path), None, "{path}");
        }
    }
}

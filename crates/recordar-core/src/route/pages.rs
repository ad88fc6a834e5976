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
const CHANGE_LOGS: [&str; 9] = [
    "changelog",
    "changelogs",
    "changes",
    "news",
    "releasenote",
    "releasenotes",
    "releases",
    "whatsnew",
    "tableofcontents",
];
/// Words of questions that a change log answers.
const ASKS_FOR_CHANGES: [&str; 16] = [
    "version",
    "versions",
    "release",
    "releases",
    "released",
    "changelog",
    "change",
    "changes",
    "changed",
    "since",
    "when",
    "deprecated",
    "removed",
    "introduced",
    "upgrade",
    "upgrading",
];
/// ISO 639-1 codes of languages that documentation is often translated to.
const LANGUAGES: [&str; 46] = [
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "lv", "ms", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "sw", "ta",
    "th", "tl", "tr", "uk", "ur", "vi", "zh", "eo",
];

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
    let mut kept = one_language(hits, &mut stage, reader.terms.language_of(question.1).code());
    for hit in &mut kept {
        let Some(path) = hit.item.source().filter(|_| hit.item.document.is_some()).map(str::to_owned) else { continue };
        let rarities = spaces.iter().zip(rarities).find(|(space, _)| space.as_str() == hit.item.space);
        let named = rarities.map_or(0.0, |(_, rarities)| {
            let title = hit.item.section.as_deref().and_then(|section| section.split(" > ").next());
            let parts = [file_stem(&path), title.unwrap_or_default()];
            parts.into_iter().map(|part| reader.share(part, rarities)).sum::<f64>().min(1.0)
        });
        let is_demoted = !wants_changes && is_change_log(&path);
        let before = hit.score;
        let weight = if hit.item.section.is_none() { TITLE_WEIGHT } else { NAME_WEIGHT };
        rescore(hit, named * weight, if is_demoted { CHANGE_LOG_FACTOR } else { 1.0 });
        if is_demoted || named > 0.0 {
            let reason = if is_demoted { "change_log" } else { "named" };
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

/// Keeps one language of each page: the question's, if it is there, otherwise that of the best hit.
fn one_language(hits: Vec<HitView>, stage: &mut Stage, asked: &str) -> Vec<HitView> {
    // By space and page, the languages in the order of their best hits.
    let mut languages: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let page = |hit: &HitView| {
        let (page, language) = in_language(hit.item.document.as_deref()?);
        Some(((hit.item.space.clone(), page), language))
    };
    for (page, language) in hits.iter().filter_map(page) {
        let known = languages.entry(page).or_default();
        if !known.contains(&language) {
            known.push(language);
        }
    }
    let mut kept = hits;
    kept.retain(|hit| {
        let Some((page, language)) = page(hit) else { return true };
        let known = &languages[&page];
        let is_asked = |one: &&String| one.as_str() == asked;
        // A page without a language in its path is in the language of the store, which is most often English.
        let is_plain = |one: &&String| one.is_empty() && asked == "en";
        let best = known.iter().find(is_asked).or_else(|| known.iter().find(is_plain)).or(known.first());
        let is_kept = best.is_none_or(|best| *best == language);
        if !is_kept {
            let detail = format!("the same page is there in another language: {}", best.map_or("", String::as_str));
            stage.decide(item_name(&hit.item.space, hit.item.item_id), Action::Dropped, "translation", detail);
        }
        is_kept
    });
    kept
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
    let code = pieces.next().filter(|code| LANGUAGES.contains(code))?;
    let is_region = |region: &str| (2..=4).contains(&region.len()) && region.chars().all(|c| c.is_ascii_alphabetic());
    let is_whole = pieces.next().is_none_or(is_region) && pieces.next().is_none();
    is_whole.then(|| code.to_owned())
}

fn file_stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn is_change_log(path: &str) -> bool {
    let plain =
        |part: &str| -> String { part.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let stem = file_stem(path);
    let folders = path.rsplit('/').skip(1).take(2);
    // In capitals: the history of a project, and not a command of that name.
    stem == "HISTORY" || std::iter::once(stem).chain(folders).any(|part| CHANGE_LOGS.contains(&plain(part).as_str()))
}

fn asks_for_changes(question: &Question, text: &str) -> bool {
    let lower = text.to_lowercase();
    let has_number = |word: &str| word.split('.').filter(|part| part.parse::<u32>().is_ok()).count() > 1;
    let mut words = lower.split(|c: char| c.is_whitespace() || matches!(c, '?' | ',' | '"'));
    question.period.is_some() || words.any(|word| ASKS_FOR_CHANGES.contains(&word) || has_number(word))
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
        for path in ["CHANGELOG.md", "docs/release-notes/v2.md", "releasenotes/3/x.md", "HISTORY", "docs/what's new.md"]
        {
            assert!(is_change_log(path), "{path}");
        }
        for path in ["docs/history.md", "docs/change-a-key.md", "guide.md", ""] {
            assert!(!is_change_log(path), "{path}");
        }
    }
}

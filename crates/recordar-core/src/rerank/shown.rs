//! What the judge is shown of an item. It must be what the judge was trained on: see docs/judge.md.

use crate::error::Error;
use crate::noun::item::ItemView;
use crate::route::Items;
use crate::route::hybrid::Candidate;
use recordar_domain::{ItemKind, SpaceName};
use recordar_index::Hit;
use recordar_store::Store;
use std::collections::BTreeMap;
use std::ops::Range;

/// How much of the turn before is shown, in characters from its end.
const TURN_BEFORE_CHARS: usize = 220;

/// A name with shorter words only, such as a number, says nothing.
const FEWEST_LETTERS: usize = 3;

/// A text for the judge: what stands before the item's own text, and that text.
pub struct Shown {
    pub text: String,
    /// Where the item's own text begins in it, in bytes.
    starts_at: usize,
    /// How many characters of the item's own text were left out before that.
    left_out: usize,
    /// The item, where one of several is judged.
    pub item_id: Option<i64>,
}

impl Shown {
    /// A chunk is shown below its section.
    pub fn chunk(section: Option<&str>, text: &str) -> Self {
        let left_out = section.and_then(|_| heading(text)).unwrap_or_default();
        let section = section.unwrap_or_default().trim();
        let mut shown = section.to_owned();
        if !section.is_empty() {
            shown.push_str(if section.ends_with(['.', '?', '!', ':']) { " " } else { ". " });
        }
        let starts_at = shown.len();
        shown.push_str(&text[left_out..]);
        Self { text: shown, starts_at, left_out: text[..left_out].chars().count(), item_id: None }
    }

    /// A message is shown after the end of the turn before it.
    pub fn message(item: &ItemView, before: Option<&ItemView>) -> Self {
        let mut shown = before.map_or_else(String::new, |before| format!("{} ", end_of(&said(before))));
        shown.push_str(&speaker(item));
        let starts_at = shown.len();
        shown.push_str(&item.text);
        Self { text: shown, starts_at, left_out: 0, item_id: None }
    }

    /// As one of several items of a thread or document.
    pub fn of(self, item_id: i64) -> Self {
        Self { item_id: Some(item_id), ..self }
    }

    /// The characters of the item's own text in some bytes of this; `None` if they are all of it.
    pub fn read(&self, bytes: &Range<usize>) -> Option<[usize; 2]> {
        let is_end = |at: usize| self.text.get(at..).is_some_and(|rest| rest.trim().is_empty());
        let is_whole = bytes.start <= self.starts_at && is_end(bytes.end);
        let chars = |end: usize| self.text.get(self.starts_at..end).map_or(0, |own| own.chars().count());
        (!is_whole).then(|| [self.left_out + chars(bytes.start), self.left_out + chars(bytes.end)])
    }
}

/// What a page without a heading is called, if its name says anything: that of a note is its title.
fn title(item: &ItemView) -> Option<&str> {
    let name = item.source()?.rsplit('/').next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let has_word = stem.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() >= FEWEST_LETTERS);
    (has_word && heading(&item.text).is_none()).then_some(stem)
}

/// Where the text goes on after a heading in Markdown at its beginning, which says what the section says.
fn heading(text: &str) -> Option<usize> {
    let marks = text.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&marks) && text[marks..].starts_with(' ');
    is_heading.then(|| text.find('\n').map_or(text.len(), |end| end + 1))
}

fn speaker(item: &ItemView) -> String {
    item.speaker.as_ref().map_or_else(String::new, |speaker| format!("{speaker}: "))
}

fn said(item: &ItemView) -> String {
    format!("{}{}", speaker(item), item.text.trim())
}

fn end_of(text: &str) -> &str {
    let start = text.char_indices().rev().nth(TURN_BEFORE_CHARS - 1).map_or(0, |(at, _)| at);
    &text[start..]
}

/// The turn before each message that a search found, by space and item.
#[derive(Default, Clone)]
pub struct TurnsBefore(BTreeMap<(String, i64), (usize, i64)>);

impl TurnsBefore {
    pub fn of(spaces: &[SpaceName], found: &[Candidate<Hit>]) -> Self {
        let turn = |Candidate { space, hit }: &Candidate<Hit>| {
            Some(((spaces[*space].to_string(), i64::from(hit.id)), (*space, i64::from(hit.before?))))
        };
        Self(found.iter().filter_map(turn).collect())
    }

    /// Of items in the order in which they were said, by the number of their space.
    pub fn in_order<'a>(said: impl Iterator<Item = (usize, &'a ItemView)>) -> Self {
        let (mut turns, mut last) = (BTreeMap::new(), BTreeMap::new());
        for (space, item) in said {
            let before = item.thread.as_ref().and_then(|thread| last.insert((space, thread), item.item_id));
            turns.extend(before.map(|before| ((item.space.clone(), item.item_id), (space, before))));
        }
        Self(turns)
    }
}

/// Where and when items were found.
pub struct FoundAt<'a> {
    pub spaces: &'a [SpaceName],
    /// The revision of each space.
    pub revisions: Vec<Option<i64>>,
    pub turns: TurnsBefore,
}

impl FoundAt<'_> {
    /// What the judge is shown of each item.
    pub fn show(&self, store: &Store, items: &[&ItemView]) -> Result<Vec<Shown>, Error> {
        let shown = store.read(|reading| {
            let mut known = Items::at(self.spaces, self.revisions.clone());
            let mut shown = Vec::with_capacity(items.len());
            for item in items {
                if item.kind == ItemKind::Chunk {
                    shown.push(Shown::chunk(item.section.as_deref().or_else(|| title(item)), &item.text));
                    continue;
                }
                let before = match self.turns.0.get(&(item.space.clone(), item.item_id)) {
                    Some((space, before)) => known.get(reading, *space, *before)?,
                    None => None,
                };
                shown.push(Shown::message(item, before.as_ref()));
            }
            Ok(shown)
        })?;
        Ok(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noun::passage::tests::passage;

    fn message(speaker: Option<&str>, text: &str) -> ItemView {
        ItemView { speaker: speaker.map(str::to_owned), ..passage(1, text).item }
    }

    #[test]
    fn i22_a_message_is_shown_with_its_speaker_after_the_turn_before() {
        let ada = message(Some("Ada"), "Yes, in May.");
        assert_eq!(Shown::message(&ada, None).text, "Ada: Yes, in May.");
        let ben = message(Some("Ben"), "Did you move?");
        assert_eq!(Shown::message(&ada, Some(&ben)).text, "Ben: Did you move? Ada: Yes, in May.");
        assert_eq!(Shown::message(&message(None, "Yes."), Some(&message(None, "So?"))).text, "So? Yes.");
        let long = message(Some("Ben"), &"ä".repeat(500));
        assert_eq!(Shown::message(&ada, Some(&long)).text, format!("{} Ada: Yes, in May.", "ä".repeat(220)));
    }

    #[test]
    fn i22_a_chunk_is_shown_once_below_its_section() {
        assert_eq!(Shown::chunk(Some("Setup"), "## Setup\nRun it.").text, "Setup. Run it.");
        assert_eq!(Shown::chunk(Some("Why?"), "Because.").text, "Why? Because.");
        assert_eq!(Shown::chunk(None, "Because.").text, "Because.");
        assert_eq!(Shown::chunk(Some("Alone"), "# Alone").text, "Alone. ");
        for text in ["#!/bin/sh\nls", "#include <a>", "#1 is first", "####### seven"] {
            assert_eq!(Shown::chunk(Some("Code"), text).text, format!("Code. {text}"));
        }
        assert_eq!(Shown::chunk(None, "# Title").text, "# Title", "nothing else says it");
        let named = |name: &str, text: &str| ItemView { document: Some(name.to_owned()), ..message(None, text) };
        assert_eq!(title(&named("notes/Electrician.md", "Phone 0123")), Some("Electrician"));
        assert_eq!(title(&named("notes/4711.md", "Phone 0123")), None);
        assert_eq!(title(&named("notes/Electrician.md", "# Phone")), None);
    }

    #[test]
    fn i22_what_was_read_is_told_in_characters_of_the_items_own_text() {
        let text = "## Größe\nEins zwei drei.";
        let shown = Shown::chunk(Some("Größe"), text);
        assert_eq!(shown.read(&(0..shown.text.len())), None);
        let at = shown.text.find("zwei").unwrap();
        let [from, to] = shown.read(&(at..at + 4)).unwrap();
        assert_eq!(text.chars().skip(from).take(to - from).collect::<String>(), "zwei");
        assert_eq!(shown.read(&(0..3)), Some([9, 9]), "only the section");
    }
}

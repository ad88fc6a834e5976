//! The part of a text that says most about a question: what a context shows of a chunk, and what a search shows of a hit.
//!
//! A run of sentences stays within one section, so that the heading it is cited with is the one above all of it. The heading's own words
//! count for every run below it.

use super::meaning::Meaning;
use recordar_domain::text::{FrontMatter, Language, SectionStart, Terms, sentence_ends};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// What to look for: the stems of each of the question's words, separated by spaces, and what it is worth in the text.
pub struct Excerpts<'a> {
    words: &'a [(String, f64)],
    /// The word of each stem.
    numbers: HashMap<&'a str, usize>,
    /// Found by meaning alone, a text scored nothing by words: then all words count the same.
    is_by_words: bool,
    splitter: &'a mut Terms,
    /// Of the text.
    language: Language,
    meaning: Option<&'a mut Meaning>,
}

/// A sentence.
struct Piece {
    range: Range<usize>,
    /// Which of the sections it is in; 0 before the first.
    section: usize,
    /// The words it holds, as numbers.
    words: Vec<usize>,
    /// How near it is to the question in meaning.
    likeness: f64,
}

/// The most characters of a snippet, and how many of them may come before the first match.
const SNIPPET_CHARS: usize = 240;
const LEAD_CHARS: usize = 40;
/// What the likeness of a run counts, where all of the question's words in the text count 1. Of 0.25 to 3, on `eval/docs`.
const MEANING_WEIGHT: f64 = 0.5;
/// Lines of front matter that describe a page.
const DESCRIPTIONS: [&str; 3] = ["title:", "description:", "summary:"];

impl<'a> Excerpts<'a> {
    pub fn new(words: &'a [(String, f64)], splitter: &'a mut Terms) -> Self {
        let mut numbers = HashMap::new();
        for (number, (stems, _)) in words.iter().enumerate() {
            for stem in stems.split(' ') {
                numbers.entry(stem).or_insert(number);
            }
        }
        let is_by_words = words.iter().any(|(_, worth)| *worth > 0.0);
        Self { words, numbers, is_by_words, language: splitter.default_language(), splitter, meaning: None }
    }

    /// Meaning counts as well as words.
    pub fn with_meaning(self, meaning: &'a mut Meaning) -> Self {
        Self { meaning: Some(meaning), ..self }
    }

    /// The run of sentences that is worth most; of equal ones the one that begins with a match, then the first.
    pub fn best(&mut self, text: &str, sections: &[SectionStart], sentences: usize) -> Range<usize> {
        self.best_run(text, sections, sentences).0
    }

    /// The same, on one line of limited length, with the heading if only that matches; and where it begins.
    pub fn snippet(&mut self, text: &str, sections: &[SectionStart]) -> (String, usize) {
        let (run, heading) = self.best_run(text, sections, 1);
        // More of a short sentence's section; of front matter, only the line that matches.
        let end = heading_after(text, sections, run.start).unwrap_or(text.len());
        let end = if run.end <= front_matter_end(text) { run.end } else { end };
        let more = sentence_ends(&text[run.start..end]).map(|at| run.start + at);
        let is_short = |at: &usize| text[run.start..*at].chars().count() <= SNIPPET_CHARS;
        let shown = run.start..more.take_while(is_short).last().unwrap_or(run.end).max(run.end);
        let (line, is_late) = self.cut_around_match(&text[shown]);
        let heading = heading.map(|name| format!("{name}: ")).filter(|_| !is_late).unwrap_or_default();
        (format!("{heading}{line}"), run.start)
    }

    /// The best run, and the name of its section if only that holds words of the question.
    fn best_run<'s>(
        &mut self,
        text: &str,
        sections: &'s [SectionStart],
        sentences: usize,
    ) -> (Range<usize>, Option<&'s str>) {
        self.language = self.splitter.language_of(text);
        let headings: Vec<&SectionStart> = sections.iter().filter(|start| is_heading(text, start.at)).collect();
        let front = front_matter_end(text);
        let pieces = self.pieces(text, front, &headings);
        let named: Vec<Vec<usize>> = headings.iter().map(|start| self.found_in(last_name(&start.section))).collect();
        let by_meaning =
            MEANING_WEIGHT * self.worth(pieces.iter().flat_map(|piece| &piece.words)).max(f64::MIN_POSITIVE);
        let mut best: Option<(Range<usize>, usize, (f64, f64))> = None;
        for below in pieces.chunk_by(|one, other| one.section == other.section) {
            let section = below[0].section;
            let name = section.checked_sub(1).map_or(&[][..], |number| &named[number]);
            for (first, run) in below.windows(sentences.clamp(1, below.len())).enumerate() {
                let likeness = run.iter().map(|piece| piece.likeness).sum::<f64>() / run.len() as f64;
                let worth = self.worth(run.iter().flat_map(|piece| &piece.words).chain(name));
                let worth = (worth + likeness * by_meaning, self.worth(run[0].words.iter()));
                let is_better = |(_, _, most): &(_, _, (f64, f64))| {
                    worth.0.total_cmp(&most.0).then(worth.1.total_cmp(&most.1)).is_gt()
                };
                if best.as_ref().is_none_or(is_better) {
                    let mut last = first + run.len() - 1;
                    // A sentence that announces something is shown with what it announces.
                    while last + 1 < below.len() && text[below[last].range.clone()].ends_with(':') {
                        last += 1;
                    }
                    best = Some((run[0].range.start..below[last].range.end, section, worth));
                }
            }
        }
        let described = self.described(text, front, by_meaning);
        if let Some((line, worth)) = described
            && best.as_ref().is_none_or(|(_, _, most)| worth > most.0)
        {
            return (line, None);
        }
        let Some((run, section, worth)) = best else { return (0..text.trim_end().len(), None) };
        let own = self.found_in(&text[run.clone()]);
        let is_only_named = worth.0 > 0.0 && self.worth(own.iter()) == 0.0;
        let name = section.checked_sub(1).map(|number| last_name(&headings[number].section));
        (run, name.filter(|_| is_only_named))
    }

    /// The sentences behind the front matter. Headings are none: a passage is cited with them.
    fn pieces(&mut self, text: &str, front: usize, headings: &[&SectionStart]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let starts = headings.iter().map(|start| start.at);
        let mut bounds: Vec<usize> = std::iter::once(front).chain(starts.filter(|at| *at > front)).collect();
        bounds.push(text.len());
        for part in bounds.windows(2) {
            let section = headings.partition_point(|start| start.at <= part[0]);
            let is_below_heading = section > 0 && headings[section - 1].at == part[0];
            let from = if is_below_heading { heading_end(text, part[0]).min(part[1]) } else { part[0] };
            let (mut start, before) = (from, pieces.len());
            for end in sentence_ends(&text[from..part[1]]) {
                let sentence = &text[start..from + end];
                let range = start + sentence.len() - sentence.trim_start().len()..from + end;
                let range = range.start..range.start + before_link_definitions(&text[range.clone()]);
                start = from + end;
                if !range.is_empty() {
                    pieces.push(self.piece(text, range, section));
                }
            }
            // Nothing stands below the heading here: it is all there is to show.
            if pieces.len() == before && is_below_heading {
                let range = part[0]..part[0] + text[part[0]..from].trim_end().len();
                // What it is called is no answer, however near it is.
                pieces.push(Piece { likeness: 0.0, ..self.piece(text, range, section) });
            }
        }
        pieces
    }

    fn piece(&mut self, text: &str, range: Range<usize>, section: usize) -> Piece {
        let sentence = &text[range.clone()];
        let likeness = self.meaning.as_mut().map_or(0.0, |meaning| meaning.likeness(sentence));
        Piece { words: self.found_in(sentence), range, section, likeness }
    }

    /// The description in the front matter that is worth most.
    fn described(&mut self, text: &str, front: usize, by_meaning: f64) -> Option<(Range<usize>, f64)> {
        let mut best: Option<(Range<usize>, f64)> = None;
        let mut at = 0;
        for line in text[..front].split_inclusive('\n') {
            if let Some(key) = DESCRIPTIONS.iter().find(|key| line.starts_with(**key)) {
                let value = line[key.len()..].trim().trim_matches(['"', '\'']);
                let start = at + key.len() + line[key.len()..].find(value).unwrap_or(0);
                let found = self.found_in(value);
                // What a page is called is no answer, however near it is.
                let meaning = self.meaning.as_mut().filter(|_| *key != DESCRIPTIONS[0]);
                let likeness = meaning.map_or(0.0, |meaning| meaning.likeness(value));
                let worth = self.worth(found.iter()) + likeness * by_meaning;
                if worth > best.as_ref().map_or(0.0, |(_, most)| *most) {
                    best = Some((start..start + value.len(), worth));
                }
            }
            at += line.len();
        }
        best
    }

    fn found_in(&mut self, text: &str) -> Vec<usize> {
        let (numbers, mut found) = (&self.numbers, Vec::new());
        self.splitter.each(self.language, text, |term| found.extend(numbers.get(term.stem)));
        found
    }

    fn worth<'w>(&self, words: impl Iterator<Item = &'w usize>) -> f64 {
        let different: BTreeSet<usize> = words.copied().collect();
        different.into_iter().fold(0.0, |sum, word| sum + if self.is_by_words { self.words[word].1 } else { 1.0 })
    }

    /// A text on one line: all of it if it is short, else the part around the best matches. True if its beginning is left out.
    fn cut_around_match(&mut self, text: &str) -> (String, bool) {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= SNIPPET_CHARS {
            return (line, false);
        }
        let tokens = tokens(&line);
        let found: Vec<Vec<usize>> = tokens.iter().map(|token| self.found_in(&line[token.clone()])).collect();
        let mut best = (0, 0.0);
        for first in 0..tokens.len() {
            let fits = |token: &Range<usize>| {
                line[tokens[first].start..token.end].chars().count() <= SNIPPET_CHARS - LEAD_CHARS
            };
            let last = first + tokens[first..].iter().take_while(|token| fits(token)).count();
            let worth = self.worth(found[first..last].iter().flatten());
            if !found[first].is_empty() && worth > best.1 {
                best = (first, worth);
            }
        }
        let lead = tokens[..best.0].iter().rev();
        let from = tokens[best.0].start;
        let lead = lead.take_while(|token| line[token.start..from].chars().count() <= LEAD_CHARS).last();
        let start = lead.map_or(from, |token| token.start);
        let end = line[start..].char_indices().nth(SNIPPET_CHARS).map_or(line.len(), |(length, _)| start + length);
        let (before, behind) = (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
        (format!("{before}{}{behind}", line[start..end].trim_end()), start > 0)
    }
}

/// The words of a line by their places; a long run of a script without spaces in short pieces.
fn tokens(line: &str) -> Vec<Range<usize>> {
    const LONG: usize = 20;
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let (mut start, mut chars) = (0, 0);
    for (at, c) in line.char_indices() {
        if c == ' ' || chars == LONG {
            tokens.extend((start < at).then_some(start..at));
            (start, chars) = (if c == ' ' { at + 1 } else { at }, 0);
        }
        chars += 1;
    }
    tokens.extend((start < line.len()).then_some(start..line.len()));
    tokens
}

/// Where the front matter of a page ends; 0 if the text does not begin with any. A chunk may begin with a rule instead.
pub(super) fn front_matter_end(text: &str) -> usize {
    let Some(front) = FrontMatter::of(text) else { return 0 };
    let is_field = |line: &str| {
        line.trim().is_empty()
            || line.starts_with([' ', '\t', '-', '+', '#', '.', '[', ']', '\u{feff}'])
            || line.contains([':', '='])
    };
    if text[..front.end].lines().all(is_field) { front.end } else { 0 }
}

/// Whether a section begins with a heading of Markdown, and not with a member or an element. Of a long text only the first part may be here.
pub(super) fn is_heading(text: &str, at: usize) -> bool {
    let mut lines = text.get(at..).unwrap_or_default().lines();
    let first = lines.next().unwrap_or_default().trim_start_matches([' ', '\u{feff}']);
    let is_underline = |line: &str| {
        let line = line.trim();
        line.len() >= 2 && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
    };
    first.starts_with('#') || lines.next().is_some_and(is_underline)
}

/// The end of the heading that begins here, which may have a line under it.
pub(super) fn heading_end(text: &str, at: usize) -> usize {
    let lines = if text[at..].trim_start_matches([' ', '\u{feff}']).starts_with('#') { 1 } else { 2 };
    at + text[at..].split_inclusive('\n').take(lines).map(str::len).sum::<usize>()
}

/// Where the definitions of links begin that end a text.
pub(super) fn link_definitions_start(text: &str) -> usize {
    let mut start = text.trim_end().len();
    for line in text[..start].split('\n').rev() {
        if !line.trim().is_empty() && !defines_link(line) {
            break;
        }
        start = start.saturating_sub(line.len() + 1);
    }
    text[..start].trim_end().len()
}

/// Whether a line says only where a link leads: `[name]: address`.
fn defines_link(line: &str) -> bool {
    let name = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]:"));
    name.is_some_and(|(name, address)| !name.contains(['[', ']']) && !address.trim().is_empty())
}

/// The length of a sentence without the definitions of links behind it, which say nothing themselves.
fn before_link_definitions(sentence: &str) -> usize {
    let mut length = 0;
    for line in sentence.split_inclusive('\n') {
        if defines_link(line) {
            return sentence[..length].trim_end().len();
        }
        length += line.len();
    }
    length
}

/// Where the next heading begins.
fn heading_after(text: &str, sections: &[SectionStart], place: usize) -> Option<usize> {
    sections.iter().find(|start| start.at > place && is_heading(text, start.at)).map(|start| start.at)
}

/// The heading at the end of a section's path.
fn last_name(section: &str) -> &str {
    section.rsplit(" > ").next().unwrap_or(section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::FileType;
    use recordar_domain::text::Structure;

    const PAGE: &str = "---\nreviewers:\n- ada\ntitle: Lamp care\ndescription: How to clean the lens with vinegar\n---\n\n\
        The lamp stands high. It is old.\n\n## Filling the oil\n\nOpen the cap. Pour slowly. Then close it.\n\n\
        ```sh\n# not a heading\n```\n\n## Storms\n\nIn storms the shutters stay closed. Keep the oil dry.\n";

    fn sections(text: &str) -> Vec<SectionStart> {
        let sections = Structure::of(text, FileType::Markdown).unwrap().sections(text);
        sections.within(1..text.len()).to_vec()
    }

    fn excerpt<T>(text: &str, words: &[(&str, f64)], take: impl FnOnce(&mut Excerpts<'_>, &[SectionStart]) -> T) -> T {
        let words: Vec<(String, f64)> = words.iter().map(|(word, worth)| ((*word).to_owned(), *worth)).collect();
        let mut splitter = Terms::new(Language::parse("english").unwrap());
        take(&mut Excerpts::new(&words, &mut splitter), &sections(text))
    }

    #[test]
    fn i19_a_run_of_sentences_stays_below_one_heading() {
        let check = |words: &[(&str, f64)], sentences, expected: &str| {
            let run = excerpt(PAGE, words, |excerpts, sections| excerpts.best(PAGE, sections, sentences));
            assert_eq!(&PAGE[run], expected, "{words:?}");
        };
        check(&[("pour", 0.5)], 2, "Pour slowly. Then close it.");
        check(&[("shutter", 0.5)], 5, "In storms the shutters stay closed. Keep the oil dry.");
        check(&[("old", 0.5)], 5, "The lamp stands high. It is old.");
        check(&[("fill", 0.5), ("oil", 0.2)], 2, "Open the cap. Pour slowly.");
        check(&[("storm", 0.5), ("oil", 0.2)], 1, "Keep the oil dry.");
        check(&[("storm", 0.5), ("shutter", 0.2)], 1, "In storms the shutters stay closed.");
        check(&[("absent", 0.5)], 1, "The lamp stands high.");
        check(&[("vinegar", 0.5)], 2, "How to clean the lens with vinegar");
        check(&[], 2, "The lamp stands high. It is old.");
    }

    #[test]
    fn i19_a_snippet_holds_the_match_and_no_front_matter() {
        let check = |text: &str, words: &[(&str, f64)], expected: &str| {
            let (snippet, _) = excerpt(text, words, |excerpts, sections| excerpts.snippet(text, sections));
            assert_eq!(snippet, expected, "{words:?}");
        };
        check(PAGE, &[("pour", 0.5)], "Pour slowly. Then close it. ```sh # not a heading ```");
        check(
            PAGE,
            &[("fill", 0.5)],
            "Filling the oil: Open the cap. Pour slowly. Then close it. ```sh # not a heading ```",
        );
        check(PAGE, &[("reviewer", 0.5)], "The lamp stands high. It is old.");
        check(PAGE, &[("vinegar", 0.5)], "How to clean the lens with vinegar");
        check("# Only\n\n## Headings\n", &[("head", 0.5)], "## Headings");
        check("", &[("head", 0.5)], "");
        let long = format!("{} the keeper of the lamp {}", "word ".repeat(100).trim_end(), "more ".repeat(100));
        let (snippet, _) = excerpt(&long, &[("keeper", 0.5)], |excerpts, sections| excerpts.snippet(&long, sections));
        assert!(
            snippet.starts_with('…') && snippet.ends_with('…') && snippet.contains("the keeper of the lamp"),
            "{snippet}"
        );
        assert!(snippet.chars().count() <= SNIPPET_CHARS + 2);
        let unspaced = format!("{}灯台守はレンズを磨く{}", "海の音を聞く".repeat(60), "山の道を歩く".repeat(60));
        let (snippet, _) =
            excerpt(&unspaced, &[("灯台", 0.5)], |excerpts, sections| excerpts.snippet(&unspaced, sections));
        assert!(snippet.contains("灯台守はレンズ"), "{snippet}");
    }

    #[test]
    fn i19_a_sentence_that_announces_something_is_shown_with_it() {
        let text = "The lamp is lit. To fill it, do this:\n\n- Open the cap.\n- Pour.\n";
        let run = excerpt(text, &[("fill", 0.5)], |excerpts, sections| excerpts.best(text, sections, 1));
        assert_eq!(&text[run], "To fill it, do this:\n\n- Open the cap.");
    }

    #[test]
    fn i19_sections_beyond_the_part_that_is_looked_at_do_no_harm() {
        let beyond = |at| SectionStart { at, section: "Beyond".to_owned() };
        let mut splitter = Terms::new(Language::parse("english").unwrap());
        let words = [("lamp".to_owned(), 0.5)];
        for text in ["The lamp é.", ""] {
            for sections in [vec![beyond(10), beyond(900)], vec![beyond(text.len())]] {
                let mut excerpts = Excerpts::new(&words, &mut splitter);
                assert_eq!(&text[excerpts.best(text, &sections, 2)], text);
                assert_eq!(excerpts.snippet(text, &sections).0, text);
            }
        }
    }

    #[test]
    fn i19_definitions_of_links_are_no_sentences() {
        let text = "The lamp uses [oil].\n\n[lens]: https://lens.example/lens\n[lamp]: https://lamp.example/\n";
        let check = |words: &[(&str, f64)], expected: &str| {
            let run = excerpt(text, words, |excerpts, sections| excerpts.best(text, sections, 2));
            assert_eq!(&text[run], expected, "{words:?}");
        };
        check(&[("lamp", 0.5)], "The lamp uses [oil].");
        check(&[("lens", 0.5)], "The lamp uses [oil].");
    }

    #[test]
    fn i19_a_rule_at_the_start_of_a_chunk_hides_nothing() {
        let text = "---\n\nThe lamp stands high\n\n---\n\nThe lens is clean.\n";
        let run = excerpt(text, &[("high", 0.5)], |excerpts, sections| excerpts.best(text, sections, 1));
        assert!(text[run].contains("stands high"));
    }
}

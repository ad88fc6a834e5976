//! Where two chunks of a document meet: whether a sentence, a list, a table or code runs on from the one into the other, and how far.
//!
//! A chunk is a slice of a text, so what stands before it is not known. In doubt nothing runs on.

use recordar_domain::text::sentence_ends;

/// What runs on takes no more lines and bytes of the next chunk than these.
const MAX_LINES: usize = 12;
const MAX_BYTES: usize = 1000;
/// How much of the chunk before is read again to tell whether its last sentence ends.
const MAX_SENTENCE_BYTES: usize = 1000;
/// How many lines back the entry is looked for whose list runs on.
const MAX_ENTRY_LINES: usize = 12;
/// By so many columns a line belongs to the entry above it.
const INDENT: usize = 2;

/// What runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfinished {
    Sentence,
    List,
    Table,
    Code,
}

/// What runs on into the next chunk, and where it may be cut there: behind each whole entry or line, in bytes, ascending. It runs on no further than the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunOn {
    pub(super) what: Unfinished,
    /// Where it begins: with the indentation of a line.
    pub(super) start: usize,
    pub(super) ends: Vec<usize>,
}

impl Unfinished {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sentence => "sentence",
            Self::List => "list",
            Self::Table => "table",
            Self::Code => "code",
        }
    }
}

/// Whether something may run on behind a text. False only if nothing can.
pub(super) fn may_run_on(before: &str) -> bool {
    let end = before.trim_end();
    let is_apart = newlines(&before[end.len()..]) > 1;
    !is_apart
        || end.ends_with(':')
        || in_code(before, "")
        || last_entry(before, None).is_some()
        || has_row(last_line(end))
}

/// What runs on from a chunk into the own text of the next.
pub(super) fn run_on(before: &str, next: &str) -> Option<RunOn> {
    let end = before.trim_end();
    let start = next.len() - next.trim_start().len();
    if end.is_empty() || start == next.len() {
        return None;
    }
    let gap = newlines(&before[end.len()..]) + newlines(&next[..start]);
    // The line in which it begins, with its indentation.
    let first = next[..start].rfind('\n').map_or(if gap > 0 { 0 } else { start }, |newline| newline + 1);
    let line = next[first..].lines().next().unwrap_or_default();
    if in_code(before, next) {
        return some(Unfinished::Code, first, code_ends(next, first, false));
    }
    if gap > 0 && begins_section(&next[first..]) {
        return None;
    }
    let announces = end.ends_with(':');
    if announces && fence(line).is_some() {
        return some(Unfinished::Code, first, code_ends(next, first, true));
    }
    if has_row(line) && gap > 0 && (announces || (gap == 1 && has_row(last_line(end)))) {
        return some(Unfinished::Table, first, row_ends(next, first));
    }
    let entry = (gap > 0).then(|| entry(line)).flatten();
    let goes_on = match (&entry, last_entry(before, entry.as_ref())) {
        (Some(_), Some(())) => true,
        (Some(_), None) => announces,
        // More of the last entry.
        (None, Some(())) => gap < 2 && fence(line).is_none() && !has_row(line) || indent(line) >= INDENT,
        (None, None) => false,
    };
    if goes_on && fence(line).is_none() {
        return some(Unfinished::List, first, entry_ends(next, first));
    }
    if gap > 1 || entry.is_some() || has_row(line) || fence(line).is_some() {
        return None;
    }
    some(Unfinished::Sentence, start, sentence_end(before, next).into_iter().collect())
}

fn some(what: Unfinished, start: usize, ends: Vec<usize>) -> Option<RunOn> {
    (!ends.is_empty()).then_some(RunOn { what, start, ends })
}

/// Where the sentence ends in the next text that the one before does not end. `None` if it does, or if the sentence is too long for one.
fn sentence_end(before: &str, next: &str) -> Option<usize> {
    let from = before.ceil_char_boundary(before.len().saturating_sub(MAX_SENTENCE_BYTES));
    let from = before[from..].trim_end().rfind("\n\n").map_or(from, |paragraph| from + paragraph);
    let (before, read) = (&before[from..], &next[..next.floor_char_boundary(2 * MAX_BYTES)]);
    let joined = format!("{before}{read}");
    let meet = before.trim_end().len();
    let end = sentence_ends(&joined).find(|end| *end >= meet)?;
    let end = end.checked_sub(before.len()).filter(|end| *end > 0 && end <= &MAX_BYTES)?;
    // It may run on behind that chunk as well.
    let is_over =
        end < next.trim_end().len() || !next[..end].ends_with(|c: char| c.is_alphanumeric() || ",;".contains(c));
    (is_over && next[..end].lines().count() <= MAX_LINES).then_some(end)
}

/// Lines without the space at their ends, and where they end, from a place on.
fn all_lines(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    text[from..].split_inclusive('\n').scan(from, |at, line| {
        let (start, line_end) = (*at, line.trim_end());
        *at += line.len();
        Some((start + line_end.len(), line_end))
    })
}

/// Those that may be shown.
fn lines(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    all_lines(text, from).take(MAX_LINES).take_while(move |(end, _)| end - from <= MAX_BYTES)
}

/// The ends of the lines of code, up to the fence that closes it. None if nothing but that fence is left.
fn code_ends(next: &str, from: usize, is_opened_here: bool) -> Vec<usize> {
    let mut ends = Vec::new();
    for (end, line) in lines(next, from).skip(usize::from(is_opened_here)) {
        let is_closed = fence(line).is_some();
        if !(line.is_empty() || is_closed && ends.is_empty()) {
            ends.push(end);
        }
        if is_closed {
            break;
        }
    }
    ends
}

/// The ends of the rows of a table.
fn row_ends(next: &str, from: usize) -> Vec<usize> {
    lines(next, from).take_while(|(_, line)| has_row(line)).map(|(end, _)| end).collect()
}

/// The ends of the entries of a list.
fn entry_ends(next: &str, from: usize) -> Vec<usize> {
    let (mut ends, mut last, mut is_apart) = (Vec::new(), None, false);
    // An entry is whole where the next begins, or something else.
    for (number, (end, line)) in all_lines(next, from).enumerate() {
        if line.is_empty() {
            is_apart = true;
            continue;
        }
        let is_entry = entry(line).is_some();
        let is_other = is_apart || fence(line).is_some() || begins_section(&next[end - line.len()..]);
        let ends_here = number > 0 && !is_entry && indent(line) < INDENT && is_other;
        if is_entry || ends_here {
            ends.extend(last.take());
        }
        if ends_here || number >= MAX_LINES || end - from > MAX_BYTES {
            return ends;
        }
        (last, is_apart) = (Some(end), false);
    }
    ends.extend(last);
    ends
}

/// Whether a text that is followed by another ends inside of code with a fence.
fn in_code(before: &str, next: &str) -> bool {
    let (mut is_open, mut is_known, mut last) = (false, false, None);
    let lines: Vec<&str> = before.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(is_named) = fence(line) else { continue };
        // What a fence names stands where it opens.
        (is_open, is_known, last) = (is_named || !is_open, is_known || is_named, Some(at));
    }
    let Some(last) = last else { return false };
    if next.lines().find_map(fence) == Some(true) {
        return false;
    }
    if !is_known {
        // Perhaps the text begins inside of code: then its first fence closes it. Behind a closing fence stands an empty line.
        is_open = lines.get(last + 1).is_none_or(|line| !line.trim().is_empty());
    }
    is_open
}

/// Whether a line is a fence of code, and if so, whether it names the language.
fn fence(line: &str) -> Option<bool> {
    let line = line.trim();
    let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))?;
    let name = line.trim_start_matches(&mark[..1]);
    (mark == "~~~" || !name.contains('`')).then_some(!name.trim().is_empty())
}

/// A line that begins an entry of a list.
struct Entry {
    indent: usize,
    is_numbered: bool,
}

fn entry(line: &str) -> Option<Entry> {
    let text = line.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (is_numbered, rest) = match digits {
        0 => (false, text.strip_prefix(['-', '*', '+', '•'])?),
        1..=4 => (true, text[digits..].strip_prefix(['.', ')'])?),
        _ => return None,
    };
    let is_apart = rest.starts_with([' ', '\t']) && rest.contains(|c: char| !c.is_whitespace() && !"-*+".contains(c));
    is_apart.then(|| Entry { indent: indent(line), is_numbered })
}

/// Whether a text ends inside of a list; if the next entry is known, one that it can belong to.
fn last_entry(before: &str, next: Option<&Entry>) -> Option<()> {
    let mut below = 0;
    for line in before.trim_end().lines().rev().take(MAX_ENTRY_LINES) {
        if line.trim().is_empty() {
            // Only what is indented belongs to an entry above an empty line.
            if below < INDENT {
                return None;
            }
            continue;
        }
        if let Some(entry) = entry(line) {
            match next {
                Some(next) if entry.indent > next.indent => {}
                Some(next) if entry.indent == next.indent && entry.is_numbered != next.is_numbered => return None,
                _ => return Some(()),
            }
            // An entry may stand apart from the one above it.
            below = INDENT;
            continue;
        }
        if begins_section(line) || fence(line).is_some() && indent(line) < INDENT {
            return None;
        }
        below = indent(line);
    }
    None
}

fn has_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a text begins with a heading, or with a rule.
fn begins_section(text: &str) -> bool {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim();
    let is_line_of = |line: &str, mark: char| line.len() > 2 && line.chars().all(|c| c == mark);
    let marks = first.bytes().take_while(|byte| *byte == b'#').count();
    let is_underlined = lines.next().is_some_and(|line| is_line_of(line.trim(), '=') || is_line_of(line.trim(), '-'));
    (1..=6).contains(&marks) && first[marks..].starts_with([' ', '\t'])
        || ['-', '*', '_', '='].into_iter().any(|mark| is_line_of(first, mark))
        || is_underlined
}

fn last_line(text: &str) -> &str {
    text.lines().next_back().unwrap_or_default()
}

fn newlines(space: &str) -> usize {
    space.matches('\n').count()
}

/// In columns; a tab is four.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What runs on, what is shown of the next chunk at most, and in how many steps.
    fn check(before: &str, next: &str, expected: Option<(Unfinished, &str, usize)>) {
        let found = run_on(before, next);
        let shown = found
            .as_ref()
            .map(|found| (found.what, next[..found.ends[found.ends.len() - 1]].trim_start(), found.ends.len()));
        assert_eq!(shown, expected, "{before:?} | {next:?}");
        assert!(found.is_none() || may_run_on(before), "{before:?} | {next:?}");
        let starts_with_its_line = |found: &RunOn| next[..found.start].trim().is_empty() && found.start < found.ends[0];
        assert!(found.as_ref().is_none_or(starts_with_its_line), "{before:?} | {next:?}");
    }

    #[test]
    fn i42_a_sentence_runs_on_until_it_ends() {
        use Unfinished::Sentence;
        let check = |before, next, end: Option<&str>| check(before, next, end.map(|end| (Sentence, end, 1)));
        check("The lamp is lit. Its lens ", "is cleaned daily. It is old.", Some("is cleaned daily."));
        check("The lamp is lit. Its lens\n", "is cleaned by Mr. Lee. It is old.", Some("is cleaned by Mr. Lee."));
        check("It is seen from far", " away.", Some("away."));
        check("It is seen from far", " away", None);
        check("The lamp is lit. ", "Its lens is cleaned.", None);
        check("The lamp is lit.\n\n", "Its lens is cleaned.", None);
        check("The lamp is lit\n\n", "its lens is cleaned.", None);
        check("The lamp is lit\n", "## Lens\n\nIt is cleaned.", None);
        check("The lamp is lit\n", "Lens\n----\n\nIt is cleaned.", None);
        check("# Lamp\n", "It is lit.", None);
        check("灯台守はレンズを", "磨く。海は静か。", Some("磨く。"));
        check("灯台守はレンズを磨く。", "海は静か。", None);
        check("The lamp", "\n\n", None);
        check("", "is lit.", None);
        check("The lamp", "", None);
        // What is as long as this is no sentence.
        for long in ["1, ".repeat(1000), "1,\n".repeat(20)] {
            assert_eq!(run_on("The numbers are ", &long), None);
        }
    }

    #[test]
    fn i42_a_list_runs_on_until_it_ends() {
        use Unfinished::List;
        let check =
            |before, next, end: Option<(&str, usize)>| check(before, next, end.map(|(end, steps)| (List, end, steps)));
        check("To fill it:\n\n- Open.\n", "- Pour.\n- Close.\n\nThen go.", Some(("- Pour.\n- Close.", 2)));
        check("To fill it:\n\n- Open.\n\n", "- Pour.\n\n- Close.\n\nThen go.", Some(("- Pour.\n\n- Close.", 2)));
        check("To fill it:\n\n", "- Pour.\n- Close.\n", Some(("- Pour.\n- Close.", 2)));
        check("1. Open.\n", "2. Pour\n   slowly.\n3. Close.\n## Next\n", Some(("2. Pour\n   slowly.\n3. Close.", 2)));
        check("- Open the", " cap.\n- Pour.\n", Some(("cap.\n- Pour.", 2)));
        check("- Open the\n", "  cap.\n\n  Slowly.\n- Pour.\n", Some(("cap.\n\n  Slowly.\n- Pour.", 2)));
        check("2. Open\n   - the cap\n", "3. Pour.\n", Some(("3. Pour.", 1)));
        check("* Open.\n", "  * The cap.\n\n# Rest\n", Some(("* The cap.", 1)));
        check("- Open.\n\n", "1. Lamp.\n", None);
        check("- Open.\n\n", "The lamp is lit.\n", None);
        check("- Open.\n\n", "## Pour\n", None);
        check("- Open.\n\nThe lamp is lit.\n\n", "- Another list.\n", None);
        check("- Open.\n\n", "---\n\n- Another list.\n", None);
        let long: String = (0..20).map(|number| format!("- Number {number}.\n")).collect();
        let twelve = long.lines().take(12).collect::<Vec<_>>().join("\n");
        check("- Open.\n", &long, Some((&twelve, 12)));
        let wide = format!("- {}\n- Close.\n", "word ".repeat(300));
        check("- Open.\n", &wide, None);
    }

    #[test]
    fn i42_a_table_runs_on_row_by_row() {
        use Unfinished::Table;
        let check =
            |before, next, end: Option<(&str, usize)>| check(before, next, end.map(|(end, steps)| (Table, end, steps)));
        check("| a | b |\n|---|---|\n| 1 | 2 |\n", "| 3 | 4 |\n| 5 | 6 |\n\nRest.", Some(("| 3 | 4 |\n| 5 | 6 |", 2)));
        check("| a |\n|---|\n| 1 |\n\n", "| b |\n|---|\n| 2 |\n", None);
        check("| a |\n|---|\n| 1 |\n", "\nRest.", None);
    }

    #[test]
    fn i42_code_runs_on_until_its_fence_closes() {
        use Unfinished::Code;
        let check =
            |before, next, end: Option<(&str, usize)>| check(before, next, end.map(|(end, steps)| (Code, end, steps)));
        check("```sh\nmake\n", "make test\n\nmake run\n```\n\nRest.", Some(("make test\n\nmake run\n```", 3)));
        check("Run:\n\n```\nmake\n\n", "# all\nmake test\n```\n", Some(("# all\nmake test\n```", 3)));
        check("Run this:\n\n", "```sh\nmake\n```\nRest.", Some(("```sh\nmake\n```", 2)));
        check("```sh\nmake\n", "```\n\nRest.", None);
        check("```sh\nmake\n```\n\n", "Rest.\n\n```sh\nmake\n```\n", None);
        check("make\n```\n\nIt is made.\n\n", "Rest.\n\n```sh\nmake\n```\n", None);
        check("make\n```\n\nIt is made.\n\n", "Rest.\n", None);
        check("Use ```make```.\n\n", "Rest.\n", None);
        let long = "make\n".repeat(20);
        check("```sh\n", &long, Some((long[..12 * 5].trim_end(), 12)));
    }
}

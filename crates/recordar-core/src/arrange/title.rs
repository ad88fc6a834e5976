//! The names that documents give themselves: the title of a file, and names of folders for people.

use recordar_domain::text::FrontMatter;
use recordar_domain::{CategoryPlace, FileType, NewCategory};
use std::path::Path;

/// Maximum characters of a name, as a model is told too.
pub(super) const MAX_NAME_CHARS: usize = 60;

/// The title of a document: from its front matter, its first heading, or the name of its file.
pub(super) fn title(beginning: &str, filename: &str) -> Option<String> {
    let front_matter = FrontMatter::of(beginning);
    let named = front_matter.as_ref().and_then(|found| found.title(beginning)).and_then(plain);
    let body = front_matter.map_or(beginning, |found| &beginning[found.end..]);
    // In other files, a number sign begins a comment.
    let is_markdown = FileType::of_path(Path::new(filename)).is_some_and(FileType::has_markdown_headings);
    named.or_else(|| first_heading(body).filter(|_| is_markdown)).or_else(|| stem(filename))
}

/// The text after the front matter, and what the front matter says a document is about: its tags, topics and categories.
pub(super) fn body_and_tags(text: &str) -> (&str, Vec<&str>) {
    const ABOUT: [&str; 5] = ["tag", "topic", "categor", "keyword", "subject"];
    let end = FrontMatter::of(text).map_or(0, |found| found.end);
    let (mut tags, mut is_about) = (Vec::new(), false);
    for line in text[..end].lines() {
        match line.trim_start().strip_prefix("- ") {
            Some(item) if is_about => tags.push(item.trim()),
            Some(_) => {}
            None => {
                let (key, value) = line.split_once(':').unwrap_or((line, ""));
                is_about = ABOUT.iter().any(|about| key.to_lowercase().contains(about));
                tags.extend(Some(value.trim()).filter(|value| is_about && !value.is_empty()));
            }
        }
    }
    (&text[end..], tags)
}

fn first_heading(body: &str) -> Option<String> {
    let mut is_fenced = false;
    for line in body.lines() {
        is_fenced ^= line.trim_start().starts_with("```");
        if let Some(heading) = line.strip_prefix("# ").filter(|_| !is_fenced) {
            return plain(heading.trim_end_matches('#'));
        }
    }
    None
}

/// Whether a file speaks for its folder.
pub(super) fn is_index(filename: &str) -> bool {
    let stem = Path::new(filename).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    matches!(stem.to_lowercase().as_str(), "index" | "_index" | "readme")
}

/// The name of a file without its extension, for people; none if the file speaks for its folder.
pub(super) fn stem(filename: &str) -> Option<String> {
    let stem = Path::new(filename).file_stem()?.to_str()?;
    if is_index(filename) { None } else { folder_name(stem) }
}

/// The name of a folder for people: `learn_web-development` is `Learn web development`.
pub(super) fn folder_name(folder: &str) -> Option<String> {
    let words: Vec<&str> = folder.split(['_', '-', ' ']).filter(|word| !word.is_empty()).collect();
    let name = words.join(" ");
    let mut letters = name.trim_start_matches('.').chars();
    let first = letters.next()?;
    valid(&first.to_uppercase().chain(letters).collect::<String>())
}

/// A title without markup. A title with a template in it says too little.
pub(super) fn plain(title: &str) -> Option<String> {
    if title.contains("{%") || title.contains("{{") {
        return None;
    }
    let (mut text, mut tag) = (String::new(), 0_usize);
    for c in title.chars() {
        match c {
            '<' => tag += 1,
            '>' => tag = tag.saturating_sub(1),
            '*' | '`' | '"' | '[' | ']' | '#' | '|' | '\\' => {}
            c if c.is_control() => text.push(' '),
            c if tag == 0 => text.push(c),
            _ => {}
        }
    }
    // A title that is a tag, as of an element, is its name.
    let text = if text.trim().is_empty() { title.replace(['<', '>', '`', '"'], " ") } else { text };
    valid(&text)
}

/// A valid name for a category, shortened at a word.
pub(super) fn valid(name: &str) -> Option<String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => {
            let cut = &name[..end];
            cut.rfind(' ').filter(|at| *at > MAX_NAME_CHARS / 2).map_or(cut, |at| &cut[..at]).to_owned()
        }
        None => name,
    };
    let name = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '.')).to_owned();
    let root: Option<CategoryPlace> = None;
    NewCategory::check(&name, root, 1).ok().map(|checked| checked.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i19_tree_a_title_comes_from_front_matter_then_a_heading_then_the_file() {
        let check = |text: &str, file: &str, expected: Option<&str>| {
            assert_eq!(title(text, file).as_deref(), expected, "{text:?} {file}");
        };
        check("---\ntitle: \"The lamp\"\ntags: x\n---\n# Other\n", "a.md", Some("The lamp"));
        check("\u{feff}---\n# no heading\ndate: 1\n---\n\n# Bees and *honey*\n", "a.md", Some("Bees and honey"));
        check("```\n# a comment\n```\n# Boats\n", "a.md", Some("Boats"));
        check("no heading", "supply_boat-list.md", Some("Supply boat list"));
        check("no heading", "README.md", None);
        check("# a comment", "list.txt", Some("List"));
        check("---\ntitle: Using {% data product %}\n---\n", "using-it.md", Some("Using it"));
        check("# `<video>`: The element\n", "a.md", Some(": The element").map(|_| "The element"));
        check("# <video>\n", "a.md", Some("video"));
        check("# A > B\n", "a.md", Some("A B"));
    }

    #[test]
    fn i19_tree_tags_and_categories_are_read_and_the_rest_of_the_front_matter_is_not() {
        let text = "---\ntitle: x\nha_category:\n  - Climate\n  - Sensor\nauthor: Ada\ntags: [a, b]\nredirect_from:\n  - /y\n---\nThe text.";
        assert_eq!(body_and_tags(text), ("The text.", vec!["Climate", "Sensor", "[a, b]"]));
        assert_eq!(body_and_tags("The text."), ("The text.", Vec::new()));
    }

    #[test]
    fn i19_tree_names_are_short_and_valid() {
        assert_eq!(folder_name("_integrations").as_deref(), Some("Integrations"));
        assert_eq!(folder_name("--").as_deref(), None);
        let long = valid(&"word ".repeat(40)).unwrap();
        assert!(long.chars().count() <= MAX_NAME_CHARS && long.ends_with("word"), "{long}");
    }
}

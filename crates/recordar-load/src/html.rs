//! Pages as Markdown: headings, lists, rows and code; no scripts, styles, menus and hidden parts. Links are their text.
//!
//! Tokens come from `html5gum`, which reads any bytes as the HTML standard says. No tree is built: a short stack of open elements is enough, and
//! what is nested deeper than the stack is read as if it were not nested.

use crate::loaded::{Loaded, Refused};
use crate::markdown::Markdown;
use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

pub(crate) fn load(page: &str, limit: usize) -> Result<Loaded, Refused> {
    let page = page.trim_start_matches('\u{feff}');
    // Text outside the main part is the same on every page.
    let mut read = Reader::new(Part::Main, limit).read(page);
    if read.written.is_empty() {
        read = Reader::new(Part::Body, limit).read(page);
    }
    if read.written.is_empty() {
        read = Reader::new(Part::Everything, limit).read(page);
    }
    let title = read.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    if !read.has_main_heading && !title.is_empty() && !read.written.is_empty() {
        text = format!("# {title}\n\n");
    }
    text.push_str(&read.written.finish()?);
    let description = [("title", title), ("author", read.author), ("date", read.date), ("description", read.summary)];
    Ok(Loaded { text, description: description.into_iter().collect(), notes: Vec::new() })
}

/// The text of a part of a mail.
pub(crate) fn text_of(page: &str, limit: usize) -> Result<String, Refused> {
    Reader::new(Part::Body, limit).read(page).written.finish()
}

/// How much of a page is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Main,
    Body,
    /// Also what is hidden or a menu.
    Everything,
}

/// Deeper elements are not distinguished.
const MAX_OPEN: usize = 128;
/// Longer rows are written as several.
const MAX_CELLS: usize = 2000;

const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that are never text.
const UNSEEN: [&str; 15] = [
    "script", "style", "template", "noscript", "svg", "iframe", "object", "canvas", "select", "button", "video",
    "audio", "datalist", "textarea", "dialog",
];
/// Elements that begin a new block.
const BLOCKS: [&str; 28] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "html",
    "legend",
    "main",
    "nav",
    "ol",
    "p",
    "section",
    "summary",
    "table",
    "ul",
    "caption",
];

struct Reader {
    part: Part,
    written: Markdown,
    open: Vec<String>,
    /// The lists that are open: the number of the last item, or `None` where items have no numbers.
    lists: Vec<Option<usize>>,
    marker: Option<String>,
    /// The length of the stack outside the element that is not read.
    unseen: Option<usize>,
    /// The length of the stack outside the main part.
    main: Option<usize>,
    line: String,
    preformatted: Option<Preformatted>,
    heading: Option<usize>,
    row: Option<Row>,
    in_title: bool,
    has_main_heading: bool,
    /// Characters of text so far, inside links and outside of them.
    linked: usize,
    unlinked: usize,
    title: String,
    author: String,
    date: String,
    summary: String,
}

#[derive(Default)]
struct Row {
    cells: Vec<String>,
    in_cell: bool,
}

struct Preformatted {
    language: String,
    code: String,
}

impl Reader {
    fn new(part: Part, limit: usize) -> Self {
        Self {
            part,
            written: Markdown::new(limit),
            open: Vec::new(),
            lists: Vec::new(),
            marker: None,
            unseen: None,
            main: None,
            line: String::new(),
            preformatted: None,
            heading: None,
            row: None,
            in_title: false,
            has_main_heading: false,
            linked: 0,
            unlinked: 0,
            title: String::new(),
            author: String::new(),
            date: String::new(),
            summary: String::new(),
        }
    }

    fn read(mut self, page: &str) -> Self {
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
            match token {
                Token::StartTag(tag) => self.start(&tag),
                Token::EndTag(tag) => self.end(&String::from_utf8_lossy(&tag.name)),
                Token::String(text) => self.text(&String::from_utf8_lossy(&text)),
                _ => {}
            }
        }
        self.end_preformatted();
        self.end_row();
        self.flush();
        self
    }

    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let name = name.as_str();
        let attribute =
            |key: &str| tag.attributes.get(key.as_bytes()).map(|value| String::from_utf8_lossy(value).into_owned());
        if name == "meta" {
            return self
                .meta(&attribute("name").or_else(|| attribute("property")).unwrap_or_default(), attribute("content"));
        }
        self.close_implied(name);
        let is_void =
            VOID.contains(&name) || (tag.self_closing && self.open.iter().any(|open| open == "svg" || open == "math"));
        let outside = self.open.len();
        if !is_void && self.open.len() < MAX_OPEN {
            self.open.push(name.to_owned());
        }
        let is_pushed = self.open.len() > outside;
        let class = attribute("class").unwrap_or_default();
        if self.unseen.is_none() && is_pushed && self.is_unseen(name, &class, &attribute) {
            self.unseen = Some(outside);
        }
        let is_main = name == "main" || attribute("role").as_deref() == Some("main");
        if is_main && is_pushed && self.main.is_none() {
            self.flush();
            self.main = Some(outside);
        }
        self.in_title |= name == "title" && self.title.is_empty() && !self.open.iter().any(|open| open == "svg");
        if self.unseen.is_none() {
            self.begin(name, &class, attribute("start"));
        }
    }

    fn is_unseen(&self, name: &str, class: &str, attribute: &dyn Fn(&str) -> Option<String>) -> bool {
        if UNSEEN.contains(&name) {
            return true;
        }
        let is_anchor = name == "a" && ["headerlink", "anchor", "permalink"].iter().any(|word| class.contains(word));
        let style = attribute("style").unwrap_or_default().to_ascii_lowercase();
        let is_hidden = attribute("hidden").is_some()
            || attribute("aria-hidden").is_some_and(|value| value == "true")
            || style.split_whitespace().collect::<String>().contains("display:none");
        let is_menu = name == "nav" || attribute("role").is_some_and(|role| role == "navigation");
        self.part != Part::Everything && (is_anchor || is_hidden || is_menu)
    }

    fn begin(&mut self, name: &str, class: &str, start: Option<String>) {
        let in_cell = self.row.as_ref().is_some_and(|row| row.in_cell);
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.leave_cell();
                self.flush();
                self.heading = name[1..].parse().ok();
            }
            "pre" => {
                self.leave_cell();
                self.flush();
                let language = class.split_whitespace().find_map(|word| word.strip_prefix("language-"));
                let language =
                    language.unwrap_or_default().chars().filter(|c| c.is_ascii_alphanumeric()).take(20).collect();
                self.preformatted.get_or_insert(Preformatted { language, code: String::new() });
            }
            "ul" | "ol" => {
                self.leave_cell();
                self.flush();
                let first = start.and_then(|start| start.parse::<usize>().ok()).unwrap_or(1).min(1_000_000);
                if self.lists.len() < MAX_OPEN {
                    self.lists.push((name == "ol").then(|| first.saturating_sub(1)));
                }
            }
            "li" => {
                self.flush();
                self.marker = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{number}.")
                    }
                    _ => "-".to_owned(),
                });
            }
            "tr" => {
                self.end_row();
                self.flush();
                self.row = Some(Row::default());
            }
            "td" | "th" => {
                self.end_cell();
                if let Some(row) = &mut self.row {
                    row.in_cell = true;
                }
            }
            "table" | "blockquote" | "dl" => {
                self.leave_cell();
                self.flush();
            }
            "br" if self.preformatted.is_some() => self.text("\n"),
            "br" if in_cell || self.heading.is_some() => self.line.push(' '),
            "br" => self.line.push('\n'),
            "code" | "kbd" | "samp" | "tt" if self.preformatted.is_none() => self.line.push('`'),
            name if BLOCKS.contains(&name) || name == "hr" => match in_cell || self.heading.is_some() {
                true => self.line.push(' '),
                false if self.preformatted.is_none() => self.flush(),
                false => {}
            },
            _ => {}
        }
        if name == "code"
            && let Some(found) = &mut self.preformatted
            && found.language.is_empty()
        {
            let language = class.split_whitespace().find_map(|word| word.strip_prefix("language-"));
            found.language =
                language.unwrap_or_default().chars().filter(|c| c.is_ascii_alphanumeric()).take(20).collect();
        }
    }

    fn end(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|open| open == name) else {
            if name == "p" || name == "br" {
                self.flush();
            }
            return;
        };
        while self.open.len() > at {
            let Some(closed) = self.open.pop() else { break };
            let is_seen = self.unseen.is_none();
            if self.unseen.is_some_and(|outside| self.open.len() <= outside) {
                self.unseen = None;
            }
            if is_seen {
                self.finish(&closed);
            }
            if closed == "title" {
                self.in_title = false;
            }
            if self.main.is_some_and(|outside| self.open.len() <= outside) {
                self.flush();
                self.main = None;
            }
        }
    }

    fn finish(&mut self, name: &str) {
        let in_cell = self.row.as_ref().is_some_and(|row| row.in_cell);
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.flush(),
            "pre" => self.end_preformatted(),
            "ul" | "ol" => {
                self.flush();
                self.lists.pop();
                self.marker = None;
            }
            "li" => {
                self.flush();
                self.marker = None;
            }
            "td" | "th" => self.end_cell(),
            "tr" => self.end_row(),
            "table" => {
                self.end_row();
                self.flush();
            }
            "code" | "kbd" | "samp" | "tt" if self.preformatted.is_none() => self.line.push('`'),
            name if BLOCKS.contains(&name) && self.preformatted.is_none() => match in_cell || self.heading.is_some() {
                true => self.line.push(' '),
                false => self.flush(),
            },
            _ => {}
        }
    }

    /// Ends elements that the standard lets end by themselves.
    fn close_implied(&mut self, name: &str) {
        let ended: &[&str] = match name {
            "li" => &["li", "p"],
            "dt" | "dd" => &["dt", "dd", "p"],
            "tr" => &["td", "th", "tr", "p"],
            "td" | "th" => &["td", "th", "p"],
            "option" => &["option"],
            "body" => &["head", "title", "noscript"],
            name if BLOCKS.contains(&name)
                || matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "pre" | "hr") =>
            {
                &["p"]
            }
            _ => return,
        };
        while let Some(last) = self.open.last().filter(|last| ended.contains(&last.as_str())) {
            let last = last.clone();
            self.end(&last);
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_title {
            self.title.extend(text.chars().take(1000));
            return;
        }
        let is_outside = self.part == Part::Main && self.main.is_none();
        if self.unseen.is_some() || is_outside || self.open.iter().any(|open| open == "head") {
            return;
        }
        if !self.has_main_heading {
            let length = text.chars().filter(|c| !c.is_whitespace()).count();
            let is_linked = self.open.iter().rev().take(8).any(|open| open == "a");
            let is_title = self.open.iter().rev().take(8).any(|open| open == "h1");
            match is_linked {
                _ if is_title => {}
                true => self.linked += length,
                false => self.unlinked += length,
            }
        }
        if let Some(preformatted) = &mut self.preformatted {
            preformatted.code.push_str(text);
            return;
        }
        for c in text.chars() {
            let c = if c.is_whitespace() && c != '\u{a0}' || c == '\u{c}' { ' ' } else { c };
            if c != ' ' || !(self.line.is_empty() || self.line.ends_with([' ', '\n'])) {
                self.line.push(c);
            }
        }
    }

    fn meta(&mut self, name: &str, content: Option<String>) {
        let Some(content) = content else { return };
        let field = match name.to_ascii_lowercase().as_str() {
            "author" => &mut self.author,
            "date" | "dc.date" | "article:published_time" => &mut self.date,
            "description" => &mut self.summary,
            _ => return,
        };
        if field.is_empty() {
            *field = content;
        }
    }

    /// Writes the text that has gathered as a block.
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line).replace("``", "");
        let heading = self.heading.take();
        let is_outside = self.part == Part::Main && self.main.is_none();
        if line.trim().is_empty() || is_outside {
            return;
        }
        if let Some(level) = heading {
            let text = line.trim_end_matches([' ', '#', '¶', '§', '\u{a0}']).trim();
            // Little but links before the title is a menu.
            if level == 1 && !self.has_main_heading && self.linked > 2 * self.unlinked {
                self.written.clear();
            }
            self.has_main_heading |= level == 1;
            self.written.heading(level, text);
        } else if self.lists.is_empty() {
            self.written.paragraph(&line);
        } else {
            let marker = self.marker.take().unwrap_or_default();
            self.written.item(self.lists.len(), &marker, &line);
        }
    }

    fn end_preformatted(&mut self) {
        if let Some(Preformatted { language, code }) = self.preformatted.take() {
            self.written.code(&language, &code);
        }
    }

    /// A cell that holds a heading, a list or code is a layout, and what it holds is written as outside of a table.
    fn leave_cell(&mut self) {
        if let Some(row) = &mut self.row
            && row.in_cell
        {
            let cells = std::mem::take(&mut row.cells);
            row.in_cell = false;
            self.written.row(&cells);
            self.row = None;
            self.flush();
        }
    }

    fn end_cell(&mut self) {
        let Some(row) = &mut self.row else {
            return if self.preformatted.is_none() {
                self.flush()
            };
        };
        if std::mem::take(&mut row.in_cell) {
            row.cells.push(std::mem::take(&mut self.line).trim().replace("``", ""));
        }
        if row.cells.len() >= MAX_CELLS {
            self.written.row(&std::mem::take(&mut row.cells));
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        let Some(row) = self.row.take() else { return };
        match row.cells.as_slice() {
            [only] => self.written.paragraph(only),
            cells => self.written.row(cells),
        }
    }
}

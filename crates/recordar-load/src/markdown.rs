//! Writes Markdown: what pages, notebooks and Word documents become.

use crate::loaded::Refused;

/// A text that grows block by block, and not beyond a limit.
pub(crate) struct Markdown {
    text: String,
    limit: usize,
    is_full: bool,
    /// Whether the last block was a list item or a row, which follow each other without a blank line.
    last: Block,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    Paragraph,
    Item,
    Row,
}

impl Markdown {
    pub(crate) fn new(limit: usize) -> Self {
        Self { text: String::new(), limit, is_full: false, last: Block::None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        (self.is_full, self.last) = (false, Block::None);
    }

    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.begin(Block::Paragraph);
            self.add(&"######"[..level.clamp(1, 6)]);
            self.add(" ");
            self.add(&text);
            self.add("\n");
        }
    }

    /// Lines of text that mean only themselves.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.block(Block::Paragraph, "", "", text);
    }

    /// An item of a list, or a further paragraph of one (`marker` is empty).
    pub(crate) fn item(&mut self, depth: usize, marker: &str, text: &str) {
        const MAX_DEPTH: usize = 12;
        let indent = "  ".repeat(depth.clamp(1, MAX_DEPTH) - 1);
        let next = if marker.is_empty() { format!("{indent}  ") } else { format!("{indent}{marker} ") };
        self.block(Block::Item, &next, &format!("{indent}  "), text);
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        self.begin(Block::Row);
        self.add("|");
        for cell in cells {
            self.add(" ");
            self.add(&cell.split_whitespace().collect::<Vec<_>>().join(" "));
            self.add(" |");
        }
        self.add("\n");
    }

    pub(crate) fn code(&mut self, language: &str, code: &str) {
        let code = code.trim_end().trim_start_matches(['\n', '\r']);
        if code.trim().is_empty() {
            return;
        }
        let longest = code.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count()).max();
        let fence = "`".repeat(longest.unwrap_or(0).clamp(2, 100) + 1);
        self.begin(Block::Paragraph);
        [&fence, language, "\n", code, "\n", &fence, "\n"].iter().for_each(|part| self.add(part));
    }

    /// Text that is Markdown already.
    pub(crate) fn markdown(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.begin(Block::Paragraph);
            self.add(text.trim_end());
            self.add("\n");
        }
    }

    pub(crate) fn finish(self) -> Result<String, Refused> {
        match self.is_full {
            true => Err(Refused::too_large(self.limit as u64)),
            false => Ok(self.text),
        }
    }

    fn block(&mut self, block: Block, first: &str, others: &str, text: &str) {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
        for (index, line) in lines.enumerate() {
            if index == 0 {
                self.begin(block);
            }
            self.add(if index == 0 { first } else { others });
            let line = line.trim_start();
            if means_something(line) {
                self.add("\\");
            }
            self.add(line);
            self.add("\n");
        }
    }

    fn begin(&mut self, block: Block) {
        let follows = block == self.last && block != Block::Paragraph;
        if self.last != Block::None && !follows {
            self.add("\n");
        }
        self.last = block;
    }

    fn add(&mut self, text: &str) {
        self.is_full |= self.text.len() + text.len() > self.limit;
        if !self.is_full {
            self.text.push_str(text);
        }
    }
}

/// Whether a line of plain text would be read as a heading, a fence, a rule or an element.
fn means_something(line: &str) -> bool {
    let is_rule = |c: char| line.len() >= 2 && line.chars().all(|d| d == c);
    line.starts_with(['#', '<'])
        || line.starts_with("```")
        || line.starts_with("~~~")
        || is_rule('-')
        || is_rule('=')
        || is_rule('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i20_formats_plain_lines_stay_plain() {
        let mut written = Markdown::new(1000);
        written.heading(2, "The\n lamp");
        written.paragraph("# not a heading\n===\n<pre>\n  ```");
        written.item(1, "-", "one");
        written.item(2, "-", "two\nthree");
        written.row(&["a".to_owned(), "b\nc".to_owned()]);
        written.code("sh", "```\nx\n");
        let expected = "## The lamp\n\n\\# not a heading\n\\===\n\\<pre>\n\\```\n\n- one\n  - two\n    three\n\n| a | b c |\n\n````sh\n```\nx\n````\n";
        assert_eq!(written.finish().unwrap(), expected);
        let mut full = Markdown::new(5);
        full.paragraph("too long");
        assert_eq!(full.finish().unwrap_err().0.code, "too_large");
    }
}

//! Definitions of source code: functions, classes, types and methods, as sections such as `class Lamp > def light`.
//!
//! One reader for all languages, line by line: what a line defines is known by its words, and what it belongs to by its indentation. A
//! grammar for each language would find more, and weigh more than everything else here. A wrong guess names a section badly; it loses no text.

use super::structure::{Label, MAX_MARK_DEPTH, Mark, Marks};
use std::ops::Range;

/// Longer lines are data.
const MAX_LINE_BYTES: usize = 2000;

/// Words that begin a definition; the name follows.
const KEYWORDS: [&str; 39] = [
    "actor",
    "class",
    "contract",
    "def",
    "defmacro",
    "defmodule",
    "defn",
    "defp",
    "defun",
    "enum",
    "extension",
    "fn",
    "fun",
    "func",
    "function",
    "impl",
    "interface",
    "library",
    "macro",
    "macro_rules!",
    "message",
    "mod",
    "module",
    "namespace",
    "object",
    "package",
    "proc",
    "procedure",
    "process",
    "protocol",
    "record",
    "resource",
    "rpc",
    "service",
    "struct",
    "sub",
    "trait",
    "type",
    "union",
];

/// Words that may stand before them.
const MODIFIERS: [&str; 37] = [
    "abstract",
    "async",
    "base",
    "case",
    "companion",
    "const",
    "constexpr",
    "data",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "fileprivate",
    "global",
    "inline",
    "inner",
    "internal",
    "local",
    "mutable",
    "native",
    "new",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "typedef",
    "unsafe",
    "value",
    "virtual",
    "where",
];

/// Words that look like the name of a function before a parenthesis.
const NOT_NAMES: [&str; 30] = [
    "and", "assert", "await", "catch", "do", "elif", "else", "except", "fn", "for", "foreach", "func", "function",
    "if", "in", "lambda", "match", "new", "not", "or", "print", "return", "sizeof", "switch", "throw", "unless",
    "until", "using", "while", "with",
];

/// What SQL creates.
const CREATED: [&str; 8] = ["TABLE", "VIEW", "FUNCTION", "PROCEDURE", "TRIGGER", "INDEX", "TYPE", "SCHEMA"];

pub(super) fn definitions(text: &str, marks: &mut Marks) {
    // The indentations of the definitions that are open.
    let mut open: Vec<usize> = Vec::new();
    // Where the comments and attributes begin that stand directly above the line, with their indentation.
    let mut leading: Option<(usize, usize)> = None;
    let mut in_comment = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_end();
        let trimmed = body.trim_start_matches([' ', '\t', '\u{feff}']);
        let indent = columns(&body[..body.len() - trimmed.len()]);
        if trimmed.is_empty() {
            leading = None;
            continue;
        }
        let begins_comment = trimmed.starts_with("/*");
        if in_comment || begins_comment || is_leading(trimmed) {
            leading = leading.filter(|(_, column)| *column == indent || in_comment).or(Some((start, indent)));
            in_comment = (in_comment || begins_comment) && !trimmed.contains("*/");
            continue;
        }
        let next = &text[at..];
        let found = (body.len() <= MAX_LINE_BYTES).then(|| name_of(trimmed, indent, next)).flatten();
        if let Some(name) = found {
            open.retain(|column| *column < indent);
            if open.len() < usize::from(MAX_MARK_DEPTH) {
                open.push(indent);
                let offset = start + line.len() - line.trim_start_matches([' ', '\t', '\u{feff}']).len();
                let begin = leading.filter(|(_, column)| *column == indent).map_or(start, |(begin, _)| begin);
                let label = Label::Name(offset + name.start..offset + name.end);
                marks.push(Mark { at: begin, depth: open.len() as u8, label });
            }
        }
        leading = None;
    }
}

/// A tab counts as four columns: what matters is only what is deeper.
fn columns(indent: &str) -> usize {
    indent.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

/// Comments, attributes and decorators, which belong to the definition below them.
fn is_leading(line: &str) -> bool {
    let is_attribute = line.starts_with('@') && !line.contains('{');
    let is_comment = ["//", "#", "--", ";;", "%", "'''", "* "].iter().any(|mark| line.starts_with(mark));
    is_attribute
        || (is_comment && !line.starts_with("#define"))
        || (line.starts_with('[') && line.ends_with(']') && line.contains('('))
}

/// The place of the name, with its keyword, of what a line defines.
fn name_of(line: &str, indent: usize, next: &str) -> Option<Range<usize>> {
    by_keyword(line)
        .or_else(|| in_brackets(line, indent, next))
        .or_else(|| created(line))
        .or_else(|| assigned_function(line))
        .or_else(|| target(line, indent, next))
        .or_else(|| function_with_braces(line, indent, next))
}

/// `pub async fn light(`, `class Lamp:`, `(defn light`, `impl Lamp for Tower {`, `func (l *Lamp) Light(`.
fn by_keyword(line: &str) -> Option<Range<usize>> {
    let mut at = usize::from(line.starts_with('('));
    loop {
        let rest = &line[at..];
        let word = rest
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | '<' | '{' | '*'))
            .next()
            .filter(|word| !word.is_empty())?;
        let after = at + word.len();
        if KEYWORDS.contains(&word) {
            let keyword = at;
            let gap = line[after..].len() - line[after..].trim_start().len();
            let mut from = after + gap;
            if gap == 0 && !matches!(word, "impl" | "func" | "fn" | "function") {
                return None;
            }
            if word == "impl" {
                let end = line[from..].find(['{', ';']).map_or(line.len(), |length| from + length);
                let end = line[..end].find(" where ").unwrap_or(end);
                return (line.ends_with(['{', '>', '}']) || !line.contains('='))
                    .then(|| keyword..line[..end].trim_end().len());
            }
            // The receiver of a method.
            if word == "func" && line[from..].starts_with('(') {
                from += line[from..].find(')')? + 1;
                from += line[from..].len() - line[from..].trim_start().len();
            }
            // `enum class Colour`, `function* each`.
            let second = line[from..].split_whitespace().next()?;
            if word == "enum" && matches!(second, "class" | "struct") {
                from += second.len();
                from += line[from..].len() - line[from..].trim_start().len();
            }
            from += line[from..].len() - line[from..].trim_start_matches('*').trim_start().len();
            let name = identifier(&line[from..])?;
            let rest = line[from + name.len()..].trim_start();
            // A variable of this name, or a word in a sentence or in a shell's command.
            let is_used = rest.starts_with(['.', ')', ',', ']', '+', '-', '"', '\''])
                || (rest.starts_with('=')
                    && !matches!(word, "type" | "fn" | "fun" | "func" | "def" | "module" | "record"));
            // `struct lamp *lamp;` of C.
            let is_variable = matches!(word, "struct" | "union" | "enum")
                && (rest.starts_with('*') || (rest.starts_with(char::is_alphabetic) && line.ends_with([';', '\\'])));
            let is_prose = rest.chars().next().is_some_and(char::is_alphanumeric) && line.ends_with(['.', ',']);
            return (!is_used && !is_variable && !is_prose && !rest.starts_with("in "))
                .then(|| keyword..from + name.len());
        }
        let is_modifier = MODIFIERS.contains(&word) || (word.starts_with("pub") && rest[word.len()..].starts_with('('));
        if !is_modifier {
            return None;
        }
        at = after;
        // `pub(crate)`, `extern "C"`.
        if line[at..].starts_with('(') {
            at += line[at..].find(')')? + 1;
        }
        at += line[at..].len() - line[at..].trim_start().len();
        if line[at..].starts_with('"') {
            at += 1 + line[at + 1..].find('"')? + 1;
            at += line[at..].len() - line[at..].trim_start().len();
        }
    }
}

fn identifier(text: &str) -> Option<&str> {
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '?' | '!' | '-' | '/' | '~' | '@' | '\'');
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches([':', '.', '-', '?', '\'']);
    (name.chars().next()?.is_alphabetic() || name.starts_with(['_', '$', '~', '@'])).then_some(name)
}

/// `[package]` of TOML and INI, known by the key that follows. Attributes of C# look the same.
fn in_brackets(line: &str, indent: usize, next: &str) -> Option<Range<usize>> {
    let inner = line.strip_prefix('[')?.split(" #").next()?.trim_end().strip_suffix(']')?;
    let inner = inner.trim_matches(['[', ']']);
    let is_name = !inner.is_empty() && inner.len() < 200 && !inner.contains(['[', ']', '{', '(', ',', ';']);
    let follows = next.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let is_key = follows.is_none_or(|line| {
        line.starts_with('[')
            || line.split('=').next().is_some_and(|key| key.len() < line.len() && !key.contains(['(', '{']))
    });
    (indent == 0 && is_name && is_key).then(|| {
        let from = line.len() - line.trim_start_matches('[').len();
        from..from + inner.len()
    })
}

/// `CREATE TABLE IF NOT EXISTS lamps (`.
fn created(line: &str) -> Option<Range<usize>> {
    if !line.get(..7)?.eq_ignore_ascii_case("create ") {
        return None;
    }
    let mut is_named = false;
    let mut at = 0;
    for word in line.split([' ', '(']) {
        let upper = word.trim_end_matches(';').to_ascii_uppercase();
        if is_named && !matches!(upper.as_str(), "IF" | "NOT" | "EXISTS" | "") {
            return Some(0..at + word.trim_end_matches(';').len());
        }
        is_named |= CREATED.contains(&upper.as_str());
        at += word.len() + 1;
    }
    None
}

/// `export const light = async (lamp) => {`, `lamp.light = function (`.
fn assigned_function(line: &str) -> Option<Range<usize>> {
    let (left, right) = line.split_once(" = ")?;
    let right = right.trim_start();
    let is_function = right.starts_with("function") || right.starts_with("async ") || right.starts_with("lambda");
    let is_arrow =
        line.ends_with("=> {") || line.ends_with("=>") || (right.starts_with('(') && right.contains(") => "));
    if !is_function && !is_arrow {
        return None;
    }
    let named = left.split(':').next()?.trim_end();
    let from = named.rfind(' ').map_or(0, |space| space + 1);
    identifier(&named[from..]).filter(|name| from + name.len() == named.len()).map(|_| from..named.len())
}

/// A target of a makefile: `light: lamp.o`, with a recipe below; and the stages of a container file.
fn target(line: &str, indent: usize, next: &str) -> Option<Range<usize>> {
    if indent == 0 && line.starts_with("FROM ") {
        return Some(0..line.len());
    }
    let (name, rest) = line.split_once(':')?;
    let is_name =
        indent == 0 && !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-./%$()".contains(c));
    (is_name && next.starts_with('\t') && !rest.starts_with(['=', ':'])).then_some(0..name.len())
}

/// `static int light(struct lamp *lamp)` with a brace at its end or below, also without a type: methods of JavaScript, functions of a shell.
fn function_with_braces(line: &str, indent: usize, next: &str) -> Option<Range<usize>> {
    let parenthesis = line.find('(')?;
    let head = line[..parenthesis].trim_end();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '~' | ':' | '#');
    let from =
        head.rfind(|c: char| !is_part(c)).map_or(0, |at| at + head[at..].chars().next().map_or(1, char::len_utf8));
    let (types, name) = (&head[..from], &head[from..]);
    let name_start = name.chars().next()?;
    let is_type = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '*' | '&' | ':' | '<' | '>' | ',' | '[' | ']' | ' ' | '\t' | '?' | '.' | '~')
    };
    let is_name =
        (name_start.is_alphabetic() || matches!(name_start, '_' | '$' | '~' | '#')) && !NOT_NAMES.contains(&name);
    let first_type = types.split_whitespace().next().unwrap_or_default();
    if !is_name || !types.chars().all(is_type) || NOT_NAMES.contains(&first_type) || line.ends_with(';') {
        return None;
    }
    let after = &line[parenthesis..];
    let opens_here = line.ends_with('{')
        && !after.contains("=>")
        && !after.contains("function")
        && !after.contains(['"', '\'', '`']);
    let opens_below = || next.trim_start().starts_with('{') && !after.contains(['"', '\'']);
    let continues = || indent == 0 && !types.trim().is_empty() && line.ends_with(',') && !after.contains(['"', '=']);
    (opens_here || opens_below() || continues()).then_some(from..head.len())
}

#[cfg(test)]
mod tests {
    use crate::document::FileType;
    use crate::text::Structure;

    fn check(text: &str, expected: &[&str]) {
        let sections = Structure::of(text, FileType::Code).unwrap().sections(text);
        let found: Vec<&str> = sections.within(0..text.len()).iter().map(|start| start.section.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn i20_formats_definitions_of_common_languages_are_section_paths() {
        check(
            "import os\n\n@cached\nclass Lamp(Base):\n    '''A class in words.'''\n    def light(self, class_name=None):\n        if (self.oil):\n            return\n\n    async def out(self):\n        pass\n\ndef main():\n    for x in y: print(x)\n",
            &["class Lamp", "class Lamp > def light", "class Lamp > def out", "def main"],
        );
        check(
            "use a::b;\n\n/// Burns.\n#[derive(Debug)]\npub(crate) struct Lamp<'a> {\n    oil: &'a str,\n}\n\nimpl<T: Fn() -> u8> Light for Lamp<'_>\n{\n    pub const fn light(&self) -> bool {\n        match (a, b) { _ => call(x) }\n    }\n}\nmacro_rules! dim {\n}\nmod tests {\n    fn works() {}\n}\n",
            &[
                "struct Lamp",
                "impl<T: Fn() -> u8> Light for Lamp<'_>",
                "impl<T: Fn() -> u8> Light for Lamp<'_> > fn light",
                "macro_rules! dim",
                "mod tests",
                "mod tests > fn works",
            ],
        );
        check(
            "#include <a.h>\n\nstruct oil *first;\nstruct oil kept;\nstatic int\nlight(struct lamp *lamp)\n{\n\tif (lamp) {\n\t\tgo(lamp);\n\t}\n\treturn call(lamp);\n}\n\nstruct lamp {\n\tint oil;\n};\n\nchar *Tower::name(int a,\n                  int b)\n{\n}\n",
            &["light", "struct lamp", "Tower::name"],
        );
        check(
            "package lamp;\n\npublic final class Lamp extends Base {\n    @Override\n    public List<String> light(int a) throws Oil {\n        while (true) {\n        }\n        foo(1);\n    }\n    Lamp() {\n    }\n    enum Kind { A }\n}\n",
            &["package lamp", "class Lamp", "class Lamp > light", "class Lamp > Lamp", "class Lamp > enum Kind"],
        );
        check(
            "import x from 'y';\nexport default class Lamp {\n  light(a, b) {\n    this.on('x', () => {\n    });\n  }\n}\nexport const dim = async (lamp) => {\n};\nfunction* each() {}\nmodule.exports = { dim };\n",
            &["class Lamp", "class Lamp > light", "dim", "function* each"],
        );
        check(
            "package main\n\n// Light burns.\nfunc (l *Lamp) Light(a int) error {\n\treturn nil\n}\n\ntype Lamp struct {\n}\nfunc main() {\n\tgo func() {\n\t}()\n}\n",
            &["package main", "func (l *Lamp) Light", "type Lamp", "func main"],
        );
        check("light() {\n  echo \"x\"\n}\nfunction dim {\n  :\n}\n", &["light", "function dim"]);
        check(
            "CREATE TABLE IF NOT EXISTS lamps (\n  id INT\n);\ncreate view lit as select 1;\n",
            &["CREATE TABLE IF NOT EXISTS lamps", "create view lit"],
        );
        check("[package]\nname = \"x\"\n\n[[bin]]\n# a comment\npath = \"y\"\n", &["package", "bin"]);
        check("[Serializable]\npublic class Lamp\n{\n}\n", &["class Lamp"]);
        check("all: lamp\n\tcc lamp.c\nX := 1\n", &["all"]);
        check(
            "module Lamp\n  class Oil\n    def self.burn?(x)\n    end\n  end\nend\n",
            &["module Lamp", "module Lamp > class Oil", "module Lamp > class Oil > def self.burn"],
        );
        check("(defn light [lamp]\n  (if (lit? lamp) 1 2))\n", &["defn light"]);
    }

    #[test]
    fn i20_formats_comments_above_belong_to_their_definition() {
        let text = "x = 1\n\n# Lights the lamp.\n# Carefully.\n@once\ndef light():\n    pass\n\n/* Words.\n * More.\n */\nint dim(int a) {\n}\n";
        let structure = Structure::of(text, FileType::Code).unwrap();
        let sections = structure.sections(text);
        assert_eq!(sections.at(text.find("# Lights").unwrap()), Some("def light"));
        assert_eq!(sections.at(text.find("/* Words").unwrap()), Some("dim"));
        assert_eq!(sections.at(0), None);
    }
}

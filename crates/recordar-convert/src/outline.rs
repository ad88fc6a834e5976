//! Where the values of a JSON file lie, so that a file of any size can be read piece by piece. What is small lies in runs, which
//! are read together; a list or an object that is large is known by its parts.
//!
//! The bytes come through `Outliner` once, while something else checks that they are JSON: of what is none, the outline means
//! nothing, and does no harm.

use std::ops::Range;

/// From which byte of the file up to which.
pub(super) type Extent = Range<u64>;

/// Larger values are known by their parts; smaller ones are read as a whole.
const SMALL_BYTES: u64 = 64 * 1024;
/// JSON that is nested deeper cannot be read, and its outline need not be known.
const MAX_DEPTH: usize = 128;
/// No reader looks for a longer field name.
const MAX_KEY_BYTES: usize = 64;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Consecutive small values with the bytes between them; in an object with their keys.
    Run(Extent),
    /// A large value, with its key if it is in an object.
    Large(String, Node),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) extent: Extent,
    pub(super) inside: Inside,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside {
    List(Vec<Part>),
    Object(Vec<Part>),
    /// A long text.
    Text,
    /// Nested too deep to be read.
    Unknown,
}

impl Node {
    pub(super) fn is_list(&self) -> bool {
        matches!(self.inside, Inside::List(_))
    }

    /// Whether it contains other values.
    pub(super) fn holds(&self) -> bool {
        matches!(self.inside, Inside::List(_) | Inside::Object(_))
    }

    /// The large one of these fields, if it is an object that has it. Of several, the last, as usual in JSON.
    pub(super) fn field(&self, key: &str) -> Option<&Self> {
        let Inside::Object(parts) = &self.inside else { return None };
        parts.iter().rev().find_map(|part| match part {
            Part::Large(own, node) if own == key => Some(node),
            _ => None,
        })
    }
}

/// Builds an outline of its input bytes.
#[derive(Default)]
pub(super) struct Outliner {
    at: u64,
    token: Token,
    /// Where the current string or number begins.
    token_start: u64,
    is_key: bool,
    open: Vec<Open>,
    top: Open,
    /// How many containers are open beyond the depth limit, and where the first began.
    deeper: usize,
    deep_start: u64,
    halves: Halves,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Token {
    #[default]
    Nothing,
    String,
    Escape,
    /// How many digits of `\u` are still expected, and the value so far.
    Unicode(u8, u16),
    Scalar,
}

/// A container that has not ended.
#[derive(Default)]
struct Open {
    start: u64,
    is_object: bool,
    expects_key: bool,
    key: Vec<u8>,
    key_start: u64,
    parts: Vec<Part>,
    run: Option<Extent>,
}

/// Unpaired surrogate escapes.
#[derive(Default)]
struct Halves {
    has_first: bool,
    broken: usize,
}

impl Halves {
    fn unit(&mut self, unit: u16) {
        let is_second = (0xdc00..=0xdfff).contains(&unit);
        if self.has_first && is_second {
            self.has_first = false;
            return;
        }
        self.end();
        self.has_first = (0xd800..=0xdbff).contains(&unit);
        self.broken += usize::from(is_second);
    }

    fn end(&mut self) {
        self.broken += usize::from(std::mem::take(&mut self.has_first));
    }
}

impl Outliner {
    pub(super) fn beginning_at(at: u64) -> Self {
        Self { at, ..Self::default() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((byte, behind)) = rest.split_first() {
            // Most of a file is text.
            if self.token == Token::String && !matches!(byte, b'"' | b'\\') {
                let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
                self.in_text(&rest[..length]);
                self.at += length as u64;
                rest = &rest[length..];
                continue;
            }
            self.byte(*byte);
            self.at += 1;
            rest = behind;
        }
    }

    /// The top-level values in order; of a list that was truncated, its elements so far; and the number of unpaired
    /// surrogate escapes.
    pub(super) fn finish(mut self) -> (Vec<Part>, usize) {
        if self.token == Token::Scalar {
            self.done(self.token_start, self.at, None);
        }
        if !self.open.is_empty() && !self.open[0].is_object {
            let mut list = self.open.swap_remove(0);
            list.end_run();
            let node = Node { extent: list.start..self.at, inside: Inside::List(list.parts) };
            self.top.end_run();
            self.top.parts.push(Part::Large(String::new(), node));
        }
        self.top.end_run();
        (self.top.parts, self.halves.broken)
    }

    fn byte(&mut self, byte: u8) {
        match (self.token, byte) {
            (Token::String, b'\\') => self.token = Token::Escape,
            (Token::String, _) => {
                self.halves.end();
                self.token = Token::Nothing;
                self.end_string();
            }
            (Token::Escape, b'u') => self.token = Token::Unicode(4, 0),
            (Token::Escape, _) => {
                self.halves.end();
                self.in_text(&[byte]);
                self.token = Token::String;
            }
            (Token::Unicode(left, unit), _) => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0) as u16;
                let unit = unit << 4 | digit;
                self.token = if left > 1 { Token::Unicode(left - 1, unit) } else { Token::String };
                if left == 1 {
                    self.halves.unit(unit);
                }
            }
            (Token::Scalar, b',' | b':' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r') => {
                self.token = Token::Nothing;
                self.done(self.token_start, self.at, None);
                self.between(byte);
            }
            (Token::Scalar, _) => {}
            (Token::Nothing, _) => self.between(byte),
        }
    }

    fn in_text(&mut self, bytes: &[u8]) {
        self.halves.end();
        if self.is_key && self.deeper == 0 {
            let key = &mut self.open.last_mut().unwrap_or(&mut self.top).key;
            key.extend(bytes.iter().take((MAX_KEY_BYTES + 1).saturating_sub(key.len())));
        }
    }

    fn end_string(&mut self) {
        if std::mem::take(&mut self.is_key) {
            self.open.last_mut().unwrap_or(&mut self.top).expects_key = false;
        } else {
            self.done(self.token_start, self.at + 1, Some(Inside::Text));
        }
    }

    fn between(&mut self, byte: u8) {
        let at = self.at;
        let container = self.open.last_mut().unwrap_or(&mut self.top);
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b':' => {}
            b',' => container.expects_key = container.is_object && self.deeper == 0,
            b'"' => {
                (self.token, self.token_start) = (Token::String, at);
                if container.expects_key && self.deeper == 0 {
                    self.is_key = true;
                    container.key.clear();
                    container.key_start = at;
                }
            }
            b'{' | b'[' if self.open.len() < MAX_DEPTH => {
                let is_object = byte == b'{';
                self.open.push(Open { start: at, is_object, expects_key: is_object, ..Open::default() });
            }
            b'{' | b'[' => {
                if self.deeper == 0 {
                    self.deep_start = at;
                }
                self.deeper += 1;
            }
            b'}' | b']' if self.deeper > 0 => {
                self.deeper -= 1;
                self.done(self.deep_start, at + 1, Some(Inside::Unknown));
            }
            b'}' | b']' => {
                if let Some(mut ended) = self.open.pop() {
                    ended.end_run();
                    let parts = ended.parts;
                    let inside = if ended.is_object { Inside::Object(parts) } else { Inside::List(parts) };
                    self.done(ended.start, at + 1, Some(inside));
                }
            }
            _ => (self.token, self.token_start) = (Token::Scalar, at),
        }
    }

    /// A value has ended, in the container that is open.
    fn done(&mut self, start: u64, end: u64, inside: Option<Inside>) {
        if self.deeper > 0 {
            return;
        }
        let container = self.open.last_mut().unwrap_or(&mut self.top);
        let start_with_key = if container.is_object { container.key_start } else { start };
        match inside.filter(|_| end - start > SMALL_BYTES) {
            Some(inside) => {
                container.end_run();
                let key = String::from_utf8_lossy(&container.key).into_owned();
                let node = Node { extent: start..end, inside };
                container.parts.push(Part::Large(if container.is_object { key } else { String::new() }, node));
            }
            None => container.add(start_with_key..end),
        }
    }
}

impl Open {
    fn add(&mut self, extent: Extent) {
        match &mut self.run {
            Some(run) if extent.end - run.start <= SMALL_BYTES => run.end = extent.end,
            _ => {
                self.end_run();
                self.run = Some(extent);
            }
        }
    }

    fn end_run(&mut self) {
        self.parts.extend(self.run.take().map(Part::Run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> (Vec<Part>, usize) {
        let mut all = Outliner::default();
        all.feed(text.as_bytes());
        // However the bytes come.
        let mut single = Outliner::default();
        text.as_bytes().iter().for_each(|byte| single.feed(&[*byte]));
        let (all, single) = (all.finish(), single.finish());
        assert_eq!(all, single);
        all
    }

    #[test]
    fn an_outline_is_small_and_covers_everything() {
        let long = "x".repeat(70_000);
        let text = format!(r#"{{"a": 1, "list": [1, "two", {{"b": ["{long}", 3]}}, 4], "c": {{}}}} [5] 6"#);
        let (parts, _) = outline(&text);
        let [Part::Large(_, object), Part::Run(last)] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(&text[last.start as usize..last.end as usize], "[5] 6");
        let list = object.field("list").unwrap();
        let Inside::List(parts) = &list.inside else { panic!("{list:?}") };
        let [Part::Run(before), Part::Large(_, inner), Part::Run(after)] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(&text[before.start as usize..before.end as usize], r#"1, "two""#);
        assert_eq!(&text[after.start as usize..after.end as usize], "4");
        assert!(inner.field("b").is_some_and(Node::is_list));
        let Inside::Object(members) = &object.inside else { panic!("{object:?}") };
        let Part::Run(first) = &members[0] else { panic!("{members:?}") };
        assert_eq!(&text[first.start as usize..first.end as usize], r#""a": 1"#);
    }

    #[test]
    fn an_outline_grows_with_the_file_and_not_with_the_number_of_values() {
        let many = format!("[{}0]", "0,".repeat(1_000_000));
        let (parts, _) = outline(&many);
        let [Part::Large(_, list)] = &parts[..] else { panic!("one list") };
        let Inside::List(runs) = &list.inside else { panic!("a list") };
        assert!(runs.len() < 2 * many.len() / SMALL_BYTES as usize, "{}", runs.len());
        assert_eq!(outline(&"[".repeat(100_000)).0.len(), 1, "what is nested deep is not followed");
    }

    #[test]
    fn an_outline_counts_halves_of_characters() {
        for (text, expected) in [
            (r#"["a\ud83d"]"#, 1),
            (r#"["\udc00\ud83d\n"]"#, 2),
            (r#"["\ud83d\ude00 \\ud83d"]"#, 0),
            (r#"["\ud83d\ud83d\ude00", "\ude00"]"#, 2),
            (r#"{"\ud83d": 1}"#, 1),
        ] {
            assert_eq!(outline(text).1, expected, "{text}");
        }
    }
}

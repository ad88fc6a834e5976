//! The text of a page, in the order of its content stream. A content stream draws strings at places: from the distances between them come
//! spaces, lines and paragraphs.

use super::file::File;
use super::font::Font;
use super::object::{Dict, Object, Reader};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Drawings within drawings are followed to this depth.
const MAX_FORMS: usize = 8;
const MAX_OPERANDS: usize = 10_000;
const MAX_SAVED: usize = 64;

/// What the names in a content stream stand for.
#[derive(Default)]
struct Names {
    fonts: Dict,
    drawings: Dict,
    /// Fonts that have been read.
    read: BTreeMap<Vec<u8>, Rc<Font>>,
}

type Matrix = [f64; 6];
const UNIT: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// The fonts of a file, by the numbers of their objects.
#[derive(Default)]
pub(super) struct Fonts(BTreeMap<u32, Rc<Font>>);

#[derive(Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    character_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

pub(super) struct Page {
    pub(super) text: String,
    /// Codes whose characters the file does not say.
    pub(super) unknown: usize,
    limit: usize,
    state: State,
    saved: Vec<State>,
    text_matrix: Matrix,
    line_matrix: Matrix,
    /// Where the last character ended, and the size of its line.
    end: Option<(f64, f64, f64)>,
}

/// The text of one page.
pub(super) fn page(file: &mut File<'_>, fonts: &mut Fonts, page: &Dict, resources: &Dict, limit: usize) -> Page {
    let state = State {
        matrix: UNIT,
        font: None,
        size: 1.0,
        character_space: 0.0,
        word_space: 0.0,
        scale: 1.0,
        leading: 0.0,
        rise: 0.0,
    };
    let mut read = Page {
        text: String::new(),
        unknown: 0,
        limit,
        state,
        saved: Vec::new(),
        text_matrix: UNIT,
        line_matrix: UNIT,
        end: None,
    };
    let contents = match page.get("Contents") {
        Some(Object::Array(parts)) => parts.clone(),
        Some(object) => match file.resolve(object) {
            Object::Array(parts) => parts,
            _ => vec![object.clone()],
        },
        None => Vec::new(),
    };
    let mut content = Vec::new();
    for part in &contents {
        content.extend(file.unpack(part).unwrap_or_default());
        content.push(b'\n');
    }
    read.run(file, fonts, &content, resources, 0);
    read.text = tidied(&read.text);
    read
}

impl Page {
    fn run(&mut self, file: &mut File<'_>, fonts: &mut Fonts, content: &[u8], resources: &Dict, depth: usize) {
        let mut reader = Reader::new(content, 0);
        let mut operands: Vec<Object> = Vec::new();
        let saved = self.saved.len();
        let mut names = Names {
            fonts: file.dict(resources, "Font").unwrap_or_default(),
            drawings: file.dict(resources, "XObject").unwrap_or_default(),
            ..Names::default()
        };
        while let Some(object) = reader.next() {
            let Object::Word(word) = object else {
                if operands.len() < MAX_OPERANDS {
                    operands.push(object);
                }
                continue;
            };
            match word.as_slice() {
                b"Tf" => self.choose_font(file, fonts, &operands, &mut names),
                b"Do" => self.draw(file, fonts, &operands, (&names.drawings, resources), depth),
                b"BI" => skip_picture(&mut reader),
                word => self.operate(word, &operands),
            }
            operands.clear();
            if self.text.len() > self.limit {
                break;
            }
        }
        self.saved.truncate(saved.max(1));
    }

    fn operate(&mut self, word: &[u8], operands: &[Object]) {
        let number = |index: usize| operands.get(index).and_then(Object::number).unwrap_or(0.0);
        let matrix = || [number(0), number(1), number(2), number(3), number(4), number(5)];
        match word {
            b"q" if self.saved.len() < MAX_SAVED => self.saved.push(self.state.clone()),
            b"Q" => {
                if let Some(state) = self.saved.pop() {
                    self.state = state;
                }
            }
            b"cm" => self.state.matrix = product(&matrix(), &self.state.matrix),
            b"BT" => (self.text_matrix, self.line_matrix) = (UNIT, UNIT),
            b"Tc" => self.state.character_space = number(0),
            b"Tw" => self.state.word_space = number(0),
            b"Tz" => self.state.scale = number(0) / 100.0,
            b"TL" => self.state.leading = number(0),
            b"Ts" => self.state.rise = number(0),
            b"Tm" => (self.text_matrix, self.line_matrix) = (matrix(), matrix()),
            b"Td" => self.move_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = -number(1);
                self.move_line(number(0), number(1));
            }
            b"T*" => self.move_line(0.0, -self.state.leading),
            b"Tj" => self.show(operands.first()),
            b"'" => {
                self.move_line(0.0, -self.state.leading);
                self.show(operands.first());
            }
            b"\"" => {
                (self.state.word_space, self.state.character_space) = (number(0), number(1));
                self.move_line(0.0, -self.state.leading);
                self.show(operands.get(2));
            }
            b"TJ" => {
                for part in operands.first().and_then(Object::array).unwrap_or_default() {
                    match part {
                        Object::Number(back) => self.advance(-back / 1000.0 * self.state.size * self.state.scale),
                        part => self.show(Some(part)),
                    }
                }
            }
            _ => {}
        }
    }

    fn choose_font(&mut self, file: &mut File<'_>, fonts: &mut Fonts, operands: &[Object], names: &mut Names) {
        let [.., Object::Name(name), Object::Number(size)] = operands else { return };
        self.state.size = *size;
        if let Some(font) = names.read.get(name) {
            self.state.font = Some(Rc::clone(font));
            return;
        }
        let Some((_, object)) = names.fonts.iter().find(|(key, _)| *key == name) else { return };
        let known = match object {
            Object::Reference(number) => fonts.0.get(number).cloned(),
            _ => None,
        };
        self.state.font = known.or_else(|| {
            let dict = file.resolve(object);
            let font = Rc::new(Font::read(file, dict.dict()?));
            if let Object::Reference(number) = object {
                fonts.0.insert(*number, Rc::clone(&font));
            }
            Some(font)
        });
        if let Some(font) = &self.state.font {
            names.read.insert(name.clone(), Rc::clone(font));
        }
    }

    /// A drawing that is an object of its own may have text, too.
    fn draw(
        &mut self,
        file: &mut File<'_>,
        fonts: &mut Fonts,
        operands: &[Object],
        (drawings, resources): (&Dict, &Dict),
        depth: usize,
    ) {
        let Some(name) = operands.last().and_then(Object::name) else { return };
        let object = drawings.iter().find(|(key, _)| key.as_slice() == name).map(|(_, object)| object.clone());
        let Some(object) = object.filter(|_| depth < MAX_FORMS) else { return };
        let Some((form, _)) = file.stream(&object).filter(|(dict, _)| dict.is("Subtype", "Form")) else { return };
        let Some(content) = file.unpack(&object) else { return };
        let own = file.dict(&form, "Resources");
        let matrix = file.get(&form, "Matrix");
        let matrix = matrix.as_ref().and_then(Object::array).map(|matrix| {
            let number = |index: usize| matrix.get(index).and_then(Object::number).unwrap_or(0.0);
            [number(0), number(1), number(2), number(3), number(4), number(5)]
        });
        let before = (self.state.clone(), self.text_matrix, self.line_matrix);
        self.state.matrix = product(&matrix.unwrap_or(UNIT), &self.state.matrix);
        self.run(file, fonts, &content, own.as_ref().unwrap_or(resources), depth + 1);
        (self.state, self.text_matrix, self.line_matrix) = before;
    }

    fn move_line(&mut self, x: f64, y: f64) {
        self.line_matrix = product(&[1.0, 0.0, 0.0, 1.0, x, y], &self.line_matrix);
        self.text_matrix = self.line_matrix;
    }

    fn advance(&mut self, x: f64) {
        self.text_matrix = product(&[1.0, 0.0, 0.0, 1.0, x, 0.0], &self.text_matrix);
    }

    fn show(&mut self, string: Option<&Object>) {
        let (Some(Object::Text(string)), Some(font)) = (string, self.state.font.clone()) else { return };
        font.each(string, |shown| {
            let State { size, character_space, word_space, scale, .. } = self.state;
            match shown.text {
                Some(text) => self.write(&text),
                None => self.unknown += 1,
            }
            let extra = character_space + if shown.is_space { word_space } else { 0.0 };
            self.advance((shown.width / 1000.0 * size + extra) * scale);
            self.end = Some(self.place());
        });
    }

    /// Where the next character will be, and the height of its line, as the page is seen.
    fn place(&self) -> (f64, f64, f64) {
        let matrix = product(&self.text_matrix, &self.state.matrix);
        let size = self.state.size.abs() * matrix[2].hypot(matrix[3]);
        let rise = self.state.rise;
        let (x, y) = (matrix[4] + rise * matrix[2], matrix[5] + rise * matrix[3]);
        // Text that runs upwards or downwards is measured along its own line.
        let length = matrix[0].hypot(matrix[1]);
        let (cosine, sine) = if length > 0.0 { (matrix[0] / length, matrix[1] / length) } else { (1.0, 0.0) };
        (x * cosine + y * sine, y * cosine - x * sine, size)
    }

    fn write(&mut self, text: &str) {
        let (x, y, size) = self.place();
        if let Some((end_x, end_y, end_size)) = self.end {
            let height = size.max(end_size).max(0.1);
            let (right, down) = (x - end_x, (y - end_y).abs());
            // What is raised or lowered by less than half a line is still on it.
            let is_same_line = down < 0.5 * height && right > -1.5 * height - 0.1;
            if !is_same_line {
                self.text.push_str(if down > 1.9 * height { "\n\n" } else { "\n" });
            } else if right > 0.17 * size.min(end_size).max(0.1) {
                self.text.push(' ');
            }
        }
        for c in text.chars() {
            match c {
                'ﬀ' => self.text.push_str("ff"),
                'ﬁ' => self.text.push_str("fi"),
                'ﬂ' => self.text.push_str("fl"),
                'ﬃ' => self.text.push_str("ffi"),
                'ﬄ' => self.text.push_str("ffl"),
                c if c.is_control() || c.is_whitespace() => self.text.push(' '),
                c => self.text.push(c),
            }
        }
    }
}

/// Behind `BI` come the properties of a picture, `ID`, its bytes, and `EI`.
fn skip_picture(reader: &mut Reader<'_>) {
    while let Some(object) = reader.next() {
        if matches!(&object, Object::Word(word) if word == b"ID") {
            break;
        }
    }
    let rest = &reader.bytes[reader.at.min(reader.bytes.len())..];
    let is_end =
        |window: &[u8]| window[0].is_ascii_whitespace() && &window[1..3] == b"EI" && window[3].is_ascii_whitespace();
    reader.at = rest.windows(4).position(is_end).map_or(reader.bytes.len(), |at| reader.at + at + 3);
}

fn product(one: &Matrix, other: &Matrix) -> Matrix {
    let [a, b, c, d, e, f] = *one;
    let [g, h, i, j, k, l] = *other;
    [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

/// Single spaces, no blank lines at the ends, and words that were divided at the end of a line put together.
fn tidied(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_divided = |tidy: &str| {
            let mut last = tidy.trim_end_matches('\n').chars().rev();
            matches!(last.next(), Some('-' | '\u{ad}')) && last.next().is_some_and(char::is_lowercase)
        };
        if line.chars().next().is_some_and(char::is_lowercase) && is_divided(&tidy) {
            tidy.truncate(tidy.trim_end_matches('\n').len());
            tidy.pop();
        }
        if !(line.is_empty() && (tidy.is_empty() || tidy.ends_with("\n\n"))) {
            tidy.push_str(&line);
            tidy.push('\n');
        }
    }
    tidy.truncate(tidy.trim_end().len());
    if !tidy.is_empty() {
        tidy.push('\n');
    }
    tidy
}

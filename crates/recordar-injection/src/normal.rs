//! Text as a reader sees it: without capitals, accents, look-alikes and invisible letters. Each letter knows the bytes it came from, so
//! that what is found in the normalised text can be shown in the original.

use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const BLACK_FLAG: char = '\u{1F3F4}';

/// A folded letter and the bytes of the character it came from. One character may become several letters.
pub(crate) struct Letter {
    pub(crate) folded: char,
    pub(crate) bytes: Range<usize>,
    pub(crate) is_capital: bool,
    /// Whether it was a Cyrillic look-alike of a Latin letter.
    pub(crate) is_cyrillic: bool,
}

/// Letters, and the signals of what was hidden between them, each with the position of the next letter.
#[derive(Default)]
pub(crate) struct Normal {
    pub(crate) letters: Vec<Letter>,
    pub(crate) marks: Vec<(usize, &'static str)>,
}

impl Normal {
    pub(crate) fn of(text: &str) -> Self {
        let mut normal = Self::default();
        let mut characters = text.char_indices().peekable();
        let (mut previous, mut in_flag) = (None, false);
        while let Some((start, character)) = characters.next() {
            let bytes = start..start + character.len_utf8();
            let tag = tag_letter(character);
            match tag {
                Some(_) if in_flag => {}
                Some(hidden) => {
                    normal.mark("hidden_letters");
                    normal.push(hidden, bytes);
                }
                None if is_invisible(character) => {
                    let following = characters.peek().map(|&(_, following)| following);
                    if let Some(mark) = invisible_mark(character, previous, following) {
                        normal.mark(mark);
                    }
                }
                None => normal.push(character, bytes),
            }
            in_flag = character == BLACK_FLAG || (in_flag && tag.is_some());
            previous = Some(character);
        }
        normal
    }

    /// The bytes of the original text from which a range of letters came.
    pub(crate) fn bytes(&self, letters: &Range<usize>) -> Range<usize> {
        match self.letters.get(letters.clone()) {
            Some([only]) => only.bytes.clone(),
            Some([first, .., last]) => first.bytes.start..last.bytes.end,
            Some([]) | None => 0..0,
        }
    }

    fn mark(&mut self, name: &'static str) {
        self.marks.push((self.letters.len(), name));
    }

    fn push(&mut self, character: char, bytes: Range<usize>) {
        let is_capital = character.is_uppercase();
        if character.is_ascii() {
            let folded = if character == '`' { '\'' } else { character.to_ascii_lowercase() };
            self.letters.push(Letter { folded, bytes, is_capital, is_cyrillic: false });
            return;
        }
        for plain in character.nfkd().filter(|part| !is_combining_mark(*part)).flat_map(char::to_lowercase) {
            let look_alike = read_as(plain);
            let is_cyrillic = look_alike.is_some() && ('\u{400}'..='\u{52F}').contains(&plain);
            let folded = look_alike.unwrap_or(plain);
            self.letters.push(Letter { folded, bytes: bytes.clone(), is_capital, is_cyrillic });
        }
    }
}

/// What a letter is read as, if it only looks like a Latin letter or a plain quotation mark.
fn read_as(letter: char) -> Option<char> {
    Some(match letter {
        'а' | 'α' => 'a',
        'в' => 'b',
        'с' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'ԍ' | 'ɡ' => 'g',
        'н' | 'һ' => 'h',
        'і' | 'ı' | 'ι' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'ν' => 'n',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'у' | 'υ' => 'u',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        '’' | '‘' | '‹' | '›' | '`' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        _ => return None,
    })
}

/// The ASCII letter of a tag character, which nobody sees. Emoji flags consist of them too, and those are skipped.
fn tag_letter(character: char) -> Option<char> {
    let code = u32::from(character);
    if (0xE0020..=0xE007E).contains(&code) { char::from_u32(code - 0xE0000) } else { None }
}

fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}')
}

/// Invisible letters are usual in many scripts and in emoji, but not inside a Latin word. Soft hyphens are usual there.
fn invisible_mark(character: char, previous: Option<char>, following: Option<char>) -> Option<&'static str> {
    let is_latin = |neighbour: Option<char>| neighbour.is_some_and(|letter| letter.is_ascii_alphabetic());
    match character {
        '\u{202D}' | '\u{202E}' => Some("direction_override"),
        '\u{AD}' => None,
        _ if is_latin(previous) && is_latin(following) => Some("split_words"),
        _ => None,
    }
}

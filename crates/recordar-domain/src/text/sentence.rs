//! Finds the ends of sentences, so that a text is clipped after one and never at "Mr.", "3.14" or "example.com".
//!
//! One pass, forward and lazy: text after the requested end is not read. There is no grammar here: a full stop is
//! judged by the word before it and the word after it. In doubt the sentence continues, since one too many reads better
//! than half of one.

/// Where the first `sentences` sentences of a text end, in bytes; the (trimmed) end of the text if it has no more.
pub fn clip_end(text: &str, sentences: usize) -> usize {
    let Some(last) = sentences.checked_sub(1) else { return 0 };
    sentence_ends(text).nth(last).unwrap_or_else(|| text.trim_end().len())
}

/// The end of each sentence, in bytes, ascending, without the whitespace after it. Only a blank text has none.
pub fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    Scan {
        text,
        at: 0,
        ended: 0,
        word_start: 0,
        previous: "",
        opens_line: true,
        in_heading: begins_heading(text.trim_start()),
        has_letters: false,
        in_quotes: false,
    }
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// The end given last.
    ended: usize,
    word_start: usize,
    /// The word before the one at `word_start`.
    previous: &'a str,
    /// Nothing but marks stands before the word on its line.
    opens_line: bool,
    in_heading: bool,
    /// Whether the sentence being read has any letter or digit. Without one it is none, and joins the next.
    has_letters: bool,
    /// Whether the sentence being read has an odd number of straight quotes, which do not show their direction.
    in_quotes: bool,
}

impl Iterator for Scan<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some(c) = self.text[self.at..].chars().next() {
            let end = if c.is_whitespace() {
                self.pass_gap()
            } else if is_terminator(c) {
                self.pass_terminators()
            } else {
                self.has_letters |= c.is_alphanumeric();
                self.in_quotes ^= c == '"';
                self.at += c.len_utf8();
                None
            };
            let Some(end) = end.filter(|_| self.has_letters) else { continue };
            if !self.text[end..].contains(char::is_alphanumeric) {
                // What is left is no sentence, and has none to join but this one.
                self.at = self.text.len();
                break;
            }
            (self.ended, self.has_letters, self.in_quotes) = (end, false, false);
            return Some(end);
        }
        let last = self.text.trim_end().len();
        let is_new = self.ended < last;
        self.ended = last;
        is_new.then_some(last)
    }
}

impl Scan<'_> {
    /// Passes whitespace. Ends the sentence where a paragraph, a heading or an item of a list does.
    fn pass_gap(&mut self) -> Option<usize> {
        let end = self.at;
        let rest = self.text[end..].trim_start();
        self.at = self.text.len() - rest.len();
        self.previous = &self.text[self.word_start..end];
        self.word_start = self.at;
        let breaks = self.text[end..self.at].bytes().filter(|byte| *byte == b'\n').count();
        if breaks == 0 {
            self.opens_line = self.opens_line && !self.previous.contains(char::is_alphanumeric);
            return None;
        }
        let ends = breaks > 1 || self.in_heading || begins_item(rest);
        (self.opens_line, self.in_heading) = (true, begins_heading(rest));
        ends.then_some(end)
    }

    /// Passes terminators and what closes behind them: `?!`, `."`, `!).`, `。」`. Ends the sentence unless it goes on.
    fn pass_terminators(&mut self) -> Option<usize> {
        let start = self.at;
        // The last terminators of the run; any before them stood inside of quotes or brackets.
        let mut marks = start..start;
        let (mut cuts, mut is_closed) = (false, false);
        for c in self.text[start..].chars() {
            let end = self.at + c.len_utf8();
            if is_terminator(c) {
                marks = if is_closed { self.at..end } else { marks.start..end };
                (cuts, is_closed) = (cuts || is_cutting(c), false);
            } else if CLOSERS.contains(c) || (!cuts && EITHER.contains(c)) || (c == '"' && (!cuts || self.in_quotes)) {
                self.in_quotes ^= c == '"';
                is_closed = true;
            } else if !is_pictograph(c) {
                break;
            }
            self.at = end;
        }
        if let Some(rest) = self.text[self.at..].strip_prefix([' ', '\u{A0}', '\u{202F}'])
            && let Some(rest) = rest.strip_prefix('»')
            && !rest.starts_with(char::is_alphanumeric)
        {
            // French sets its quotation marks apart.
            (self.at, is_closed) = (self.text.len() - rest.len(), true);
        }
        let word = if marks.start == start { word_in(&self.text[self.word_start..start]) } else { "" };
        let (marks, rest) = (&self.text[marks], &self.text[self.at..]);
        let is_ellipsis = marks.len() > 1 && marks.chars().all(|c| matches!(c, '.' | '…'));
        let is_decimal = marks == "．" && rest.starts_with(char::is_numeric);
        let is_apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
        if is_decimal || !(is_apart || cuts || (rest.starts_with(is_unspaced) && !is_ellipsis)) {
            return None;
        }
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || OPENERS.contains(c));
        let is_lower = next.starts_with(char::is_lowercase);
        let goes_on = match marks {
            "." | "．" => (self.opens_line && is_numbering(word)) || is_abbreviated(word, self.previous, next),
            _ => is_ellipsis && is_lower,
        };
        // `"Stop!" she said`, `—¡Alto! —dijo`, 「行こう。」と言った。
        let in_speech = is_closed || rest.trim_start().starts_with(['-', '–', '—']);
        if goes_on || (is_lower && in_speech) || (is_closed && next.starts_with('と')) {
            return None;
        }
        if !is_apart {
            (self.word_start, self.previous) = (self.at, "");
        }
        Some(self.at)
    }
}

/// Whether a full stop behind `word` leaves the sentence open. `next` begins with the word that follows.
fn is_abbreviated(word: &str, previous: &str, next: &str) -> bool {
    let (next_word, behind_next) = next.split_at(next.find(|c: char| !c.is_alphanumeric()).unwrap_or(next.len()));
    let before_upper = next.starts_with(char::is_uppercase);
    let before_digit = next.starts_with(char::is_numeric);
    let before_initial = is_letter(next_word) && behind_next.starts_with('.');
    let before_starter = before_upper && !before_initial && is_in(STARTERS, next_word);

    if word.is_empty() {
        false
    } else if is_in(UNLESS_UPPER, word) {
        !before_upper
    } else if is_in(UNLESS_STARTER, word) {
        !before_starter
    } else if is_in(BEFORE_NUMBERS, word) || word.ends_with("str") {
        // "No. I did not." is more frequent than a number one.
        let may_be_one = word.starts_with(char::is_uppercase) && word != "No" && behind_next.starts_with(' ');
        before_digit || is_roman(next_word) && (next_word != "I" || may_be_one)
    } else if is_letter(word) {
        // "John F. Kennedy", but "So did I." and "vitamin C."; "p. 5", "z. B.", "d. h.", "p. ej."
        let is_upper = word.starts_with(char::is_uppercase) && word != "I";
        let is_initial = is_upper && !before_starter && !is_in(LETTERED, previous);
        let behind_initial = word_in(previous).strip_suffix('.').is_some_and(is_letter);
        is_initial || before_digit || before_initial || behind_initial || next_word == "ej"
    } else if (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit()) {
        // German ordinals: "am 3. Mai", "der 2. Weltkrieg".
        is_in(BEHIND_ORDINALS, next_word) || is_in(BEFORE_ORDINALS, previous)
    } else if is_dotted(word) {
        !(before_starter && word.starts_with(char::is_uppercase))
    } else {
        is_in(ALWAYS, word)
    }
}

/// A word without what opens it; empty where it is too long for an abbreviation, so that no long word is read again.
fn word_in(token: &str) -> &str {
    let token = if token.len() > MAX_ABBREVIATION_BYTES { "" } else { token };
    let last = token.rsplit(['—', '–']).next().unwrap_or_default();
    last.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// An upper-case entry of a table is meant as it is written, one in lower case in any case.
fn is_in(table: &[&str], word: &str) -> bool {
    let any_case = |entry: &str| entry.starts_with(char::is_lowercase) && entry.eq_ignore_ascii_case(word);
    table.iter().any(|entry| *entry == word || any_case(entry))
}

/// One letter of a script that has cases; in others a letter may be a word.
fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_lowercase() || c.is_uppercase()) && chars.next().is_none()
}

/// `U.S`, `Ph.D`, `e.g`, `J.-P`, `EE.UU`; not `t.co`.
fn is_dotted(word: &str) -> bool {
    let parts = || word.split(['.', '-']).filter(|part| !part.is_empty());
    word.contains('.')
        && parts().all(|part| part.chars().count() <= 2 && part.chars().all(char::is_alphabetic))
        && (parts().all(is_letter) || word.contains(char::is_uppercase))
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| b"IVXLC".contains(&byte))
}

/// `1`, `12`, `2.1`, `a`, `IV` before a full stop at the start of a line. A longer number may be a year.
fn is_numbering(word: &str) -> bool {
    let is_number = |part: &str| part.chars().all(char::is_numeric) && (1..=3).contains(&part.chars().count());
    is_letter(word) || is_roman(word) || word.split('.').all(is_number)
}

/// Whether a line, without the space before it, is a heading of Markdown.
pub fn begins_heading(line: &str) -> bool {
    let title = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - title.len())) && title.starts_with(char::is_whitespace)
}

fn begins_item(line: &str) -> bool {
    let behind_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_mark = match line.len() - behind_digits.len() {
        0 => line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
            // "a) b"
            line.strip_prefix(|c: char| c.is_ascii_alphabetic()).and_then(|rest| rest.strip_prefix(')'))
        }),
        1..=3 => behind_digits.strip_prefix(['.', ')']),
        _ => None,
    };
    behind_mark.is_some_and(|rest| rest.starts_with(char::is_whitespace))
        || line.starts_with(['>', '|'])
        || begins_heading(line)
}

fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '‼' | '‽' | '⁇'..='⁉' | '؟' | '۔' | '।' | '॥' | '։' | '។' | '။' | '።' | '፧' | '།'
    ) || is_cutting(c)
}

/// Ends a sentence without a space behind it.
fn is_cutting(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．')
}

/// Kana and Han. Hangul is written with spaces.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{200D}' | '\u{FE0F}' | '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}')
}

const CLOSERS: &str = "'”’»›)]}」』）】》〉｣*_`";
/// These close in German, and open behind a Chinese full stop.
const EITHER: &str = "“‘«‹";
const OPENERS: &str = "\"'“”‘„‚«»‹›([{「『（【《〈*_`¿¡-–—";

const MAX_ABBREVIATION_BYTES: usize = 24;
const ALWAYS: &[&str] = &[
    "mr", "mrs", "Ms", "messrs", "dr", "prof", "Gen", "Capt", "Rev", "Col", "Gov", "Sen", "Rep", "Hon", "Lt", "Sgt",
    "cf", "vs", "viz", "approx", "incl", "bzw", "ggf", "bspw", "evtl", "vgl", "sog", "inkl", "Hr", "Hrn", "Fr", "mme",
    "mlle", "sra", "srta", "dra", "p.ej", "ej", "EE",
];
const UNLESS_UPPER: &[&str] =
    &["etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "usw", "jr", "al", "ca", "Chr", "Ud", "Uds", "UU"];
const UNLESS_STARTER: &[&str] = &["st", "sr", "Mt", "Ft", "ave", "blvd", "dept", "av", "v", "n"];
const BEFORE_NUMBERS: &[&str] = &[
    "no", "nos", "nr", "núm", "fig", "figs", "eq", "eqs", "sec", "ch", "chap", "cap", "kap", "vol", "bd", "pp", "pág",
    "art", "abb", "abs", "op", "tel", "env", "str", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept",
    "Oct", "Nov", "Dec",
];
/// English words that begin a sentence where a name would go on.
const STARTERS: &[&str] = &[
    "i", "he", "she", "it", "we", "you", "they", "my", "his", "her", "its", "our", "their", "the", "this", "that",
    "these", "those", "there", "then", "but", "and", "so", "when", "if", "in",
];
/// What is told apart by a letter behind it.
const LETTERED: &[&str] = &["vitamin", "plan", "option", "type", "class", "grade", "group", "hepatitis"];
const BEFORE_ORDINALS: &[&str] = &["der", "die", "das", "dem", "den", "des", "vom", "zum", "zur"];
const BEHIND_ORDINALS: &[&str] = &[
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
    "Jahrhundert",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        let mut start = 0;
        let cut = |end| text[std::mem::replace(&mut start, end)..end].trim();
        sentence_ends(text).map(cut).collect()
    }

    #[test]
    fn e5_sentence_ends_are_no_traps() {
        // Sentences are joined by one space, unless they are given apart.
        let apart = |text: &str, expected: &[&str]| assert_eq!(sentences(text), expected, "{text:?}");
        let check = |expected: &[&str]| apart(&expected.join(" "), expected);

        // Terminators.
        check(&["Hello.", "world"]);
        check(&["What?!", "No!!!", "Yes."]);
        check(&["what?", "no!", "ok"]);
        check(&["i went home.", "then i slept"]);
        check(&["No way‼️", "Really⁉️", "Yes."]);
        check(&["Great!🎉", "Next one."]);
        // Abbreviations.
        check(&["Mr. Smith met Mrs. Jones and Dr. Who.", "They talked."]);
        check(&["Prof. Moriarty, Gen. Grant, Capt. Ahab, Rev. Green and St. Nicholas came.", "All left."]);
        check(&["He lives on Main St.", "Then he moved."]);
        check(&["Use a tool, e.g. Perl, i.e. The Camel, cf. ca. 50 vs. approx. 60 in the dept. of war.", "Good."]);
        check(&["Smith et al. (2020) say so.", "So did Jones et al.", "We agree."]);
        check(&[
            "See No. 5, Nos. 6 and 7, Fig. 2, Eq. (3), Sec. IV, Ch. X, Vol. I of it, p. 5, pp. 6-7 and Art. 8.",
            "Ok.",
        ]);
        check(&["I said no.", "Then he sat.", "It was fun.", "In May.", "He may.", "I am."]);
        check(&["No.", "I did not."]);
        check(&["I like art.", "You ate a fig.", "Wait a sec.", "Bye."]);
        check(&["On Jan. 5 and Dec. 24 we met.", "It was in Dec.", "We left."]);
        check(&["Apples, pears, etc. are fruit.", "We sell apples etc.", "Come in."]);
        check(&["Acme Inc. of Ohio and Foo Ltd. bought Bar Corp.", "The price was low."]);
        check(&["Come at 5 p.m. on Friday.", "We close at 6 p.m.", "Do not be late."]);
        check(&["John Smith Jr. was here.", "So was John Smith Sr.", "They left."]);
        check(&["Next gen.", "Did one rep.", "Took 5 ms.", "Done."]);
        check(&["(Approx. 5, that is.)", "Good—Mr. Smith is here.", "Yes."]);
        // Dotted words and initials.
        check(&["The U.S. Senate and the U.S. army met a Ph.D. student and J.R.R. Tolkien.", "Fine."]);
        check(&["He moved to the U.S.", "Then he left."]);
        check(&["J. Smith, John F. Kennedy, J. von Neumann and J.-P. Sartre met.", "They ate."]);
        check(&["So did I.", "Then we left."]);
        check(&["Take vitamin C.", "Ada does.", "It was plan B.", "Then we left."]);
        check(&["Roe v. Wade was decided c. 1973.", "Yes."]);
        // No whitespace behind the dot.
        check(&["Pi is 3.14 in v1.2.3 at 8.15 for 10.000,5 in notes.md.", "Next."]);
        check(&["See https://a.example/x.y?q=1.2!z or me@example.com or example.com.", "Next."]);
        check(&["See https://a.example/x.", "Next."]);
        check(&["See t.co.", "Node.js is fine.", ".NET is fine.", "It is 1999.", "5 years on."]);
        // Quotes and brackets.
        check(&["\"Stop!\" she said.", "He left."]);
        check(&["He said \"Stop.\"", "Then he left."]);
        check(&["“Why?” he asked.", "‘No.’", "(Really?)", "Yes (he said no!).", "then [he left.]", "*Wow!*", "Ok."]);
        check(&["He asked (why?) and left.", "**Bold.**", "_Slanted._", "`Code.`", "End."]);
        // Ellipses.
        check(&["Wait... what?", "Well…", "I see.", "Hm… no.", "so...yes"]);
        check(&["I came [...] and saw.", "Ok... \"yes\" then."]);
        // Lines.
        apart("1. First one. Then.\n2. Second\n12. Third", &["1. First one.", "Then.", "2. Second", "12. Third"]);
        apart("IV. Part\n\n2.1. Section\n\nA. The end\n\na) b", &["IV. Part", "2.1. Section", "A. The end", "a) b"]);
        apart("Buy:\n- milk\n- eggs\n* ham\n+ tea\n• jam", &["Buy:", "- milk", "- eggs", "* ham", "+ tea", "• jam"]);
        apart("a) one\nb) two\n> said\n| x | y |", &["a) one", "b) two", "> said", "| x | y |"]);
        apart("# Title\nText\ngoes on\n## More\r\nText", &["# Title", "Text\ngoes on", "## More", "Text"]);
        apart("  # Title\nText", &["# Title", "Text"]);
        apart("One\n\nTwo\r\n\r\nThree\r\ngoes on\n \t\nFour", &["One", "Two", "Three\r\ngoes on", "Four"]);
        apart(
            "It was\n-5 degrees in\n1999. **Cold**\n**days** with\n#tags",
            &["It was\n-5 degrees in\n1999.", "**Cold**\n**days** with\n#tags"],
        );
        apart("by Mr.\nSmith and e.g.\n\nOther", &["by Mr.\nSmith and e.g.", "Other"]);
        // Pieces without a letter join others.
        apart("... --- Hello. *** World. 😀 !!!", &["... --- Hello.", "*** World. 😀 !!!"]);
        apart("Hi!\n\n---\n\nYou.", &["Hi!", "---\n\nYou."]);
        apart("?!", &["?!"]);
        apart(" \n ", &[]);
        // German.
        check(&["Das ist z.B. Obst, d.h. Äpfel, u.a. Boskop bzw. Elstar.", "Gut."]);
        check(&["Das ist z. B. Obst, d. h. Äpfel.", "Gut."]);
        check(&[
            "Hr. Meier und Fr. Müller wohnen ggf. in Nr. 5, Hauptstr. 7, Str. 8, ca. zehn Leute, bspw. Ada.",
            "Gut.",
        ]);
        check(&["Äpfel, Birnen usw. sind Obst.", "Am 3. Mai und im 19. Jahrhundert nach dem 2. Weltkrieg.", "Gut."]);
        check(&["„Halt!“ sagte sie.", "»Nein.«", "»Doch!« rief er.", "„Gut.“", "Ende."]);
        check(&["Im Jahr 50 v. Chr. geboren.", "Es war 5.", "Dann nicht."]);
        // French.
        check(&["M. Dupont, Mme. Curie et Mlle. Rose, env. 50 av. J.-C., vivent.", "Bien."]);
        check(&["Vraiment ?", "Oui !", "« Halte ! » dit-elle.", "« Oui. »", "Il partit."]);
        check(&["«\u{A0}Non\u{202F}!\u{A0}»", "Il reste."]);
        // Spanish.
        check(&["El Sr. García, la Sra. López y la Dra. Ruiz van a EE.UU. mañana.", "Ud. también va."]);
        check(&["¿Qué?", "¡Nada!", "—¡Alto! —dijo ella.", "Él salió de EE. UU. ayer.", "Bien, p. ej. hoy."]);
        // Chinese and Japanese.
        apart("你好。世界！真的吗？！是。", &["你好。", "世界！", "真的吗？！", "是。"]);
        apart("他说：“走吧。”然后走了。“好。”", &["他说：“走吧。”", "然后走了。", "“好。”"]);
        apart("\"走吧。\"她走了。\"好。\"", &["\"走吧。\"", "她走了。", "\"好。\""]);
        apart("我……不知道。圆周率是3.14。见example.com。", &["我……不知道。", "圆周率是3.14。", "见example.com。"]);
        apart("他走了.我留下!好", &["他走了.", "我留下!", "好"]);
        apart(
            "「行こう。」と言った。（はい。）『いいえ！』そう｡終",
            &["「行こう。」と言った。", "（はい。）", "『いいえ！』", "そう｡", "終"],
        );
        apart("１．はじめに、３．１４です．次．", &["１．はじめに、３．１４です．", "次．"]);
        // Arabic, Urdu, Hindi and others; Russian has initials, too.
        check(&["هل أنت هنا؟", "نعم.", "حسنا!"]);
        check(&["یہ ہے۔", "وہ ہے۔"]);
        check(&["यह है।", "वह है॥", "“क्या?”", "3.5 है।"]);
        check(&["Բարև։", "Այո։"]);
        check(&["សួស្តី។", "បាទ។"]);
        check(&["မင်္ဂလာပါ။", "ဟုတ်။"]);
        check(&["ሰላም።", "አዎ።"]);
        check(&["བཀྲ་ཤིས།", "ལེགས།"]);
        check(&["네.", "그래요!", "좋아요."]);
        check(&["А. С. Пушкин жил здесь.", "Да."]);

        let clip = |text: &str, count, expected: &str| assert_eq!(&text[..clip_end(text, count)], expected);
        clip("One. Two.  Three. ", 0, "");
        clip("One. Two.  Three. ", 2, "One. Two.");
        clip("One. Two.  Three. ", 9, "One. Two.  Three.");
        clip(" \n", 1, "");
    }

    /// This ends soon because nothing is read more than a few times.
    #[test]
    fn ends_ascend_on_boundaries_whatever_the_text() {
        let repeat = |piece: &str, bytes: usize| piece.repeat(bytes / piece.len());
        let check = |text: String| {
            let shown: String = text.chars().take(9).collect();
            let mut last = 0;
            for end in sentence_ends(&text) {
                assert!(last < end && end == text[..end].trim_end().len(), "{shown:?} at {end}");
                last = end;
            }
            assert_eq!(last, text.trim_end().len(), "{shown:?}");
        };
        let pieces = ["a", "a.", ".", ". ", "\"", " ", "\r\n", "😀", "e\u{301}. ", "\0. "];
        let smaller = [
            ".\"",
            "a.\"と",
            "。\"",
            "a。」と",
            "a. ",
            "a.\n",
            "#",
            "# ",
            "1",
            "1.\n",
            "- ",
            ". —",
            "a. \u{301}",
            "👩‍👩‍👧!",
            "A. ",
            "z. ",
            "! »",
            "« ! »",
            "．",
            "…",
            "(.",
            "\u{FEFF}. ",
            "Mr. ",
            "...a ",
            "no. I ",
            "字.",
            "؟ ",
        ];
        let sized = |bytes| move |piece| (piece, bytes);
        for (piece, bytes) in pieces.map(sized(1 << 20)).into_iter().chain(smaller.map(sized(1 << 17))) {
            check(piece.to_owned());
            check(repeat(piece, bytes));
            check(format!("x. {}", repeat(piece, 1 << 16)));
        }
        check(String::new());
    }
}

//! The fonts of a PDF, as far as text needs them: which characters the codes of a string stand for, and how wide they are.

use super::cmap::CharacterMap;
use super::file::File;
use super::glyph::{character_of_glyph, in_base_encoding};
use super::object::{Dict, Object};
use encoding_rs::Encoding;

pub(super) struct Font {
    map: Option<CharacterMap>,
    codes: Codes,
    /// Codes from one to another, and their width.
    widths: Vec<(u32, u32, f64)>,
    default_width: f64,
}

/// What codes mean where the font has no map to characters.
enum Codes {
    /// One byte each, by a table.
    Bytes(Vec<Option<char>>),
    /// Two bytes each, without meaning.
    Pairs,
    /// Two bytes each, in UTF-16.
    Utf16,
    /// Bytes of an old encoding.
    Encoded(&'static Encoding),
}

/// About what a font takes, and each entry of its tables.
const FONT_BYTES: usize = 8192;
const ENTRY_BYTES: usize = 64;

/// A code of a string: its character, its width in thousandths of the size, and whether it is the space of one byte.
pub(super) struct Shown {
    pub(super) text: Option<String>,
    pub(super) width: f64,
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn read(file: &mut File<'_>, dict: &Dict) -> Self {
        let map =
            dict.get("ToUnicode").cloned().and_then(|map| file.unpack(&map)).map(|bytes| CharacterMap::read(&bytes));
        let map = map.filter(|map| map.len() > 0);
        let font = Self::with_map(file, dict, map);
        let entries = font.map.as_ref().map_or(0, CharacterMap::len) + font.widths.len();
        file.charge(FONT_BYTES + ENTRY_BYTES * entries);
        font
    }

    fn with_map(file: &mut File<'_>, dict: &Dict, map: Option<CharacterMap>) -> Self {
        if dict.is("Subtype", "Type0") {
            return Self::composite(file, dict, map);
        }
        let first = file.number(dict, "FirstChar").unwrap_or(0.0).clamp(0.0, 255.0) as u32;
        let scale = if dict.is("Subtype", "Type3") { 1000.0 * type_3_scale(file, dict) } else { 1.0 };
        let listed = file.get(dict, "Widths");
        let listed = listed.as_ref().and_then(Object::array).unwrap_or_default();
        let width = |(index, width): (usize, &Object)| {
            let code = first + index as u32;
            Some((code, code, file.resolve(width).number()? * scale))
        };
        let widths = listed.iter().take(256).enumerate().filter_map(width).collect();
        let name = dict.get("BaseFont").and_then(Object::name).unwrap_or_default();
        let default_width = if name.windows(7).any(|part| part == b"Courier") { 600.0 } else { 500.0 };
        let table = table(file, dict, name);
        Self { map, codes: Codes::Bytes(table), widths, default_width }
    }

    fn composite(file: &mut File<'_>, dict: &Dict, map: Option<CharacterMap>) -> Self {
        let descendants = file.get(dict, "DescendantFonts");
        let descendant = descendants.as_ref().and_then(Object::array).and_then(|fonts| fonts.first());
        let descendant = match descendant.map(|font| file.resolve(font)) {
            Some(Object::Dict(font)) => font,
            _ => Dict::default(),
        };
        let name = file.get(dict, "Encoding");
        let name = String::from_utf8_lossy(name.as_ref().and_then(Object::name).unwrap_or_default()).into_owned();
        let codes = match name.as_str() {
            name if name.contains("UCS2") || name.contains("UTF16") => Codes::Utf16,
            name if name.contains("RKSJ") => Codes::Encoded(encoding_rs::SHIFT_JIS),
            name if name.starts_with("GB") => Codes::Encoded(encoding_rs::GBK),
            name if name.contains("B5") => Codes::Encoded(encoding_rs::BIG5),
            name if name.starts_with("KSC") => Codes::Encoded(encoding_rs::EUC_KR),
            "EUC-H" | "EUC-V" => Codes::Encoded(encoding_rs::EUC_JP),
            _ => Codes::Pairs,
        };
        let default_width = file.number(&descendant, "DW").unwrap_or(1000.0);
        Self { map, codes, widths: composite_widths(file, &descendant), default_width }
    }

    /// The codes of a string, one after the other.
    pub(super) fn each(&self, string: &[u8], mut shown: impl FnMut(Shown)) {
        let mut at = 0;
        while at < string.len() {
            let length = self.length(&string[at..]).min(string.len() - at);
            let code = &string[at..at + length];
            let number = code.iter().fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
            let width = self.width(number);
            let text = self.map.as_ref().and_then(|map| map.get(number)).or_else(|| self.text(code, number));
            shown(Shown { text, width, is_space: code == b" " });
            at += length;
        }
    }

    fn width(&self, code: u32) -> f64 {
        let next = self.widths.partition_point(|(first, ..)| *first <= code);
        let found = next.checked_sub(1).map(|at| self.widths[at]).filter(|(_, last, _)| code <= *last);
        found.map_or(self.default_width, |(.., width)| width)
    }

    fn length(&self, rest: &[u8]) -> usize {
        match &self.codes {
            Codes::Bytes(_) => 1,
            Codes::Pairs | Codes::Utf16 => self.map.as_ref().and_then(|map| map.code_length(rest)).unwrap_or(2),
            Codes::Encoded(_) => {
                1 + usize::from(
                    rest[0] >= 0x81 && rest[0] != 0xff && !(0xa0..=0xdf).contains(&rest[0])
                        || (rest[0] >= 0xa1 && !self.is_shift_jis()),
                )
            }
        }
    }

    fn is_shift_jis(&self) -> bool {
        matches!(&self.codes, Codes::Encoded(encoding) if *encoding == encoding_rs::SHIFT_JIS)
    }

    fn text(&self, code: &[u8], number: u32) -> Option<String> {
        match &self.codes {
            Codes::Bytes(table) => table.get(number as usize).copied().flatten().map(String::from),
            Codes::Pairs => None,
            Codes::Utf16 => char::from_u32(number).map(String::from),
            Codes::Encoded(encoding) => {
                encoding.decode_without_bom_handling_and_without_replacement(code).map(|text| text.into_owned())
            }
        }
    }
}

fn type_3_scale(file: &File<'_>, dict: &Dict) -> f64 {
    let matrix = file.get(dict, "FontMatrix");
    let scale = matrix.as_ref().and_then(Object::array).and_then(|matrix| matrix.first()).and_then(Object::number);
    scale.unwrap_or(0.001).abs()
}

/// The characters of a font whose codes are single bytes: by its encoding, else by the font program.
fn table(file: &mut File<'_>, dict: &Dict, name: &[u8]) -> Vec<Option<char>> {
    let encoding = file.get(dict, "Encoding");
    let (base, differences) = match &encoding {
        Some(Object::Name(name)) => (Some(name.clone()), Vec::new()),
        Some(Object::Dict(encoding)) => {
            let base = encoding.get("BaseEncoding").and_then(Object::name).map(<[u8]>::to_vec);
            let differences = file.get(encoding, "Differences");
            (base, differences.as_ref().and_then(Object::array).unwrap_or_default().to_vec())
        }
        _ => (None, Vec::new()),
    };
    let is_symbolic = [&b"Symbol"[..], b"ZapfDingbats"].iter().any(|symbolic| name.ends_with(symbolic));
    let mut table: Vec<Option<char>> = match &base {
        Some(base) => (0..=255).map(|code| in_base_encoding(base, code)).collect(),
        None if is_symbolic => vec![None; 256],
        None => (0..=255).map(|code| in_base_encoding(b"StandardEncoding", code)).collect(),
    };
    if base.is_none()
        && let Some(own) = own_encoding(file, dict)
    {
        table = own;
    }
    let mut code = 0_usize;
    for object in &differences {
        match file.resolve(object) {
            Object::Number(number) => code = number.clamp(0.0, 255.0) as usize,
            Object::Name(glyph) => {
                if let Some(place) = table.get_mut(code) {
                    *place = character_of_glyph(&glyph).or_else(|| numbered(&glyph, code));
                }
                code += 1;
            }
            _ => {}
        }
    }
    table
}

/// TeX's bitmap fonts name their glyphs by their codes, which are those of ASCII: `a65`.
fn numbered(glyph: &[u8], code: usize) -> Option<char> {
    let (first, digits) = glyph.split_first()?;
    let number: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let is_own = first.is_ascii_alphabetic() && number == code && (33..=126).contains(&code);
    is_own.then(|| char::from(code as u8))
}

/// The encoding that a Type 1 font program has in its readable part: `dup 65 /A put`.
fn own_encoding(file: &mut File<'_>, dict: &Dict) -> Option<Vec<Option<char>>> {
    const HEAD_BYTES: usize = 64 * 1024;
    let descriptor = file.dict(dict, "FontDescriptor")?;
    let program = file.unpack(descriptor.get("FontFile")?)?;
    let head = String::from_utf8_lossy(&program[..program.len().min(HEAD_BYTES)]).into_owned();
    let encoding = head.split_once("/Encoding")?.1;
    if encoding.trim_start().starts_with("StandardEncoding") {
        return None;
    }
    let mut table = vec![None; 256];
    for entry in encoding.split("dup ").skip(1).take(256) {
        let mut words = entry.split_whitespace();
        let (Some(code), Some(glyph)) = (words.next(), words.next()) else { continue };
        let (Ok(code), Some(glyph)) = (code.parse::<usize>(), glyph.strip_prefix('/')) else { break };
        if let Some(place) = table.get_mut(code) {
            *place = character_of_glyph(glyph.as_bytes());
        }
    }
    Some(table)
}

/// The widths of a composite font: `[12 [500 600] 20 30 700]`.
fn composite_widths(file: &File<'_>, font: &Dict) -> Vec<(u32, u32, f64)> {
    const MAX_WIDTHS: usize = 100_000;
    let mut widths = Vec::new();
    let listed = file.get(font, "W");
    let listed = listed.as_ref().and_then(Object::array).unwrap_or_default();
    let mut at = 0;
    while at + 1 < listed.len() && widths.len() < MAX_WIDTHS {
        let Some(first) = listed[at].number() else { break };
        let first = first.clamp(0.0, 65_535.0) as u32;
        match file.resolve(&listed[at + 1]) {
            Object::Array(each) => {
                for (code, width) in (first..).zip(each.iter().take(MAX_WIDTHS)) {
                    widths.extend(width.number().map(|width| (code, code, width)));
                }
                at += 2;
            }
            Object::Number(last) => {
                let Some(width) = listed.get(at + 2).and_then(Object::number) else { break };
                widths.push((first, last.clamp(0.0, 65_535.0) as u32, width));
                at += 3;
            }
            _ => break,
        }
    }
    widths.sort_by_key(|(first, ..)| *first);
    widths
}

//! Names of glyphs, and the encodings that fonts name.

use encoding_rs::{MACINTOSH, WINDOWS_1252};

/// The character of a glyph, by Adobe's names: `A`, `eacute`, `uni20AC`, `f_i`, `comma.alt`.
pub(super) fn character_of_glyph(name: &[u8]) -> Option<char> {
    let name = std::str::from_utf8(name).ok()?;
    let name = name.split('.').next().filter(|stem| !stem.is_empty())?;
    let mut characters = name.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        return Some(only);
    }
    if let Some(found) = named(name) {
        return Some(found);
    }
    let hexadecimal =
        |digits: &str| (4..=6).contains(&digits.len()).then(|| u32::from_str_radix(digits, 16).ok()).flatten();
    let number = name
        .strip_prefix("uni")
        .and_then(|digits| hexadecimal(digits.get(..4)?))
        .or_else(|| hexadecimal(name.strip_prefix('u')?));
    number.and_then(char::from_u32).or_else(|| accented(name))
}

fn named(name: &str) -> Option<char> {
    NAMES.binary_search_by_key(&name, |(known, _)| known).ok().map(|at| NAMES[at].1)
}

/// A letter and the name of its accent: `Odieresis`.
fn accented(name: &str) -> Option<char> {
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let row = ACCENTS.iter().find(|(accent, ..)| *accent == &name[1..])?;
    row.1.split(' ').find_map(|pair| {
        let mut pair = pair.chars();
        (pair.next() == Some(letter)).then(|| pair.next()).flatten()
    })
}

/// The character of a code in an encoding that PDF defines.
pub(super) fn in_base_encoding(encoding: &[u8], code: u8) -> Option<char> {
    let decoded = |encoding: &'static encoding_rs::Encoding| {
        let text = encoding.decode_without_bom_handling(std::slice::from_ref(&code)).0;
        text.chars().next().filter(|c| !c.is_control() && *c != '\u{fffd}')
    };
    match (encoding, code) {
        (_, 0..=31) => None,
        (b"MacRomanEncoding", _) => decoded(MACINTOSH),
        (b"WinAnsiEncoding", _) => decoded(WINDOWS_1252),
        (_, b'\'') => Some('’'),
        (_, b'`') => Some('‘'),
        (_, 32..=126) => Some(char::from(code)),
        _ => STANDARD.binary_search_by_key(&code, |(known, _)| *known).ok().map(|at| STANDARD[at].1),
    }
}

/// The upper half of Adobe's standard encoding.
#[rustfmt::skip]
const STANDARD: [(u8, char); 54] = [
    (161, '¡'), (162, '¢'), (163, '£'), (164, '⁄'), (165, '¥'), (166, 'ƒ'), (167, '§'), (168, '¤'), (169, '\''), (170, '“'), (171, '«'),
    (172, '‹'), (173, '›'), (174, 'ﬁ'), (175, 'ﬂ'), (177, '–'), (178, '†'), (179, '‡'), (180, '·'), (182, '¶'), (183, '•'), (184, '‚'),
    (185, '„'), (186, '”'), (187, '»'), (188, '…'), (189, '‰'), (191, '¿'), (193, '`'), (194, '´'), (195, 'ˆ'), (196, '˜'), (197, '¯'),
    (198, '˘'), (199, '˙'), (200, '¨'), (202, '˚'), (203, '¸'), (205, '˝'), (206, '˛'), (207, 'ˇ'), (208, '—'), (225, 'Æ'), (227, 'ª'),
    (232, 'Ł'), (233, 'Ø'), (234, 'Œ'), (235, 'º'), (241, 'æ'), (245, 'ı'), (248, 'ł'), (249, 'ø'), (250, 'œ'), (251, 'ß'),
];

#[rustfmt::skip]
const ACCENTS: [(&str, &str); 12] = [
    ("acute", "aá cć eé gǵ ií kḱ lĺ mḿ nń oó pṕ rŕ sś uú wẃ yý zź AÁ CĆ EÉ GǴ IÍ KḰ LĹ MḾ NŃ OÓ PṔ RŔ SŚ UÚ WẂ YÝ ZŹ"),
    ("grave", "aà eè iì nǹ oò uù wẁ yỳ AÀ EÈ IÌ NǸ OÒ UÙ WẀ YỲ"),
    ("circumflex", "aâ cĉ eê gĝ hĥ iî jĵ oô sŝ uû wŵ yŷ zẑ AÂ CĈ EÊ GĜ HĤ IÎ JĴ OÔ SŜ UÛ WŴ YŶ ZẐ"),
    ("dieresis", "aä eë hḧ iï oö tẗ uü wẅ xẍ yÿ AÄ EË HḦ IÏ OÖ UÜ WẄ XẌ YŸ"),
    ("tilde", "aã eẽ iĩ nñ oõ uũ vṽ yỹ AÃ EẼ IĨ NÑ OÕ UŨ VṼ YỸ"),
    ("ring", "aå uů wẘ yẙ AÅ UŮ"),
    ("cedilla", "cç dḑ eȩ gģ hḩ kķ lļ nņ rŗ sş tţ CÇ DḐ EȨ GĢ HḨ KĶ LĻ NŅ RŖ SŞ TŢ"),
    ("caron", "aǎ cč dď eě gǧ hȟ iǐ jǰ kǩ lľ nň oǒ rř sš tť uǔ zž AǍ CČ DĎ EĚ GǦ HȞ IǏ KǨ LĽ NŇ OǑ RŘ SŠ TŤ UǓ ZŽ"),
    ("macron", "aā eē gḡ iī oō uū yȳ AĀ EĒ GḠ IĪ OŌ UŪ YȲ"),
    ("breve", "aă eĕ gğ iĭ oŏ uŭ AĂ EĔ GĞ IĬ OŎ UŬ"),
    ("ogonek", "aą eę iį oǫ uų AĄ EĘ IĮ OǪ UŲ"),
    ("dotaccent", "aȧ bḃ cċ dḋ eė fḟ gġ hḣ mṁ nṅ oȯ pṗ rṙ sṡ tṫ wẇ xẋ yẏ zż AȦ BḂ CĊ DḊ EĖ FḞ GĠ HḢ Iİ MṀ NṄ OȮ PṖ RṘ SṠ TṪ WẆ XẊ YẎ ZŻ"),
];

/// Names that are neither a letter, nor a code, nor a letter with an accent. In byte order.
#[rustfmt::skip]
const NAMES: [(&str, char); 266] = [
    ("AE", 'Æ'), ("Alpha", 'Α'), ("Beta", 'Β'), ("Chi", 'Χ'), ("Dcroat", 'Đ'), ("Delta", 'Δ'), ("Epsilon", 'Ε'), ("Eta", 'Η'), ("Eth", 'Ð'),
    ("Euro", '€'), ("Gamma", 'Γ'), ("Gcommaaccent", 'Ģ'), ("Hbar", 'Ħ'), ("IJ", 'Ĳ'), ("Iota", 'Ι'), ("Kappa", 'Κ'), ("Kcommaaccent", 'Ķ'),
    ("Lambda", 'Λ'), ("Lcommaaccent", 'Ļ'), ("Lslash", 'Ł'), ("Mu", 'Μ'), ("Ncommaaccent", 'Ņ'), ("Nu", 'Ν'), ("OE", 'Œ'),
    ("Ohungarumlaut", 'Ő'), ("Omega", 'Ω'), ("Omicron", 'Ο'), ("Oslash", 'Ø'), ("Phi", 'Φ'), ("Pi", 'Π'), ("Psi", 'Ψ'),
    ("Rcommaaccent", 'Ŗ'), ("Rho", 'Ρ'), ("Scommaaccent", 'Ș'), ("Sigma", 'Σ'), ("Tau", 'Τ'), ("Tcommaaccent", 'Ț'), ("Theta", 'Θ'),
    ("Thorn", 'Þ'), ("Uhungarumlaut", 'Ű'), ("Upsilon", 'Υ'), ("Xi", 'Ξ'), ("Zeta", 'Ζ'), ("acute", '´'), ("ae", 'æ'), ("aleph", 'ℵ'),
    ("alpha", 'α'), ("ampersand", '&'), ("angbracketleft", '⟨'), ("angbracketright", '⟩'), ("angle", '∠'), ("approxequal", '≈'),
    ("arrowboth", '↔'), ("arrowdblboth", '⇔'), ("arrowdblleft", '⇐'), ("arrowdblright", '⇒'), ("arrowdown", '↓'), ("arrowleft", '←'),
    ("arrowright", '→'), ("arrowup", '↑'), ("asciicircum", '^'), ("asciitilde", '~'), ("asterisk", '*'), ("asteriskmath", '∗'), ("at", '@'),
    ("backslash", '\\'), ("bar", '|'), ("bardbl", '‖'), ("beta", 'β'), ("braceleft", '{'), ("braceright", '}'), ("bracketleft", '['),
    ("bracketright", ']'), ("breve", '˘'), ("brokenbar", '¦'), ("bullet", '•'), ("caron", 'ˇ'), ("cedilla", '¸'), ("cent", '¢'),
    ("check", '✓'), ("checkmark", '✓'), ("chi", 'χ'), ("circlemultiply", '⊗'), ("circleplus", '⊕'), ("circumflex", 'ˆ'), ("colon", ':'),
    ("comma", ','), ("compwordmark", '\u{200c}'), ("congruent", '≅'), ("copyright", '©'), ("currency", '¤'), ("dagger", '†'),
    ("daggerdbl", '‡'), ("dcroat", 'đ'), ("degree", '°'), ("delta", 'δ'), ("dieresis", '¨'), ("divide", '÷'), ("dollar", '$'),
    ("dotaccent", '˙'), ("dotlessi", 'ı'), ("dotlessj", 'ȷ'), ("dotmath", '⋅'), ("eight", '8'), ("element", '∈'), ("ellipsis", '…'),
    ("emdash", '—'), ("emptyset", '∅'), ("endash", '–'), ("epsilon", 'ε'), ("epsilon1", 'ε'), ("equal", '='), ("equivalence", '≡'),
    ("eta", 'η'), ("eth", 'ð'), ("exclam", '!'), ("exclamdown", '¡'), ("existential", '∃'), ("ff", 'ﬀ'), ("ffi", 'ﬃ'), ("ffl", 'ﬄ'),
    ("fi", 'ﬁ'), ("five", '5'), ("fl", 'ﬂ'), ("florin", 'ƒ'), ("four", '4'), ("fraction", '⁄'), ("gamma", 'γ'), ("gcommaaccent", 'ģ'),
    ("germandbls", 'ß'), ("gradient", '∇'), ("grave", '`'), ("greater", '>'), ("greaterequal", '≥'), ("greatermuch", '≫'),
    ("guillemotleft", '«'), ("guillemotright", '»'), ("guilsinglleft", '‹'), ("guilsinglright", '›'), ("hbar", 'ħ'), ("hungarumlaut", '˝'),
    ("hyphen", '-'), ("hyphenchar", '-'), ("ij", 'ĳ'), ("infinity", '∞'), ("integral", '∫'), ("intersection", '∩'), ("iota", 'ι'),
    ("kappa", 'κ'), ("kcommaaccent", 'ķ'), ("lambda", 'λ'), ("lcommaaccent", 'ļ'), ("less", '<'), ("lessequal", '≤'), ("lessmuch", '≪'),
    ("logicaland", '∧'), ("logicalnot", '¬'), ("logicalor", '∨'), ("longs", 'ſ'), ("lozenge", '◊'), ("lslash", 'ł'), ("macron", '¯'),
    ("minus", '−'), ("minute", '′'), ("mu", 'µ'), ("multiply", '×'), ("napostrophe", 'ŉ'), ("nbspac", '='), ("nbspace", ' '),
    ("ncommaaccent", 'ņ'), ("nine", '9'), ("notelement", '∉'), ("notequal", '≠'), ("nu", 'ν'), ("numbersign", '#'), ("oe", 'œ'),
    ("ogonek", '˛'), ("ohungarumlaut", 'ő'), ("omega", 'ω'), ("omicron", 'ο'), ("one", '1'), ("onehalf", '½'), ("onequarter", '¼'),
    ("onesuperior", '¹'), ("openbullet", '◦'), ("ordfeminine", 'ª'), ("ordmasculine", 'º'), ("oslash", 'ø'), ("paragraph", '¶'),
    ("parenleft", '('), ("parenright", ')'), ("partialdiff", '∂'), ("percent", '%'), ("period", '.'), ("periodcentered", '·'),
    ("perpendicular", '⊥'), ("perthousand", '‰'), ("phi", 'φ'), ("phi1", 'ϕ'), ("pi", 'π'), ("plus", '+'), ("plusminus", '±'),
    ("prime", '′'), ("product", '∏'), ("propersubset", '⊂'), ("propersuperset", '⊃'), ("proportional", '∝'), ("psi", 'ψ'),
    ("question", '?'), ("questiondown", '¿'), ("quotedbl", '"'), ("quotedblbase", '„'), ("quotedblleft", '“'), ("quotedblright", '”'),
    ("quoteleft", '‘'), ("quoteright", '’'), ("quotesinglbase", '‚'), ("quotesingle", '\''), ("radical", '√'), ("rcommaaccent", 'ŗ'),
    ("reflexsubset", '⊆'), ("reflexsuperset", '⊇'), ("registered", '®'), ("rho", 'ρ'), ("ring", '˚'), ("scommaaccent", 'ș'),
    ("second", '″'), ("section", '§'), ("semicolon", ';'), ("seven", '7'), ("sfthyphen", '-'), ("sigma", 'σ'), ("sigma1", 'ς'),
    ("similar", '∼'), ("similarequal", '≃'), ("six", '6'), ("slash", '/'), ("softhyphen", '-'), ("space", ' '), ("square", '□'),
    ("star", '☆'), ("sterling", '£'), ("summation", '∑'), ("tau", 'τ'), ("tcommaaccent", 'ț'), ("therefore", '∴'), ("theta", 'θ'),
    ("theta1", 'ϑ'), ("thorn", 'þ'), ("three", '3'), ("threequarters", '¾'), ("threesuperior", '³'), ("tilde", '˜'), ("trademark", '™'),
    ("two", '2'), ("twosuperior", '²'), ("uhungarumlaut", 'ű'), ("underscore", '_'), ("union", '∪'), ("universal", '∀'), ("upsilon", 'υ'),
    ("visiblespace", '␣'), ("xi", 'ξ'), ("yen", '¥'), ("zero", '0'), ("zeta", 'ζ'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i20_formats_glyphs_are_characters() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| *name) && STANDARD.is_sorted_by_key(|(code, _)| *code));
        let check = |name: &str, expected| assert_eq!(character_of_glyph(name.as_bytes()), expected, "{name}");
        check("A", Some('A'));
        check("eacute", Some('é'));
        check("Scaron", Some('Š'));
        check("uni20AC", Some('€'));
        check("u1F600", Some('😀'));
        check("comma.alt", Some(','));
        check("fi", Some('ﬁ'));
        check("alpha", Some('α'));
        check("g123", None);
        check(".notdef", None);
        assert_eq!(in_base_encoding(b"WinAnsiEncoding", 0x80), Some('€'));
        assert_eq!(in_base_encoding(b"MacRomanEncoding", 0x8e), Some('é'));
        assert_eq!(in_base_encoding(b"StandardEncoding", 174), Some('ﬁ'));
    }
}

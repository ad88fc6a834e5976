//! Bytes as text. UTF-8 is read; of anything else, the likely encoding is named, and the command that converts it.

use crate::loaded::Refused;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// The text of bytes that must be UTF-8.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, Refused> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(other_encoding("it is UTF-16, not UTF-8".to_owned(), "UTF-16"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        if let Some(name) = utf_16_without_mark(&bytes) {
            return Err(other_encoding(format!("it seems to be {name}, not UTF-8"), name));
        }
        let what = format!("it is not text: byte {at} is NUL");
        return Err(Refused::new("binary", what, "exclude it, or convert it to text first"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let name = guess(error.as_bytes());
        other_encoding(format!("it is not valid UTF-8 at byte {at}; it seems to be {name}"), name)
    })
}

/// The text of a page, by the encoding that it names if it is not UTF-8.
pub(crate) fn decode_html(bytes: Vec<u8>) -> Result<String, Refused> {
    const HEAD_BYTES: usize = 4096;
    if std::str::from_utf8(&bytes).is_ok() || bytes.contains(&0) {
        return decode(bytes);
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]).to_ascii_lowercase();
    let named = head.split("charset=").nth(1).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
    let named = named.and_then(|rest| rest.split(['"', '\'', ' ', '>', ';', '/']).next());
    match named.and_then(|name| Encoding::for_label(name.as_bytes())) {
        Some(encoding) if encoding != encoding_rs::UTF_8 => {
            Ok(encoding.decode_without_bom_handling(&bytes).0.into_owned())
        }
        _ => decode(bytes),
    }
}

/// The most likely encoding of bytes that are not UTF-8, as `iconv` calls it.
fn guess(bytes: &[u8]) -> &'static str {
    const ENOUGH_BYTES: usize = 1024 * 1024;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(ENOUGH_BYTES)], true);
    match detector.guess(None, Utf8Detection::Deny).name() {
        "Shift_JIS" => "SHIFT_JIS",
        "EUC-KR" => "CP949",
        "Big5" => "BIG5-HKSCS",
        "ISO-8859-8-I" => "ISO-8859-8",
        "x-mac-cyrillic" => "MAC-CYRILLIC",
        "macintosh" => "MACINTOSH",
        "x-user-defined" | "replacement" | "UTF-8" => "WINDOWS-1252",
        name => upper(name),
    }
}

/// `iconv` accepts both cases, people read capitals.
fn upper(name: &'static str) -> &'static str {
    match name {
        "windows-1250" => "WINDOWS-1250",
        "windows-1251" => "WINDOWS-1251",
        "windows-1252" => "WINDOWS-1252",
        "windows-1253" => "WINDOWS-1253",
        "windows-1254" => "WINDOWS-1254",
        "windows-1255" => "WINDOWS-1255",
        "windows-1256" => "WINDOWS-1256",
        "windows-1257" => "WINDOWS-1257",
        "windows-1258" => "WINDOWS-1258",
        "windows-874" => "WINDOWS-874",
        name => name,
    }
}

/// Text in UTF-16 has its NUL bytes in every other place.
fn utf_16_without_mark(bytes: &[u8]) -> Option<&'static str> {
    let sample = &bytes[..bytes.len().min(4096)];
    let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let is_most = |zeros: usize| sample.len() >= 8 && zeros * 10 > sample.len() * 3;
    match (zeros(0), zeros(1)) {
        (0, odd) if is_most(odd) => Some("UTF-16LE"),
        (even, 0) if is_most(even) => Some("UTF-16BE"),
        _ => None,
    }
}

fn other_encoding(what: String, name: &str) -> Refused {
    Refused::new("not_utf8", what, format!("convert it first: iconv -f {name} -t UTF-8 OLD > NEW"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i20_formats_the_remedy_names_the_encoding() {
        let check = |label: &str, text: &str, expected: &str| {
            let (bytes, _, is_lossy) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
            assert!(!is_lossy);
            let refused = decode(bytes.into_owned()).unwrap_err().0;
            assert_eq!(
                (refused.code, refused.remedy),
                ("not_utf8", format!("convert it first: iconv -f {expected} -t UTF-8 OLD > NEW")),
                "{text}"
            );
        };
        check("gbk", "灯塔的灯每天晚上都要点亮，看守人负责清洁镜头。", "GBK");
        check("shift_jis", "灯台のランプは毎晩ともされます。レンズをきれいにします。", "SHIFT_JIS");
        check("euc-jp", "灯台のランプは毎晩ともされます。レンズをきれいにします。", "EUC-JP");
        check("euc-kr", "등대의 등불은 매일 밤 켜집니다. 등대지기가 렌즈를 닦습니다.", "CP949");
        check("big5", "燈塔的燈每天晚上都要點亮，看守人負責清潔鏡頭。", "BIG5-HKSCS");
        check("windows-1251", "Лампа маяка горит каждую ночь, смотритель чистит линзу.", "WINDOWS-1251");
        check("windows-1252", "Le phare est allumé chaque soir, même l’été à la marée.", "WINDOWS-1252");
        check("iso-8859-1", "caf\u{e9}", "WINDOWS-1252");
        check("windows-1250", "Světlo majáku svítí každou noc, protože lodě ho potřebují.", "WINDOWS-1250");
        let utf16: Vec<u8> = "a lamp".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(decode(utf16).unwrap_err().0.remedy.contains("UTF-16LE"));
        assert_eq!(decode(b"GIF89a\0\x01".to_vec()).unwrap_err().0.code, "binary");
        assert_eq!(decode("\u{feff}a".into()).unwrap(), "\u{feff}a", "the text is the file itself");
    }

    #[test]
    fn i20_formats_pages_are_decoded_as_they_say() {
        let page = |charset: &str, word: &[u8]| [format!("<meta charset=\"{charset}\"><p>").as_bytes(), word].concat();
        assert!(decode_html(page("windows-1251", b"\xcb\xe0\xec\xef\xe0")).unwrap().contains("Лампа"));
        assert!(decode_html(page("shift_jis", b"\x93\x94\x91\xe4")).unwrap().contains("灯台"));
        assert_eq!(decode_html(page("utf-8", b"\xe9")).unwrap_err().0.code, "not_utf8");
    }
}

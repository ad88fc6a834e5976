//! JSON of other systems, read record by record and field by field, and their times. Fields of a wrong type count as absent.

use recordar_domain::Timestamp;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;

pub(super) type Take<'a> = dyn FnMut(Value) -> ControlFlow<()> + 'a;

/// Passes on the elements of a list, or consecutive objects (JSONL). Only one record is held as
/// JSON at a time, as an export may have hundreds of megabytes.
pub(super) fn each(bytes: &[u8], take: &mut Take<'_>) -> Result<(), serde_json::Error> {
    let mut json = serde_json::Deserializer::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut is_enough = false;
    while json.end().is_err() {
        let read = Records { take, is_enough: &mut is_enough }.deserialize(&mut json);
        if is_enough {
            return Ok(());
        }
        read?;
    }
    Ok(())
}

/// Reads a file to its end without keeping anything: whether it is a list, or consecutive objects.
pub(super) fn skim(reader: impl Read) -> Result<(), serde_json::Error> {
    let mut json = serde_json::Deserializer::from_reader(reader);
    while json.end().is_err() {
        (&mut json).deserialize_any(Skim)?;
    }
    Ok(())
}

struct Skim;

impl<'de> Visitor<'de> for Skim {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

struct Records<'a, 'b> {
    take: &'a mut Take<'b>,
    is_enough: &'a mut bool,
}

impl Records<'_, '_> {
    fn hand_over<E: serde::de::Error>(&mut self, record: Value) -> Result<(), E> {
        *self.is_enough = (self.take)(record).is_break();
        // A visitor can stop early only with an error; `each` tells it from a real one by the flag.
        if *self.is_enough { Err(E::custom("enough")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Records<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Records<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(record) = list.next_element::<Value>()? {
            self.hand_over(record)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, object: A) -> Result<(), A::Error> {
        let record = Value::deserialize(MapAccessDeserializer::new(object)).map_err(A::Error::custom)?;
        self.hand_over(record)
    }
}

/// Replaces unpaired surrogate escapes (`\ud83d` alone), which some exports contain at cuts. serde_json would reject
/// the whole file for one.
pub(super) fn replace_unpaired_surrogates(bytes: &mut [u8]) {
    let unit = |bytes: &[u8], at: usize| -> Option<u16> {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(further) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        let found = at + further;
        at = found
            + match unit(bytes, found) {
                Some(0xd800..=0xdbff) if matches!(unit(bytes, found + 6), Some(0xdc00..=0xdfff)) => 12,
                Some(0xd800..=0xdfff) => {
                    bytes[found..found + 6].copy_from_slice(b"\\ufffd");
                    6
                }
                _ => 2,
            };
    }
}

/// The first of the fields with a text that is not blank.
pub(super) fn text<'a>(record: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().filter_map(|key| record.get(key)?.as_str()).find(|text| !text.trim().is_empty())
}

/// The first of the fields with an id: a text, or a whole number.
pub(super) fn id(record: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match record.get(key)? {
        Value::String(id) if !id.trim().is_empty() => Some(id.clone()),
        Value::Number(id) if !id.is_f64() => Some(id.to_string()),
        _ => None,
    })
}

pub(super) fn list<'a>(record: &'a Value, key: &str) -> &'a [Value] {
    record.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The fields that are not empty, unchanged.
pub(super) fn extras(record: &Value, keys: &[&str]) -> Map<String, Value> {
    let is_blank = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    let given = keys.iter().filter_map(|key| Some((*key, record.get(key)?)));
    given.filter(|(_, value)| !is_blank(value)).map(|(key, value)| (key.to_owned(), value.clone())).collect()
}

/// The first of the fields that exists, as a time; or as written, if it is not one.
pub(super) fn time(record: &Value, keys: &[&str]) -> Option<Result<Timestamp, String>> {
    let given = keys.iter().filter_map(|key| record.get(key));
    let value = given.into_iter().find(|value| !value.is_null() && value.as_str() != Some(""))?;
    let read = match value {
        Value::Number(seconds) => since_1970(&seconds.to_string()),
        Value::String(text) => written(text),
        _ => None,
    };
    Some(read.ok_or_else(|| value.to_string()))
}

fn written(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let zoned = text.strip_suffix(" UTC").map(|time| format!("{time}Z"));
    Timestamp::parse(zoned.as_deref().unwrap_or(text)).ok().or_else(|| since_1970(text))
}

/// Seconds as decimal digits. They are never multiplied as floating point numbers, so that microseconds stay what they were;
/// finer digits are cut off. Whole numbers too large for a year below 5000 are milliseconds.
fn since_1970(text: &str) -> Option<Timestamp> {
    const LAST_MICROS: i64 = 253_402_300_799_999_999;
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let (whole, fraction) = match whole.len() {
        13 if fraction.is_empty() => whole.split_at(10),
        _ => (whole, fraction),
    };
    let micros: String = fraction.chars().chain("000000".chars()).take(6).collect();
    let micros = whole.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(micros.parse().ok()?)?;
    (micros <= LAST_MICROS).then(|| Timestamp::from_micros(if is_negative { -micros } else { micros }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn import_times_are_exact_to_the_microsecond() {
        for (given, shown) in [
            (json!(1_704_067_200.123456), "2024-01-01T00:00:00.123456Z"),
            (json!(1_704_067_200.000001), "2024-01-01T00:00:00.000001Z"),
            (json!(1_699_999_999.999999), "2023-11-14T22:13:19.999999Z"),
            (json!(1_704_067_200), "2024-01-01T00:00:00Z"),
            (json!(1_704_067_200_250_i64), "2024-01-01T00:00:00.25Z"),
            (json!(-1.5), "1969-12-31T23:59:58.5Z"),
            (json!("1704067200.5"), "2024-01-01T00:00:00.5Z"),
            (json!("2024-01-01T01:00:00.123456+01:00"), "2024-01-01T00:00:00.123456Z"),
            (json!("2024-01-01 00:00:00.1234567"), "2024-01-01T00:00:00.123456Z"),
            (json!("2024-01-01 00:00:00 UTC"), "2024-01-01T00:00:00Z"),
        ] {
            assert_eq!(time(&json!({"t": given}), &["t"]).unwrap().unwrap().to_string(), shown, "{given}");
        }
        for given in [json!(1e300), json!("soon"), json!([1]), json!(99_999_999_999_999_i64), json!(true), json!(".")] {
            assert!(time(&json!({"t": given}), &["t"]).unwrap().is_err(), "{given}");
        }
        assert_eq!(time(&json!({"a": null, "b": ""}), &["a", "b", "c"]), None);
    }

    #[test]
    fn import_mends_halves_of_characters_and_nothing_else() {
        for (given, expected) in [
            (r#"["a\ud83d"]"#, r#"["a\ufffd"]"#),
            (r#"["\udc00\ud83d\n"]"#, r#"["\ufffd\ufffd\n"]"#),
            (r#"["\ud83d\ude00 \\ud83d"]"#, r#"["\ud83d\ude00 \\ud83d"]"#),
            (r#"["\ud83"#, r#"["\ud83"#),
        ] {
            let mut replaced = given.as_bytes().to_vec();
            replace_unpaired_surrogates(&mut replaced);
            assert_eq!(std::str::from_utf8(&replaced).unwrap(), expected, "{given}");
        }
    }

    #[test]
    fn import_reads_lists_and_lines_record_by_record() {
        for (given, expected) in [("[1, 2]", 2), ("{\"a\":1}\n{\"a\":2}\n\n", 2), ("[] [3]", 1), ("", 0)] {
            let mut seen = 0;
            let mut count = |_: Value| {
                seen += 1;
                ControlFlow::Continue(())
            };
            each(given.as_bytes(), &mut count).unwrap();
            assert_eq!(seen, expected, "{given}");
        }
        assert!(each(b"[{\"a\": 1}, oops", &mut |_| ControlFlow::Break(())).is_ok());
        let deep = "[".repeat(100_000);
        assert!(each(deep.as_bytes(), &mut |_| ControlFlow::Continue(())).is_err());
    }
}

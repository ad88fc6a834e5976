//! Streams of a PDF, unpacked within a budget that all streams of a file share.

use super::object::{Dict, Object};
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// Unpacks a stream. What is damaged is read as far as it goes; pictures and unknown ways of packing give `None`. Too large ones give nothing.
pub(super) fn unpacked(dict: &Dict, raw: &[u8], left: &mut usize) -> Option<Vec<u8>> {
    const MAX_FILTERS: usize = 4;
    let listed = |object: Option<&Object>| match object {
        Some(Object::Array(array)) => array.clone(),
        Some(object) => vec![object.clone()],
        None => Vec::new(),
    };
    let filters = listed(dict.get("Filter").or_else(|| dict.get("F")));
    let parameters = listed(dict.get("DecodeParms").or_else(|| dict.get("DP")));
    if filters.len() > MAX_FILTERS {
        return None;
    }
    let mut bytes = raw.to_vec();
    for (index, filter) in filters.iter().enumerate() {
        let parameters = parameters.get(index).and_then(Object::dict);
        bytes = match filter.name()? {
            b"FlateDecode" | b"Fl" => predicted(inflated(&bytes, *left), parameters),
            b"LZWDecode" | b"LZW" => predicted(lzw(&bytes, parameters, *left), parameters),
            b"ASCII85Decode" | b"A85" => ascii_85(&bytes),
            b"ASCIIHexDecode" | b"AHx" => hexadecimal(&bytes),
            b"RunLengthDecode" | b"RL" => run_lengths(&bytes, *left),
            _ => return None,
        };
        *left = left.saturating_sub(bytes.len());
    }
    (*left > 0).then_some(bytes)
}

fn inflated(bytes: &[u8], most: usize) -> Vec<u8> {
    let bytes = bytes.trim_ascii_start();
    let kept =
        |result: Result<Vec<u8>, miniz_oxide::inflate::DecompressError>| result.unwrap_or_else(|error| error.output);
    let with_header = kept(decompress_to_vec_zlib_with_limit(bytes, most));
    if with_header.is_empty() && bytes.len() > 2 {
        return kept(decompress_to_vec_with_limit(&bytes[2..], most));
    }
    with_header
}

/// Undoes the predictors of PNG, which xref and object streams use.
fn predicted(bytes: Vec<u8>, parameters: Option<&Dict>) -> Vec<u8> {
    let number = |key: &str, default: usize| {
        let value = parameters.and_then(|parameters| parameters.get(key)).and_then(Object::number);
        value.map_or(default, |value| value.clamp(0.0, 65_536.0) as usize)
    };
    if number("Predictor", 1) < 10 {
        return bytes;
    }
    let pixel = (number("Colors", 1) * number("BitsPerComponent", 8)).div_ceil(8).max(1);
    let width = (number("Columns", 1) * number("Colors", 1) * number("BitsPerComponent", 8)).div_ceil(8).max(1);
    let mut above = vec![0_u8; width];
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.chunks(width + 1) {
        let (kind, line) = (line[0], &line[1..]);
        let mut current = vec![0_u8; width];
        for (index, byte) in line.iter().enumerate() {
            let left = if index >= pixel { current[index - pixel] } else { 0 };
            let corner = if index >= pixel { above[index - pixel] } else { 0 };
            let up = above[index];
            let guess = match kind {
                1 => left,
                2 => up,
                3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                4 => paeth(left, up, corner),
                _ => 0,
            };
            current[index] = byte.wrapping_add(guess);
        }
        out.extend_from_slice(&current[..line.len()]);
        above = current;
    }
    out
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let guess = i32::from(left) + i32::from(up) - i32::from(corner);
    let distance = |value: u8| (guess - i32::from(value)).abs();
    [left, up, corner].into_iter().min_by_key(|value| distance(*value)).unwrap_or(0)
}

fn lzw(bytes: &[u8], parameters: Option<&Dict>, most: usize) -> Vec<u8> {
    let early = parameters.and_then(|parameters| parameters.get("EarlyChange")).and_then(Object::number) != Some(0.0);
    let mut out: Vec<u8> = Vec::new();
    // Each entry is a part of what was written.
    let mut table: Vec<(usize, usize)> = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let (mut buffer, mut bits, mut width) = (0_u32, 0_u32, 9_u32);
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        bits += 8;
        if bits < width {
            continue;
        }
        let code = ((buffer >> (bits - width)) & ((1 << width) - 1)) as usize;
        bits -= width;
        buffer &= (1 << bits) - 1;
        let start = out.len();
        match code {
            256 => {
                table.clear();
                (previous, width) = (None, 9);
                continue;
            }
            257 => break,
            0..=255 => out.push(code as u8),
            _ => match (table.get(code - 258).copied(), previous) {
                (Some((from, length)), _) => out.extend_from_within(from..from + length),
                (None, Some((from, length))) if code - 258 == table.len() => {
                    out.extend_from_within(from..from + length);
                    out.push(out[from]);
                }
                _ => break,
            },
        }
        if let Some((from, length)) = previous
            && table.len() < 4096 - 258
        {
            // The string before and the first byte of this one stand next to each other.
            table.push((from, length + 1));
        }
        previous = Some((start, out.len() - start));
        let next = table.len() + 258 + usize::from(early);
        width = if next >= 2048 {
            12
        } else if next >= 1024 {
            11
        } else if next >= 512 {
            10
        } else {
            9
        };
        if out.len() > most {
            break;
        }
    }
    out
}

fn ascii_85(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut group: Vec<u32> = Vec::with_capacity(5);
    let mut write = |group: &mut Vec<u32>| {
        let count = group.len();
        if count > 1 {
            group.resize(5, 84);
            let value = group.iter().fold(0_u32, |value, digit| value.wrapping_mul(85).wrapping_add(*digit));
            out.extend_from_slice(&value.to_be_bytes()[..count - 1]);
        }
        group.clear();
    };
    for byte in bytes {
        match byte {
            b'~' => break,
            b'z' if group.is_empty() => {
                group.extend([0; 5]);
                write(&mut group);
            }
            b'!'..=b'u' => {
                group.push(u32::from(byte - b'!'));
                if group.len() == 5 {
                    write(&mut group);
                }
            }
            _ => {}
        }
    }
    write(&mut group);
    out
}

fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    let digits = bytes.iter().take_while(|byte| **byte != b'>').filter_map(|byte| (*byte as char).to_digit(16));
    let digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] * 16 + pair.get(1).copied().unwrap_or(0)).collect()
}

fn run_lengths(bytes: &[u8], most: usize) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() && out.len() <= most {
        let length = usize::from(bytes[at]);
        match length {
            0..=127 => {
                let end = (at + 2 + length).min(bytes.len());
                out.extend_from_slice(&bytes[at + 1..end]);
                at = end;
            }
            128 => break,
            _ => {
                let byte = bytes.get(at + 1).copied().unwrap_or(0);
                out.resize(out.len() + 257 - length, byte);
                at += 2;
            }
        }
    }
    out
}

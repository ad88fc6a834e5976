//! Writes the tables of the two tokenizers counted with most, in the form in which they are read.
//!
//! tiktoken unpacks a vocabulary and compiles a regular expression on the first count, which takes longer than all the
//! rest of a short command. These tables need no preparation: they are part of the program, and only the pages that are
//! looked at are loaded. The same inputs give the same bytes.

use regex_syntax::hir::{Class, HirKind};
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

#[path = "src/text/quick_tokens/layout.rs"]
mod layout;

use layout::{BLOCK_CHARS, BLOCKS, EMPTY_SLOT, LENGTH_SHIFT, NO_TOKEN, PAIRS, TAG_SHIFT, class};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/text/quick_tokens/layout.rs");
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("characters.table"), characters()?)?;
    for name in ["o200k_base", "cl100k_base"] {
        fs::write(out.join(format!("{name}.table")), vocabulary(name)?)?;
    }
    Ok(())
}

/// Classes as the regular expressions of the tokenizers see them, from the tables of the same crate.
fn characters() -> Result<Vec<u8>, Box<dyn Error>> {
    let mut classes = vec![class::OTHER; BLOCKS * BLOCK_CHARS];
    // Line breaks are spaces too, so they come last.
    let patterns = [
        (r"[\p{Lu}\p{Lt}]", class::UPPER),
        (r"\p{Ll}", class::LOWER),
        (r"[\p{Lm}\p{Lo}]", class::CASELESS),
        (r"\p{M}", class::MARK),
        (r"\p{N}", class::NUMBER),
        (r"\s", class::SPACE),
        (r"[\r\n]", class::NEWLINE),
    ];
    for (pattern, class) in patterns {
        let parsed = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(set)) = parsed.kind() else {
            return Err(format!("{pattern} is not a class of characters").into());
        };
        for range in set.ranges() {
            classes[range.start() as usize..=range.end() as usize].fill(class);
        }
    }
    let mut different: Vec<&[u8]> = Vec::new();
    let mut table = Vec::new();
    for block in classes.chunks(BLOCK_CHARS) {
        let at = different.iter().position(|known| *known == block).unwrap_or_else(|| {
            different.push(block);
            different.len() - 1
        });
        table.push(u8::try_from(at)?);
    }
    table.extend(different.concat());
    Ok(table)
}

fn vocabulary(name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let encoding = tiktoken::get_encoding(name).ok_or("no such encoding")?;
    let tokens: Vec<Vec<u8>> =
        (0..u32::try_from(encoding.vocab_size())?).map(|rank| encoding.decode(&[rank])).collect();
    let mut pairs = vec![NO_TOKEN; PAIRS];
    // Half full: a token that is not there is missed after two or three slots, which nearly always lie side by side.
    let mut slots = vec![EMPTY_SLOT; tokens.len() * 2];
    let mut entries = Vec::new();
    for (rank, token) in tokens.iter().enumerate() {
        if let [first, second] = token[..] {
            pairs[layout::pair(first, second)] = u32::try_from(rank)?;
        }
        let hash = layout::hash(token);
        let mut slot = layout::first_slot(hash, slots.len());
        while slots[slot] != EMPTY_SLOT {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = u32::try_from(entries.len())? | layout::tag(hash) << TAG_SHIFT;
        let length = u8::try_from(token.len())?;
        // A rank without a token would mean that ranks have gaps, and that tokens above them were left out.
        if length == 0 || rank >> LENGTH_SHIFT != 0 {
            return Err(format!("{name}: token {rank} does not fit the table").into());
        }
        entries.extend((u32::try_from(rank)? | u32::from(length) << LENGTH_SHIFT).to_le_bytes());
        entries.extend(token);
    }
    if entries.len() >> TAG_SHIFT != 0 {
        return Err(format!("{name}: {} bytes of tokens do not fit the table", entries.len()).into());
    }
    let numbers = pairs.iter().copied().chain([u32::try_from(slots.len())?]).chain(slots.iter().copied());
    Ok(numbers.flat_map(u32::to_le_bytes).chain(entries).collect())
}

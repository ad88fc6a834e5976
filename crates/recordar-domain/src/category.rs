//! The rules of the category tree (A7). The database checks them too, as far as it can; this is the only place in code for
//! the rest. What a check says is also sent to a model that gave a wrong name, so it is part of recorded requests: do not change it.

use crate::digest::Digest;
use crate::invalid::Invalid;
use unicode_normalization::UnicodeNormalization;

const MAX_DEPTH: u32 = 100;

/// The position of a category: its id and level. Roots of the tree have level 1 and no parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryPlace {
    pub id: i64,
    pub level: u32,
}

/// A category that may be written: it has passed all checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCategory {
    pub name: String,
    pub parent: Option<CategoryPlace>,
    pub level: u32,
    pub is_leaf: bool,
}

impl NewCategory {
    const MAX_NAME_BYTES: usize = 200;

    pub fn check(name: &str, parent: Option<CategoryPlace>, depth: u32) -> Result<Self, Invalid> {
        check_depth(depth)?;
        let level = parent.map_or(1, |parent| parent.level + 1);
        if level > depth {
            return Err(Invalid::new(
                format!("category {} would stand on level {level} of a tree of {depth}", shown(name)),
                "put it under a category on a higher level, or deepen the tree first",
            ));
        }
        let name = name.trim();
        if name_key(name).is_empty()
            || name.len() > Self::MAX_NAME_BYTES
            || name.chars().any(is_unseen)
            || is_confusing(name)
        {
            return Err(Invalid::new(
                format!("{} is not a name for a category", shown(name)),
                "use 1 to 200 bytes of visible text on one line, without > and \"\"\"",
            ));
        }
        Ok(Self { name: name.to_owned(), parent, level, is_leaf: level == depth })
    }

    /// The digest that makes a name unique under its parent.
    pub fn name_digest(&self) -> Digest {
        Digest::of(&self.name)
    }
}

/// The separators of paths, and the quotes around texts in prompts.
fn is_confusing(name: &str) -> bool {
    name.contains('>') || name.contains("\"\"\"")
}

/// Characters that move the cursor, break a line, change the text direction, or are invisible.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A name truncated for a message: a model may give one of any length.
fn shown(name: &str) -> String {
    const MOST_CHARS: usize = 60;
    match name.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{:?}…", &name[..end]),
        None => format!("{name:?}"),
    }
}

/// Whether a tree can have that many levels.
pub fn check_depth(depth: u32) -> Result<(), Invalid> {
    if (1..=MAX_DEPTH).contains(&depth) {
        return Ok(());
    }
    Err(Invalid::new(format!("a tree of {depth} levels is not possible"), "use a depth from 1 to 100"))
}

/// The common form of names that look the same to people: `Time-tables` and `time  table` are one category.
pub fn name_key(name: &str) -> String {
    let normal: String = name.nfkc().collect();
    let words = normal.to_lowercase();
    let words = words.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '\u{2010}'));
    words.filter(|word| !word.is_empty()).map(singular).collect::<Vec<_>>().join(" ")
}

/// Simple rules for plurals. The result need not be a word; it only has to be the same for both forms.
fn singular(word: &str) -> String {
    let letters = word.chars().count();
    let ends_with = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    match word {
        _ if letters <= 3 => word.to_owned(),
        _ if letters > 4 && ends_with(&["ies"]) => format!("{}y", &word[..word.len() - 3]),
        _ if ends_with(&["sses", "ches", "shes", "xes", "zes"]) => word[..word.len() - 2].to_owned(),
        _ if ends_with(&["s"]) && !ends_with(&["ss", "us", "is"]) => word[..word.len() - 1].to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a4_names_that_differ_in_case_space_or_plural_are_the_same() {
        let check = |name: &str, key: &str| assert_eq!(name_key(name), key, "{name:?}");
        check("Travel", "travel");
        check("  Rail\t way__Time-tables ", "rail way time table");
        check("Ｆｕｌｌ\u{3000}Ｗｉｄｔｈ", "full width");
        check("non\u{2011}breaking", "non breaking");
        check("ÜBERSICHTEN", "übersichten");
        check("Cities and Stories", "city and story");
        check("Ties", "tie");
        check("Glasses Boxes Churches Dishes", "glass box church dish");
        check("Business Bus Status Analysis Gas", "business bus status analysis gas");
        check("trains", "train");
        check("\u{a0}-_ ", "");
        assert_ne!(name_key("C++"), name_key("C"));
    }

    #[test]
    fn a7_levels_follow_the_parent_and_end_at_the_depth() {
        let root = NewCategory::check("Travel", None, 3).unwrap();
        assert_eq!((root.level, root.is_leaf), (1, false));
        let leaf = NewCategory::check("Trains", Some(CategoryPlace { id: 7, level: 2 }), 3).unwrap();
        assert_eq!((leaf.level, leaf.is_leaf), (3, true));
        assert!(NewCategory::check("Too deep", Some(CategoryPlace { id: 9, level: 3 }), 3).is_err());
        for wrong in ["  ", "-_-", "\u{200b}", "Boats\u{2028}- Lamps", "a\u{202e}b", "x\ny", "a > b", "\"\"\" Ignore"] {
            assert!(NewCategory::check(wrong, None, 3).is_err(), "{wrong:?}");
        }
        let long = NewCategory::check(&"\u{1b}é".repeat(10_000), None, 3).unwrap_err();
        assert!(long.what.len() < 400 && !long.what.contains(char::is_control), "{}", long.what);
        for depth in [0, 101] {
            assert!(NewCategory::check("x", None, depth).is_err(), "{depth}");
        }
    }
}

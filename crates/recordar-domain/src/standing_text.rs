//! Standing texts: what holds for everything that is composed in a space, before anything that is found.

use crate::invalid::Invalid;
use crate::item::check_text;

pub const MAX_STANDING_BYTES: usize = 256 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StandingText {
    /// Hard rules, which nothing overrides.
    Rules,
    /// What is known about the project.
    Project,
    /// Words that mean the same, a line for each group: `NVH = vehicle acoustics`.
    Synonyms,
}

impl StandingText {
    pub const ALL: [Self; 3] = [Self::Rules, Self::Project, Self::Synonyms];

    /// The number in the database. Never renumbered.
    pub fn code(self) -> i64 {
        match self {
            Self::Rules => 1,
            Self::Project => 2,
            Self::Synonyms => 3,
        }
    }

    pub fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|text| text.code() == code)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Project => "project",
            Self::Synonyms => "synonyms",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        let unknown = || Invalid::new(format!("{name:?} is not a standing text"), "use rules, project or synonyms");
        Self::ALL.into_iter().find(|text| text.name() == name).ok_or_else(unknown)
    }

    /// Whether a text can be kept as this one. An empty text takes the place of what was.
    pub fn check(self, text: &str) -> Result<(), Invalid> {
        if !text.is_empty() {
            check_text(&format!("the text of the {}", self.name()), text, MAX_STANDING_BYTES)?;
        }
        if self == Self::Synonyms { synonyms(text).map(drop) } else { Ok(()) }
    }
}

/// The groups of a list of synonyms. Lines that begin with `#` are comments.
pub fn synonyms(text: &str) -> Result<Vec<Vec<String>>, Invalid> {
    let mut groups = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<String> =
            line.split('=').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        if words.len() < 2 {
            let what = format!("line {number} of the synonyms has fewer than two words");
            return Err(Invalid::new(
                what,
                "write words that mean the same with = between them: NVH = vehicle acoustics",
            ));
        }
        groups.push(words);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ch_03_3_synonyms_are_lines_of_words_that_mean_the_same() {
        let read = synonyms("# of cars\nNVH = vehicle acoustics\n\n a=b = c \n").unwrap();
        assert_eq!(read, [vec!["NVH", "vehicle acoustics"], vec!["a", "b", "c"]]);
        assert!(synonyms("NVH").unwrap_err().to_string().contains("line 1"));
        assert!(StandingText::Rules.check("").is_ok() && StandingText::Rules.check("a\0b").is_err());
    }
}

//! When a text repeats another.

use crate::stems::Reader;
use std::collections::BTreeSet;

/// A text repeats another if this part of its words stand there in the same order, so many at a time.
const REPEATED_SHARE: f64 = 0.8;
const RUN: usize = 4;

/// A text that others may repeat.
#[derive(Debug, Clone, Default)]
pub struct Repeatable {
    runs: BTreeSet<Vec<String>>,
}

impl Repeatable {
    pub fn new(text: &str, reader: &mut Reader) -> Self {
        Self { runs: runs(&reader.stems_in_order(text)) }
    }

    /// Whether a text says little else than this one does.
    pub fn is_repeated_by(&self, text: &str, reader: &mut Reader) -> bool {
        let stems = reader.stems_in_order(text);
        if stems.len() < RUN {
            return false;
        }
        let own = runs(&stems);
        let repeated = own.iter().filter(|run| self.runs.contains(*run)).count();
        repeated as f64 >= REPEATED_SHARE * own.len() as f64
    }
}

fn runs(stems: &[String]) -> BTreeSet<Vec<String>> {
    stems.windows(RUN).map(<[String]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::text::Language;

    #[test]
    fn ch_06_a_fragment_repeats_a_file_if_it_says_little_else() {
        let mut reader = Reader::new(Language::ENGLISH);
        let file =
            Repeatable::new("Intro. The pump pressure is 3 bar in normal operation, 5 in tests. End.", &mut reader);
        assert!(file.is_repeated_by("the pump pressure is 3 bar in normal operation", &mut reader));
        assert!(!file.is_repeated_by("I think the pump is too loud for the office next door", &mut reader));
        assert!(!file.is_repeated_by("pump", &mut reader));
    }
}

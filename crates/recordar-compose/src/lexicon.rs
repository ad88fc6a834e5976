//! Words that mean the same, as the owner of a space listed them: `NVH = vehicle acoustics`. They work both ways.

use crate::stems::Reader;

/// Groups of words or phrases that mean the same.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    /// Of each group, its members: as written, and as stems.
    groups: Vec<Vec<(String, Vec<String>)>>,
}

impl Lexicon {
    pub fn new(groups: &[Vec<String>], reader: &mut Reader) -> Self {
        let mut member = |written: &String| (written.clone(), reader.stems_in_order(written));
        let groups = groups.iter().map(|group| group.iter().map(&mut member).collect());
        Self { groups: groups.collect() }
    }

    /// The members of groups that a text has a member of, other than that one: as written.
    pub fn others(&self, stems: &[String]) -> Vec<&str> {
        let mut others = Vec::new();
        for group in &self.groups {
            let is_there = |(_, member): &(String, Vec<String>)| has_phrase(stems, member);
            if group.iter().any(is_there) {
                others.extend(group.iter().filter(|member| !is_there(member)).map(|(written, _)| written.as_str()));
            }
        }
        others
    }

    /// What stands for a word of a text: for each phrase that the word is part of, the stems of the others of its group.
    pub(crate) fn instead_of(&self, stem: &str, stems: &[String]) -> Vec<Vec<String>> {
        let mut instead = Vec::new();
        for group in &self.groups {
            let is_of = |(_, member): &&(String, Vec<String>)| {
                member.iter().any(|own| own == stem) && has_phrase(stems, member)
            };
            if group.iter().any(|member| is_of(&member)) {
                let others = group.iter().filter(|member| !is_of(member)).map(|(_, member)| member.clone());
                instead.extend(others.filter(|member| !member.is_empty()));
            }
        }
        instead
    }
}

fn has_phrase(stems: &[String], phrase: &[String]) -> bool {
    !phrase.is_empty() && stems.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::text::Language;

    #[test]
    fn ch_03_3_acronyms_and_their_meaning_stand_for_each_other() {
        let mut reader = Reader::new(Language::ENGLISH);
        let groups = [vec!["NVH".to_owned(), "vehicle acoustics".to_owned()], vec!["a".to_owned(), "b".to_owned()]];
        let lexicon = Lexicon::new(&groups, &mut reader);
        let check = |text: &str, expected: &[&str]| {
            let stems = Reader::new(Language::ENGLISH).stems_in_order(text);
            assert_eq!(lexicon.others(&stems), expected, "{text}");
        };
        check("What did we say about NVH?", &["vehicle acoustics"]);
        check("The acoustics of a vehicle", &[]);
        check("vehicle acoustics", &["NVH"]);
        let stems = reader.stems_in_order("vehicle acoustics");
        assert_eq!(lexicon.instead_of("vehicl", &stems), [vec!["nvh".to_owned()]]);
        assert!(lexicon.instead_of("nvh", &stems).is_empty());
    }
}

//! What an answer cites.

use std::collections::BTreeSet;

/// A number in brackets with more digits is no citation.
const MAX_DIGITS: usize = 4;

/// The numbers in brackets, such as [1] and [2, 3].
pub fn cited(answer: &str) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    for part in answer.split('[').skip(1) {
        let Some((inside, _)) = part.split_once(']') else { continue };
        let all: Option<Vec<usize>> = inside.split(',').map(|number| number_of(number.trim())).collect();
        numbers.extend(all.unwrap_or_default());
    }
    numbers
}

fn number_of(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.len() <= MAX_DIGITS && text.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_citations_are_numbers_in_brackets() {
        let check = |answer: &str, expected: &[usize]| {
            assert_eq!(cited(answer).into_iter().collect::<Vec<_>>(), expected, "{answer}");
        };
        check("It is so [2][1]. And [3, 4].", &[1, 2, 3, 4]);
        check("[a] [1; 2] [99999] [ 7 ] [", &[7]);
        check("none", &[]);
    }
}

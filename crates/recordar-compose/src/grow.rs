//! How excerpts grow into the room that is left: sentence by sentence around what is shown already, the best texts first. By numbers of sentences
//! alone, so that every text that is shown in part grows alike.

use std::ops::Range;

/// So many sentences are added behind an excerpt for each one before it: an answer is explained behind it more often.
const BEHIND_PER_BEFORE: usize = 2;

/// A text of which more and more is shown.
#[derive(Debug, Clone)]
pub struct Growing {
    /// The sentences that are shown.
    pub shown: Range<usize>,
    sentences: usize,
    /// How many were added behind what was shown at first, and before it.
    added: (usize, usize),
}

/// One sentence more of a text, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub at: usize,
    pub sentence: usize,
    pub tokens: usize,
}

impl Growing {
    pub fn new(shown: Range<usize>, sentences: usize) -> Self {
        Self { shown, sentences, added: (0, 0) }
    }

    /// The sentence that is added next.
    fn next(&self) -> Option<usize> {
        let before = self.shown.start.checked_sub(1);
        let behind = Some(self.shown.end).filter(|end| *end < self.sentences);
        match (before, behind) {
            (Some(before), Some(_)) if self.added.0 >= BEHIND_PER_BEFORE * (self.added.1 + 1) => Some(before),
            (before, behind) => behind.or(before),
        }
    }

    fn take(&mut self, sentence: usize) {
        if sentence < self.shown.start {
            (self.shown.start, self.added.1) = (sentence, self.added.1 + 1);
        } else {
            (self.shown.end, self.added.0) = (sentence + 1, self.added.0 + 1);
        }
    }

    /// The last sentence that was added is not shown after all.
    pub fn take_back(&mut self, sentence: usize) {
        if sentence == self.shown.start { self.shown.start += 1 } else { self.shown.end = sentence }
    }
}

/// Adds sentences while there are tokens left: all of the first text, then of the next. (Measured on two sets of documentation: sharing the room among
/// all texts first shows fewer answers.) `cost` says what a sentence of a text costs. Returns each step, so that the last ones can be taken back.
pub fn grow(
    growing: &mut [Growing],
    order: &[usize],
    mut left: usize,
    cost: impl Fn(usize, usize) -> usize,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for &at in order {
        while let Some(sentence) = growing[at].next() {
            let tokens = cost(at, sentence);
            if tokens > left {
                break;
            }
            left -= tokens;
            steps.push(Step { at, sentence, tokens });
            growing[at].take(sentence);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i42_the_best_text_grows_first_and_around_what_is_shown() {
        let mut growing = [Growing::new(2..3, 10), Growing::new(0..1, 3)];
        let steps = grow(&mut growing, &[1, 0], 165, |_, _| 50);
        let shown = growing.each_ref().map(|growing| growing.shown.clone());
        assert_eq!(shown, [2..4, 0..3], "the best one whole, then the next");
        assert_eq!(steps.iter().map(|step| step.at).collect::<Vec<_>>(), [1, 1, 0]);
        assert_eq!(steps[2], Step { at: 0, sentence: 3, tokens: 50 });
        growing[0].take_back(3);
        assert_eq!(growing[0].shown, 2..3);
        let mut alone = [Growing::new(4..5, 9)];
        grow(&mut alone, &[0], 6, |_, _| 1);
        assert_eq!(alone[0].shown, 2..9, "two behind for each before");
        grow(&mut alone, &[0], 100, |_, _| 1);
        assert_eq!(alone[0].shown, 0..9);
        assert!(grow(&mut [], &[], 9, |_, _| 1).is_empty());
    }
}

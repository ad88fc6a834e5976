//! Plain BM25 in memory: the baseline that a search is compared with, on the same items and in the same run.

use recordar_domain::text::{Language, Words};
use std::collections::HashMap;

/// The usual values (Robertson and Zaragoza, 2009; Lucene's defaults).
const BM25_K1: f64 = 1.2;
const BM25_B: f64 = 0.75;

/// An index of texts by the words that our own index has: the same stems, the same stop words.
pub(super) struct Bm25 {
    words: Words,
    ids: Vec<String>,
    lengths: Vec<f64>,
    /// For each stem the texts that contain it, and how often.
    postings: HashMap<Box<str>, Vec<(u32, u32)>>,
    average: f64,
}

impl Bm25 {
    pub(super) fn new<'a>(texts: impl Iterator<Item = (String, Vec<&'a str>)>, language: Language) -> Self {
        let mut index = Self {
            words: Words::new(language),
            ids: Vec::new(),
            lengths: Vec::new(),
            postings: HashMap::new(),
            average: 1.0,
        };
        for (id, parts) in texts {
            let number = index.ids.len() as u32;
            let mut length = 0.0;
            for part in parts {
                index.words.each(part, |_, stem| {
                    if stem.is_empty() {
                        return;
                    }
                    length += 1.0;
                    let found = index.postings.entry(stem.into()).or_default();
                    match found.last_mut() {
                        Some((last, count)) if *last == number => *count += 1,
                        _ => found.push((number, 1)),
                    }
                });
            }
            index.ids.push(id);
            index.lengths.push(length);
        }
        index.average = (index.lengths.iter().sum::<f64>() / index.lengths.len().max(1) as f64).max(1.0);
        index
    }

    /// The ids of the best texts, best first; earlier ones among equals. A word that the question repeats counts each time.
    pub(super) fn rank(&mut self, question: &str, depth: usize) -> Vec<String> {
        let mut asked: HashMap<Box<str>, f64> = HashMap::new();
        let mut order: Vec<Box<str>> = Vec::new();
        self.words.each(question, |_, stem| {
            if !stem.is_empty() {
                let times = asked.entry(stem.into()).or_insert_with(|| {
                    order.push(stem.into());
                    0.0
                });
                *times += 1.0;
            }
        });
        let mut scores = vec![0.0_f64; self.ids.len()];
        for stem in &order {
            let Some(found) = self.postings.get(stem) else { continue };
            let holding = found.len() as f64;
            let rarity = libm::log(1.0 + (self.ids.len() as f64 - holding + 0.5) / (holding + 0.5));
            for (text, count) in found {
                let (at, count) = (*text as usize, f64::from(*count));
                let length = 1.0 - BM25_B + BM25_B * self.lengths[at] / self.average;
                scores[at] += asked[stem] * rarity * count * (BM25_K1 + 1.0) / (count + BM25_K1 * length);
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|at| scores[*at] > 0.0).collect();
        let by_score = |one: &usize, other: &usize| scores[*other].total_cmp(&scores[*one]).then(one.cmp(other));
        if ranked.len() > depth {
            ranked.select_nth_unstable_by(depth, by_score);
            ranked.truncate(depth);
        }
        ranked.sort_unstable_by(by_score);
        ranked.into_iter().map(|at| self.ids[at].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i21_eval_bm25_is_that_of_the_textbook() {
        let texts = ["the lamp of the tower", "a lamp, a lamp and oil", "boats and nets"];
        let named = texts.iter().enumerate().map(|(at, text)| (format!("t{at}"), vec![*text]));
        let mut index = Bm25::new(named, Language::parse("english").unwrap());
        assert_eq!((index.lengths.clone(), index.average), (vec![2.0, 3.0, 2.0], 7.0 / 3.0));
        assert_eq!(index.rank("Which lamps?", 10), ["t1", "t0"]);
        assert_eq!(index.rank("tower lamp", 10), ["t0", "t1"]);
        assert_eq!(index.rank("tower lamp", 1), ["t0"]);
        // Said three times, oil outweighs the tower.
        assert_eq!(index.rank("tower oil oil oil", 1), ["t1"]);
        assert!(index.rank("the of and", 10).is_empty());
    }
}

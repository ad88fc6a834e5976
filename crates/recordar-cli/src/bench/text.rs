//! Text to measure with: made up, and always the same.

/// Sentences of words that are made of syllables and drawn by rank, so that few words are common and many rare.
pub(crate) struct Sentences {
    state: u64,
    words: Vec<String>,
}

impl Sentences {
    pub(crate) fn new(seed: u64) -> Self {
        Self::with_vocabulary(seed, 8000)
    }

    pub(crate) fn with_vocabulary(seed: u64, words: usize) -> Self {
        const SYLLABLES: [&str; 32] = [
            "an", "ber", "con", "de", "er", "for", "ga", "hu", "in", "jo", "ka", "lo", "mer", "ni", "or", "pre", "qui",
            "ra", "si", "ter", "un", "ver", "wa", "xi", "yo", "zu", "tion", "ment", "ing", "al", "ous", "ly",
        ];
        let mut sentences = Self { state: seed, words: Vec::new() };
        let common =
            ["the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "with", "as", "by", "at"];
        sentences.words.extend(common.map(str::to_owned));
        let mut known: std::collections::HashSet<String> = sentences.words.iter().cloned().collect();
        while known.len() < words {
            let syllables = 1 + sentences.below(4);
            let word: String = (0..syllables).map(|_| SYLLABLES[sentences.below(SYLLABLES.len())]).collect();
            if known.insert(word.clone()) {
                sentences.words.push(word);
            }
        }
        sentences
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // xorshift64*: good enough for text, the same everywhere.
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        ((self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % bound
    }

    /// Words that are no stop words of a language, the common ones as common as in real text (Zipf's law).
    pub(crate) fn content_word(&mut self) -> usize {
        let (first, last) = (40.0_f64, self.words.len() as f64);
        let unit = self.below(1 << 30) as f64 / (1 << 30) as f64;
        ((first.ln() + unit * (last.ln() - first.ln())).exp() as usize).min(self.words.len() - 1)
    }

    pub(crate) fn word(&self, number: usize) -> &str {
        &self.words[number]
    }

    /// A message of about 20 words, of which about a third are those that stand everywhere.
    pub(crate) fn message(&mut self) -> String {
        const EVERYWHERE: usize = 16;
        let mut text = String::with_capacity(160);
        for position in 0..14 + self.below(13) {
            if position > 0 {
                text.push(' ');
            }
            let word = if self.below(3) == 0 { self.below(EVERYWHERE) } else { self.content_word() };
            text.push_str(&self.words[word]);
        }
        text.push('.');
        text
    }

    pub(crate) fn paragraph(&mut self, text: &mut String) {
        for _ in 0..3 + self.below(5) {
            for position in 0..8 + self.below(12) {
                let rank = 1 + self.below(self.words.len());
                let chosen = self.below(rank);
                if position > 0 {
                    text.push(' ');
                }
                text.push_str(&self.words[chosen]);
            }
            text.push_str(". ");
        }
        text.push_str("\n\n");
    }
}

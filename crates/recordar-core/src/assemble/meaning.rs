//! How near a text is to a question in meaning, by the built-in vectors of words: for choosing the part of a passage that is shown, whichever
//! embedder searched for it.

use recordar_models::Embedder;

pub struct Meaning {
    embedder: Embedder,
    question: Vec<i8>,
}

impl Meaning {
    /// Of the words of a question that say what it is about.
    pub fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut embedder = Embedder::default();
        let question = embedder.embed_weighted(words.map(|word| (word, 1.0)));
        Self { embedder, question }
    }

    /// The cosine, from -1 to 1; 0 if one of them has no words.
    pub fn likeness(&mut self, text: &str) -> f64 {
        let own = self.embedder.embed(text);
        let product = |one: &[i8], other: &[i8]| {
            one.iter().zip(other).map(|(one, other)| i64::from(*one) * i64::from(*other)).sum::<i64>() as f64
        };
        let lengths = libm::sqrt(product(&own, &own)) * libm::sqrt(product(&self.question, &self.question));
        if lengths > 0.0 { product(&own, &self.question) / lengths } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i42_what_is_about_the_question_is_nearer_to_it() {
        let mut meaning = Meaning::of(["doctor", "hospital"].into_iter());
        let near = meaning.likeness("The nurse treats patients in the clinic.");
        assert!(near > meaning.likeness("The lamp is cleaned on Mondays."), "{near}");
        assert_eq!(meaning.likeness("…"), 0.0);
        assert_eq!(Meaning::of([].into_iter()).likeness("The lamp"), 0.0);
    }
}

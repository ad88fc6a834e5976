//! Words and phrases by what they do in a sentence, rather than what they mean. Those by what they mean are in `lists.txt`. English only.

/// Words that deny.
pub(super) const DENIALS: &[&str] = &[
    "not",
    "no",
    "never",
    "none",
    "without",
    "cannot",
    "nor",
    "neither",
    "nothing",
    "nobody",
    "forbidden",
    "prohibited",
    "banned",
    "unable",
    "impossible",
];

/// These deny nothing of what the sentence says.
pub(super) const NO_DENIALS: &[&str] = &[
    "not only",
    "not just",
    "no doubt",
    "whether or not",
    "or not",
    "no matter",
    "not necessarily",
    "nothing but",
    "after all",
];

/// These deny of all, not of each.
pub(super) const NOT_ALL: &[&str] = &["not all", "not every", "not always", "not everyone", "not both", "not each"];

/// What is said with these is said of all, or always.
pub(super) const GENERAL: &[&str] = &["all", "every", "each", "always", "any", "everyone", "both", "never", "nobody"];

/// Nothing else holds than what follows these.
pub(super) const CLOSED: &[&str] = &["only", "exactly", "solely", "exclusively", "consists"];

/// What is said with these holds under a condition, may hold, or holds of some.
pub(super) const CONDITIONS: &[&str] = &[
    "if",
    "unless",
    "whether",
    "when",
    "whenever",
    "would",
    "could",
    "might",
    "perhaps",
    "maybe",
    "probably",
    "should",
    "wanted",
    "hoped",
    "sometimes",
    "often",
    "some",
    "depending",
    "e.g",
];

/// What follows is a reason or a remark.
pub(super) const REMARKS: &[&str] = &[
    "because", "although", "though", "which", "while", "whereas", "so that", "due to", "owing to", "so", "but", ", we",
    ", they", ", it", ", he", ", she", ", i", ", you",
];

/// What follows these no longer holds, or is the exception.
pub(super) const REVOKES: &[&str] = &[
    "nobody but",
    "one but",
    "everyone but",
    "all but",
    "instead of",
    "rather than",
    "in place of",
    "except for",
    "except",
    "apart from",
];

/// These ask for something.
pub(super) const DEMANDS: &[&str] = &["must", "required", "requires", "require", "need", "needs", "needed", "minimum"];

/// These say what something is.
pub(super) const COPULAS: &[&str] = &["been", "is", "are", "was", "were", "isn't", "aren't", "be"];

/// These begin what is said of a subject.
pub(super) const AUXILIARIES: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "do",
    "does",
    "did",
    "will",
    "would",
    "can",
    "could",
    "must",
    "may",
    "might",
    "should",
    "shall",
    "cannot",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "hasn't",
    "haven't",
    "don't",
    "doesn't",
    "didn't",
    "won't",
    "can't",
    "mustn't",
    "been",
    "needn't",
    "be",
    "shouldn't",
];

/// Words that say nothing by themselves, besides those that nearly every sentence has.
pub(super) const EMPTY: &[&str] = &[
    "during", "against", "by", "for", "with", "behind", "near", "through", "over", "under", "about", "via", "mr",
    "mrs", "ms", "dr", "prof", "there", "is", "are", "was", "were", "be", "been", "being", "has", "have", "had",
    "having", "from", "until", "till", "since", "between", "per", "than", "which", "instead", "rather", "except",
    "contains", "contain", "am",
];

/// Behind these stands where something is, or where it goes.
pub(super) const PLACES: &[&str] = &["in", "on", "at", "to", "by", "into", "behind", "near"];

/// With these, one thing is meant that is known.
pub(super) const DEFINITE: &[&str] = &["the", "our", "my", "your", "his", "her", "its", "their"];

/// What a sentence that begins so is about stands elsewhere.
pub(super) const POINTING: &[&str] = &[
    "it", "this", "that", "these", "those", "they", "he", "she", "such", "default", "defaults", "example", "note",
    "here",
];

/// Behind these, a bare verb is one.
pub(super) const PRONOUNS: &[&str] = &["we", "they", "you", "i", "people"];

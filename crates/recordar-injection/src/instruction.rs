//! What is found.

use std::ops::Range;

/// A sentence that is an instruction to the model, with the evidence that its score was computed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Bytes of the original text, on character borders.
    pub span: Range<usize>,
    /// The names of the signals in the sentence, sorted. `signals.txt` says what they are.
    pub signals: Vec<&'static str>,
    /// The sum of their weights.
    pub score: u32,
}

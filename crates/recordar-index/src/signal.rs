//! The signals that a score is made of, and sets of them: what each contributes is measured by leaving it out.

use crate::score::Mode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The words of the item itself.
    Words,
    /// The vectors.
    Vectors,
    /// The neighbours in the thread or document.
    Neighbours,
    /// The whole thread or document.
    Thread,
    /// Who speaks, if the question asks for someone.
    Speaker,
    /// When it was, if the question asks for a time.
    Period,
}

impl Signal {
    pub const ALL: [Self; 6] =
        [Self::Words, Self::Vectors, Self::Neighbours, Self::Thread, Self::Speaker, Self::Period];

    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Vectors => "vectors",
            Self::Neighbours => "neighbours",
            Self::Thread => "thread",
            Self::Speaker => "speaker",
            Self::Period => "period",
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignalSet(u32);

impl SignalSet {
    pub fn of(signals: &[Signal]) -> Self {
        Self(signals.iter().fold(0, |set, signal| set | signal.bit()))
    }

    pub fn contains(self, signal: Signal) -> bool {
        self.0 & signal.bit() != 0
    }

    /// The mode of a search that goes without these signals: without words it is semantic, without vectors it goes by keywords.
    pub fn mode_without(self, mode: Mode) -> Mode {
        match mode {
            Mode::Hybrid if self.contains(Signal::Words) => Mode::Semantic,
            Mode::Hybrid if self.contains(Signal::Vectors) => Mode::Keyword,
            mode => mode,
        }
    }
}

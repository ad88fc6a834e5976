//! A text that an answer may rest on, and where it is from.

use super::chunk::SafeChunk;
use super::passage::SafePassage;
use super::text::SafeText;
use recordar_domain::{ItemKind, Timestamp};

/// One numbered passage of an answer's prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub source: SafeText,
    pub day: String,
    pub text: SafeText,
    /// What its sentences count in the built-in answer of an earlier receipt: the score if passages were reranked, otherwise the same for all.
    pub weight: u32,
    /// How well its passage fits the question, in millionths; the same for all where that is not known.
    pub score: u32,
    /// Who said it, and when, if it is a message.
    pub said: Option<Said>,
    /// The judge's logit of a message less that of what answers have at least, in thousandths.
    pub judged: Option<i64>,
    /// The sentence of a message that says by itself what the message says of the question, by the judge's opinion: its bytes.
    pub says: Option<(usize, usize)>,
    /// Whether it is a stored fact.
    pub is_fact: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// "user", "assistant" and the like.
    pub role: String,
    /// A named one.
    pub speaker: Option<String>,
    pub at: Timestamp,
}

impl Evidence {
    pub(crate) const FULL_WEIGHT: u32 = 1_000_000;

    /// The part of a passage that is shown.
    pub fn of_passage(passage: &SafePassage, is_reranked: bool) -> Self {
        let item = &passage.item;
        let source = match (item.source(), &item.speaker, &item.role) {
            (Some(document), ..) => format!("from {document}"),
            (None, Some(speaker), _) => format!("said by {speaker}"),
            (None, None, Some(role)) => format!("said by the {role}"),
            (None, None, None) => item.kind.name().to_owned(),
        };
        let evidence = Self::new(source, passage.section(), item.occurred_at, SafeText::cleared(passage.content()));
        let score = (passage.score.clamp(0.0, 1.0) * f64::from(Self::FULL_WEIGHT)) as u32;
        let role = item.role.clone().filter(|_| item.kind == ItemKind::Message);
        let said = role.map(|role| Said { role, speaker: item.speaker.clone(), at: item.occurred_at });
        let is_fact = item.kind == ItemKind::Fact;
        Self { score, weight: if is_reranked { score } else { evidence.weight }, said, is_fact, ..evidence }
    }

    pub fn of_chunk(chunk: &SafeChunk) -> Self {
        Self::in_the_place_of(chunk, chunk.text())
    }

    /// A summary, which was made of the chunk's cleared text.
    pub fn of_summary(chunk: &SafeChunk, summary: &str) -> Self {
        Self::in_the_place_of(chunk, SafeText::cleared(summary))
    }

    fn in_the_place_of(chunk: &SafeChunk, text: SafeText) -> Self {
        Self::new(format!("from {}", chunk.document), chunk.section.as_deref(), chunk.occurred_at, text)
    }

    /// What somebody gave with the call, for trying a model.
    pub fn given(source: &str, time: Timestamp, text: &str) -> Self {
        Self::new(source.to_owned(), None, time, SafeText::given(text))
    }

    fn new(mut source: String, section: Option<&str>, time: Timestamp, text: SafeText) -> Self {
        if let Some(section) = section {
            source.push_str(&format!(", {section}"));
        }
        let day = time.day();
        Self {
            source: SafeText::cleared(source),
            day,
            text,
            weight: Self::FULL_WEIGHT,
            score: Self::FULL_WEIGHT,
            said: None,
            judged: None,
            says: None,
            is_fact: false,
        }
    }

    /// With what the judge said of a passage, if that means anything for messages: `least` is how relevant those that answer are at least.
    pub fn judged_by(self, passage: &SafePassage, least: Option<f64>) -> Self {
        let opinion = passage.rerank.as_ref().and_then(|view| view.judge).filter(|_| self.said.is_some());
        let judged = opinion.zip(least).map(|(judge, least)| above(logit(judge), least));
        Self { judged, ..self }
    }
}

/// How far a judge's logit is above that of a share, in thousandths.
pub(crate) fn above(of: f64, share: f64) -> i64 {
    (1_000.0 * (of - logit(share))) as i64
}

fn logit(share: f64) -> f64 {
    let share = share.clamp(1e-9, 1.0 - 1e-9);
    libm::log(share / (1.0 - share))
}

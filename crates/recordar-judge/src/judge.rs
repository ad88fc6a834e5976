//! The door: what a model can be asked, whichever it is.

use crate::asset::CLASSES;
use crate::bert::Space;
use crate::error::JudgeError;
use crate::file::read_file;
use crate::folder::{FolderModel, FolderSpace};
use crate::kind::JudgeKind;
use crate::own::OwnModel;
use crate::workers::{Effort, run};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

static SHIPPED_BYTES: &[u8] = include_bytes!("../assets/judge.bin");
static SHIPPED: LazyLock<Result<Judge, JudgeError>> = LazyLock::new(|| {
    let own = OwnModel::read(Cow::Borrowed(SHIPPED_BYTES), Path::new("(in the program)"), false)?;
    Ok(Judge(Model::Own(Box::new(own)), SHIPPED_BYTES.len() as u64))
});

/// The largest file of a judge of ours.
const MAX_FILE_BYTES: u64 = 1 << 28;
/// The calibration number that entailment's logits are divided by.
const NLI_TEMPERATURE: &str = "nli_temperature";

/// The number that says how relevant a judge of ours finds the best candidate of a question that has an answer, at least.
const MIN_CONFIDENCE: &str = "min_confidence";
/// Measured for recordar-judge-6.3 (docs/judge.md), whose file does not say it.
const MEASURED_MIN_CONFIDENCE: f64 = 0.05;
/// The number that says how relevant it finds most passages that answer, and hardly any that are about something else; and what was measured
/// (docs/judge.md).
const CLEAR_CONFIDENCE: &str = "clear_confidence";
const MEASURED_CLEAR_CONFIDENCE: f64 = 0.2;

/// The number that says how relevant it finds messages that answer. Not known of judges that were not trained on that.
const SAID_CONFIDENCE: &str = "said_confidence";

/// How the score of a search and the logit of a reranker from a folder are mixed, in log-odds: `search + 0.15 · logit`.
///
/// Published rerankers are trained so that a logit above 0 means "relevant"; most lie between -10 and 10. With these numbers, a logit of 0
/// leaves the search's score as it is, so that `min_score` keeps its meaning; 10 makes 0.3 to 0.66, and -10 makes it 0.09. Our own
/// judge has twice the weight, which was measured for it.
static FOLDER_MIX: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    let mix = [("mix_search", 1.0), ("mix_judge", 0.15), ("mix_bias", 0.0)];
    mix.map(|(name, number)| (name.to_owned(), number)).into()
});

/// A model that judges. It can be shared between threads.
pub struct Judge(Model, u64);

enum Model {
    Own(Box<OwnModel>),
    Folder(Box<FolderModel>),
}

/// What the judge says about a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The higher, the more relevant. Not a probability: that takes calibration.
    pub logit: f32,
    /// The bytes of the passage that were read.
    pub bytes: Range<usize>,
    /// The number of tokens of the pair.
    pub tokens: usize,
}

/// What the judge says about a statement in the light of a premise.
#[derive(Debug, Clone, PartialEq)]
pub struct Entailment {
    /// Of entailment, neither, and contradiction. They sum to 1.
    pub probabilities: [f32; CLASSES],
    /// The bytes of the premise that were read.
    pub bytes: Range<usize>,
}

/// The memory of a thread that judges.
#[derive(Default)]
struct Desk {
    own: Space,
    folder: FolderSpace,
}

impl Judge {
    /// The judge that comes with the program. It is read on the first call.
    pub fn shipped() -> Result<&'static Self, JudgeError> {
        SHIPPED.as_ref().map_err(Clone::clone)
    }

    /// A judge of ours from a file that `scripts/pack-judge` wrote.
    pub fn from_file(path: &Path) -> Result<Self, JudgeError> {
        let bytes = read_file(path, MAX_FILE_BYTES)?;
        let size = bytes.len() as u64;
        Ok(Self(Model::Own(Box::new(OwnModel::read(Cow::Owned(bytes), path, true)?)), size))
    }

    /// A model from a folder: `model.onnx` (or `onnx/model.onnx`), `config.json`, `tokenizer.json`, and for embedders
    /// `1_Pooling/config.json` if there is one.
    ///
    /// For a model that is used for the first time. Damaged files are refused. A network that was made to do harm may still take
    /// much memory while it runs: take models from people you trust.
    pub fn from_folder(folder: &Path) -> Result<Self, JudgeError> {
        Self::of_folder(folder, None)
    }

    /// A model from a folder whose hash was kept when it was added. If a byte of its files is another, nothing is parsed.
    pub fn from_known_folder(folder: &Path, hash: &str) -> Result<Self, JudgeError> {
        Self::of_folder(folder, Some(hash))
    }

    fn of_folder(folder: &Path, hash: Option<&str>) -> Result<Self, JudgeError> {
        let model = FolderModel::load(folder, hash)?;
        let size = model.bytes();
        Ok(Self(Model::Folder(Box::new(model)), size))
    }

    /// The name that it was packed with, or the folder's.
    pub fn name(&self) -> &str {
        match &self.0 {
            Model::Own(own) => &own.header.name,
            Model::Folder(folder) => folder.name(),
        }
    }

    /// The sha256 of everything that it is, in hexadecimal digits. The same hash stands for the same results.
    pub fn hash(&self) -> &str {
        match &self.0 {
            Model::Own(own) => &own.hash,
            Model::Folder(folder) => folder.hash(),
        }
    }

    /// The size of its files.
    pub fn bytes(&self) -> u64 {
        self.1
    }

    pub fn kind(&self) -> JudgeKind {
        match &self.0 {
            Model::Own(_) => JudgeKind::Judge,
            Model::Folder(folder) => folder.kind(),
        }
    }

    /// From which data and by which steps it was made. Folders do not say.
    pub fn recipe(&self) -> Option<&str> {
        match &self.0 {
            Model::Own(own) => Some(&own.header.recipe),
            Model::Folder(_) => None,
        }
    }

    /// Numbers that were measured for it, by name: temperatures, weights of a mix. Nothing was measured for folders; their rerankers
    /// have a mix that is safe for most.
    pub fn calibration(&self) -> &BTreeMap<String, f64> {
        static NONE: BTreeMap<String, f64> = BTreeMap::new();
        match &self.0 {
            Model::Own(own) => &own.header.calibration,
            Model::Folder(folder) if folder.kind() == JudgeKind::Reranker => &FOLDER_MIX,
            Model::Folder(_) => &NONE,
        }
    }

    /// How relevant, from 0 to 1, the best candidate of a question that has an answer is at least. Not known for folders.
    pub fn min_confidence(&self) -> Option<f64> {
        self.measured(MIN_CONFIDENCE, MEASURED_MIN_CONFIDENCE)
    }

    /// How relevant, from 0 to 1, most passages that answer are at least. Not known for folders.
    pub fn clear_confidence(&self) -> Option<f64> {
        self.measured(CLEAR_CONFIDENCE, MEASURED_CLEAR_CONFIDENCE)
    }

    /// How relevant, from 0 to 1, the best message of a chat is at least, where one of them answers. Not known of all.
    pub fn said_confidence(&self) -> Option<f64> {
        match &self.0 {
            Model::Own(own) => own.header.calibration.get(SAID_CONFIDENCE).copied(),
            Model::Folder(_) => None,
        }
    }

    fn measured(&self, name: &str, measured: f64) -> Option<f64> {
        match &self.0 {
            Model::Own(own) => Some(own.header.calibration.get(name).copied().unwrap_or(measured)),
            Model::Folder(_) => None,
        }
    }

    /// How relevant each passage is to the question. If `effort.stop` ends it early, the result is shorter: the first
    /// passages are judged.
    pub fn relevance(&self, question: &str, passages: &[&str], effort: &Effort<'_>) -> Result<Vec<Judged>, JudgeError> {
        self.check(&[JudgeKind::Judge, JudgeKind::Reranker], "rank passages", "use a reranker, or the built-in judge")?;
        run(passages.len(), effort, |index, desk: &mut Desk| {
            let (logit, bytes, tokens) = match &self.0 {
                Model::Own(own) => own.relevance(question, passages[index], &mut desk.own)?,
                Model::Folder(folder) => folder.relevance(question, passages[index], &desk.folder)?,
            };
            Ok(Judged { logit, bytes, tokens })
        })
    }

    /// Whether the premise entails the hypothesis, says nothing about it, or contradicts it.
    pub fn entailment(&self, premise: &str, hypothesis: &str) -> Result<Entailment, JudgeError> {
        let mut results = self.entailments(&[(premise, hypothesis)], &Effort { threads: 1, ..Effort::default() })?;
        results.pop().ok_or_else(|| JudgeError::run(self.name(), "it was not run"))
    }

    /// As `entailment`, for many pairs of a premise and a hypothesis. A stop leaves the last ones out.
    pub fn entailments(&self, pairs: &[(&str, &str)], effort: &Effort<'_>) -> Result<Vec<Entailment>, JudgeError> {
        let remedy = "use an entailment model, or the built-in judge";
        self.check(&[JudgeKind::Judge, JudgeKind::Entailment], "judge statements", remedy)?;
        let temperature = self.calibration().get(NLI_TEMPERATURE).copied().unwrap_or(1.0);
        run(pairs.len(), effort, |index, desk: &mut Desk| {
            let (premise, hypothesis) = pairs[index];
            let (logits, bytes) = match &self.0 {
                Model::Own(own) => own.entailment(premise, hypothesis, &mut desk.own)?,
                Model::Folder(folder) => folder.entailment(premise, hypothesis, &desk.folder)?,
            };
            Ok(Entailment { probabilities: softmax(logits, temperature), bytes })
        })
    }

    /// The vectors of texts, each of length 1. A stop leaves the last ones out.
    pub fn embed(&self, texts: &[&str], effort: &Effort<'_>) -> Result<Vec<Vec<f32>>, JudgeError> {
        let (task, remedy) = ("make vectors", "use an embedder");
        self.check(&[JudgeKind::Embedder], task, remedy)?;
        run(texts.len(), effort, |index, desk: &mut Desk| match &self.0 {
            Model::Own(_) => Err(self.unfit(task, remedy)),
            Model::Folder(folder) => folder.embed(texts[index], &desk.folder),
        })
    }

    /// The bytes of a passage that would be judged for a question: all of it, or the window that shares most words with it.
    pub fn best_window(&self, question: &str, passage: &str) -> Result<Range<usize>, JudgeError> {
        match &self.0 {
            Model::Own(own) => Ok(own.window(question, passage)),
            Model::Folder(folder) => folder.window(question, passage),
        }
    }

    fn check(&self, kinds: &[JudgeKind], task: &'static str, remedy: &'static str) -> Result<(), JudgeError> {
        if kinds.contains(&self.kind()) { Ok(()) } else { Err(self.unfit(task, remedy)) }
    }

    fn unfit(&self, task: &'static str, remedy: &'static str) -> JudgeError {
        JudgeError::Unfit { model: self.name().to_owned(), kind: self.kind().describe(), task, remedy }
    }
}

/// In 64 bits, by functions that every machine computes alike.
fn softmax<const N: usize>(logits: [f32; N], temperature: f64) -> [f32; N] {
    let temperature = if temperature > 0.0 { temperature } else { 1.0 };
    let highest = logits.iter().fold(f32::NEG_INFINITY, |highest, logit| highest.max(*logit));
    let powers = logits.map(|logit| libm::exp((f64::from(logit) - f64::from(highest)) / temperature));
    let sum: f64 = powers.iter().sum();
    powers.map(|power| (power / sum) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_the_shipped_judge_is_whole_and_small_enough() {
        assert!(crate::asset::has_stored_hash(SHIPPED_BYTES));
        assert!(SHIPPED_BYTES.len() < 25_000_000);
        let judge = Judge::shipped().unwrap();
        assert_eq!(judge.relevance("who", &["it"], &Effort::default()).unwrap().len(), 1);
    }

    #[test]
    fn i22_the_shipped_judge_knows_an_answer_and_what_follows() {
        let judge = Judge::shipped().unwrap();
        let logit =
            |question: &str, passage: &str| judge.relevance(question, &[passage], &Effort::default()).unwrap()[0].logit;
        for (question, answer, other) in [
            (
                "When is the lens cleaned?",
                "Ada: I wipe the lens every Monday morning.",
                "Ben: The lens was made in Paris.",
            ),
            ("How do I undo a commit?", "git revert makes a commit that undoes another.", "git log lists commits."),
            ("Who moved to Lisbon?", "Ana: We live in Lisbon since May.", "Ana: My sister loves Rome."),
        ] {
            assert!(logit(question, answer) > logit(question, other), "{question}");
        }
        let entailed = |premise: &str, statement: &str| judge.entailment(premise, statement).unwrap().probabilities;
        let [follows, ..] = entailed("A man is sleeping on a bench.", "A person is asleep.");
        let [_, _, contradicts] = entailed("A man is sleeping on a bench.", "Nobody is asleep; the man is running.");
        assert!(follows > 0.5 && contradicts > 0.5, "{follows} {contradicts}");
    }

    #[test]
    fn i22_probabilities_sum_to_1_at_any_temperature() {
        for temperature in [0.0, 0.01, 1.0, 1e9] {
            let probabilities = softmax([900.0, -900.0, 3.0], temperature);
            assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{temperature}");
        }
    }
}

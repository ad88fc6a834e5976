//! Summarising texts, each to a target length. A summary that is too long is requested again on its own.

use crate::engine::Recordar;
use recordar_core::config::WhenAway;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::noun::method::{Method, ModelProblem};
use recordar_core::noun::summary::{Summary, TextToSummarise};
use recordar_core::reason::{LongText, SummariseTask, Task};
use recordar_domain::{Action, Invalid, MAX_TEXT_BYTES, Stage, Trace};
use recordar_llm::{CallReport, Error as ModelError, ErrorKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummariseResult {
    /// In the order of the texts.
    pub summaries: Vec<Summary>,
    pub method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    pub responses: Vec<CallReport>,
    pub trace: Trace,
}

/// How often summaries that are too long are requested again.
const MAX_RETRIES: usize = 1;
const MAX_TEXTS: usize = 1_000;

impl Recordar {
    /// Shortens each text to at most its target of characters.
    pub fn summarise(&self, texts: &[TextToSummarise]) -> Result<SummariseResult, Error> {
        let ids: BTreeSet<i64> = texts.iter().map(|text| text.id).collect();
        let is_wrong = |text: &TextToSummarise| text.target_chars == 0 || text.text.len() > MAX_TEXT_BYTES;
        if texts.is_empty() || texts.len() > MAX_TEXTS || ids.len() < texts.len() || texts.iter().any(is_wrong) {
            let remedy =
                "give 1 to 1,000 texts of up to 1 MiB, each with a unique id and a target of at least one character";
            return Err(Invalid::new("these texts cannot be summarised", remedy).into());
        }
        let operation = self.reasoning.operation();
        let reasoner = self.reasoning.reasoner(&operation);
        let most_output_tokens = self.reasoning.max_output_tokens();
        let long = |text: &TextToSummarise| LongText {
            id: text.id,
            text: SafeText::given(&text.text),
            target_chars: text.target_chars,
        };
        let texts: Vec<LongText> = texts.iter().map(long).collect();
        let texts = texts.as_slice();
        let done = reasoner.perform(&SummariseTask {
            chunks: texts,
            is_retry: false,
            is_length_checked: true,
            most_output_tokens,
        })?;
        let mut result = SummariseResult {
            summaries: done.reply,
            method: done.method,
            model_problem: done.problem,
            responses: Vec::new(),
            trace: Trace { stages: vec![done.stage] },
        };
        for _ in 0..MAX_RETRIES {
            let long = too_long(texts, &result.summaries);
            if long.is_empty() {
                break;
            }
            let again = reasoner.perform(&SummariseTask {
                chunks: &long,
                is_retry: true,
                is_length_checked: true,
                most_output_tokens,
            })?;
            replace(&mut result.summaries, again.reply);
            result.model_problem = result.model_problem.or(again.problem);
            result.trace.stages.push(again.stage);
        }
        let long = too_long(texts, &result.summaries);
        if !long.is_empty() {
            let error = unfit(&long, reasoner.model().map(|model| model.name.to_string()));
            if self.reasoning.when_away() == WhenAway::Error {
                return Err(error.into());
            }
            let built_in =
                SummariseTask { chunks: &long, is_retry: true, is_length_checked: true, most_output_tokens }.built_in();
            let mut stage = Stage::new(SummariseTask::NAME);
            for summary in &built_in {
                stage.decide(
                    format!("chunk {}", summary.id),
                    Action::Changed,
                    "too_long",
                    "replaced by the built-in summary",
                );
            }
            replace(&mut result.summaries, built_in);
            result.model_problem = Some(ModelProblem::from(&error));
            result.trace.stages.push(stage);
        }
        result.responses = operation.calls();
        Ok(result)
    }
}

fn too_long(texts: &[LongText], summaries: &[Summary]) -> Vec<LongText> {
    texts
        .iter()
        .zip(summaries)
        .filter(|(text, summary)| !summary.fits(text.target_chars))
        .map(|(text, _)| text.clone())
        .collect()
}

fn replace(summaries: &mut [Summary], better: Vec<Summary>) {
    for summary in better {
        if let Some(place) = summaries.iter_mut().find(|place| place.id == summary.id) {
            *place = summary;
        }
    }
}

fn unfit(long: &[LongText], model: Option<String>) -> ModelError {
    let ids: Vec<String> = long.iter().map(|text| text.id.to_string()).collect();
    let model = model.unwrap_or_default();
    let what = format!("{model}: the summaries of chunks {} are still too long", ids.join(", "));
    ModelError::new(
        ErrorKind::Unfit,
        what,
        "allow more characters, use a more capable model, or set llm.when_away to \"built_in\"",
    )
}

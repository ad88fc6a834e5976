//! Sending a prompt to a model, and checking what it cites.

use super::{Composing, OnText};
use crate::compose::Sent;
use crate::error::Error;
use crate::noun::method::ModelProblem;
use crate::receipt::{SentReceipt, request_of};
use recordar_compose::{CondensedContext, SuperPrompt};
use recordar_domain::Digest;
use recordar_llm::{Client, Error as ModelError, ErrorKind, Estimate, usd};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A number in brackets with more digits is no citation.
const MAX_DIGITS: usize = 4;

impl Composing<'_> {
    /// What sending a prompt costs at most; an error if that is over the ceiling, or not known to be under it.
    pub(super) fn check_cost(&self, client: &Client, prompt: &str) -> Result<Estimate, Error> {
        let estimate = client.estimate(&request_of(prompt, self.memory.reasoning.max_output_tokens()));
        let Some(most) = self.request.max_usd else { return Ok(estimate) };
        let Some(cost) = estimate.nano_usd_first_call else {
            let what = format!("what {} costs is unknown, so --max-usd cannot be kept", client.model().name);
            let remedy = "add its price to llm.models_file, or leave --max-usd out";
            return Err(Error::input("price_unknown", what, remedy));
        };
        if cost as f64 / 1e9 > most {
            let what = format!("sending the prompt could cost {}, and the ceiling is ${most}", usd(cost));
            return Err(Error::input("prompt_too_expensive", what, "raise --max-usd, or make the prompt shorter"));
        }
        Ok(estimate)
    }

    /// Sends the prompt, or what somebody made of it. That is redacted too, and the ceiling holds for it.
    pub(super) fn send(
        &self,
        prompt: &SuperPrompt,
        context: &CondensedContext,
        on_text: OnText<'_>,
    ) -> Result<(Sent, SentReceipt), Error> {
        let edited = self.request.prompt.as_deref().map(|edited| self.redacted(edited)).transpose()?;
        let text = edited.as_deref().unwrap_or(prompt.as_str());
        let (tokens, most) = (self.memory.counter.count(text), self.request.max_tokens);
        if tokens > most {
            let what = format!("the edited prompt has {tokens} tokens, and the ceiling is {most}");
            return Err(Error::input("prompt_too_long", what, "shorten it, or raise --max-tokens"));
        }
        let Some(client) = self.memory.reasoning.client_of(self.request.model.as_deref())? else {
            return Err(no_model("to send the prompt to"));
        };
        let before = self.operation.exchanges().len();
        let (client, answer, problem) = self.answered(client, text, on_text)?;
        let sources: BTreeSet<usize> = context.sources.iter().map(|source| source.number).collect();
        let (citations, unknown_citations): (Vec<usize>, Vec<usize>) =
            cited(&answer).into_iter().partition(|number| sources.contains(number));
        let receipt = SentReceipt {
            model: client.model().clone(),
            max_output_tokens: self.memory.reasoning.max_output_tokens(),
            edited: edited.clone(),
            exchanges: self.operation.exchanges().split_off(before),
            answer_sha256: Digest::of(&answer),
            citations: citations.clone(),
        };
        let sent = Sent {
            answer,
            model: client.model().name.to_string(),
            model_problem: problem,
            citations,
            unknown_citations,
            edited: edited.is_some(),
            responses: self.operation.calls(),
        };
        Ok((sent, receipt))
    }

    /// The answer of the model or, if that fails, of the fallback model, which is tried once (SAF-A3); and why the first failed.
    fn answered(
        &self,
        client: Arc<Client>,
        text: &str,
        on_text: OnText<'_>,
    ) -> Result<(Arc<Client>, String, Option<ModelProblem>), Error> {
        self.check_cost(&client, text)?;
        let request = request_of(text, self.memory.reasoning.max_output_tokens());
        // A text that was shown could not be taken back. Where redaction is on, it is shown when it is complete.
        let (mut on_text, mut is_heard) = (on_text.filter(|_| !self.guard.redacts()), false);
        let mut ask = |client: &Client| {
            let Some(on_text) = on_text.as_mut() else { return client.text(&request, &self.operation, None) };
            let mut hear = |text: &str| {
                is_heard |= !text.is_empty();
                on_text(text);
            };
            client.text(&request, &self.operation, Some(&mut hear))
        };
        let failed = match ask(&client) {
            Ok(answer) => return Ok((client, answer, None)),
            Err(error) => error,
        };
        let fallback = self.memory.reasoning.fallback_model();
        let fallback = fallback.filter(|fallback| *fallback != client.model().name.model && may_try_another(&failed));
        let Some(other) = fallback.filter(|_| !is_heard) else { return Err(failed.into()) };
        let other = match self.memory.reasoning.client_of(Some(other))? {
            Some(other) => other,
            None => return Err(failed.into()),
        };
        self.check_cost(&other, text)?;
        let mut ask = |client: &Client| {
            let Some(on_text) = on_text.as_mut() else { return client.text(&request, &self.operation, None) };
            client.text(&request, &self.operation, Some(*on_text))
        };
        let answer = ask(&other).map_err(|error| both_failed(&failed, error))?;
        Ok((other, answer, Some(ModelProblem::from(&failed))))
    }
}

/// Nothing is gained by another model if the call was cancelled, or a limit is reached.
fn may_try_another(error: &ModelError) -> bool {
    !matches!(error.kind, ErrorKind::Cancelled | ErrorKind::Ceiling | ErrorKind::Ledger | ErrorKind::Invalid)
}

fn both_failed(first: &ModelError, second: ModelError) -> Error {
    let what = format!("{}; and the fallback model, {}", first.what, second.what);
    ModelError::new(second.kind, what, first.remedy.clone()).into()
}

pub(super) fn no_model(what_for: &str) -> Error {
    let remedy =
        "set llm.provider and llm.model in recordar.toml, or leave out what needs one: --send, or agents with =model";
    Error::input("no_model", format!("no language model is configured {what_for}"), remedy)
}

/// The numbers in brackets, such as [1] and [2, 3].
fn cited(answer: &str) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    for part in answer.split('[').skip(1) {
        let Some((inside, _)) = part.split_once(']') else { continue };
        let all: Option<Vec<usize>> = inside.split(',').map(|number| number_of(number.trim())).collect();
        numbers.extend(all.unwrap_or_default());
    }
    numbers
}

fn number_of(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.len() <= MAX_DIGITS && text.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_citations_are_numbers_in_brackets() {
        let check = |answer: &str, expected: &[usize]| {
            assert_eq!(cited(answer).into_iter().collect::<Vec<_>>(), expected, "{answer}");
        };
        check("It is so [2][1]. And [3, 4].", &[1, 2, 3, 4]);
        check("[a] [1; 2] [99999] [ 7 ] [", &[7]);
        check("none", &[]);
    }
}

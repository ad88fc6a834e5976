//! Sending a prompt to a model, and checking what it cites.

use super::{Composing, OnText};
use recordar_compose::{CondensedContext, SuperPrompt, cited};
use recordar_core::compose::Sent;
use recordar_core::error::Error;
use recordar_core::noun::method::ModelProblem;
use recordar_core::receipt::{SentReceipt, request_of};
use recordar_domain::{Digest, Invalid};
use recordar_llm::{Client, Error as ModelError, ErrorKind, Estimate, usd};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Composing<'_> {
    /// What sending a prompt costs at most, if it is answered at once; an error if that, with what agents spent, is over the ceiling, or not known to
    /// be under it.
    pub(super) fn check_cost(&self, client: &Client, prompt: &str) -> Result<Estimate, Error> {
        let estimate = client.estimate(&request_of(prompt, self.memory.reasoning.max_output_tokens()));
        let Some(most) = self.request.max_usd else { return Ok(estimate) };
        let spent = self.operation.spent().nano_usd;
        let Some(cost) = estimate.nano_usd_first_call.map(|cost| cost.saturating_add(spent)) else {
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
        if edited.as_ref().is_some_and(|edited| edited.trim().is_empty()) {
            return Err(Invalid::new("the edited prompt is empty", "write something, or leave --prompt out").into());
        }
        let text = edited.as_deref().unwrap_or(prompt.as_str());
        let (tokens, most) = (self.memory.counter.count(text), self.request.max_tokens);
        if tokens > most {
            let what = format!("the edited prompt has {tokens} tokens, and the ceiling is {most}");
            return Err(Error::input("prompt_too_long", what, "shorten it, or raise --max-tokens"));
        }
        let Some(client) = self.memory.reasoning.client_of(self.request.model.as_deref())? else {
            return Err(no_model("to send the prompt to"));
        };
        let before = (self.operation.exchanges().len(), self.operation.calls().len());
        let (client, answer, problem) = self.answered(client, text, on_text)?;
        // Of an edited prompt, a source that is not in it any more cannot be cited.
        let is_in = |number: &usize| edited.is_none() || text.contains(&format!("[{number}]"));
        let sources: BTreeSet<usize> = context.sources.iter().map(|source| source.number).filter(is_in).collect();
        let (citations, unknown_citations): (Vec<usize>, Vec<usize>) =
            cited(&answer).into_iter().partition(|number| sources.contains(number));
        let receipt = SentReceipt {
            model: client.model().clone(),
            max_output_tokens: self.memory.reasoning.max_output_tokens(),
            edited: edited.clone(),
            exchanges: self.operation.exchanges().split_off(before.0),
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
            responses: self.operation.calls().split_off(before.1),
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
        // Where redaction is on, an answer is shown when it is complete.
        let (mut on_text, mut is_heard) = (on_text.filter(|_| !self.guard.redacts()), false);
        let mut ask = |client: &Client, is_heard: &mut bool| match on_text.as_mut() {
            None => client.text(&request, self.operation, None),
            Some(on_text) => {
                let mut hear = |text: &str| {
                    *is_heard |= !text.is_empty();
                    on_text(text);
                };
                client.text(&request, self.operation, Some(&mut hear))
            }
        };
        let failed = match ask(&client, &mut is_heard) {
            Ok(answer) => return Ok((client, answer, None)),
            Err(error) => error,
        };
        let reasoning = &self.memory.reasoning;
        // A text that was shown could not be taken back.
        let may_try = !is_heard && may_try_another(&failed);
        let fallback = reasoning.fallback_model().filter(|fallback| *fallback != client.model().name.model && may_try);
        let Some(fallback) = fallback else { return Err(failed.into()) };
        let other = reasoning.client_of(Some(fallback)).map_err(|error| both_failed(&failed, error))?;
        let Some(other) = other else { return Err(failed.into()) };
        self.check_cost(&other, text)?;
        let answer = ask(&other, &mut is_heard).map_err(|error| both_failed(&failed, error))?;
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

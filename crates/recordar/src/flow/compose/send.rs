//! Sending a prompt to the configured model, and checking what it cites.

use super::Composing;
use crate::compose::Sent;
use crate::error::Error;
use recordar_compose::{CondensedContext, SuperPrompt};
use recordar_llm::{Client, Estimate, Output, Request, Turn};
use std::collections::BTreeSet;

/// A number in brackets with more digits is no citation.
const MAX_DIGITS: usize = 4;

impl Composing<'_> {
    fn model_request(&self, prompt: &str) -> Request {
        Request {
            system: String::new(),
            turns: vec![Turn::user(prompt)],
            output: Output::Text,
            max_output_tokens: self.memory.reasoning.max_output_tokens(),
        }
    }

    /// What sending a prompt costs at most; an error if that is over the ceiling, or not known to be under it.
    pub(super) fn check_cost(&self, client: &Client, prompt: &str) -> Result<Estimate, Error> {
        let estimate = client.estimate(&self.model_request(prompt));
        let Some(most) = self.request.max_usd else { return Ok(estimate) };
        let Some(cost) = estimate.nano_usd_first_call.map(|nano| nano as f64 / 1e9) else {
            let what = format!("what {} costs is unknown, so --max-usd cannot be kept", client.model().name);
            let remedy = "add its price to llm.models_file, or leave --max-usd out";
            return Err(Error::input("price_unknown", what, remedy));
        };
        if cost > most {
            let what = format!("sending the prompt could cost ${cost:.4}, and the ceiling is ${most:.4}");
            return Err(Error::input("prompt_too_expensive", what, "raise --max-usd, or make the prompt shorter"));
        }
        Ok(estimate)
    }

    /// Sends the prompt, or what somebody made of it. That is redacted too, and the ceiling holds for it.
    pub(super) fn send(&self, prompt: &SuperPrompt, context: &CondensedContext) -> Result<Sent, Error> {
        let edited = self.request.prompt.as_deref().map(|edited| self.redacted(edited)).transpose()?;
        let text = edited.as_deref().unwrap_or(prompt.as_str());
        let (tokens, most) = (self.memory.counter.count(text), self.request.max_tokens);
        if tokens > most {
            let what = format!("the edited prompt has {tokens} tokens, and the ceiling is {most}");
            return Err(Error::input("prompt_too_long", what, "shorten it, or raise --max-tokens"));
        }
        let operation = self.memory.reasoning.operation();
        let reasoner = self.memory.reasoning.reasoner(&operation);
        let Some(client) = reasoner.client.clone()? else {
            let remedy = "set llm.provider and llm.model in recordar.toml, or leave --send out";
            return Err(Error::input("no_model", "no language model is configured to send the prompt to", remedy));
        };
        self.check_cost(client, text)?;
        let answer = client.text(&self.model_request(text), &operation, None)?;
        let sources: BTreeSet<usize> = context.sources.iter().map(|source| source.number).collect();
        let (citations, unknown_citations) = cited(&answer).into_iter().partition(|number| sources.contains(number));
        Ok(Sent {
            answer,
            model: client.model().name.to_string(),
            citations,
            unknown_citations,
            edited: edited.is_some(),
            responses: operation.calls(),
        })
    }
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

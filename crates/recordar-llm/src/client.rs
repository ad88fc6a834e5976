//! A model with everything around it: validated replies, limited repairs and retries, ceilings, a limit on concurrent calls, and a
//! report of each call.

use crate::cassette::Exchange;
use crate::error::{Error, ErrorKind, Failure, Retry};
use crate::gate::{CANCEL_CHECK_INTERVAL, Gate, pause};
use crate::limits::{
    Ceilings, Ledger, Reservation, Reserved, Spend, day_of, lock, over_account, over_ceiling, over_daily_ceiling,
    unpriced_account,
};
use crate::model::{Call, ChatModel, ModelSettings, request_digest};
use crate::operation::Operation;
use crate::report::{CallReport, Estimate};
use crate::request::{Completion, Finish, Output, Request, Usage};
use crate::structured::{longest_repair, repair, validated};
use crate::table::Price;
use crate::validator::Validator;
use recordar_domain::text::one_line;
use recordar_domain::{Cancel, Digest, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The source of times.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// How often a failed call is retried.
    pub retries: u32,
    /// The first wait before a retry; each later one is twice as long.
    pub retry_wait: Duration,
    /// How often a model is asked to correct an invalid reply.
    pub repairs: u32,
    /// The maximum number of concurrent calls.
    pub concurrency: usize,
    /// How long to wait for reservations of other calls to be settled: as long as a call takes. An older reservation belongs to a program
    /// that was killed, and is never settled.
    pub patience: Duration,
    pub ceilings: Ceilings,
}

pub struct Client {
    model: Box<dyn ChatModel>,
    price: Option<Price>,
    settings: ClientSettings,
    ledger: Arc<dyn Ledger>,
    clock: Clock,
    gate: Gate,
}

/// A longer wait requested by a server is not waited for.
const MAX_WAIT: Duration = Duration::from_secs(60);
const MAX_SAID_CHARS: usize = 300;
/// How often a call checks whether others have settled.
const MAX_RESERVE_WAIT: Duration = Duration::from_millis(500);

impl Client {
    pub fn new(
        model: Box<dyn ChatModel>,
        price: Option<Price>,
        settings: ClientSettings,
        ledger: Arc<dyn Ledger>,
        clock: Clock,
    ) -> Result<Self, Error> {
        if settings.ceilings.has_money() && price.is_none() {
            let what = "its price is unknown, so a limit on money cannot be enforced";
            let remedy = "set the price in llm.models_file, or remove the limit on money";
            return Err(Error::new(ErrorKind::Invalid, what, remedy).about(&model.settings().name));
        }
        let gate = Gate::new(settings.concurrency);
        Ok(Self { model, price, settings, ledger, clock, gate })
    }

    pub fn model(&self) -> &ModelSettings {
        self.model.settings()
    }

    /// The maximum number of concurrent calls.
    pub fn concurrency(&self) -> usize {
        self.settings.concurrency
    }

    pub fn operation(&self, cancel: Cancel) -> Operation {
        Operation::new(self.settings.ceilings.operation, cancel)
    }

    /// Today's spending, by everyone who shares the ledger.
    pub fn spent_today(&self) -> Result<Spend, Error> {
        self.ledger.spent(day_of((self.clock)()))
    }

    pub fn estimate(&self, request: &Request) -> Estimate {
        let repairs = match request.output {
            Output::Json(_) => u64::from(self.settings.repairs),
            Output::Text => 0,
        };
        let (first, again) = (self.most_usage(request), self.most_usage(&longest_repair(request)));
        let attempts = u64::from(self.settings.retries) + 1;
        let all = |first: u64, again: u64| first.saturating_add(again.saturating_mul(repairs)).saturating_mul(attempts);
        let nano_usd = |usage: Usage| self.price.as_ref().map(|price| Spend::of(usage, Some(price)).nano_usd);
        Estimate {
            tokens_first_call: first.total(),
            nano_usd_first_call: nano_usd(first),
            calls_at_most: all(1, 1),
            tokens_prompt_at_most: all(first.tokens_prompt, again.tokens_prompt),
            tokens_completion_at_most: all(first.tokens_completion, again.tokens_completion),
            // Every call is rounded up on its own.
            nano_usd_at_most: nano_usd(first).zip(nano_usd(again)).map(|(first, again)| all(first, again)),
        }
    }

    /// A text reply, streamed as it comes in.
    pub fn text(
        &self,
        request: &Request,
        operation: &Operation,
        on_text: Option<&mut dyn FnMut(&str)>,
    ) -> Result<String, Error> {
        let completion = self.call(request, operation, on_text)?;
        match completion.finish {
            Finish::Refused => Err(self.refused(&completion)),
            Finish::Stop | Finish::Length => Ok(completion.text),
        }
    }

    /// A JSON reply that matches its schema, parsed by `read`, which may find further errors.
    pub fn structured<T>(
        &self,
        request: &Request,
        operation: &Operation,
        read: &dyn Fn(&Value) -> Result<T, String>,
    ) -> Result<T, Error> {
        let name = &self.model().name;
        let Output::Json(schema) = &request.output else {
            return Err(Error::new(ErrorKind::Invalid, "no schema was given", "pass a schema").about(name));
        };
        let validator = Validator::new(schema.held_to.as_ref().unwrap_or(&schema.schema)).map_err(|problem| {
            let what = format!("the schema {} cannot be used: {problem}", schema.name);
            Error::new(ErrorKind::Invalid, what, "fix the schema").about(name)
        })?;
        let mut asked = request.clone();
        let mut problem = String::new();
        for attempt in 1..=self.settings.repairs.saturating_add(1) {
            let completion = self.call(&asked, operation, None)?;
            if completion.finish == Finish::Refused {
                return Err(self.refused(&completion));
            }
            match validated(&completion, &validator, request.max_output_tokens).and_then(|value| read(&value)) {
                Ok(read) => return Ok(read),
                Err(why) => problem = why,
            }
            operation.refuse_last();
            asked = repair(request, attempt, &completion.text, &problem);
        }
        let what = format!("it gave no valid reply in {} attempts: {problem}", self.settings.repairs + 1);
        let remedy = "ask again, use a more capable model, raise llm.max_output_tokens if it was cut off, or set \
                      llm.structured to another method";
        Err(Error::new(ErrorKind::Unfit, what, remedy).about(name))
    }

    fn refused(&self, completion: &Completion) -> Error {
        let said = one_line(&completion.text, MAX_SAID_CHARS);
        let said = if said.is_empty() { said } else { format!(": {said}") };
        let remedy = "check the request, or use another model";
        Error::new(ErrorKind::Unfit, format!("it refused to answer{said}"), remedy).about(&self.model().name)
    }

    fn call(
        &self,
        request: &Request,
        operation: &Operation,
        mut on_text: Option<&mut dyn FnMut(&str)>,
    ) -> Result<Completion, Error> {
        let name = &self.model().name;
        let digest = request_digest(self.model(), request);
        if let Some(completion) = self.model.recorded(digest) {
            if let Some(on_text) = on_text {
                on_text(&completion.text);
            }
            let usage = completion.usage.unwrap_or_default();
            let report = self.report(request, (self.clock)(), Duration::ZERO, usage, digest);
            self.log_call(operation, CallReport { replayed: true, nano_usd: Some(0), ..report }, Some(&completion));
            return Ok(completion);
        }
        let mut attempt = 0;
        loop {
            operation.check_cancelled().map_err(|error| error.about(name))?;
            let mut is_heard = false;
            let result = match on_text.as_mut() {
                Some(on_text) => {
                    let mut hear = |text: &str| {
                        is_heard |= !text.is_empty();
                        on_text(text);
                    };
                    self.call_once(request, digest, operation, Some(&mut hear))
                }
                None => self.call_once(request, digest, operation, None),
            };
            let failure = match result {
                Ok(completion) => return Ok(completion),
                Err(failure) => failure,
            };
            let wait = match failure.retry {
                // Streamed text cannot be taken back.
                Retry::After(wait) if attempt < self.settings.retries && !is_heard => {
                    wait.unwrap_or_else(|| backoff(self.settings.retry_wait, attempt, digest))
                }
                _ => return Err(failure.error.about(name)),
            };
            if wait > MAX_WAIT {
                let mut error = failure.error;
                error.what = format!("{}; it asks to wait for {} s", error.what, wait.as_secs());
                return Err(error.about(name));
            }
            pause(wait, &operation.cancel);
            attempt += 1;
        }
    }

    /// Reserves the maximum cost of the call, makes it, and settles the actual cost.
    fn call_once(
        &self,
        request: &Request,
        digest: Digest,
        operation: &Operation,
        on_text: Option<&mut dyn FnMut(&str)>,
    ) -> Result<Completion, Failure> {
        let most = self.most_usage(request);
        // Wait for the turn first: a reservation lasts only as long as a call.
        let _permit = self.gate.enter(&operation.cancel).ok_or_else(Failure::cancelled)?;
        let held = self.reserve(most, operation)?;
        let (timestamp, started) = ((self.clock)(), Instant::now());
        let mut call = Call { cancel: &operation.cancel, on_text: None };
        if let Some(on_text) = on_text {
            call.on_text = Some(on_text);
        }
        let result = self.model.complete(request, &mut call);
        let latency = started.elapsed();
        let (usage, is_counted) = match &result {
            Ok(completion) => {
                (completion.usage.unwrap_or(most_uncounted_usage(completion, most)), completion.usage.is_some())
            }
            Err(failure) if failure.may_cost => (most, false),
            Err(_) => (Usage::default(), true),
        };
        held.settle(Spend::of(usage, self.price.as_ref()));
        let outcome = result.as_ref().map_or_else(|failure| failure.error.code(), |_| "ok").to_owned();
        let report = self.report(request, timestamp, latency, usage, digest);
        let report = CallReport { outcome, is_counted, ..report };
        self.log_call(operation, report, result.as_ref().ok());
        result
    }

    fn reserve<'a>(&'a self, most: Usage, operation: &'a Operation) -> Result<HeldReservation<'a>, Failure> {
        let fatal = |error: Error| Failure { error, retry: Retry::Never, may_cost: false };
        let Ceilings { call, day: ceiling, .. } = &self.settings.ceilings;
        let most = Spend::of(most, self.price.as_ref());
        if !call.allows(most) {
            return Err(fatal(over_ceiling("a call", "per_call", most, call, Spend::default())));
        }
        let account = operation.account();
        if let (Some(account), None) = (account.filter(|account| account.max_nano_usd_per_day.is_some()), &self.price) {
            return Err(fatal(unpriced_account(account)));
        }
        // From the operating system: a forked process must not reuse its parent's ids. No result ever shows it.
        let id = Digest::of(uuid::Uuid::new_v4());
        let started = Instant::now();
        let mut wait = CANCEL_CHECK_INTERVAL;
        loop {
            operation.check_cancelled().map_err(fatal)?;
            let made_at = (self.clock)();
            let longest = i64::try_from(self.settings.patience.as_micros()).unwrap_or(i64::MAX);
            let expires_at = Timestamp::from_micros(made_at.as_micros().saturating_add(longest));
            let day = day_of(made_at);
            let reservation = Reservation { id, day, most, made_at, expires_at, account: account.cloned() };
            match operation.reserve(&reservation) {
                Reserved::Done => match self.ledger.reserve(&reservation, ceiling) {
                    Ok(Reserved::Done) => {
                        return Ok(HeldReservation { client: self, operation, reservation, spent: most });
                    }
                    Ok(Reserved::Wait) => operation.release(&reservation),
                    Ok(Reserved::Never(_)) => {
                        operation.release(&reservation);
                        return Err(fatal(over_daily_ceiling(most, ceiling)));
                    }
                    Ok(Reserved::NeverOnAccount(spent)) => {
                        operation.release(&reservation);
                        let error = account.map(|account| over_account(most, account, spent));
                        return Err(fatal(error.unwrap_or_else(|| over_daily_ceiling(most, ceiling))));
                    }
                    Err(error) => {
                        operation.release(&reservation);
                        return Err(fatal(error));
                    }
                },
                Reserved::Wait => {}
                Reserved::Never(spent) | Reserved::NeverOnAccount(spent) => {
                    let ceiling = operation.ceiling();
                    return Err(fatal(over_ceiling("this operation", "per_operation", most, ceiling, spent)));
                }
            }
            if started.elapsed() >= self.settings.patience {
                let what = "the rest of the limit is reserved for other calls, which are still running";
                let remedy =
                    "try again later, or raise llm.max_tokens_per_day, llm.max_usd_per_day or the limits per operation";
                return Err(fatal(Error::new(ErrorKind::Ceiling, what, remedy)));
            }
            // Reservations of other calls are settled when those end.
            pause(wait, &operation.cancel);
            wait = (2 * wait).min(MAX_RESERVE_WAIT);
        }
    }

    fn most_usage(&self, request: &Request) -> Usage {
        Usage {
            tokens_prompt: self.model.most_prompt_tokens(request),
            tokens_completion: request.max_output_tokens.into(),
        }
    }

    fn report(
        &self,
        request: &Request,
        timestamp: Timestamp,
        latency: Duration,
        usage: Usage,
        request_sha256: Digest,
    ) -> CallReport {
        let price = self.price.as_ref();
        CallReport {
            timestamp,
            latency_ms: latency.as_secs_f64() * 1e3,
            settings: self.model().clone(),
            max_output_tokens: request.max_output_tokens,
            tokens_prompt: usage.tokens_prompt,
            tokens_completion: usage.tokens_completion,
            is_counted: true,
            nano_usd: price.map(|price| Spend::of(usage, Some(price)).nano_usd),
            price_dated: price.map(|price| price.dated.clone()),
            request_sha256,
            outcome: "ok".to_owned(),
            replayed: false,
        }
    }

    fn log_call(&self, operation: &Operation, report: CallReport, completion: Option<&Completion>) {
        let request_sha256 = report.request_sha256;
        let mut log = lock(&operation.log);
        log.calls.push(report);
        log.exchanges.extend(completion.map(|completion| Exchange { request_sha256, completion: completion.clone() }));
    }
}

/// The maximum tokens of a reply that were not counted: a short one may have taken long reasoning, and one that ignores the limit may
/// have a token for each byte.
fn most_uncounted_usage(completion: &Completion, most: Usage) -> Usage {
    Usage { tokens_completion: most.tokens_completion.max(completion.text.len() as u64), ..most }
}

/// The reservation of a running call. It is released however the call ends, even by a panic, so that others do not wait in vain.
struct HeldReservation<'a> {
    client: &'a Client,
    operation: &'a Operation,
    reservation: Reservation,
    spent: Spend,
}

impl HeldReservation<'_> {
    fn settle(mut self, spent: Spend) {
        self.spent = spent;
    }
}

impl Drop for HeldReservation<'_> {
    fn drop(&mut self) {
        self.operation.settle(&self.reservation, self.spent);
        // A reservation that cannot be settled stays, which is safe; the reply was paid for and is used.
        let _ = self.client.ledger.settle(&self.reservation, self.spent);
    }
}

/// Twice as long each time, plus up to half as much jitter that depends on the request, so that many do not retry at once.
fn backoff(first: Duration, attempt: u32, digest: Digest) -> Duration {
    let base = first.saturating_mul(1 << attempt.min(10)).min(MAX_WAIT / 2);
    let share = f64::from(digest.0[attempt as usize % 32]) / 512.0;
    base + base.mul_f64(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ledger in which a program that was killed has set something aside.
    struct Left;

    impl Ledger for Left {
        fn reserve(&self, _: &Reservation, _: &crate::Ceiling) -> Result<Reserved, Error> {
            Ok(Reserved::Wait)
        }

        fn settle(&self, _: &Reservation, _: Spend) -> Result<(), Error> {
            Ok(())
        }

        fn spent(&self, _: i64) -> Result<Spend, Error> {
            Ok(Spend::default())
        }
    }

    #[test]
    fn a2_b11_what_is_never_settled_is_not_waited_for_without_end() {
        let name = crate::ModelName { provider: "openai".to_owned(), model: "any".to_owned() };
        let parameters = crate::Parameters { temperature: None, seed: None };
        let model = crate::Recorded::replay(
            ModelSettings { name, structured: crate::Structured::Native, parameters },
            Vec::new(),
        );
        let settings = ClientSettings {
            retries: 3,
            retry_wait: Duration::ZERO,
            repairs: 0,
            concurrency: 1,
            patience: Duration::from_millis(1),
            ceilings: Ceilings::default(),
        };
        let clock: Clock = Arc::new(|| Timestamp::from_micros(0));
        let client = Client::new(Box::new(model), None, settings, Arc::new(Left), clock).unwrap();
        let request = Request { system: String::new(), turns: Vec::new(), output: Output::Text, max_output_tokens: 1 };
        let operation = client.operation(Cancel::default());
        let error = client.text(&request, &operation, None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Ceiling, "{error}");
        assert!(error.remedy.contains("llm.max_tokens_per_day") && error.what.contains("openai any"), "{error}");
        assert_eq!((operation.spent(), operation.calls().len()), (Spend::default(), 0));
    }

    #[test]
    fn waits_grow_and_end() {
        let first = Duration::from_millis(500);
        let waits: Vec<Duration> = (0..9).map(|attempt| backoff(first, attempt, Digest([0; 32]))).collect();
        assert_eq!(waits[..4], [500, 1000, 2000, 4000].map(Duration::from_millis));
        assert!(waits.iter().all(|wait| *wait <= MAX_WAIT));
        assert!(backoff(first, 0, Digest([255; 32])) < Duration::from_millis(750));
    }
}

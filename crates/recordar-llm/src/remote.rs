//! A model of a provider, called over HTTP.

use crate::error::{Error, ErrorKind, Failure, Retry};
use crate::http::{Http, Incoming, Post};
use crate::model::{Call, ChatModel, ModelSettings, TEMPLATE_TOKENS};
use crate::provider::{Asking, Gathered, completion, error_message, key_header};
use crate::request::{Completion, Output, Parameters, Request, Structured};
use crate::secret::{Hiding, Secret};
use crate::sse::Events;
use crate::table::{Profile, Wire};
use recordar_domain::text::one_line;
use serde_json::Value;
use std::time::Duration;
use url::Url;

/// A longer text is never a valid reply here.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// A receipt keeps all replies to a question, and its size is limited.
const MAX_JSON_BYTES: usize = 128 * 1024;
const CHECK_ADDRESS: &str = "check that llm.base_url is the address of a language model";
const MAX_MESSAGE_CHARS: usize = 300;
/// The tokens that Anthropic adds to a prompt that asks for JSON.
const HIDDEN_TOKENS: u64 = 1024;

pub struct Remote {
    profile: Profile,
    settings: ModelSettings,
    http: Http,
    key: Option<Secret>,
    /// The environment variable that the key is expected in, for messages.
    key_env: String,
    timeout: Duration,
}

/// Overrides of the table for how a model is reached.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    pub base_url: Option<String>,
    pub key: Option<Secret>,
    /// The environment variable of the key, if not the table's.
    pub key_env: Option<String>,
    pub structured: Option<Structured>,
    pub parameters: Parameters,
    pub timeout: Duration,
}

impl Remote {
    pub fn new(mut profile: Profile, options: RemoteOptions) -> Result<Self, Error> {
        profile.structured = options.structured.unwrap_or(profile.structured);
        let name = profile.name.clone();
        let invalid = |what: String| {
            let remedy = "set llm.base_url to its address, such as https://models.example/v1, or http://127.0.0.1:8080/v1 on \
                          this machine";
            Error::new(ErrorKind::Invalid, what, remedy).about(&name)
        };
        let key_env = options.key_env.or_else(|| profile.key_env.clone()).unwrap_or("llm.api_key".to_owned());
        if options.key.as_ref().is_some_and(|key| !key.can_be_sent()) {
            let what = "its key contains a line break, a space or another invalid character";
            return Err(
                Error::new(ErrorKind::Invalid, what, format!("set {key_env} to the key and nothing else")).about(&name)
            );
        }
        let Some(base_url) = options.base_url.or_else(|| profile.base_url.clone()) else {
            return Err(invalid("it has no address".to_owned()));
        };
        let base =
            Url::parse(&base_url).map_err(|error| invalid(format!("its address is not a valid URL: {error}")))?;
        let http = Http::new(base, options.key.is_some())
            .map_err(|why| invalid(format!("its address cannot be used: {why}")))?;
        let parameters = Parameters {
            temperature: options.parameters.temperature.filter(|_| profile.takes_temperature),
            seed: options.parameters.seed.filter(|_| profile.takes_seed),
        };
        let settings = ModelSettings { name, structured: profile.structured, parameters };
        Ok(Self { profile, settings, http, key: options.key, key_env, timeout: options.timeout })
    }

    /// The address of requests.
    pub fn shown_url(&self) -> String {
        self.http.shown_url()
    }

    fn asking<'a>(&'a self, request: &'a Request, streams: bool) -> Asking<'a> {
        Asking { profile: &self.profile, request, parameters: self.settings.parameters, streams }
    }

    fn hide(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text))
    }

    /// The same failure, with the host and without the key.
    fn at_host(&self, mut failure: Failure) -> Failure {
        if failure.error.kind != ErrorKind::Cancelled {
            failure.error.what = self.hide(&format!("at {}: {}", self.http.host(), failure.error.what));
        }
        failure
    }

    fn send(&self, request: &Request, call: &mut Call<'_>) -> Result<Completion, Failure> {
        let streams = call.on_text.is_some();
        let outgoing = self.asking(request, streams).outgoing();
        let mut headers = vec![("content-type", "application/json".to_owned())];
        headers.extend(outgoing.headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        headers.extend(self.key.as_ref().map(|key| key_header(self.profile.wire, key.expose())));
        let post = Post { path: outgoing.path, headers, body: outgoing.body.to_string().into_bytes() };
        let incoming = self.http.post(post, self.timeout, call.cancel)?;
        self.receive(incoming, request, call)
    }

    /// Reads a reply as if a server had sent these bytes, in these pieces: for fuzzing without a network.
    #[doc(hidden)]
    pub fn read_given(
        &self,
        status: u16,
        pieces: Vec<Vec<u8>>,
        request: &Request,
        call: &mut Call<'_>,
    ) -> Result<Completion, Failure> {
        let incoming = self.http.given(status, pieces, call.cancel);
        self.receive(incoming, request, call).map_err(|failure| self.at_host(failure))
    }

    fn receive(
        &self,
        mut incoming: Incoming<'_>,
        request: &Request,
        call: &mut Call<'_>,
    ) -> Result<Completion, Failure> {
        if incoming.status != 200 {
            return Err(self.refused(&mut incoming));
        }
        let mut completion = match call.on_text.as_mut() {
            Some(on_text) => self.read_stream(&mut incoming, *on_text)?,
            None => self.read(&incoming.whole()?)?,
        };
        if completion.text.len() > most_bytes(request) {
            return Err(too_long(most_bytes(request)));
        }
        completion.text = self.hide(&completion.text);
        Ok(completion)
    }

    fn read(&self, body: &[u8]) -> Result<Completion, Failure> {
        let value: Value = serde_json::from_slice(body).map_err(|_| unreadable("its reply is not JSON"))?;
        if let Some(message) = error_message(&value) {
            let what = format!("it says: {}", self.message(&message));
            return Err(Failure::passing(ErrorKind::Away, what, "try again later, or use another model").may_cost());
        }
        completion(self.profile.wire, &value).map_err(|why| unreadable(&format!("its reply cannot be read: {why}")))
    }

    fn read_stream(&self, incoming: &mut Incoming<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Completion, Failure> {
        let wire = self.profile.wire;
        let (mut events, mut gathered) = (Events::default(), Gathered::default());
        let mut hiding = Hiding::new(self.key.as_ref());
        let mut length = 0;
        let mut piece = incoming.next()?;
        if let Some(first) = piece.take_if(|first| first.trim_ascii_start().starts_with(b"{")) {
            // A server that does not stream sends an object.
            let completion = self.read(&[first, incoming.whole()?].concat())?;
            on_text(&self.hide(&completion.text));
            return Ok(completion);
        }
        loop {
            let complete = match &piece {
                Some(piece) => events.take(piece),
                None => events.end(),
            };
            for data in complete {
                let text = gathered.take_event(wire, &data).map_err(|why| unreadable(&self.message(&why)))?;
                length += text.len();
                if length > MAX_TEXT_BYTES {
                    return Err(too_long(MAX_TEXT_BYTES));
                }
                on_text(&hiding.take(&text));
            }
            if piece.is_none() {
                on_text(&hiding.end());
                return gathered.completion().map_err(|why| unreadable(&format!("its reply cannot be read: {why}")));
            }
            piece = incoming.next()?;
        }
    }

    /// The reason for an error response.
    fn refused(&self, incoming: &mut Incoming<'_>) -> Failure {
        let (status, retry_after) = (incoming.status, incoming.retry_after);
        let body: Value = match incoming.whole() {
            Ok(body) => serde_json::from_slice(&body).unwrap_or_default(),
            Err(failure) if failure.error.kind == ErrorKind::Cancelled => return failure,
            // The status is enough.
            Err(_) => Value::Null,
        };
        let said = error_message(&body).or_else(|| Some(body.get("message")?.as_str()?.to_owned()));
        let said = said.map_or(String::new(), |said| format!(": {}", self.message(&said)));
        let rejected = |what: &str, remedy: String| {
            let kind = match status {
                400 | 413 | 422 if !is_wrong_key(&body) => ErrorKind::Unaccepted,
                _ => ErrorKind::Rejected,
            };
            Failure::fatal(kind, format!("{what} (HTTP {status}){said}"), remedy)
        };
        let key_env = &self.key_env;
        if status == 400 && is_wrong_key(&body) {
            return rejected("the key was rejected", format!("set {key_env} to a valid key of this provider"));
        }
        match status {
            300..=399 => {
                let what =
                    format!("it redirects to {}", self.message(incoming.location.as_deref().unwrap_or("nowhere")));
                rejected(
                    &what,
                    "set llm.base_url to that address if you trust it; a key is not sent elsewhere".to_owned(),
                )
            }
            401 | 403 if self.key.is_none() => rejected("it requires a key", format!("set {key_env} to your key")),
            401 | 403 => rejected("the key was rejected", format!("set {key_env} to a valid key of this provider")),
            404 => rejected(
                "unknown model or address",
                "check llm.model and llm.base_url; `recordar models list` shows them".to_owned(),
            ),
            402 => rejected("it requires payment", "check your account at the provider".to_owned()),
            429 if is_out_of_credit(&body) => {
                rejected("the account has no credit left", "check your account at the provider".to_owned())
            }
            200..=299 => rejected("it did not return a model's reply", CHECK_ADDRESS.to_owned()).may_cost(),
            408 | 409 | 425 | 429 | 500..=599 => {
                let (kind, what) = match status {
                    429 => (ErrorKind::RateLimited, "too many requests"),
                    _ => (ErrorKind::Away, "it reported a failure"),
                };
                let remedy = "try again later, or lower llm.concurrency";
                let failure = Failure::passing(kind, format!("{what} (HTTP {status}){said}"), remedy);
                // Behind a gateway that timed out, the model may have continued.
                let may_cost = matches!(status, 408 | 502 | 504 | 520..=524);
                Failure { may_cost, retry: Retry::After(retry_after.or_else(|| retry_delay(&body))), ..failure }
            }
            _ => rejected(
                "it rejected the request",
                "check llm.model; if the prompt is too long, recall less; if the model does not support the JSON mode, \
                 set llm.structured to \"tool\" or \"prompted\""
                    .to_owned(),
            ),
        }
    }

    /// A provider's own message, as far as it can be shown.
    fn message(&self, message: &str) -> String {
        one_line(&self.hide(message), MAX_MESSAGE_CHARS)
    }
}

impl ChatModel for Remote {
    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn complete(&self, request: &Request, call: &mut Call<'_>) -> Result<Completion, Failure> {
        self.send(request, call).map_err(|failure| self.at_host(failure))
    }

    fn most_prompt_tokens(&self, request: &Request) -> u64 {
        let body = self.asking(request, false).outgoing().body.to_string();
        let asks_json = matches!(request.output, Output::Json(_));
        let hidden = if asks_json && self.profile.wire == Wire::Anthropic { HIDDEN_TOKENS } else { 0 };
        body.len() as u64 + TEMPLATE_TOKENS + hidden
    }
}

/// Whether waiting a few seconds would not help.
fn is_out_of_credit(body: &Value) -> bool {
    let is = |at: &str, code: &str| body.pointer(at).and_then(Value::as_str) == Some(code);
    let quotas = details(body).filter_map(|detail| detail.get("violations")?.as_array()).flatten();
    is("/error/code", "insufficient_quota")
        || is("/error/type", "insufficient_quota")
        || is("/error/details/error_code", "enforced_spend_limit_reached")
        || quotas.filter_map(|quota| quota.get("quotaId")?.as_str()).any(|id| id.contains("PerDay"))
}

/// Gemini reports an invalid key like an invalid request.
fn is_wrong_key(body: &Value) -> bool {
    details(body).any(|detail| detail.get("reason").and_then(Value::as_str) == Some("API_KEY_INVALID"))
}

/// The wait that Gemini asks for, which has no header for it.
fn retry_delay(body: &Value) -> Option<Duration> {
    let delay = details(body).find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds = delay.strip_suffix('s')?.parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn details(body: &Value) -> impl Iterator<Item = &Value> {
    body.pointer("/error/details").and_then(Value::as_array).into_iter().flatten()
}

fn unreadable(what: &str) -> Failure {
    let remedy = "try again; if it keeps happening, check that llm.base_url is the address of a language model";
    Failure::passing(ErrorKind::Unfit, what, remedy).may_cost()
}

/// More bytes than that number of tokens can have.
fn most_bytes(request: &Request) -> usize {
    const TOKEN_BYTES: usize = 32;
    const AROUND_BYTES: usize = 4096;
    let most = if matches!(request.output, Output::Json(_)) { MAX_JSON_BYTES } else { MAX_TEXT_BYTES };
    (request.max_output_tokens as usize).saturating_mul(TOKEN_BYTES).saturating_add(AROUND_BYTES).min(most)
}

fn too_long(most_bytes: usize) -> Failure {
    let what = format!("the reply is longer than {most_bytes} bytes");
    Failure::fatal(ErrorKind::Unfit, what, "use another model; this one ignores its token limit").may_cost()
}

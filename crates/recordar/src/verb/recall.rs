//! `recall`.

use super::options::RecallOptions;
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::enrich::ensure_working;
use crate::flow;
use recordar_core::error::Error;
use recordar_core::noun::spaces::names;
use recordar_core::recall::{RecallMetrics, RecallRequest, RecallResult};
use recordar_domain::SpaceName;
use schemars::JsonSchema;
use serde::Deserialize;

impl Recordar {
    /// Recalls stored items about a question from one or more spaces, as a context within a token budget.
    ///
    /// An invalid request is an error. If memories cannot be recalled, the result is empty or comes from the cache,
    /// and its `problem` says why: a conversation goes on without them.
    pub fn recall(&self, spaces: &[SpaceName], request: &RecallRequest) -> Result<RecallResult, Error> {
        ensure_working(self);
        self.showing(|memory| flow::recall::recall(memory, spaces, request))
    }

    /// Writes the uses of memories that staged recalls have counted. They are also written after a minute, and when the memory is closed.
    pub fn flush_uses(&self) -> Result<(), Error> {
        self.uses.flush()
    }

    /// Metrics of recalls since this process started.
    pub fn recall_metrics(&self) -> RecallMetrics {
        *self.recalls.metrics()
    }
}

/// Arguments of a recall only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RecallOwn {
    /// What to recall memories for: a question, or the user's last message.
    query: String,
    /// Whether to search at all; false returns an empty result. For programs that switch memory on and off.
    #[serde(default = "is_used")]
    use_memory: bool,
    /// Name of the conversation in which the question is asked, as recorded in the receipt. With staged, it is the current thread.
    session_id: Option<String>,
    /// Recall in stages, by the labels of messages: the current thread, other threads, then preferences and what is important.
    #[serde(default)]
    staged: bool,
    /// With staged: recent messages, so that the question is understood in its context.
    thread_context: Option<String>,
    /// With staged: only look, without counting the memories as used.
    #[serde(default)]
    preview: bool,
    /// Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides.
    receipt: Option<bool>,
}

fn is_used() -> bool {
    true
}

pub type RecallArguments = With<RecallOwn, RecallOptions>;

impl Verb for RecallArguments {
    const NAME: &'static str = "recall";
    const ABOUT: &'static str = "Recall stored items about a question, as a context within a token budget.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|recall, _, _| Ok(names(&recall.1.also)));
    const IS_LONG: bool = false;
    type Reply = RecallResult;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<RecallResult, Error> {
        let With(RecallOwn { query, use_memory, session_id, staged, thread_context, preview, receipt }, options) = self;
        let (spaces, request) = options.request(query, call)?;
        let request = RecallRequest { use_memory, session_id, staged, thread_context, preview, receipt, ..request };
        memory.recall(&spaces, &request)
    }
}

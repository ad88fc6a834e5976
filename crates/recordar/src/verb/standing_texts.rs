//! Standing texts of a space: its rules, what is known about the project, and its synonyms. Every version is kept.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::line_diff::line_diff;
use recordar_domain::{Hasher, Invalid, OperationId, SpaceName, StandingText, Timestamp};
use recordar_store::{Error as StoreError, Operation, Reading, Settled, SpaceId, StandingTextRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StandingTextView {
    pub space: String,
    /// `rules`, `project` or `synonyms`.
    pub kind: &'static str,
    /// The number of its version, from 1; 0 if nothing was ever set.
    pub version: i64,
    pub text: String,
    pub tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub set_at: Option<Timestamp>,
}

/// All versions of a standing text.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StandingTextHistory {
    pub space: String,
    pub kind: &'static str,
    /// The newest first.
    pub versions: Vec<StandingTextView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StandingTextDifference {
    pub space: String,
    pub kind: &'static str,
    pub from: i64,
    pub to: i64,
    /// A unified diff.
    pub diff: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StandingTextSet {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    pub kind: &'static str,
    /// The number of the version that is current now.
    pub version: i64,
    /// False if the text was already so.
    pub changed: bool,
    pub repeated: bool,
}

impl Recordar {
    /// A standing text as it is now, or as it was: by the number of a version, or at a time.
    pub fn standing_text(
        &self,
        space: &SpaceName,
        kind: StandingText,
        version: Option<i64>,
        as_of: Option<Timestamp>,
    ) -> Result<StandingTextView, Error> {
        if version.is_some() && as_of.is_some() {
            return Err(Invalid::new("both a version and a time were given", "leave out version or as_of").into());
        }
        self.showing(|memory| {
            Ok(memory.store.read(|reading| {
                let Some(row) = reading.space(space)? else { return Ok(StandingTextView::none(space, kind)) };
                let revision = as_of.map_or(Ok(row.revision), |time| reading.revision_at(row.id, time))?;
                let found = match version {
                    None => reading.standing_text(row.id, kind, revision)?,
                    Some(number) => {
                        let found = reading.standing_texts(row.id, kind)?.into_iter().find(|row| row.number == number);
                        let what = || format!("version {number} of the {} of space {space}", kind.name());
                        Some(found.ok_or_else(|| StoreError::absent(what()))?)
                    }
                };
                match found {
                    Some(text) => memory.view_standing_text(reading, (space, row.id), kind, text),
                    None => Ok(StandingTextView::none(space, kind)),
                }
            })?)
        })
    }

    /// Sets a standing text. What it was stays in its history.
    pub fn set_standing_text(
        &self,
        space: &SpaceName,
        kind: StandingText,
        text: &str,
        operation: &OperationId,
    ) -> Result<StandingTextSet, Error> {
        kind.check(text)?;
        let request = Hasher::default().field(kind.name()).field(text).finish();
        let operation = Operation { id: operation, kind: "set_standing_text", request };
        let mut before = 0;
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            before = writing.revision() - 1;
            let (id, revision) = (writing.space_id(), writing.revision());
            Ok(match writing.set_standing_text(kind, text)? {
                Some(version) => Settled::Commit([version, 1]),
                None => {
                    let last = writing.standing_text(id, kind, revision)?;
                    Settled::Abandon([last.map_or(0, |last| last.number), 0])
                }
            })
        })?;
        let [version, changed] = written.value;
        Ok(StandingTextSet {
            space: space.to_string(),
            operation: operation.id.to_string(),
            revision: written.revision.unwrap_or(before),
            kind: kind.name(),
            version,
            changed: changed == 1,
            repeated: written.is_repeated,
        })
    }

    /// All versions of a standing text.
    pub fn standing_text_history(&self, space: &SpaceName, kind: StandingText) -> Result<StandingTextHistory, Error> {
        self.showing(|memory| {
            let versions = memory.store.read(|reading| {
                let Some(row) = reading.space(space)? else { return Ok(Vec::new()) };
                let mut versions = Vec::new();
                for text in reading.standing_texts(row.id, kind)? {
                    versions.push(memory.view_standing_text(reading, (space, row.id), kind, text)?);
                }
                Ok(versions)
            })?;
            Ok(StandingTextHistory { space: space.to_string(), kind: kind.name(), versions })
        })
    }

    /// The differences between two versions: by default the newest and the one before. Before the first there was nothing, version 0.
    pub fn standing_text_diff(
        &self,
        space: &SpaceName,
        kind: StandingText,
        from: Option<i64>,
        to: Option<i64>,
    ) -> Result<StandingTextDifference, Error> {
        self.showing(|memory| {
            let new = memory.standing_text(space, kind, to, None)?;
            let from = from.unwrap_or((new.version - 1).max(0));
            let old = match from {
                0 => StandingTextView::none(space, kind),
                _ => memory.standing_text(space, kind, Some(from), None)?,
            };
            let changes = line_diff(&old.text, &new.text);
            let name = |version: i64| format!("{} (version {version})", kind.name());
            let diff = changes.unified_diff().header(&name(from), &name(new.version)).to_string();
            Ok(StandingTextDifference { space: space.to_string(), kind: kind.name(), from, to: new.version, diff })
        })
    }

    fn view_standing_text(
        &self,
        reading: &mut Reading<'_>,
        (space, id): (&SpaceName, SpaceId),
        kind: StandingText,
        row: StandingTextRow,
    ) -> Result<StandingTextView, StoreError> {
        let set_at = reading.operation_at(id, row.born)?.map(|operation| operation.recorded_at);
        let (tokens, version) = (self.counter.count(&row.text), row.number);
        Ok(StandingTextView { version, text: row.text, tokens, set_at, ..StandingTextView::none(space, kind) })
    }
}

impl StandingTextView {
    /// Nothing was ever set.
    fn none(space: &SpaceName, kind: StandingText) -> Self {
        Self { space: space.to_string(), kind: kind.name(), version: 0, text: String::new(), tokens: 0, set_at: None }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct StandingTextArguments {
    /// Which text: the rules, the project memory (what is known about the project), or the synonyms (words that mean the same).
    #[schemars(extend("enum" = ["rules", "project", "synonyms"]))]
    kind: String,
    /// The number of a version; the current one if it is absent.
    version: Option<i64>,
    /// As it was at this time.
    #[schemars(with = "Option<String>")]
    as_of: Option<Timestamp>,
}

impl Verb for StandingTextArguments {
    const NAME: &'static str = "standing_text";
    const ABOUT: &'static str = "Show a standing text of a space: its rules, its project memory, or its synonyms.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = StandingTextView;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<StandingTextView, Error> {
        memory.standing_text(call.space(), StandingText::parse(&self.kind)?, self.version, self.as_of)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SetStandingTextArguments {
    /// Which text: the rules, the project memory, or the synonyms.
    #[schemars(extend("enum" = ["rules", "project", "synonyms"]))]
    kind: String,
    /// The new text, in place of the whole text before; empty for none. Synonyms are lines such as `NVH = vehicle acoustics`.
    text: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for SetStandingTextArguments {
    const NAME: &'static str = "set_standing_text";
    const ABOUT: &'static str =
        "Set the rules, the project memory or the synonyms of a space. What was there stays in the history.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = StandingTextSet;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<StandingTextSet, Error> {
        let kind = StandingText::parse(&self.kind)?;
        memory.set_standing_text(call.space(), kind, &self.text, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct StandingTextHistoryArguments {
    /// Which text: the rules, the project memory, or the synonyms.
    #[schemars(extend("enum" = ["rules", "project", "synonyms"]))]
    kind: String,
}

impl Verb for StandingTextHistoryArguments {
    const NAME: &'static str = "standing_text_history";
    const ABOUT: &'static str = "List all versions of the rules, the project memory or the synonyms of a space.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = StandingTextHistory;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<StandingTextHistory, Error> {
        memory.standing_text_history(call.space(), StandingText::parse(&self.kind)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct StandingTextDiffArguments {
    /// Which text: the rules, the project memory, or the synonyms.
    #[schemars(extend("enum" = ["rules", "project", "synonyms"]))]
    kind: String,
    /// The earlier version; by default the one before the later one. Version 0 is the empty text before the first.
    from: Option<i64>,
    /// The later version; by default the newest.
    to: Option<i64>,
}

impl Verb for StandingTextDiffArguments {
    const NAME: &'static str = "standing_text_diff";
    const ABOUT: &'static str =
        "Show the differences between two versions of the rules, the project memory or the synonyms.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = StandingTextDifference;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<StandingTextDifference, Error> {
        memory.standing_text_diff(call.space(), StandingText::parse(&self.kind)?, self.from, self.to)
    }
}

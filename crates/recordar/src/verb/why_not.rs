//! Why not: the stage of a recall that dropped an item, with its rank and score, and settings that would include it. The same
//! recall runs, and the reason is read from its trace; suggested settings are tried before they are reported.

use super::options::RecallOptions;
use crate::call::{Call, Effect, Reach, Verb, With};
use crate::engine::Recordar;
use crate::flow::context::Context;
use crate::flow::plan::Plan;
use crate::flow::recall::{assemble, measure};
use recordar_core::error::Error;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::item::item_name;
use recordar_core::noun::limits::MAX_QUERY_BYTES;
use recordar_core::noun::rerank::{JudgeConfidence, Rerank, RerankView};
use recordar_core::noun::spaces::names;
use recordar_core::recall::{
    Authority, CLIP_SENTENCES, CandidateView, Interleaving, MAX_TOKENS, RecallRequest, RecallSettings, Strategy, TOP_K,
};
use recordar_core::route::Question;
use recordar_core::route::hybrid::HybridRoute;
use recordar_domain::{Action, Decision, Invalid, ItemKind, SUMMARISED, SpaceName, Timestamp, Trace, check_text};
use recordar_index::{Evidence, Mode as SearchMode, Standing};
use recordar_store::{Error as StoreError, ItemRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WhyNot {
    pub space: String,
    pub item_id: i64,
    pub query: String,
    /// Its place in the context; absent if it was dropped.
    pub place: Option<usize>,
    /// The stage that dropped it; absent if it was not dropped.
    pub stage: Option<FallenAt>,
    /// The stage's reason.
    pub reason: String,
    /// Its rank by score among all items of the spaces, and the score with its parts; absent if it is not live.
    pub rank: Option<usize>,
    pub score: Option<f64>,
    pub parts: Option<Evidence>,
    /// Its rank after reranking, among the candidates; absent if it was off, or if the item was not a candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked: Option<usize>,
    /// What reranking did with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<RerankView>,
    /// Settings that include it, all together, within the administrator's ranges. They were tried. Empty if there are none.
    pub changes: Vec<SettingChange>,
    /// What to do if no setting includes it.
    pub advice: String,
    pub trace: Trace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallenAt {
    /// The conditions of a recall: nothing was searched.
    Conditions,
    /// The item never existed in the space.
    Stored,
    Forgotten,
    /// It was not stored yet, or already retired.
    Live,
    /// The filter excludes it.
    Filter,
    /// It was not a candidate.
    Hybrid,
    Rank,
    /// The same page is there in another language.
    Pages,
    Gate,
    /// Something else says it, or it no longer holds.
    Facts,
    /// A summary says it.
    Summaries,
    Deduplicate,
    TopK,
    /// It continues a memory, but there was no room for it.
    Continued,
    Budget,
}

impl FallenAt {
    /// Stages that drop individual items, by their names in the trace.
    const DROPPING: [Self; 8] = [
        Self::Pages,
        Self::Gate,
        Self::Facts,
        Self::Summaries,
        Self::Deduplicate,
        Self::TopK,
        Self::Continued,
        Self::Budget,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Conditions => "conditions",
            Self::Stored => "stored",
            Self::Forgotten => "forgotten",
            Self::Live => "live",
            Self::Filter => "filter",
            Self::Hybrid => "hybrid",
            Self::Rank => "rank",
            Self::Pages => "pages",
            Self::Gate => "gate",
            Self::Facts => "facts",
            Self::Summaries => "summaries",
            Self::Deduplicate => "deduplicate",
            Self::TopK => "top_k",
            Self::Continued => "continued",
            Self::Budget => "budget",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingChange {
    pub setting: &'static str,
    pub value: String,
}

/// The stage that dropped an item, and its reason.
struct Fall {
    at: FallenAt,
    reason: String,
    /// How many items the stage dropped up to and including this one.
    beyond: u32,
}

impl Fall {
    fn new(at: FallenAt, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into(), beyond: 0 }
    }
}

/// Maximum number of changes tried one after the other. There are fewer stages.
const MAX_CHANGES: usize = 8;

impl Recordar {
    /// Why an item is not in the context that a request recalls. Its space must be one of those searched.
    pub fn why_not(
        &self,
        spaces: &[SpaceName],
        item: (&SpaceName, i64),
        request: &RecallRequest,
    ) -> Result<WhyNot, Error> {
        self.showing(|memory| {
            let (space, id) = item;
            if !spaces.contains(space) {
                return Err(Invalid::new(
                    format!("{space}, the space of the item, is not among the searched spaces"),
                    "search that space as well",
                )
                .into());
            }
            check_text("the query", &request.query, MAX_QUERY_BYTES)?;
            let plan = Plan::new(memory, spaces, request)?;
            let (fall, assembled) = memory.fall_of(&plan, item)?;
            let standing = memory.standing(&plan, item)?;
            let found = standing.map(|(standing, rank)| (rank, standing.hit.score, standing.hit.evidence));
            // Of a candidate, with what its page says of it.
            let found = match candidate_of(assembled.as_ref(), item) {
                None => found,
                Some(own) => {
                    let before =
                        own.rerank.as_ref().map(|view| (found.map_or(own.rank, |(rank, ..)| rank), view.search));
                    let (rank, score) = before.unwrap_or((own.rank, own.score));
                    Some((rank, score, own.parts.clone()))
                }
            };
            let place = place_of(assembled.as_ref(), item);
            let judged = candidate_of(assembled.as_ref(), item)
                .and_then(|candidate| Some((candidate.rank, candidate.rerank.clone()?)))
                .unzip();
            let confidence =
                assembled.as_ref().map(|assembled| assembled.result.confidence.clone()).unwrap_or_default();
            let mut why_not = WhyNot {
                space: space.to_string(),
                item_id: id,
                query: request.query.clone(),
                place,
                stage: fall.as_ref().map(|fall| fall.at),
                reason: place.map_or(String::new(), |place| format!("it is in the context, at place {place}")),
                rank: found.as_ref().map(|(rank, ..)| *rank),
                score: found.as_ref().map(|(_, score, _)| *score),
                parts: found.map(|(.., parts)| parts),
                reranked: judged.0,
                rerank: judged.1,
                changes: Vec::new(),
                advice: String::new(),
                trace: assembled.map_or_else(Trace::default, |assembled| assembled.result.trace),
            };
            if let Some(fall) = fall {
                why_not.reason = format!("{}{}", fall.reason, why_not.moved());
                match memory.let_in(&plan, item, (&fall, &confidence))? {
                    Some(changed) => why_not.changes = changes(&plan, &Plan::new(memory, spaces, &changed)?),
                    None => why_not.advice = advice(fall.at).to_owned(),
                }
            }
            Ok(why_not)
        })
    }

    /// The same request with settings that include the item. `None` if there are none.
    fn let_in(
        &self,
        plan: &Plan<'_>,
        item: (&SpaceName, i64),
        (fall, confidence): (&Fall, &JudgeConfidence),
    ) -> Result<Option<RecallRequest>, Error> {
        use FallenAt::{Conditions, Facts, Filter, Forgotten, Live, Pages, Stored, Summaries};
        let mut request = RecallRequest { authority: Authority::Administrator, ..plan.request.clone() };
        match fall.at {
            Conditions | Stored | Forgotten | Filter | Pages | Facts | Summaries => return Ok(None),
            Live => match self.lived_at(item)? {
                Some(time) => request.as_of = Some(time),
                None => return Ok(None),
            },
            _ => {}
        }
        if confidence.says_no() {
            request.settings.min_confidence = Some(just_below(confidence.best.unwrap_or_default()));
            if self.fall_of(&Plan::new(self, &plan.spaces, &request)?, item)?.0.is_none() {
                return Ok(Some(request));
            }
        }
        if !plan.settings.rerank.is_off() {
            // If the judge alone moved it out, nothing else need change.
            let mut plain = request.clone();
            plain.settings.rerank = Some(Rerank::Off);
            if self.fall_of(&Plan::new(self, &plan.spaces, &plain)?, item)?.0.is_none() {
                return Ok(Some(plain));
            }
        }
        let configured = plan.settings.search_type;
        let others = SearchMode::ALL.into_iter().filter(|mode| *mode != configured);
        let modes = std::iter::once(configured).chain(others);
        for mode in modes {
            let mut same = request.clone();
            same.settings.search_type = (mode != configured).then_some(mode).or(request.settings.search_type);
            if let Some(least) = self.least_change(&plan.spaces, item, same.clone())? {
                return Ok(Some(least));
            }
            for all in [widest(&same), self.nearest(&plan.spaces, item, &same)?] {
                if self.fall_of(&Plan::new(self, &plan.spaces, &all)?, item)?.0.is_none() {
                    return Ok(Some(all));
                }
            }
        }
        Ok(None)
    }

    /// Keeps only items that score as high, by score, one sentence of each.
    fn nearest(
        &self,
        spaces: &[SpaceName],
        item: (&SpaceName, i64),
        request: &RecallRequest,
    ) -> Result<RecallRequest, Error> {
        let mut nearest = widest(request);
        let plan = Plan::new(self, spaces, &nearest)?;
        let score = match candidate_of(self.fall_of(&plan, item)?.1.as_ref(), item) {
            Some(candidate) => candidate.score,
            None => self.standing(&plan, item)?.map_or(0.0, |(standing, _)| standing.hit.score),
        };
        nearest.settings.min_score = Some(just_below(score));
        nearest.settings.interleaving = Some(Interleaving { strategy: Strategy::ScoreFirst, ratio: None });
        Ok(nearest)
    }

    /// Changes the settings that exclude the item, stage by stage, and no more than necessary. `None` if that fails.
    fn least_change(
        &self,
        spaces: &[SpaceName],
        item: (&SpaceName, i64),
        mut request: RecallRequest,
    ) -> Result<Option<RecallRequest>, Error> {
        for _ in 0..MAX_CHANGES {
            let plan = Plan::new(self, spaces, &request)?;
            let (fall, assembled) = self.fall_of(&plan, item)?;
            let Some(fall) = fall else { return Ok(Some(request)) };
            let standing = self.standing(&plan, item)?;
            let (score, rank) = standing.map_or((0.0, usize::MAX), |(standing, rank)| (standing.hit.score, rank));
            // Reranking changes the score that `min_score` is compared with.
            let score = candidate_of(assembled.as_ref(), item).map_or(score, |candidate| candidate.score);
            let mut settings = request.settings.clone();
            let (top_k, most) = (plan.settings.top_k, TOP_K.administrator.1);
            match fall.at {
                FallenAt::Gate => settings.min_score = Some(just_below(score)),
                FallenAt::TopK => settings.top_k = Some((top_k + fall.beyond).min(most)),
                FallenAt::Rank | FallenAt::Hybrid => {
                    let wanted = u32::try_from(rank.div_ceil(2)).unwrap_or(most);
                    settings.top_k = Some(wanted.max(top_k + 1).min(most));
                }
                FallenAt::Continued | FallenAt::Budget => match self.tokens_up_to(&plan, item)? {
                    Some(tokens) => settings.max_tokens = Some(tokens),
                    None => settings.clip_sentences = Some(CLIP_SENTENCES.administrator.0),
                },
                _ => return Ok(None),
            }
            if settings == request.settings {
                return Ok(None);
            }
            request.settings = settings;
        }
        Ok(None)
    }

    /// As many tokens as are needed to reach the item, if allowed.
    fn tokens_up_to(&self, plan: &Plan<'_>, item: (&SpaceName, i64)) -> Result<Option<u32>, Error> {
        let (least, most) = MAX_TOKENS.administrator;
        let mut request = plan.request.clone();
        request.settings.max_tokens = Some(most);
        let assembled = assemble(self, &Plan::new(self, &plan.spaces, &request)?)?;
        let place = place_of(Some(&assembled), item);
        let tokens = place.map(|place| measure(self, &plan.settings, &assembled.passages[..place])).transpose()?;
        Ok(tokens.map(|tokens| u32::try_from(tokens).unwrap_or(most).clamp(least, most)))
    }

    /// Runs the recall and reports where the item was dropped; nowhere if it is in the context.
    fn fall_of(&self, plan: &Plan<'_>, item: (&SpaceName, i64)) -> Result<(Option<Fall>, Option<Context>), Error> {
        if let Some(unmet) = plan.unmet_condition() {
            let decisions = unmet.trace.stages.iter().flat_map(|stage| &stage.decisions);
            let reason = decisions.map(|decision| decision.detail.as_str()).collect::<Vec<_>>().join("; ");
            return Ok((Some(Fall::new(FallenAt::Conditions, reason)), None));
        }
        if let Some(fall) = self.not_live(plan, item)? {
            return Ok((Some(fall), None));
        }
        if let Some(fall) = self.filtered_out(plan, item)? {
            return Ok((Some(fall), None));
        }
        let assembled = assemble(self, plan)?;
        if place_of(Some(&assembled), item).is_some() {
            return Ok((None, Some(assembled)));
        }
        let name = item_name(item.0.as_str(), item.1);
        for stage in &assembled.result.trace.stages {
            let is_dropped = |decision: &&Decision| decision.action == Action::Dropped;
            let mut dropped = (1..).zip(stage.decisions.iter().filter(is_dropped));
            let known = FallenAt::DROPPING.into_iter().find(|known| known.name() == stage.name);
            if let (Some(at), Some((beyond, decision))) = (known, dropped.find(|(_, found)| found.subject == name)) {
                let fall = Fall { at, reason: decision.detail.clone(), beyond };
                return Ok((Some(fall), Some(assembled)));
            }
        }
        let limit = plan.search().limit;
        let fall = match self.standing(plan, item)? {
            Some((standing, _)) if standing.hit.score <= 0.0 => {
                Fall::new(FallenAt::Rank, "it does not match the question: its score is 0")
            }
            Some((standing, rank)) if standing.is_candidate => {
                Fall::new(FallenAt::Rank, format!("rank {rank} by score; only the first {limit} are considered"))
            }
            _ if self.is_made_summary(item)? => {
                let reason = "summaries are not searched; a recall shows them in the place of their messages";
                Fall::new(FallenAt::Summaries, reason)
            }
            _ => match self.echo_of(plan, item)? {
                Some(origin) => {
                    let origin = item_name(item.0.as_str(), origin);
                    Fall::new(FallenAt::Deduplicate, format!("its text is that of {origin}, which is earlier"))
                }
                None => {
                    let reason = "it is not among the candidates: other items are closer in words and meaning";
                    Fall::new(FallenAt::Hybrid, reason)
                }
            },
        };
        Ok((Some(fall), Some(assembled)))
    }

    /// Whether the filter excludes an item, and by which conditions.
    fn filtered_out(&self, plan: &Plan<'_>, (space, id): (&SpaceName, i64)) -> Result<Option<Fall>, Error> {
        let search = plan.search();
        let (question, _) = Question::read(&search.query, self.config.language, plan.asked_at());
        let Ok(id) = u32::try_from(id) else { return Ok(None) };
        let route = HybridRoute::new((&self.indexes, &self.cancel), &plan.spaces, &question, &search);
        let failed = route.failed(space, id)?;
        let reason = || format!("excluded by the filter {}", failed.join(", "));
        Ok((!failed.is_empty()).then(|| Fall::new(FallenAt::Filter, reason())))
    }

    /// Whether an item is a summary that the queue made.
    fn is_made_summary(&self, (space, id): (&SpaceName, i64)) -> Result<bool, Error> {
        Ok(self.store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(false) };
            let item = reading.item(row.id, id)?.filter(|item| item.kind == ItemKind::Summary);
            Ok(item.is_some_and(|item| item.source.as_deref() == Some(SUMMARISED)))
        })?)
    }

    /// The earlier item whose text an item repeats.
    fn echo_of(&self, plan: &Plan<'_>, (space, id): (&SpaceName, i64)) -> Result<Option<i64>, Error> {
        let Ok(id) = u32::try_from(id) else { return Ok(None) };
        let origin =
            self.indexes.with(space, plan.request.as_of, &self.cancel, |index, moment| index.echo_of(id, moment.at))?;
        Ok(origin.flatten().map(i64::from))
    }

    /// Whether an item exists at the time in question.
    fn not_live(&self, plan: &Plan<'_>, (space, id): (&SpaceName, i64)) -> Result<Option<Fall>, Error> {
        let fall = self.store.read(|reading| {
            let row = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?;
            let Some(item) = reading.item(row.id, id)? else {
                return Ok(Some(match reading.is_forgotten(row.id, id)? {
                    true => Fall::new(FallenAt::Forgotten, format!("item {id} was forgotten")),
                    false => Fall::new(FallenAt::Stored, format!("there is no item {id} in {space}")),
                }));
            };
            let as_of = plan.request.as_of;
            let at = as_of.map_or(Ok(i64::MAX - 1), |time| reading.revision_at(row.id, time))?;
            let ItemRow { born, retired, recorded_at, .. } = item;
            if born > at {
                return Ok(Some(Fall::new(FallenAt::Live, format!("it was stored later, at {recorded_at}"))));
            }
            let by = if item.version_id.is_some() { "a newer version" } else { "a newer item" };
            let retired = retired.filter(|retired| *retired <= at);
            let reason = |at| format!("it was retired by {by}, at revision {at}");
            Ok(retired.map(|at| Fall::new(FallenAt::Live, reason(at))))
        })?;
        Ok(fall)
    }

    /// A time at which the item was live. None if it was stored and replaced in the same moment.
    fn lived_at(&self, (space, id): (&SpaceName, i64)) -> Result<Option<Timestamp>, Error> {
        let time = self.store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(None) };
            let Some(item) = reading.item(row.id, id)? else { return Ok(None) };
            let at = reading.revision_at(row.id, item.recorded_at)?;
            Ok(item.retired.is_none_or(|retired| at < retired).then_some(item.recorded_at))
        })?;
        Ok(time)
    }

    fn standing(&self, plan: &Plan<'_>, (space, id): (&SpaceName, i64)) -> Result<Option<(Standing, usize)>, Error> {
        let search = plan.search();
        let (question, _) = Question::read(&search.query, self.config.language, plan.asked_at());
        let Ok(id) = u32::try_from(id) else { return Ok(None) };
        HybridRoute::new((&self.indexes, &self.cancel), &plan.spaces, &question, &search).stand(space, id)
    }
}

impl WhyNot {
    /// How reranking changed its rank and score.
    fn moved(&self) -> String {
        let (Some(rank), Some(after), Some(view)) = (self.rank, self.reranked, &self.rerank) else {
            return String::new();
        };
        match view.judge {
            Some(judge) => format!(
                "; reranking changed its rank from {rank} to {after} and its score from {:.3} to {:.3}, because the judge rates it {judge:.3}",
                view.search, view.score
            ),
            None => "; it was not judged".to_owned(),
        }
    }
}

/// A threshold that a score reaches, in a few digits.
fn just_below(score: f64) -> f64 {
    (score * 1e4).floor() / 1e4
}

/// The highest settings allowed.
fn widest(request: &RecallRequest) -> RecallRequest {
    let mut widest = request.clone();
    widest.settings.min_score = Some(0.0);
    widest.settings.min_confidence = Some(0.0);
    widest.settings.top_k = Some(TOP_K.administrator.1);
    widest.settings.max_tokens = Some(MAX_TOKENS.administrator.1);
    widest.settings.clip_sentences = Some(CLIP_SENTENCES.administrator.0);
    widest
}

/// The settings that differ.
fn changes(before: &Plan<'_>, after: &Plan<'_>) -> Vec<SettingChange> {
    let named = |settings: &RecallSettings, as_of: Option<Timestamp>| {
        [
            ("as_of", as_of.map_or(String::new(), |time| time.to_string())),
            ("search_type", settings.search_type.name().to_owned()),
            ("min_score", settings.min_score.to_string()),
            ("min_confidence", settings.min_confidence.map_or(String::new(), |least| least.to_string())),
            ("top_k", settings.top_k.to_string()),
            ("max_tokens", settings.max_tokens.to_string()),
            ("clip_sentences", settings.clip_sentences.to_string()),
            ("interleaving", settings.interleaving.strategy.name().to_owned()),
            ("rerank", settings.rerank.to_string()),
        ]
    };
    let before = named(&before.settings, before.request.as_of);
    let after = named(&after.settings, after.request.as_of);
    let other = after.into_iter().zip(before).filter(|(after, before)| after != before && !after.1.is_empty());
    other.map(|((setting, value), _)| SettingChange { setting, value }).collect()
}

fn advice(at: FallenAt) -> &'static str {
    match at {
        FallenAt::Conditions => "nothing was searched for that reason; change it in the request",
        FallenAt::Stored => "check the item's id and its space",
        FallenAt::Forgotten => "forgotten data cannot be restored; store it again",
        FallenAt::Live => "no setting includes it; it may have been stored and replaced in the same moment",
        FallenAt::Filter => "leave that condition out of the filter",
        FallenAt::Pages => "ask in the language of this page",
        FallenAt::Facts => "ask about what was before, or list all facts: `recordar facts list --all`",
        FallenAt::Summaries => "to see messages instead of summaries, use --filter kind=message",
        FallenAt::Deduplicate => "no action is needed: the other item has the same text",
        _ => "none of the settings tried includes it; use more of the item's own words in the query",
    }
}

fn place_of(assembled: Option<&Context>, (space, id): (&SpaceName, i64)) -> Option<usize> {
    let is_it = |item: &ItemView| item.item_id == id && item.space == space.as_str();
    assembled?.passages.iter().position(|passage| is_it(&passage.item)).map(|index| index + 1)
}

fn candidate_of<'a>(assembled: Option<&'a Context>, (space, id): (&SpaceName, i64)) -> Option<&'a CandidateView> {
    let is_it = |candidate: &&CandidateView| candidate.item_id == id && candidate.space == space.as_str();
    assembled?.result.candidates.iter().find(is_it)
}

/// Arguments of this verb only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct WhyNotOwn {
    /// The id of the missing item.
    item: i64,
    /// The query.
    query: String,
}

pub type WhyNotArguments = With<WhyNotOwn, RecallOptions>;

impl Verb for WhyNotArguments {
    const NAME: &'static str = "why_not";
    const ABOUT: &'static str = "Show why an item is not in a recalled context, and which settings would include it.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Spaces(|why_not, _, _| Ok(names(&why_not.1.also)));
    const IS_LONG: bool = false;
    type Reply = WhyNot;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<WhyNot, Error> {
        let With(WhyNotOwn { item, query }, options) = self;
        let (spaces, request) = options.request(query, call)?;
        memory.why_not(&spaces, (call.space(), item), &request)
    }
}

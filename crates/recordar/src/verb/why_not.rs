//! Why not: at which stage of a recall an item fell out, with which rank and score, and what would have let it in. The same
//! recall is done, and what it says of the item is read from its trace; nothing is guessed.

use crate::assemble::item_name;
use crate::policy::{Authority, MAX_TOKENS, TOP_K};
use crate::verb::recall::{Assembled, Plan};
use crate::{Error, Evidence, RecallRequest, Recordar, SearchMode};
use recordar_domain::{Action, Decision, Invalid, SpaceName, Timestamp, Trace, check_text};
use recordar_store::{Error as StoreError, ItemRow};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhyNot {
    pub space: String,
    pub item_id: i64,
    pub query: String,
    /// The place it has in the context; none where it fell out.
    pub place: Option<usize>,
    /// The stage that it fell out at: `stored`, `forgotten`, `live`, `hybrid`, `rank`, `gate`, `deduplicate`, `top_k` or
    /// `budget`. `included` where it did not.
    pub stage: &'static str,
    /// What the stage says.
    pub reason: String,
    /// Its place among all items of its space by score, and the score with its parts; none where it is not live.
    pub rank: Option<usize>,
    pub score: Option<f64>,
    pub parts: Option<Evidence>,
    /// Changes that let it in, all of them together; they were tried.
    pub changes: Vec<String>,
    /// Whether they do.
    pub possible: bool,
    /// What else can be done.
    pub advice: String,
    pub trace: Trace,
}

/// Where an item fell out, and what the stage says of it.
struct Fall {
    stage: &'static str,
    reason: String,
    /// How many the stage dropped up to this one.
    beyond: u32,
}

impl Fall {
    fn at(stage: &'static str, reason: impl Into<String>) -> Self {
        Self { stage, reason: reason.into(), beyond: 0 }
    }
}

/// What can be changed for an item, or what else can be done.
enum Change {
    To { name: &'static str, value: String, request: Box<RecallRequest> },
    No(String),
}

impl Change {
    fn to(name: &'static str, value: impl ToString, request: RecallRequest) -> Self {
        Self::To { name, value: value.to_string(), request: Box::new(request) }
    }

    fn no(advice: &str) -> Self {
        Self::No(advice.to_owned())
    }
}

/// So many changes are tried one after the other. There are fewer stages.
const MAX_CHANGES: usize = 8;

impl Recordar {
    /// Why an item is not in the context that a request recalls. Its space is one of those that are searched.
    pub fn why_not(
        &self,
        spaces: &[SpaceName],
        item: (&SpaceName, i64),
        request: &RecallRequest,
    ) -> Result<WhyNot, Error> {
        let (space, id) = item;
        if !spaces.contains(space) {
            return Err(Invalid::new(
                format!("{space} is not among the spaces that are searched"),
                "search in the item's own space",
            )
            .into());
        }
        check_text("the query", &request.query, crate::verb::search::MAX_QUERY_BYTES)?;
        let plan = self.plan(spaces, request)?;
        let (fall, assembled) = self.fall_of(&plan, space, id)?;
        let standing = match fall {
            Some(Fall { stage: "stored" | "forgotten" | "live", .. }) => None,
            _ => self.standing(&plan, space, id)?,
        };
        let place = place_of(&assembled, space, id);
        let mut why_not = WhyNot {
            space: space.to_string(),
            item_id: id,
            query: request.query.clone(),
            place,
            stage: "included",
            reason: place.map_or(String::new(), |place| format!("it is in the context, at place {place}")),
            rank: standing.as_ref().map(|standing| standing.rank),
            score: standing.as_ref().map(|standing| standing.hit.score),
            parts: standing.map(|standing| standing.hit.evidence),
            changes: Vec::new(),
            possible: place.is_some(),
            advice: String::new(),
            trace: assembled.map_or_else(Trace::default, |assembled| assembled.result.trace),
        };
        if let Some(fall) = fall {
            (why_not.stage, why_not.reason) = (fall.stage, fall.reason.clone());
            self.try_changes(&mut why_not, spaces, item, request, fall)?;
        }
        Ok(why_not)
    }

    /// Changes what keeps the item out, stage after stage, until it is in or nothing helps.
    fn try_changes(
        &self,
        why_not: &mut WhyNot,
        spaces: &[SpaceName],
        (space, id): (&SpaceName, i64),
        request: &RecallRequest,
        mut fall: Fall,
    ) -> Result<(), Error> {
        let mut request = RecallRequest { authority: Authority::Administrator, ..request.clone() };
        for _ in 0..MAX_CHANGES {
            let plan = self.plan(spaces, &request)?;
            let (name, value, changed) = match self.change(&plan, space, id, &fall)? {
                Change::To { name, value, request } => (name, value, *request),
                Change::No(advice) => {
                    why_not.advice = advice;
                    return Ok(());
                }
            };
            request = changed;
            why_not.changes.retain(|known| !known.starts_with(name));
            why_not.changes.push(format!("{name} {value}"));
            match self.fall_of(&self.plan(spaces, &request)?, space, id)?.0 {
                Some(next) => fall = next,
                None => {
                    why_not.possible = true;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// One change that may bring the item past the stage where it fell; or else what to do instead.
    fn change(&self, plan: &Plan<'_>, space: &SpaceName, id: i64, fall: &Fall) -> Result<Change, Error> {
        let mut request = plan.request.clone();
        let most = TOP_K.administrator.1;
        Ok(match fall.stage {
            "live" => match self.lived_at(space, id)? {
                Some(time) if request.as_of != Some(time) => {
                    request.as_of = Some(time);
                    Change::to("as_of", time, request)
                }
                _ => Change::no("it was stored and replaced in the same moment"),
            },
            "gate" => {
                let score = self.standing(plan, space, id)?.map_or(0.0, |standing| standing.hit.score);
                let min_score = (score * 1e4).floor() / 1e4;
                request.settings.min_score = Some(min_score);
                Change::to("min_score", min_score, request)
            }
            "top_k" if plan.settings.top_k + fall.beyond <= most => {
                let top_k = plan.settings.top_k + fall.beyond;
                request.settings.top_k = Some(top_k);
                Change::to("top_k", top_k, request)
            }
            "rank" | "hybrid" | "top_k" => self.change_search(plan, space, id)?,
            "budget" => self.change_budget(plan, space, id)?,
            "deduplicate" => Change::no("what it says is said already by the other item"),
            "forgotten" => Change::no("what is forgotten does not come back; store it anew"),
            _ => Change::no("check the number of the item, and the space it is in"),
        })
    }

    /// More candidates, or another way to search, where one of them finds it.
    fn change_search(&self, plan: &Plan<'_>, space: &SpaceName, id: i64) -> Result<Change, Error> {
        let mut request = plan.request.clone();
        let most = TOP_K.administrator.1;
        let standing = self.standing(plan, space, id)?.filter(|standing| standing.is_candidate);
        let wanted = standing.map_or(u32::MAX, |found| u32::try_from(found.rank.div_ceil(2)).unwrap_or(u32::MAX));
        if wanted <= most && wanted > plan.settings.top_k {
            request.settings.top_k = Some(wanted);
            return Ok(Change::to("top_k", wanted, request));
        }
        let others = [(SearchMode::Keyword, "keyword"), (SearchMode::Semantic, "semantic")];
        for (mode, name) in others.into_iter().filter(|_| plan.settings.search_type == SearchMode::Hybrid) {
            request.settings.search_type = Some(mode);
            let other = self.plan(&plan.spaces, &request)?;
            let limit = 2 * other.settings.top_k as usize;
            let standing = self.standing(&other, space, id)?;
            if standing.is_some_and(|found| found.is_candidate && found.rank <= limit) {
                return Ok(Change::to("search_type", name, request));
            }
        }
        let looked_at = 2 * most;
        Ok(Change::No(format!(
            "no setting brings it up: at most {looked_at} are looked at; ask with more of its own words"
        )))
    }

    /// As many tokens as it takes to come to the item, if so many may be had.
    fn change_budget(&self, plan: &Plan<'_>, space: &SpaceName, id: i64) -> Result<Change, Error> {
        let mut request = plan.request.clone();
        let (least, most) = MAX_TOKENS.administrator;
        request.settings.max_tokens = Some(most);
        let assembled = Some(self.assemble(&self.plan(&plan.spaces, &request)?)?);
        let place = place_of(&assembled, space, id);
        let (Some(assembled), Some(place)) = (assembled, place) else {
            return Ok(Change::no("the budget cannot be so large; clip_sentences 1 makes room"));
        };
        let tokens: usize = assembled.passages.iter().take(place).map(|passage| passage.tokens).sum();
        let tokens = u32::try_from(tokens).unwrap_or(most).clamp(least, most);
        request.settings.max_tokens = Some(tokens);
        Ok(Change::to("max_tokens", tokens, request))
    }

    /// Does the recall, and tells where the item fell out; nowhere, if it is in the context.
    fn fall_of(&self, plan: &Plan<'_>, space: &SpaceName, id: i64) -> Result<(Option<Fall>, Option<Assembled>), Error> {
        if let Some(fall) = self.not_live(plan, space, id)? {
            return Ok((Some(fall), None));
        }
        let assembled = self.assemble(plan)?;
        let name = item_name(space.as_str(), id);
        if assembled.passages.iter().any(|passage| passage.name() == name) {
            return Ok((None, Some(assembled)));
        }
        const STAGES: [&str; 4] = ["gate", "deduplicate", "top_k", "budget"];
        for stage in &assembled.result.trace.stages {
            let is_dropped = |decision: &&Decision| decision.action == Action::Dropped;
            let mut dropped = (1..).zip(stage.decisions.iter().filter(is_dropped));
            let known = STAGES.into_iter().find(|known| *known == stage.name);
            if let (Some(stage), Some((beyond, decision))) = (known, dropped.find(|(_, found)| found.subject == name)) {
                let fall = Fall { stage, reason: decision.detail.clone(), beyond };
                return Ok((Some(fall), Some(assembled)));
            }
        }
        let limit = plan.search().limit;
        let fall = match self.standing(plan, space, id)? {
            Some(standing) if standing.hit.score <= 0.0 => {
                Fall::at("rank", "nothing of the question is in it: its score is 0")
            }
            Some(standing) if standing.is_candidate => {
                Fall::at("rank", format!("rank {} by score, and the first {limit} are looked at", standing.rank))
            }
            _ => Fall::at("hybrid", "it is not among the candidates: others are nearer by words and by meaning"),
        };
        Ok((Some(fall), Some(assembled)))
    }

    /// Whether an item is there at all at the time that is asked about.
    fn not_live(&self, plan: &Plan<'_>, space: &SpaceName, id: i64) -> Result<Option<Fall>, Error> {
        let fall = self.store.read(|reading| {
            let row = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?;
            let Some(item) = reading.item(row.id, id)? else {
                return Ok(Some(match reading.is_forgotten(row.id, id)? {
                    true => Fall::at("forgotten", format!("item {id} was forgotten")),
                    false => Fall::at("stored", format!("there is no item {id} in {space}")),
                }));
            };
            let as_of = plan.request.as_of;
            let at = as_of.map_or(Ok(i64::MAX - 1), |time| reading.revision_at(row.id, time))?;
            let ItemRow { born, retired, recorded_at, .. } = item;
            if born > at {
                return Ok(Some(Fall::at("live", format!("it was stored later, at {recorded_at}"))));
            }
            let by = if item.version_id.is_some() { "a newer version" } else { "what took its place" };
            let retired = retired.filter(|retired| *retired <= at);
            Ok(retired.map(|at| Fall::at("live", format!("it was retired by {by}, at revision {at}"))))
        })?;
        Ok(fall)
    }

    /// A time at which the item was live.
    fn lived_at(&self, space: &SpaceName, id: i64) -> Result<Option<Timestamp>, Error> {
        let time = self.store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(None) };
            let Some(item) = reading.item(row.id, id)? else { return Ok(None) };
            let at = reading.revision_at(row.id, item.recorded_at)?;
            Ok(item.retired.is_none_or(|retired| at < retired).then_some(item.recorded_at))
        })?;
        Ok(time)
    }

    fn standing(&self, plan: &Plan<'_>, space: &SpaceName, id: i64) -> Result<Option<recordar_index::Standing>, Error> {
        let search = plan.search();
        let (question, _) = self.read_question(&search);
        let Ok(id) = u32::try_from(id) else { return Ok(None) };
        self.hybrid(&plan.spaces, &question, &search).stand(space, id)
    }
}

fn place_of(assembled: &Option<Assembled>, space: &SpaceName, id: i64) -> Option<usize> {
    let name = item_name(space.as_str(), id);
    let passages = &assembled.as_ref()?.passages;
    passages.iter().position(|passage| passage.name() == name).map(|index| index + 1)
}

//! The route of a staged recall: three stages over the labels of the index (D4). The first gets half of a budget of twenty, the second what is left, the
//! third the rest.

use super::filter::Limited;
use crate::error::Error;
use crate::index::{Beside, IndexView, Indexes, Moment};
use crate::noun::item::{ItemView, StoredWith, item_name};
use crate::noun::staged::StageSource;
use recordar_domain::{Action, Entity, Intent, SpaceName, Stage, Timestamp, Vocabulary};
use recordar_index::{Filter, Index, LabelColumns, StageHit, StageRequest, StageScope};
use recordar_store::{Cancel, Error as StoreError, Reading, Store};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The memories of all stages together.
const BUDGET: usize = 20;

pub struct StagesRoute<'a> {
    pub indexes: &'a Indexes,
    pub store: &'a Store,
    pub cancel: &'a Cancel,
    /// The first is the caller's own, in which the current thread is.
    pub spaces: &'a [SpaceName],
    /// The current thread, if there is one.
    pub thread: Option<&'a str>,
    pub intent: &'a Intent,
    /// Only these memories.
    pub limited: Limited<'a>,
    pub asked_at: Timestamp,
    pub as_of: Option<Timestamp>,
}

/// A memory that a stage found.
#[derive(Clone)]
pub struct Found {
    pub hit: StageHit,
    pub source: StageSource,
    pub item: ItemView,
    pub thread_title: Option<String>,
}

/// What the stages found, the moment of each space, the last count of uses in each, and the decisions.
pub type FoundInStages = (Vec<Found>, Vec<Option<Moment>>, Vec<i64>, Vec<Stage>);

/// The hits of each stage in one space, best first, and the moment they are of.
struct Scanned {
    hits: [Vec<StageHit>; 3],
    moment: Moment,
    uses_at: i64,
    /// How many items pass the filter.
    passed: usize,
}

impl StagesRoute<'_> {
    pub fn find(&self) -> Result<FoundInStages, Error> {
        let current = self.current_thread()?;
        let mut scanned: Vec<Option<Scanned>> = Vec::with_capacity(self.spaces.len());
        for (number, space) in self.spaces.iter().enumerate() {
            let own = current.filter(|_| number == 0);
            let scopes = StageSource::ALL.map(|source| self.scope(source, own));
            scanned.push(self.scan(space, scopes)?);
        }
        let mut stages: Vec<Stage> = self.explain_filter(&scanned).into_iter().collect();
        let mut chosen: Vec<(StageSource, usize, StageHit)> = Vec::new();
        let mut budget = BUDGET;
        for source in StageSource::ALL {
            let limit = match source {
                StageSource::CurrentThread if !self.intent.search_current_thread_only() => budget / 2,
                StageSource::CrossThread if self.intent.search_current_thread_only() => continue,
                _ => budget,
            };
            let hits = best_of(&scanned, source, limit);
            budget -= hits.len();
            stages.push(self.explain(source, &hits));
            chosen.extend(hits.into_iter().map(|(number, hit)| (source, number, hit)));
        }
        let found = self.store.read(|reading| self.view(reading, &chosen))?;
        let uses_at: Vec<i64> = scanned.iter().map(|one| one.as_ref().map_or(0, |one| one.uses_at)).collect();
        if let Some(stage) = stages.last_mut() {
            for (space, at) in self.spaces.iter().zip(&uses_at).filter(|(_, at)| **at > 0) {
                stage.decide(space.as_str(), Action::Kept, "use_counts", format!("as counted at revision {at}"));
            }
        }
        let moments = scanned.into_iter().map(|one| one.map(|one| one.moment)).collect();
        Ok((found, moments, uses_at, stages))
    }

    /// One stage alone, for measuring it: its hits, with their texts.
    pub fn find_stage(&self, source: StageSource) -> Result<Vec<Found>, Error> {
        let current = self.current_thread()?;
        let Some(space) = self.spaces.first() else { return Ok(Vec::new()) };
        let own = |other: StageSource| self.scope(source, current).filter(|_| other == source);
        let scanned = self.scan(space, StageSource::ALL.map(own))?;
        let hits = scanned.into_iter().flat_map(|scanned| scanned.hits).flatten();
        let chosen: Vec<_> = hits.map(|hit| (source, 0, hit)).collect();
        Ok(self.store.read(|reading| self.view(reading, &chosen))?)
    }

    /// The id of the current thread, in the first space.
    fn current_thread(&self) -> Result<Option<u32>, Error> {
        let (Some(name), Some(space)) = (self.thread, self.spaces.first()) else { return Ok(None) };
        let id = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(None) };
            Ok(reading.thread(space.id, name)?.map(|thread| thread.id))
        })?;
        Ok(id.and_then(|id| u32::try_from(id).ok()))
    }

    /// Where a stage looks in a space; nowhere if it looks at the current thread and there is none.
    fn scope(&self, source: StageSource, current: Option<u32>) -> Option<StageScope> {
        match source {
            StageSource::CurrentThread => current.map(StageScope::CurrentThread),
            StageSource::CrossThread => Some(StageScope::CrossThread(current)),
            StageSource::Expansion => Some(StageScope::Expansion),
        }
    }

    /// The hits of each stage in a space; none where a stage looks nowhere.
    fn scan(&self, space: &SpaceName, scopes: [Option<StageScope>; 3]) -> Result<Option<Scanned>, Error> {
        let beside = Beside { labels: true, ..self.limited.beside() };
        let scan = |view: &IndexView<'_>| -> Result<Option<Scanned>, Error> {
            let IndexView { index, labels: Some(labels), moment, .. } = *view else { return Ok(None) };
            let only = self.limited.positions(view, moment.at)?;
            let hits = scopes.map(|scope| match scope {
                Some(scope) => self.stage(index, labels, moment, scope, only.as_ref()),
                None => Vec::new(),
            });
            let passed = only.as_ref().map_or(0, Filter::len);
            Ok(Some(Scanned { hits, moment, uses_at: labels.uses_at(), passed }))
        };
        Ok(self.indexes.with_beside(space, self.as_of, self.cancel, beside, scan)?.transpose()?.flatten())
    }

    fn stage(
        &self,
        index: &Index,
        labels: &LabelColumns,
        moment: Moment,
        scope: StageScope,
        only: Option<&Filter>,
    ) -> Vec<StageHit> {
        let entities: Vec<String> = self.intent.entities().iter().map(Entity::key).collect();
        let request = StageRequest {
            only,
            scope,
            topics: self.intent.topics(),
            category: self.intent.category(),
            entities: &entities,
            preference: Vocabulary::PREFERENCE,
            since: self.intent.time_scope().since(self.asked_at).map(Timestamp::as_micros),
            asked_at: self.asked_at.as_micros(),
            at: moment.at,
            limit: BUDGET,
        };
        labels.stage(index, &request)
    }

    /// What the filter let through.
    fn explain_filter(&self, scanned: &[Option<Scanned>]) -> Option<Stage> {
        let mut stage = self.limited.has_filter().then(|| Stage::new("filter"))?;
        for (space, scanned) in self.spaces.iter().zip(scanned) {
            if let Some(Scanned { passed, .. }) = scanned {
                self.limited.explain(&mut stage, space, *passed);
            }
        }
        Some(stage)
    }

    fn explain(&self, source: StageSource, hits: &[(usize, StageHit)]) -> Stage {
        let mut stage = Stage::new(source.name());
        for (number, hit) in hits {
            let subject = item_name(self.spaces[*number].as_str(), hit.id.into());
            let detail = match source {
                StageSource::Expansion => {
                    format!("importance {:.2}, {} uses", f64::from(hit.importance.unwrap_or(0)) / 1e6, hit.uses)
                }
                _ => format!("{:.2} by labels, importance and tier", hit.relevance as f64 / 1e6),
            };
            stage.decide(subject, Action::Kept, source.name(), detail);
        }
        stage
    }

    /// The texts of hits, by one statement for each space, and the titles of their threads.
    fn view(
        &self,
        reading: &mut Reading<'_>,
        chosen: &[(StageSource, usize, StageHit)],
    ) -> Result<Vec<Found>, StoreError> {
        let mut items: BTreeMap<(usize, i64), (ItemView, Option<String>)> = BTreeMap::new();
        for (number, name) in self.spaces.iter().enumerate() {
            let ids: BTreeSet<i64> =
                chosen.iter().filter(|(_, own, _)| *own == number).map(|(_, _, hit)| hit.id.into()).collect();
            let Some(space) = (if ids.is_empty() { None } else { reading.space(name)? }) else { continue };
            let rows = reading.items(space.id, &ids.into_iter().collect::<Vec<_>>())?;
            let wanted: BTreeSet<i64> = rows.iter().filter_map(|row| row.thread_id).collect();
            let threads = reading.threads_by_id(space.id, &wanted.into_iter().collect::<Vec<_>>())?;
            for row in rows {
                let thread = row.thread_id.and_then(|id| threads.iter().find(|thread| thread.id == id));
                let view = ItemView {
                    space: name.to_string(),
                    item_id: row.id,
                    kind: row.kind,
                    text: row.text,
                    thread: thread.map(|thread| thread.name.clone()),
                    role: row.role,
                    speaker: row.speaker,
                    document: None,
                    document_name: None,
                    section: row.section,
                    sections: row.sections,
                    occurred_at: row.occurred_at,
                    stored: StoredWith::of_row(row.own_id, row.metadata.as_deref()),
                };
                items.insert((number, row.id), (view, thread.and_then(|thread| thread.title.clone())));
            }
        }
        let found = chosen.iter().filter_map(|(source, number, hit)| {
            // Forgotten between the search and now.
            let (item, thread_title) = items.get(&(*number, hit.id.into()))?.clone();
            Some(Found { hit: *hit, source: *source, item, thread_title })
        });
        Ok(found.collect())
    }
}

/// The best of a stage in all spaces: ties go to earlier spaces.
fn best_of(scanned: &[Option<Scanned>], source: StageSource, limit: usize) -> Vec<(usize, StageHit)> {
    let of_space = |(number, one): (usize, &Option<Scanned>)| {
        let hits = one.iter().flat_map(|one| &one.hits[source as usize]).copied();
        hits.map(|hit| (number, hit)).collect::<Vec<_>>()
    };
    let mut hits: Vec<(usize, StageHit)> = scanned.iter().enumerate().flat_map(of_space).collect();
    if scanned.len() > 1 {
        hits.sort_by_key(|(number, hit)| {
            let key = match source {
                StageSource::Expansion => (hit.importance.unwrap_or(0).into(), i64::from(hit.uses)),
                _ => (hit.relevance, hit.occurred_at),
            };
            (Reverse(key), *number, Reverse(hit.id))
        });
    }
    hits.truncate(limit);
    hits
}

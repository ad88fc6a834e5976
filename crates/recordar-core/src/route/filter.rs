//! The items that pass a filter: each condition is a set of positions of the index, found by facets, by columns, or by the documents.

use super::label_filter::label_filter;
use crate::error::Error;
use crate::index::{Beside, IndexView, Indexes, MANY_PAIRS, kind_facet, metadata_facet, role_code, speaker_facet};
use crate::noun::labels::{LabelQuery, NO_LABELS};
use recordar_domain::{Action, Cancel, Clause, Filter, FilterField, SpaceName, Stage};
use recordar_index::Filter as Positions;
use serde_json::{Map, Value};

/// What a search is limited to.
#[derive(Debug, Clone)]
pub struct Limited<'a> {
    labels: &'a LabelQuery,
    clauses: Vec<Clause>,
}

impl<'a> Limited<'a> {
    pub fn new(labels: &'a LabelQuery, filter: &Filter) -> Self {
        Self { labels, clauses: filter.clauses() }
    }

    /// Whether it is limited by a filter; labels do not count.
    pub(crate) fn has_filter(&self) -> bool {
        !self.clauses.is_empty()
    }

    pub(crate) fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// What must be loaded beside the index.
    pub fn beside(&self) -> Beside {
        let documents = self.clauses.iter().any(|clause| clause.field.is_of_documents());
        Beside { labels: self.has_labels(), documents }
    }

    /// The items that can be found as of a revision of the index. `None` if nothing limits the search.
    pub fn positions(&self, view: &IndexView<'_>, at: u32) -> Result<Option<Positions>, Error> {
        let labels = view.labels.filter(|_| self.has_labels());
        let labelled = labels.map(|labels| label_filter(view.index, labels, self.labels, at));
        if !self.has_filter() {
            return Ok(labelled);
        }
        let mut passing = passing(view, &self.clauses, at)?;
        if let Some(labelled) = labelled {
            passing.keep(&labelled);
        }
        Ok(Some(view.index.found_of(&passing, at)))
    }

    /// The conditions that an item does not meet.
    pub fn failed(&self, view: &IndexView<'_>, at: u32, id: u32) -> Result<Vec<String>, Error> {
        let mut failed = Vec::new();
        for clause in &self.clauses {
            let own = view.index.filter(std::iter::once(id));
            if !own.is_empty() && narrowed(view, clause, at, own)?.is_empty() {
                failed.push(clause.to_string());
            }
        }
        Ok(failed)
    }

    /// Adds to a stage how many items of a space pass.
    pub fn explain(&self, stage: &mut Stage, space: &SpaceName, passed: usize) {
        let text = self.clauses.iter().map(Clause::to_string).collect::<Vec<_>>().join(", ");
        let (action, detail) = match passed {
            0 => (Action::Dropped, format!("no item passes {text}")),
            1 => (Action::Kept, format!("1 item passes {text}")),
            passed => (Action::Kept, format!("{passed} items pass {text}")),
        };
        stage.decide(space.as_str(), action, "filter", detail);
    }
}

/// The live chunks that pass a filter.
pub struct PassingChunks {
    /// In words.
    pub filter: String,
    /// Ascending.
    ids: Vec<u32>,
}

impl PassingChunks {
    /// `None` without a filter.
    pub fn find(
        (indexes, cancel): (&Indexes, &Cancel),
        space: &SpaceName,
        filter: &Filter,
    ) -> Result<Option<Self>, Error> {
        if filter.is_empty() {
            return Ok(None);
        }
        let limited = Limited::new(&NO_LABELS, filter);
        let find = |view: &IndexView<'_>| -> Result<Vec<u32>, Error> {
            let passing = limited.positions(view, view.moment.at)?.unwrap_or_default();
            Ok(passing.positions().map(|position| view.index.id_at(position)).collect())
        };
        let ids = indexes.with_beside(space, None, cancel, limited.beside(), find)?.transpose()?.unwrap_or_default();
        Ok(Some(Self { filter: filter.to_string(), ids }))
    }

    pub fn contains(&self, chunk: i64) -> bool {
        u32::try_from(chunk).is_ok_and(|chunk| self.ids.binary_search(&chunk).is_ok())
    }
}

/// The next items after an id that pass a filter, in the order of ids: also those that are retired or repeat another.
pub fn passing_after(
    (indexes, cancel): (&Indexes, &Cancel),
    space: &SpaceName,
    filter: &Filter,
    after: i64,
) -> Result<Vec<i64>, Error> {
    let limited = Limited::new(&NO_LABELS, filter);
    let find = |view: &IndexView<'_>| -> Result<Vec<i64>, Error> {
        let passing = passing(view, &limited.clauses, view.moment.at)?;
        let ids = passing.positions().map(|position| i64::from(view.index.id_at(position)));
        Ok(ids.filter(|id| *id > after).collect())
    };
    Ok(indexes.with_beside(space, None, cancel, limited.beside(), find)?.transpose()?.unwrap_or_default())
}

/// All items that pass, also those that are retired or repeat another.
pub fn passing(view: &IndexView<'_>, clauses: &[Clause], at: u32) -> Result<Positions, Error> {
    let mut passing = view.index.unfiltered();
    // Rows may have to be read for metadata: for as few items as possible.
    let is_meta = |clause: &&Clause| matches!(clause.field, FilterField::Meta(_));
    let (last, first): (Vec<&Clause>, Vec<&Clause>) = clauses.iter().partition(is_meta);
    for clause in first.into_iter().chain(last) {
        passing = narrowed(view, clause, at, passing)?;
    }
    Ok(passing)
}

fn narrowed(view: &IndexView<'_>, clause: &Clause, at: u32, mut items: Positions) -> Result<Positions, Error> {
    let matching = matching(view, clause, at, &items)?;
    match clause.is_negated {
        true => items.drop_all(&matching),
        false => items.keep(&matching),
    }
    Ok(items)
}

/// The items that have one of the values. Only those of `among` need be right.
fn matching(view: &IndexView<'_>, clause: &Clause, at: u32, among: &Positions) -> Result<Positions, Error> {
    let index = view.index;
    let documents = || view.documents.map_or_else(Default::default, |documents| documents.groups(clause, at));
    Ok(match &clause.field {
        FilterField::Tag | FilterField::Path | FilterField::Type | FilterField::Collection => {
            index.filter_by_groups(&documents())
        }
        FilterField::Thread => index.filter_by_groups(&view.threads(clause.texts())?),
        FilterField::Kind => with_any(view, clause.kinds().map(kind_facet)),
        FilterField::Speaker => with_any(view, clause.texts().map(speaker_facet)),
        FilterField::Role => {
            let roles: Vec<u8> = clause.roles().map(role_code).collect();
            index.filter_by(|position| roles.contains(&index.role_at(position)))
        }
        FilterField::Since | FilterField::Before | FilterField::Until => {
            index.filter_by(|position| clause.matches_time(index.occurred_at(position)))
        }
        FilterField::Meta(key) => {
            let mut found = with_any(view, clause.texts().map(|value| metadata_facet(key, value)));
            found.add_all(&index.filter_by_groups(&documents()));
            let mut many = index.filter_by_facet(MANY_PAIRS);
            many.keep(among);
            let unread: Vec<i64> = many.positions().map(|position| index.id_at(position).into()).collect();
            if !unread.is_empty() {
                let rows = view.metadata_of(&unread)?.into_iter().filter(|(_, json)| {
                    serde_json::from_str::<Map<String, Value>>(json)
                        .is_ok_and(|metadata| clause.matches_metadata(&metadata))
                });
                found.add_all(&index.filter(rows.filter_map(|(id, _)| u32::try_from(id).ok())));
            }
            found
        }
    })
}

fn with_any(view: &IndexView<'_>, facets: impl Iterator<Item = String>) -> Positions {
    let mut found = Positions::default();
    for (number, facet) in facets.enumerate() {
        match view.index.filter_by_facet(&facet) {
            first if number == 0 => found = first,
            other => found.add_all(&other),
        }
    }
    found
}

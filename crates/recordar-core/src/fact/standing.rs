//! What facts are at a time: which hold, since when, and what ended or contradicts the others.

use super::living::living;
use super::moment::FactsAt;
use crate::noun::fact::FactView;
use recordar_domain::{Digest, Point, Standing, standings};
use recordar_store::{Error as StoreError, FactRow, FactSource, FactsOf, Reading};
use std::collections::{BTreeMap, BTreeSet};

/// The keys and values that hold, as they are compared.
pub(super) type Held = BTreeSet<(Digest, String)>;

/// The standing of facts with all that are about the same things, and what holds.
pub(super) fn standing_of(
    reading: &mut Reading<'_>,
    moment: FactsAt,
    facts: &[FactRow],
) -> Result<(BTreeMap<i64, Standing>, Held), StoreError> {
    let mut keys: Vec<Digest> = facts.iter().map(|fact| fact.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let deciding = reading.facts(moment.space, FactsOf::Deciding(&keys), moment.revision)?;
    let mut groups: BTreeMap<Digest, BTreeMap<i64, Point>> = BTreeMap::new();
    for fact in deciding.iter().chain(facts).filter(|fact| !fact.is_retired) {
        groups.entry(fact.key).or_default().insert(fact.item_id, fact.point());
    }
    let (mut all, mut held) = (BTreeMap::new(), Held::new());
    for (key, points) in groups {
        let found = standings(&points.values().cloned().collect::<Vec<Point>>(), moment.at);
        let holds = found.iter().filter(|(_, standing)| matches!(standing, Standing::Holds { .. }));
        held.extend(holds.filter_map(|(id, _)| Some((key, points.get(id)?.value.clone()))));
        all.extend(found);
    }
    Ok((all, held))
}

pub fn view_facts(
    reading: &mut Reading<'_>,
    moment: FactsAt,
    facts: Vec<FactRow>,
) -> Result<Vec<FactView>, StoreError> {
    view_some_facts(reading, moment, facts, |_| {})
}

/// As far as they are chosen: only those are read for their quotes.
pub fn view_some_facts(
    reading: &mut Reading<'_>,
    moment: FactsAt,
    facts: Vec<FactRow>,
    choose: impl FnOnce(&mut Vec<FactView>),
) -> Result<Vec<FactView>, StoreError> {
    let (standings, _) = standing_of(reading, moment, &facts)?;
    let sources: BTreeMap<i64, FactSource> =
        facts.iter().filter_map(|fact| Some((fact.item_id, fact.source?))).collect();
    let mut views: Vec<FactView> = facts.into_iter().map(|fact| view(fact, &standings)).collect();
    choose(&mut views);
    let living = living(reading, moment, &views.iter().map(|view| view.fact).collect::<Vec<_>>())?;
    for view in &mut views {
        let found = living.get(&view.fact).copied().unwrap_or_default();
        (view.unverified, view.review_by) = (found.unverified, found.review_by);
        let Some(FactSource { item_id, span, .. }) = sources.get(&view.fact) else { continue };
        // None if the words are not there any more.
        let item = reading.item(moment.space, *item_id)?;
        view.quote = item.and_then(|item| item.text.get(span.0..span.1).map(str::to_owned));
    }
    Ok(views)
}

fn view(fact: FactRow, standings: &BTreeMap<i64, Standing>) -> FactView {
    let (mut since, mut until, mut replaced_by, mut conflicts) = (fact.since, None, None, Vec::new());
    let state = match standings.get(&fact.item_id) {
        _ if fact.is_retired => "retired",
        Some(Standing::Holds { since: first, against }) => {
            (since, conflicts) = (*first, against.clone());
            "holds"
        }
        Some(Standing::Ended { by, at }) => {
            (until, replaced_by) = (Some(*at), Some(*by));
            "ended"
        }
        Some(Standing::Overruled { by }) => {
            replaced_by = Some(*by);
            "overruled"
        }
        Some(Standing::Ahead) | None => "ahead",
    };
    FactView {
        fact: fact.item_id,
        subject: fact.statement.subject,
        attribute: fact.statement.attribute,
        value: fact.statement.value,
        state,
        since,
        until,
        replaced_by,
        conflicts,
        several: fact.statement.is_many,
        method: fact.method,
        confidence: fact.confidence.as_f64(),
        source: fact.source.map(|source| source.item_id),
        quote: None,
        corrects: fact.corrects,
        unverified: None,
        review_by: None,
        recorded_at: fact.recorded_at,
    }
}

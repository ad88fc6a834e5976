//! How much what was said has to do with the prompt: by the search, and by the judge, which knows what is said in other words.

use super::Composing;
use super::find::Found;
use crate::flow::small::messages_of_small;
use recordar_compose::{HALF_ON_TOPIC, item_name};
use recordar_core::error::Error;
use recordar_core::noun::item::ItemView;
use recordar_core::rerank::{FoundAt, MAX_JUDGED, TurnsBefore, Within, rerank_items};
use recordar_core::route::search::shown_at;
use recordar_domain::{Action, ItemKind, Stage};
use std::collections::BTreeMap;

impl Composing<'_> {
    /// By item. Of a small chat the judge reads all messages, otherwise those that the search found first.
    pub(super) fn relevance_of_talk(
        &self,
        query: &str,
        found: &Found,
        stages: &mut Vec<Stage>,
    ) -> Result<BTreeMap<i64, f64>, Error> {
        let mut relevance: BTreeMap<i64, f64> = found.hits.iter().map(|hit| (hit.item.item_id, hit.score)).collect();
        let choice = self.memory.answers_reranker(self.request.rerank.as_ref())?;
        let Some((judge, least)) = choice.model().and_then(|judge| Some((judge, judge.said_confidence()?))) else {
            return Ok(relevance);
        };
        let spaces = [self.space.clone()];
        let all = messages_of_small(self.memory, &spaces, &found.moments)?;
        let in_order = TurnsBefore::in_order(all.iter().map(|(space, item)| (*space, item)));
        let is_message = |item: &&ItemView| item.kind == ItemKind::Message;
        let (read, turns): (Vec<&ItemView>, TurnsBefore) = match all.is_empty() {
            true => {
                let hits = found.hits.iter().map(|hit| &hit.item).filter(is_message).take(MAX_JUDGED);
                (hits.collect(), found.turns.clone())
            }
            false => (all.iter().map(|(_, item)| item).collect(), in_order),
        };
        let scored: Vec<(&ItemView, f64)> = read.into_iter().map(|item| (item, 0.0)).collect();
        if scored.is_empty() {
            return Ok(relevance);
        }
        let at = FoundAt { spaces: &spaces, revisions: shown_at(&found.moments), turns };
        let reranked = self.in_time(|memory| {
            let within = Within { most: scored.len(), min_confidence: None, cancel: &memory.cancel };
            rerank_items(judge, query, (&memory.store, &at), &scored, &within)
        })?;
        let reranked = match reranked {
            Ok(reranked) => reranked,
            Err(left_out) => {
                stages.push(left_out.stage("rerank (history)", &judge.name, "the search's scores stay"));
                return Ok(relevance);
            }
        };
        if reranked.problem.is_some() {
            stages.push(Stage { name: "rerank (history)".to_owned(), ..reranked.stage });
            return Ok(relevance);
        }
        let mut stage = Stage::new("rerank (history)");
        stage.decide(&judge.name, Action::Kept, "judge", format!("{} messages were read", scored.len()));
        for (place, view) in &reranked.order {
            let (id, Some(opinion)) = (scored[*place].0.item_id, view.judge) else { continue };
            if opinion >= least {
                let own = relevance.entry(id).or_default();
                *own = own.max(answering(opinion, least));
                stage.decide(item_name(id), Action::Kept, "answers", format!("judge {opinion:.6}; at least {least}"));
            }
        }
        stages.push(stage);
        Ok(relevance)
    }
}

/// What just answers is half on-topic, what answers for certain wholly.
fn answering(opinion: f64, least: f64) -> f64 {
    HALF_ON_TOPIC + (1.0 - HALF_ON_TOPIC) * ((opinion - least) / (1.0 - least)).clamp(0.0, 1.0)
}

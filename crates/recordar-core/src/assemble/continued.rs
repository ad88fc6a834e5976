//! What is shown of the next chunk where a sentence, a list, a table or code runs on into it: a list that ends in the middle misleads.

use super::fill::{LINE_TOKENS, Room};
use super::run_on::{RunOn, may_run_on, run_on};
use crate::guard::SafePassage;
use crate::noun::passage::Span;
use recordar_domain::{Action, Invalid, ItemKind, Stage};

/// What runs on takes at most this part of the budget from worse passages.
const MOST_RESERVED: usize = 5;
/// What the line of a memory has beside its text and its section, about.
const MARK_TOKENS: usize = 10;

/// The chunk behind one that is shown.
pub struct Neighbour {
    /// The one that is shown, by space and id.
    pub behind: (String, i64),
    pub passage: SafePassage,
    /// Where its own text begins: before it, it repeats the one that is shown.
    pub own: usize,
}

/// The shown chunks that something may run on from, the best first: all that is shown up to the end of their texts.
pub fn open_ended(passages: &[SafePassage]) -> Vec<&SafePassage> {
    let is_open = |passage: &&SafePassage| {
        let (text, span) = (passage.item.text.as_str(), passage.span);
        passage.item.kind == ItemKind::Chunk && !span.is_cut && span.start < span.end && may_run_on(text)
    };
    let mut open: Vec<&SafePassage> = passages.iter().filter(is_open).collect();
    open.sort_by(|one, other| other.score.total_cmp(&one.score));
    open
}

/// The best passage from which anything runs on, and how many tokens the excerpts are to leave for that: it comes before the growth of worse ones.
/// Nothing if it has room as it is, or if these have little to give.
pub fn reserved(
    passages: &[SafePassage],
    neighbours: &[Neighbour],
    room: &Room<'_>,
    measure: impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
) -> Result<Option<(usize, usize)>, Invalid> {
    for Neighbour { behind: (space, id), passage, own } in neighbours {
        let is_behind = |shown: &SafePassage| shown.item.item_id == *id && shown.item.space == *space;
        let Some(at) = passages.iter().position(is_behind) else { continue };
        let before = &passages[at];
        let next = passage.item.text.get(*own..).unwrap_or_default();
        let Some(RunOn { ends, .. }) = run_on(&before.item.text, next) else { continue };
        let section = passage.item.section_at(*own).map_or(0, |section| room.counter.count(section));
        let cost = |end: &usize| {
            let lines = 1 + next[..*end].matches('\n').count();
            room.counter.count(&next[..*end]) + LINE_TOKENS * lines + section + MARK_TOKENS
        };
        let worse: usize = passages.iter().filter(|other| other.score < before.score).map(|other| other.tokens).sum();
        let most = (room.max_tokens / MOST_RESERVED).min(worse / 2);
        let Some(wanted) = ends.iter().rev().map(cost).find(|tokens| *tokens <= most) else { return Ok(None) };
        let left = room.max_tokens.saturating_sub(measure(passages)?);
        return Ok((wanted > left).then_some((at, wanted)));
    }
    Ok(None)
}

/// Shows what runs on directly behind what it belongs to, as far as there is room. The neighbours come in the order in which they may take it.
/// There is a stage only if something runs on.
pub fn continued(
    mut passages: Vec<SafePassage>,
    neighbours: Vec<Neighbour>,
    room: &Room<'_>,
    measure: impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
) -> Result<(Vec<SafePassage>, Option<Stage>), Invalid> {
    let mut stage = Stage::new("continued");
    let mut still_left = None;
    for Neighbour { behind: (space, id), passage, own } in neighbours {
        let is_behind = |shown: &SafePassage| shown.item.item_id == id && shown.item.space == space;
        let Some(at) = passages.iter().position(|shown| is_behind(shown) && !shown.span.is_cut) else { continue };
        let next = passage.item.text.get(own..).unwrap_or_default();
        let Some(RunOn { what, start, ends }) = run_on(&passages[at].item.text, next) else { continue };
        let left = match still_left {
            Some(left) => left,
            None => room.max_tokens.saturating_sub(measure(&passages)?),
        };
        let (name, what) = (passage.name(), format!("the {} of {} runs on", what.name(), passages[at].name()));
        let next = Next { passage, ends: ends.iter().map(|end| own + end).collect(), start: own + start };
        let then_left = next.insert(&mut passages, (at + 1, left), room, &measure)?;
        still_left = then_left.or(Some(left));
        if then_left.is_some() {
            let shown = &passages[at + 1];
            let is_all = ends.last().is_some_and(|end| own + end == shown.span.end);
            let how_far = if is_all { "to its end" } else { "as far as there is room" };
            stage.decide(name, Action::Kept, "runs_on", format!("{what}: {} bytes, {how_far}", shown.shown().len()));
        } else {
            stage.decide(name, Action::Dropped, "max_tokens", format!("{what}, but only {left} tokens are left"));
        }
    }
    let stage = (!stage.decisions.is_empty()).then_some(stage);
    Ok((passages, stage))
}

/// The next chunk, and where it may be cut.
struct Next {
    passage: SafePassage,
    ends: Vec<usize>,
    start: usize,
}

impl Next {
    /// Puts as much of it as fits in a place. Returns how many tokens are left then; nothing if none of it fits.
    fn insert(
        self,
        passages: &mut Vec<SafePassage>,
        (at, left): (usize, usize),
        room: &Room<'_>,
        measure: &impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
    ) -> Result<Option<usize>, Invalid> {
        let mut passage = self.passage;
        let (text, cut) = (passage.item.text.as_str(), passage.span.is_cut);
        let all = text.trim_end().len();
        let start = self.start;
        for end in self.ends.into_iter().rev() {
            // Nothing is left out before it.
            passage.show(Span { start, end, is_late: false, is_cut: cut || end < all });
            passage.tokens = room.counter.count(&passage.content());
            // Its line takes more than its own tokens.
            if passage.tokens > left {
                continue;
            }
            passages.insert(at, passage);
            if let Some(left) = room.max_tokens.checked_sub(measure(passages)?) {
                return Ok(Some(left));
            }
            passage = passages.remove(at);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::of_memories;
    use crate::guard::safe;
    use crate::noun::passage::Passage;
    use crate::noun::passage::tests::passage;
    use recordar_domain::text::{Language, TokenCounter};

    fn chunk(id: i64, text: &str, score: f64) -> Passage {
        let mut chunk = passage(id, text);
        (chunk.item.kind, chunk.score) = (ItemKind::Chunk, score);
        chunk
    }

    const OPENED: &str = "To fill it:\n\n- Open the cap.\n";
    const POURED: &str = "- Pour slowly.\n- Close the cap.\n\nThen it burns.";

    fn shown(shown: Vec<Passage>, next: Passage, own: usize, max_tokens: usize) -> (Vec<String>, Option<Stage>) {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let language = Language::parse("english").unwrap();
        let room = Room { sentences: 2, max_tokens, counter: &counter, language };
        let mut shown = safe(shown);
        shown.iter_mut().for_each(|passage| passage.tokens = counter.count(&passage.content()));
        let next = safe(vec![next]).pop().unwrap();
        let neighbours = vec![Neighbour { behind: ("user:ada".to_owned(), 1), passage: next, own }];
        let (passages, stage) = continued(shown, neighbours, &room, of_memories).unwrap();
        (passages.iter().map(SafePassage::content).collect(), stage)
    }

    #[test]
    fn i42_what_runs_on_stands_behind_what_it_belongs_to_as_far_as_there_is_room() {
        let check = |next: &str, own: usize, max_tokens: usize, expected: Option<&str>, reason: Option<&str>| {
            let passages = vec![chunk(1, OPENED, 0.6), chunk(3, "The lamp is high.", 0.9)];
            let (contents, stage) = shown(passages, chunk(2, next, 0.0), own, max_tokens);
            let wanted: Vec<&str> = [OPENED].into_iter().chain(expected).chain(["The lamp is high."]).collect();
            assert_eq!(contents, wanted, "{next:?}");
            let reasons = stage.map(|stage| stage.decisions[0].reason.to_string());
            assert_eq!(reasons.as_deref(), reason, "{next:?}");
        };
        check(POURED, 0, 100, Some("- Pour slowly.\n- Close the cap...."), Some("runs_on"));
        check("- Pour slowly.\n", 0, 100, Some("- Pour slowly."), Some("runs_on"));
        check(
            &format!("- Open the cap.\n{POURED}"),
            16,
            100,
            Some("- Pour slowly.\n- Close the cap...."),
            Some("runs_on"),
        );
        let nested = "\n  - Pour slowly.\n  - Wait.\n- Close the cap.\n";
        check(nested, 0, 100, Some("  - Pour slowly.\n  - Wait.\n- Close the cap."), Some("runs_on"));
        check(POURED, 0, 22, Some("- Pour slowly...."), Some("runs_on"));
        check(POURED, 0, 16, None, Some("max_tokens"));
        check("## Lens\n\nIt is cleaned.", 0, 100, None, None);
    }

    #[test]
    fn i42_worse_passages_leave_room_for_what_runs_on_from_the_best() {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let language = Language::parse("english").unwrap();
        let check = |others: f64, max_tokens, expected: &str| {
            let room = Room { sentences: 2, max_tokens, counter: &counter, language };
            let mut shown = safe(vec![chunk(1, OPENED, 0.6), chunk(3, &"The lamp is high. ".repeat(20), others)]);
            shown.iter_mut().for_each(|passage| passage.tokens = counter.count(&passage.content()));
            let passage = safe(vec![chunk(2, POURED, 0.0)]).pop().unwrap();
            let neighbours = [Neighbour { behind: ("user:ada".to_owned(), 1), passage, own: 0 }];
            let tokens = reserved(&shown, &neighbours, &room, of_memories).unwrap();
            let of = match tokens {
                None => "nothing",
                Some((0, tokens)) if tokens > counter.count("- Pour slowly.\n- Close the cap.") => "something",
                _ => "too little",
            };
            assert_eq!(of, expected, "{others} {max_tokens}");
        };
        check(0.5, 150, "nothing");
        check(0.5, 115, "something");
        check(0.7, 115, "nothing");
    }

    #[test]
    fn i42_only_the_end_of_a_chunk_runs_on_the_best_first() {
        let mut cut = chunk(4, OPENED, 0.9);
        cut.span = Span { end: 10, is_cut: true, ..cut.span };
        let whole = chunk(5, "The lamp is high.\n\n", 0.8);
        let open = [chunk(1, OPENED, 0.5), cut, whole, passage(6, OPENED), chunk(7, OPENED, 0.6)];
        let passages = safe(open.into());
        let ids: Vec<i64> = open_ended(&passages).into_iter().map(|passage| passage.item.item_id).collect();
        assert_eq!(ids, [7, 1]);
    }
}

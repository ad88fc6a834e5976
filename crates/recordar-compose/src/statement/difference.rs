//! In what two sentences differ. Counting only; what follows from it stands in `relate.rs`.

use super::days::Day;
use super::lists::is_prefixed;
use super::read::Said;
use super::values::{Measure, Value};
use super::words::Word;

/// How two sentences differ. What is of two is of the one and of the other.
#[derive(Default)]
pub(super) struct Difference<'a> {
    /// The number of words that both have.
    pub(super) shared: usize,
    /// The words that only one has, without those that are counted below.
    pub(super) rest: [Vec<&'a Word>; 2],
    /// Amounts of the same that cannot both be.
    pub(super) values: usize,
    /// Those of them that count nothing.
    pub(super) bare: usize,
    pub(super) days: usize,
    pub(super) clocks: usize,
    pub(super) labels: usize,
    /// Words of which only one holds: colours, sizes.
    pub(super) kinds: usize,
    /// One of those says which of several is meant: morning, first.
    pub(super) is_which: bool,
    /// Each says another name, or another place.
    pub(super) names: [Vec<&'a Word>; 2],
    pub(super) places: usize,
    /// Opposites, and a denial on one side.
    pub(super) flips: usize,
    /// An opposite or a kind stands before something: the red key.
    pub(super) has_attribute: bool,
    /// The number of values, days and labels that only one has.
    pub(super) extra: [usize; 2],
}

impl<'a> Difference<'a> {
    pub(super) fn new(one: &'a Said, other: &'a Said) -> Self {
        let is_shared = |word: &&Word| {
            !word.is_weak
                && !word.is_generic
                && other.words.iter().any(|said| said.key == word.key && said.is_revoked == word.is_revoked)
        };
        let mut found = Self {
            shared: one.words.iter().filter(is_shared).count(),
            rest: [only(one, other), only(other, one)],
            flips: usize::from(one.is_denied != other.is_denied),
            ..Self::default()
        };
        found.count_opposites();
        found.count_kinds();
        found.count_values(one, other);
        found.count_days(one, other);
        found.count_labels(one, other);
        found.part_names();
        found.count_places(one, other);
        found
    }

    /// How many words only one has that tell something.
    pub(super) fn left(&self) -> [usize; 2] {
        [0, 1].map(|side| self.rest[side].iter().filter(|word| !word.is_weak).count())
    }

    fn count_opposites(&mut self) {
        let [one, other] = &mut self.rest;
        one.retain(|word| {
            let is_against = |said: &&'a Word| match (word.opposite, said.opposite) {
                (Some((list, side)), Some((other, other_side))) => list == other && side != other_side,
                _ => is_prefixed(&word.stem, &said.stem),
            };
            let Some(place) = other.iter().position(is_against) else { return true };
            let said = other.remove(place);
            self.flips += 1;
            self.has_attribute |= word.is_attribute || said.is_attribute || word.is_order || said.is_order;
            false
        });
    }

    fn count_kinds(&mut self) {
        let [one, other] = &mut self.rest;
        let list = |word: &Word| word.kind.or(word.which).map(|(list, _)| list);
        one.retain(|word| {
            let Some(place) = other.iter().position(|said| list(word).is_some() && list(said) == list(word)) else {
                return true;
            };
            let said = other.remove(place);
            self.kinds += 1;
            let is_place =
                |word: &Word| matches!(word.slot.as_deref(), Some("in" | "on" | "at")) && word.which.is_some();
            let is_attribute = |word: &Word| word.is_attribute && !is_place(word) || word.in_subject;
            self.is_which |= word.which.is_some();
            self.has_attribute |= is_attribute(word) || is_attribute(said);
            false
        });
        if self.kinds > 0 {
            // Red, white and blue: those that are left of the same list.
            self.rest.iter_mut().for_each(|rest| rest.retain(|word| word.kind.is_none()));
        }
    }

    fn count_values(&mut self, one: &Said, other: &Said) {
        let is_demand = one.is_demand && other.is_demand;
        for own in one.values.iter().filter(|value| !value.is_revoked) {
            let differs = |value: &&Value| !value.agrees(own) || is_demand && value.are_other_least(own);
            let mut same = other.values.iter().filter(|value| !value.is_revoked && value.is_of_same(own)).peekable();
            if same.peek().is_none() {
                self.extra[0] += 1;
            } else if same.all(|value| differs(&value)) {
                self.has_attribute |= own.is_attribute;
                self.bare += usize::from(own.measure == Measure::Bare);
                let is_clock = matches!(own.measure, Measure::Clock(_));
                *(if is_clock { &mut self.clocks } else { &mut self.values }) += 1;
            }
        }
        let is_extra = |value: &&Value| {
            !value.is_revoked && !one.values.iter().any(|own| !own.is_revoked && own.is_of_same(value))
        };
        self.extra[1] += other.values.iter().filter(is_extra).count();
    }

    fn count_days(&mut self, one: &Said, other: &Said) {
        let told = |day: &Day, said: &Said| -> Vec<bool> {
            said.days.iter().filter(|other| !other.is_revoked).filter_map(|other| other.agrees(day)).collect()
        };
        // Open on Monday and Tuesday, and closed on Tuesday.
        let meets = one.days.iter().any(|day| !day.is_revoked && told(day, other).contains(&true));
        for own in one.days.iter().filter(|day| !day.is_revoked) {
            let told = told(own, other);
            self.extra[0] += usize::from(told.is_empty());
            self.days += usize::from(!told.is_empty() && !told.contains(&true) && !meets);
        }
        let is_extra = |day: &&Day| !day.is_revoked && told(day, one).is_empty();
        self.extra[1] += other.days.iter().filter(is_extra).count();
    }

    fn count_labels(&mut self, one: &Said, other: &Said) {
        for (side, own, others) in [(0, one, other), (1, other, one)] {
            for label in own.labels.iter().filter(|label| !label.is_revoked) {
                let mut same = others.labels.iter().filter(|other| other.head == label.head).peekable();
                if same.peek().is_none() {
                    self.extra[side] += 1;
                } else if same.all(|other| other.id != label.id) {
                    self.labels += 1 - side;
                }
            }
        }
    }

    /// If each has names that the other has not, they are no rest.
    fn part_names(&mut self) {
        let is_name = |word: &&Word| word.is_name && !word.in_subject;
        if !self.rest.iter().all(|rest| rest.iter().any(is_name)) {
            return;
        }
        for side in 0..2 {
            let (names, rest) = std::mem::take(&mut self.rest[side]).into_iter().partition(is_name);
            (self.names[side], self.rest[side]) = (names, rest);
            self.has_attribute |= self.names[side].iter().all(|word| word.is_attribute);
        }
    }

    /// If all that is left stands in the same place of each, behind the same word, it says where, or what of.
    fn count_places(&mut self, one: &Said, other: &Said) {
        const WHERE: [&str; 3] = ["in", "on", "at"];
        let told: Vec<&Word> =
            self.rest.iter().flatten().copied().filter(|word| !word.is_weak && !word.is_verb).collect();
        let is_change = one.is_change || other.is_change;
        let slot = |slot: &str| if WHERE.contains(&slot) || is_change && slot == "to" { "in" } else { "to" };
        let slots: Vec<Option<&str>> = told.iter().map(|word| word.slot.as_deref().map(slot)).collect();
        let is_one = slots.first().is_some_and(|first| first.is_some() && slots.iter().all(|slot| slot == first));
        let both = self.rest.iter().all(|rest| rest.iter().any(|word| !word.is_weak && !word.is_verb));
        if both && is_one && one.is_placed && other.is_placed && told.iter().all(|word| !word.in_subject) {
            self.places = 1;
            self.rest.iter_mut().for_each(|rest| rest.retain(|word| word.is_weak || word.is_verb));
        }
    }
}

/// The words that only the first has.
fn only<'a>(one: &'a Said, other: &Said) -> Vec<&'a Word> {
    let has = |word: &&Word| word.is_revoked || other.words.iter().any(|said| said.key == word.key && !said.is_revoked);
    one.words.iter().filter(|word| !has(word)).collect()
}

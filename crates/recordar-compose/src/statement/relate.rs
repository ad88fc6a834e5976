//! How two sentences stand to each other, by what they say.

use super::Relation;
use super::difference::Difference;
use super::read::Said;
use super::values::Measure;
use super::words::Word;

/// Sentences that share this part of their words seem to be about the same.
const SAME_SUBJECT: f64 = 0.5;
/// Where only numbers are compared, nearly all words must be the same, and of fewer words nothing is said.
const SAME_SENTENCE: f64 = 0.75;
const LEAST_WORDS: usize = 2;

pub(super) fn relation(one: &Said, other: &Said) -> Relation {
    if one.is_question || other.is_question {
        return Relation::Apart;
    }
    if revokes(one, other) || revokes(other, one) {
        return Relation::Contradicts;
    }
    let difference = Difference::new(one, other);
    if difference.shared == 0 {
        return Relation::Apart;
    }
    if cancels(one, other) || cancels(other, one) {
        return Relation::Contradicts;
    }
    if difference.is_denied_by_list(one, other) {
        return Relation::Contradicts;
    }
    if is_about_another(one, other) || difference.is_about_another() {
        return Relation::Apart;
    }
    difference.judged(one, other)
}

/// In languages of which no words are known: sentences with nearly the same words, and another number in one place.
pub(super) fn relation_by_numbers(one: &Said, other: &Said) -> Relation {
    let has = |word: &&Word| other.words.iter().any(|said| said.key == word.key);
    let shared = one.words.iter().filter(has).count();
    let all = one.words.len() + other.words.len() - shared;
    if shared < LEAST_WORDS || (shared as f64) < SAME_SENTENCE * all as f64 {
        return Relation::Apart;
    }
    let difference = Difference::new(one, other);
    let told = difference.values + difference.days + difference.clocks;
    match told {
        0 if difference.labels == 0 && difference.extra == [0, 0] && shared == all => Relation::Agrees,
        1 if difference.labels == 0 && difference.extra == [0, 0] => Relation::Contradicts,
        _ => Relation::Unsure,
    }
}

/// What is denied in few words may be said in so many more.
const MAX_MORE: usize = 3;

/// Whether both name different ones of the same: room 12 and room 14, the first and the second, the meeting on Monday and that on Tuesday.
fn is_about_another(one: &Said, other: &Said) -> bool {
    let labels = one.labels.iter().any(|own| {
        own.in_subject
            && other.labels.iter().any(|label| label.in_subject && label.head == own.head)
            && !other.labels.iter().any(|label| label.head == own.head && label.id == own.id)
    });
    let days = one.days.iter().any(|own| {
        other.days.iter().any(|day| {
            let is_change = one.is_change || other.is_change;
            let is_repeated = (own.is_repeated || day.is_repeated) && !is_change;
            let is_which = own.in_subject && day.in_subject || is_repeated;
            is_which && own.agrees(day) == Some(false)
        })
    });
    let which = |said: &Said| -> Vec<(u16, u16)> {
        let is_place = |word: &Word| matches!(word.slot.as_deref(), Some("in" | "on" | "at"));
        let is_which = |word: &&Word| word.in_subject || word.is_attribute && !is_place(word);
        said.words.iter().filter(is_which).filter_map(|word| word.which).collect()
    };
    let (own, others) = (which(one), which(other));
    let which = own.iter().any(|(list, place)| {
        others.iter().any(|(other_list, other_place)| list == other_list && place != other_place)
            && !others.contains(&(*list, *place))
    });
    let side = |said: &Said| -> Vec<(u16, bool)> {
        let is_side = |word: &&Word| word.is_attribute && !word.is_verb || word.in_subject;
        said.words.iter().filter(is_side).filter_map(|word| word.opposite).collect()
    };
    let (own, others) = (side(one), side(other));
    let side = own.iter().any(|(list, side)| others.contains(&(*list, !side)) && !others.contains(&(*list, *side)));
    labels || days || which || side
}

/// Whether what it says may hold only under a condition, or of what stands elsewhere.
fn is_loose(said: &Said) -> bool {
    said.is_fragment || said.is_verbless || said.is_conditional || said.is_pointing
}

/// Whether one says that something the other says no longer holds.
fn revokes(one: &Said, other: &Said) -> bool {
    let words: Vec<&Word> = one.words.iter().filter(|word| word.is_revoked && !word.is_weak).collect();
    let values = || one.values.iter().filter(|value| value.is_revoked);
    let days = || one.days.iter().filter(|day| day.is_revoked);
    let has = |key: &str| {
        let said = || other.words.iter().filter(|word| word.key == key);
        said().count() > 0 && said().all(|word| !word.is_revoked)
    };
    let says = !words.is_empty() && words.iter().all(|word| has(&word.key))
        || values().any(|value| {
            other.values.iter().any(|said| !said.is_revoked && said.is_of_same(value) && said.agrees(value))
        })
        || days().any(|day| other.days.iter().any(|said| !said.is_revoked && said.agrees(day) == Some(true)));
    if !says
        || is_loose(one)
        || is_loose(other)
        || other.is_denied != one.is_denied
        || other.is_cancelled
        || other.is_past != one.is_past && other.is_past
    {
        return false;
    }
    // The new one is not said there, too; and both are about the same.
    let own = |key: &str| one.words.iter().any(|word| word.key == key);
    let left = other.words.iter().filter(|word| !own(&word.key) && !word.is_weak && !word.is_verb).count();
    let subject = |said: &Said, to: &Said| {
        let has = |key: &str| to.words.iter().any(|word| word.key == key);
        said.words.iter().filter(|word| word.in_subject && !word.is_weak && !word.is_verb).all(|word| has(&word.key))
    };
    let is_same = subject(other, one) || subject(one, other);
    left == 0 && is_same && !is_about_another(one, other)
}

/// Whether one says that what the other plans will not be.
fn cancels(one: &Said, other: &Said) -> bool {
    let is_plan = !other.days.is_empty()
        || other.values.iter().any(|value| matches!(value.measure, Measure::Clock(_)))
        || other.is_single && !other.is_copula
        || other.is_future;
    let has = |key: &str| other.words.iter().any(|word| word.key == key);
    let own = || one.words.iter().filter(|word| !word.is_weak && !word.is_verb);
    let is_same = own().count() > 0 && own().all(|word| has(&word.key));
    let are_days = one.days.iter().all(|day| other.days.iter().any(|other| day.agrees(other) == Some(true)));
    one.is_cancelled
        && !is_loose(one)
        && !is_loose(other)
        && !one.is_denied
        && !other.is_cancelled
        && !other.is_denied
        && !other.is_past
        && is_plan
        && other.is_definite
        && is_same
        && are_days
        && !is_about_another(one, other)
}

impl Difference<'_> {
    /// Whether what they differ in may well be no statement: denials in a list, and bare numbers without a verb.
    fn is_loose(&self, one: &Said, other: &Said) -> bool {
        let is_loose = [one, other].iter().any(|said| said.is_fragment || said.is_verbless);
        is_loose && (self.flips > 0 || self.bare > 0 || self.values > 1)
    }

    /// Whether each has a word in its subject that the other has nowhere.
    fn is_about_another(&self) -> bool {
        self.rest.iter().all(|rest| rest.iter().any(|word| word.in_subject && !word.is_weak && !word.is_verb))
    }

    fn judged(&self, one: &Said, other: &Said) -> Relation {
        let left = self.left();
        let names = self.names[0].len().max(self.names[1].len());
        let all = self.shared + left[0].max(left[1]) + names;
        let unsure = if self.shared as f64 >= SAME_SUBJECT * all as f64 { Relation::Unsure } else { Relation::Apart };
        let told = self.values + self.days + self.clocks + self.labels + self.kinds + self.places;
        let is_conditional = one.is_conditional != other.is_conditional && told > 0;
        if is_conditional || self.flips > 0 && (one.is_conditional || other.is_conditional) {
            return unsure;
        }
        if one.is_pointing || other.is_pointing || self.is_loose(one, other) {
            return unsure;
        }
        let holds = match (self.flips, told) {
            (0, 0) if names > 0 => self.are_other_names(one, other),
            (0, 0) if left.contains(&0) => return Relation::Agrees,
            (0, 1..) if names > 0 => return Relation::Apart,
            (0, 1..) if self.is_told_apart(one, other) => return Relation::Apart,
            (0, 1..) => self.are_other_values(one, other),
            (1, 0) if names > 0 => return Relation::Apart,
            (1, 0) => self.is_denied(one, other),
            (2, 0) if left == [0, 0] => return Relation::Agrees,
            (0, 0) => self.are_other_lists(one, other, left),
            (2, 0) => false,
            _ => return Relation::Apart,
        };
        if holds { Relation::Contradicts } else { unsure }
    }

    /// Whether a day, the number of a room or a colour beside another value says which of several is meant.
    fn is_told_apart(&self, one: &Said, other: &Said) -> bool {
        let planned = self.days + self.clocks;
        let told = [self.values, planned, self.labels, self.kinds, self.places];
        let is_plan = self.days == 0 || self.clocks == 0 || one.is_single && other.is_single;
        told.iter().filter(|count| **count > 0).count() > 1 || !is_plan
    }

    /// Whether both say something else of the same.
    fn are_other_values(&self, one: &Said, other: &Said) -> bool {
        let is_change = one.is_change || other.is_change;
        let are_single = one.is_single && other.is_single;
        let are_definite = one.is_definite && other.is_definite;
        let is_once = one.is_once && other.is_once && self.days > 0;
        let is_conditional = one.is_conditional || other.is_conditional;
        if is_conditional || one.is_denied || one.is_past != other.is_past && !is_change && !is_once {
            return false;
        }
        // Changes are told with more words than what they change.
        let fits = match self.left() {
            [0, 0] => true,
            [0, 1] | [1, 0] => is_change && self.rest.iter().flatten().all(|word| !word.in_subject || word.is_weak),
            _ => false,
        };
        let holds = if self.values > 0 || is_once {
            !self.has_attribute
        } else if self.days > 0 {
            are_definite && (are_single || is_change) && !is_of_person(one, other)
        } else if self.clocks > 0 {
            are_single || is_change
        } else {
            let is_kind = self.kinds > 0 && !self.is_which;
            are_definite && (are_single || is_change || is_kind) && !self.has_attribute
        };
        fits && holds && self.shared > 0
    }

    fn are_other_names(&self, one: &Said, other: &Said) -> bool {
        let is_said_of_one = one.is_single && other.is_single && one.is_definite && other.is_definite;
        let is_timeless = one.is_change || other.is_change || one.is_once || other.is_once;
        let is_past = one.is_past != other.is_past && !is_timeless;
        let is_conditional = one.is_conditional || other.is_conditional || self.has_attribute;
        is_said_of_one
            && !is_past
            && !is_conditional
            && self.left() == [0, 0]
            && self.shared > 0
            && one.is_denied == other.is_denied
    }

    /// Whether both say what there is, in full: the ingredients are flour and salt.
    fn are_other_lists(&self, one: &Said, other: &Said, left: [usize; 2]) -> bool {
        let is_list = one.is_list && other.is_list && one.is_past == other.is_past;
        let is_behind = self.rest.iter().flatten().all(|word| !word.in_subject);
        is_list && is_behind && self.shared > 1 && left.iter().all(|left| *left <= 2)
    }

    /// Whether one denies what the other says. What is denied in few words is denied of all that has them.
    fn is_denied(&self, one: &Said, other: &Said) -> bool {
        let is_change = one.is_change || other.is_change;
        if self.has_attribute || one.is_past != other.is_past && !is_change {
            return false;
        }
        let left = self.left();
        if one.is_denied == other.is_denied {
            // Opposites: one of both may be said of more.
            let is_within = |side: usize, said: &Said| self.extra[side] == 0 || said.is_general;
            return left == [0, 0] && is_within(0, other) && is_within(1, one);
        }
        let denied = usize::from(other.is_denied);
        let (said, by) = if one.is_denied { (other, one) } else { (one, other) };
        let missing = || self.rest[denied].iter().filter(|word| !word.is_choice && !word.is_weak);
        let is_in_rest = |word: &Word| self.rest[denied].iter().any(|rest| rest.key == word.key);
        let is_chosen = !self.rest[denied].iter().any(|word| word.is_choice)
            || by.words.iter().any(|word| word.is_choice && !is_in_rest(word));
        // Nobody but the captain.
        if by.words.iter().any(|word| word.is_revoked && said.words.iter().any(|said| said.key == word.key)) {
            return false;
        }
        let is_general = said.is_general && missing().all(|word| word.is_name);
        let within = missing().count() == 0 && is_chosen && self.extra[denied] == 0;
        // What is said of another, or does something else, is not what is denied.
        let more = &self.rest[1 - denied];
        // Of Ada, Ben and Carl each is meant.
        let is_one_of_them = by
            .words
            .iter()
            .any(|word| word.is_name && word.in_subject && said.words.iter().any(|said| said.key == word.key));
        let is_of_another = !by.is_nobody
            && more.iter().any(|word| {
                word.in_subject && !(word.is_weak || word.is_verb || is_one_of_them && word.is_name)
                    || word.which.is_some()
            });
        let is_other_deed = self.rest[denied].iter().any(|word| word.is_weak && word.is_verb)
            && more.iter().any(|word| !word.is_weak && word.is_verb && !is_change);
        let much = self.shared >= 2 || self.shared == 1 && (left[1 - denied] == 0 || by.is_nobody);
        (within || is_general) && !is_of_another && !is_other_deed && left[1 - denied] <= MAX_MORE && much
    }

    /// Whether nothing else holds by the one, and the other says something else.
    fn is_denied_by_list(&self, one: &Said, other: &Said) -> bool {
        let are_whole = [one, other].iter().all(|said| !is_loose(said) && !said.is_cancelled && !said.is_denied);
        let is_told = self.flips + self.values + self.days + self.clocks + self.labels > 0;
        let are_both = one.is_closed && other.is_closed && self.left().iter().all(|left| *left > 0);
        are_whole && !is_told && !are_both && (self.closes(0, one) || self.closes(1, other))
    }

    /// Whether all that differs is what only the other has in the place of what is the only one.
    fn closes(&self, side: usize, said: &Said) -> bool {
        let told = |side: usize| self.rest[side].iter().chain(&self.names[side]).filter(|word| !word.is_weak);
        let listed = || said.words.iter().filter(|word| word.is_only && !word.is_weak);
        let are_names = listed().all(|word| word.is_name);
        let is_subject = listed().any(|word| word.in_subject);
        let is_like = |word: &Word| {
            (word.is_name == are_names || is_subject)
                && word.in_subject == is_subject
                && !word.is_verb
                && (!word.is_attribute || told(1 - side).count() > 1)
        };
        let is_own = |word: &&Word| self.rest[side].iter().chain(&self.names[side]).any(|rest| rest.key == word.key);
        let is_same = said.words.iter().any(|word| !word.is_only && !word.is_weak && !is_own(&word));
        said.is_closed
            && is_same
            && listed().count() > 0
            && told(side).all(|word| word.is_only)
            && (1..=2).contains(&told(1 - side).count())
            && told(1 - side).all(|word| is_like(word))
    }
}

/// Someone may be somewhere on more than one day.
fn is_of_person(one: &Said, other: &Said) -> bool {
    let is_name = |said: &Said| said.words.iter().any(|word| word.in_subject && word.is_name);
    is_name(one) && is_name(other) && one.is_copula
}

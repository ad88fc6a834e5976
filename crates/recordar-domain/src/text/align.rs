//! Aligns two lists: which elements of the later one were in the earlier one, in the same order.

use std::collections::HashMap;
use std::hash::Hash;

/// For each element of `after`, the index of the equal element of `before`, if it is still there in the same order. Equal ends are found
/// first; between them, elements that are there once.
pub fn align<T: Hash + Eq>(before: &[T], after: &[T]) -> Vec<Option<usize>> {
    let shorter = before.len().min(after.len());
    let first = (0..shorter).take_while(|index| before[*index] == after[*index]).count();
    let is_same_end = |count: &usize| before[before.len() - 1 - count] == after[after.len() - 1 - count];
    let last = (0..shorter - first).take_while(is_same_end).count();
    let mut aligned: Vec<Option<usize>> = (0..first).map(Some).collect();
    let (inner_before, inner_after) = (&before[first..before.len() - last], &after[first..after.len() - last]);
    aligned.resize(after.len() - last, None);
    for (at, from) in longest_rise(&shared(inner_before, inner_after)) {
        aligned[first + at] = Some(first + from);
    }
    aligned.extend((before.len() - last..before.len()).map(Some));
    aligned
}

/// The elements that are once in each list: their places in the later one and in the earlier one.
fn shared<T: Hash + Eq>(before: &[T], after: &[T]) -> Vec<(usize, usize)> {
    // As for every new document, whose text need not be hashed then.
    if before.is_empty() {
        return Vec::new();
    }
    let (once_before, once_after) = (single(before), single(after));
    let pair = |(index, element)| {
        let is_once = once_after.contains_key(element);
        Some((index, *once_before.get(element).filter(|_| is_once)?))
    };
    after.iter().enumerate().filter_map(pair).collect()
}

/// The places of elements that are there once.
fn single<T: Hash + Eq>(list: &[T]) -> HashMap<&T, usize> {
    let mut places: HashMap<&T, Option<usize>> = HashMap::new();
    for (index, element) in list.iter().enumerate() {
        places.entry(element).and_modify(|place| *place = None).or_insert(Some(index));
    }
    places.into_iter().filter_map(|(element, place)| Some((element, place?))).collect()
}

/// The longest part of a list of pairs, ascending in the first number, that ascends in the second as well.
pub(super) fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends a rise of that length with the lowest second number; and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *second);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut rise: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |index| previous[*index]).map(|index| pairs[index]).collect();
    rise.reverse();
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &[Option<usize>]) {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(align(&letters(before), &letters(after)), expected, "{before} {after}");
    }

    #[test]
    fn i20_what_stays_in_its_order_is_aligned() {
        check("abcd", "abcd", &[Some(0), Some(1), Some(2), Some(3)]);
        check("abcd", "abxd", &[Some(0), Some(1), None, Some(3)]);
        check("abcd", "xabcd", &[None, Some(0), Some(1), Some(2), Some(3)]);
        check("abcd", "dabc", &[None, Some(0), Some(1), Some(2)]);
        check("abcdef", "xbydzf", &[None, Some(1), None, Some(3), None, Some(5)]);
        check("", "a", &[None]);
        check("a", "", &[]);
        check("aa", "aaa", &[Some(0), Some(1), None]);
    }
}

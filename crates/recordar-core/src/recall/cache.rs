//! The last recalls, for a minute (E8). A result is served again only if nothing was written to its spaces since, by any
//! process: forgotten data must not come back from the cache.

use recordar_domain::{Digest, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The digest of everything that a result depends on besides the rows.
pub type Key = Digest;

const MAX_BYTES: usize = 16 * 1024 * 1024;

pub struct Cache<T> {
    entries: HashMap<Key, Entry<T>>,
    /// Oldest first.
    order: VecDeque<(Key, Timestamp)>,
    bytes: usize,
}

struct Entry<T> {
    made_at: Timestamp,
    /// The incarnation and revision of each space.
    revisions: Vec<Option<(i64, i64)>>,
    bytes: usize,
    value: Arc<T>,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), order: VecDeque::new(), bytes: 0 }
    }
}

impl<T> Cache<T> {
    /// The cached result, if its spaces are unchanged; and its age in microseconds.
    pub fn get(&mut self, key: &Key, revisions: &[Option<(i64, i64)>], now: Timestamp) -> Option<(Arc<T>, i64)> {
        if self.entries.get(key).is_some_and(|entry| entry.revisions != revisions) {
            // It can never be valid again, and may hold forgotten data.
            self.remove(key);
        }
        let entry = self.entries.get(key)?;
        Some((Arc::clone(&entry.value), now.as_micros().saturating_sub(entry.made_at.as_micros()).max(0)))
    }

    pub fn put(
        &mut self,
        key: Key,
        revisions: Vec<Option<(i64, i64)>>,
        made_at: Timestamp,
        bytes: usize,
        value: Arc<T>,
    ) {
        self.remove(&key);
        self.bytes += bytes;
        self.entries.insert(key, Entry { made_at, revisions, bytes, value });
        self.order.push_back((key, made_at));
        while self.bytes > MAX_BYTES || self.order.len() > 2 * self.entries.len() + 64 {
            let Some((oldest, made_at)) = self.order.pop_front() else { break };
            // A newer entry under the same key has its own place further back.
            if self.entries.get(&oldest).is_some_and(|entry| entry.made_at == made_at) {
                self.remove(&oldest);
            }
        }
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e8_an_entry_is_good_for_the_same_spaces_and_within_its_bytes() {
        let mut cache = Cache::default();
        let at = Timestamp::from_micros;
        let key = |number: i64| Digest::of(number.to_string());
        cache.put(key(1), vec![Some((1, 5))], at(10), 100, Arc::new("one"));
        assert_eq!(cache.get(&key(1), &[Some((1, 5))], at(30)).map(|(value, age)| (*value, age)), Some(("one", 20)));
        assert!(cache.get(&key(1), &[Some((1, 6))], at(30)).is_none(), "written to");
        assert!(cache.get(&key(1), &[Some((1, 5))], at(30)).is_none(), "and gone");
        assert!(cache.get(&key(2), &[Some((1, 5))], at(30)).is_none());
        for round in 0..10_000 {
            cache.put(key(round % 200), vec![None], at(round), 1024 * 1024, Arc::new("large"));
            assert!(cache.bytes <= MAX_BYTES && cache.order.len() <= 2 * cache.entries.len() + 64);
        }
        assert!(cache.get(&key(9_999 % 200), &[None], at(10_000)).is_some(), "the last one is there");
    }
}

//! The rate limit of recalls from a space (E1): a number per minute, with bursts.

use recordar_domain::{SpaceName, Timestamp};
use std::collections::BTreeMap;

const MINUTE: i64 = 60_000_000;
/// At this many spaces, those that have been idle are dropped.
const MAX_SPACES: usize = 4096;

/// For each space, the time at which the requests so far would have been due at an even pace.
#[derive(Default)]
pub struct RateLimit {
    due: BTreeMap<SpaceName, i64>,
}

impl RateLimit {
    /// Whether another recall is allowed now from all of the spaces; if so, it counts for each. 0 means no limit.
    pub fn allows(&mut self, spaces: &[SpaceName], per_minute: u32, now: Timestamp) -> bool {
        if per_minute == 0 {
            return true;
        }
        let now = now.as_micros();
        let pace = MINUTE / i64::from(per_minute);
        // More than a minute ahead is only possible if the clock was set back, which must not lock anyone out.
        let known = |space: &SpaceName| self.due.get(space).copied().filter(|due| *due <= now + MINUTE);
        let due = |space: &SpaceName| known(space).unwrap_or(now).max(now);
        let next: Vec<i64> = spaces.iter().map(|space| due(space) + pace).collect();
        if next.iter().any(|next| next - now > MINUTE) {
            return false;
        }
        if self.due.len() >= MAX_SPACES {
            self.due.retain(|_, due| *due > now);
        }
        self.due.extend(spaces.iter().cloned().zip(next));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e1_so_many_a_minute_and_no_more() {
        let (ada, bruno) = ([SpaceName::user("ada").unwrap()], [SpaceName::user("bruno").unwrap()]);
        for per_minute in [1, 3, 7, 60, 999] {
            let mut limit = RateLimit::default();
            let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
            let allowed = (0..2000).filter(|_| limit.allows(&ada, per_minute, at(0))).count();
            assert_eq!(allowed, per_minute as usize);
            assert!(limit.allows(&bruno, per_minute, at(0)), "each space by itself");
            let later = (0..2000).filter(|_| limit.allows(&ada, per_minute, at(60))).count();
            assert_eq!(later, per_minute as usize, "a minute later all of it again");
            let both = [bruno[0].clone(), ada[0].clone()];
            assert!(!limit.allows(&both, per_minute, at(60)), "each of several counts");
            assert!(
                limit.allows(&ada, per_minute, at(120)) && limit.allows(&bruno, per_minute, at(-7200)),
                "a clock put back"
            );
        }
        assert!((0..5000).all(|_| RateLimit::default().allows(&ada, 0, Timestamp::from_micros(0))));
    }
}

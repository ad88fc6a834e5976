//! SUMMARIZE (A10): every chunk gets its own target length, and the chunks are sent in parts that fit the budget, too. Numbers only; the
//! model is called elsewhere.

/// The size of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSize {
    pub tokens: usize,
    pub chars: usize,
}

/// The ratio by which chunks must shrink: tokens of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compression {
    left: u128,
    total: u128,
    chars: u128,
}

impl Compression {
    /// The budget that is left for the chunks after the fixed part. `None` if nothing is left.
    pub fn new(most: usize, fixed: usize, chunks: &[ChunkSize]) -> Option<Self> {
        let left = most.checked_sub(fixed).filter(|left| *left > 0)?;
        let total: usize = chunks.iter().map(|chunk| chunk.tokens).sum();
        let chars: usize = chunks.iter().map(|chunk| chunk.chars).sum();
        Some(Self { left: left as u128, total: total.max(1) as u128, chars: chars as u128 })
    }

    pub fn is_needed(&self) -> bool {
        self.left < self.total
    }

    pub fn ratio(&self) -> f64 {
        self.left as f64 / self.total as f64
    }

    /// `max(1, floor(chars × ratio))`, in whole numbers.
    pub fn target_chars(&self, chars: usize) -> usize {
        let target = chars as u128 * self.left / self.total;
        usize::try_from(target).unwrap_or(usize::MAX).max(1)
    }

    /// Whether all summaries together stay within the chunks' length times the ratio, plus a tolerance.
    pub fn allows(&self, combined_chars: usize, tolerance_percent: u32) -> bool {
        combined_chars as u128 * self.total * 100 <= self.chars * self.left * (100 + u128::from(tolerance_percent))
    }
}

/// Splits a list into parts whose tokens, with the fixed part of each, stay within a limit. Each part has at least one text.
pub fn parts<T>(texts: &[T], cap: usize, preface: usize, tokens: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut parts = Vec::new();
    let (mut start, mut taken) = (0, preface);
    for (at, text) in texts.iter().enumerate() {
        let more = tokens(text);
        if at > start && taken + more > cap {
            parts.push(&texts[start..at]);
            (start, taken) = (at, preface);
        }
        taken += more;
    }
    if start < texts.len() {
        parts.push(&texts[start..]);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a10_r9_8_1_and_8_2_the_ratio_comes_from_tokens_and_is_applied_to_characters() {
        let chunks = [ChunkSize { tokens: 300, chars: 1000 }, ChunkSize { tokens: 100, chars: 3 }];
        let compression = Compression::new(300, 100, &chunks).unwrap();
        assert!(compression.is_needed() && (compression.ratio() - 0.5).abs() < 1e-9);
        assert_eq!([1000, 3, 1, 0].map(|chars| compression.target_chars(chars)), [500, 1, 1, 1]);
        // 1003 × 0.5 × 1.05 = 526.575
        assert!(compression.allows(526, 5) && !compression.allows(527, 5));
        assert!(!Compression::new(500, 100, &chunks).unwrap().is_needed());
        assert_eq!(Compression::new(100, 100, &chunks), None);
        assert_eq!(Compression::new(50, 100, &chunks), None);
    }

    proptest! {
        #[test]
        fn a10_r9_8_3_parts_keep_order_and_the_cap(
            sizes in proptest::collection::vec(0_usize..400, 0..40),
            cap in 0_usize..1000,
            preface in 0_usize..100,
        ) {
            let parts = parts(&sizes, cap, preface, |size| *size);
            prop_assert_eq!(parts.concat(), sizes.clone());
            for part in parts {
                let taken = preface + part.iter().sum::<usize>();
                prop_assert!(!part.is_empty() && (taken <= cap || part.len() == 1));
            }
        }
    }
}

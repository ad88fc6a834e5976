//! Arithmetic on 8-bit vectors and their signs. Integers only, so that every machine finds the same numbers.

use pulp::Arch;

/// One bit for each component: set where it is positive.
pub(crate) fn push_signs(vector: &[i8], out: &mut Vec<u8>) {
    for eight in vector.chunks(8) {
        out.push(eight.iter().enumerate().fold(0, |bits, (index, value)| bits | u8::from(*value > 0) << index));
    }
}

pub(crate) fn signs_bytes(dimension: usize) -> usize {
    dimension.div_ceil(8)
}

/// The cosine of two vectors, from whole numbers; 0 where one of them is nothing.
pub(crate) fn cosine(dot: i64, one: i64, other: i64) -> f64 {
    if one == 0 || other == 0 { 0.0 } else { dot as f64 / ((one as f64).sqrt() * (other as f64).sqrt()) }
}

/// The dot product of a query with a stored vector, and of the stored vector with itself.
pub(crate) fn dots(query: &[i8], stored: &[u8]) -> (i64, i64) {
    let mut with_query = 0_i32;
    let mut with_itself = 0_i32;
    // 127² times 4,096 components fits; longer ones are summed in parts.
    let (mut dot, mut square) = (0_i64, 0_i64);
    for (query, stored) in query.chunks(4096).zip(stored.chunks(4096)) {
        for (q, s) in query.iter().zip(stored) {
            let (q, s) = (i32::from(*q), i32::from(*s as i8));
            with_query += q * s;
            with_itself += s * s;
        }
        dot += i64::from(std::mem::take(&mut with_query));
        square += i64::from(std::mem::take(&mut with_itself));
    }
    (dot, square)
}

/// Calls `take` with the cosine of the query with each of the given stored vectors.
pub(crate) fn cosines<'a>(query: &[i8], stored: impl Iterator<Item = &'a [u8]>, mut take: impl FnMut(f64)) {
    let own: i64 = query.iter().map(|q| i64::from(*q) * i64::from(*q)).sum();
    Arch::new().dispatch(|| {
        for vector in stored {
            let (dot, square) = dots(query, vector);
            take(cosine(dot, own, square));
        }
    });
}

/// How many signs differ from the query's, for each of the stored signs, at most 255.
pub(crate) fn sign_distances(query: &[u8], stored: &[u8], out: &mut Vec<u8>) {
    match query.len() {
        32 => distances::<4>(query, stored, out),
        16 => distances::<2>(query, stored, out),
        8 => distances::<1>(query, stored, out),
        width => out.extend(stored.chunks_exact(width.max(1)).map(|signs| {
            let differ: u32 = signs.iter().zip(query).map(|(one, other)| (one ^ other).count_ones()).sum();
            differ.min(255) as u8
        })),
    }
}

fn distances<const WORDS: usize>(query: &[u8], stored: &[u8], out: &mut Vec<u8>) {
    let query: [u64; WORDS] = words(query);
    Arch::new().dispatch(|| {
        out.extend(stored.chunks_exact(WORDS * 8).map(|signs| {
            let signs: [u64; WORDS] = words(signs);
            let differ: u32 = signs.iter().zip(&query).map(|(one, other)| (one ^ other).count_ones()).sum();
            differ.min(255) as u8
        }));
    });
}

#[inline(always)]
fn words<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_and_distances_are_those_of_plain_arithmetic() {
        for dimension in [8, 64, 100, 128, 256, 300] {
            let vector = |seed: usize| -> Vec<i8> {
                (0..dimension).map(|i| ((i * 7919 + seed * 104_729) % 255) as i8).collect()
            };
            let (query, stored) = (vector(1), vector(2));
            let bytes: Vec<u8> = stored.iter().map(|value| *value as u8).collect();
            let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
            let expected = dot(&query, &stored) / (dot(&query, &query).sqrt() * dot(&stored, &stored).sqrt());
            cosines(&query, std::iter::once(bytes.as_slice()), |found| assert!((found - expected).abs() < 1e-12));
            let (mut one, mut two, mut found) = (Vec::new(), Vec::new(), Vec::new());
            push_signs(&query, &mut one);
            push_signs(&stored, &mut two);
            sign_distances(&one, &two, &mut found);
            let differ = query.iter().zip(&stored).filter(|(a, b)| (**a > 0) != (**b > 0)).count();
            assert_eq!(found, [differ.min(255) as u8]);
        }
    }
}

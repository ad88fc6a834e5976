//! The final prompt must fit: the last of what it is made of is dropped, one after the other, until it does.

/// How many of `count`, from the first, fit into `most` tokens, and how many tokens that is. `tokens` counts a prompt of the given number;
/// `dropped` is called with each that is left out, and the tokens of the prompt with it. With none left, it may still not fit.
pub fn fit(
    count: usize,
    most: usize,
    tokens: impl Fn(usize) -> usize,
    mut dropped: impl FnMut(usize, usize),
) -> (usize, usize) {
    let mut kept = count;
    loop {
        let taken = tokens(kept);
        if taken <= most || kept == 0 {
            return (kept, taken);
        }
        kept -= 1;
        dropped(kept, taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a10_the_last_ones_are_dropped_until_it_fits() {
        let check = |most: usize, expected: (usize, usize), left_out: &[usize]| {
            let mut dropped = Vec::new();
            let found = fit(3, most, |kept| 5 + 10 * kept, |at, _| dropped.push(at));
            assert_eq!((found, dropped.as_slice()), (expected, left_out), "{most}");
        };
        check(35, (3, 35), &[]);
        check(34, (2, 25), &[2]);
        check(14, (0, 5), &[2, 1, 0]);
        check(4, (0, 5), &[2, 1, 0]);
    }
}

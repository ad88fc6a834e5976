//! What is between the products of matrices, on numbers of 32 bits.
//!
//! Every processor must get the same bits. So sums of a row go into 16 lanes, whatever the processor's vectors have, and
//! these are added in one order; multiply-and-add is fused wherever it is written so, and nowhere else; exponentials are
//! polynomials of our own. The compiler neither reorders nor fuses floating-point operations by itself.

use super::Norm;
use super::linear::{Output, Quantised, RowScale};
use crate::asset::LANES;
use pulp::{Arch, Simd, WithSimd};

const LAYER_NORM_EPSILON: f32 = 1e-12;

pub(super) fn add_embeddings(row: &mut [f32], word: (&[u8], f32), place: (&[u8], f32), kind: &[f32]) {
    for (((sum, word_value), place_value), kind) in row.iter_mut().zip(word.0).zip(place.0).zip(kind) {
        *sum = f32::from(*word_value as i8) * word.1 + f32::from(*place_value as i8) * place.1 + kind;
    }
}

/// `out = sums`, as numbers, and then what is said. Structs, and not closures, so that all is compiled for the best
/// instructions that the processor has: what is called in them must be inlined.
pub(super) fn scale(sums: &[i32], rows: &Quantised, output: &Output, then: Then, out: &mut [f32]) {
    Arch::new().dispatch(Scale { sums, rows, output, then, out });
}

#[derive(Clone, Copy)]
pub(super) enum Then {
    Nothing,
    Gelu,
    /// Add what was there.
    Add,
}

struct Scale<'a> {
    sums: &'a [i32],
    rows: &'a Quantised,
    output: &'a Output,
    then: Then,
    out: &'a mut [f32],
}

impl WithSimd for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { sums, rows, output, then, out } = self;
        match then {
            Then::Nothing => each_row(
                sums,
                rows,
                output,
                out,
                #[inline(always)]
                |value, _| value,
            ),
            Then::Gelu => each_row(
                sums,
                rows,
                output,
                out,
                #[inline(always)]
                |value, _| gelu(value),
            ),
            Then::Add => each_row(
                sums,
                rows,
                output,
                out,
                #[inline(always)]
                |value, before| value + before,
            ),
        }
    }
}

#[inline(always)]
fn each_row(sums: &[i32], rows: &Quantised, output: &Output, out: &mut [f32], finish: impl Fn(f32, f32) -> f32) {
    let width = output.scales.len();
    let (scales, bias, weight_sums) = (&output.scales[..], &output.bias[..width], &output.weight_sums[..width]);
    for ((row, sums), out) in rows.rows.iter().zip(sums.chunks_exact(width)).zip(out.chunks_exact_mut(width)) {
        let (sums, out) = (&sums[..width], &mut out[..width]);
        for at in 0..width {
            let sum = sums[at].wrapping_sub(row.offset.wrapping_mul(weight_sums[at])) as f32 * row.scale;
            out[at] = finish(sum.mul_add(scales[at], bias[at]), out[at]);
        }
    }
}

/// Rounds each row to 8 bits, so that its smallest and largest number just fit, and 0 stays 0.
pub(super) fn quantise(numbers: &[f32], width: usize, values: &mut [u8], rows: &mut Vec<RowScale>) {
    rows.resize(numbers.len() / width, RowScale::default());
    Arch::new().dispatch(Quantise { numbers, width, values, rows });
}

struct Quantise<'a> {
    numbers: &'a [f32],
    width: usize,
    values: &'a mut [u8],
    rows: &'a mut [RowScale],
}

impl WithSimd for Quantise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let rows = self.numbers.chunks_exact(self.width).zip(self.values.chunks_exact_mut(self.width));
        for ((numbers, values), row) in rows.zip(self.rows) {
            *row = quantise_row(numbers, values);
        }
    }
}

#[inline(always)]
fn quantise_row(numbers: &[f32], values: &mut [u8]) -> RowScale {
    let (mut low, mut high) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for chunk in numbers.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            low[lane] = smaller(chunk[lane], low[lane]);
            high[lane] = larger(chunk[lane], high[lane]);
        }
    }
    let (mut lowest, mut highest) = (0.0, 0.0);
    for lane in 0..LANES {
        lowest = smaller(low[lane], lowest);
        highest = larger(high[lane], highest);
    }
    let (low, high) = (lowest, highest);
    let scale = (high - low) / 255.0;
    // Of a row of zeros, and of one that is nearly that, nothing is left.
    let inverse = if scale > f32::MIN_POSITIVE { 1.0 / scale } else { 0.0 };
    let offset = (-low * inverse).round_ties_even();
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = rounded(smaller(larger(number.mul_add(inverse, offset), 0.0), 255.0));
    }
    RowScale { scale, offset: offset as i32 }
}

/// The nearest integer of a number from 0 to 255: adding 2^23 leaves no place for a fraction.
#[inline(always)]
fn rounded(number: f32) -> u8 {
    (number + 8_388_608.0).to_bits() as u8
}

#[inline(always)]
pub(super) fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

#[inline(always)]
fn smaller(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Layer norm of each row, in place.
pub(super) fn normalise(rows: &mut [f32], norm: &Norm) {
    Arch::new().dispatch(Normalise { rows, norm });
}

struct Normalise<'a> {
    rows: &'a mut [f32],
    norm: &'a Norm,
}

impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.norm.weight.len();
        for row in self.rows.chunks_exact_mut(width) {
            normalise_row(row, &self.norm.weight, &self.norm.bias[..width]);
        }
    }
}

#[inline(always)]
fn normalise_row(row: &mut [f32], weight: &[f32], bias: &[f32]) {
    let count = row.len() as f32;
    let mean = sum(
        row,
        #[inline(always)]
        |number| number,
    ) / count;
    let variance = sum(
        row,
        #[inline(always)]
        |number| (number - mean) * (number - mean),
    ) / count;
    let inverse = 1.0 / (variance + LAYER_NORM_EPSILON).sqrt();
    let (weight, bias) = (&weight[..row.len()], &bias[..row.len()]);
    for at in 0..row.len() {
        row[at] = ((row[at] - mean) * inverse).mul_add(weight[at], bias[at]);
    }
}

/// The sum of a row whose length is a multiple of the lanes.
#[inline(always)]
pub(super) fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += of(chunk[lane]);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
        half /= 2;
    }
    lanes[0]
}

pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let products: Vec<f32> = one.iter().zip(other).map(|(one, other)| one * other).collect();
    sum(&products, |product| product)
}

/// `x × Φ(x)`. Φ by Abramowitz and Stegun 7.1.26: its error is below 1.5e-7.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    const A: [f32; 5] = [1.061_405_4, -1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6];
    let size = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let t = 1.0 / size.mul_add(0.327_591_1, 1.0);
    let polynomial = A[0].mul_add(t, A[1]).mul_add(t, A[2]).mul_add(t, A[3]).mul_add(t, A[4]) * t;
    let tail = 0.5 * polynomial * exp(-(size * size));
    x * if x > 0.0 { 1.0 - tail } else { tail }
}

/// e to the power of a number that is not above 0.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    /// Adding it leaves the nearest integer in the low bits.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = larger(x, -87.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let rest = whole.mul_add(-LN_2_LOW, whole.mul_add(-LN_2_HIGH, x));
    let power = (1.0_f32 / 720.0)
        .mul_add(rest, 1.0 / 120.0)
        .mul_add(rest, 1.0 / 24.0)
        .mul_add(rest, 1.0 / 6.0)
        .mul_add(rest, 0.5)
        .mul_add(rest, 1.0)
        .mul_add(rest, 1.0);
    power * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_functions_are_near_the_true_ones() {
        for step in -8700..=0 {
            let x = step as f32 / 100.0;
            let expected = libm::exp(f64::from(x));
            assert!((f64::from(exp(x)) - expected).abs() <= expected * 4e-7, "exp({x})");
        }
        for step in -1000..=1000 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x) * 0.5 * (1.0 + libm::erf(f64::from(x) / std::f64::consts::SQRT_2));
            assert!((f64::from(gelu(x)) - expected).abs() < 1e-6, "gelu({x}) {} {expected}", gelu(x));
        }
    }

    #[test]
    fn i22_rounding_keeps_numbers_within_half_a_step() {
        let numbers: Vec<f32> = (0..64).map(|at| (at as f32 - 20.0) * 0.37).collect();
        let (mut values, mut rows) = (vec![0; 64], Vec::new());
        quantise(&numbers, 64, &mut values, &mut rows);
        for (number, value) in numbers.iter().zip(&values) {
            let back = (i32::from(*value) - rows[0].offset) as f32 * rows[0].scale;
            assert!((back - number).abs() <= rows[0].scale * 0.51, "{number} {back}");
        }
        quantise(&[0.0; 64], 64, &mut values, &mut rows);
        assert!(values.iter().all(|value| *value == 0));
    }

    #[test]
    fn i22_what_is_not_a_number_does_not_panic() {
        let mut values = vec![0; 32];
        quantise(&[f32::NAN, f32::INFINITY].repeat(16), 32, &mut values, &mut Vec::new());
        let (_, _) = (exp(f32::NAN), gelu(f32::NEG_INFINITY));
    }
}

//! Vectors in 8 bits, which is how all of them are stored and compared.

/// The largest component becomes 127, and the others in proportion, rounded to the nearest. One multiplication and one
/// addition each, which every machine does alike.
pub(crate) fn quantised(components: &[f64]) -> Vec<i8> {
    let largest = components.iter().fold(0.0_f64, |largest, component| largest.max(component.abs()));
    // Of the smallest numbers there is no quotient.
    let scale = if largest > 0.0 && (127.0 / largest).is_finite() { 127.0 / largest } else { 0.0 };
    components.iter().map(|component| (component * scale + 0.5_f64.copysign(*component)) as i32 as i8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_component_becomes_127_whatever_its_size() {
        for size in [f64::from(f32::MIN_POSITIVE), 0.001, 1.0, f64::from(f32::MAX)] {
            assert_eq!(quantised(&[size, -size, size / 2.0, 0.0]), [127, -127, 64, 0], "{size}");
        }
        assert_eq!(quantised(&[0.0, 0.0]), [0, 0]);
        assert_eq!(quantised(&[f64::from_bits(1), 0.0]), [0, 0], "too small to have a direction");
    }
}

//! All targets as one libFuzzer program. `RECORDAR_FUZZ_TARGET` selects the target: linking takes longer than anything else,
//! so there is one binary for all.

#![no_main]
#![allow(unsafe_code, reason = "libFuzzer calls functions by their plain names, and the macro writes those")]

use libfuzzer_sys::fuzz_target;
use recordar_fuzz::{TARGETS, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("RECORDAR_FUZZ_TARGET").unwrap_or_default();
    Target::find(&name).unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        panic!("set RECORDAR_FUZZ_TARGET to one of {}", names.join(", "))
    })
});

fuzz_target!(|input: &[u8]| {
    (TARGET.run)(input);
});

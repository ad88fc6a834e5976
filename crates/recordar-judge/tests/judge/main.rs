//! The judge's tests: our own models, and models from folders.
#![allow(clippy::unwrap_used)]

mod folder;
mod hostile;
mod own;

use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

//! Whose vectors they are: a built-in embedder's, or those of a caller's own. Vectors of two models are never compared.

use crate::name::EmbedderName;
use recordar_domain::{Digest, Hasher, Invalid};
use std::sync::Arc;

/// The largest number of components. Each takes a byte for every item.
pub const MAX_DIMENSION: usize = 4096;

const MAX_NAME_BYTES: usize = 200;
/// Names that begin like this are for embedders of this program, now and later.
const RESERVED: &str = "recordar-";

/// The model that vectors are made by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VectorModel {
    BuiltIn(EmbedderName),
    Own(Arc<OwnModel>),
}

impl Default for VectorModel {
    fn default() -> Self {
        Self::BuiltIn(EmbedderName::default())
    }
}

impl VectorModel {
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(name) => name.as_str(),
            Self::Own(own) => &own.name,
        }
    }

    pub fn dimension(&self) -> usize {
        match self {
            Self::BuiltIn(name) => name.dimension(),
            Self::Own(own) => own.dimension,
        }
    }

    /// What its vectors are stored under.
    pub fn hash(&self) -> Digest {
        match self {
            Self::BuiltIn(name) => Digest::from_hex(name.hash()).unwrap_or_else(|| Digest::of(name.hash())),
            Self::Own(own) => own.hash(),
        }
    }

    pub fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }
}

/// The model of a caller's own embedder. Nobody but the caller can tell whether it changed: a changed one needs a new name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnModel {
    name: String,
    dimension: usize,
}

impl OwnModel {
    pub fn new(name: &str, dimension: usize) -> Result<Self, Invalid> {
        let shown: String = name.chars().take(60).collect();
        let is_clean = !name.trim().is_empty() && name.trim() == name && !name.chars().any(char::is_control);
        if !is_clean || name.len() > MAX_NAME_BYTES {
            return Err(Invalid::new(
                format!("invalid name of an embedder: {shown:?}"),
                format!("use at most {MAX_NAME_BYTES} bytes, without control characters and spaces around it"),
            ));
        }
        if name.to_ascii_lowercase().starts_with(RESERVED) {
            let what = format!("the embedder's name {shown:?} begins with {RESERVED:?}");
            return Err(Invalid::new(what, "choose another name: these are for built-in embedders"));
        }
        if !(1..=MAX_DIMENSION).contains(&dimension) {
            let what = format!("the embedder {shown:?} has the dimension {dimension}");
            return Err(Invalid::new(what, format!("use a dimension from 1 to {MAX_DIMENSION}")));
        }
        Ok(Self { name: name.to_owned(), dimension })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Of the name and the dimension: the same name with another dimension is another model.
    fn hash(&self) -> Digest {
        let dimension = (self.dimension as u64).to_le_bytes();
        Hasher::default().field("own embedder").field(&self.name).field(dimension).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i21_embedder_names_and_dimensions_are_checked() {
        let check = |name: &str, dimension: usize, mistake: Option<&str>| {
            let made = OwnModel::new(name, dimension);
            match (mistake, &made) {
                (None, Ok(_)) => {}
                (Some(mistake), Err(error)) => assert!(error.what.contains(mistake), "{error}"),
                _ => panic!("{name:?} {dimension}: {made:?}"),
            }
        };
        check("bge-small", 384, None);
        check("text-embedding-3 (großes)", MAX_DIMENSION, None);
        check("a", 1, None);
        check("", 1, Some("invalid name"));
        check(" a", 1, Some("invalid name"));
        check("a\nb", 1, Some("invalid name"));
        check(&"a".repeat(201), 1, Some("invalid name"));
        check("Recordar-static-256.1", 256, Some("begins with"));
        check("a", 0, Some("dimension 0"));
        check("a", MAX_DIMENSION + 1, Some("dimension 4097"));
    }

    #[test]
    fn i21_embedder_hashes_differ_by_name_and_dimension() {
        let hash = |name: &str, dimension| VectorModel::Own(Arc::new(OwnModel::new(name, dimension).unwrap())).hash();
        assert_eq!(hash("a", 8), hash("a", 8));
        assert_ne!(hash("a", 8), hash("a", 9));
        assert_ne!(hash("a", 8), hash("b", 8));
        assert_eq!(VectorModel::default().hash().to_string(), EmbedderName::default().hash());
    }
}

//! The embedders of this program: names, dimensions and hashes. Vectors of two of them are never compared.

/// An embedder. Another table or another way of splitting texts is another one, with a new name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EmbedderName {
    #[default]
    Static256,
    /// The first 128 components of the same table: it was trained so that they can be used alone. Half the RAM.
    Static128,
}

impl EmbedderName {
    pub const ALL: [Self; 2] = [Self::Static256, Self::Static128];

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|embedder| embedder.as_str() == name)
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Static256 => "recordar-static-256.1",
            Self::Static128 => "recordar-static-128.1",
        }
    }

    pub const fn dimension(self) -> usize {
        match self {
            Self::Static256 => 256,
            Self::Static128 => 128,
        }
    }

    /// The sha256 of the table, with as many components as are used.
    pub const fn hash(self) -> &'static str {
        match self {
            Self::Static256 => "3e144ea1965ed499ef98069007fab86ca97d41a9c353b9f138f7496bf566af0d",
            Self::Static128 => "e030ccff03dd3fb3cc5c962b577329719a9a9b6e867a25f5a4b469285f9ad9ea",
        }
    }
}

//! The workbench: the page of `web/`, built into `page/` of this crate, so that a server needs no other file.

use std::sync::OnceLock;

/// What the page may do: run its own script, use its own style, and call this server. Svelte makes elements from templates of its own, and
/// nothing else may make any from text.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

/// A file of the page.
pub(crate) struct Asset {
    path: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) bytes: &'static [u8],
    deflated: OnceLock<Vec<u8>>,
}

static ASSETS: [Asset; 4] = [
    Asset::new("/", "text/html; charset=utf-8", include_bytes!("../page/index.html")),
    Asset::new("/assets/page.js", "text/javascript; charset=utf-8", include_bytes!("../page/assets/page.js")),
    Asset::new("/assets/page.css", "text/css; charset=utf-8", include_bytes!("../page/assets/page.css")),
    Asset::new("/favicon.svg", "image/svg+xml", include_bytes!("../page/favicon.svg")),
];

impl Asset {
    const fn new(path: &'static str, kind: &'static str, bytes: &'static [u8]) -> Self {
        Self { path, kind, bytes, deflated: OnceLock::new() }
    }

    /// The same as HTTP calls "deflate": zlib. Compressed when it is first asked for.
    pub(crate) fn deflated(&'static self) -> &'static [u8] {
        const LEVEL: u8 = 9;
        self.deflated.get_or_init(|| miniz_oxide::deflate::compress_to_vec_zlib(self.bytes, LEVEL))
    }
}

/// The file of a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

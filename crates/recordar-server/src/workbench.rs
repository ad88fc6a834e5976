//! The workbench: the page of `web/`, built into `page/` of this crate, so that a server needs no other file.

/// What the page may do: run its own script, use its own style, and call this server. Svelte makes elements from templates of its own, and
/// nothing else may make any from text.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html";

/// A file of the page.
pub(crate) struct Asset {
    path: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) bytes: &'static [u8],
}

static ASSETS: [Asset; 4] = [
    Asset { path: "/", kind: "text/html; charset=utf-8", bytes: include_bytes!("../page/index.html") },
    Asset {
        path: "/assets/page.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../page/assets/page.js"),
    },
    Asset {
        path: "/assets/page.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../page/assets/page.css"),
    },
    Asset { path: "/favicon.svg", kind: "image/svg+xml", bytes: include_bytes!("../page/favicon.svg") },
];

/// The file of a path.
pub(crate) fn asset(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

//! What a path means. Pure.

use crate::problem::Problem;
use crate::workbench::{self, Asset};
use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;
use recordar::call::VerbEntry;
use recordar::verb::VERBS;

#[derive(Clone, Copy)]
pub(crate) enum Route<'a> {
    Health,
    Readiness,
    Metrics,
    OpenApi,
    Page,
    /// A file of the workbench.
    Asset(&'static Asset),
    Session,
    Mcp,
    Verb(&'static VerbEntry),
    /// A call by its operation id.
    Operation(&'a str),
}

impl<'a> Route<'a> {
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        Some(match path {
            "/healthz" => Self::Health,
            "/readyz" => Self::Readiness,
            "/metrics" => Self::Metrics,
            "/openapi.json" => Self::OpenApi,
            "/docs" => Self::Page,
            "/session" => Self::Session,
            "/mcp" => Self::Mcp,
            _ => {
                if let Some(asset) = workbench::asset(path) {
                    return Some(Self::Asset(asset));
                }
                let rest = path.strip_prefix("/v1/")?;
                match rest.strip_prefix("operations/") {
                    Some(id) if !id.is_empty() && !id.contains('/') => Self::Operation(id),
                    _ => Self::Verb(VERBS.iter().find(|verb| verb.name == rest)?),
                }
            }
        })
    }

    pub(crate) fn methods(&self) -> &'static [Method] {
        match self {
            Self::Health | Self::Readiness | Self::Metrics | Self::OpenApi | Self::Page | Self::Asset(_) => {
                &[Method::GET, Method::HEAD]
            }
            Self::Session => &[Method::GET, Method::POST, Method::DELETE],
            Self::Verb(_) | Self::Mcp => &[Method::POST],
            Self::Operation(_) => &[Method::GET, Method::DELETE],
        }
    }

    /// Without names of others, for metrics and traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Health => "healthz",
            Self::Readiness => "readyz",
            Self::Metrics => "metrics",
            Self::OpenApi => "openapi",
            Self::Page => "docs",
            Self::Asset(_) => "page",
            Self::Session => "session",
            Self::Mcp => "mcp",
            Self::Operation(_) => "operations",
            Self::Verb(verb) => verb.name,
        }
    }

    /// Whether it says nothing that needs a key.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Health | Self::Readiness | Self::OpenApi | Self::Page | Self::Asset(_) | Self::Session)
    }
}

/// The values of a query string by name. A name that is not known is an error: a typo must not pass for a default.
pub(crate) fn query_value(query: Option<&str>, name: &str) -> Result<Option<String>, Problem> {
    let mut value = None;
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        if key != name {
            return Err(refused(format!("the query parameter {key:?} is unknown"), name));
        }
        if value.is_some() {
            return Err(refused(format!("the query parameter {key:?} is given twice"), name));
        }
        let text = text.replace('+', " ");
        let text = percent_decode_str(&text).decode_utf8();
        value = Some(text.map_err(|_| refused("the query is not UTF-8".to_owned(), name))?.into_owned());
    }
    Ok(value)
}

fn refused(what: String, name: &str) -> Problem {
    let remedy = format!("use only ?{name}=VALUE, and put arguments into the body");
    Problem::new(StatusCode::BAD_REQUEST, "invalid", what, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_path_and_nothing_else_does() {
        for verb in &VERBS {
            let path = format!("/v1/{}", verb.name);
            assert!(matches!(Route::of(&path), Some(Route::Verb(found)) if found.name == verb.name), "{path}");
        }
        assert!(matches!(Route::of("/v1/operations/a-1"), Some(Route::Operation("a-1"))));
        for path in ["/v1", "/v1/", "/v1/operations/", "/v1/operations/a/b", "/v2/recall", "/v1/recall/", "/../etc"] {
            assert!(Route::of(path).is_none(), "{path}");
        }
    }

    #[test]
    fn a_query_names_a_space_and_nothing_else() {
        let space = |query| query_value(Some(query), "space");
        assert_eq!(space("space=user%3Aada").unwrap().unwrap(), "user:ada");
        assert_eq!(space("space=user:a+b").unwrap().unwrap(), "user:a b");
        assert!(space("").unwrap().is_none());
        assert!(space("spaces=user:ada").is_err());
        assert!(space("space=a&space=b").is_err());
        assert!(space("space=%ff").is_err());
    }
}

//! Names, ids and addresses.

use crate::contract::assert_told;
use recordar::database::DatabaseUrl;
use recordar::transfer::ForeignFormat;
use recordar_domain::text::TokenCounter;
use recordar_domain::{
    Digest, DocumentProperties, FileType, Filter, NewCategory, OperationId, SpaceName, SpacePattern, check_text,
    name_key,
};
use recordar_mcp::ResourceUri;
use std::path::Path;

/// Names and patterns of spaces, operations and categories, and digests: a parsed value is written as it was read.
pub(crate) fn names(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match SpaceName::parse(&text) {
        Ok(space) => assert_eq!((space.as_str(), SpaceName::parse(space.as_str()).ok()), (&*text, Some(space.clone()))),
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    match SpacePattern::parse(&text) {
        Ok(pattern) => assert_eq!(pattern.as_str(), text),
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    if let (Ok(space), Ok(pattern)) = (SpaceName::parse(&text), SpacePattern::parse(&text)) {
        assert!(pattern.matches(&space), "a space is a pattern of itself: {space}");
    }
    match OperationId::parse(&text) {
        Ok(id) => assert!(OperationId::parse(id.part(input).as_str()).is_ok(), "a part of an id is one: {id}"),
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    match NewCategory::check(&text, None, 3) {
        Ok(category) => assert!(!name_key(&category.name).is_empty() && category.name.len() <= 200),
        Err(refused) => {
            assert_told(&refused.what, &refused.remedy);
            assert!(refused.what.len() < 1000 && !refused.what.contains(char::is_control), "{}", refused.what);
        }
    }
    if let Some(digest) = Digest::from_hex(&text) {
        assert_eq!(digest.to_string(), text.to_lowercase());
    }
    if let Err(refused) = check_text("a name", &text, 200) {
        assert_told(&refused.what, &refused.remedy);
    }
    if let Err(refused) = ForeignFormat::parse(&text) {
        assert_told(&refused.what, &refused.remedy);
    }
    assert!(!TokenCounter::for_model(&text).name().is_empty());
}

/// Filters, a condition on each line: what is read is written so that it is read as the same, and decides about any document.
pub(crate) fn filters(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let conditions: Vec<&str> = text.lines().collect();
    match Filter::parse(&conditions) {
        Ok(filter) => {
            assert_eq!(Filter::parse(&filter.conditions()).ok().as_ref(), Some(&filter));
            let metadata =
                serde_json::Map::from_iter([("author".to_owned(), "Kim".into()), ("a.b".to_owned(), 1.into())]);
            let document = DocumentProperties {
                path: &text,
                name: conditions.first().copied(),
                file_type: FileType::Markdown,
                tags: &["draft".to_owned()],
                collection: None,
                metadata: &metadata,
            };
            for clause in filter.clauses() {
                let negated = format!("{}{clause}", if clause.is_negated { "" } else { "!" });
                let passes = clause.passes_document(&document, 0);
                assert!(
                    passes == (clause.matches_document(&document) || clause.matches_time(0)) ^ clause.is_negated,
                    "{negated}"
                );
            }
        }
        Err(refused) => {
            assert_told(&refused.what, &refused.remedy);
            assert!(refused.what.len() < 1000, "{}", refused.what);
        }
    }
}

/// A secret that no address may show. It is used as the password.
const PASSWORD: &str = "sk-test-hunter2";

/// Addresses of databases and of documents. A database's is never shown with its password.
pub(crate) fn urls(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    // However an address is mistyped, the part in the place of a password is not shown.
    let holds_password = text.contains(&format!(":{PASSWORD}@")) && text.matches(PASSWORD).count() == 1;
    for shown in database(&text).iter().filter(|_| holds_password) {
        assert!(!shown.contains(PASSWORD), "{shown}");
    }
    // The same with a password in it, wherever it ends up.
    if let Some((scheme, rest)) = text.split_once("://").filter(|_| !text.contains(PASSWORD)) {
        let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        for shown in database(&format!("{scheme}://ada:{PASSWORD}@{rest}")) {
            assert!(!shown.contains(PASSWORD), "{shown}");
        }
    }
    if let Some(uri) = ResourceUri::parse(&text) {
        assert_eq!(ResourceUri::parse(&uri.to_string()), Some(uri.clone()), "{uri}");
    }
}

/// Everything that is shown of an address.
fn database(url: &str) -> Vec<String> {
    match DatabaseUrl::parse(url, Path::new("/home/ada")) {
        Ok(parsed) if parsed.sqlite_path().is_some() => {
            if let Some(portable) = parsed.portable() {
                let again = DatabaseUrl::parse(&portable, Path::new("/elsewhere"));
                let again = again.as_ref().ok().and_then(|url| url.sqlite_path());
                assert_eq!(again, parsed.sqlite_path(), "{portable}");
            }
            // A path contains no password.
            Vec::new()
        }
        Ok(parsed) => {
            // A URL for another program is complete, unless it contains a password.
            let login =
                url.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(rest));
            assert!(!login.contains(&format!(":{PASSWORD}@")) || parsed.portable().is_none(), "{parsed}");
            vec![parsed.to_string(), format!("{parsed:?}")]
        }
        Err(refused) => {
            assert_told(&refused.what, &refused.remedy);
            if url.starts_with("sqlite:") { Vec::new() } else { vec![refused.what, refused.remedy] }
        }
    }
}

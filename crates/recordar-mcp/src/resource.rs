//! Documents as resources: their URIs, and the pages of their list. Pure.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use recordar::SpaceName;
use recordar::document::{DocumentView, FileType};
use rmcp::model::{Resource, ResourceTemplate};
use std::fmt;

/// The number of resources on a page.
pub(crate) const PAGE: usize = 100;
const SCHEME: &str = "recordar://";
/// The unreserved characters of RFC 3986 are not escaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URI of a document's newest version, or of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceUri {
    pub space: SpaceName,
    pub document_id: i64,
    pub version: Option<i64>,
}

impl ResourceUri {
    /// `None` if it is not one of our URIs.
    pub fn parse(uri: &str) -> Option<Self> {
        let parts: Vec<&str> = uri.strip_prefix(SCHEME)?.split('/').collect();
        let (kind, name, document_id, version) = match parts.as_slice() {
            [kind, name, "documents", id] => (kind, name, id, None),
            [kind, name, "documents", id, "versions", number] => (kind, name, id, Some(self::number(number)?)),
            _ => return None,
        };
        let name = percent_decode_str(name).decode_utf8().ok()?;
        let space = SpaceName::parse(&format!("{kind}:{name}")).ok()?;
        Some(Self { space, document_id: number(document_id)?, version })
    }
}

impl fmt::Display for ResourceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name) = self.space.as_str().split_once(':').unwrap_or_default();
        write!(f, "{SCHEME}{kind}/{}/documents/{}", utf8_percent_encode(name, ESCAPED), self.document_id)?;
        self.version.map_or(Ok(()), |number| write!(f, "/versions/{number}"))
    }
}

/// A number without a sign or leading zeros, so that each URI has one spelling.
fn number(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number > 0 && text == number.to_string()).then_some(number)
}

/// The cursor of a list: after that document of that space of the server. It stays valid when documents come and go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) space: usize,
    pub(crate) after: i64,
}

impl Cursor {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (space, after) = text.split_once('.')?;
        Some(Self { space: space.parse().ok()?, after: after.parse().ok()? })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.space, self.after)
    }
}

/// Fills a page with the live documents of a space that come after the cursor. Returns the cursor of the next page, if there
/// is one.
pub(crate) fn fill(
    page: &mut Vec<Resource>,
    space: &SpaceName,
    documents: Vec<DocumentView>,
    cursor: Cursor,
) -> Option<Cursor> {
    let mut after = cursor.after;
    for document in documents.into_iter().filter(|document| document.live && document.document_id > cursor.after) {
        if page.len() == PAGE {
            return Some(Cursor { after, ..cursor });
        }
        after = document.document_id;
        page.push(resource(space, document));
    }
    None
}

fn resource(space: &SpaceName, document: DocumentView) -> Resource {
    let uri = ResourceUri { space: space.clone(), document_id: document.document_id, version: None };
    Resource::new(uri.to_string(), document.filename)
        .with_title(document.path)
        .with_mime_type(mime_type(document.version.file_type))
        .with_size(u64::try_from(document.version.bytes).unwrap_or(0))
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let document = ResourceTemplate::new(format!("{SCHEME}{{kind}}/{{name}}/documents/{{document_id}}"), "document")
        .with_title("A document")
        .with_description("The newest version of a document, in the space kind:name.");
    let uri = format!("{SCHEME}{{kind}}/{{name}}/documents/{{document_id}}/versions/{{number}}");
    let version = ResourceTemplate::new(uri, "version")
        .with_title("A version of a document")
        .with_description("One version of a document; the first has number 1.");
    vec![document, version]
}

pub(crate) fn mime_type(file_type: FileType) -> &'static str {
    match file_type {
        FileType::Text => "text/plain",
        FileType::Markdown => "text/markdown",
        FileType::Json => "application/json",
        FileType::Yaml => "application/yaml",
        // Stored as Markdown.
        FileType::Html | FileType::Notebook | FileType::Docx => "text/markdown",
        FileType::Rst => "text/x-rst",
        FileType::Jsonl => "application/jsonl",
        // Stored as plain text.
        FileType::Csv | FileType::Email | FileType::Pdf | FileType::Code => "text/plain",
    }
}

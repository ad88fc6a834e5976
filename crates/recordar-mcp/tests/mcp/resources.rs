//! Documents as resources.

use crate::{Desk, settings};
use recordar::SpaceName;
use recordar_mcp::ResourceUri;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn an_address_is_read_as_it_was_written() {
    for name in ["user:ada", "user:a/b c%", "user:日本 👩‍👩‍👧", "project:a:b", "shared:../..?x#y", "x-1_2:%2F", "user:&=+;"]
    {
        let space = SpaceName::parse(name).unwrap();
        for version in [None, Some(3)] {
            let uri = ResourceUri { space: space.clone(), document_id: 42, version };
            let written = uri.to_string();
            assert!(written.is_ascii() && !written.contains([' ', '?', '#']), "{written}");
            assert_eq!(ResourceUri::parse(&written), Some(uri), "{written}");
        }
    }
    let uri = ResourceUri { space: SpaceName::parse("user:a/b c%").unwrap(), document_id: 7, version: Some(2) };
    assert_eq!(uri.to_string(), "recordar://user/a%2Fb%20c%25/documents/7/versions/2");
}

#[test]
fn other_addresses_are_not_ours() {
    for uri in [
        "",
        "file:///etc/passwd",
        "recordar://",
        "recordar://user/ada",
        "recordar://user/ada/documents",
        "recordar://user/ada/documents/",
        "recordar://user/ada/documents/0",
        "recordar://user/ada/documents/-1",
        "recordar://user/ada/documents/07",
        "recordar://user/ada/documents/+7",
        "recordar://user/ada/documents/1/2",
        "recordar://user/ada/documents/1/versions/",
        "recordar://user/ada/documents/1/versions/x",
        "recordar://user/ada/documents/99999999999999999999",
        "recordar://user//documents/1",
        "recordar://User/ada/documents/1",
        "recordar://user/%FF/documents/1",
        "recordar://user/a%00b/documents/1",
        "recordar://user/ada/documents/1?x",
        "recordar://user/a/b/documents/1",
    ] {
        assert_eq!(ResourceUri::parse(uri), None, "{uri}");
    }
}

fn store(desk: &Desk, name: &str, text: &str) {
    desk.gets("ingest_text", json!({"name": name, "text": text}));
}

fn list(desk: &Desk, cursor: Option<&Value>) -> Value {
    desk.asks("resources/list", cursor.map_or(json!({}), |cursor| json!({"cursor": cursor})))["result"].clone()
}

fn read(desk: &Desk, uri: &str) -> Value {
    desk.asks("resources/read", json!({"uri": uri}))
}

#[test]
fn documents_are_resources() {
    let mut desk = Desk::new();
    store(&desk, "notes/lamp.md", "# One\n");
    store(&desk, "notes/lamp.md", "# Two\n");
    store(&desk, "data.json", "{\"a\": 1}");
    store(&desk, "list.yaml", "- a\n");
    store(&desk, "plain.txt", "plain");
    let listed = list(&desk, None);
    let resources = listed["resources"].as_array().unwrap();
    let types: Vec<&str> = resources.iter().map(|resource| resource["mimeType"].as_str().unwrap()).collect();
    assert_eq!(types, ["text/markdown", "application/json", "application/yaml", "text/plain"]);
    let expected = json!({
        "uri": "recordar://user/ada/documents/1", "name": "lamp.md", "title": "notes/lamp.md",
        "mimeType": "text/markdown", "size": 6
    });
    assert_eq!(resources[0], expected);
    let newest = read(&desk, "recordar://user/ada/documents/1");
    assert_eq!(newest["result"]["contents"][0]["text"], "# Two\n");
    let first = read(&desk, "recordar://user/ada/documents/1/versions/1");
    assert_eq!(first["result"]["contents"][0]["text"], "# One\n");
    assert_eq!(first["result"]["contents"][0]["mimeType"], "text/markdown");
    let templates = desk.asks("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
    assert_eq!(templates[0]["uriTemplate"], "recordar://{kind}/{name}/documents/{document_id}");
    assert_eq!(templates[1]["uriTemplate"], "recordar://{kind}/{name}/documents/{document_id}/versions/{number}");

    for uri in ["recordar://user/ada/documents/1/versions/3", "recordar://user/ada/documents/99", "file:///etc/passwd"]
    {
        assert_eq!(read(&desk, uri)["error"]["code"], -32002, "{uri}");
    }
    // Another server, in another space, of the same memory.
    desk.settings = settings("user:bob");
    assert_eq!(read(&desk, "recordar://user/ada/documents/1")["error"]["code"], -32002);
    assert_eq!(list(&desk, None)["resources"], json!([]));
}

#[test]
fn a_long_list_comes_in_pages() {
    let mut desk = Desk::new();
    desk.settings = settings("shared:handbook");
    for number in 0..20 {
        store(&desk, &format!("shared-{number}.txt"), "shared");
    }
    desk.settings = settings("user:ada");
    desk.settings.also = vec![SpaceName::parse("shared:handbook").unwrap()];
    let lines: Vec<String> = (0..190)
        .map(|n| {
            let arguments = json!({"name": format!("own-{n}.txt"), "text": "own"});
            crate::request(n + 1, "tools/call", json!({"name": "ingest_text", "arguments": arguments}))
        })
        .collect();
    let answers = desk.says(&[vec![crate::initialize()], lines].concat());
    assert_eq!(answers.len(), 191);

    let (mut seen, mut sizes, mut cursor) = (BTreeSet::new(), Vec::new(), None);
    loop {
        let page = list(&desk, cursor.as_ref());
        let resources = page["resources"].as_array().unwrap();
        sizes.push(resources.len());
        assert!(resources.iter().all(|resource| seen.insert(resource["uri"].as_str().unwrap().to_owned())));
        cursor = Some(page["nextCursor"].clone());
        // A document that comes meanwhile moves nothing.
        store(&desk, &format!("new-{}.txt", sizes.len()), "new");
        if cursor == Some(Value::Null) {
            break;
        }
    }
    assert_eq!(sizes, [100, 100, 11]);
    assert_eq!(seen.len(), 211);
    let mistaken = desk.asks("resources/list", json!({"cursor": "x"}));
    assert_eq!(mistaken["error"]["code"], -32602);
}

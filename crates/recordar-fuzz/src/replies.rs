//! Replies of language models: over HTTP in every format, to tasks, and recorded ones.

use crate::contract::{assert_told, choice};
use crate::desk::scratch;
use recordar::fuzzing::{TASKS, reply};
use recordar_domain::Cancel;
use recordar_llm::{
    Call, ChatModel, Completion, Finish, Output, Parameters, Recorded, Remote, RemoteOptions, Request, Schema, Secret,
    Table, Turn,
};
use std::sync::LazyLock;
use std::time::Duration;

const KEY: &str = "sk-test-0123456789";
const PROVIDERS: [&str; 3] = ["openai", "anthropic", "gemini"];
const STATUSES: [u16; 8] = [200, 200, 200, 200, 400, 401, 429, 503];

static REMOTES: LazyLock<Vec<Remote>> = LazyLock::new(|| PROVIDERS.iter().map(|name| remote(name)).collect());

fn remote(provider: &str) -> Remote {
    let options = RemoteOptions {
        base_url: Some("https://models.example/v1".to_owned()),
        key: Some(Secret::new(KEY)),
        key_env: None,
        structured: None,
        parameters: Parameters { temperature: None, seed: None },
        timeout: Duration::from_secs(10),
    };
    let profile = Table::built_in().profile(provider, "any");
    let remote = profile.map(|profile| Remote::new(profile, options));
    remote.and_then(Result::ok).unwrap_or_else(|| panic!("{provider} is in the table"))
}

fn request() -> Request {
    let schema = Schema {
        name: "answer".to_owned(),
        description: "An answer.".to_owned(),
        schema: serde_json::json!({"type": "object"}),
        held_to: None,
    };
    Request {
        system: "You answer.".to_owned(),
        turns: vec![Turn::user("When is the lamp lit?")],
        output: Output::Json(schema),
        max_output_tokens: 64,
    }
}

/// The body of a reply, whole or in pieces, with any status. Neither the result nor the error contains the key.
pub(crate) fn http_replies(input: &[u8]) {
    let (chosen, body) = choice(input);
    let remote = &REMOTES[usize::from(chosen) % REMOTES.len()];
    let status = STATUSES[usize::from(chosen >> 2) % STATUSES.len()];
    let streams = chosen & 0x20 != 0;
    let size = if chosen & 0x40 == 0 { body.len().max(1) } else { 1 + usize::from(chosen >> 6) * 7 };
    let pieces = body.chunks(size).map(<[u8]>::to_vec).collect();
    let mut heard = String::new();
    let mut hear = |text: &str| heard.push_str(text);
    let cancel = Cancel::default();
    let mut call = Call { cancel: &cancel, on_text: if streams { Some(&mut hear) } else { None } };
    match remote.read_given(status, pieces, &request(), &mut call) {
        Ok(completion) => {
            assert_eq!(status, 200);
            assert!(!completion.text.contains(KEY), "{completion:?}");
        }
        Err(failure) => {
            assert_told(&failure.error.what, &failure.error.remedy);
            assert!(!failure.error.what.contains(KEY), "{}", failure.error.what);
        }
    }
    assert!(!heard.contains(KEY), "{heard}");
}

/// A reply to one of the tasks: it is used as a whole, or refused with a remedy.
pub(crate) fn task_replies(input: &[u8]) {
    let (chosen, text) = choice(input);
    let task = TASKS[usize::from(chosen) % TASKS.len()];
    let finish = match chosen >> 6 {
        3 => Finish::Length,
        2 => Finish::Refused,
        _ => Finish::Stop,
    };
    let completion = Completion { text: String::from_utf8_lossy(text).into_owned(), finish, usage: None };
    match reply(task, completion) {
        Ok(read) => assert!(finish == Finish::Stop && !read.is_empty()),
        Err(error) => {
            assert_told(&error.to_string(), &error.remedy());
            assert!(error.to_string().len() < 4000, "{error}");
        }
    }
}

/// A file of recorded replies. Its replies are found by digest; an invalid line is reported with its number.
pub(crate) fn cassettes(input: &[u8]) {
    let path = scratch("cassette.jsonl", input);
    let remote = &REMOTES[0];
    match Recorded::replay_file(remote.settings().clone(), &path) {
        Ok(recorded) => {
            let (request, cancel) = (request(), Cancel::default());
            let digest = recordar_llm::request_digest(remote.settings(), &request);
            let asked = recorded.complete(&request, &mut Call { cancel: &cancel, on_text: None });
            assert!(asked.is_err() || recorded.recorded(digest).is_some());
        }
        Err(error) => assert_told(&error.what, &error.remedy),
    }
}

//! What must hold for every chunk of every document, and a few documents by hand.

use super::{Chunk, Chunking, Cut, MAX_CHUNK_BYTES, Structure, TokenCounter, chunk};
use crate::document::FileType;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn delimiter(min_tokens: usize, max_tokens: usize) -> Chunking {
    let Chunking::Delimiter { delimiters, .. } = Chunking::default() else { unreachable!() };
    Chunking::Delimiter { min_tokens, max_tokens, delimiters }
}

fn check(text: &str, file_type: FileType, chunking: &Chunking, counter: &TokenCounter) -> Vec<Chunk> {
    let structure = Structure::of(text, file_type).unwrap_or_default();
    let chunks = chunk(text, &structure, chunking, counter);
    let spelled: String = chunks.iter().map(|chunk| &text[chunk.start..chunk.end]).collect();
    assert_eq!(spelled, text, "chunks without their overlap spell the document");
    let (min, max, overlap) = match chunking {
        Chunking::Delimiter { min_tokens, max_tokens, .. } => (*min_tokens, *max_tokens, 0),
        Chunking::Recursive { tokens, overlap } => (tokens / 2, *tokens, *overlap),
    };
    for (index, chunk) in chunks.iter().enumerate() {
        let slice = chunk.text(text);
        assert_eq!(chunk.tokens, counter.count(slice), "tokens are exact");
        assert!(chunk.tokens <= max, "{} tokens, {max} allowed", chunk.tokens);
        assert!(slice.len() <= MAX_CHUNK_BYTES);
        let is_last = index + 1 == chunks.len();
        assert!(
            is_last || chunk.tokens >= min || slice.len() > MAX_CHUNK_BYTES / 2,
            "chunk {index} of {} has {} tokens, {min} required",
            chunks.len(),
            chunk.tokens
        );
        assert!(index > 0 || chunk.overlap == 0);
        assert!(counter.count(&text[chunk.start - chunk.overlap..chunk.start]) <= overlap);
    }
    chunks
}

/// Texts of everything that breaks splitters: scripts without spaces, clusters, runs, broken structure.
fn documents() -> impl Strategy<Value = (String, FileType)> {
    let piece = prop_oneof![
        8 => "[a-zA-Z]{1,12} ",
        3 => "[a-z]{2,9}[.!?] ",
        2 => Just("\n".to_owned()),
        2 => Just("\n\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => "#{1,4} [A-Z][a-z]{3,8}\n",
        1 => "[0-9]{1,12}[,.]",
        1 => "[\u{4e00}-\u{4fff}]{1,40}。?",
        1 => "[\u{600}-\u{6ff}]{1,20} ",
        1 => prop::sample::select(vec!["👩‍👩‍👧‍👦", "e\u{301}\u{302}", "🇪🇸", "\u{feff}", "\u{200b}", "'", "\"", "\\"]).prop_map(str::to_owned),
        1 => (prop::sample::select(vec!["a", "-", " ", "\n", "ab", "é", "\u{301}"]), 1_usize..3000).prop_map(|(s, n)| s.repeat(n)),
        1 => prop::sample::select(vec!["{\"a\": [1, {\"b\": \"x\"}],", "key:\n  - item: 1\n", "```\ncode.\n```\n", "https://example.com/a.b?c=d "]).prop_map(str::to_owned),
    ];
    let file_type = prop::sample::select(FileType::ALL.to_vec());
    (prop::collection::vec(piece, 1..400).prop_map(|pieces| pieces.concat()), file_type)
}

fn chunkings() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        Just(Chunking::default()),
        (16_usize..200, 40_usize..200).prop_map(|(min, more)| delimiter(min, min + more)),
        Just(Chunking::Recursive { tokens: 1024, overlap: 200 }),
        (32_usize..300, 0_usize..50)
            .prop_map(|(tokens, percent)| Chunking::Recursive { tokens, overlap: tokens * percent / 100 }),
    ]
}

#[test]
fn a3_b2_chunks_spell_the_document_within_their_limits() {
    let cases = if std::env::var_os("RECORDAR_SOAK").is_some() { 10_000 } else { 300 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let model = prop::sample::select(vec!["o200k_base", "cl100k_base", "gpt2", "qwen2"]);
    let result = TestRunner::new_with_rng(config, rng).run(
        &(documents(), chunkings(), model),
        |((text, file_type), chunking, model)| {
            check(&text, file_type, &chunking, &TokenCounter::for_model(model));
            Ok(())
        },
    );
    if let Err(error) = result {
        panic!("{error}");
    }
    println!("{cases} generated documents spelled by their chunks");
}

#[test]
fn a3_defaults_are_300_to_500_tokens() {
    let text = "The quick brown fox jumps over the lazy dog near the old mill. ".repeat(400);
    let chunks = check(&text, FileType::Text, &Chunking::default(), &TokenCounter::for_model("gpt-4o"));
    assert!(chunks.len() > 10);
    assert!(chunks.iter().all(|chunk| (300..=500).contains(&chunk.tokens)), "no chunk is short, not even the last");
    assert!(chunks.iter().all(|chunk| matches!(chunk.cut, Cut::Sentence | Cut::End)));
}

#[test]
fn a3_short_text_is_one_chunk() {
    let chunks = check("Short.", FileType::Text, &Chunking::default(), &TokenCounter::for_model("gpt-4o"));
    assert_eq!(chunks.len(), 1);
    assert_eq!(chunks[0].cut, Cut::End);
}

#[test]
fn b2_recursive_chunks_overlap_by_whole_pieces() {
    let text = "One sentence follows another in this long paragraph of many words. ".repeat(300);
    let chunking = Chunking::Recursive { tokens: 1024, overlap: 200 };
    let chunks = check(&text, FileType::Text, &chunking, &TokenCounter::for_model("gpt-4o"));
    assert!(chunks.len() > 3);
    for chunk in &chunks[1..] {
        assert!(chunk.overlap > 500, "about 200 tokens are repeated, not {} bytes", chunk.overlap);
        assert!(chunk.text(&text).trim_start().starts_with("One sentence"));
    }
}

#[test]
fn b1_markdown_is_cut_where_sections_begin() {
    let section = |title: &str| format!("## {title}\n\n{}\n\n", "Some words about the matter. ".repeat(60));
    let text: String = ["Alpha", "Beta", "Gamma", "Delta"].map(section).concat();
    let counter = TokenCounter::for_model("gpt-4o");
    let chunks = check(&text, FileType::Markdown, &Chunking::default(), &counter);
    assert!(chunks.iter().all(|chunk| chunk.text(&text).starts_with("## ")), "{chunks:?}");
}

#[test]
fn b1_json_is_cut_between_elements() {
    let element = |i: usize| format!(r#"{{"id":{i},"name":"person number {i}","tags":["a","b","c"]}}"#);
    let text = format!("[{}]", (0..200).map(element).collect::<Vec<_>>().join(","));
    let chunks = check(&text, FileType::Json, &Chunking::default(), &TokenCounter::for_model("gpt-4o"));
    assert!(chunks.len() > 3);
    assert!(chunks[1..].iter().all(|chunk| chunk.text(&text).starts_with(r#"{"id":"#)), "{chunks:?}");
}

#[test]
fn hostile_text_is_cut_within_its_limits() {
    let counter = TokenCounter::for_model("gpt-4o");
    for unit in ["a", " ", "\n", ".", "é", "\u{301}", "👩‍👩‍👧", "{", "- a\n"] {
        for file_type in FileType::ALL {
            check(&unit.repeat(100_000 / unit.len()), file_type, &Chunking::default(), &counter);
        }
    }
}

#[test]
fn senseless_settings_do_not_panic() {
    let counter = TokenCounter::for_model("gpt-4o");
    let text = "Some words. And some more.\n".repeat(20);
    for chunking in [
        Chunking::Recursive { tokens: 0, overlap: 9 },
        Chunking::Delimiter { min_tokens: 9, max_tokens: 0, delimiters: vec![String::new()] },
    ] {
        let chunks = chunk(&text, &Structure::default(), &chunking, &counter);
        assert_eq!(chunks.iter().map(|chunk| &text[chunk.start..chunk.end]).collect::<String>(), text);
    }
}

#[test]
fn a3_paragraphs_are_preferred_to_sentences() {
    let paragraph = "The sea was calm that day. Nobody saw the ship pass. ".repeat(8) + "\n\n";
    let text = paragraph.repeat(40);
    let chunks = check(&text, FileType::Text, &Chunking::default(), &TokenCounter::for_model("gpt-4o"));
    assert!(chunks.iter().all(|chunk| matches!(chunk.cut, Cut::Paragraph | Cut::End)), "{chunks:?}");
}

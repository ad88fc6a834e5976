//! Prints what is found in texts: each line of standard input is `{"text": …}`, each line of output the spans found in it. For
//! `scripts/eval-injection`: `cargo run --release -p recordar-injection --example detect < texts.jsonl`.

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text = row.get("text").and_then(Value::as_str).ok_or("a line without a text")?;
        let found = recordar_injection::instructions(text);
        let spans: Vec<Value> = found
            .iter()
            .map(|found| json!({"start": found.span.start, "end": found.span.end, "score": found.score, "signals": found.signals}))
            .collect();
        writeln!(out, "{}", json!({ "spans": spans }))?;
    }
    Ok(out.flush()?)
}

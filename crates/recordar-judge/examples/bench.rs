//! Times the judge: candidates × tokens of a pair. `cargo run --release -p recordar-judge --example bench [THREADS] [FILE or FOLDER]`. A folder's
//! model runs in `rten`: `scripts/bench-judge` makes one of the same weights, and times it in onnxruntime as well.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use recordar_judge::{Effort, Judge};
use std::path::Path;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().map_or(2, |threads| threads.parse().unwrap());
    let own = arguments.next().map(|path| match Path::new(&path) {
        folder if folder.is_dir() => Judge::from_folder(folder).unwrap(),
        file => Judge::from_file(file).unwrap(),
    });
    let judge = own.as_ref().unwrap_or_else(|| Judge::shipped().unwrap());
    let effort = Effort { threads, ..Effort::default() };
    for tokens in [32, 128, 256] {
        // Each word is one token.
        let question = ["who"; 16].join(" ");
        let question = if tokens == 256 { ["who"; 64].join(" ") } else { question };
        let words = tokens - 3 - question.split(' ').count();
        let passage =
            ["the", "house", "was", "green"].iter().cycle().take(words).copied().collect::<Vec<_>>().join(" ");
        for candidates in [1, 5, 20, 50] {
            let passages = vec![passage.as_str(); candidates];
            let mut best = f64::MAX;
            let rounds = (200 / candidates).clamp(5, 50);
            let mut judged = 0;
            for _ in 0..rounds {
                let started = Instant::now();
                let results = judge.relevance(&question, &passages, &effort).unwrap();
                best = best.min(started.elapsed().as_secs_f64());
                judged = results[0].tokens;
            }
            println!("{candidates:>3} × {judged:>3} tokens, {threads} threads: {:8.2} ms", best * 1e3);
        }
    }
}

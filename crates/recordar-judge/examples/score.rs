//! Scores pairs: each line of standard input is a question and a passage with a tab between them. For checking a model
//! against another program: `cargo run --release -p recordar-judge --example score [FILE] < pairs.tsv`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use recordar_judge::{Effort, Judge};
use std::io::BufRead;

fn main() {
    let file = std::env::args().nth(1);
    let own = file.map(|file| Judge::from_file(file.as_ref()).unwrap());
    let judge = own.as_ref().unwrap_or_else(|| Judge::shipped().unwrap());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (question, passage) = line.split_once('\t').unwrap();
        let judged = judge.relevance(question, &[passage], &Effort::default()).unwrap();
        let entailment = judge.entailment(passage, question).unwrap();
        println!("{}\t{}\t{:?}", judged[0].logit, judged[0].tokens, entailment.probabilities);
    }
}

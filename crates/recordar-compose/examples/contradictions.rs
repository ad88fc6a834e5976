//! How often ordinary text is said to contradict itself: compares the sentences of each file that share two stems.
//! `cargo run --release -p recordar-compose --example contradictions -- FILES`; with `--show N`, every N-th contradiction is printed.

use recordar_compose::{Reader, Relation, statements};
use recordar_domain::text::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// Pairs of sentences that share fewer stems are not counted.
const SHARED: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let step: Option<usize> =
        arguments.next_if(|argument| argument == "--show").and_then(|_| arguments.next()?.parse().ok());
    let mut reader = Reader::new(Language::ENGLISH);
    let mut counts: BTreeMap<Relation, usize> = BTreeMap::new();
    let (mut all, mut spent) = (0_u32, Duration::ZERO);
    let mut out = stdout().lock();
    for file in arguments {
        let text = std::fs::read_to_string(&file)?;
        let statements = statements(&text, &mut reader);
        let stems: Vec<BTreeSet<String>> = statements
            .iter()
            .map(|statement| reader.stems_in_order(&text[statement.span.clone()]).into_iter().collect())
            .collect();
        for (place, one) in statements.iter().enumerate() {
            for (other_place, other) in statements.iter().enumerate().skip(place + 1) {
                if stems[place].intersection(&stems[other_place]).take(SHARED).count() < SHARED {
                    continue;
                }
                let began = Instant::now();
                let relation = one.relation(other);
                spent += began.elapsed();
                all += 1;
                let count = counts.entry(relation).or_default();
                *count += 1;
                if relation == Relation::Contradicts && step.is_some_and(|step| count.is_multiple_of(step)) {
                    let said = |span: &std::ops::Range<usize>| {
                        text[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
                    };
                    writeln!(out, "{file}\n  {}\n  {}", said(&one.span), said(&other.span))?;
                }
            }
        }
    }
    for (relation, count) in &counts {
        writeln!(out, "{relation:?}: {count}, {:.2} of 1,000 pairs", *count as f64 * 1000.0 / f64::from(all.max(1)))?;
    }
    writeln!(out, "{all} pairs, {:?} each", spent / all.max(1))?;
    Ok(out.flush()?)
}

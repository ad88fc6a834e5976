//! The encoder: BERT with weights in 8 bits.
//!
//! Products of matrices are sums of integers: exact, so that neither the order nor the processor matters. What is between
//! them is done in 32 bits, each number by the same operations in the same order everywhere (`math`). So a pair's result
//! has the same bits on every processor, alone or among others, on any number of threads.

mod attention;
mod linear;
mod math;

use crate::asset::{Body, CLASSES, Header, TYPES};
use attention::{Attention, AttentionSpace};
use linear::{IntGemm, Linear, Quantised};
use math::Then;
use std::borrow::Cow;
use std::ops::Range;

/// The rows that go through the feed-forward half of a layer at once: what they need stays in the second cache.
const BLOCK_ROWS: usize = 64;

pub(crate) struct Encoder {
    bytes: Cow<'static, [u8]>,
    hidden: usize,
    vocabulary: usize,
    positions_count: usize,
    heads: usize,
    words: Rows,
    positions: Rows,
    types: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    relevance: Head,
    entailment: Head,
}

/// Embeddings in 8 bits, which stay where they are in the file.
struct Rows {
    start: usize,
    scales: Vec<f32>,
}

pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

struct Layer {
    query: Linear,
    /// Keys and values: the last layer needs those of all tokens, but the query of the first only.
    key_value: Linear,
    out: Linear,
    out_norm: Norm,
    up: Linear,
    down: Linear,
    down_norm: Norm,
}

struct Head {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

/// Memory that is used again for the next pair.
#[derive(Default)]
pub(crate) struct Space {
    hidden: Vec<f32>,
    query: Vec<f32>,
    key_value: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    sums: Vec<i32>,
    quantised: Quantised,
    attention: AttentionSpace,
    gemm: IntGemm,
}

impl Encoder {
    /// Reads the weights. `body_start` is where the body begins in `bytes`; the header was checked against its length.
    pub(crate) fn read(bytes: Cow<'static, [u8]>, header: &Header, body_start: usize) -> Self {
        let gemm = IntGemm::default();
        let mut body = Body::new(&bytes[body_start..]);
        body.take(header.vocab_bytes);
        let hidden = header.hidden;
        let words = read_rows(&mut body, body_start, header.vocabulary, hidden);
        let positions = read_rows(&mut body, body_start, header.positions, hidden);
        let types = body.numbers(TYPES * hidden);
        let norm = read_norm(&mut body, hidden);
        let layers = (0..header.layers).map(|_| read_layer(&mut body, &gemm, hidden, header.intermediate)).collect();
        let relevance = Head { weight: body.numbers(hidden), bias: body.numbers(1) };
        let entailment = Head { weight: body.numbers(CLASSES * hidden), bias: body.numbers(CLASSES) };
        let (vocabulary, positions_count, heads) = (header.vocabulary, header.positions, header.heads);
        Self {
            bytes,
            hidden,
            vocabulary,
            positions_count,
            heads,
            words,
            positions,
            types,
            norm,
            layers,
            relevance,
            entailment,
        }
    }

    pub(crate) fn relevance(&self, tokens: &[u32], second_start: usize, space: &mut Space) -> f32 {
        let first = self.first_hidden(tokens, second_start, space);
        let [logit] = self.relevance.apply(first);
        logit
    }

    pub(crate) fn entailment(&self, tokens: &[u32], second_start: usize, space: &mut Space) -> [f32; CLASSES] {
        let first = self.first_hidden(tokens, second_start, space);
        self.entailment.apply(first)
    }

    /// The first token's last hidden state. Tokens from `second_start` on are the second text's.
    fn first_hidden<'a>(&self, tokens: &[u32], second_start: usize, space: &'a mut Space) -> &'a [f32] {
        let tokens = &tokens[..tokens.len().min(self.positions_count)];
        self.embed(tokens, second_start, &mut space.hidden);
        for (number, layer) in self.layers.iter().enumerate() {
            let last = number + 1 == self.layers.len();
            let rows = if last { 1 } else { tokens.len() };
            self.attend(layer, tokens.len(), rows, space);
            for start in (0..rows).step_by(BLOCK_ROWS) {
                self.feed_forward(layer, start..rows.min(start + BLOCK_ROWS), space);
            }
        }
        &space.hidden[..self.hidden]
    }

    fn embed(&self, tokens: &[u32], second_start: usize, hidden: &mut Vec<f32>) {
        hidden.clear();
        hidden.resize(tokens.len() * self.hidden, 0.0);
        for ((position, token), row) in tokens.iter().enumerate().zip(hidden.chunks_exact_mut(self.hidden)) {
            let (word, word_scale) =
                self.words.row(&self.bytes, (*token as usize).min(self.vocabulary - 1), self.hidden);
            let (place, place_scale) = self.positions.row(&self.bytes, position, self.hidden);
            let kind = &self.types[usize::from(position >= second_start) * self.hidden..][..self.hidden];
            math::add_embeddings(row, (word, word_scale), (place, place_scale), kind);
        }
        math::normalise(hidden, &self.norm);
    }

    /// Attention: the first `rows` tokens look at all of them. What they see is added to their hidden states.
    fn attend(&self, layer: &Layer, tokens: usize, rows: usize, space: &mut Space) {
        let Space { hidden, query, key_value, context, sums, quantised, attention, gemm, .. } = space;
        let width = self.hidden;
        quantised.fill(&hidden[..tokens * width], width);
        layer.key_value.apply(gemm, quantised, sums, Then::Nothing, key_value);
        quantised.keep(rows);
        layer.query.apply(gemm, quantised, sums, Then::Nothing, query);
        Attention { query, key_value, tokens, heads: self.heads, width }.run(attention, context);
        quantised.fill(context, width);
        layer.out.apply_to(gemm, quantised, sums, Then::Add, &mut hidden[..rows * width]);
        math::normalise(&mut hidden[..rows * width], &layer.out_norm);
    }

    fn feed_forward(&self, layer: &Layer, rows: Range<usize>, space: &mut Space) {
        let Space { hidden, wide, sums, quantised, gemm, .. } = space;
        let block = &mut hidden[rows.start * self.hidden..rows.end * self.hidden];
        quantised.fill(block, self.hidden);
        layer.up.apply(gemm, quantised, sums, Then::Gelu, wide);
        quantised.fill(wide, layer.up.outputs());
        layer.down.apply_to(gemm, quantised, sums, Then::Add, block);
        math::normalise(block, &layer.down_norm);
    }
}

impl Head {
    fn apply<const N: usize>(&self, first: &[f32]) -> [f32; N] {
        let mut results = [0.0; N];
        for ((result, weight), bias) in results.iter_mut().zip(self.weight.chunks_exact(first.len())).zip(&self.bias) {
            *result = math::dot(weight, first) + bias;
        }
        results
    }
}

impl Rows {
    fn row<'a>(&self, bytes: &'a [u8], index: usize, width: usize) -> (&'a [u8], f32) {
        (&bytes[self.start + index * width..][..width], self.scales[index])
    }
}

fn read_rows(body: &mut Body<'_>, body_start: usize, rows: usize, width: usize) -> Rows {
    let start = body_start + body.position();
    body.take(rows * width);
    Rows { start, scales: body.numbers(rows) }
}

fn read_norm(body: &mut Body<'_>, hidden: usize) -> Norm {
    Norm { weight: body.numbers(hidden), bias: body.numbers(hidden) }
}

fn read_layer(body: &mut Body<'_>, gemm: &IntGemm, hidden: usize, intermediate: usize) -> Layer {
    let weights = body.take(3 * hidden * hidden);
    let (scales, bias) = (body.numbers(3 * hidden), body.numbers(3 * hidden));
    let (query, key_value) = weights.split_at(hidden * hidden);
    let query = Linear::new(gemm, query, hidden, scales[..hidden].to_vec(), bias[..hidden].to_vec());
    let key_value = Linear::new(gemm, key_value, hidden, scales[hidden..].to_vec(), bias[hidden..].to_vec());
    let out = read_linear(body, gemm, hidden, hidden);
    let out_norm = read_norm(body, hidden);
    let up = read_linear(body, gemm, intermediate, hidden);
    let down = read_linear(body, gemm, hidden, intermediate);
    let down_norm = read_norm(body, hidden);
    Layer { query, key_value, out, out_norm, up, down, down_norm }
}

fn read_linear(body: &mut Body<'_>, gemm: &IntGemm, outputs: usize, inputs: usize) -> Linear {
    let weights = body.take(outputs * inputs);
    let (scales, bias) = (body.numbers(outputs), body.numbers(outputs));
    Linear::new(gemm, weights, inputs, scales, bias)
}

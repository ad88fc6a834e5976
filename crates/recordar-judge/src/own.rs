//! A judge of ours: one encoder with two heads, from a file that `scripts/pack-judge` wrote.

use crate::asset::{CLASSES, Header, has_stored_hash, stored_hash};
use crate::bert::{Encoder, Space};
use crate::error::{FETCH_AGAIN, JudgeError};
use crate::window::{MAX_PASSAGE_TOKENS, PASSAGE_TOKENS, QUESTION_TOKENS, best};
use crate::wordpiece::{Token, WordPiece, bytes_of};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// The start, and a separator after each text.
const SPECIAL_TOKENS: usize = 3;

pub(crate) struct OwnModel {
    pub(crate) header: Header,
    pub(crate) hash: String,
    tokenizer: WordPiece,
    encoder: Encoder,
}

impl OwnModel {
    /// `check_hash`: what is compiled into the program is checked by a test instead.
    pub(crate) fn read(bytes: Cow<'static, [u8]>, path: &Path, check_hash: bool) -> Result<Self, JudgeError> {
        let damaged = |problem: String| JudgeError::file(path, problem, FETCH_AGAIN);
        let (header, body) = Header::read(&bytes).map_err(damaged)?;
        let hash = stored_hash(&bytes);
        if check_hash && !has_stored_hash(&bytes) {
            return Err(damaged("its content does not match its checksum".to_owned()));
        }
        let vocabulary = &bytes[body.start..][..header.vocab_bytes];
        let tokenizer = WordPiece::read(vocabulary, header.vocabulary).map_err(damaged)?;
        let needed = QUESTION_TOKENS + SPECIAL_TOKENS + 1;
        if header.positions < needed {
            return Err(damaged(format!("it reads only {} tokens; {needed} are needed", header.positions)));
        }
        let encoder = Encoder::read(bytes, &header, body.start);
        Ok(Self { header, hash, tokenizer, encoder })
    }

    /// The logit of a pair, the bytes of the passage that were read, and the number of tokens.
    pub(crate) fn relevance(
        &self,
        question: &str,
        passage: &str,
        space: &mut Space,
    ) -> Result<(f32, Range<usize>, usize), JudgeError> {
        let (question, passage) = self.fitted(question, passage);
        let (tokens, second_start) = self.pair(&question, &passage);
        let logit = self.encoder.relevance(&tokens, second_start, space);
        self.finite(&[logit])?;
        Ok((logit, bytes_of(&passage), tokens.len()))
    }

    /// The logits of entailment, neither, and contradiction, and the bytes of the premise that were read.
    pub(crate) fn entailment(
        &self,
        premise: &str,
        hypothesis: &str,
        space: &mut Space,
    ) -> Result<([f32; CLASSES], Range<usize>), JudgeError> {
        let (hypothesis, premise) = self.fitted(hypothesis, premise);
        let (tokens, second_start) = self.pair(&premise, &hypothesis);
        let logits = self.encoder.entailment(&tokens, second_start, space);
        self.finite(&logits)?;
        Ok((logits, bytes_of(&premise)))
    }

    pub(crate) fn window(&self, question: &str, passage: &str) -> Range<usize> {
        bytes_of(&self.fitted(question, passage).1)
    }

    /// The tokens of a question and of a passage that are read.
    fn fitted(&self, question: &str, passage: &str) -> (Vec<Token>, Vec<Token>) {
        let question = self.tokenizer.tokens(question, QUESTION_TOKENS);
        let mut tokens = self.tokenizer.tokens(passage, MAX_PASSAGE_TOKENS);
        let limit = PASSAGE_TOKENS.min(self.header.positions - question.len() - SPECIAL_TOKENS);
        let window = best(&question, &tokens, passage, limit);
        tokens.truncate(window.end);
        tokens.drain(..window.start);
        (question, tokens)
    }

    /// The tokens of a pair, and where the second text starts.
    fn pair(&self, first: &[Token], second: &[Token]) -> (Vec<u32>, usize) {
        let ids = |tokens: &[Token]| tokens.iter().map(|token| token.id).collect::<Vec<u32>>();
        let (start, separator) = ([self.tokenizer.start], [self.tokenizer.separator]);
        let tokens = [&start[..], &ids(first), &separator, &ids(second), &separator].concat();
        (tokens, first.len() + 2)
    }

    fn finite(&self, numbers: &[f32]) -> Result<(), JudgeError> {
        if numbers.iter().all(|number| number.is_finite()) {
            return Ok(());
        }
        Err(JudgeError::run(&self.header.name, "it gave a result that is not a number"))
    }
}

//! The judge: how relevant a passage is to a question, and whether a passage entails a statement.
//!
//! ```no_run
//! # fn main() -> Result<(), recordar_judge::JudgeError> {
//! use recordar_judge::{Effort, Judge};
//! let judge = Judge::shipped()?;
//! let judged = judge.relevance("who wrote it?", &["Ada wrote it.", "It rains."], &Effort::default())?;
//! let best = judged[0].logit; // and judged[0].bytes: which part of the passage was read
//! let entailed = judge.entailment("Ada wrote the book.", "The book has an author.")?.probabilities[0];
//! # Ok(()) }
//! ```
//!
//! The whole surface:
//!
//! - [`Judge::shipped`]: the one in the program, read once; [`Judge::from_file`]: another of ours;
//!   [`Judge::from_folder`], [`Judge::from_known_folder`]: an ONNX model with its tokenizer (reranker, entailment, embedder),
//!   if the feature `onnx` is on.
//! - [`Judge::relevance`], [`Judge::entailment`] (and [`Judge::entailments`]), [`Judge::embed`], [`Judge::best_window`].
//! - [`Judge::name`], [`Judge::hash`], [`Judge::kind`], [`Judge::recipe`], [`Judge::calibration`]: what it is.
//!
//! Everything runs on the processor. A pair's result depends on the pair alone: not on the others of the batch, not on the
//! number of threads and, for our own models, not on the processor. Nothing here knows a database, a clock or the network.

mod asset;
mod bert;
mod error;
mod file;
#[cfg(feature = "onnx")]
mod folder;
#[cfg(feature = "onnx")]
#[doc(hidden)]
pub mod fuzzing;
mod judge;
mod kind;
#[cfg(not(feature = "onnx"))]
mod no_folder;
mod own;
#[cfg(feature = "onnx")]
mod quiet;
mod window;
mod wordpiece;
mod workers;

#[cfg(not(feature = "onnx"))]
use no_folder as folder;

pub use error::JudgeError;
pub use judge::{Entailment, Judge, Judged};
pub use kind::JudgeKind;
pub use window::{PASSAGE_TOKENS, QUESTION_TOKENS};
pub use workers::{DEFAULT_THREADS, Effort, MAX_THREADS};

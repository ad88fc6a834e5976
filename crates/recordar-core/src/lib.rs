//! What the verbs of Recordar are made of: nouns, configuration, indexes, routes, tasks, and the pure stages of a recall. None of it
//! knows a verb or an open engine. Callers use the crate `recordar`.

pub mod answer;
pub mod arrange;
pub mod assemble;
pub mod background;
pub mod compose;
pub mod config;
pub mod current_vocabulary;
pub mod error;
pub mod fact;
pub mod file;
pub mod guard;
pub mod hide;
pub mod index;
pub mod judges;
pub mod noun;
pub mod prepare;
pub mod private_file;
pub mod problem;
pub mod prompt;
pub mod reason;
pub mod recall;
pub mod receipt;
pub mod rerank;
pub mod route;
pub mod summary;
pub mod tree;
pub mod uses;
pub mod waits;
pub mod within;

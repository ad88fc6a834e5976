//! One file per command: arguments in, a call of the engine, its result as text.

mod ask;
mod chat;
mod compose;
mod contextual_helper;
mod doc;
mod doctor;
mod entail;
mod eval;
mod eval_tables;
mod expiry;
mod explain;
mod facts;
mod forget;
mod ingest;
mod init;
mod install;
mod item;
mod keys;
mod mcp;
mod metrics;
mod model_folders;
mod models;
mod operation;
mod query;
mod recall;
mod receipts;
mod record;
mod remember;
mod search;
mod serve;
mod space;
mod standing;
mod summaries;
mod thread;
mod transfer;
mod tree;
mod trust;
mod vocab;
mod watch;
mod why;
mod why_not;
mod work;

use crate::arguments::Spec;
use recordar::Error;
use std::path::Path;

/// Every command, in the order of the help.
pub(crate) const COMMANDS: [&Spec; 111] = [
    &init::COMMAND,
    &trust::COMMAND,
    &ingest::COMMAND,
    &remember::COMMAND,
    &recall::COMMAND,
    &query::COMMAND,
    &ask::COMMAND,
    &compose::COMMAND,
    &chat::COMMAND,
    &entail::COMMAND,
    &why::COMMAND,
    &why_not::COMMAND,
    &receipts::LIST,
    &receipts::SHOW,
    &receipts::EXPORT,
    &receipts::IMPORT,
    &search::COMMAND,
    &forget::ITEM,
    &forget::DOCUMENT,
    &forget::THREAD,
    &forget::RECEIPT,
    &forget::SPACE,
    &expiry::SET,
    &expiry::LIST,
    &expiry::EXPIRE,
    &doc::LIST,
    &doc::SHOW,
    &doc::GET,
    &doc::VERSIONS,
    &doc::DIFF,
    &doc::TAG,
    &doc::UNTAG,
    &doc::SET,
    &doc::MOVE,
    &tree::COMMAND,
    &tree::RENAME,
    &tree::MERGE,
    &tree::MOVE,
    &tree::DEEPEN,
    &tree::CLASSIFY,
    &contextual_helper::COMMAND,
    &thread::LIST,
    &thread::SHOW,
    &item::GET,
    &item::LIST,
    &item::UPDATE,
    &item::HISTORY,
    &facts::LIST,
    &facts::HISTORY,
    &facts::RETIRE,
    &facts::RESTORE,
    &facts::CORRECT,
    &facts::CONFIRM,
    &facts::EXTRACT,
    &summaries::LIST,
    &summaries::MAKE,
    &standing::SHOW_RULES,
    &standing::SET_RULES,
    &standing::RULES_HISTORY,
    &standing::DIFF_RULES,
    &standing::SHOW_PROJECT,
    &standing::SET_PROJECT,
    &standing::PROJECT_HISTORY,
    &standing::DIFF_PROJECT,
    &standing::SHOW_SYNONYMS,
    &standing::SET_SYNONYMS,
    &standing::SYNONYMS_HISTORY,
    &standing::DIFF_SYNONYMS,
    &standing::IMPORTANT,
    &record::PUT,
    &record::GET,
    &record::LIST,
    &record::BUCKETS,
    &record::DELETE,
    &space::LIST,
    &vocab::LIST,
    &vocab::SUGGESTIONS,
    &vocab::APPROVE,
    &vocab::REJECT,
    &vocab::UNDO,
    &vocab::HISTORY,
    &vocab::EXPORT,
    &vocab::IMPORT,
    &work::ENRICH,
    &work::WORK,
    &work::QUEUE,
    &work::RETRY,
    &work::CANCEL,
    &operation::COMMAND,
    &transfer::EXPORT,
    &transfer::IMPORT,
    &transfer::BACKUP,
    &transfer::RESTORE,
    &serve::COMMAND,
    &serve::OPENAPI,
    &keys::NEW,
    &keys::LIST,
    &keys::REVOKE,
    &mcp::COMMAND,
    &install::COMMAND,
    &models::LIST,
    &models::TEST,
    &model_folders::ADD,
    &model_folders::CHECK,
    &model_folders::REMOVE,
    &models::REEMBED,
    &models::TABLE,
    &metrics::COMMAND,
    &doctor::COMMAND,
    &eval::COMMAND,
    &crate::bench::COMMAND,
];

/// All of standard input, up to a limit.
fn read_stdin(max_bytes: u64) -> Result<Vec<u8>, Error> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(max_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot_read("standard input", &error))?;
    Ok(bytes)
}

/// Whether there is a terminal to ask on. Scripts are not asked.
fn can_ask() -> bool {
    use std::io::IsTerminal;
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks on standard error. Anything but a yes is a no.
fn is_agreed(question: &str) -> bool {
    use std::io::Write;
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    let is_answered = std::io::stdin().read_line(&mut answer).is_ok();
    is_answered && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn cannot_read(what: &str, error: &std::io::Error) -> Error {
    let remedy = match error.kind() {
        std::io::ErrorKind::InvalidInput => "name a file, or use - to read from standard input",
        _ => "check the path and its permissions",
    };
    Error::input("unreadable", format!("{what} cannot be read: {error}"), remedy)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    let what = format!("{} cannot be written: {error}", path.display());
    Error::input("unwritable", what, "check the path, its permissions and the free disk space")
}

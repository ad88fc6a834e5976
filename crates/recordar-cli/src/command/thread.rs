//! `recordar thread`: looking at conversations.

use super::{Outcome, open};
use crate::arguments::{Global, Thread, ThreadAction};
use crate::output::Output;
use recordar::{Error, MessageView, ThreadView};

pub(crate) fn run(thread: &Thread, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    match &thread.action {
        ThreadAction::List => {
            let threads = memory.threads(&space)?;
            output.result(&threads, |output| {
                let row = |thread: &ThreadView| {
                    vec![thread.thread_id.to_string(), thread.name.clone(), thread.title.clone().unwrap_or_default()]
                };
                output.table(&["id", "thread", "title"], threads.iter().map(row));
            });
        }
        ThreadAction::Show { name } => {
            let messages = memory.messages(&space, name.as_deref())?;
            output.result(&messages, |output| {
                for message in &messages {
                    let MessageView { item_id, role, speaker, occurred_at, text, .. } = message;
                    let who = speaker.as_deref().or(role.as_deref()).unwrap_or("unknown");
                    output.line(&format!("── item {item_id} · {who} · {occurred_at}"));
                    output.line(text.trim_end());
                }
            });
        }
    }
    Ok(Outcome::Done)
}

//! `recordar thread`: lists threads and shows their messages.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::Error;
use recordar::thread::{MessageView, ThreadView};
use recordar::verb::verbs;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Threads>(&["thread", "list"], list);
pub(crate) const SHOW: Spec = Spec::verb::<verbs::Messages>(&["thread", "show"], show)
    .positional(&["thread"])
    .described(&[("thread", "Thread name; if omitted, the messages that belong to no thread")]);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Threads>(|threads, output| {
        let row = |thread: &ThreadView| {
            vec![thread.thread_id.to_string(), thread.name.clone(), thread.title.clone().unwrap_or_default()]
        };
        output.table(&["id", "thread", "title"], threads.iter().map(row));
    })
}

fn show(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Messages>(|messages, output| {
        for message in messages {
            let MessageView { item_id, role, speaker, occurred_at, text, .. } = message;
            let who = speaker.as_deref().or(role.as_deref()).unwrap_or("unknown");
            output.line(&format!("── item {item_id} · {who} · {occurred_at}"));
            output.line(text.trim_end());
        }
    })
}

//! `recordar forget`: for good. A terminal is asked first.

use super::{Outcome, can_ask, is_agreed, open};
use crate::arguments::{Forget, ForgetOptions, ForgetTarget, Global};
use crate::output::{Output, plural, printable};
use recordar::{Error, ForgetRequest, Forgotten, Invalid, OperationId, Recordar, SpaceName};

pub(crate) fn run(forget: &Forget, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (request, options) = match &forget.target {
        ForgetTarget::Item { ids, options } => (ForgetRequest::Items(ids.clone()), options),
        ForgetTarget::Document { name, options } => (ForgetRequest::Document(name.clone()), options),
        ForgetTarget::Thread { name, options } => (ForgetRequest::Thread(name.clone()), options),
        ForgetTarget::Receipt { ids, options } => (ForgetRequest::Receipts(ids.clone()), options),
        ForgetTarget::Space { options, .. } => (ForgetRequest::Space, options),
    };
    let named = match &forget.target {
        ForgetTarget::Space { name: Some(name), .. } => Some(global.with_space(name)),
        ForgetTarget::Space { .. } if !global.names_space() => {
            let what = "no space was named, and the default one is not forgotten by accident";
            return Err(Invalid::new(what, "name it: recordar forget space user:ada").into());
        }
        _ => None,
    };
    let operation = options.operation.id()?;
    output.begin(&operation);
    let (memory, space) = open(named.as_ref().unwrap_or(global))?;
    if !options.dry_run && !is_confirmed(&memory, &space, &request, options, &operation)? {
        return Err(Error::input("declined", "nothing was removed", "answer y, or use --yes"));
    }
    let report = memory.forget(&space, &request, options.dry_run, &operation)?;
    output.result(&report, |output| {
        let verb = match (report.dry_run, report.repeated) {
            (true, _) => "would remove",
            (false, true) => "had removed, under this operation id:",
            (false, false) => "removed",
        };
        let target =
            if report.target.is_empty() { String::new() } else { format!(" ({})", printable(&report.target, &[])) };
        output.line(&format!("{verb} {} from {space}{target}", listed(&report.forgotten)));
        for warning in &report.warnings {
            output.hint(&format!("note: {}\n  try: {}", warning.what, warning.remedy));
        }
    });
    Ok(Outcome::Done)
}

fn is_confirmed(
    memory: &Recordar,
    space: &SpaceName,
    request: &ForgetRequest,
    options: &ForgetOptions,
    operation: &OperationId,
) -> Result<bool, Error> {
    if options.yes || !can_ask() {
        return Ok(true);
    }
    let preview = match memory.forget(space, request, true, operation) {
        Ok(preview) => preview,
        // There is nothing to ask about: it is not there, or this operation has removed it before.
        Err(_) => return Ok(true),
    };
    let target = printable(&preview.target, &[]);
    Ok(is_agreed(&format!("Remove {target} for good: {}?", listed(&preview.forgotten))))
}

fn listed(forgotten: &Forgotten) -> String {
    let counts = [
        (forgotten.documents, "document"),
        (forgotten.versions, "version"),
        (forgotten.chunks, "chunk"),
        (forgotten.threads, "thread"),
        (forgotten.messages, "message"),
        (forgotten.facts, "fact"),
        (forgotten.summaries, "summary"),
        (forgotten.receipts, "receipt"),
        (forgotten.helpers, "helper"),
        (forgotten.categories, "category name"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

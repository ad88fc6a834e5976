//! `recordar trust`: lets a configuration found in a folder set more, once the user has looked at it.

use crate::arguments::{Session, Spec, Trust as Words};
use crate::outcome::Outcome;
use crate::output::{Output, printable};
use clap::Args;
use recordar::Error;
use recordar::config::{Surroundings, Trust, Trusted};
use std::path::Path;

pub(crate) const COMMAND: Spec = Spec::own(
    &["trust"],
    "Allow a recordar.toml found in a folder to set models, keys and databases, until the file changes",
    Words::augment_args,
    run,
);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (words, output): (Words, _) = (session.own()?, session.output);
    let trust = Trust::new(Surroundings::of_process()?);
    if words.list {
        return list(&trust, output);
    }
    if let Some(file) = &words.remove {
        return remove(&trust, file, output);
    }
    let trusted = trust.add(words.file.as_deref())?;
    output.result(&trusted, |output| show(&trusted, output));
    Ok(Outcome::Done)
}

fn show(trusted: &Trusted, output: &Output) {
    let path = trusted.path.display();
    if trusted.settings.is_empty() {
        output.line(&format!("{path} sets nothing that needs trust"));
        return;
    }
    output.line(&format!("trusted {path}, which sets:"));
    for setting in &trusted.settings {
        output.line(&format!("  {} = {}", printable(&setting.key, &[]), printable(&setting.value, &[])));
    }
    if let Some(models) = &trusted.models_file {
        output.line(&format!("also trusted: {}", models.display()));
    }
    output.hint("if the file changes, run `recordar trust` again");
}

fn list(trust: &Trust, output: &Output) -> Result<Outcome, Error> {
    let files = trust.list()?;
    output.result(&files, |output| {
        if files.is_empty() {
            output.line("no file is trusted");
            return;
        }
        let rows = files.iter().map(|file| {
            let state = if file.holds { "trusted" } else { "changed or missing" };
            vec![state.to_owned(), file.sha256.to_string().chars().take(16).collect(), file.path.display().to_string()]
        });
        output.table(&["state", "sha256", "file"], rows);
    });
    Ok(Outcome::Done)
}

fn remove(trust: &Trust, file: &Path, output: &Output) -> Result<Outcome, Error> {
    if !trust.remove(file)? {
        let what = format!("{} was not trusted", file.display());
        return Err(Error::input("not_found", what, "see `recordar trust --list`"));
    }
    let removed = serde_json::json!({"removed": file});
    output.result(&removed, |output| output.line(&format!("{} is no longer trusted", file.display())));
    Ok(Outcome::Done)
}

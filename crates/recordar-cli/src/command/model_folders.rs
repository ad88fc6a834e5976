//! `recordar models add`, `check` and `remove`: models from folders of this machine.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, printable};
use recordar::Error;
use recordar::model::{AddedModel, CheckedModel, ModelFolder, ModelsCheck, ModelsReport};
use recordar::verb::verbs;

pub(crate) const ADD: Spec = Spec::verb::<verbs::AddModel>(&["models", "add"], add).positional(&["folder"]);
pub(crate) const CHECK: Spec = Spec::verb::<verbs::CheckModels>(&["models", "check"], check).positional(&["name"]);
pub(crate) const REMOVE: Spec = Spec::verb::<verbs::RemoveModel>(&["models", "remove"], remove).positional(&["name"]);

/// The part of a sha256 that is shown to people.
const SHOWN_DIGITS: usize = 16;

fn add(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::AddModel>(show_added)
}

fn check(session: &Session<'_>) -> Result<Outcome, Error> {
    let check = session.call::<verbs::CheckModels>(session.arguments()?)?;
    session.output.result(&check, |output| show_check(&check, output));
    Ok(if check.passed { Outcome::Done } else { Outcome::Failed })
}

fn remove(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RemoveModel>(|model: &ModelFolder, output| {
        output.line(&format!("removed {}; its files are still in {}", model.name, path(&model.path)));
    })
}

/// The judge and the registered folders, as a part of `recordar models list`.
pub(super) fn show_registered(report: &ModelsReport, output: &Output) {
    let judge = &report.judge;
    output.line(&format!("judge           {}, {}, built in", judge.name, megabytes(judge.bytes)));
    for model in &report.model_folders {
        output.line(&format!("model folder    folder:{}, {}, {}", model.name, model.kind.name(), path(&model.path)));
    }
}

fn show_added(added: &AddedModel, output: &Output) {
    let AddedModel { model, bytes, load_ms, sample_ms, replaced } = added;
    let done = if *replaced { "replaced" } else { "added" };
    output.line(&format!("{done} {}, {}, {}", model.name, model.kind.name(), megabytes(*bytes)));
    output.line(&format!("  folder  {}", path(&model.path)));
    output.line(&format!("  sha256  {}", model.sha256));
    output.line(&format!("  loaded in {load_ms:.0} ms; a sample took {sample_ms:.1} ms"));
    output.hint("if its files change, it is not used until you add it again");
}

fn show_check(check: &ModelsCheck, output: &Output) {
    for model in &check.models {
        let CheckedModel { name, kind, path: folder, sha256, passed, sample_ms, problem, remedy } = model;
        let verdict = if *passed { "ok" } else { "FAILED" };
        let place = folder.as_deref().map_or("built in".to_owned(), path);
        let took = sample_ms.map_or(String::new(), |ms| format!(", a sample took {ms:.1} ms"));
        let digits: String = sha256.chars().take(SHOWN_DIGITS).collect();
        output.line(&format!("{verdict:<6} {name}, {}, {place}, sha256 {digits}{took}", kind.name()));
        if let (Some(problem), Some(remedy)) = (problem, remedy) {
            output.line(&format!("       {}\n       try: {}", printable(problem, &[]), printable(remedy, &[])));
        }
    }
}

fn path(path: &std::path::Path) -> String {
    printable(&path.display().to_string(), &[]).to_string()
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

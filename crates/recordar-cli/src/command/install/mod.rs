//! `recordar install`: registers the MCP server in a client's settings, and removes it. The change is shown before it is
//! made, and confirmed on a terminal.

mod client;
mod edit;
mod file;
mod plan;
mod server;

use super::{can_ask, is_agreed};
use crate::arguments::{Global, Install, Scope, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, complain, printable};
use clap::Args;
use client::{ClientFile, Entry, Surroundings, System};
use edit::{Refusal, Slot};
use file::{Backup, SettingsFile};
use plan::{Action, Plan};
use recordar::Error;
use serde_json::{Value, json};
use similar::TextDiff;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

pub(crate) const COMMAND: Spec = Spec::own(
    &["install"],
    "Register Recordar's MCP server with a client, or remove it; shows the change first",
    Install::augment_args,
    |session| run(&session.own()?, &session.global, session.output),
);

fn run(install: &Install, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let place = place(install)?;
    let slot = Slot { list: client::list(install.client), name: &install.name };
    let file = SettingsFile::read(place.file.clone())?;
    let backups = file.backups()?;
    let (plan, entry) = plan(install, global, &file, &backups, slot)?;
    let diff = diff(&file, plan.text.as_deref());
    let note = missing_client(install, &place, &file, &plan)?;
    if !output.is_json {
        output.raw(&diff);
    }
    if let Some(note) = note {
        output.warn(&note);
    }
    let mut backup = backups.first().map(|backup| backup.path.clone());
    if plan.changes() && !install.dry_run {
        ask(install, &file, &diff, output)?;
        backup = apply(&plan, &file, &backups, place.is_private)?;
    }
    let result = json!({
        "client": client_name(install),
        "name": install.name,
        "file": file.path.display().to_string(),
        "action": plan.action,
        "dry_run": install.dry_run,
        "diff": diff,
        "backup": backup.as_ref().map(|path| path.display().to_string()),
        "entry": entry,
    });
    output.result(&result, |output| tell(install, &file, &plan, backup.as_deref(), output));
    Ok(Outcome::Done)
}

fn place(install: &Install) -> Result<ClientFile, Error> {
    if let Some(path) = &install.file {
        return Ok(ClientFile { file: server::absolute(path)?, sign: None, is_private: true });
    }
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let around = Surroundings {
        system: match std::env::consts::OS {
            "macos" => System::MacOs,
            "windows" => System::Windows,
            _ => System::Linux,
        },
        here: server::absolute(Path::new("."))?,
        home: std::env::home_dir().filter(|home| home.is_absolute()),
        xdg_config: folder("XDG_CONFIG_HOME"),
        app_data: folder("APPDATA"),
        claude_config: folder("CLAUDE_CONFIG_DIR"),
    };
    client::place(install.client, install.scope.unwrap_or(Scope::User), &around)
}

/// The plan, and the entry that it is about.
fn plan(
    install: &Install,
    global: &Global,
    file: &SettingsFile,
    backups: &[Backup],
    slot: Slot<'_>,
) -> Result<(Plan, Option<Value>), Error> {
    let text = file.text.as_deref();
    let refused = |refusal: Refusal| {
        let what = format!("{} was not changed: {}", file.path.display(), refusal.0);
        Error::input("unreadable_settings", what, "fix the file, or move it away")
    };
    let program = server::program()?;
    let present = text.map_or(Ok(None), |text| edit::get(text, slot)).map_err(refused)?;
    if present.as_ref().is_some_and(|entry| !server::is_ours(entry, &program)) {
        let what = format!("{} has an entry {:?} that does not start Recordar", file.path.display(), slot.name);
        return Err(Error::input("taken", what, "choose another name with --name"));
    }
    if install.undo {
        let kept: Vec<Option<String>> = backups.iter().map(|backup| backup.text.clone()).collect();
        return Ok((plan::undo(text, slot, &kept).map_err(refused)?, present));
    }
    let entry: Entry = client::entry(install.client, program, server::arguments(install, global)?);
    Ok((plan::install(text, slot, &entry).map_err(refused)?, Some(json!(entry))))
}

/// The change as a unified diff.
fn diff(file: &SettingsFile, text: Option<&str>) -> String {
    let name = |text: Option<&str>| text.map_or("/dev/null".to_owned(), |_| file.path.display().to_string());
    let old = file.text.as_deref();
    TextDiff::from_lines(old.unwrap_or_default(), text.unwrap_or_default())
        .unified_diff()
        .context_radius(3)
        .header(&name(old), &name(text))
        .to_string()
}

/// A client that was never started here may not be installed. Without a terminal to ask on, `--yes` is required.
fn missing_client(
    install: &Install,
    place: &ClientFile,
    file: &SettingsFile,
    plan: &Plan,
) -> Result<Option<String>, Error> {
    let Some(sign) = place.sign.as_ref().filter(|sign| !sign.exists()) else {
        return Ok(None);
    };
    if file.text.is_some() || !plan.changes() || install.yes {
        return Ok(None);
    }
    let label = client::label(install.client);
    let what = format!("{label} does not seem to be installed for this user: there is no {}", sign.display());
    if install.dry_run || can_ask() {
        return Ok(Some(format!("note: {what}")));
    }
    let remedy = format!("start {label} once, use --yes to create the file anyway, or name another file with --file");
    Err(Error::input("no_client", what, remedy))
}

fn ask(install: &Install, file: &SettingsFile, diff: &str, output: &Output) -> Result<(), Error> {
    if install.yes || !can_ask() {
        return Ok(());
    }
    // The change is shown before the question, even if the result is redirected.
    if output.is_json || !std::io::stdout().is_terminal() {
        complain(diff);
    }
    let shown = file.path.display().to_string();
    if is_agreed(&format!("Change {}?", printable(&shown, &[]))) {
        return Ok(());
    }
    Err(Error::input("declined", "nothing was changed", "answer y, or use --yes"))
}

/// Makes the change, and returns the latest backup.
fn apply(plan: &Plan, file: &SettingsFile, backups: &[Backup], is_private: bool) -> Result<Option<PathBuf>, Error> {
    if plan.action == Action::Installed {
        let kept = file.keep(backups)?;
        let replaced = file.replace(plan.text.as_deref(), is_private);
        let is_new = |path: &&PathBuf| backups.iter().all(|backup| backup.path != **path);
        if let (Err(_), Some(new)) = (&replaced, kept.as_ref().filter(is_new)) {
            // Nothing was changed, so the backup is not needed. The first error is reported.
            let _ = file::remove(new);
        }
        return replaced.map(|()| kept);
    }
    file.replace(plan.text.as_deref(), is_private)?;
    let (spent, left): (Vec<_>, Vec<_>) = backups.iter().enumerate().partition(|(index, _)| plan.spent.contains(index));
    for (_, backup) in spent {
        file::remove(&backup.path)?;
    }
    Ok(left.first().map(|(_, backup)| backup.path.clone()))
}

fn tell(install: &Install, file: &SettingsFile, plan: &Plan, backup: Option<&Path>, output: &Output) {
    let (name, path) = (&install.name, file.path.display());
    if install.dry_run && plan.changes() {
        return output.line("dry run: nothing was changed");
    }
    match plan.action {
        Action::Unchanged => output.line(&format!("unchanged: {path} already has this entry")),
        Action::Absent => output.line(&format!("nothing to remove: {path} has no entry {name:?}")),
        Action::Installed => output.line(&format!("installed {name} in {path}")),
        Action::Removed if plan.text.is_none() => output.line(&format!("removed {path}, which held nothing else")),
        Action::Removed if plan.spent.is_empty() => output.line(&format!("removed {name} from {path}")),
        Action::Removed => output.line(&format!("removed {name}: {path} is as it was before")),
    }
    if !plan.changes() {
        return;
    }
    if let Some(backup) = backup {
        let age = if plan.action == Action::Installed { "its previous content" } else { "an older version" };
        output.hint(&format!("{age} is kept in {}", backup.display()));
    }
    if plan.action == Action::Installed {
        output.hint(client::next_step(install.client, install.scope.unwrap_or(Scope::User)));
        output.hint(&format!("to remove it: {}", undo_command(install)));
    }
}

fn undo_command(install: &Install) -> String {
    let mut command = format!("recordar install {} --undo", client_name(install));
    if install.name != "recordar" {
        command += &format!(" --name {}", install.name);
    }
    if install.scope == Some(Scope::Project) {
        command += " --scope project";
    }
    if let Some(file) = &install.file {
        command += &format!(" --file {:?}", file.display().to_string());
    }
    command
}

fn client_name(install: &Install) -> String {
    use clap::ValueEnum;
    install.client.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

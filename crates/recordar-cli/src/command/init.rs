//! `recordar init`: a commented configuration with every default.

use super::cannot_write;
use crate::arguments::{Init, Session, Spec};
use crate::outcome::Outcome;
use clap::Args;
use recordar::config::Surroundings;
use recordar::file_access::write_private;
use recordar::{Config, Error};

pub(crate) const COMMAND: Spec =
    Spec::own(&["init"], "Write a commented recordar.toml with all defaults", Init::augment_args, run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (init, output): (Init, _) = (session.own()?, session.output);
    let path = if init.own { own_path()? } else { init.path };
    // Keys and passwords may be added to it later.
    write_private(&path, init.force, |out| {
        out.write_all(Config::TEMPLATE.as_bytes()).map_err(|error| cannot_write(&path, &error))
    })?;
    output.result(&serde_json::json!({"path": path}), |output| output.line(&format!("wrote {}", path.display())));
    Ok(Outcome::Done)
}

/// The user's own configuration, with its folder.
fn own_path() -> Result<std::path::PathBuf, Error> {
    let path = Surroundings::of_process()?.own_file().ok_or_else(|| {
        Error::input("no_home", "there is no home folder to write the configuration to", "set HOME, or name a file")
    })?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    Ok(path)
}

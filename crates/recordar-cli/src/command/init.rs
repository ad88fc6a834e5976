//! `recordar init`: a commented configuration with every default.

use super::Outcome;
use crate::arguments::{Init, Session, Spec};
use clap::Args;
use recordar::{Config, Error};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

pub(crate) const COMMAND: Spec =
    Spec::own(&["init"], "Write a commented recordar.toml with all defaults", Init::augment_args, run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (init, output): (Init, _) = (session.own()?, session.output);
    let path = &init.path;
    let mut options = OpenOptions::new();
    options.write(true);
    // Without --force the file must not be there, and no other process can slip one in between.
    let opened =
        if init.force { options.create(true).truncate(true).open(path) } else { options.create_new(true).open(path) };
    opened.and_then(|mut file| file.write_all(Config::TEMPLATE.as_bytes())).map_err(|error| {
        let (what, remedy) = match error.kind() {
            ErrorKind::AlreadyExists if path.is_dir() => {
                (format!("{} is a folder", path.display()), "name a file in it".to_owned())
            }
            ErrorKind::AlreadyExists => {
                (format!("{} is there already", path.display()), "use --force to replace it".to_owned())
            }
            _ => (format!("{} cannot be written: {error}", path.display()), "choose another path".to_owned()),
        };
        Error::input("cannot_write", what, remedy)
    })?;
    output.result(&serde_json::json!({"path": path}), |output| output.line(&format!("wrote {}", path.display())));
    Ok(Outcome::Done)
}

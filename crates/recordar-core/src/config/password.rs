//! The database password, if it is not in the URL: so that it need not appear on a command line, which every user of
//! the machine can read.

use super::{Overrides, Reader, own_file};
use crate::error::Error;
use recordar_store::{DatabaseUrl, Password};
use std::path::Path;
use toml::Value;

const VARIABLE: &str = "RECORDAR_DATABASE_PASSWORD";
const FILE_VARIABLE: &str = "RECORDAR_DATABASE_PASSWORD_FILE";
const FILE_KEY: &str = "database.password_file";

/// The password and its source: a prompt, the environment, or a file named by the file with the URL. The password of
/// one file is never sent to the server of another.
pub(super) fn find(
    reader: &Reader<'_>,
    overrides: &Overrides,
    url: Option<&DatabaseUrl>,
    is_url_given: bool,
) -> Result<Option<(Password, String)>, Error> {
    let Some(url) = url.filter(|url| url.is_server()) else { return Ok(None) };
    if let Some(password) = &overrides.password {
        return Ok(Some((password.clone(), "the option --ask-password".to_owned())));
    }
    if url.holds_password() {
        return Ok(None);
    }
    if let Some(password) = reader.around.variable(VARIABLE) {
        return Ok(Some((Password::new(password), VARIABLE.to_owned())));
    }
    if let Some(file) = reader.around.variable(FILE_VARIABLE) {
        let path = reader.around.folder.join(file);
        return Ok(Some((read(&path, reader)?, format!("{FILE_VARIABLE} ({})", path.display()))));
    }
    let layer = reader.layer_of("database.url").filter(|_| !is_url_given);
    let named = layer.and_then(|layer| Some((layer, layer.get(FILE_KEY).and_then(Value::as_str)?)));
    let Some((layer, file)) = named else { return Ok(None) };
    let path = layer.folder.join(file);
    Ok(Some((read(&path, reader)?, format!("{FILE_KEY} ({})", path.display()))))
}

/// The first line of the file, which only its owner may read.
fn read(path: &Path, reader: &Reader<'_>) -> Result<Password, Error> {
    let file = own_file::read("the password file", path, reader.around.user)?;
    let refused = |why: &str, remedy: String| {
        Error::input("configuration", format!("the password file {} {why}", path.display()), remedy)
    };
    // A file that an administrator provided is not the user's to change.
    if file.is_exposed && file.is_users {
        return Err(refused("can be read by other users", format!("run: chmod 600 {}", path.display())));
    }
    let line = file.text.lines().next().unwrap_or_default();
    if line.is_empty() {
        return Err(refused("has no password on its first line", "write the password there".to_owned()));
    }
    Ok(Password::new(line))
}

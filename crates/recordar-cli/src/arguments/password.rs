//! Asks for a password on the terminal without showing it. Standard input and output may be redirected, or belong to a protocol.

use recordar::Error;
use recordar::database::Password;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};

const MAX_BYTES: u64 = 4096;

pub(crate) fn ask() -> Result<Password, Error> {
    let no_terminal = |error: std::io::Error| {
        let what = format!("cannot ask for the password, because there is no terminal: {error}");
        Error::input("no_terminal", what, "set RECORDAR_DATABASE_PASSWORD_FILE to a file that contains it")
    };
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(no_terminal)?;
    let line = {
        let _hidden = Hidden::new(&terminal).map_err(no_terminal)?;
        write!(terminal, "Password: ").map_err(no_terminal)?;
        let mut line = String::new();
        BufReader::new((&terminal).take(MAX_BYTES)).read_line(&mut line).map_err(no_terminal)?;
        line
    };
    let password = line.trim_end_matches(['\n', '\r']);
    if password.is_empty() {
        return Err(Error::input("declined", "no password was given", "type it, or omit --ask-password"));
    }
    Ok(Password::new(password))
}

/// A terminal with echo switched off until this is dropped.
struct Hidden {
    terminal: File,
    before: Termios,
}

impl Hidden {
    fn new(terminal: &File) -> std::io::Result<Self> {
        let terminal = terminal.try_clone()?;
        let before = tcgetattr(&terminal)?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        // The newline is still echoed, so that later output starts on a new line.
        hidden.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(&terminal, OptionalActions::Flush, &hidden)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}

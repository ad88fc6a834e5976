//! Where each client keeps its list of servers, and the form of an entry. Pure: the facts about the machine are arguments,
//! and nothing is read or written here.

use crate::arguments::{Client, Scope};
use recordar::{Error, Invalid};
use serde::Serialize;
use std::path::PathBuf;

/// The file of a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClientFile {
    pub(super) file: PathBuf,
    /// The folder that exists once the client was started. None if any folder will do.
    pub(super) sign: Option<PathBuf>,
    /// Whether the file is private to the user. Clients keep keys in such files.
    pub(super) is_private: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    MacOs,
    Windows,
}

/// What the paths depend on.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    pub(super) system: System,
    pub(super) here: PathBuf,
    pub(super) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`
    pub(super) xdg_config: Option<PathBuf>,
    /// `APPDATA`
    pub(super) app_data: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`
    pub(super) claude_config: Option<PathBuf>,
}

pub(super) fn place(client: Client, scope: Scope, around: &Surroundings) -> Result<ClientFile, Error> {
    match scope {
        Scope::Project => project_place(client, around),
        Scope::User => user_place(client, around),
    }
}

fn project_place(client: Client, around: &Surroundings) -> Result<ClientFile, Error> {
    let file = match client {
        Client::ClaudeCode => ".mcp.json",
        Client::Cursor => ".cursor/mcp.json",
        Client::VsCode => ".vscode/mcp.json",
        Client::ClaudeDesktop => {
            let what = "Claude Desktop has no project settings";
            return Err(Invalid::new(what, "omit --scope project").into());
        }
    };
    Ok(ClientFile { file: around.here.join(file), sign: None, is_private: false })
}

fn user_place(client: Client, around: &Surroundings) -> Result<ClientFile, Error> {
    let (file, sign) = match client {
        Client::ClaudeCode => match &around.claude_config {
            Some(folder) => (folder.join(".claude.json"), folder.clone()),
            None => (around.home()?.join(".claude.json"), around.home()?.join(".claude")),
        },
        Client::ClaudeDesktop => {
            let folder = around.settings()?.join("Claude");
            (folder.join("claude_desktop_config.json"), folder)
        }
        Client::Cursor => {
            let folder = around.home()?.join(".cursor");
            (folder.join("mcp.json"), folder)
        }
        Client::VsCode => {
            let folder = around.settings()?.join("Code");
            (folder.join("User").join("mcp.json"), folder)
        }
    };
    Ok(ClientFile { file, sign: Some(sign), is_private: true })
}

impl Surroundings {
    fn home(&self) -> Result<PathBuf, Error> {
        self.home.clone().ok_or_else(|| {
            Error::input("no_home", "the home folder is unknown", "set HOME, or name the file with --file")
        })
    }

    /// Where programs keep their settings.
    fn settings(&self) -> Result<PathBuf, Error> {
        match self.system {
            System::Linux => self.xdg_config.clone().map_or_else(|| Ok(self.home()?.join(".config")), Ok),
            System::MacOs => Ok(self.home()?.join("Library/Application Support")),
            System::Windows => self.app_data.clone().map_or_else(|| Ok(self.home()?.join("AppData/Roaming")), Ok),
        }
    }
}

/// The member of the file that lists the servers.
pub(super) fn list(client: Client) -> &'static str {
    if client == Client::VsCode { "servers" } else { "mcpServers" }
}

/// A server in the list, as we write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    pub(super) command: String,
    pub(super) args: Vec<String>,
}

pub(super) fn entry(client: Client, command: String, args: Vec<String>) -> Entry {
    let is_typed = matches!(client, Client::ClaudeCode | Client::VsCode);
    Entry { kind: is_typed.then(|| "stdio".to_owned()), command, args }
}

/// The client's display name.
pub(super) fn label(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode => "Claude Code",
        Client::ClaudeDesktop => "Claude Desktop",
        Client::Cursor => "Cursor",
        Client::VsCode => "VS Code",
    }
}

/// The next step, so that the client uses a new entry.
pub(super) fn next_step(client: Client, scope: Scope) -> &'static str {
    match (client, scope) {
        (Client::ClaudeCode, Scope::User) => "start a new Claude Code session to use it; /mcp shows it",
        (Client::ClaudeCode, Scope::Project) => "Claude Code asks once whether it may use a project's servers",
        (Client::ClaudeDesktop, _) => "restart Claude Desktop to use it",
        (Client::Cursor, _) => "restart Cursor to use it; its settings list it under MCP",
        (Client::VsCode, _) => "VS Code asks before it starts the server; `MCP: List Servers` shows it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(system: System) -> Surroundings {
        Surroundings {
            system,
            here: "/project".into(),
            home: Some("/home/ada".into()),
            xdg_config: None,
            app_data: None,
            claude_config: None,
        }
    }

    #[test]
    fn install_knows_where_each_client_keeps_its_file() {
        let check = |client, scope, system, file: &str| {
            let place = place(client, scope, &around(system)).unwrap();
            assert_eq!(place.file, PathBuf::from(file));
            assert_eq!(place.is_private, scope == Scope::User);
        };
        use Client::{ClaudeCode, ClaudeDesktop, Cursor, VsCode};
        use System::{Linux, MacOs, Windows};
        for system in [Linux, MacOs, Windows] {
            check(ClaudeCode, Scope::User, system, "/home/ada/.claude.json");
            check(Cursor, Scope::User, system, "/home/ada/.cursor/mcp.json");
            check(ClaudeCode, Scope::Project, system, "/project/.mcp.json");
            check(Cursor, Scope::Project, system, "/project/.cursor/mcp.json");
            check(VsCode, Scope::Project, system, "/project/.vscode/mcp.json");
        }
        check(ClaudeDesktop, Scope::User, Linux, "/home/ada/.config/Claude/claude_desktop_config.json");
        check(VsCode, Scope::User, Linux, "/home/ada/.config/Code/User/mcp.json");
        let mac = "/home/ada/Library/Application Support";
        check(ClaudeDesktop, Scope::User, MacOs, &format!("{mac}/Claude/claude_desktop_config.json"));
        check(VsCode, Scope::User, MacOs, &format!("{mac}/Code/User/mcp.json"));
        check(VsCode, Scope::User, Windows, "/home/ada/AppData/Roaming/Code/User/mcp.json");
        assert!(place(ClaudeDesktop, Scope::Project, &around(Linux)).is_err());
    }

    #[test]
    fn install_follows_the_folders_that_the_environment_names() {
        let mut around = around(System::Linux);
        around.xdg_config = Some("/etc/ada".into());
        around.claude_config = Some("/srv/claude".into());
        let file = |client, around: &Surroundings| place(client, Scope::User, around).unwrap().file;
        assert_eq!(file(Client::VsCode, &around), PathBuf::from("/etc/ada/Code/User/mcp.json"));
        assert_eq!(file(Client::ClaudeCode, &around), PathBuf::from("/srv/claude/.claude.json"));
        around.system = System::Windows;
        around.app_data = Some("/roaming".into());
        assert_eq!(file(Client::VsCode, &around), PathBuf::from("/roaming/Code/User/mcp.json"));
        around.home = None;
        assert!(place(Client::Cursor, Scope::User, &around).is_err());
    }
}

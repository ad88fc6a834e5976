//! Passwords of a database that do not stand on the command line.

use super::Desk;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use std::thread::JoinHandle;

/// Speaks as PostgreSQL does until it has the password, and lets nobody in.
fn postgres() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://ada@{}/memory", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut message = |kind: bool| {
            let mut head = vec![0; if kind { 5 } else { 4 }];
            client.read_exact(&mut head).unwrap();
            let length = u32::from_be_bytes(head[head.len() - 4..].try_into().unwrap()) as usize;
            let mut body = vec![0; length - 4];
            client.read_exact(&mut body).unwrap();
            body
        };
        message(false);
        // It wants the password as it is.
        client.write_all(&[b'R', 0, 0, 0, 8, 0, 0, 0, 3]).unwrap();
        let mut head = [0; 5];
        client.read_exact(&mut head).unwrap();
        let mut body = vec![0; u32::from_be_bytes(head[1..].try_into().unwrap()) as usize - 4];
        client.read_exact(&mut body).unwrap();
        let refusal = b"SFATAL\0C28P01\0Mno\0\0";
        let length = (refusal.len() as u32 + 4).to_be_bytes();
        client.write_all(&[b"E", length.as_slice(), refusal].concat()).unwrap();
        String::from_utf8(body).unwrap().trim_end_matches('\0').to_owned()
    });
    (url, server)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const PASSWORD: &str = "s3cret%40 of ada@sea";

#[test]
fn r16_a_password_comes_from_a_file_or_the_environment_and_is_never_shown() {
    let desk = Desk::new();
    desk.put("password", format!("{PASSWORD}\nnot this line\n"));
    fs::set_permissions(desk.path("password"), fs::Permissions::from_mode(0o600)).unwrap();
    let check = |own: &dyn Fn(&str) -> String, variables: &dyn Fn(&str) -> Vec<(&'static str, String)>| {
        let (url, server) = postgres();
        desk.put_own(&own(&url));
        let output = desk.command().args(["doctor"]).envs(variables(&url)).output().unwrap();
        let said = said(&output);
        assert_eq!(server.join().unwrap(), PASSWORD, "{said}");
        assert!(said.contains("refused user \"ada\"") && said.contains("--ask-password"), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
        said
    };
    let none = |_: &str| String::new();
    let path = desk.path("password").display().to_string();
    let said = check(&none, &|url| {
        vec![("RECORDAR_DATABASE", url.to_owned()), ("RECORDAR_DATABASE_PASSWORD_FILE", "password".to_owned())]
    });
    let by = format!("database.password = …, set by RECORDAR_DATABASE_PASSWORD_FILE ({path})");
    assert!(said.contains(&by), "{said}");
    check(&none, &|url| {
        vec![("RECORDAR_DATABASE", url.to_owned()), ("RECORDAR_DATABASE_PASSWORD", PASSWORD.to_owned())]
    });
    check(&|url| format!("[database]\nurl = \"{url}\"\npassword_file = \"{path}\"\n"), &|_| Vec::new());
    // Where it stands in the URL, that is what counts.
    check(&none, &|url| {
        let encoded = url.replace("ada@", "ada:s3cret%2540%20of%20ada%40sea@");
        vec![("RECORDAR_DATABASE", encoded), ("RECORDAR_DATABASE_PASSWORD", "another".to_owned())]
    });
}

#[test]
fn r16_a_password_file_is_for_one_reader_and_one_server() {
    let desk = Desk::new();
    desk.put("password", PASSWORD);
    fs::set_permissions(desk.path("password"), fs::Permissions::from_mode(0o644)).unwrap();
    let check = |words: &str| {
        let mut command = desk.command();
        command.args(["doctor"]).env("RECORDAR_DATABASE", "postgres://ada@127.0.0.1:1/memory");
        let said = said(&command.env("RECORDAR_DATABASE_PASSWORD_FILE", "password").output().unwrap());
        assert!(said.contains(words) && !said.contains("s3cret"), "{said}");
    };
    check("can be read by other users");
    fs::set_permissions(desk.path("password"), fs::Permissions::from_mode(0o600)).unwrap();
    desk.put("password", "\n");
    check("has no password on its first line");
    // One file's password does not go to a server that is named elsewhere.
    desk.put("password", PASSWORD);
    let path = desk.path("password").display().to_string();
    desk.put_own(&format!("[database]\nurl = \"postgres://ada@127.0.0.1:1/memory\"\npassword_file = \"{path}\"\n"));
    let settings = |arguments: &[&str]| said(&desk.run(&[&["doctor"], arguments].concat()));
    assert!(settings(&[]).contains("database.password = …, set by database.password_file ("));
    assert!(!settings(&["--database", "postgres://ada@127.0.0.1:2/other"]).contains("database.password = "));
    desk.put("recordar.toml", "[database]\nurl = \"postgres://ada@127.0.0.1:3/planted\"\n");
    desk.ends(0, &["trust"]);
    assert!(!settings(&[]).contains("database.password = "));
}

#[test]
fn r16_a_password_on_the_command_line_is_warned_of() {
    let desk = Desk::new();
    desk.put("recordar.toml", "[database]\nattempts = 1\n");
    let url = "postgres://ada:s3cret@127.0.0.1:1/memory";
    let said = desk.ends(1, &["space", "list", "--database", url]);
    assert!(said.contains("warning: every user of this machine can see the password"), "{said}");
    assert!(said.contains("RECORDAR_DATABASE_PASSWORD_FILE") && !said.contains("s3cret"), "{said}");
    let output = desk.command().args(["space", "list"]).env("RECORDAR_DATABASE", url).output().unwrap();
    assert!(!String::from_utf8(output.stderr).unwrap().contains("warning"));
    assert!(!desk.ends(1, &["space", "list", "--database", "postgres://ada@127.0.0.1:1/memory"]).contains("warning"));
}

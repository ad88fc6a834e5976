//! Configurations read for any user, folder and environment: what a program that embeds the engine gets.

use recordar::config::{FileSource, Overrides, Surroundings, Trust, User};
use recordar::{Config, Error};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn around(folder: &Path) -> Surroundings {
    let variables = BTreeMap::from([("HOME".to_owned(), folder.join("home").display().to_string())]);
    Surroundings { folder: folder.join("work"), variables, user: User::of_process() }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn r16_folders_of_the_user_are_those_of_the_environment() {
    let check = |variables: &[(&str, &str)], own: Option<&str>, trust: Option<&str>| {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let around = Surroundings { folder: "/".into(), variables, user: User { uid: 1000, gid: 1000 } };
        assert_eq!(around.own_file().as_deref(), own.map(Path::new));
        assert_eq!(around.trust_file().as_deref(), trust.map(Path::new));
    };
    let (own, trust) = ("/home/ada/.config/recordar/recordar.toml", "/home/ada/.local/state/recordar/trusted.json");
    check(&[("HOME", "/home/ada")], Some(own), Some(trust));
    check(&[("HOME", "/home/ada"), ("XDG_CONFIG_HOME", "here")], Some(own), Some(trust));
    check(
        &[("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")],
        Some("/c/recordar/recordar.toml"),
        Some("/s/recordar/trusted.json"),
    );
    check(&[("HOME", "")], None, None);
}

#[test]
fn r16_a_configuration_is_read_for_the_user_who_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    put(&folder.path().join("work/recordar.toml"), "space = \"user:eva\"\n");
    put(&around.own_file().unwrap(), "[recall]\ntop_k = 3\n");
    let config = Config::load_in(&Overrides::default(), &around).unwrap();
    assert_eq!((config.space.as_str(), config.recall.settings.top_k), ("user:eva", 3));
    let sources: Vec<FileSource> = config.files.iter().map(|file| file.source).collect();
    assert_eq!(sources, [FileSource::Found { trusted: false }, FileSource::Own]);
    assert_eq!(config.database.url.sqlite_path(), Some(folder.path().join("work/recordar.db").as_path()));
    // The same files are another user's to somebody else, unless they are root's.
    if !rustix::process::geteuid().is_root() {
        let other = Surroundings { user: User { uid: 4321, gid: 4321 }, ..around.clone() };
        let error = Config::load_in(&Overrides::default(), &other).unwrap_err();
        assert!(error.to_string().contains("belongs to another user"), "{error}");
    }
    // Without a home nothing is the user's own, and nothing can be trusted.
    let homeless = Surroundings { variables: BTreeMap::new(), ..around };
    put(&folder.path().join("work/recordar.toml"), "[llm]\nseed = 1\n");
    assert_eq!(Trust::new(homeless.clone()).add(None).unwrap_err().code(), "no_home");
    let error = Config::load_in(&Overrides::default(), &homeless).unwrap_err();
    assert_eq!(error.code(), "untrusted_configuration");
}

#[test]
fn r16_a_mistake_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let around = around(folder.path());
    put(&folder.path().join("work/recordar.toml"), "[tree]\nbatch_size = 99\n");
    put(&around.own_file().unwrap(), "spaec = \"x:y\"\n[recall]\ntop_k = 99\n");
    let Err(Error::Config { mistakes }) = Config::load_in(&Overrides::default(), &around) else {
        panic!("it is wrong")
    };
    let found: Vec<(&str, bool)> = mistakes
        .iter()
        .map(|mistake| (mistake.key.as_str(), mistake.file.as_deref() == around.own_file().as_deref()))
        .collect();
    assert_eq!(found, [("spaec", true), ("recall.top_k", true), ("tree.batch_size", false)]);
}

//! The configuration, and the table of models beside it.

use crate::contract::assert_told;
use recordar::model::ModelTable;
use recordar::{Config, Error};
use std::path::Path;

/// Every mistake has a key, the allowed values, and a remedy.
pub(crate) fn configuration(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    // A configuration may name other files; they are not read here.
    if text.contains("models_file") {
        return;
    }
    let secrets = secrets(&text);
    let shown = match Config::from_toml(&text, Path::new("/nowhere")) {
        Ok(config) => format!("{config:?}"),
        Err(error) => {
            assert_told(&error.to_string(), &error.remedy());
            if let Error::Config { mistakes } = &error {
                assert!(!mistakes.is_empty());
                mistakes.iter().for_each(|mistake| assert_told(&mistake.key, &mistake.fix));
            }
            error.to_string()
        }
    };
    for secret in secrets {
        assert!(!shown.contains(&secret), "{secret} is shown: {shown}");
    }
}

/// The key of a model and the password of a database, if they occur only once in the text.
fn secrets(text: &str) -> Vec<String> {
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let value = |section: &str, key: &str| table.get(section)?.get(key)?.as_str().map(str::to_owned);
    let password = value("database", "url").and_then(|url| {
        let (login, _) = url.rsplit_once('@').filter(|_| !url.starts_with("sqlite:"))?;
        login.split_once(':')?.1.rsplit_once(':').map(|(_, password)| password.to_owned())
    });
    let secrets = value("llm", "api_key").into_iter().chain(password);
    secrets.filter(|secret| secret.len() >= 8 && text.matches(secret.as_str()).count() == 1).collect()
}

pub(crate) fn models_table(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match ModelTable::parse(&text) {
        Ok(table) => {
            for name in table.provider_names() {
                assert!(table.profile(name, "gpt-4o-mini").is_some(), "{name}");
            }
            let both = table.before(ModelTable::built_in());
            assert!(both.profile("openai", &text).is_some());
        }
        Err(error) => assert_told(&error.what, &error.remedy),
    }
}

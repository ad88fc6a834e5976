//! The configuration, and the table of models beside it.

use crate::assert_told;
use recordar::{Config, Error, ModelTable};
use std::path::Path;

/// Every mistake has a key, what is allowed, and what to do.
pub(crate) fn configuration(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    // Reading another file is what a configuration may ask for; it is not what is tried here.
    if text.contains("models_file") {
        return;
    }
    match Config::from_toml(&text, Path::new("/nowhere")) {
        Ok(config) => assert!(!format!("{config:?}").contains("sk-test-"), "a key is shown"),
        Err(error) => {
            assert_told(&error.to_string(), &error.remedy());
            assert!(!error.to_string().contains("sk-test-"), "a key is shown: {error}");
            if let Error::Config { mistakes } = &error {
                assert!(!mistakes.is_empty());
                mistakes.iter().for_each(|mistake| assert_told(&mistake.key, &mistake.fix));
            }
        }
    }
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

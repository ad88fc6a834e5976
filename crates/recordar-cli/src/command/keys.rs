//! `recordar keys`: API keys of the server.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::printable;
use recordar::key::{KeyView, SpacePattern};
use recordar::model::usd;
use recordar::verb::verbs;
use recordar::{Error, Invalid, Timestamp};

/// `--space` is an option of every command, so the spaces of a key have another one.
pub(crate) const NEW: Spec =
    Spec::verb::<verbs::MakeKey>(&["keys", "new"], new).positional(&["name"]).renamed("spaces", "write").described(&[
        (
            "spaces",
            "Spaces that the key may read and write: a space such as user:ada, a kind such as user:*, a prefix such as \
             user:team-*, or * for all",
        ),
        ("read", "Spaces that the key may only read, as patterns of the same form"),
    ]);
pub(crate) const LIST: Spec = Spec::verb::<verbs::Keys>(&["keys", "list"], list);
pub(crate) const REVOKE: Spec = Spec::verb::<verbs::RevokeKey>(&["keys", "revoke"], revoke).positional(&["key"]);

fn new(session: &Session<'_>) -> Result<Outcome, Error> {
    if session.global.names_space() {
        let what = "--space and --user do not say what a key may use";
        return Err(Invalid::new(what, "use --write PATTERN and --read PATTERN").into());
    }
    session.print::<verbs::MakeKey>(|made, output| {
        output.line(&made.key);
        let name = printable(&made.view.name, &[]);
        output.hint(&format!("this is the key {name}, with the id {}; it is shown only once", made.view.id));
    })
}

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Keys>(|keys, output| {
        if keys.is_empty() {
            output.line("there are no keys; `recordar keys new NAME` makes one");
            return;
        }
        output.table(&["id", "name", "write", "read", "state", "last used", "spent today"], keys.iter().map(row));
    })
}

fn row(key: &KeyView) -> Vec<String> {
    let patterns = |patterns: &[SpacePattern]| {
        let shown: Vec<&str> = patterns.iter().map(SpacePattern::as_str).collect();
        if key.admin { "everything".to_owned() } else { shown.join(" ") }
    };
    let nano = |usd_amount: f64| usd((usd_amount * 1e9).round() as u64);
    let spent = nano(key.spent_today_usd);
    let spent = key.max_usd_per_day.map_or(spent.clone(), |most| format!("{spent} of {}", nano(most)));
    vec![
        key.id.clone(),
        key.name.clone(),
        patterns(&key.spaces),
        patterns(&key.read),
        state(key),
        key.last_used_at.map_or("never".to_owned(), |time| time.to_string()),
        spent,
    ]
}

fn state(key: &KeyView) -> String {
    let at = |word: &str, time: Timestamp| format!("{word} {time}");
    match (key.revoked_at, key.expires_at) {
        (Some(revoked), _) => at("revoked", revoked),
        (None, Some(end)) => at("until", end),
        (None, None) => "valid".to_owned(),
    }
}

fn revoke(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RevokeKey>(|key, output| {
        let at = key.revoked_at.map_or(String::new(), |time| format!(" at {time}"));
        output.line(&format!("the key {} ({}) was revoked{at}", printable(&key.name, &[]), key.id));
    })
}

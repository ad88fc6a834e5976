//! `recordar keys`: a key is printed once, alone on standard output.

use crate::Desk;

#[test]
fn i25_keys_are_printed_once_listed_and_revoked() {
    let desk = Desk::new();
    let new = ["keys", "new", "laptop", "--write", "user:ada", "--write", "user:team-*", "--read", "shared:*"];
    let made = desk.run(&[&new[..], &["--expires", "90d", "--max-usd-per-day", "1.50"]].concat());
    let (key, told) = (String::from_utf8(made.stdout).unwrap(), String::from_utf8(made.stderr).unwrap());
    assert!(made.status.success() && key.starts_with("rk_") && key.trim_end().len() == 67, "{key}{told}");
    assert!(key.ends_with('\n') && key.lines().count() == 1, "a script can take it as it is");
    assert!(told.contains("shown only once") && !told.contains(key.trim()), "{told}");
    let listed = desk.ends(0, &["keys", "list"]);
    for shown in ["laptop", "user:ada user:team-*", "shared:*", "until ", "never", "$0.00 of $1.50"] {
        assert!(listed.contains(shown), "{shown}: {listed}");
    }
    let admin = desk.json(0, &["keys", "new", "admin", "--admin"]);
    assert!(admin["key"].as_str().unwrap().starts_with("rk_") && admin["admin"] == true);
    let keys = desk.json(0, &["keys", "list"]);
    assert_eq!((keys.as_array().unwrap().len(), &keys[0]["max_usd_per_day"]), (2, &1.5.into()));
    assert!(!keys.to_string().contains("rk_"), "{keys}");
    assert!(desk.ends(0, &["keys", "revoke", "laptop"]).contains("was revoked at"));
    assert!(desk.ends(0, &["keys", "revoke", keys[0]["id"].as_str().unwrap()]).contains("was revoked at"));
    assert!(desk.ends(0, &["keys", "list"]).contains("revoked "));
    assert_eq!(desk.json(1, &["keys", "revoke", "nobody"])["error"]["code"], "not_found");
}

#[test]
fn i25_keys_say_what_is_wrong_with_their_options() {
    let desk = Desk::new();
    let check = |words: &[&str], expected: &str| {
        let said = desk.ends(2, &[&["keys", "new", "laptop"], words].concat());
        assert!(said.contains(expected), "{said}");
    };
    check(&["--space", "user:ada"], "use --write PATTERN and --read PATTERN");
    check(&["--user", "ada", "--read", "shared:*"], "do not say what a key may use");
    check(&[], "would open nothing");
    check(&["--write", "us*"], "not a valid pattern of spaces");
    check(&["--admin", "--max-usd-per-day=-1"], "out of range");
    assert!(desk.ends(0, &["keys", "new", "--help"]).contains("--write <PATTERN>"));
}

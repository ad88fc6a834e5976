//! Reads `signals.txt`, which describes its own form at the top. A mistake in it is an error, never a signal that silently does nothing.

use crate::signals::{Condition, Pattern, Signal, Signals, Step};
use std::collections::HashSet;
use std::sync::LazyLock;

static BUILT_IN: LazyLock<Signals> = LazyLock::new(|| match parse(include_str!("signals.txt")) {
    Ok(signals) => signals,
    Err(why) => unreachable!("signals.txt is part of the program, and a test reads it: {why}"),
});

/// The signals of `signals.txt`.
pub(crate) fn built_in() -> &'static Signals {
    &BUILT_IN
}

pub(crate) fn parse(source: &'static str) -> Result<Signals, String> {
    let mut signals = Signals::default();
    let mut section = None;
    for line in source.lines().map(str::trim).filter(|line| !is_comment(line)) {
        if let Some(head) = heading(line) {
            section = Some(open_section(&mut signals, head)?);
        } else {
            let section = section.as_ref().ok_or_else(|| format!("no section before: {line}"))?;
            read_line(&mut signals, section, line)?;
        }
    }
    Ok(signals)
}

/// What the lines of a section are.
enum Section {
    Class(&'static str),
    Patterns(Signal),
    Literals(&'static str),
    Nothing,
}

/// A line such as `### system` is a literal, so a comment needs a space after its sign.
fn is_comment(line: &str) -> bool {
    line.is_empty() || line == "#" || line.starts_with("# ")
}

/// A line such as `[inst]` is a literal, so a heading needs two words.
fn heading(line: &str) -> Option<&str> {
    let head = line.strip_prefix('[')?.strip_suffix(']')?;
    head.contains(' ').then_some(head)
}

fn open_section(signals: &mut Signals, head: &'static str) -> Result<Section, String> {
    let parts: Vec<&'static str> = head.split_whitespace().collect();
    match parts.as_slice() {
        ["class", name] => Ok(Section::Class(name)),
        ["weight", name, weight] => add_weight(signals, name, weight).map(|_| Section::Nothing),
        ["literals", name, weight] => add_weight(signals, name, weight).map(|_| Section::Literals(name)),
        ["signal", name, weight, flags @ ..] => {
            let weight = add_weight(signals, name, weight)?;
            let condition = condition(flags).ok_or_else(|| format!("unrecognised condition: {head}"))?;
            Ok(Section::Patterns(Signal { name, weight, condition }))
        }
        _ => Err(format!("unrecognised section: {head}")),
    }
}

fn add_weight(signals: &mut Signals, name: &'static str, weight: &str) -> Result<u32, String> {
    let weight = weight.parse().map_err(|_| format!("not a weight: {name} {weight}"))?;
    match signals.weights.insert(name, weight) {
        Some(_) => Err(format!("a second signal of the same name: {name}")),
        None => Ok(weight),
    }
}

fn condition(flags: &[&str]) -> Option<Condition> {
    match flags {
        [] => Some(Condition::Anywhere),
        ["disguised"] => Some(Condition::Disguised),
        ["foreign"] => Some(Condition::Foreign),
        ["foreign", "asked"] => Some(Condition::ForeignQuestion),
        ["foreign", "impersonal"] => Some(Condition::ForeignImpersonal),
        _ => None,
    }
}

fn read_line(signals: &mut Signals, section: &Section, line: &'static str) -> Result<(), String> {
    match section {
        Section::Class(name) => line.split_whitespace().for_each(|word| signals.add_to_class(name, word)),
        Section::Patterns(signal) => read_pattern(signals, *signal, line)?,
        Section::Literals(name) => signals.literals.push((name, line)),
        Section::Nothing => return Err(format!("a weight has no lines: {line}")),
    }
    Ok(())
}

fn read_pattern(signals: &mut Signals, signal: Signal, line: &'static str) -> Result<(), String> {
    let (mut opens, mut gap, mut steps) = (false, 0, Vec::new());
    for part in line.split_whitespace() {
        if part == "^" {
            opens = true;
        } else if let Some(words) = part.strip_prefix("..") {
            gap = words.parse::<u8>().map_err(|_| format!("not a number of words: {line}"))?.into();
        } else {
            steps.push(Step { gap, accepts: accepted(signals, part)? });
            gap = 0;
        }
    }
    let mut steps = steps.into_iter();
    let first = steps.next().ok_or_else(|| format!("no words: {line}"))?;
    signals.add_pattern(&first.accepts, Pattern { signal, opens, further: steps.collect() });
    Ok(())
}

/// The words of one step, such as `all|{earlier}`.
fn accepted(signals: &mut Signals, part: &'static str) -> Result<HashSet<u32>, String> {
    let mut accepted = HashSet::new();
    for choice in part.split('|') {
        if let Some(name) = choice.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            accepted.extend(signals.class(name).ok_or_else(|| format!("unrecognised class: {name}"))?);
        } else {
            accepted.insert(signals.add_word(choice));
        }
    }
    Ok(accepted)
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn check_error(source: &'static str, expected: &str) {
        let why = parse(source).err();
        assert!(why.as_ref().is_some_and(|why| why.contains(expected)), "{source}: {why:?}");
    }

    #[test]
    fn saf_g1_a_mistake_in_the_signals_is_an_error() {
        check_error("word", "no section");
        check_error("[signal order 4]\n{nobody}", "unrecognised class");
        check_error("[signal order 4]\n^ ..3", "no words");
        check_error("[signal order 4]\na ..many b", "not a number of words");
        check_error("[signal order heavy]", "not a weight");
        check_error("[signal order 4 sometimes]", "unrecognised condition");
        check_error("[signal order 4]\n[weight order 2]", "a second signal");
        check_error("[weight order 4]\nword", "no lines");
        check_error("[paragraph order]", "unrecognised section");
    }

    #[test]
    fn saf_g1_the_shipped_signals_are_read() {
        let signals = parse(include_str!("signals.txt")).unwrap();
        for class in ["closed", "lead", "personal", "pointer", "polite", "stop", "writer"] {
            assert!(signals.class(class).is_some(), "{class} is named in the code");
        }
    }
}

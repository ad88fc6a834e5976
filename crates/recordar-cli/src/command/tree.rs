//! `recordar tree`: shows and edits the category tree; `recordar classify`: classifies waiting chunks.

use super::explain::show_trace;
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, plural, printable};
use crate::progress::{STEPS, bar};
use clap::{Arg, value_parser};
use recordar::Error;
use recordar::category::{CategoryView, ClassifyReport, TreeEdited, TreeView};
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Tree>(&["tree"], run).with(|command| {
    let levels = Arg::new("levels").long("levels").value_name("N").value_parser(value_parser!(u32));
    command.arg(levels.help("Number of levels to show"))
});
pub(crate) const RENAME: Spec =
    Spec::verb::<verbs::RenameCategory>(&["tree", "rename"], rename).positional(&["category", "name"]);
pub(crate) const MERGE: Spec =
    Spec::verb::<verbs::MergeCategories>(&["tree", "merge"], merge).positional(&["category", "into"]);
pub(crate) const MOVE: Spec =
    Spec::verb::<verbs::MoveCategory>(&["tree", "move"], move_category).positional(&["category", "under"]);
pub(crate) const DEEPEN: Spec = Spec::verb::<verbs::DeepenTree>(&["tree", "deepen"], deepen).positional(&["depth"]);
pub(crate) const CLASSIFY: Spec = Spec::verb::<verbs::Classify>(&["classify"], classify)
    .with(|command| command.arg(flag("explain", "Show every category that was chosen, and why")));

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let levels = session.number("levels").unwrap_or(u32::MAX);
    session.print::<verbs::Tree>(|view, output| draw(view, levels, output))
}

fn rename(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RenameCategory>(told)
}

fn merge(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::MergeCategories>(told)
}

fn move_category(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::MoveCategory>(told)
}

fn deepen(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::DeepenTree>(told)
}

fn classify(session: &Session<'_>) -> Result<Outcome, Error> {
    super::ask::hint_at_model(session.memory()?, session.output);
    let bar = bar(session.output, STEPS);
    let report = session.call_with_progress::<verbs::Classify>(session.arguments()?, &mut |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(progress.message);
    });
    bar.finish_and_clear();
    let report = report?;
    session.output.result(&report, |output| show(&report, session.has("explain"), output));
    Ok(match (report.unclassified, report.classified) {
        (0, _) => Outcome::Done,
        (_, 0) => Outcome::Failed,
        _ => Outcome::Partly,
    })
}

fn draw(view: &TreeView, levels: u32, output: &Output) {
    for root in &view.roots {
        line(root, "", "", levels, output);
    }
    if view.roots.is_empty() {
        output.hint("there is no tree yet; `recordar ingest` builds one, and `recordar classify` adds chunks that are already stored");
    }
    let full = |level: &&recordar::category::LevelView| level.categories >= u64::from(level.limit);
    for level in view.levels.iter().filter(full) {
        output.warn(&format!("level {} is full: {} of {} categories", level.level, level.categories, level.limit));
    }
    output.line(&format!(
        "{}, {} on leaves, {} unclassified",
        plural(view.categories, "category"),
        plural(view.chunks, "chunk"),
        view.unclassified
    ));
    if view.unclassified > 0 {
        output.hint("`recordar classify` classifies the remaining chunks");
    }
}

fn line(category: &CategoryView, before: &str, below: &str, levels: u32, output: &Output) {
    let CategoryView { id, name, chunks, children, .. } = category;
    output.line(&format!("{before}{} ({chunks})  #{id}", printable(name, &[])));
    if category.level >= levels {
        return;
    }
    let children = shown_children(name, children);
    for (at, child) in children.iter().enumerate() {
        let is_last = at + 1 == children.len();
        let (branch, on) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        line(child, &format!("{below}{branch}"), &format!("{below}{on}"), levels, output);
    }
}

/// The children to draw. An only child of the same name stands for its parent, so it is left out.
fn shown_children<'a>(name: &str, children: &'a [CategoryView]) -> &'a [CategoryView] {
    match children {
        [only] if only.name == name => shown_children(name, &only.children),
        children => children,
    }
}

fn told(edited: &TreeEdited, output: &Output) {
    let before = if edited.repeated { "already done under this operation id: " } else { "" };
    let id = edited.category_id.map_or(String::new(), |id| format!(" (category {id})"));
    output.line(&match edited.edit.as_str() {
        "merge" => format!(
            "{before}merged {} and moved {}{id}",
            plural(edited.merged_categories, "category"),
            plural(edited.moved_chunks, "chunk")
        ),
        "deepen" => format!("{before}the tree now has {} levels", edited.depth),
        "move" => format!("{before}moved{id}"),
        _ => format!("{before}renamed{id}"),
    });
}

fn show(report: &ClassifyReport, explain: bool, output: &Output) {
    super::ingest::show_notes(&report.warnings, output);
    for document in &report.documents {
        for warning in &document.warnings {
            let path = printable(&document.path, &[]);
            output.warn(&format!("{path}: {}\n  try: {}", warning.what, warning.remedy));
        }
        if let Some(problem) = &document.model_problem {
            output.warn(&format!("{}\n  try: {}", problem.what, problem.remedy));
        }
    }
    if explain {
        report.batches.iter().for_each(|batch| output.line(&super::ingest::batch(batch)));
        report.responses.iter().for_each(|call| output.line(&super::ask::called(call)));
        show_trace(&report.trace, output);
    }
    output.line(&format!(
        "{} classified, {} still unclassified, in {}",
        plural(report.classified, "chunk"),
        report.unclassified,
        printable(&report.space, &[])
    ));
}

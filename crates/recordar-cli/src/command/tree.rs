//! `recordar tree`: the category tree with its counts, and edits of it; `recordar classify`: chunks that wait for a place in it.

use super::explain::show_trace;
use super::{Outcome, open};
use crate::arguments::{Classify, Global, Tree, TreeAction};
use crate::output::{Output, plural, printable};
use recordar::{CategoryView, ClassifyReport, Error, OperationId, TreeEdit, TreeEdited, TreeView};

pub(crate) fn run(tree: &Tree, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let Some(action) = &tree.action else {
        let (memory, space) = open(global)?;
        let view = memory.tree(&space)?;
        output.result(&view, |output| draw(&view, tree.levels.unwrap_or(u32::MAX), output));
        return Ok(Outcome::Done);
    };
    let (edit, operation) = edit(action)?;
    output.begin(&operation);
    let (memory, space) = open(global)?;
    let edited = memory.edit_tree(&space, &edit, &operation)?;
    output.result(&edited, |output| output.line(&told(&edited)));
    Ok(Outcome::Done)
}

pub(crate) fn classify(classify: &Classify, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let operation = classify.operation.id()?;
    output.begin(&operation);
    let (memory, space) = open(global)?;
    super::ask::hint_at_model(&memory, output);
    let report = memory.classify(&space, &operation)?;
    output.result(&report, |output| show(&report, classify.explain, output));
    Ok(match (report.unclassified, report.classified) {
        (0, _) => Outcome::Done,
        (_, 0) => Outcome::Failed,
        _ => Outcome::Partly,
    })
}

fn edit(action: &TreeAction) -> Result<(TreeEdit, OperationId), Error> {
    let (edit, operation) = match action {
        TreeAction::Rename { category, name, operation } => {
            (TreeEdit::Rename { category: category.clone(), name: name.clone() }, operation)
        }
        TreeAction::Merge { category, into, operation } => {
            (TreeEdit::Merge { category: category.clone(), into: into.clone() }, operation)
        }
        TreeAction::Move { category, under, operation } => {
            (TreeEdit::Move { category: category.clone(), under: under.clone() }, operation)
        }
        TreeAction::Deepen { depth, operation } => (TreeEdit::Deepen { depth: *depth }, operation),
    };
    Ok((edit, operation.id()?))
}

fn draw(view: &TreeView, levels: u32, output: &Output) {
    for root in &view.roots {
        line(root, "", "", levels, output);
    }
    if view.roots.is_empty() {
        output.hint("there is no tree yet: `recordar ingest` grows one, and `recordar classify` takes in what is stored already");
    }
    let full = |level: &&recordar::LevelView| level.categories >= u64::from(level.limit);
    for level in view.levels.iter().filter(full) {
        output.warn(&format!("level {} is full: {} of {} categories", level.level, level.categories, level.limit));
    }
    output.line(&format!(
        "{}, {} on leaves, {} waiting",
        plural(view.categories, "name"),
        plural(view.chunks, "chunk"),
        view.unclassified
    ));
    if view.unclassified > 0 {
        output.hint("`recordar classify` finds a place for those that wait");
    }
}

fn line(category: &CategoryView, before: &str, below: &str, levels: u32, output: &Output) {
    let CategoryView { id, name, chunks, children, .. } = category;
    output.line(&format!("{before}{} ({chunks})  #{id}", printable(name, &[])));
    if category.level >= levels {
        return;
    }
    for (at, child) in children.iter().enumerate() {
        let is_last = at + 1 == children.len();
        let (branch, on) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        line(child, &format!("{below}{branch}"), &format!("{below}{on}"), levels, output);
    }
}

fn told(edited: &TreeEdited) -> String {
    let before = if edited.repeated { "done before under this operation id: " } else { "" };
    let id = edited.category_id.map_or(String::new(), |id| format!(" (category {id})"));
    match edited.edit.as_str() {
        "merge" => format!(
            "{before}merged {} and moved {}{id}",
            plural(edited.merged_categories, "name"),
            plural(edited.moved_chunks, "chunk")
        ),
        "deepen" => format!("{before}the tree has {} levels now", edited.depth),
        "move" => format!("{before}moved{id}"),
        _ => format!("{before}renamed{id}"),
    }
}

fn show(report: &ClassifyReport, explain: bool, output: &Output) {
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
        "{} classified, {} still waiting, in {}",
        plural(report.classified, "chunk"),
        report.unclassified,
        printable(&report.space, &[])
    ));
}

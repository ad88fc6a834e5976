//! `recordar models`: shows the configured models, and tests the language model.

use super::ask::{called, cost, hint_at_model};
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::Error;
use recordar::model::{Ceiling, KeyState, LlmReport, ModelTable, ModelsReport, ModelsTest, Reembedded, usd};
use recordar::verb::verbs;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Models>(&["models", "list"], list);
pub(crate) const TEST: Spec = Spec::verb::<verbs::TestModels>(&["models", "test"], test);
pub(crate) const REEMBED: Spec = Spec::verb::<verbs::Reembed>(&["models", "reembed"], reembed).positional(&["model"]);
pub(crate) const TABLE: Spec = Spec::own(
    &["models", "table"],
    "Print the built-in table of providers and models, in the format of llm.models_file",
    |command| command,
    table,
);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Models>(show)
}

fn test(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    let is_dry_run = arguments.contains_key("dry_run");
    if !is_dry_run {
        hint_at_model(session.memory()?, session.output);
    }
    let test = session.call::<verbs::TestModels>(arguments)?;
    session.output.result(&test, |output| show_test(&test, is_dry_run, output));
    Ok(if test.passed { Outcome::Done } else { Outcome::Failed })
}

fn reembed(session: &Session<'_>) -> Result<Outcome, Error> {
    let moved = session.call::<verbs::Reembed>(session.arguments()?)?;
    session.output.result(&moved, |output| show_moved(&moved, output));
    Ok(if moved.pending.is_some() { Outcome::Failed } else { Outcome::Done })
}

fn table(session: &Session<'_>) -> Result<Outcome, Error> {
    session.output.raw(ModelTable::built_in_text());
    Ok(Outcome::Done)
}

fn show(report: &ModelsReport, output: &Output) {
    let source = match report.embedder_source {
        "built_in" => "built in",
        _ => "of a program of yours: without that program, searches are by words only",
    };
    output.line(&format!("embedder        {}, {} dimensions, {source}", report.embedder, report.dimension));
    if let Some(pending) = &report.pending_embedder {
        output.line(&format!("  moving to     {pending}; `recordar work` goes on with it"));
    }
    output.line(&format!("tokens          counted with {} for {}", report.tokenizer, report.tokens_of));
    super::model_folders::show_registered(report, output);
    match &report.llm {
        None => {
            output.line("language model  none: answers are quoted from stored text, chosen by built-in rules");
            output.hint("`recordar init` writes a recordar.toml; its [llm] section shows how to configure one");
        }
        Some(llm) => show_llm(llm, output),
    }
}

fn show_moved(moved: &Reembedded, output: &Output) {
    let Reembedded { embedder, dimension, changed, pending, spaces, failed } = moved;
    let spaces = plural(*spaces, "space");
    match (pending, changed) {
        (None, true) => output.line(&format!("moved to {embedder}, {dimension} dimensions; {spaces} embedded")),
        (None, false) => output.line(&format!("the database already uses {embedder}; nothing to do")),
        (Some(pending), _) => {
            output.warn(&format!("{} cannot be embedded; searches go on with {embedder}", plural(*failed, "space")));
            output.hint(&format!(
                "see `recordar queue list`; after `recordar queue retry`, `recordar models reembed {pending}` goes on"
            ));
        }
    }
}

fn show_llm(llm: &LlmReport, output: &Output) {
    let named = |name: &str| llm.key_env.as_ref().map_or(String::new(), |env| format!("{name}{env}"));
    let key = match llm.key {
        KeyState::Set => "set".to_owned(),
        KeyState::Missing => format!("missing{}", named("; set ")),
        KeyState::NotNeeded => "none".to_owned(),
    };
    let price = llm.price.as_ref().map_or("unknown; set it in llm.models_file".to_owned(), |price| {
        format!(
            "${} per million prompt tokens, ${} per million completion tokens, as of {}",
            price.prompt_usd, price.completion_usd, price.dated
        )
    });
    let number = |name: &str, value: Option<String>| value.map_or(String::new(), |value| format!(", {name} {value}"));
    let parameters = llm.settings.parameters;
    output.line(&format!("language model  {} at {}", llm.settings.name, llm.base_url));
    output.line(&format!("  key           {key}"));
    output.line(&format!(
        "  JSON          {}, set by the {}{}{}",
        llm.settings.structured.name(),
        llm.structured_by,
        number("temperature", parameters.temperature.map(|number| number.to_string())),
        number("seed", parameters.seed.map(|number| number.to_string())),
    ));
    output.line(&format!("  price         {price}"));
    output.line(&format!(
        "  per call      {}, of which {} in the reply",
        most(&llm.ceilings.call),
        llm.max_output_tokens
    ));
    output.line(&format!("  per operation {}", most(&llm.ceilings.operation)));
    let spent = llm.spent_today;
    output.line(&format!(
        "  per day       {}; today {} tokens, {}",
        most(&llm.ceilings.day),
        spent.tokens,
        usd(spent.nano_usd)
    ));
    output.line(&format!("  when away     {}", llm.when_away));
    if let Some(cassette) = &llm.cassette {
        output.line(&format!("  cassette      {cassette}"));
    }
}

fn most(ceiling: &Ceiling) -> String {
    let tokens = ceiling.tokens.map(|tokens| format!("{tokens} tokens"));
    let money = ceiling.nano_usd.map(usd);
    format!("at most {}", tokens.into_iter().chain(money).collect::<Vec<_>>().join(", "))
}

fn show_test(test: &ModelsTest, is_dry_run: bool, output: &Output) {
    let Some(model) = &test.model else {
        output.line("no language model is configured; none is required");
        return;
    };
    output.line(model);
    for task in &test.tasks {
        if is_dry_run {
            output.line(&format!("  {:<10} {}", task.task, cost(Some(&task.estimate))));
            continue;
        }
        let verdict = if task.passed { "ok" } else { "FAILED" };
        output.line(&format!("  {:<10} {verdict}  {}", task.task, task.reply));
        task.responses.iter().for_each(|call| output.line(&format!("             {}", called(call))));
        if let Some(problem) = &task.problem {
            output.line(&format!("             {}\n             try: {}", problem.what, problem.remedy));
        }
    }
}

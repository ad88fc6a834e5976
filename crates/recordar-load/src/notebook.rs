//! Jupyter notebooks as Markdown: cells in order, code in fences, text outputs shortened. Pictures and tables of outputs are left out.

use crate::loaded::{Loaded, Refused};
use crate::markdown::Markdown;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Of one cell's outputs, no more lines and characters are kept: the rest is data.
const MAX_OUTPUT_LINES: usize = 20;
const MAX_OUTPUT_CHARS: usize = 1500;

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// Where notebooks of before 2014 have their cells.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    title: Lines,
    language_info: Named,
    kernelspec: Named,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Named {
    name: Lines,
    language: Lines,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Cell {
    cell_type: Lines,
    source: Lines,
    input: Lines,
    level: Option<u8>,
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Output {
    text: Lines,
    data: Data,
    ename: Lines,
    evalue: Lines,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Data {
    #[serde(rename = "text/plain")]
    plain: Lines,
}

/// A text, or a list of its lines; anything else is no text.
#[derive(Default)]
struct Lines(String);

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Lines;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text or a list of lines")
            }

            fn visit_str<E>(self, text: &str) -> Result<Lines, E> {
                Ok(Lines(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Lines, A::Error> {
                let mut text = String::new();
                while let Some(line) = lines.next_element::<Lines>()? {
                    text.push_str(&line.0);
                }
                Ok(Lines(text))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lines, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Lines::default())
            }

            fn visit_unit<E>(self) -> Result<Lines, E> {
                Ok(Lines::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Lines, E> {
                Ok(Lines::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<Lines, E> {
                Ok(Lines::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<Lines, E> {
                Ok(Lines::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<Lines, E> {
                Ok(Lines::default())
            }
        }
        deserializer.deserialize_any(Any)
    }
}

pub(crate) fn load(text: &str, limit: usize) -> Result<Loaded, Refused> {
    let notebook: Notebook = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
        let what = format!("it is not a valid notebook: {error}");
        Refused::new("damaged", what, "open it in Jupyter and save it again, or ingest it with --type text")
    })?;
    let language = [notebook.metadata.language_info.name.0, notebook.metadata.kernelspec.language.0];
    let language = language.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "python".to_owned());
    let language: String = language.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    let mut written = Markdown::new(limit);
    let cells = notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells);
    for cell in notebook.cells.into_iter().chain(cells) {
        let source = if cell.source.0.is_empty() { cell.input.0 } else { cell.source.0 };
        match (cell.cell_type.0.as_str(), cell.level) {
            ("code", _) => {
                written.code(&language, &source);
                let outputs: Vec<String> =
                    cell.outputs.into_iter().map(output).filter(|text| !text.is_empty()).collect();
                written.code("output", &shortened(&outputs.join("\n")));
            }
            ("heading", level) => written.heading(usize::from(level.unwrap_or(1)), &source),
            ("raw", _) => written.paragraph(&source),
            _ => written.markdown(&source),
        }
    }
    let description = vec![("title", notebook.metadata.title.0)];
    Ok(Loaded { text: written.finish()?, description, notes: Vec::new() })
}

fn output(output: Output) -> String {
    if !output.ename.0.is_empty() {
        return format!("{}: {}", output.ename.0, output.evalue.0);
    }
    let text = if output.text.0.is_empty() { output.data.plain.0 } else { output.text.0 };
    text.trim_end().to_owned()
}

fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(MAX_OUTPUT_LINES).collect();
    let kept: String = lines.join("\n").chars().take(MAX_OUTPUT_CHARS).collect();
    if kept.len() < text.trim_end().len() { format!("{kept}\n…") } else { kept }
}

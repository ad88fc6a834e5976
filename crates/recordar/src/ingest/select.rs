//! Which files of a folder are read: those that the globs of the call select, without what programs generate.
//!
//! A glob is relative to the folder that is ingested. `*` stays within a folder, `**` does not; a glob without a slash means any folder.
//! Generated files are only read if they, or the folder they are in, are named themselves: with source code read, a folder of packages
//! would hide the documents.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use recordar_core::error::Error;
use recordar_domain::{FileType, Invalid};
use std::path::Path;

/// What a call selects.
#[derive(Debug, Clone)]
pub(super) struct Selection {
    pub(super) file_type: Option<FileType>,
    include: Option<GlobSet>,
    exclude: GlobSet,
}

/// Why a file is not read: a stable code, and what it means.
pub(super) type Reason = (&'static str, &'static str);

const MAX_GLOBS: usize = 1000;
const EXCLUDED: Reason = ("excluded", "it matches --exclude");
const NOT_INCLUDED: Reason = ("not_included", "it does not match --include");
pub(super) const GENERATED: Reason = ("generated", "it is generated or belongs to a package; name it to read it");
pub(super) const OTHER_TYPE: Reason = ("other_type", "files with this extension are not read");

impl Selection {
    pub(super) fn new(file_type: Option<FileType>, include: &[String], exclude: &[String]) -> Result<Self, Error> {
        let include = if include.is_empty() { None } else { Some(globs("include", include)?) };
        Ok(Self { file_type, include, exclude: globs("exclude", exclude)? })
    }

    /// Why the globs leave out a file, by its path relative to the folder.
    pub(super) fn left_out(&self, relative: &Path) -> Option<Reason> {
        if self.exclude.is_match(relative) {
            return Some(EXCLUDED);
        }
        self.include.as_ref().filter(|include| !include.is_match(relative)).map(|_| NOT_INCLUDED)
    }

    /// Why nothing below a folder is read.
    pub(super) fn left_out_folder(&self, folder: &Path, relative: &Path) -> Option<Reason> {
        let is_excluded = self.exclude.is_match(relative);
        is_excluded.then_some(EXCLUDED).or_else(|| is_generated_folder(folder).then_some(GENERATED))
    }

    /// The type that a file is read as. One without a known extension is read if both its type is given and a glob includes it.
    pub(super) fn type_of(&self, path: &Path) -> Option<FileType> {
        match FileType::of_path(path) {
            Some(by_name) => Some(self.file_type.unwrap_or(by_name)),
            None => self.file_type.filter(|_| self.include.is_some()),
        }
    }
}

fn globs(name: &str, patterns: &[String]) -> Result<GlobSet, Error> {
    if patterns.len() > MAX_GLOBS {
        return Err(Invalid::new(format!("more than {MAX_GLOBS} globs for {name}"), "use fewer and wider ones").into());
    }
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let refuse = |error: globset::Error| {
            let what = format!("{pattern:?} is not a valid glob for {name}: {}", error.kind());
            Error::from(Invalid::new(what, "use a glob such as '*.md', 'docs/**' or '**/old/*.txt'"))
        };
        let plain = pattern.trim_start_matches("./").trim_end_matches('/');
        let anywhere = if plain.contains('/') { "" } else { "**/" };
        let plain = plain.trim_start_matches('/');
        for glob in [format!("{anywhere}{plain}"), format!("{anywhere}{plain}/**")] {
            set.add(GlobBuilder::new(&glob).literal_separator(true).build().map_err(refuse)?);
        }
    }
    set.build()
        .map_err(|error| Invalid::new(format!("the globs for {name} are too large: {error}"), "use fewer").into())
}

/// Folders of packages, caches and build results, by their names or by what lies in them.
fn is_generated_folder(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let has = |file: &str| folder.join(file).is_file();
    match name {
        "node_modules" | "bower_components" | "__pycache__" | "site-packages" => true,
        // Of Maven; Cargo's has a tag.
        "target" => has("CACHEDIR.TAG") || folder.parent().is_some_and(|parent| parent.join("pom.xml").is_file()),
        "vendor" => has("modules.txt") || has("autoload.php"),
        name => name.ends_with(".egg-info") || has("CACHEDIR.TAG") || has("pyvenv.cfg"),
    }
}

/// Lock files, minified scripts and what code generators write, by their names.
pub(super) fn is_generated_file(path: &Path) -> bool {
    const LOCKS: [&str; 4] = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "packages.lock.json"];
    const ENDINGS: [&str; 8] =
        [".min.js", ".bundle.js", "-bundle.js", "_pb2.py", "_pb2_grpc.py", ".pb.go", ".g.dart", ".designer.cs"];
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    LOCKS.contains(&name.as_str()) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether source code says that a program wrote it, or has lines that nobody writes.
pub(super) fn is_generated_code(text: &str) -> bool {
    const HEAD_LINES: usize = 10;
    const MAX_MEAN_LINE_BYTES: usize = 500;
    let says_so = |line: &str| {
        line.contains("@generated") || (line.contains("enerated") && line.to_lowercase().contains("do not edit"))
    };
    let lines = text.bytes().filter(|byte| *byte == b'\n').count() + 1;
    text.lines().take(HEAD_LINES).any(says_so) || text.len() / lines > MAX_MEAN_LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(include: &[&str], exclude: &[&str]) -> Result<Selection, Error> {
        let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        Selection::new(None, &owned(include), &owned(exclude))
    }

    #[test]
    fn i20_formats_globs_select_files() {
        let check = |include: &[&str], exclude: &[&str], path: &str, expected: Option<&str>| {
            let found = selection(include, exclude).unwrap().left_out(Path::new(path));
            assert_eq!(found.map(|(code, _)| code), expected, "{include:?} {exclude:?} {path}");
        };
        check(&[], &[], "a/b.md", None);
        check(&["*.md"], &[], "a/b.md", None);
        check(&["*.md"], &[], "a/b.txt", Some("not_included"));
        check(&["docs/**"], &[], "docs/a/b.md", None);
        check(&["docs/**"], &[], "old/docs/b.md", Some("not_included"));
        check(&["docs"], &[], "old/docs/b.md", None);
        check(&["docs/*.md"], &[], "docs/a/b.md", Some("not_included"));
        check(&["**/a/*.md"], &[], "x/a/b.md", None);
        check(&["./docs/"], &[], "docs/b.md", None);
        check(&["/top.md"], &[], "top.md", None);
        check(&["*.md"], &["draft*"], "a/draft-1.md", Some("excluded"));
        check(&[], &["a/"], "a/b/c.md", Some("excluded"));
        check(&["*.{md,txt}"], &[], "b.txt", None);
        assert!(selection(&["a["], &[]).is_err());
        assert!(selection(&[], &["{a"]).is_err());
    }

    #[test]
    fn i20_formats_generated_code_is_known() {
        let check = |path: &str, expected: bool| assert_eq!(is_generated_file(Path::new(path)), expected, "{path}");
        check("a/package-lock.json", true);
        check("jquery.min.js", true);
        check("lamp_pb2.py", true);
        check("lamp.py", false);
        assert!(is_generated_code("// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n"));
        assert!(is_generated_code(&"x".repeat(2000)));
        assert!(!is_generated_code("# A lamp.\ndef light():\n    pass\n"));
    }
}

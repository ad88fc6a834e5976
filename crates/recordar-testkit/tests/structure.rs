//! The structure of the source: no room looks up.
//!
//! Every import is resolved to the file that defines the name, with re-exports followed, also those of the crate root. A room is a folder of
//! a crate's `src`, or a file that stands there by itself. Two rooms that need each other are one room with a wall in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

type Module = Vec<String>;

/// A crate, as far as names are concerned.
#[derive(Default)]
struct Source {
    /// The file of each module.
    files: BTreeMap<Module, PathBuf>,
    /// The names that each module defines.
    defined: BTreeMap<Module, BTreeSet<String>>,
    /// The names that each module imports, and what they stand for.
    imported: BTreeMap<Module, BTreeMap<String, Module>>,
    /// Imports of everything that a module has.
    globs: BTreeMap<Module, Vec<Module>>,
    /// Every path that the code of a module names.
    named: BTreeMap<Module, BTreeSet<Module>>,
}

impl Source {
    fn read(folder: &Path) -> Self {
        let mut source = Self::default();
        let root = ["lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|file| file.exists());
        source.module(Vec::new(), &root.expect("a crate has a root"), folder);
        source
    }

    fn module(&mut self, module: Module, file: &Path, folder: &Path) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.items(module, &parsed.items, file, folder);
    }

    fn items(&mut self, module: Module, items: &[Item], file: &Path, folder: &Path) {
        self.files.insert(module.clone(), file.to_owned());
        for item in items.iter().filter(|item| !is_test(item)) {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let child: Module = module.iter().cloned().chain([name.clone()]).collect();
                    match &inner.content {
                        Some((_, items)) => self.items(child, items, file, &folder.join(&name)),
                        None => {
                            let (flat, nested) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
                            let file = if flat.exists() { flat } else { nested };
                            self.module(child, &file, &folder.join(&name));
                        }
                    }
                }
                Item::Use(import) => {
                    let is_public = !matches!(import.vis, Visibility::Inherited);
                    self.import(&module, Vec::new(), &import.tree, is_public);
                }
                item => {
                    self.defined.entry(module.clone()).or_default().extend(name_of(item));
                    let mut paths = Paths::default();
                    paths.visit_item(item);
                    self.named.entry(module.clone()).or_default().extend(paths.0);
                }
            }
        }
    }

    fn import(&mut self, module: &Module, before: Module, tree: &UseTree, is_public: bool) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Module>();
        match tree {
            UseTree::Path(path) => self.import(module, with(path.ident.to_string()), &path.tree, is_public),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(module, before.clone(), tree, is_public));
            }
            UseTree::Glob(_) => {
                if !is_public {
                    self.named.entry(module.clone()).or_default().insert(before.clone());
                }
                self.globs.entry(module.clone()).or_default().push(before);
            }
            UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.imported_as(module, name, before, is_public);
            }
            UseTree::Name(name) => {
                self.imported_as(module, name.ident.to_string(), with(name.ident.to_string()), is_public)
            }
            UseTree::Rename(name) => {
                self.imported_as(module, name.rename.to_string(), with(name.ident.to_string()), is_public)
            }
        }
    }

    /// What is imported only to be handed on is needed by whoever takes it, not by the module that hands it on.
    fn imported_as(&mut self, module: &Module, name: String, path: Module, is_public: bool) {
        if !is_public {
            self.named.entry(module.clone()).or_default().insert(path.clone());
        }
        self.imported.entry(module.clone()).or_default().insert(name, path);
    }

    /// The module that defines what a path names, seen from a module; nothing for other crates.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        assert!(depth < 64, "{path:?} in {from:?} leads round in a circle of re-exports");
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Vec::new(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            _ => return self.step(from, path, depth),
        };
        let mut rest = rest;
        while rest.first().is_some_and(|name| name == "super") {
            at.pop();
            rest = &rest[1..];
        }
        if rest.is_empty() { Some(at) } else { self.step(&at, rest, depth) }
    }

    /// Goes on from a module by the first name of a path.
    fn step(&self, at: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (name, rest) = path.split_first()?;
        let child: Module = at.iter().cloned().chain([name.clone()]).collect();
        if self.files.contains_key(&child) {
            return if rest.is_empty() { Some(child) } else { self.step(&child, rest, depth + 1).or(Some(child)) };
        }
        if self.defined.get(at).is_some_and(|names| names.contains(name)) {
            return Some(at.clone());
        }
        if let Some(target) = self.imported.get(at).and_then(|names| names.get(name)) {
            if target.as_slice() == path {
                return None;
            }
            let whole: Module = target.iter().chain(rest).cloned().collect();
            return self.resolve(at, &whole, depth + 1);
        }
        let globs = self.globs.get(at).into_iter().flatten();
        globs.filter(|glob| glob.first().is_some_and(|first| first != name)).find_map(|glob| {
            let target = self.resolve(at, glob, depth + 1)?;
            if target == *at { None } else { self.step(&target, path, depth + 1) }
        })
    }

    /// Which file needs which other.
    fn needs(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut needs: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (module, paths) in &self.named {
            let file = self.files[module].as_path();
            let found = paths.iter().filter_map(|path| self.resolve(module, path, 0));
            let files = found.map(|module| self.files[&module].as_path()).filter(|other| *other != file);
            needs.entry(file).or_default().extend(files);
        }
        needs
    }
}

/// The paths that code names, of two segments or more; one name alone was imported, and is known from that.
#[derive(Default)]
struct Paths(BTreeSet<Module>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 && path.leading_colon.is_none() {
            self.0.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        // Imports within a function count as well.
        if let Item::Use(import) = item {
            collect(Vec::new(), &import.tree, &mut self.0);
        }
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }
}

fn collect(before: Module, tree: &UseTree, paths: &mut BTreeSet<Module>) {
    let with = |name: String| before.iter().cloned().chain([name]).collect::<Module>();
    match tree {
        UseTree::Path(path) => collect(with(path.ident.to_string()), &path.tree, paths),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect(before.clone(), tree, paths)),
        UseTree::Glob(_) => drop(paths.insert(before)),
        UseTree::Name(name) => drop(paths.insert(with(name.ident.to_string()))),
        UseTree::Rename(name) => drop(paths.insert(with(name.ident.to_string()))),
    }
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

fn is_test(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        _ => return false,
    };
    let is_cfg_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    };
    attributes.iter().any(is_cfg_test)
}

/// The folder that a file is in, or the file itself where it stands beside the folders.
fn room(file: &Path, source: &Path) -> String {
    let below = file.strip_prefix(source).unwrap_or(file);
    let first = below.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// Everything that can be reached and comes back.
fn circles<T: Ord + Clone>(needs: &BTreeMap<T, BTreeSet<T>>) -> Vec<Vec<T>> {
    let reach = |start: &T| {
        let mut seen: BTreeSet<&T> = BTreeSet::new();
        let mut open: Vec<&T> = needs.get(start).into_iter().flatten().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(needs.get(next).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&T, BTreeSet<&T>> = needs.keys().map(|start| (start, reach(start))).collect();
    let mut circles: Vec<Vec<T>> = Vec::new();
    for (start, seen) in &reached {
        if seen.contains(*start) && !circles.iter().flatten().any(|known| known == *start) {
            let back = |other: &&&T| reached.get(**other).is_some_and(|seen| seen.contains(*start));
            circles.push(seen.iter().filter(back).map(|other| (*other).clone()).collect());
        }
    }
    circles
}

fn crates() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates stand beside each other");
    let mut found: Vec<PathBuf> = std::fs::read_dir(crates)
        .expect("the folder of crates")
        .map(|entry| entry.expect("a crate").path().join("src"))
        .collect();
    found.retain(|source| source.is_dir());
    found.sort();
    assert!(found.len() > 8, "{found:?}");
    found
}

#[test]
fn no_file_needs_one_of_another_room_that_needs_it() {
    let mut found = Vec::new();
    for source in crates() {
        let read = Source::read(&source);
        for circle in circles(&read.needs()) {
            let rooms: BTreeSet<String> = circle.iter().map(|file| room(file, &source)).collect();
            let names: Vec<String> =
                circle.iter().map(|file| file.strip_prefix(&source).unwrap().display().to_string()).collect();
            if rooms.len() > 1 {
                found.push(format!("{}: {}", source.display(), names.join(", ")));
            }
        }
    }
    assert!(found.is_empty(), "files of different rooms need each other:\n{}", found.join("\n"));
}

#[test]
fn no_room_needs_one_that_needs_it() {
    let mut found = Vec::new();
    for source in crates() {
        let read = Source::read(&source);
        let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut by: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (file, others) in read.needs() {
            for other in others {
                let (one, two) = (room(file, &source), room(other, &source));
                if one != two {
                    needs.entry(one.clone()).or_default().insert(two.clone());
                    let name = |file: &Path| file.strip_prefix(&source).unwrap().display().to_string();
                    by.entry((one, two)).or_default().push(format!("{} → {}", name(file), name(other)));
                }
            }
        }
        for circle in circles(&needs) {
            found.push(format!("{}: {}", source.display(), circle.join(", ")));
            for ((one, two), files) in &by {
                if circle.contains(one) && circle.contains(two) {
                    found.push(format!("  {one} → {two}: {}", files.join("; ")));
                }
            }
        }
    }
    assert!(found.is_empty(), "rooms need each other:\n{}", found.join("\n"));
}

#[test]
fn siblings_import_siblings_by_path_and_not_through_the_crate_root() {
    let mut found = Vec::new();
    for source in crates() {
        let read = Source::read(&source);
        for (module, paths) in &read.named {
            let through_root =
                |path: &&Module| path.len() == 2 && path[0] == "crate" && !read.files.contains_key(&path[1..]);
            found.extend(paths.iter().filter(through_root).map(|path| format!("{module:?}: {}", path.join("::"))));
        }
    }
    assert!(found.is_empty(), "imported through the crate root:\n{}", found.join("\n"));
}

#[test]
fn what_the_test_looks_for_it_finds() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write("lib.rs", "mod high; mod low; pub use high::Flow; pub(crate) use low::*;");
    write(
        "low.rs",
        "use crate::Flow; pub(crate) struct Noun; fn f(_: Flow) {} #[cfg(test)] mod tests { use crate::high::deep::Deep; }",
    );
    write("high/mod.rs", "mod deep; pub use deep::Flow;");
    write("high/deep.rs", "pub struct Flow(crate::Noun); pub struct Deep;");
    let read = Source::read(folder.path());
    let names = |files: &[&Path]| -> Vec<String> { files.iter().map(|file| room(file, folder.path())).collect() };
    let found: Vec<Vec<String>> = circles(&read.needs()).iter().map(|circle| names(circle)).collect();
    assert_eq!(found, [["high", "low"]]);
}

//! Which collection a file belongs to, and what it is called there.

use super::load::{Found, Search, shown};
use recordar_core::config::Config;
use recordar_core::error::Error;
use recordar_domain::{DocumentName, Invalid};
use recordar_store::{DocumentRow, RootRow};
use std::path::{Path, PathBuf};

/// The folders that mark the root of a checkout.
const VERSION_CONTROL: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

const MAX_COLLECTION_BYTES: usize = 200;

/// What a user says about the collection of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionRequest {
    /// Its name; by default, that of its root folder.
    pub collection: Option<String>,
    /// Its root, to which names are relative. It may be another one than before.
    pub root: Option<PathBuf>,
}

/// The collections of an ingestion, each with its root on this machine.
pub(super) struct Collections {
    /// Of this run: for each path that was given, its collection and root.
    chosen: Vec<(PathBuf, Root)>,
    /// Recorded on this machine.
    known: Vec<Root>,
    /// Whether the user named the collection or its root, which then holds for all files.
    is_given: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) collection: String,
    pub(super) root: PathBuf,
}

/// Where a file belongs.
pub(super) struct FilePlace {
    pub(super) name: DocumentName,
    pub(super) root: Root,
}

impl Collections {
    pub(super) fn new(
        config: &Config,
        recorded: &[RootRow],
        request: &CollectionRequest,
        search: &Search,
    ) -> Result<Self, Error> {
        let is_here = |root: &&RootRow| root.machine == config.machine && root.retired.is_none();
        let known = recorded.iter().filter(is_here);
        let known =
            known.map(|row| Root { collection: row.collection.clone(), root: PathBuf::from(&row.root) }).collect();
        let is_given = *request != CollectionRequest::default();
        let mut collections = Self { chosen: Vec::new(), known, is_given };
        request.collection.as_deref().map_or(Ok(()), check_collection)?;
        let given_root = request.root.as_deref().map(real_folder).transpose()?;
        let mut given: Vec<&Path> = search.found.iter().map(|found| found.root.as_path()).collect();
        given.extend(search.roots.iter().map(PathBuf::as_path));
        given.sort_unstable();
        given.dedup();
        for path in given {
            let root = collections.root_for(path, request.collection.as_deref(), given_root.as_deref())?;
            collections.chosen.push((path.to_owned(), root));
        }
        Ok(collections)
    }

    fn root_for(&self, path: &Path, collection: Option<&str>, given: Option<&Path>) -> Result<Root, Error> {
        if let Some(root) = given {
            if !path.starts_with(root) {
                let what = format!("{} is not inside the root {}", path.display(), root.display());
                return Err(Invalid::new(what, "give a root that contains all of the paths").into());
            }
            let name = collection.map_or_else(|| folder_name(root), |name| Ok(name.to_owned()))?;
            return Ok(Root { collection: name, root: root.to_owned() });
        }
        let is_meant = |root: &&Root| collection.is_none_or(|name| root.collection == name);
        let around = self.known.iter().filter(|known| path.starts_with(&known.root)).filter(is_meant);
        if let Some(nearest) = around.max_by_key(|known| known.root.as_os_str().len()) {
            return Ok(nearest.clone());
        }
        let root = checkout(path).unwrap_or_else(|| path.to_owned());
        let name = collection.map_or_else(|| folder_name(&root), |name| Ok(name.to_owned()))?;
        // Of two given folders of the same name, one is another collection, too.
        let mut others = self.known.iter().chain(self.chosen.iter().map(|(_, root)| root));
        match others.find(|known| known.collection == name && known.root != root) {
            Some(known) => Err(moved_away(&name, &known.root, &root)),
            None => Ok(Root { collection: name, root }),
        }
    }

    /// The collection of a file, and its name there. `None` if a path is not valid UTF-8, which is refused later.
    pub(super) fn place(&self, found: &Found) -> Option<FilePlace> {
        let (_, chosen) = self.chosen.iter().find(|(path, _)| *path == found.root)?;
        // A folder inside may have been ingested by itself before.
        let inner = self.known.iter().filter(|known| !self.is_given && found.path.starts_with(&known.root));
        let inner = inner.filter(|known| known.root.starts_with(&chosen.root));
        let root = inner.max_by_key(|known| known.root.as_os_str().len()).unwrap_or(chosen);
        let name = found.path.strip_prefix(&root.root).ok()?.to_str()?;
        Some(FilePlace {
            name: DocumentName {
                collection: Some(root.collection.clone()),
                name: if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() },
            },
            root: root.clone(),
        })
    }

    /// Where the file of a stored document is on this machine, if that is known.
    pub(super) fn location(&self, document: &DocumentRow) -> Option<PathBuf> {
        let (Some(collection), Some(name)) = (&document.collection, &document.name) else {
            return Some(PathBuf::from(&document.path));
        };
        let chosen = self.chosen.iter().map(|(_, root)| root).find(|root| root.collection == *collection);
        let root = chosen.or_else(|| self.known.iter().find(|root| root.collection == *collection))?;
        Some(root.root.join(name))
    }

    /// The roots of this run that are not recorded yet.
    pub(super) fn unrecorded(&self) -> Vec<Root> {
        let mut new: Vec<Root> = Vec::new();
        for (_, root) in &self.chosen {
            if !self.known.contains(root) && !new.contains(root) {
                new.push(root.clone());
            }
        }
        new
    }
}

/// The nearest folder, from a path upwards, that is the root of a checkout.
fn checkout(path: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| VERSION_CONTROL.iter().any(|name| folder.join(name).exists());
    path.ancestors().find(is_root).map(Path::to_owned)
}

fn folder_name(root: &Path) -> Result<String, Error> {
    let name = root.file_name().map_or_else(|| shown(root), |name| name.display().to_string());
    check_collection(&name)?;
    Ok(name)
}

fn check_collection(name: &str) -> Result<(), Error> {
    if name.trim().is_empty() || name.len() > MAX_COLLECTION_BYTES || name.chars().any(char::is_control) {
        let what = format!("{name:?} is not a valid name for a collection");
        return Err(Invalid::new(what, "use 1 to 200 bytes without control characters, with --collection").into());
    }
    Ok(())
}

fn real_folder(path: &Path) -> Result<PathBuf, Error> {
    let refuse = |why: String| {
        let what = format!("the root {} {why}", path.display());
        Error::from(Invalid::new(what, "give the folder that the names of documents are relative to"))
    };
    let real = path.canonicalize().map_err(|error| refuse(format!("cannot be opened: {error}")))?;
    if real.is_dir() { Ok(real) } else { Err(refuse("is not a folder".to_owned())) }
}

fn moved_away(name: &str, known: &Path, new: &Path) -> Error {
    let what = format!("the collection {name} has its root at {}, not at {}", known.display(), new.display());
    let remedy = format!(
        "if the folder moved, use --root {}; if it is another collection, give it a name with --collection",
        new.display()
    );
    Error::input("other_root", what, remedy)
}

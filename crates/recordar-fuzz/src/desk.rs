//! An engine on its own database, and files to read, for the targets that need them: in memory if the machine has a file
//! system there, since a run should take a thousandth of a second.

use recordar::document::{Attributes, FileType, PlacingRequest, TextRequest};
use recordar::transfer::ExportScope;
use recordar::{Config, Message, OperationId, Recordar, SpaceName, system_clock};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Works with an engine on a small store. It is replaced before it grows.
pub(crate) fn with_engine<T>(work: impl FnOnce(&Desk) -> T) -> T {
    thread_local!(static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) });
    DESK.with_borrow_mut(|kept| {
        let desk = kept.take_if(|desk| desk.uses < MAX_USES).unwrap_or_else(Desk::new);
        let done = work(&desk);
        *kept = Some(Desk { uses: desk.uses + 1, ..desk });
        done
    })
}

/// A file with these bytes. The next one replaces it.
pub(crate) fn scratch(name: &str, bytes: &[u8]) -> PathBuf {
    thread_local!(static FOLDER: TempDir = folder());
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    })
}

const MAX_USES: usize = 200;

pub(crate) struct Desk {
    pub(crate) engine: Recordar,
    /// The number of uses, which also gives each use its own names.
    pub(crate) uses: usize,
    /// The initial content of the store.
    first: Vec<u8>,
    _folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = folder();
        let toml = "database.url = \"sqlite:memory.db\"\n";
        let config = Config::from_toml(toml, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let engine = Recordar::open(config, system_clock()).unwrap_or_else(|error| panic!("{error}"));
        fill(&engine).unwrap_or_else(|error| panic!("{error}"));
        let mut first = Vec::new();
        engine.export(&ExportScope::Store, &mut first).unwrap_or_else(|error| panic!("{error}"));
        Self { engine, uses: 0, first, _folder: folder }
    }

    /// Resets the store.
    pub(crate) fn clear(&self) {
        self.engine.restore(&mut self.first.as_slice()).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn fill(engine: &Recordar) -> Result<(), recordar::Error> {
    let space = SpaceName::user("keeper")?;
    let said = [Message::new("I light the lamp at dusk."), Message::new("The boat comes on Mondays.")];
    engine.remember(&space, &said, &OperationId::parse("said")?)?;
    let document = TextRequest {
        name: "lamp.md".to_owned(),
        text: "# Lamp\n\nIt is lit at dusk.\n\n## Wick\n\nTrim it daily.\n".to_owned(),
        file_type: FileType::Markdown,
        attributes: Attributes::default(),
        mtime: None,
        force: false,
        placing: PlacingRequest::default(),
        operation: OperationId::parse("written")?,
    };
    engine.ingest_text(&space, document)?;
    Ok(())
}

fn folder() -> TempDir {
    let in_memory = tempfile::Builder::new().prefix("recordar-fuzz").tempdir_in(Path::new("/dev/shm"));
    in_memory.or_else(|_| tempfile::tempdir()).unwrap_or_else(|error| panic!("no temporary folder: {error}"))
}

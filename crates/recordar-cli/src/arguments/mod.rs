//! The words of the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use recordar::{Error, OperationId, Overrides, SearchMode, SpaceName};
use std::path::PathBuf;

mod install;
mod mcp;
mod recall;
mod transfer;
mod tree;

pub(crate) use install::{Client, Install, Scope};
pub(crate) use mcp::Mcp;
pub(crate) use recall::{Ask, Models, ModelsAction, Recall, RecallOptions, Receipts, ReceiptsAction, Why, WhyNot};
pub(crate) use transfer::{Backup, Export, Import, Restore};
pub(crate) use tree::{Classify, Descent, Helper, Placing, Query, Tree, TreeAction};

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 a mistake in the command line or the configuration; \
3 partly done (some files failed, and the others were stored).";

/// Memory for LLM applications that can say why.
#[derive(Debug, Parser)]
#[command(name = "recordar", version, after_help = EXIT_CODES, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The space to work in, such as user:ada, shared:handbook or project:x [default: user:default]
    #[arg(long, global = true, value_name = "KIND:NAME", conflicts_with = "user")]
    space: Option<String>,
    /// Short for --space user:ID
    #[arg(long, alias = "user-id", global = true, value_name = "ID")]
    user: Option<String>,
    /// The database: sqlite:PATH, postgres://… or mysql://… [default: sqlite:recordar.db]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// The configuration file [default: recordar.toml here or in a folder above]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON document instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show no progress bar and no hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented recordar.toml with all defaults
    Init(Init),
    /// Store files and folders as documents; changed ones become new versions
    Ingest(Ingest),
    /// Store a message, or a batch of them
    Remember(Remember),
    /// Recall what is stored about a question, as a context within a token budget
    Recall(Recall),
    /// Find the chunks that a question leads to, down the category tree
    Query(Query),
    /// Answer a question from what is stored, with citations; by a language model, or in stored words where there is none
    Ask(Ask),
    /// Show why a recalled context or an answer was what it was: make it again from its receipt, and compare
    Why(Why),
    /// Show why an item is not in a recalled context, and what would have let it in
    WhyNot(WhyNot),
    /// Look through the receipts of recalls and answers
    Receipts(Receipts),
    /// Find what matters for a question, with the parts of each score
    Search(Search),
    /// Remove items, a document, a thread, receipts or a whole space for good
    Forget(Forget),
    /// Look at documents and their versions
    Doc(Doc),
    /// Draw the category tree with its counts, or change it
    Tree(Tree),
    /// Find places in the tree for chunks that have none yet
    Classify(Classify),
    /// Look at what prompts say of a source, or say something else
    Helper(Helper),
    /// Look at conversations and their messages
    Thread(Thread),
    /// Look at spaces
    Space(Space),
    /// Look up what became of an operation by its id
    Operation(OperationArgs),
    /// Write everything of a space or of the whole store as lines of JSON
    Export(Export),
    /// Take in an export, of Recordar or of another system
    Import(Import),
    /// Write the whole store into a file, while others work with it
    Backup(Backup),
    /// Make the store what it was at a backup, while others work with it
    Restore(Restore),
    /// Serve agents: a server of the Model Context Protocol on standard input and output
    Mcp(Mcp),
    /// Register Recordar's MCP server with a client, or take it out again; shows the change first
    Install(Install),
    /// Look at the configured models, and try the language model
    Models(Models),
    /// Check configuration, disk, models and database
    Doctor,
    /// Measure how well searching finds what is known to be right
    Eval(Eval),
    /// Measure Recordar on this machine
    Bench(Bench),
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where to write it
    #[arg(default_value = "recordar.toml")]
    pub(crate) path: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ingest {
    /// Files and folders, or - for standard input. In folders .txt .md .json .yml .yaml are read; hidden files and
    /// what .gitignore names are left out, and links are not followed
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// A tag for the documents; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// What they are about
    #[arg(long)]
    pub(crate) topic: Option<String>,
    /// A note on them
    #[arg(long)]
    pub(crate) note: Option<String>,
    /// Who supplied them
    #[arg(long)]
    pub(crate) provider: Option<String>,
    /// A JSON object to keep with them
    #[arg(long, value_name = "JSON")]
    pub(crate) metadata: Option<String>,
    /// What the files are, whatever their endings: text, markdown, json or yaml
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) file_type: Option<String>,
    /// The document's name, for a text from standard input [default: stdin]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Retire documents whose files are gone from the given paths: kept with their versions, but no longer current
    #[arg(long)]
    pub(crate) prune: bool,
    /// Store a new version even where the content is unchanged
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) placing: Placing,
    /// Show what each stage decided about each file, and every call of the model
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

#[derive(Debug, Args)]
pub(crate) struct Remember {
    /// The message, or - to read it from standard input; or use --jsonl
    #[arg(required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub(crate) text: Option<String>,
    /// A file with one JSON object a line, or - : text (or content), thread, title, role, source, speaker, time (or created_at),
    /// importance, metadata, kind, supersedes, derived_from
    #[arg(long, value_name = "FILE")]
    pub(crate) jsonl: Option<PathBuf>,
    /// The conversation it belongs to
    #[arg(long, value_name = "NAME", conflicts_with = "jsonl")]
    pub(crate) thread: Option<String>,
    /// A title for the conversation
    #[arg(long, requires = "thread")]
    pub(crate) title: Option<String>,
    /// Who said it: user, assistant, system or tool
    #[arg(long, default_value = "user", conflicts_with = "jsonl")]
    pub(crate) role: String,
    /// Where it came from, such as chat or external
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) source: Option<String>,
    /// Who spoke, by name, such as Ada
    #[arg(long, value_name = "NAME", conflicts_with = "jsonl")]
    pub(crate) speaker: Option<String>,
    /// When it was said, as in 2026-01-31T09:30:00Z [default: now]
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) time: Option<String>,
    /// How much it matters, from 0 to 1
    #[arg(long, conflicts_with = "jsonl", allow_negative_numbers = true)]
    pub(crate) importance: Option<f64>,
    /// A JSON object to keep with it
    #[arg(long, value_name = "JSON", conflicts_with = "jsonl")]
    pub(crate) metadata: Option<String>,
    /// What it is: message, fact or summary
    #[arg(long, default_value = "message", conflicts_with = "jsonl")]
    pub(crate) kind: String,
    /// An item that it takes the place of; may be given several times
    #[arg(long, value_name = "ITEM", conflicts_with = "jsonl")]
    pub(crate) supersedes: Vec<i64>,
    /// An item that it was made of, and is forgotten with; may be given several times
    #[arg(long, value_name = "ITEM", conflicts_with = "jsonl")]
    pub(crate) derived_from: Vec<i64>,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for: words, or a question
    pub(crate) query: String,
    /// Search this space as well; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// By what to search
    #[arg(long, value_enum, default_value_t)]
    pub(crate) mode: ModeName,
    /// How many hits, at most (1 to 1000)
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    /// Find whole threads and documents instead of single items
    #[arg(long)]
    pub(crate) threads: bool,
    /// When the question is asked, for "last week" and the like [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) asked_at: Option<String>,
    /// Search what was stored at that time, ranked as it was then
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
    /// Show what each word and each stage did
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum ModeName {
    /// By words
    Keyword,
    /// By meaning
    Semantic,
    /// By both
    #[default]
    Hybrid,
}

impl From<ModeName> for SearchMode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Keyword => Self::Keyword,
            ModeName::Semantic => Self::Semantic,
            ModeName::Hybrid => Self::Hybrid,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// A folder with corpus.jsonl, queries.jsonl and qrels.tsv
    pub(crate) folder: PathBuf,
    /// Take corpus.jsonl from another folder
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Questions that nothing in the corpus answers, as in queries.jsonl: how many does recall leave empty?
    #[arg(long, value_name = "FILE")]
    pub(crate) off_topic: Option<PathBuf>,
    /// Write a row for each question to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Forget {
    #[command(subcommand)]
    pub(crate) target: ForgetTarget,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ForgetTarget {
    /// Single items by their ids
    Item {
        #[arg(required = true)]
        ids: Vec<i64>,
        #[command(flatten)]
        options: ForgetOptions,
    },
    /// A document by its path, file name or id, with all its versions
    Document {
        name: String,
        #[command(flatten)]
        options: ForgetOptions,
    },
    /// A thread by its name, with all its messages
    Thread {
        name: String,
        #[command(flatten)]
        options: ForgetOptions,
    },
    /// Receipts by their ids, with the questions they hold; the items they name stay
    Receipt {
        #[arg(required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        options: ForgetOptions,
    },
    /// A whole space, which must be named, here or by --space or --user
    Space {
        #[arg(value_name = "KIND:NAME", conflicts_with_all = ["space", "user"])]
        name: Option<String>,
        #[command(flatten)]
        options: ForgetOptions,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ForgetOptions {
    /// Only say what would be removed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask. Only a terminal is asked: a script that runs this means it
    #[arg(long, short)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

#[derive(Debug, Args)]
pub(crate) struct Doc {
    #[command(subcommand)]
    pub(crate) action: DocAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DocAction {
    /// All documents of the space
    List,
    /// The text of a document, byte for byte
    Show {
        /// Its path, file name or id
        name: String,
        /// The number of a version [default: the newest]
        #[arg(long)]
        version: Option<i64>,
        /// Show the chunks with their sections and tokens instead
        #[arg(long)]
        chunks: bool,
    },
    /// The text of the one version of the one document that a description means
    Get(DocGet),
    /// The versions of a document
    Versions {
        /// Its path, file name or id
        name: String,
    },
    /// What changed between two versions
    Diff {
        /// Its path, file name or id
        name: String,
        /// The older version [default: the one before --to]
        #[arg(long)]
        from: Option<i64>,
        /// The newer version [default: the newest]
        #[arg(long)]
        to: Option<i64>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DocGet {
    /// Its file name or path
    #[arg(value_name = "FILENAME", conflicts_with = "file_name")]
    pub(crate) filename: Option<String>,
    /// The same as an option
    #[arg(long = "filename", alias = "file-name", value_name = "FILENAME")]
    pub(crate) file_name: Option<String>,
    /// What to search for, in the place of what the other fields say
    #[arg(long)]
    pub(crate) query: Option<String>,
    /// What it is about
    #[arg(long)]
    pub(crate) topic: Option<String>,
    /// A note on it
    #[arg(long)]
    pub(crate) note: Option<String>,
    /// Who supplied it
    #[arg(long)]
    pub(crate) provider: Option<String>,
    /// A tag that it must have; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// A tag that is always required, for scripts that add their own to what a user gives
    #[arg(long = "default-tag", value_name = "TAG")]
    pub(crate) default_tags: Vec<String>,
    /// How many documents are looked at, with all their versions (1 to 1000)
    #[arg(long, short, default_value_t = 50, value_name = "N")]
    pub(crate) k: usize,
    /// Which version: latest, earliest, longest or score
    #[arg(long, default_value = "latest")]
    pub(crate) strategy: String,
    /// With latest: the newest version that was there at that time
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
    /// Fail where the name, the tags, the query or the time match nothing, instead of going on without it
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show what each stage kept or dropped
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Thread {
    #[command(subcommand)]
    pub(crate) action: ThreadAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ThreadAction {
    /// All threads of the space
    List,
    /// The messages of a thread
    Show {
        /// Its name; left out, the messages that belong to no thread
        name: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Space {
    #[command(subcommand)]
    pub(crate) action: SpaceAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpaceAction {
    /// All spaces of the database
    List,
}

#[derive(Debug, Args)]
pub(crate) struct OperationArgs {
    /// The operation's id
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) what: BenchWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchWhat {
    /// Ingest generated text, against counting its tokens and inserting its rows alone
    Ingest {
        /// Megabytes of text
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=2000))]
        mb: u32,
    },
    /// Everything of a recall after its search, and a recall from the cache
    Policy {
        /// How many recalls
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(10..=100_000))]
        recalls: u32,
    },
    /// Search a space of generated messages, against SQLite's full-text index and a scan of all vectors
    Recall {
        /// How many messages
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        items: u32,
    },
    /// Descend category trees without a model, against drawing them with their counts
    Tree {
        /// Chunks of the wide tree
        #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        chunks: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct OperationOption {
    /// An id that makes it safe to repeat the command: what was done under it is not done again
    #[arg(long, value_name = "ID")]
    operation: Option<String>,
}

impl Global {
    /// The same with the space named by the command itself.
    pub(crate) fn with_space(&self, name: &str) -> Self {
        Self {
            space: Some(name.to_owned()),
            user: None,
            database: self.database.clone(),
            config: self.config.clone(),
            json: self.json,
            quiet: self.quiet,
        }
    }

    pub(crate) fn names_space(&self) -> bool {
        self.space.is_some() || self.user.is_some()
    }

    pub(crate) fn overrides(&self) -> Result<Overrides, Error> {
        let user = self.user.as_deref().map(SpaceName::user).transpose()?;
        Ok(Overrides {
            file: self.config.clone(),
            database: self.database.clone(),
            space: user.map(String::from).or_else(|| self.space.clone()),
        })
    }
}

impl OperationOption {
    /// The given id, or a new one that nobody has used.
    pub(crate) fn id(&self) -> Result<OperationId, Error> {
        let given = self.operation.clone().unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
        Ok(OperationId::parse(&given)?)
    }
}

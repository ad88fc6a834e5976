-- The spine. One text for three databases: the words in braces are put in by the dialect.
-- Integers, text and bytes only; times in microseconds; names are unique by their sha256; every row has a space.

CREATE TABLE IF NOT EXISTS store (
    id {int} NOT NULL PRIMARY KEY,
    next_space_id {int} NOT NULL
){options};

CREATE TABLE IF NOT EXISTS spaces (
    space_id {int} NOT NULL PRIMARY KEY,
    name_hash {hash} NOT NULL UNIQUE,
    name {text} NOT NULL,
    incarnation {int} NOT NULL,
    next_id {int} NOT NULL,
    revision {int} NOT NULL,
    recorded_at {int} NOT NULL,
    created_at {int} NOT NULL
){options};

CREATE TABLE IF NOT EXISTS operations (
    space_id {int} NOT NULL,
    operation_hash {hash} NOT NULL,
    whole_hash {hash} NOT NULL,
    operation_id {text} NOT NULL,
    kind {text} NOT NULL,
    state {int} NOT NULL,
    request_hash {hash},
    revision {int},
    recorded_at {int} NOT NULL,
    first_id {int} NOT NULL,
    end_id {int} NOT NULL,
    result {text},
    error {text},
    PRIMARY KEY (space_id, operation_hash)
){options};

CREATE INDEX operations_by_revision ON operations (space_id, revision);

CREATE INDEX operations_by_whole ON operations (space_id, whole_hash);

CREATE TABLE IF NOT EXISTS threads (
    space_id {int} NOT NULL,
    thread_id {int} NOT NULL,
    name_hash {hash} NOT NULL,
    name {text} NOT NULL,
    title {text},
    born {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, thread_id),
    UNIQUE (space_id, name_hash)
){options};

CREATE INDEX threads_by_change ON threads (space_id, changed);

CREATE TABLE IF NOT EXISTS documents (
    space_id {int} NOT NULL,
    document_id {int} NOT NULL,
    path_hash {hash} NOT NULL,
    path {text} NOT NULL,
    filename {text} NOT NULL,
    born {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, document_id),
    UNIQUE (space_id, path_hash)
){options};

CREATE INDEX documents_by_change ON documents (space_id, changed);

CREATE TABLE IF NOT EXISTS versions (
    space_id {int} NOT NULL,
    version_id {int} NOT NULL,
    document_id {int} NOT NULL,
    number {int} NOT NULL,
    sha256 {hash} NOT NULL,
    bytes {int} NOT NULL,
    chars {int} NOT NULL,
    mtime {int},
    file_type {text} NOT NULL,
    tags {text} NOT NULL,
    topic {text},
    note {text},
    provider {text},
    metadata {text} NOT NULL,
    chunking {text} NOT NULL,
    tokenizer {text} NOT NULL,
    chunks {int} NOT NULL,
    tokens {int} NOT NULL,
    forgotten {int} NOT NULL,
    ingested_at {int} NOT NULL,
    born {int} NOT NULL,
    retired {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, version_id),
    UNIQUE (space_id, document_id, number)
){options};

CREATE INDEX versions_by_change ON versions (space_id, changed);

-- The tree (A7). A category carries its parent's level and its tree's depth, so that ordinary keys and checks keep the
-- rules: a root has no parent, a child stands one level below its parent, names differ under a parent, and a leaf
-- is what stands on the last level.

CREATE TABLE IF NOT EXISTS trees (
    space_id {int} NOT NULL PRIMARY KEY,
    depth {int} NOT NULL,
    UNIQUE (space_id, depth),
    CHECK (depth >= 1 AND depth <= 100)
){options};

CREATE TABLE IF NOT EXISTS categories (
    space_id {int} NOT NULL,
    category_id {int} NOT NULL,
    parent_id {int},
    parent_level {int},
    parent_key {int} NOT NULL,
    level {int} NOT NULL,
    depth {int} NOT NULL,
    leaf {int} NOT NULL,
    name_hash {hash} NOT NULL,
    name {text} NOT NULL,
    born {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, category_id),
    UNIQUE (space_id, category_id, level),
    UNIQUE (space_id, category_id, leaf),
    UNIQUE (space_id, parent_key, name_hash),
    FOREIGN KEY (space_id, depth) REFERENCES trees (space_id, depth),
    FOREIGN KEY (space_id, parent_id, parent_level) REFERENCES categories (space_id, category_id, level),
    CHECK (level >= 1 AND level <= depth),
    CHECK ((level = 1 AND parent_id IS NULL AND parent_level IS NULL AND parent_key = 0)
        OR (level > 1 AND parent_id IS NOT NULL AND parent_level IS NOT NULL
            AND parent_level = level - 1 AND parent_key = parent_id)),
    CHECK ((leaf = 1 AND level = depth) OR (leaf = 0 AND level < depth))
){options};

CREATE INDEX categories_by_parent ON categories (space_id, parent_id);

CREATE INDEX categories_by_change ON categories (space_id, changed);

CREATE TABLE IF NOT EXISTS items (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    kind {int} NOT NULL,
    document_id {int},
    version_id {int},
    thread_id {int},
    position {int} NOT NULL,
    overlap {int} NOT NULL,
    section {text},
    role {text},
    source {text},
    content {text} NOT NULL,
    tokens {int} NOT NULL,
    importance {int},
    metadata {text},
    occurred_at {int} NOT NULL,
    recorded_at {int} NOT NULL,
    category_id {int},
    category_leaf {int},
    born {int} NOT NULL,
    retired {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id),
    FOREIGN KEY (space_id, category_id, category_leaf) REFERENCES categories (space_id, category_id, leaf),
    CHECK ((category_id IS NULL AND category_leaf IS NULL)
        OR (category_id IS NOT NULL AND category_leaf IS NOT NULL AND category_leaf = 1 AND kind = 1))
){options};

CREATE INDEX items_by_change ON items (space_id, changed);

CREATE INDEX items_by_version ON items (space_id, version_id);

CREATE INDEX items_by_thread ON items (space_id, thread_id);

CREATE INDEX items_by_category ON items (space_id, category_id);

CREATE TABLE IF NOT EXISTS lineage (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    source_id {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, source_id)
){options};

CREATE INDEX lineage_by_source ON lineage (space_id, source_id);

CREATE TABLE IF NOT EXISTS tombstones (
    space_id {int} NOT NULL,
    id {int} NOT NULL,
    kind {int} NOT NULL,
    revision {int} NOT NULL,
    PRIMARY KEY (space_id, id)
){options};

CREATE INDEX tombstones_by_revision ON tombstones (space_id, revision);

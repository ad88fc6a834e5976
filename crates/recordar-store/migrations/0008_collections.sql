-- What collections need: documents that move, versions that share chunks, attributes with a history, and ends.

-- The root of a collection on each machine. A later root retires the one before.

CREATE TABLE IF NOT EXISTS roots (
    space_id {int} NOT NULL,
    collection_hash {hash} NOT NULL,
    machine_hash {hash} NOT NULL,
    born {int} NOT NULL,
    collection {text} NOT NULL,
    machine {text} NOT NULL,
    root {text} NOT NULL,
    retired {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, collection_hash, machine_hash, born)
){options};

-- A document of a collection is known by the collection and its name there, the path relative to the root; `path_hash` is of both. One
-- without a collection is known by its path, as before.

ALTER TABLE documents ADD COLUMN collection {text};

ALTER TABLE documents ADD COLUMN name {text};

-- Where a version was read from, and what its document was called then. Absent in versions of before: the document's path.

ALTER TABLE versions ADD COLUMN path {text};

ALTER TABLE versions ADD COLUMN name_hash {hash};

ALTER TABLE versions ADD COLUMN name {text};

CREATE INDEX versions_by_name ON versions (space_id, name_hash);

-- Attributes that were given to a document after its version was stored. The latest row at a revision counts, unless the version then is
-- younger.

CREATE TABLE IF NOT EXISTS attributes (
    space_id {int} NOT NULL,
    document_id {int} NOT NULL,
    born {int} NOT NULL,
    tags {text} NOT NULL,
    topic {text},
    note {text},
    provider {text},
    metadata {text} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, document_id, born)
){options};

CREATE INDEX attributes_by_change ON attributes (space_id, changed);

-- A chunk belongs to every version of its document that is born while it is live. `place` orders the chunks of a document; a chunk of before
-- has none, and its position orders it.

ALTER TABLE items ADD COLUMN place {int};

CREATE INDEX items_by_document ON items (space_id, document_id);

DROP INDEX items_by_version{on_items};

-- The sections of a chunk whose headings changed while its text stayed. The latest row at a revision counts; before the first, the
-- chunk's own row does.

CREATE TABLE IF NOT EXISTS headings (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    born {int} NOT NULL,
    section {text},
    sections {text},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, born)
){options};

CREATE INDEX headings_by_change ON headings (space_id, changed);

-- When something is to be forgotten. The kind is 1 for a thread, 2 for an item and 3 for a tag. The subject is a thread's or an item's id;
-- or 0, and the sha256 of a tag, which is that of the empty text otherwise. One end for each subject.

CREATE TABLE IF NOT EXISTS expiries (
    space_id {int} NOT NULL,
    kind {int} NOT NULL,
    subject {int} NOT NULL,
    tag_hash {hash} NOT NULL,
    tag {text},
    expires_at {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, kind, subject, tag_hash)
){options};

CREATE INDEX expiries_by_time ON expiries (space_id, expires_at);

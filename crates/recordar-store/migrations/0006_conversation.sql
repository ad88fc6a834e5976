-- What conversations need: versions of the controlled vocabulary, the labels of messages, and how often each was used.

-- The history of the vocabulary, for the whole store; the last row is the current one. A rejected suggestion is a row too, with the
-- terms as they were. It is pending until the labels that it concerns are up to date.

CREATE TABLE IF NOT EXISTS vocabularies (
    number {int} NOT NULL PRIMARY KEY,
    version {text} NOT NULL,
    body {text} NOT NULL,
    action {text} NOT NULL,
    kind {text},
    term {text},
    undoes {int},
    pending {int} NOT NULL,
    made_at {int} NOT NULL
){options};

-- New labels retire the ones before. Backfilled ones name the row of the history that made them.

CREATE TABLE IF NOT EXISTS labels (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    born {int} NOT NULL,
    topics {text} NOT NULL,
    category {text} NOT NULL,
    message_type {text} NOT NULL,
    entities {text} NOT NULL,
    importance {int} NOT NULL,
    confidence {int} NOT NULL,
    suggested_topic_hash {hash},
    suggested_topic {text},
    suggested_category_hash {hash},
    suggested_category {text},
    vocabulary_version {text} NOT NULL,
    enrichment_model {text} NOT NULL,
    backfill {int},
    retired {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, born)
){options};

CREATE INDEX labels_by_change ON labels (space_id, changed);

CREATE INDEX labels_by_topic ON labels (suggested_topic_hash, retired, space_id, item_id);

CREATE INDEX labels_by_category ON labels (suggested_category_hash, retired, space_id, item_id);

CREATE INDEX labels_by_backfill ON labels (backfill, retired, space_id, item_id);

-- Numbers without the questions. They are not versioned.

CREATE TABLE IF NOT EXISTS uses (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    uses {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id)
){options};

CREATE INDEX uses_by_change ON uses (space_id, changed);

-- Work that is to be done later, by any process that has the store open.

-- A job is known by its kind and its subject: an id of the space, or 0 where it concerns the whole of it. The same job is never
-- queued twice. The state is 0 while it waits, 1 while it is leased, and 2 once it is dead. It may be taken from `due_at` on;
-- for a leased job, that is when its lease expires, so an expired lease needs no cleaning up. A dead job is never due.
-- `attempts` counts failures that were reported, `leases` those leases about which nothing was.

CREATE TABLE IF NOT EXISTS jobs (
    space_id {int} NOT NULL,
    kind {int} NOT NULL,
    subject {int} NOT NULL,
    state {int} NOT NULL,
    due_at {int},
    lease {hash},
    attempts {int} NOT NULL,
    leases {int} NOT NULL,
    made_at {int} NOT NULL,
    error {text},
    PRIMARY KEY (space_id, kind, subject)
){options};

CREATE INDEX jobs_by_due ON jobs (space_id, kind, due_at, subject);

CREATE INDEX jobs_by_lease ON jobs (lease, space_id);

-- Whose turn it is: a row for each kind of job that a space has. `due_at` is the earliest of its jobs, never later; `last_turn`
-- is when the space was served.

CREATE TABLE IF NOT EXISTS queues (
    space_id {int} NOT NULL,
    kind {int} NOT NULL,
    last_turn {int} NOT NULL,
    due_at {int},
    PRIMARY KEY (space_id, kind)
){options};

CREATE INDEX queues_by_turn ON queues (last_turn, space_id);

CREATE INDEX queues_by_due ON queues (kind, due_at);

-- One row, which everyone who takes jobs locks. It counts the turns.

CREATE TABLE IF NOT EXISTS queue (
    id {int} NOT NULL PRIMARY KEY,
    turn {int} NOT NULL
){options};

-- What moving a store to another embedder needs: which one it has, and segments of two of them side by side.

-- Whose vectors are searched, for the whole store: those of the last row that is settling or settled, or of the first embedder if
-- there is none. The state is 0 while jobs are being queued for every space, 1 while they are being done, 2 once it is searched with
-- and segments of others are being dropped, 3 when they are gone, and 4 if another was asked for before this one was reached.

CREATE TABLE IF NOT EXISTS embedders (
    number {int} NOT NULL PRIMARY KEY,
    model {text} NOT NULL,
    model_hash {hash} NOT NULL,
    state {int} NOT NULL,
    made_at {int} NOT NULL
){options};

-- Made again, since its key has the model now. Segments are derived from the items, so none has to be kept.

DROP TABLE IF EXISTS segments;

CREATE TABLE IF NOT EXISTS segments (
    space_id {int} NOT NULL,
    model_hash {hash} NOT NULL,
    first_id {int} NOT NULL,
    end_id {int} NOT NULL,
    part {int} NOT NULL,
    revision {int} NOT NULL,
    model {text} NOT NULL,
    dimension {int} NOT NULL,
    content {bytes} NOT NULL,
    PRIMARY KEY (space_id, model_hash, first_id, end_id, part)
){options};

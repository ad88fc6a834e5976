-- Facts: what was stated, by whom, and since when. A fact is an item with a row here; what holds at a time follows from the rows and is stored
-- nowhere.

-- Facts with the same `key_hash` are about the same subject and attribute. `since` is when the statement begins to hold. The method is 1 for a
-- person, 2 for a model and 3 for the built-in patterns. `own` is 1 if the subject said it. The span is in bytes of the source's text. `corrects` is
-- the fact that a person's word takes the place of.

CREATE TABLE IF NOT EXISTS facts (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    key_hash {hash} NOT NULL,
    subject_hash {hash} NOT NULL,
    subject {text} NOT NULL,
    attribute {text} NOT NULL,
    value {text} NOT NULL,
    many {int} NOT NULL,
    since {int} NOT NULL,
    confidence {int} NOT NULL,
    method {int} NOT NULL,
    own {int} NOT NULL,
    thread_id {int},
    source_id {int},
    span_start {int},
    span_end {int},
    corrects {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id)
){options};

CREATE INDEX facts_by_key ON facts (space_id, key_hash);

CREATE INDEX facts_by_subject ON facts (space_id, subject_hash);

CREATE INDEX facts_by_source ON facts (space_id, source_id);

-- A fact that a person retired or restored. The latest row at a revision counts.

CREATE TABLE IF NOT EXISTS fact_marks (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    born {int} NOT NULL,
    is_retired {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, born)
){options};

-- Records: named values of applications, such as the checkpoints of an agent. They are not items: they are in no index and no recall.
-- Records are kept in buckets. A bucket has a row while it has records. `born` and `position` order what one revision stored.

CREATE TABLE IF NOT EXISTS buckets (
    space_id {int} NOT NULL,
    bucket_hash {hash} NOT NULL,
    bucket {text} NOT NULL,
    born {int} NOT NULL,
    position {int} NOT NULL,
    PRIMARY KEY (space_id, bucket_hash)
){options};

-- The name is the key of the record as bytes, so that all databases order it alike. A long value is stored in several parts; each row has
-- the size of the whole.

CREATE TABLE IF NOT EXISTS records (
    space_id {int} NOT NULL,
    bucket_hash {hash} NOT NULL,
    name {key} NOT NULL,
    part {int} NOT NULL,
    bytes {int} NOT NULL,
    content {bytes} NOT NULL,
    born {int} NOT NULL,
    position {int} NOT NULL,
    changed {int} NOT NULL,
    recorded_at {int} NOT NULL,
    PRIMARY KEY (space_id, bucket_hash, name, part)
){options};

CREATE INDEX records_by_age ON records (space_id, bucket_hash, part, born, position);

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

-- What composing needs: texts that stand above a conversation, and what people mark as important.

-- Standing texts of a space: 1 its rules, 2 what is known about the project, 3 words that mean the same. Each change is a row; the latest at a
-- revision counts. `number` counts the versions of a kind from 1.

CREATE TABLE IF NOT EXISTS standing_texts (
    space_id {int} NOT NULL,
    kind {int} NOT NULL,
    born {int} NOT NULL,
    number {int} NOT NULL,
    content {text} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, kind, born)
){options};

-- An item that a person marked as important, or no longer. The latest row at a revision counts.

CREATE TABLE IF NOT EXISTS important_marks (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    born {int} NOT NULL,
    is_important {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, born)
){options};

-- The document that an item is about, and the version that was current when it was stored.

CREATE TABLE IF NOT EXISTS abouts (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    document_id {int} NOT NULL,
    version_id {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, document_id)
){options};

CREATE INDEX abouts_by_version ON abouts (space_id, version_id);

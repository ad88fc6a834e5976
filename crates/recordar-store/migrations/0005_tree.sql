-- What the category tree needs: the chunks of a leaf in the order they came, page by page, and what helps to understand them.

-- Chunks without a category are found by the same index. It covers the one it takes the place of; that goes last, since a
-- foreign key must not be without an index in between.

CREATE INDEX items_by_leaf ON items (space_id, category_id, kind, retired, recorded_at, item_id);

DROP INDEX items_by_category{on_items};

-- A few sentences on what a document is about, for whoever reads one of its chunks alone. Each retires the one before.
-- The origin is 1 where it was generated and 2 where the user gave it.

CREATE TABLE IF NOT EXISTS helpers (
    space_id {int} NOT NULL,
    helper_id {int} NOT NULL,
    document_id {int} NOT NULL,
    number {int} NOT NULL,
    origin {int} NOT NULL,
    content {text} NOT NULL,
    tokens {int} NOT NULL,
    recorded_at {int} NOT NULL,
    born {int} NOT NULL,
    retired {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, helper_id),
    UNIQUE (space_id, document_id, number)
){options};

CREATE INDEX helpers_by_change ON helpers (space_id, changed);

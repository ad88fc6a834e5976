-- Vectors of an embedder that the caller brings: it may be slow and cost money, so each text is asked for once. They are derived from the
-- items, and can be dropped and made again. A row goes with its item. The text's hash finds the vector of an equal text.

CREATE TABLE IF NOT EXISTS vectors (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    model_hash {hash} NOT NULL,
    text_hash {hash} NOT NULL,
    model {text} NOT NULL,
    dimension {int} NOT NULL,
    content {bytes} NOT NULL,
    PRIMARY KEY (space_id, item_id, model_hash)
){options};

CREATE INDEX vectors_by_text ON vectors (space_id, model_hash, text_hash);

-- The dimension of an embedder that the caller brings. Absent for built-in ones.

ALTER TABLE embedders ADD COLUMN dimension {int};

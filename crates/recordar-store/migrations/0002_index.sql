-- What searching needs: who spoke, which items were retired since a revision, and the segments of the search index.

ALTER TABLE items ADD COLUMN speaker {text};

CREATE INDEX items_by_retirement ON items (space_id, retired);

-- Derived from the items, dropped and made again at will. A segment spans ids from first_id up to end_id, lies in parts
-- of at most 1 MiB, and is true for the revision. It names the model that made its vectors.

CREATE TABLE IF NOT EXISTS segments (
    space_id {int} NOT NULL,
    first_id {int} NOT NULL,
    end_id {int} NOT NULL,
    part {int} NOT NULL,
    revision {int} NOT NULL,
    model {text} NOT NULL,
    dimension {int} NOT NULL,
    model_hash {hash} NOT NULL,
    content {bytes} NOT NULL,
    PRIMARY KEY (space_id, first_id, end_id, part)
){options};

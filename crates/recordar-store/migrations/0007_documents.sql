-- What programs and documents need.

-- The id that a caller gave a message, fact or summary. Several rows of a space may have the same one: at most one of them is live.

ALTER TABLE items ADD COLUMN own_id_hash {hash};

ALTER TABLE items ADD COLUMN own_id {text};

CREATE INDEX items_by_own_id ON items (space_id, own_id_hash);

-- What documents say of themselves: the sections that begin inside a chunk, and the folder that a version was ingested from.

ALTER TABLE items ADD COLUMN sections {text};

ALTER TABLE versions ADD COLUMN root {text};

-- What recalling needs: which revision a time belongs to, and the receipts of what was recalled.

CREATE INDEX operations_by_time ON operations (space_id, recorded_at, revision);

-- A receipt is known by the sha256 of its body. It holds no text of an item; its sources say what it was made of.

CREATE TABLE IF NOT EXISTS receipts (
    space_id {int} NOT NULL,
    receipt_hash {hash} NOT NULL,
    made_at {int} NOT NULL,
    body {text} NOT NULL,
    PRIMARY KEY (space_id, receipt_hash)
){options};

CREATE INDEX receipts_by_time ON receipts (space_id, made_at);

-- A source is an item that was looked at, by its space's name and its id, so that forgetting it finds the receipt. One that
-- came with an imported receipt, and is not here, brings a copy.

CREATE TABLE IF NOT EXISTS receipt_sources (
    space_id {int} NOT NULL,
    receipt_hash {hash} NOT NULL,
    source_hash {hash} NOT NULL,
    source_id {int} NOT NULL,
    body {text},
    PRIMARY KEY (space_id, receipt_hash, source_hash, source_id)
){options};

CREATE INDEX receipt_sources_by_item ON receipt_sources (source_hash, source_id);

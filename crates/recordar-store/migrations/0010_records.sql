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
